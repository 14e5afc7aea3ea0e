"""Each condition is needed: loosen it, and a position that White wins is "proved" for Black.

The positions are White wins with White to move, by exact search. The loosened rules are made of the definitions, on
which the faithful search must find nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import pytest

from claimeven.solver.board import Bitboard
from claimeven.solver.position import Position, Side
from claimeven.solver.proof import checker
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.certificate_text import write_certificate
from claimeven.solver.proof.check_batch import check_many
from claimeven.solver.proof.definitions import Pattern, Situation, Solution, solution_of
from claimeven.solver.proof.graph import ProofGraph, find_set_on_graph
from claimeven.solver.proof.listing import Solutions
from claimeven.solver.proof.prover import prove
from claimeven.solver.rules.rule import Rule, RuleInstance
from claimeven.solver.verdict import UNDECIDED
from tests.positions import at
from tests.solver.rules.exhaustive import all_instances

Loosened = Callable[[Solution], Solution]
Combinable = Callable[[Solution, Solution], bool]


@dataclass(frozen=True)
class LooseSolutions:
    """What the graph needs to know of the solutions of a position, under loosened rules."""

    position: Position
    controller: Side
    problems: tuple[Bitboard, ...]
    instances: tuple[RuleInstance, ...]
    solves: tuple[frozenset[int], ...]
    parts: tuple[Solution, ...]
    combinable: Combinable

    def conflicts_of(self, number: int) -> list[int]:
        return [
            other
            for other, part in enumerate(self.parts)
            if other != number and not self.combinable(self.parts[number], part)
        ]


def faithful(solution: Solution) -> Solution:
    return solution


def list_loosely(position: Position, loosen: Loosened, combinable: Combinable) -> LooseSolutions:
    """Black's solutions of a position under loosened rules."""
    situation = Situation.of(position, Side.BLACK)
    problems = situation.problems
    instances = tuple(sorted(all_instances(position, Side.BLACK), key=repr))
    parts = tuple(loosen(solution_of(situation, instance)) for instance in instances)
    return LooseSolutions(
        position=position,
        controller=Side.BLACK,
        problems=tuple(sum(1 << square for square in situation.squares(problem)) for problem in problems),
        instances=instances,
        solves=tuple(
            frozenset(number for number, problem in enumerate(problems) if part.solves(problem)) for part in parts
        ),
        parts=parts,
        combinable=combinable,
    )


def prove_loosely(
    position: Position, loosen: Loosened = faithful, combinable: Combinable = checker.is_combinable
) -> Certificate | None:
    """The certificate that the search finds for Black under loosened rules; None if it finds none even so."""
    graph = ProofGraph(cast(Solutions, list_loosely(position, loosen, combinable)))
    chosen = find_set_on_graph(graph)
    if chosen is None:
        return None
    return Certificate(position, Side.BLACK, None, tuple(graph.instances[name] for name in sorted(chosen)))


def loose_proof(
    moves: str, loosen: Loosened = faithful, combinable: Combinable = checker.is_combinable
) -> Certificate | None:
    return prove_loosely(at(moves), loosen, combinable)


def assert_proved_and_refused(certificate: Certificate | None) -> None:
    """Under the loosened rule there is a proof, and neither checker accepts it."""
    assert certificate is not None
    assert not checker.is_chosen_set(certificate)
    position, text = certificate.position, np.frombuffer(write_certificate(certificate).encode(), np.uint8)
    white, black = np.array([position.white], np.uint64), np.array([position.black], np.uint64)
    assert not check_many(position.board, white, black, text, np.array([0, len(text)])).is_accepted[0]


def loosen_first_pattern(rule: Rule, change: Callable[[Pattern], tuple[Pattern, ...]]) -> Loosened:
    """The first pattern of a solution is the rule's own: all columns of an Aftereven, both uppers of a Lowinverse."""

    def loosen(solution: Solution) -> Solution:
        if solution.rule is not rule:
            return solution
        return replace(solution, patterns=(*change(solution.patterns[0]), *solution.patterns[1:]))

    return loosen


def any_of(pattern: Pattern) -> tuple[Pattern, ...]:
    return tuple((choice,) for choice in pattern)


