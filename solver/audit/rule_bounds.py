"""What the rules prove of many positions at once, with or without looking ahead, and what the proofs are made of."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.audit.kernels import (
    COMBINATIONS_ABOVE,
    COMBINATIONS_BELOW,
    COMBINATIONS_BELOW_PLAYABLE,
    ODD_THREATS,
    evaluate_parts,
)
from claimeven.solver.board import Bitboard, Board
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys, Mask, play_column, split_keys
from claimeven.solver.proof.certificate import Certificate, WinCondition
from claimeven.solver.proof.evaluation import BLACK, NOT_WHITE, TABLE_TOO_SMALL, WHITE, Scratch, make_scratch
from claimeven.solver.proof.listing import board_geometry, list_solutions
from claimeven.solver.proof.prover import DEFAULT_BUDGET, prove
from claimeven.solver.rules.rule import Rule, RuleInstance
from claimeven.solver.verdict import Bounds, Value

Ranks = NDArray[np.int8]

PARTS = {int(rule): str(rule) for rule in Rule} | {
    ODD_THREATS: "odd threat",
    COMBINATIONS_ABOVE: "threat combination, even square above",
    COMBINATIONS_BELOW: "threat combination, even square below",
    COMBINATIONS_BELOW_PLAYABLE: "threat combination, even square below and playable",
}
"""What a proof can be made of: the nine rules, and White's win conditions."""

SLICE = 4096
CAPACITY = 8192
_LOWEST, _HIGHEST = np.int8(Value.BLACK.rank), np.int8(Value.WHITE.rank)
_BY_RANK = {value.rank: value for value in Value}


@dataclass(frozen=True, slots=True)
class RuleBounds:
    """Bounds on the values of many positions, as ranks; where the rules prove them `here`, without looking ahead; and
    the parts of those proofs, a bit each (see PARTS)."""

    least: Ranks
    greatest: Ranks
    here: Mask
    parts: Keys

    @property
    def proved(self) -> Mask:
        """Where anything is proved at all."""
        return (self.least > _LOWEST) | (self.greatest < _HIGHEST)

    def allow(self, place: int, value: Value) -> bool:
        """Whether a position may have this value."""
        return bool(self.least[place] <= value.rank <= self.greatest[place])

    def at(self, place: int) -> tuple[Bounds, ...]:
        """The bounds of a position: one pair, or two that exclude each other, which only false rules give."""
        least, greatest = (_BY_RANK[int(ranks[place])] for ranks in (self.least, self.greatest))
        if least.rank > greatest.rank:
            return Bounds(least=least), Bounds(greatest=greatest)
        return (Bounds(least, greatest),)


class SolutionList(Protocol):
    """The problems and solutions of one position, as `claimeven.solver.proof.listing` gives them."""

    @property
    def problems(self) -> tuple[Bitboard, ...]: ...
    @property
    def instances(self) -> tuple[RuleInstance, ...]: ...
    @property
    def solves(self) -> tuple[frozenset[int], ...]: ...
    def conflicts_of(self, solution: int, /) -> list[int]: ...


class RuleBook(Protocol):
    """Rules that can be audited: the nine, or in tests some that were broken on purpose."""

    def bound_all(self, board: Board, keys: Keys) -> RuleBounds:
        """What is proved of unfinished positions."""

    def prove(self, position: Position) -> Certificate | None:
        """The proof behind the bounds, if the rules have them without looking ahead."""

    def list_solutions(self, position: Position, win_condition: WinCondition | None) -> SolutionList:
        """Everything that a proof could be made of."""


class NineRules:
    """Allis' rules as the kernels know them, on so many threads, looking ahead by so many moves.

    >>> bounds = NineRules().bound_all(Board(6, 4), np.array([Position.start(Board(6, 4)).key], np.uint64))
    >>> [str(each) for each in bounds.at(0)]
    ['not-white']
    """

    def __init__(self, threads: int = 1, look_ahead: int = 0) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="rules")
        self._look_ahead = look_ahead

    def bound_all(self, board: Board, keys: Keys) -> RuleBounds:
        slices = [keys[start : start + SLICE] for start in range(0, len(keys), SLICE)]
        return _join(list(self._pool.map(lambda part: bound(board, part, self._look_ahead), slices)))

    def prove(self, position: Position) -> Certificate | None:
        return prove(position).certificate

    def list_solutions(self, position: Position, win_condition: WinCondition | None) -> SolutionList:
        return list_solutions(position, win_condition)


