"""Diagrams by SAT: digits are variables, and so is which positions are reached; those a diagram meets are added then.

What a diagram plays hangs on the playable squares alone, so its choice has variables by them and not by positions.
Needs python-sat (`pip install claimeven[sat]`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import combinations
from typing import Any

import numpy as np

from claimeven.solver.board import bits
from claimeven.solver.solution.check_kernel import LEVELS, completing
from claimeven.solver.solution.diagram import BLANK
from claimeven.solver.solution.finding.finder import Levels
from claimeven.solver.solution.finding.oracle import OracleThread

SOLVER = "glucose4"
"""One whose conflicts can be limited, which CaDiCaL's cannot be: a search must end."""
MOST_POSITIONS = 10_000
MOST_CONFLICTS = 20_000
"""A search is given up when it has met so many positions or had so many conflicts."""

Stones = tuple[int, int]


class NoDiagramError(ValueError):
    """A position that has no diagram at all."""


def has_sat() -> bool:
    """Whether python-sat is installed."""
    return find_spec("pysat") is not None


@dataclass(slots=True)
class _Choice:
    """The variables of what is played where some squares are playable: of each square, and of undecided levels."""

    played: dict[int, int] = field(default_factory=dict)
    undecided: list[int] = field(default_factory=list)


@dataclass(slots=True)
class _Met:
    """A position that a diagram has met: which moves keep the result, and where the diagram decides next."""

    playable: int
    followers: dict[int, list[Stones]] = field(default_factory=dict)


class SatFinder:
    """A search for a diagram of one position; the stones are the controller's, who is to move, and the opponent's."""

    def __init__(self, oracle: OracleThread, own: int, other: int) -> None:
        from pysat.solvers import Solver

        self._oracle, self._board = oracle, oracle.oracle.board
        self._solver: Any = Solver(name=SOLVER)
        self._variables = 0
        self._reached: dict[Stones, int] = {}
        self._met: dict[Stones, _Met] = {}
        self._choices: dict[int, _Choice] = {}
        empty = self._board.squares & ~(own | other)
        self._digits = {square: [self._new() for _ in range(LEVELS)] for square in bits(empty)}
        for digits in self._digits.values():
            self._solver.add_clause(digits)
            for first, second in combinations(digits, 2):
                self._solver.add_clause([-first, -second])
        self._roots = self._free_from(own, other)
        for root in self._roots:
            self._solver.add_clause([self._reach(root)])

    def find(self, most_positions: int = MOST_POSITIONS) -> Levels | None:
        """A diagram, None if that takes too much; raises NoDiagramError if there is none."""
        try:
            while len(self._met) < most_positions:
                conflicts = MOST_CONFLICTS - self._solver.accum_stats()["conflicts"]
                if conflicts <= 0:
                    return None
                self._solver.conf_budget(conflicts)
                is_possible = self._solver.solve_limited()
                if is_possible is None:
                    return None
                if not is_possible:
                    raise NoDiagramError("no diagram is valid here")
                levels = self._read()
                if self._follow(levels):
                    return levels
            return None
        finally:
            self._solver.delete()

    def _new(self) -> int:
        self._variables += 1
        return self._variables

    def _reach(self, stones: Stones) -> int:
        if stones not in self._reached:
            self._reached[stones] = self._new()
        return self._reached[stones]

    def _read(self) -> Levels:
        """The diagram of the solver's model; squares that have stones at the root get the highest level."""
        levels = [0] * LEVELS
        true = set(self._solver.get_model()[: len(self._digits) * LEVELS])
        for square in bits(self._board.squares):
            digits = self._digits.get(square)
            level = BLANK if digits is None else next(n for n, variable in enumerate(digits) if variable in true)
            levels[level] |= 1 << square
        return np.array(levels, np.uint64)

    def _follow(self, levels: Levels) -> bool:
        """Add every position that a diagram meets; gives whether it makes no mistake."""
        words = [int(word) for word in levels]
        waiting, seen, is_valid = list(self._roots), set(self._roots), True
        for stones in waiting:
            met = self._met.get(stones) or self._meet(stones)
            move = _move(words, met.playable)
            if move not in met.followers:
                is_valid = False
                continue
            for follower in met.followers[move]:
                if follower not in seen:
                    seen.add(follower)
                    waiting.append(follower)
        return is_valid

    def _meet(self, stones: Stones) -> _Met:
        """Say in the formula what must be played at a position, if it is reached, and what that leads to."""
        own, other = stones
        playable = (own | other) + self._board.bottom & self._board.squares
        met = self._met[stones] = _Met(playable)
        keeping = [1 << square for square in bits(playable) if self._oracle.keeps(own, other, 1 << square)]
        here = self._reach(stones)
        self._solver.add_clause([-here, *(self._played(playable, move) for move in keeping)])
        for move in keeping:
            met.followers[move] = self._after(own | move, other)
            played = self._played(playable, move)
            for follower in met.followers[move]:
                self._solver.add_clause([-here, -played, self._reach(follower)])
        return met

    def _played(self, playable: int, move: int) -> int:
        """The variable that says that a square is played where these are playable."""
        choice = self._choices.get(playable)
        if choice is None:
            choice = self._choices[playable] = self._new_choice(playable)
        if move in choice.played:
            return choice.played[move]
        played = choice.played[move] = self._new()
        by_level = [self._new() for _ in range(LEVELS)]
        self._solver.add_clause([-played, *by_level])
        square = move.bit_length() - 1
        for level, variable in enumerate(by_level):
            self._solver.add_clause([-variable, self._digits[square][level]])
            for other in bits(playable ^ move):
                self._solver.add_clause([-variable, -self._digits[other][level]])
            if level:
                self._solver.add_clause([-variable, choice.undecided[level - 1]])
        return played

    def _new_choice(self, playable: int) -> _Choice:
        choice = _Choice(undecided=[self._new() for _ in range(LEVELS)])
        squares = list(bits(playable))
        for level, undecided in enumerate(choice.undecided):
            if level:
                self._solver.add_clause([-undecided, choice.undecided[level - 1]])
            for square in squares:
                others = [self._digits[each][level] for each in squares if each != square]
                self._solver.add_clause([-undecided, -self._digits[square][level], *others])
        return choice

    def _after(self, own: int, other: int) -> list[Stones]:
        """Where a diagram decides next, after each reply of the opponent."""
        followers: dict[Stones, None] = {}
        for square in bits((own | other) + self._board.bottom & self._board.squares):
            for stones in self._free_from(own, other | 1 << square):
                followers[stones] = None
        return list(followers)

    def _free_from(self, own: int, other: int) -> list[Stones]:
        """The position itself, or what follows where the controller wins at once or must block."""
        board = self._board
        if own | other == board.squares:
            return []
        playable = (own | other) + board.bottom & board.squares
        if self._completing(own, playable):
            return []
        blocks = self._completing(other, playable)
        return self._after(own | blocks & -blocks, other) if blocks else [(own, other)]

    def _completing(self, stones: int, playable: int) -> int:
        board = self._board
        words = (np.uint64(word) for word in (stones, playable, board.stride, board.connect))
        return int(completing(*words))


def _move(levels: list[int], playable: int) -> int:
    """The square that a diagram plays; 0 if no level decides."""
    for level in levels:
        candidates = playable & level
        if candidates and not candidates & candidates - 1:
            return candidates
    return 0
