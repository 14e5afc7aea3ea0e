"""Diagrams by SAT: a formula says what a diagram must play in some positions if it reaches them, and where that leads.

The solver proposes a diagram, its first mistakes are looked for, and what led there is added to the formula, until a
diagram makes none or the formula has no model: then the position has no diagram at all, which local search can never
tell. Needs python-sat (`pip install claimeven[sat]`).

Measured on inner nodes of the solution of 7x6 for White with plies 12, 14 and 16, at each of which local search had
failed for up to 900 M positions, by a first version: 26 of 39 were refuted within 60 s, most of them within 5, and
diagrams found for three. Digits as one variable a level, with what is played said level by level, take five times as
long; all positions that a proposed diagram meets instead of those before its first mistakes, far longer. CaDiCaL is
slower here than Glucose, whose steps can be counted too. To begin with the digits of the nearest miss of local search,
or with those of its first diagrams, is no better than to begin with none.

Odd squares are mostly blank in diagrams that were found, so the solver is first asked for one in which all of them are;
when it says which of these stand in the way, one is taken back. That and a formula that begins with 600 positions
instead of 6,000, on nodes of plies 6 to 12 that SAT had decided before, two orders of each and 30 s at the most: where
there is a diagram 12 of 12 in 61 s (10 in 191 s before) on the half for tuning and all in 101 s (126 s) on the other,
where there is none 47 s (57 s) and 60 s (88 s). On the half for tuning no better: all that stand in the way taken back
at once (10 in 102 s), digits of even squares the same in a column (12 in 83 s) or below 6 (10 in 88 s) where nothing
stands in the way, 150 positions (10 in 90 s), 40 mistakes at once without blank squares (9 in 180 s).

Strict diagrams, in which a digit is never passed over because several squares have it, are far easier. Of twelve nodes
of plies 6 to 14 at which local search had failed and another program has diagrams (WeakC4), 30,000 conflicts find five
strict ones, one of ply 6 and two of ply 8 among them, and refute them at four, in 2 to 30 s each.

How long it takes hangs on the order of variables and clauses: of seven nodes where a strict diagram had been found, six
orders of each, 25 s at the most, four took 200 to 6,000 conflicts, one 900 to 28,000, and two were found in one order
only. Strict diagrams with any number of levels, as an order of squares without digits, are no way to those with ten:
the first models need 12 to 16 levels.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from claimeven.solver.solution.check_kernel import completing, move_by_levels
from claimeven.solver.solution.finding.finder import Levels
from claimeven.solver.solution.finding.oracle import OracleThread
from claimeven.solver.solution.finding.sat_formula import DiagramFormula
from claimeven.solver.solution.finding.trace_kernel import IS_FORCED, IS_MISTAKE, IS_STOPPED, OVERFLOWS, follow, trace

BEGINNING = 600
"""So many positions are in the formula from the beginning: what may be reached, ply by ply."""
MISTAKES = 10
"""So many mistakes of a proposed diagram are added at once."""
MOST_POSITIONS, MOST_STEPS = 100_000, 80_000_000
"""A search is given up when its formula has so many positions or its solver has given values to so many variables
(steps); conflicts take the longer the earlier the ply is."""
STRICT_PART = 4
"""How many times as many steps a search for a strict diagram has as the one for any that follows; the latter has them
all where no strict one is looked for. Of 38 inner nodes of plies 6 to 12 of 7x6 where that is so, and 4 M steps had
decided nothing, 25 M refuted one, in 2 to 6 s each, and 200 M another four and found a diagram at one, in up to 21 s.
Of seven that have one 120 M steps find five, one of them after 65 M."""
SLICE = 1_000
"""After so many conflicts it is asked whether to go on."""
PATIENCE = 0.5
"""How often, after so many conflicts without an answer, one square fewer is taken to be blank."""
ROOM, MOST_ROOM, FOLLOWERS = 1 << 14, 1 << 20, 1 << 12

Stones = tuple[int, int]
Barren = Callable[[Stones, bool], bool]
"""Whether it is known of a position that it has no diagram, or no strict one if that is asked."""


def _knows_nothing(stones: Stones, is_strict: bool) -> bool:
    return False


class NoDiagramError(ValueError):
    """A position that has no diagram at all, or no strict one if that was asked for."""


def has_sat() -> bool:
    """Whether python-sat is installed; there is another package of the same name."""
    try:
        return find_spec("pysat.solvers") is not None
    except ModuleNotFoundError:
        return False


@dataclass(frozen=True, slots=True)
class SatAnswer:
    """What SAT says of a position: a diagram, or that there is no strict one (`needs_ties`) or none at all."""

    levels: Levels | None = None
    needs_ties: bool = False
    is_barren: bool = False

    @property
    def is_decided(self) -> bool:
        """Whether it is known if there is a diagram."""
        return self.levels is not None or self.is_barren


def find_by_sat(
    oracle: OracleThread,
    roots: Sequence[Stones],
    most_steps: int,
    *,
    seed: int = 0,
    needs_ties: bool = False,
    is_barren: Barren = _knows_nothing,
    is_over: Callable[[], bool] = lambda: False,
) -> SatAnswer:
    """Look for a strict diagram of all roots and then for any, with a part of the steps; at once for any if it is known
    that there is no strict one."""
    last_steps = most_steps if needs_ties else most_steps // STRICT_PART
    for is_strict in (False,) if needs_ties else (True, False):
        if is_over():
            break
        finder = SatFinder(oracle, roots, seed=seed, is_strict=is_strict, is_barren=is_barren)
        try:
            levels = finder.find(most_steps if is_strict else last_steps, is_over=is_over)
        except NoDiagramError:
            if not is_strict:
                return SatAnswer(needs_ties=True, is_barren=True)
            needs_ties = True
        else:
            if levels is not None:
                return SatAnswer(levels, needs_ties)
    return SatAnswer(needs_ties=needs_ties)


@dataclass(slots=True)
class _Met:
    """A position of the formula: the variable that says that it is reached, and the moves that keep the result."""

    reached: int
    playable: int
    keeping: list[int]


@dataclass(frozen=True, slots=True)
class _Step:
    """A position on the way to a mistake where a diagram decides, and its move; the last one if all else does not
    matter."""

    stones: Stones
    move: int
    is_last: bool


class SatFinder:
    """A search for a diagram that is valid for each of some positions, where the claim holds; their stones are the
    controller's, who is to move, and the opponent's.

    With `is_strict` it is one for a diagram in which digits are never passed over, and that there is none says no more.
    A diagram must not lead to what `is_barren`.
    """

    def __init__(
        self,
        oracle: OracleThread,
        roots: Sequence[Stones],
        *,
        seed: int = 0,
        is_strict: bool = False,
        is_barren: Barren = _knows_nothing,
    ) -> None:
        from pysat.solvers import Glucose4

        self._oracle, self._board = oracle, oracle.oracle.board
        self._roots = list(roots)
        self._is_strict, self._is_barren = is_strict, is_barren
        self._solver: Any = Glucose4()
        empty = 0
        for own, other in roots:
            empty |= self._board.squares & ~(own | other)
        self._rng = random.Random(seed)
        self._formula = DiagramFormula(self._solver, self._board, empty, self._rng, is_strict=is_strict)
        self._met: dict[Stones, _Met] = {}
        self._links: set[tuple[Stones, int, Stones]] = set()
        self._make_room(ROOM)
        self._followers = np.zeros((FOLLOWERS, 2), np.uint64)
        self._traces = 0

    def _make_room(self, room: int) -> None:
        self._stack = np.zeros((room, 2), np.uint64)
        self._seen = np.zeros((room * 2, 2), np.uint64)
        self._parents, self._kinds = np.zeros(room, np.int64), np.zeros(room, np.int64)

    def find(
        self,
        most_steps: int = MOST_STEPS,
        most_positions: int = MOST_POSITIONS,
        is_over: Callable[[], bool] = lambda: False,
    ) -> Levels | None:
        """A diagram, None if that takes too much; raises NoDiagramError if there is none. Works once.

        The same arguments give the same, unless `is_over`, which is asked now and then, ends it.
        """
        try:
            self._begin(min(BEGINNING, most_positions), is_over)
            blank = self._formula.blank(self._board.odd_squares)
            while len(self._met) <= most_positions:
                if self._solver.accum_stats()["propagations"] >= most_steps or is_over():
                    return None
                self._solver.conf_budget(SLICE)
                # Interruptible calls let other threads run.
                is_possible = self._solver.solve_limited(blank, expect_interrupt=True)
                if is_possible is None:
                    if blank and self._rng.random() < PATIENCE:
                        blank.remove(self._rng.choice(blank))
                    continue
                if not is_possible:
                    reasons = self._solver.get_core()
                    if not reasons:
                        raise NoDiagramError("no such diagram is valid here")
                    blank.remove(self._rng.choice(reasons))
                    continue
                levels = self._formula.read(self._solver.get_model())
                is_valid = self._refute(levels)
                if is_valid is not False:
                    return levels if is_valid else None
            return None
        finally:
            self._solver.delete()

    def _begin(self, most_positions: int, is_over: Callable[[], bool]) -> None:
        """Put what may be reached into the formula, ply by ply, until it has so many positions."""
        waiting = list(dict.fromkeys(stones for root in self._roots for stones in self._first(*root)))
        for stones in waiting:
            self._formula.add(self._meet(stones).reached)
        for stones in waiting:
            if len(self._met) >= most_positions or is_over():
                break
            for move in self._met[stones].keeping:
                for follower in self._follow(stones[0] | move, stones[1]):
                    if follower not in self._met:
                        waiting.append(follower)
                    self._link(stones, move, follower)

    def _first(self, own: int, other: int) -> list[Stones]:
        """Where a diagram decides first: at a root, or where blocks lead to."""
        playable = (own | other) + self._board.bottom & self._board.squares
        geometry = np.uint64(self._board.stride), np.uint64(self._board.connect)
        if completing(np.uint64(own), np.uint64(playable), *geometry):
            return []
        blocks = int(completing(np.uint64(other), np.uint64(playable), *geometry))
        return self._follow(own | blocks & -blocks, other) if blocks else [(own, other)]

    def _follow(self, own: int, other: int) -> list[Stones]:
        """Where a diagram decides next after a move of the controller, each position once."""
        count = follow(self._oracle.setting, np.uint64(own), np.uint64(other), self._followers)
        if count == OVERFLOWS:  # the rest is found by its mistakes
            return []
        followers = list(dict.fromkeys((int(own), int(other)) for own, other in self._followers[:count]))
        self._rng.shuffle(followers)
        return followers

    def _refute(self, levels: Levels) -> bool | None:
        """Add what leads to the first mistakes of a diagram; True if it makes none, None if that is not known."""
        are_valid = [self._refute_at(np.uint64(own), np.uint64(other), levels) for own, other in self._roots]
        return False if False in are_valid else None if None in are_valid else True

    def _refute_at(self, own: np.uint64, other: np.uint64, levels: Levels) -> bool | None:
        """The same of what comes after one root."""
        while True:
            self._traces += 1
            count = trace(
                self._oracle.setting, levels, own, other, MISTAKES, self._stack, self._seen, self._parents, self._kinds,
                np.uint64(self._traces),
            )  # fmt: skip
            if count != OVERFLOWS:
                break
            if len(self._stack) >= MOST_ROOM:
                return None
            self._make_room(len(self._stack) * 4)
        if count == IS_STOPPED:
            raise RuntimeError("the oracle was stopped")
        mistakes = np.flatnonzero(self._kinds[:count] == IS_MISTAKE)
        done: dict[int, _Step | None] = {}
        for place in mistakes:
            self._add_way_to(int(place), levels, done)
        return len(mistakes) == 0

    def _add_way_to(self, place: int, levels: Levels, done: dict[int, _Step | None]) -> None:
        """Say of all positions on the way to one what a diagram must play there, and of their moves where they lead.

        What comes after one that is known to be barren does not matter. `done` has what was said already of positions
        by other ways: the last one before the next.
        """
        way = []
        while place >= 0 and place not in done:
            way.append(place)
            place = int(self._parents[place])
        before = done[place] if place >= 0 else None
        for place in reversed(way):
            if before is None or not before.is_last:
                before = self._add_step(place, levels, before)
            done[place] = before

    def _add_step(self, place: int, levels: Levels, before: _Step | None) -> _Step | None:
        """Say the same of one position and of the way from the one before; gives which comes before the next."""
        stones = self._stones(place)
        is_barren = self._is_barren(stones, self._is_strict)
        if self._kinds[place] == IS_FORCED and not is_barren:
            return before
        here = self._meet(stones)
        if before is None:
            self._formula.add(here.reached)
        else:
            self._link(before.stones, before.move, stones)
        return _Step(stones, int(move_by_levels(levels, np.uint64(here.playable))), is_barren)

    def _stones(self, place: int) -> Stones:
        return int(self._stack[place, 0]), int(self._stack[place, 1])

    def _meet(self, stones: Stones) -> _Met:
        """Say in the formula what must be played at a position if it is reached; that it is not, if it is barren."""
        known = self._met.get(stones)
        if known is not None:
            return known
        own, other = stones
        playable = (own | other) + self._board.bottom & self._board.squares
        keeping: list[int] = []
        if not self._is_barren(stones, self._is_strict):
            keeping = self._oracle.keeping(own, other, playable)
            self._rng.shuffle(keeping)
        met = self._met[stones] = _Met(self._formula.new(), playable, keeping)
        self._formula.add(-met.reached, *(self._formula.plays(playable, move) for move in keeping))
        return met

    def _link(self, stones: Stones, move: int, follower: Stones) -> None:
        """Say that a move leads to a position where a diagram decides next."""
        if (stones, move, follower) in self._links:
            return
        self._links.add((stones, move, follower))
        here, there = self._meet(stones), self._meet(follower)
        self._formula.add(-here.reached, -self._formula.plays(here.playable, move), there.reached)
