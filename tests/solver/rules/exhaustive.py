"""All instances of all rules by brute force, the yardstick for whatever finds them faster.

Candidates are drawn generously, with no thought of parity, playability or whose stones are in a group; which of them
are instances is decided by `claimeven.solver.proof.definitions` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from itertools import chain, combinations, permutations, product

from claimeven.solver.board import Square
from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import CertificateError, WinCondition
from claimeven.solver.proof.checker import find_task, is_combinable
from claimeven.solver.proof.definitions import Point, Situation, Solution, normal_form, solution_of
from claimeven.solver.rules.rule import Rule, RuleInstance

Stack = tuple[Point, ...]


def all_instances(position: Position, controller: Side, banned_columns: Collection[int] = ()) -> set[RuleInstance]:
    """All valid instances in normal form, those that solve nothing included; no column in `banned_columns` is used."""
    return set(_valid_instances(Situation.of(position, controller, banned_columns)))


def all_solutions(
    position: Position, controller: Side, win_condition: WinCondition | None = None
) -> dict[RuleInstance, frozenset[tuple[Square, ...]]]:
    """All instances in normal form that solve a problem, and the problems that each solves, as sorted squares.

    The problems are those that White's win condition leaves; raises CertificateError if White has none.
    """
    situation, problems = find_task(position, controller, win_condition)
    solutions = {}
    for instance, solution in _valid_instances(situation).items():
        solved = frozenset(situation.squares(problem) for problem in problems if solution.solves(problem))
        if solved:
            solutions[instance] = solved
    return solutions


def reference_is_combinable(
    position: Position, controller: Side, one: RuleInstance, other: RuleInstance, banned_columns: Iterable[int] = ()
) -> bool:
    """The checker's word on whether two different valid instances may be in one set."""
    barred = frozenset(banned_columns)
    return is_combinable(*(_solution(position, controller, barred, instance) for instance in (one, other)))


@lru_cache(maxsize=1 << 14)
def _solution(position: Position, controller: Side, barred: frozenset[int], instance: RuleInstance) -> Solution:
    return solution_of(_situation(position, controller, barred), instance)


@lru_cache(maxsize=16)
def _situation(position: Position, controller: Side, barred: frozenset[int]) -> Situation:
    return Situation.of(position, controller, barred)


@lru_cache(maxsize=4)  # whoever asks for the solutions of a position often asks for its instances next
def _valid_instances(situation: Situation) -> dict[RuleInstance, Solution]:
    """The candidates that the definitions accept, each once."""
    valid: dict[RuleInstance, Solution] = {}
    for candidate in _candidates(situation):
        instance = normal_form(candidate)
        try:
            valid[instance] = solution_of(situation, instance)
        except CertificateError:
            continue
    return valid


def _candidates(situation: Situation) -> Iterator[RuleInstance]:
    def ordered(points: Iterable[Point]) -> tuple[Square, ...]:
        return tuple(situation.board.square(point.column, point.row - 1) for point in points)

    simple: dict[Rule, Iterable[Iterable[Point]]] = {
        Rule.CLAIMEVEN: _stacks(situation, 2),
        Rule.BASEINVERSE: combinations(situation.empty, 2),
        Rule.VERTICAL: _stacks(situation, 2),
        Rule.LOWINVERSE: map(chain.from_iterable, combinations(_stacks(situation, 2), 2)),
        Rule.HIGHINVERSE: map(chain.from_iterable, combinations(_stacks(situation, 3), 2)),
        Rule.BASECLAIM: (
            (*playable, claimed)
            for playable in permutations(situation.playable, 3)
            for claimed in situation.empty
            if claimed.column == playable[1].column
        ),
    }
    for rule, squares in simple.items():
        yield from (RuleInstance(rule, ordered(points)) for points in squares)
    about_groups: dict[Rule, Callable[[Situation, list[Point]], Iterator[Stack]]] = {
        Rule.AFTEREVEN: _all_parts,
        Rule.BEFORE: _all_parts,
        Rule.SPECIALBEFORE: _all_parts_but_one,
    }
    for rule, candidates in about_groups.items():
        for group in situation.groups:
            gaps = sorted(group & situation.empty)
            for points in candidates(situation, gaps):
                yield RuleInstance(rule, ordered(points), situation.squares(group))


def _all_parts(situation: Situation, gaps: Collection[Point]) -> Iterator[Stack]:
    """Every choice of one stack of two for each gap, the gap being either of its squares."""
    choices = [
        [
            pair
            for pair in ((Point(gap.column, gap.row - 1), gap), (gap, gap.successor))
            if situation.empty.issuperset(pair)
        ]
        for gap in gaps
    ]
    return (tuple(chain.from_iterable(parts)) for parts in product(*choices))


def _all_parts_but_one(situation: Situation, gaps: Collection[Point]) -> Iterator[Stack]:
    """Every choice of a gap, of a playable square to join it, and of a stack for each other gap."""
    for inside, outside in product(gaps, situation.playable):
        for parts in _all_parts(situation, [gap for gap in gaps if gap != inside]):
            yield (inside, outside, *parts)


def _stacks(situation: Situation, height: int) -> list[Stack]:
    """All stacks of so many empty squares, from the left and from the bottom."""
    columns = range(situation.board.columns)
    bottoms = range(1, situation.board.rows + 1)
    stacks = [
        tuple(Point(column, row) for row in range(bottom, bottom + height))
        for column, bottom in product(columns, bottoms)
    ]
    return [stack for stack in stacks if situation.empty.issuperset(stack)]