def bound(board: Board, keys: Keys, look_ahead: int = 0) -> RuleBounds:
    """What the rules prove of unfinished positions, here or after so many moves."""
    here = _bound_here(board, keys)
    if not look_ahead:
        return here

    def bound_after(keys: Keys) -> tuple[Ranks, Ranks]:
        after = bound(board, keys, look_ahead - 1)
        return after.least, after.greatest

    least, greatest = bounds_after_a_move(board, keys, bound_after)
    # As in claimeven.solver.proof.look_ahead, "not a Black win" is left out: no rule proves it.
    least = np.where(least == _HIGHEST, least, _LOWEST)
    return replace(here, least=np.maximum(here.least, least), greatest=np.minimum(here.greatest, greatest))


def bounds_after_a_move(
    board: Board, keys: Keys, bounds_of: Callable[[Keys], tuple[Ranks, Ranks]]
) -> tuple[Ranks, Ranks]:
    """The bounds that follow from the positions after every legal move, given those of the unfinished ones."""
    stones = split_keys(board, keys)
    white_moves = stones.plies % 2 == 0
    # White takes the greatest of what the moves give and Black the least: for Black everything is turned around.
    sign = np.where(white_moves, 1, -1).astype(np.int8)
    most_sure = np.full(len(keys), -2, np.int8)
    most_possible = np.full(len(keys), -2, np.int8)
    for column in range(board.columns):
        move = play_column(board, stones, column)
        full = move.legal & ~move.wins & (stones.plies == board.cells - 1)
        least = np.where(move.wins, sign, 0).astype(np.int8)
        greatest = least.copy()
        goes_on = move.legal & ~move.wins & ~full
        least[goes_on], greatest[goes_on] = bounds_of(move.keys[goes_on])
        sure = np.where(white_moves, least, -greatest)
        possible = np.where(white_moves, greatest, -least)
        most_sure = np.where(move.legal, np.maximum(most_sure, sure), most_sure)
        most_possible = np.where(move.legal, np.maximum(most_possible, possible), most_possible)
    return np.where(white_moves, most_sure, -most_possible), np.where(white_moves, most_possible, -most_sure)


def _bound_here(board: Board, keys: Keys, capacity: int = CAPACITY) -> RuleBounds:
    results = np.zeros(len(keys), np.int8)
    parts = np.zeros(len(keys), np.uint64)
    stones = split_keys(board, keys)
    geometry, work = board_geometry(board), _scratch(board, capacity)
    evaluate_parts(geometry, work, stones.white, stones.black, DEFAULT_BUDGET, results, parts)
    least = np.where(results == WHITE, _HIGHEST, _LOWEST)
    greatest = np.where(results == BLACK, _LOWEST, np.where(results == NOT_WHITE, np.int8(0), _HIGHEST))
    here = (results == WHITE) | (results == BLACK) | (results == NOT_WHITE)
    too_large = results == TABLE_TOO_SMALL
    if too_large.any():
        rest = _bound_here(board, keys[too_large], 2 * capacity)
        least[too_large], greatest[too_large] = rest.least, rest.greatest
        here[too_large], parts[too_large] = rest.here, rest.parts
    return RuleBounds(least, greatest, here, parts)


def _join(slices: Sequence[RuleBounds]) -> RuleBounds:
    if len(slices) == 1:
        return slices[0]
    return RuleBounds(
        np.concatenate([np.zeros(0, np.int8), *(each.least for each in slices)]),
        np.concatenate([np.zeros(0, np.int8), *(each.greatest for each in slices)]),
        np.concatenate([np.zeros(0, np.bool_), *(each.here for each in slices)]),
        np.concatenate([np.zeros(0, np.uint64), *(each.parts for each in slices)]),
    )


_threads = threading.local()


def _scratch(board: Board, capacity: int) -> Scratch:
    """This thread's scratch for the board."""
    scratches: dict[tuple[Board, int], Scratch] = _threads.__dict__.setdefault("scratches", {})
    if (board, capacity) not in scratches:
        scratches[board, capacity] = make_scratch(board_geometry(board), capacity)
    return scratches[board, capacity]
