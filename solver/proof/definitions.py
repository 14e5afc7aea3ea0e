"""What an instance of each rule is and what it solves, from the definitions.

To be read beside Allis 1988, §6: squares are points with a column and a row, everything else is a set of points,
and each rule is one function that states its conditions. Nothing is shared with the kernels that find instances,
so that a mistake there cannot hide here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple, TypeAlias

from claimeven.solver.board import Board, Square, column_name
from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import CertificateError
from claimeven.solver.rules.rule import Rule, RuleInstance


class Point(NamedTuple):
    """A square by its column, from 0, and its row, from 1 as in the thesis: odd and even go by the row."""

    column: int
    row: int

    @property
    def is_odd(self) -> bool:
        return self.row % 2 == 1

    @property
    def successor(self) -> Point:
        """The square directly above, succ(s) in the thesis; above the top row it is a square of no group."""
        return Point(self.column, self.row + 1)

    def __str__(self) -> str:
        return f"{column_name(self.column)}{self.row}"


Group: TypeAlias = frozenset[Point]
Pair: TypeAlias = tuple[Point, Point]
Pattern: TypeAlias = tuple[frozenset[Point], ...]


def fits(problem: Group, patterns: Iterable[Pattern]) -> bool:
    """Whether the problem contains, for one of the patterns, at least one square of each of its sets."""
    return any(all(not problem.isdisjoint(choice) for choice in pattern) for pattern in patterns)


def containing(*points: Point) -> Pattern:
    """The pattern of the problems that contain all of these squares."""
    return tuple(frozenset({point}) for point in points)


@dataclass(frozen=True)
class Situation:
    """A position as sets of squares, seen by the controller; no rule may use the `barred` columns."""

    board: Board
    groups: tuple[Group, ...]
    own: frozenset[Point]
    empty: frozenset[Point]
    playable: frozenset[Point]
    barred: frozenset[int] = frozenset()

    @classmethod
    def of(cls, position: Position, controller: Side, barred: Iterable[int] = ()) -> Situation:
        board = position.board
        stones = {point: position.stone_at(board.square(point.column, point.row - 1)) for point in all_points(board)}
        empty = frozenset(point for point in stones if stones[point] == ".")
        return cls(
            board=board,
            groups=all_groups(board),
            own=frozenset(point for point in stones if stones[point] == ("x" if controller is Side.WHITE else "o")),
            empty=empty,
            playable=frozenset(point for point in empty if Point(point.column, point.row - 1) not in empty),
            barred=frozenset(barred),
        )

    @property
    def problems(self) -> list[Group]:
        """The groups that the opponent could still complete."""
        return [group for group in self.groups if group.isdisjoint(self.own)]

    def points(self, squares: Iterable[Square]) -> list[Point]:
        """The squares as points; raises CertificateError if one is not on the board."""
        points = []
        for square in squares:
            point = Point(self.board.column_of(square), self.board.row_of(square) + 1)
            require(point in all_points(self.board), f"{square} is not the number of a square of {self.board}")
            points.append(point)
        return points

    def squares(self, points: Iterable[Point]) -> tuple[Square, ...]:
        """The points as squares, from the left and from the bottom."""
        return tuple(self.board.square(point.column, point.row - 1) for point in sorted(points))

    def find_group(self, squares: Iterable[Square]) -> Group:
        """The squares as a group; raises CertificateError if they are none."""
        points = self.points(squares)
        group = frozenset(points)
        require(
            group in self.groups and len(points) == len(group),
            f"{names(points)} is not a line of {self.board.connect} squares",
        )
        return group

    def above(self, point: Point) -> frozenset[Point]:
        """The squares of the same column that are higher."""
        return frozenset(Point(point.column, row) for row in range(point.row + 1, self.board.rows + 1))

    def odd_above(self, point: Point) -> frozenset[Point]:
        """The odd squares of the same column that are higher."""
        return frozenset(square for square in self.above(point) if square.is_odd)

    def playable_in(self, column: int) -> Point:
        """The playable square of a column that is not full."""
        return next(point for point in self.playable if point.column == column)


@dataclass(frozen=True, slots=True)
class Solution:
    """What an instance comes down to: the squares it occupies, the lower squares of the Claimevens it contains,
    the patterns of the problems it solves, and the squares (p and x of a Specialbefore) that it shares with nobody."""

    rule: Rule
    occupied: frozenset[Point]
    patterns: tuple[Pattern, ...]
    claimevens: tuple[Point, ...] = ()
    unshared: tuple[Point, ...] = ()

    def solves(self, problem: Group) -> bool:
        return fits(problem, self.patterns)


def solution_of(situation: Situation, instance: RuleInstance) -> Solution:
    """What the instance comes down to; raises CertificateError, naming the first condition that does not hold."""
    squares = situation.points(instance.squares)
    for square in squares:
        require(square in situation.empty, f"{square} is not empty")
        require(squares.count(square) == 1, f"{square} is named twice")
        require(
            square.column not in situation.barred,
            f"{square} lies in column {column_name(square.column)}, which the win condition keeps from the rules",
        )
    if not instance.rule.has_group:
        require(instance.group is None, f"a {instance.rule} has no group")
        return _SIMPLE_RULES[instance.rule](situation, squares)
    if instance.group is None:
        raise CertificateError("the group is missing")
    group = situation.find_group(instance.group)
    for square in sorted(group - situation.empty):
        require(square in situation.own, f"the opponent has a stone on {square}, a square of the group")
    require(not group <= situation.own, f"the group {names(group)} is complete")
    return _GROUP_RULES[instance.rule](situation, squares, group)


def normal_form(instance: RuleInstance) -> RuleInstance:
    """The same instance with its interchangeable squares, parts and group squares from the left.

    Two instances are the same application of a rule exactly if their normal forms are equal.
    """
    fixed, size = {
        Rule.BASEINVERSE: (0, 1),
        Rule.AFTEREVEN: (0, 2),
        Rule.LOWINVERSE: (0, 2),
        Rule.HIGHINVERSE: (0, 3),
        Rule.BEFORE: (0, 2),
        Rule.SPECIALBEFORE: (2, 2),
    }.get(instance.rule, (len(instance.squares), 1))
    squares = instance.squares
    parts = sorted(squares[start : start + size] for start in range(fixed, len(squares), size))
    group = None if instance.group is None else tuple(sorted(instance.group))
    return RuleInstance(instance.rule, squares[:fixed] + tuple(square for part in parts for square in part), group)


# Allis 1988, §6.1 (Claimeven)
def _claimeven(situation: Situation, squares: Sequence[Point]) -> Solution:
    ((lower, upper),) = _stacks(squares, height=2, number=1)
    require(not upper.is_odd, f"the upper square {upper} of the Claimeven is not even")
    return Solution(Rule.CLAIMEVEN, frozenset(squares), (containing(upper),), claimevens=(lower,))


# Allis 1988, §6.2 (Baseinverse)
def _baseinverse(situation: Situation, squares: Sequence[Point]) -> Solution:
    _require_number(squares, 2)
    _require_playable(situation, squares)
    return Solution(Rule.BASEINVERSE, frozenset(squares), (containing(*squares),))


# Allis 1988, §6.3 (Vertical)
def _vertical(situation: Situation, squares: Sequence[Point]) -> Solution:
    ((lower, upper),) = _stacks(squares, height=2, number=1)
    require(upper.is_odd, f"the upper square {upper} of the Vertical is not odd")
    return Solution(Rule.VERTICAL, frozenset(squares), (containing(lower, upper),))


# Allis 1988, §6.4 (Aftereven)
def _aftereven(situation: Situation, squares: Sequence[Point], group: Group) -> Solution:
    gaps = sorted(group & situation.empty)
    claimevens = _stacks(squares, height=2, number=len(gaps))
    for gap in gaps:
        require(not gap.is_odd, f"the empty square {gap} of the group is not even")
        require(gap in [upper for _, upper in claimevens], f"no Claimeven ends on {gap}, an empty square of the group")
    above_all = tuple(situation.above(gap) for gap in gaps)
    return Solution(
        Rule.AFTEREVEN,
        frozenset(squares),
        (above_all, *(containing(upper) for _, upper in claimevens)),
        claimevens=tuple(lower for lower, _ in claimevens),
    )


# Allis 1988, §6.5 (Lowinverse)
def _lowinverse(situation: Situation, squares: Sequence[Point]) -> Solution:
    first, second = _stacks(squares, height=2, number=2)
    _require_different_columns([first[0], second[0]])
    for _, upper in (first, second):
        require(upper.is_odd, f"the upper square {upper} is not odd")
    patterns = (containing(first[1], second[1]), containing(*first), containing(*second))
    return Solution(Rule.LOWINVERSE, frozenset(squares), patterns)


# Allis 1988, §6.6 (Highinverse)
def _highinverse(situation: Situation, squares: Sequence[Point]) -> Solution:
    (bottom1, middle1, top1), (bottom2, middle2, top2) = _stacks(squares, height=3, number=2)
    _require_different_columns([bottom1, bottom2])
    for top in (top1, top2):
        require(not top.is_odd, f"the top square {top} is not even")
    patterns = [
        containing(top1, top2),
        containing(middle1, middle2),
        containing(middle1, top1),
        containing(middle2, top2),
    ]
    if bottom1 in situation.playable:
        patterns.append(containing(bottom1, top2))
    if bottom2 in situation.playable:
        patterns.append(containing(bottom2, top1))
    return Solution(Rule.HIGHINVERSE, frozenset(squares), tuple(patterns))


# Allis 1988, §6.7 (Baseclaim)
def _baseclaim(situation: Situation, squares: Sequence[Point]) -> Solution:
    _require_number(squares, 4)
    first, second, third, claimed = squares
    _require_playable(situation, [first, second, third])
    require(claimed == second.successor, f"{claimed} is not directly above {second}")
    require(not claimed.is_odd, f"{claimed}, the square above {second}, is not even")
    patterns = (containing(first, claimed), containing(second, third))
    return Solution(Rule.BASECLAIM, frozenset(squares), patterns, claimevens=(second,))


# Allis 1988, §6.8 (Before)
def _before(situation: Situation, squares: Sequence[Point], group: Group) -> Solution:
    gaps = _gaps_of_before(situation, group)
    claimevens, verticals = _parts(squares, gaps)
    require(bool(verticals), "all its parts are Claimevens: this is an Aftereven")
    return Solution(
        Rule.BEFORE,
        frozenset(squares),
        (containing(*(gap.successor for gap in gaps)), *_patterns_of_parts(claimevens, verticals)),
        claimevens=tuple(lower for lower, _ in claimevens),
    )


# Allis 1988, §6.9 (Specialbefore)
def _specialbefore(situation: Situation, squares: Sequence[Point], group: Group) -> Solution:
    gaps = _gaps_of_before(situation, group)
    require(len(squares) >= 2, "the two playable squares are missing")
    inside, outside = squares[:2]
    require(inside in gaps, f"{inside} is not an empty square of the group")
    require(outside.column not in [gap.column for gap in gaps], f"{outside} shares a column with a square of the group")
    _require_playable(situation, [inside, outside])
    claimevens, verticals = _parts(squares[2:], [gap for gap in gaps if gap != inside])
    return Solution(
        Rule.SPECIALBEFORE,
        frozenset(squares),
        (
            containing(outside, *(gap.successor for gap in gaps)),
            containing(inside, outside),
            *_patterns_of_parts(claimevens, verticals),
        ),
        claimevens=tuple(lower for lower, _ in claimevens),
        unshared=(inside, outside),
    )


def _gaps_of_before(situation: Situation, group: Group) -> list[Point]:
    """The empty squares of a group that a Before or a Specialbefore may be about."""
    gaps = sorted(group & situation.empty)
    require(len({point.column for point in group}) > 1, f"the group {names(group)} is vertical")
    for gap in gaps:
        require(gap.row < situation.board.rows, f"the empty square {gap} of the group is in the top row")
    return gaps


def _parts(squares: Sequence[Point], gaps: Sequence[Point]) -> tuple[list[Pair], list[Pair]]:
    """The Claimevens and the Verticals that cover the gaps, one each.

    A pair is the Vertical of the gap that is its lower square, whatever the parity, or the Claimeven of the gap
    that is its upper square; it cannot be both, as the group is not vertical.
    """
    claimevens: list[Pair] = []
    verticals: list[Pair] = []
    for lower, upper in _stacks(squares, height=2, number=len(gaps)):
        require(lower in gaps or upper in gaps, f"{lower} {upper} is no part of an empty square of the group")
        if lower in gaps:
            verticals.append((lower, upper))
        else:
            require(not upper.is_odd, f"the upper square {upper} of the Claimeven {lower} {upper} is not even")
            claimevens.append((lower, upper))
    return claimevens, verticals


def _patterns_of_parts(claimevens: Iterable[Pair], verticals: Iterable[Pair]) -> list[Pattern]:
    return [containing(upper) for _, upper in claimevens] + [containing(*vertical) for vertical in verticals]


_SIMPLE_RULES: dict[Rule, Callable[[Situation, Sequence[Point]], Solution]] = {
    Rule.CLAIMEVEN: _claimeven,
    Rule.BASEINVERSE: _baseinverse,
    Rule.VERTICAL: _vertical,
    Rule.LOWINVERSE: _lowinverse,
    Rule.HIGHINVERSE: _highinverse,
    Rule.BASECLAIM: _baseclaim,
}
_GROUP_RULES: dict[Rule, Callable[[Situation, Sequence[Point], Group], Solution]] = {
    Rule.AFTEREVEN: _aftereven,
    Rule.BEFORE: _before,
    Rule.SPECIALBEFORE: _specialbefore,
}


def require(condition: bool, reason: str) -> None:
    """Raise CertificateError with the reason unless the condition holds."""
    if not condition:
        raise CertificateError(reason)


def _require_number(squares: Sequence[Point], number: int) -> None:
    require(len(squares) == number, f"it needs {number} squares, not {len(squares)}")


def _require_playable(situation: Situation, squares: Sequence[Point]) -> None:
    for square in squares:
        require(square in situation.playable, f"{square} is not playable")


def _require_different_columns(squares: Sequence[Point]) -> None:
    columns = [square.column for square in squares]
    require(len(set(columns)) == len(columns), f"{names(squares)} are not in different columns")


def _stacks(squares: Sequence[Point], height: int, number: int) -> list[tuple[Point, ...]]:
    """The squares as `number` stacks of `height`, each from the bottom."""
    _require_number(squares, height * number)
    stacks = [tuple(squares[start : start + height]) for start in range(0, len(squares), height)]
    for stack in stacks:
        for lower, upper in pairwise(stack):
            require(upper == lower.successor, f"{upper} is not directly above {lower}")
    return stacks


def names(points: Iterable[Point]) -> str:
    """The names of the squares, from the left."""
    return " ".join(str(point) for point in sorted(points))


@lru_cache(maxsize=64)
def all_points(board: Board) -> frozenset[Point]:
    """All squares of the board."""
    return frozenset(Point(column, row) for column in range(board.columns) for row in range(1, board.rows + 1))


@lru_cache(maxsize=64)
def all_groups(board: Board) -> tuple[Group, ...]:
    """Every line of `connect` squares that stays on the board, from the left and from the bottom."""
    directions = [(0, 1), (1, 0), (1, 1), (1, -1)]
    lines = [
        frozenset(Point(start.column + step * right, start.row + step * up) for step in range(board.connect))
        for start, (right, up) in product(sorted(all_points(board)), directions)
    ]
    return tuple(line for line in lines if line <= all_points(board))