def without_x(pattern: Pattern) -> tuple[Pattern, ...]:
    return (pattern[1:],)


def with_constraint(constraint: checker.Constraint, other: checker.Constraint | None) -> Combinable:
    """The table with one constraint replaced by another, or dropped."""

    def combinable(one: Solution, two: Solution) -> bool:
        constraints = [other if each is constraint else each for each in checker.CONSTRAINTS[one.rule, two.rule]]
        return not any(reason for each in constraints if each is not None for reason in each(one, two))

    return combinable


def strictly_below(one: Solution, other: Solution) -> Iterator[str]:
    """Constraint 2 as a careless reader takes it: only a Claimeven that begins below the whole inverse is refused."""
    inverse, claiming = (one, other) if one.rule in checker.INVERSES else (other, one)
    for lower in claiming.claimevens:
        rows = [square.row for square in inverse.occupied if square.column == lower.column]
        if rows and lower.row < min(rows):
            yield "below the inverse"


AFTEREVEN_ANY_COLUMN = "46666454374777425325726627554251"
BEFORE_ONE_SUCCESSOR = "61414457215465564366133774777631"
SPECIALBEFORE_WITHOUT_X = "5722217511717613136263523754366755"
LOWINVERSE_ONE_UPPER = "61612657575325751527727316663422"
CONSTRAINT_2_DROPPED = "5125414417146156415762567746657373"
CONSTRAINT_2_STRICTLY_BELOW = "3411511444272241236273413566535375"
CONSTRAINT_3_DROPPED = "35444216536671154175542517633142"
OTHER_PROGRAMS = ("777627122221557755", "751321")


@pytest.mark.parametrize(
    "moves",
    [
        AFTEREVEN_ANY_COLUMN,
        BEFORE_ONE_SUCCESSOR,
        SPECIALBEFORE_WITHOUT_X,
        LOWINVERSE_ONE_UPPER,
        CONSTRAINT_2_DROPPED,
        CONSTRAINT_2_STRICTLY_BELOW,
        CONSTRAINT_3_DROPPED,
        *OTHER_PROGRAMS,
        "755241511124262266675464677551132337",
        "35312363373722764426676221177651",
    ],
)
def test_the_faithful_rules_prove_nothing(moves: str) -> None:
    attempt = prove(at(moves))
    assert (attempt.bounds, attempt.exhausted_budget) == (UNDECIDED, False)
    if len(moves) > 20:
        assert loose_proof(moves) is None


def test_aftereven_above_any_column_instead_of_every_column() -> None:
    assert_proved_and_refused(loose_proof(AFTEREVEN_ANY_COLUMN, loosen_first_pattern(Rule.AFTEREVEN, any_of)))


def test_before_with_one_successor_instead_of_all() -> None:
    assert_proved_and_refused(loose_proof(BEFORE_ONE_SUCCESSOR, loosen_first_pattern(Rule.BEFORE, any_of)))


def test_specialbefore_without_x() -> None:
    assert_proved_and_refused(loose_proof(SPECIALBEFORE_WITHOUT_X, loosen_first_pattern(Rule.SPECIALBEFORE, without_x)))


def test_lowinverse_with_one_upper_instead_of_both() -> None:
    assert_proved_and_refused(loose_proof(LOWINVERSE_ONE_UPPER, loosen_first_pattern(Rule.LOWINVERSE, any_of)))


def test_constraint_2_dropped() -> None:
    combinable = with_constraint(checker._claimevens_above_inverse, None)
    assert_proved_and_refused(loose_proof(CONSTRAINT_2_DROPPED, combinable=combinable))


def test_constraint_2_read_as_strictly_below() -> None:
    combinable = with_constraint(checker._claimevens_above_inverse, strictly_below)
    assert_proved_and_refused(loose_proof(CONSTRAINT_2_STRICTLY_BELOW, combinable=combinable))


@pytest.mark.parametrize("moves", [CONSTRAINT_3_DROPPED, *OTHER_PROGRAMS])
def test_constraint_3_dropped(moves: str) -> None:
    assert_proved_and_refused(loose_proof(moves, combinable=with_constraint(checker._columns_disjoint_or_equal, None)))
