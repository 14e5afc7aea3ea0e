"""What a diagram plays, as clauses for a SAT solver.

A digit is a row of variables, one for every level that it has reached. What is played hangs on which of two digits is
the lower one and on which are equal, so there are variables for that, and all else is said by them: a square is played
where no other playable square has its digit, and where every one with a lower digit shares that with a third. They are
the same ones wherever two squares are playable together, so that what a solver learns of one position holds for others.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import combinations, pairwise, permutations
from typing import Any

import numpy as np

from claimeven.solver.board import Board, bits
from claimeven.solver.solution.check_kernel import LEVELS
from claimeven.solver.solution.diagram import BLANK
from claimeven.solver.solution.finding.finder import Levels


@dataclass(slots=True)
class _Choice:
    """The variables of what is played where some squares are playable: that a square is, and that it shares its
    digit."""

    squares: list[int]
    shares: dict[int, int] = field(default_factory=dict)
    plays: dict[int, int] = field(default_factory=dict)


class DiagramFormula:
    """The formula of a diagram for a position whose empty squares are given; `solver` is one of python-sat.

    If it `is_strict`, no digit is passed over because several playable squares have it: the square with the lowest one
    is played, and no other may have that. Such diagrams are fewer and far easier to find or to refute. The order of
    variables and clauses is drawn from `rng`: how long a solver takes hangs on it.
    """

    def __init__(self, solver: Any, board: Board, empty: int, rng: random.Random, *, is_strict: bool) -> None:
        self._solver, self._board, self._is_strict = solver, board, is_strict
        self._variables = 0
        squares = list(bits(empty))
        rng.shuffle(squares)
        self._reaches = {square: [self.new() for _ in range(LEVELS - 1)] for square in squares}
        """By square: whether its digit is 1 or higher, 2 or higher, and so on."""
        for reaches in self._reaches.values():
            for lower, higher in pairwise(reaches):
                self.add(-higher, lower)
        self._pairs: dict[tuple[int, int], tuple[int, int]] = {}
        """By two squares that may be playable together: whether the first has the lower digit, and whether both have
        the same."""
        pairs = [two for two in combinations(squares, 2) if board.column_of(two[0]) != board.column_of(two[1])]
        rng.shuffle(pairs)
        for first, second in pairs:
            self._compare(first, second)
        self._choices: dict[int, _Choice] = {}

    def new(self) -> int:
        """A new variable."""
        self._variables += 1
        return self._variables

    def add(self, *literals: int) -> None:
        self._solver.add_clause(literals)

    def plays(self, playable: int, move: int) -> int:
        """The variable that says that a square is played where these are playable, all as bits.

        It may be false where the square is played, but not the other way round.
        """
        choice = self._choices.get(playable)
        if choice is None:
            choice = self._choices[playable] = self._new_choice(list(bits(playable)))
        known = choice.plays.get(move)
        if known is not None:
            return known
        plays = choice.plays[move] = self.new()
        square = move.bit_length() - 1
        for other in choice.squares:
            if other == square:
                continue
            is_lower, is_equal = self._pairs[square, other]
            if self._is_strict:
                self.add(-plays, is_lower)
            else:
                self.add(-plays, -is_equal)
                self.add(-plays, is_lower, choice.shares[other])
        return plays

    def blank(self, squares: int) -> list[int]:
        """The variables that say of each of some squares, as bits, that it is blank."""
        return [reaches[-1] for square, reaches in self._reaches.items() if squares >> square & 1]

    def read(self, model: list[int]) -> Levels:
        """The diagram of a model; squares that have stones at the root are blank."""
        levels = [0] * LEVELS
        for square in bits(self._board.squares):
            reaches = self._reaches.get(square)
            level = BLANK if reaches is None else sum(model[variable - 1] > 0 for variable in reaches)
            levels[level] |= 1 << square
        return np.array(levels, np.uint64)

    def _new_choice(self, squares: list[int]) -> _Choice:
        choice = _Choice(squares)
        if self._is_strict:
            return choice
        for square in squares:
            shares = choice.shares[square] = self.new()
            self.add(-shares, *(self._pairs[square, other][1] for other in squares if other != square))
        return choice

    def _compare(self, first: int, second: int) -> None:
        """Say of two squares which digit is the lower one."""
        is_lower, is_higher, is_equal = self.new(), self.new(), self.new()
        self.add(is_lower, is_higher, is_equal)
        ours, theirs = self._reaches[first], self._reaches[second]
        for says, low, high in ((is_lower, ours, theirs), (is_higher, theirs, ours)):
            self.add(-says, -is_equal)
            self.add(-says, high[0])
            self.add(-says, -low[-1])
            for level, reaches in enumerate(low[:-1]):
                self.add(-says, -reaches, high[level + 1])
            for low_reaches, high_reaches in zip(low, high, strict=True):
                self.add(says, low_reaches, -high_reaches)
                self.add(-is_equal, low_reaches, -high_reaches)
        self.add(-is_lower, -is_higher)
        self._pairs[first, second] = is_lower, is_equal
        self._pairs[second, first] = is_higher, is_equal
        for third in self._reaches:
            if (first, third) in self._pairs and (second, third) in self._pairs:
                for squares in permutations((first, second, third)):
                    self._order(*squares)

    def _order(self, first: int, second: int, third: int) -> None:
        """Say that the order of digits is one, which follows, but which a solver would have to find out: with this six
        of eight searches succeeded in as many conflicts as two without."""
        first_is_lower, first_is_equal = self._pairs[first, second]
        second_is_lower, second_is_equal = self._pairs[second, third]
        is_lower, is_equal = self._pairs[first, third]
        self.add(-first_is_lower, -second_is_lower, is_lower)
        self.add(-first_is_lower, -second_is_equal, is_lower)
        self.add(-first_is_equal, -second_is_lower, is_lower)
        self.add(-first_is_equal, -second_is_equal, is_equal)
