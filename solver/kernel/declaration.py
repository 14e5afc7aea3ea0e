"""What a kernel is in Python: something to call, made ready when it is first called or when a kernel calls it."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import numpy as np

from claimeven.solver.kernel.loading import load_code, preparing
from claimeven.solver.kernel.machine_code import make_callable
from claimeven.solver.kernel.types import Signature, read_signature

PURE_PYTHON = bool(os.environ.get("CLAIMEVEN_PURE_PYTHON"))
"""Whether kernels stay plain Python: a hundred times slower, but there at once after a change of their source."""

if PURE_PYTHON:
    np.seterr(over="ignore")  # kernels count on uint64 wrapping around


def kernel(signature: Signature | str) -> Callable[[Callable[..., Any]], Any]:
    """Make the decorated function a kernel for `signature`, and for no other.

    It is loaded from the cache, or compiled, when it is first called, or when a kernel that calls it is compiled: what
    the cache holds of a kernel has all that it calls in it, so most kernels are never loaded by themselves.
    """
    return lambda function: function if PURE_PYTHON else Kernel(function, read_signature(signature))


def callback(signature: str) -> Callable[[Callable[..., Any]], Any]:
    """Make the decorated function a C function, whose `address` kernels can be given; cached like a kernel."""
    return lambda function: Callback(function, read_signature(signature))


class Kernel:
    """A function that is compiled; numba knows it by its `_numba_type_`."""

    def __init__(self, function: Callable[..., Any], signature: Signature) -> None:
        self.function = function
        self.signature = signature
        self._call: Callable[..., Any] = self._prepare_and_call
        self._dispatcher: Any = None
        update_wrapper(self, function)
        _declared.append(self.prepare)

    def __call__(self, *arguments: Any) -> Any:
        return self._call(*arguments)

    def prepare(self) -> None:
        """Load the kernel from the cache, or compile it."""
        with preparing:
            if self._call != self._prepare_and_call:
                return
            code = load_code(self.function, self.signature)
            self._call = make_callable(self.signature, code) if code is not None else self._compiled()

    @property
    def dispatcher(self) -> Any:
        """The kernel as numba has it, compiled when numba asks for it."""
        from claimeven.solver.kernel import compiler

        with preparing:
            if self._dispatcher is None:
                self._dispatcher = compiler.declare(self.function, self.signature)
            return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        return self.dispatcher._numba_type_

    def _compiled(self) -> Callable[..., Any]:
        self.dispatcher.prepare()
        compiled: Callable[..., Any] = self.dispatcher
        return compiled

    def _prepare_and_call(self, *arguments: Any) -> Any:
        self.prepare()
        return self._call(*arguments)


class Callback:
    """A function that is compiled for others to call by its address."""

    def __init__(self, function: Callable[..., Any], signature: Signature) -> None:
        self.function = function
        self.signature = signature
        self._address: int | None = None
        self._owner: Any = None
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        _declared.append(lambda: self.address)

    @property
    def address(self) -> int:
        """Where it is; loaded or compiled when this is first asked for."""
        with preparing:
            if self._address is None:
                self._address = load_code(self.function, self.signature)
            if self._address is None:
                from claimeven.solver.kernel import compiler

                self._owner = compiler.compile_callback(self.function, self.signature)
                self._address = int(self._owner.address)
            return self._address


class Instruction:
    """A piece of LLVM that kernels call like a function."""

    def __init__(self, generate: Callable[..., Any], signature: Signature) -> None:
        self._generate = generate
        self._signature = signature
        self.__name__, self.__doc__ = generate.__name__, generate.__doc__

    @property
    def _numba_type_(self) -> Any:
        from claimeven.solver.kernel import compiler

        return compiler.instruction_type(self, self._generate, self._signature)


class NumbaFunction:
    """A function of numba that kernels call, by its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def _numba_type_(self) -> Any:
        from claimeven.solver.kernel import compiler

        return compiler.function_type(self.name)


def instruction(signature: str, plain: Callable[..., Any] | None = None) -> Callable[[Callable[..., Any]], Any]:
    """Make `generate(ir, builder, arguments)`, which builds it of llvmlite's `ir`, something that kernels call.

    Where kernels are plain Python it is the plain function that does the same.
    """
    if PURE_PYTHON and plain is not None:
        return lambda generate: plain
    return lambda generate: Instruction(generate, read_signature(signature))


def numba_function(name: str) -> Any:
    """A function of numba's own that a kernel calls, without importing numba before the kernel is compiled."""
    return NumbaFunction(name)


_declared: list[Callable[[], Any]] = []


def prepare_kernels() -> None:
    """Load or compile all kernels of the modules that are imported, so that nothing has to be compiled later."""
    for prepare in _declared:
        prepare()
