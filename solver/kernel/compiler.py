"""All that numba does: kernels that are not in the cache are compiled, and what comes of it is kept."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from llvmlite import ir
from numba.core import config as _config
from numba.core import datamodel as _datamodel
from numba.core import types as _types
from numba.core.caching import NullCache
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from claimeven.solver.kernel import seal
from claimeven.solver.kernel.interruption import interruptible_between
from claimeven.solver.kernel.loading import SPARE_MEMORY, keep_code, preparing
from claimeven.solver.kernel.machine_code import MachineCode
from claimeven.solver.kernel.place import cache_directory, have_sources_changed
from claimeven.solver.kernel.types import ARRAY_FIELDS, Array, Scalar, Signature, Tuple, Type, Void
from claimeven.solver.spare_memory import check_memory

# Their contents are made at run time, or have no types.
numba_config: Any = _config
numba_types: Any = _types
numba_models: Any = _datamodel.default_manager  # type: ignore[attr-defined]


def declare(function: Callable[..., Any], signature: Signature) -> Any:
    """A dispatcher of numba that is compiled, or loaded from numba's cache, when `prepare` is called or numba asks."""
    dispatcher: Any = numba.njit(nogil=True)(function)
    is_prepared = False

    def compile_(caches: bool) -> Any:
        if caches:
            dispatcher.enable_caching()
        else:
            dispatcher._cache = NullCache()
        dispatcher.compile(to_numba(signature))
        return dispatcher

    def code() -> MachineCode:
        (compiled,) = dispatcher.overloads.values()
        return _machine_code(compiled.library, compiled.fndesc.llvm_func_name, compiled.fndesc, signature)

    def prepare() -> None:
        nonlocal is_prepared
        with interruptible_between(), preparing:
            if is_prepared:
                return
            is_prepared = True  # a kernel that calls itself asks again while it is compiled
            try:
                _compile(function, compile_, code)
            except BaseException:
                is_prepared = False
                raise
            dispatcher.disable_compile()
            del dispatcher.get_call_template, dispatcher._compile_for_args

    # How numba asks for a function of these types, from a kernel and from Python.
    def get_call_template(arguments: Any, keywords: Any) -> Any:
        prepare()
        return type(dispatcher).get_call_template(dispatcher, arguments, keywords)

    def compile_for_args(*arguments: Any, **keywords: Any) -> Any:
        prepare()
        return dispatcher

    dispatcher.get_call_template, dispatcher._compile_for_args = get_call_template, compile_for_args
    dispatcher.prepare = prepare
    return dispatcher


def compile_callback(function: Callable[..., Any], signature: Signature) -> Any:
    """The function as numba's C function, with its `address`."""
    compiled: list[Any] = []

    def compile_(caches: bool) -> Any:
        compiled[:] = [numba.cfunc(to_numba(signature), cache=caches)(function)]
        return compiled[0]

    def code() -> MachineCode:
        return _machine_code(compiled[0]._library, compiled[0].native_name, None, signature)

    with interruptible_between(), preparing:
        return _compile(function, compile_, code)


def instruction_type(owner: object, generate: Callable[..., Any], signature: Signature) -> Any:
    """What numba's type inference takes an instruction for."""
    return _type_of(_intrinsic(owner, generate, to_numba(signature)))


def function_type(name: str) -> Any:
    """What numba's type inference takes a function of its own for."""
    return _type_of(getattr(numba, name))


@cache
def _intrinsic(owner: object, generate: Callable[..., Any], signature: Any) -> Any:
    def implement(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        built = generate(ir, builder, arguments)
        return context.get_dummy_value() if built is None else built

    # numba looks at the names of the parameters to know how many there are.
    names = ", ".join(f"argument{number}" for number in range(len(signature.args)))
    namespace: dict[str, Any] = {"signature": signature, "implement": implement}
    name = getattr(owner, "__name__", "instruction")
    exec(f"def {name}(typing_context, {names}):\n    return signature, implement\n", namespace)
    return intrinsic(namespace[name])


def _type_of(value: Any) -> Any:
    context: Any = cpu_target.typing_context
    context.refresh()
    return context.resolve_value_type(value)


def to_numba(what: Type | Signature) -> Any:
    """A type or a signature in numba's terms."""
    if isinstance(what, Signature):
        return to_numba(what.result)(*map(to_numba, what.arguments))
    if isinstance(what, Scalar):
        return getattr(numba_types, what.name)
    if isinstance(what, Void):
        return numba_types.void
    if isinstance(what, Array):
        return numba_types.Array(to_numba(what.item), what.dimensions, "C", readonly=what.readonly)
    assert isinstance(what, Tuple)
    fields = [to_numba(field) for field in what.fields]
    if what.kind is tuple:
        return numba_types.UniTuple(fields[0], len(fields))
    if len(set(fields)) == 1:
        return numba_types.NamedUniTuple(fields[0], len(fields), what.kind)
    return numba_types.NamedTuple(fields, what.kind)


def _compile(function: Callable[..., Any], compile_: Callable[[bool], Any], code: Callable[[], MachineCode]) -> Any:
    """What the cache holds of a function, or what `compile_` makes of it; a cache that fails is done without.

    Raises MemoryError if there is too little memory to go on.
    """
    check_memory(SPARE_MEMORY)
    directory = cache_directory()
    if directory is None:
        seal.announce()
        return compile_(False)
    # numba reads the setting while it decorates; other users of numba in this process keep theirs.
    before = numba_config.CACHE_DIR
    numba_config.CACHE_DIR = str(directory)
    try:
        if seal.is_intact(function, directory):
            return compile_(True)
        seal.announce()
        if _cannot_write or have_sources_changed():
            return compile_(False)
        compiled = compile_(True)
        keep_code(function, directory, code())
        seal.seal(function, directory)
        return compiled
    except OSError as error:
        reason = error.strerror or str(error)
        seal.tell(f"the kernel cache in {directory} cannot be used ({reason}); kernels are compiled every time")
        _cannot_write.append(directory)
        return compile_(False)
    finally:
        numba_config.CACHE_DIR = before


_cannot_write: list[Path] = []
"""The cache directory, once writing into it has failed; what is in it can still be read."""


def _machine_code(library: Any, symbol: str, description: Any, signature: Signature) -> MachineCode:
    """The object file of what was compiled just now; without content if it is not called as we think."""
    module = library._final_module
    functions = [each.name for each in module.functions if each.is_declaration and not each.name.startswith("llvm.")]
    variables = [each.name for each in module.global_variables if each.is_declaration]
    is_known = description is None or _layout(description) == _expected_layout(signature)
    content = (library._compiled_object or b"") if is_known else b""
    return MachineCode(str(signature), symbol, tuple(sorted({*functions, *variables})), bytes(content))


def _layout(description: Any) -> list[str]:
    """How numba's convention takes the arguments: i64, i8, double, or p for a pointer."""
    convention = cpu_target.target_context.call_conv
    taken = convention.get_function_type(description.restype, description.argtypes).args[2:]
    return ["p" if isinstance(each, ir.PointerType) else str(each) for each in taken]


def _expected_layout(signature: Signature) -> list[str]:
    """The same as `types` takes arguments apart, if arrays have the fields that it knows; else nothing like it."""
    model = numba_models.lookup(numba_types.uint64[::1])
    if tuple(model._fields) != ARRAY_FIELDS:
        return ["unknown"]
    layout = []
    for argument in signature.arguments:
        for kind in argument.machine_types:
            code = kind._type_
            layout.append("p" if code == "P" else "double" if code == "d" else f"i{8 * ctypes.sizeof(kind)}")
    return layout
