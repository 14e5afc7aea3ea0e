"""Words of memory by address, for kernels that recurse millions of times a second.

An array argument of a numba function is seven values and a reference count; a search that passes several of them
at every node spends more time on that than on the game. An address is one value, in a register. Whoever
makes an address keeps the array it came from alive, and nothing is checked here.
"""

from __future__ import annotations

from typing import Any

from claimeven.solver.kernel import instruction
from claimeven.solver.word import WORD, WORD_BYTES

LINE_BYTES = 64


@instruction("uint64(uint64)")
def load(ir: Any, builder: Any, arguments: Any) -> Any:
    """The 64-bit word at an address; inside kernels only."""
    return builder.load(_pointer(ir, builder, arguments[0]))


@instruction("uint64(uint64)")
def load_shared(ir: Any, builder: Any, arguments: Any) -> Any:
    """The word at an address that other threads write; always read from memory and never torn."""
    return builder.load_atomic(_pointer(ir, builder, arguments[0]), ordering="monotonic", align=int(WORD_BYTES))


@instruction("void(uint64, uint64)")
def store(ir: Any, builder: Any, arguments: Any) -> None:
    """Write a word to an address; inside kernels only."""
    builder.store(arguments[1], _pointer(ir, builder, arguments[0]))


@instruction("void(uint64, uint64)")
def store_shared(ir: Any, builder: Any, arguments: Any) -> None:
    """Write a word to an address that other threads read, in one piece."""
    pointer = _pointer(ir, builder, arguments[0])
    builder.store_atomic(arguments[1], pointer, ordering="monotonic", align=int(WORD_BYTES))


@instruction("uint64(uint64)")
def take_next(ir: Any, builder: Any, arguments: Any) -> Any:
    """Count the word at an address up by one, in one piece with reading it; gives what it was before."""
    one = ir.Constant(ir.IntType(WORD), 1)
    return builder.atomic_rmw("add", _pointer(ir, builder, arguments[0]), one, ordering="monotonic")


@instruction("void(uint64)")
def prefetch(ir: Any, builder: Any, arguments: Any) -> None:
    """Ask for the cache line at an address, without waiting for it."""
    pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
    function = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
    builder.call(function, [builder.inttoptr(arguments[0], pointer), number(0), number(3), number(1)])


@instruction("int64(uint64, uint64, uint64, uint64)")
def call(ir: Any, builder: Any, arguments: Any) -> Any:
    """Call the C function `int64 function(uint64 context, uint64 white, uint64 black)` at an address."""
    word = ir.IntType(WORD)
    kind = ir.FunctionType(word, [word, word, word])
    return builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), arguments[1:])


@instruction("uint64(uint64)")
def highest_bit(ir: Any, builder: Any, arguments: Any) -> Any:
    """The number of binary digits of a word: 0 for 0, 1 for 1, 3 for 4; inside kernels only."""
    zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))
    return builder.sub(ir.Constant(ir.IntType(WORD), WORD), zeros)


def _pointer(ir: Any, builder: Any, address: Any) -> Any:
    return builder.inttoptr(address, ir.IntType(WORD).as_pointer())
