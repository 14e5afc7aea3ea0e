"""Words of memory by address, for kernels that recurse millions of times a second.

An array argument of a numba function is seven values and a reference count; a search that passes several of them
at every node spends more time on that than on the game. An address is one value, in a register. Whoever
makes an address keeps the array it came from alive, and nothing is checked here.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from claimeven.solver.word import WORD, WORD_BYTES

WORD_TYPE = ir.IntType(WORD)
LINE_BYTES = 64


@intrinsic
def load(typing_context: Any, address: Any) -> Any:
    """The 64-bit word at an address; inside kernels only."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        return builder.load(builder.inttoptr(arguments[0], WORD_TYPE.as_pointer()))

    return types.uint64(types.uint64), generate


@intrinsic
def load_shared(typing_context: Any, address: Any) -> Any:
    """The word at an address that other threads write; always read from memory and never torn."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        pointer = builder.inttoptr(arguments[0], WORD_TYPE.as_pointer())
        return builder.load_atomic(pointer, ordering="monotonic", align=int(WORD_BYTES))

    return types.uint64(types.uint64), generate


@intrinsic
def store(typing_context: Any, address: Any, word: Any) -> Any:
    """Write a word to an address; inside kernels only."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[1], builder.inttoptr(arguments[0], WORD_TYPE.as_pointer()))
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), generate


@intrinsic
def store_shared(typing_context: Any, address: Any, word: Any) -> Any:
    """Write a word to an address that other threads read, in one piece."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        pointer = builder.inttoptr(arguments[0], WORD_TYPE.as_pointer())
        builder.store_atomic(arguments[1], pointer, ordering="monotonic", align=int(WORD_BYTES))
        return context.get_dummy_value()

    return types.void(types.uint64, types.uint64), generate


@intrinsic
def take_next(typing_context: Any, address: Any) -> Any:
    """Count the word at an address up by one, in one piece with reading it; gives what it was before."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        pointer = builder.inttoptr(arguments[0], WORD_TYPE.as_pointer())
        return builder.atomic_rmw("add", pointer, ir.Constant(WORD_TYPE, 1), ordering="monotonic")

    return types.uint64(types.uint64), generate


@intrinsic
def prefetch(typing_context: Any, address: Any) -> Any:
    """Ask for the cache line at an address, without waiting for it."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        builder.call(function, [builder.inttoptr(arguments[0], pointer), number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(types.uint64), generate


@intrinsic
def call(typing_context: Any, function: Any, context_: Any, white: Any, black: Any) -> Any:
    """Call the C function `int64 function(uint64 context, uint64 white, uint64 black)` at an address."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(WORD_TYPE, [WORD_TYPE, WORD_TYPE, WORD_TYPE])
        return builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), arguments[1:])

    return types.int64(types.uint64, types.uint64, types.uint64, types.uint64), generate


@intrinsic
def highest_bit(typing_context: Any, value: Any) -> Any:
    """The number of binary digits of a word: 0 for 0, 1 for 1, 3 for 4; inside kernels only."""

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(WORD_TYPE, WORD), zeros)

    return types.uint64(types.uint64), generate
