"""Rule proofs on arrays: stones in, bounds and the text of the certificates out."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.certificate_kernel import longest_text, make_draft, prove_all
from claimeven.solver.proof.certificate_text import read_certificate
from claimeven.solver.proof.evaluation import BLACK, NOT_WHITE, TABLE_TOO_SMALL, WHITE, Scratch, make_scratch
from claimeven.solver.proof.listing import RulesNotApplicableError, board_geometry, check_applicable
from claimeven.solver.proof.prover import DEFAULT_BUDGET

Stones: TypeAlias = NDArray[np.uint64]

SLICE = 1024
"""Positions that one call of the kernel takes: some hundredths of a second, in which nothing can interrupt it."""

TYPICAL_TEXT = 96
"""Room for the text of a position, on average; a slice that needs more takes another call."""


@dataclass(frozen=True, slots=True, eq=False)
class ProofBatch:
    """What the rules say of many positions, one entry a position.

    `least` and `greatest` are ranks, -1 Black, 0 draw, 1 White; where nothing is proved they are -1 and 1. The
    certificate of position i is `text[offsets[i] : offsets[i + 1]]`, as `write_certificate` writes it. It is empty
    where nothing is proved, but not only there: where White cannot complete any group, Black needs no rule at all.
    """

    board: Board
    white: Stones
    black: Stones
    least: NDArray[np.int8]
    greatest: NDArray[np.int8]
    nodes: NDArray[np.int64]
    has_certificates: bool
    text: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.least)

    @property
    def is_proved(self) -> NDArray[np.bool_]:
        """Where something is proved."""
        proved: NDArray[np.bool_] = (self.least > -1) | (self.greatest < 1)
        return proved

    def certificate_text(self, number: int) -> str | None:
        """The certificate of a position as text, None where nothing is proved."""
        if not self.has_certificates:
            raise ValueError("these proofs were made without certificates")
        if self.least[number] == -1 and self.greatest[number] == 1:
            return None
        return self.text[self.offsets[number] : self.offsets[number + 1]].tobytes().decode("ascii")

    def certificate(self, number: int) -> Certificate | None:
        """The certificate of a position, None where nothing is proved."""
        text = self.certificate_text(number)
        position = Position(self.board, int(self.white[number]), int(self.black[number]))
        return None if text is None else read_certificate(position, text)


def prove_many(
    board: Board,
    white: Stones,
    black: Stones,
    *,
    threads: int = 1,
    certificates: bool = True,
    budget: int = DEFAULT_BUDGET,
) -> ProofBatch:
    """What `prove` says of each of these positions, on several threads, without a Python object for each.

    Raises RulesNotApplicableError, as `prove` does, on a board with an odd number of rows and if a game is over.

    >>> batch = prove_many(Board(6, 4), np.zeros(1, np.uint64), np.zeros(1, np.uint64))
    >>> int(batch.least[0]), int(batch.greatest[0])
    (-1, 0)
    """
    white, black = np.ascontiguousarray(white, np.uint64), np.ascontiguousarray(black, np.uint64)
    if white.shape != black.shape or white.ndim != 1:
        raise ValueError(f"{white.shape} White and {black.shape} Black bitboards are not those of as many positions")
    _check_applicable(board, white, black)
    count = len(white)
    task = _Task(board, white, black, budget, certificates)
    size = SLICE if threads == 1 else max(1, min(SLICE, -(-count // (4 * threads))))
    starts = range(0, count, size)
    if threads == 1 or len(starts) < 2:
        parts = [task.prove(start, start + size) for start in starts]
    else:
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(lambda start: task.prove(start, start + size), starts))
    results = _join([part.results for part in parts], np.int8)
    offsets = np.zeros(count + 1, np.int64)
    np.cumsum(_join([part.lengths for part in parts], np.int64), out=offsets[1:])
    return ProofBatch(
        board=board,
        white=white,
        black=black,
        least=_LEAST[results],
        greatest=_GREATEST[results],
        nodes=_join([part.nodes for part in parts], np.int64),
        has_certificates=certificates,
        text=_join([chunk for part in parts for chunk in part.texts], np.uint8),
        offsets=offsets,
    )


# By what an evaluation says, OUT_OF_BUDGET (-1) being the last entry.
_LEAST, _GREATEST = np.full(5, -1, np.int8), np.full(5, 1, np.int8)
_GREATEST[[NOT_WHITE, BLACK]] = 0, -1
_LEAST[WHITE] = 1


@dataclass(frozen=True, slots=True)
class _Part:
    """The results of a slice of the positions, and the text in as many pieces as it took."""

    results: NDArray[np.int8]
    nodes: NDArray[np.int64]
    lengths: NDArray[np.int64]
    texts: list[NDArray[np.uint8]]


@dataclass(frozen=True, slots=True)
class _Task:
    board: Board
    white: Stones
    black: Stones
    budget: int
    certificates: bool

    def prove(self, start: int, stop: int) -> _Part:
        """Prove the positions from `start` to `stop`."""
        white, black = self.white[start:stop], self.black[start:stop]
        count = len(white)
        geometry = board_geometry(self.board)
        groups = len(geometry.groups)
        room = longest_text(groups, self.board.connect)
        part = _Part(np.zeros(count, np.int8), np.zeros(count, np.int64), np.zeros(count, np.int64), [])
        text = np.empty(room + TYPICAL_TEXT * count if self.certificates else 0, np.uint8)
        draft = make_draft(groups)
        done = 0
        with _borrow_scratch(self.board) as borrowed:
            while done < count:
                before = done
                done = prove_all(
                    geometry,
                    borrowed.work,
                    draft,
                    white,
                    black,
                    self.budget,
                    before,
                    part.results,
                    part.nodes,
                    self.certificates,
                    room,
                    text,
                    part.lengths,
                )
                part.texts.append(text[: part.lengths[before:done].sum()].copy())
                if done < count and part.results[done] == TABLE_TOO_SMALL:
                    borrowed.double()
        return part


class _Borrowed:
    """Scratch in use, replaced by one of twice the size where it is too small."""

    def __init__(self, board: Board, work: Scratch) -> None:
        self.board = board
        self.work = work

    def double(self) -> None:
        self.work = make_scratch(board_geometry(self.board), 2 * self.work.table.shape[1])


_idle: dict[Board, list[Scratch]] = {}


@contextmanager
def _borrow_scratch(board: Board) -> Iterator[_Borrowed]:
    """Scratch that no other thread has; there are never more than threads that needed one at the same time."""
    idle = _idle.setdefault(board, [])
    try:
        work = idle.pop()
    except IndexError:
        work = make_scratch(board_geometry(board))
    borrowed = _Borrowed(board, work)
    yield borrowed
    idle.append(borrowed.work)


def _check_applicable(board: Board, white: Stones, black: Stones) -> None:
    check_applicable(Position.start(board))
    occupied = white | black
    over = occupied == np.uint64(board.squares)
    for stones in (white, black):
        for step in (1, board.stride, board.stride + 1, board.stride - 1):
            run = stones
            for _ in range(board.connect - 1):
                run = run & run >> np.uint64(step)
            over |= run != 0
    if over.any():
        number = int(over.argmax())
        check_applicable(Position(board, int(white[number]), int(black[number])))
        raise RulesNotApplicableError(f"there is nothing to prove: the game of position {number} is over")


_Number = TypeVar("_Number", bound=np.generic)


def _join(pieces: list[NDArray[_Number]], kind: type[_Number]) -> NDArray[_Number]:
    return np.concatenate(pieces) if pieces else np.empty(0, kind)
