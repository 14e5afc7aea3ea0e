"""Compiled kernels as files of their own, loaded by llvmlite alone: importing numba takes longer than most commands.

A file is a digest of all that follows, a line of JSON, and the object file that numba made of the kernel. What is in it
depends on the processor, and nothing else: whatever a kernel needs of numba is needed only by the function through
which Python calls it, which is not used here. A kernel that needs more has a file that says so.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from claimeven.solver.kernel.types import Scalar, Signature, Tuple, Void

FORMAT = 1
DIGEST_BYTES = 32
OK, OK_NONE = 0, -2
"""What numba's functions return if nothing was raised."""

NOT_CALLED = frozenset(
    {
        "NRT_Free",
        "NRT_MemInfo_call_dtor",
        "NRT_adapt_ndarray_from_python",
        "numba_do_raise",
        "numba_gil_ensure",
        "numba_gil_release",
        "numba_runtime_build_excinfo_struct",
        "numba_unpickle",
    }
)
"""Functions of numba that only Python's way into a kernel calls, or that are called for memory that numba owns."""


class UnusableCodeError(Exception):
    """Machine code that is not for this machine, or was damaged, or cannot do without numba."""


class KernelFailureError(RuntimeError):
    """A kernel raised an exception; none of them should."""


@dataclass(frozen=True, slots=True)
class MachineCode:
    """The object file of a kernel, and the names in it: of the kernel, and of all that it takes from elsewhere."""

    signature: str
    symbol: str
    needs: tuple[str, ...]
    content: bytes

    @property
    def is_independent(self) -> bool:
        """Whether the code can be run without numba."""
        return bool(self.content) and all(name in NOT_CALLED or _is_of_python(name) for name in self.needs)

    def pack(self) -> bytes:
        """The content of the file."""
        content = self.content if self.is_independent else b""
        header = [FORMAT, list(target()), self.signature, self.symbol, list(self.needs)]
        packed = json.dumps(header).encode() + b"\n" + content
        return hashlib.sha256(packed).digest() + packed

    @classmethod
    def unpack(cls, packed: bytes, signature: str) -> MachineCode | None:
        """What `pack` packed, None if it is of another kind of machine; raises UnusableCodeError if it is damaged."""
        digest, rest = packed[:DIGEST_BYTES], packed[DIGEST_BYTES:]
        if hashlib.sha256(rest).digest() != digest:
            raise UnusableCodeError
        header, _, content = rest.partition(b"\n")
        version, made_for, of, symbol, needs = json.loads(header)
        if (version, tuple(made_for), of) != (FORMAT, target(), signature):
            return None
        return cls(signature, symbol, tuple(needs), content)

    def load(self) -> int:
        """The address of the kernel; raises UnusableCodeError where it cannot do without numba."""
        from llvmlite import binding

        if not self.is_independent:
            raise UnusableCodeError
        engine = _new_engine(set(self.needs) & NOT_CALLED)
        # LLVM ends the process if a name is not found; it knows those of this process once there is an engine.
        if any(name not in NOT_CALLED and not binding.address_of_symbol(name) for name in self.needs):
            raise UnusableCodeError
        engine.add_object_file(binding.ObjectFileRef.from_data(self.content))
        engine.finalize_object()
        address = int(engine.get_function_address(self.symbol))
        if not address:
            raise UnusableCodeError
        _engines.append(engine)
        return address


_engines: list[Any] = []
"""What owns the memory that the code is in."""


def make_callable(signature: Signature, address: int) -> Callable[..., Any]:
    """The kernel at an address as a function that takes and gives what numba's would, and lets other threads run.

    numba's convention: where to put the result, where to put an exception, the arguments one by one, and a status.
    """
    flatteners = [argument.flattener() for argument in signature.arguments]
    result_type, read = _result_of(signature)
    pointer, by_reference = ctypes.c_void_p, ctypes.byref
    function = ctypes.CFUNCTYPE(ctypes.c_int32)(address)  # its arguments are C parameters already

    def call(*arguments: Any) -> Any:
        result, exception = result_type(), pointer()
        flat: list[Any] = [by_reference(result), by_reference(exception)]
        for flatten, argument in zip(flatteners, arguments, strict=True):
            flatten(argument, flat)
        status = function(*flat)
        if status != OK and status != OK_NONE:
            raise KernelFailureError(f"a kernel failed with status {status}; this is a bug")
        return read(result)

    return call


def _result_of(signature: Signature) -> tuple[Any, Callable[[Any], Any]]:
    """The C type of a result, and how to read it."""
    given = signature.result
    if isinstance(given, Void):
        return ctypes.c_void_p, lambda result: None
    if isinstance(given, Scalar):
        (kind,) = given.machine_types
        if given.name == "boolean":
            return kind, lambda result: bool(result.value)
        return kind, lambda result: result.value
    assert isinstance(given, Tuple)
    return given.machine_types[0] * len(given.fields), tuple


@cache
def target() -> tuple[str, str, str]:
    """The kind of machine that code is made for."""
    from llvmlite import binding

    features = hashlib.sha256(binding.get_host_cpu_features().flatten().encode()).hexdigest()[:16]
    return binding.get_process_triple(), binding.get_host_cpu_name(), features


def _new_engine(not_called: Iterable[str]) -> Any:
    """What loads object files; the functions that are not called are there, and end the process if they are."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    lines = [f'target triple = "{binding.get_process_triple()}"', "declare void @llvm.trap()"]
    lines += [f'define void @"{name}"() {{ call void @llvm.trap() unreachable }}' for name in sorted(not_called)]
    lines = [line.replace(" call ", "\n call ").replace(" unreachable", "\n unreachable\n") for line in lines]
    machine = binding.Target.from_triple(binding.get_process_triple()).create_target_machine(jit=True)
    return binding.create_mcjit_compiler(binding.parse_assembly("\n".join(lines)), machine)


def _is_of_python(name: str) -> bool:
    return name.startswith(("Py", "_Py"))
