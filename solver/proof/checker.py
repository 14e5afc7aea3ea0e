"""The independent check of a certificate: does everything that it claims follow from the definitions?

The checker knows nothing of how a certificate was found. It looks, in this order, at the position, at White's win
condition, at every rule instance, at every pair of instances and at every problem. What the instances are and solve is
in `definitions`; the table of combinations and the win conditions are here, to be read beside Allis 1988, §7.4 and §8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TypeAlias

from claimeven.solver.board import Square
from claimeven.solver.position import Position, PositionError, Side, describe_end
from claimeven.solver.proof.certificate import (
    Certificate,
    CertificateError,
    OddThreat,
    ThreatCombination,
    WinCondition,
)
from claimeven.solver.proof.definitions import (
    Group,
    Pattern,
    Point,
    Situation,
    Solution,
    containing,
    fits,
    names,
    normal_form,
    require,
    solution_of,
)
from claimeven.solver.rules.rule import Rule, RuleInstance

GroupSquares: TypeAlias = tuple[Square, ...]

# Allis 1988, §7.4: the constraints under which two rules combine, both in the order of §6.
COMBINATIONS = """
        CL   BI   VE   AE   LI   HI   BC   BE   SB
    CL  1
    BI  1    1
    VE  1    1    1
    AE  1    1    1    3
    LI  2    1    1    1+2  4
    HI  2    1    1    1+2  4    4
    BC  1    1    1    1    1+2  1+2  1
    BE  1    1    1    3    2+3  1+2  1    3
    SB  1    1    1    3    2+3  1+2  1    3    3
"""
INVERSES = (Rule.LOWINVERSE, Rule.HIGHINVERSE)


def check_certificate(certificate: Certificate) -> None:
    """Accept a certificate by returning; raise CertificateError, naming the first thing that does not hold."""
    for flaw in find_flaws(certificate):
        raise CertificateError(flaw)


def is_chosen_set(certificate: Certificate) -> bool:
    """Whether the instances are a chosen set, that is, whether the certificate proves what it claims."""
    return next(find_flaws(certificate), None) is None


def find_flaws(certificate: Certificate) -> Iterator[str]:
    """Everything that does not hold, one sentence each; nothing if the certificate proves what it claims.

    A flaw that leaves nothing to check against, as a wrong win condition does, is the last one.
    """
    try:
        _check_position(certificate)
        situation, problems = _task(certificate)
    except CertificateError as error:
        yield str(error)
        return
    solutions: list[tuple[str, Solution]] = []
    titles: dict[RuleInstance, str] = {}
    for number, instance in enumerate(certificate.instances, start=1):
        title = f"solution {number} ({_describe(situation, instance)})"
        try:
            solution = solution_of(situation, instance)
        except CertificateError as error:
            yield f"{title}: {error}"
            continue
        same = normal_form(instance)
        if same in titles:
            yield f"{title}: it is the same as {titles[same]}"
            continue
        titles[same] = title
        # An Aftereven need not solve anything: it makes a draw a win (Allis 1988, §9.2).
        if instance.rule is not Rule.AFTEREVEN and not any(solution.solves(problem) for problem in problems):
            yield f"{title}: it solves no problem"
        solutions.append((title, solution))
    for (title, one), (other_title, other) in combinations(solutions, 2):
        for reason in find_conflicts(one, other):
            yield f"{title} and {other_title} do not combine: {reason}"
    for problem in problems:
        if not any(solution.solves(problem) for _, solution in solutions):
            yield f"nothing solves the problem {names(problem)}"


def problems_of(certificate: Certificate) -> tuple[GroupSquares, ...]:
    """The problems that the instances must solve: those that the win condition, if there is one, leaves.

    Raises CertificateError if the win condition does not hold.
    """
    situation, problems = _task(certificate)
    return tuple(situation.squares(problem) for problem in problems)


def problems_solved_by(certificate: Certificate) -> Mapping[RuleInstance, tuple[GroupSquares, ...]]:
    """For each instance, in order, which of `problems_of` it solves; raises CertificateError if one is not valid."""
    situation, problems = _task(certificate)
    solved: dict[RuleInstance, tuple[GroupSquares, ...]] = {}
    for instance in certificate.instances:
        solution = solution_of(situation, instance)
        solved[instance] = tuple(situation.squares(problem) for problem in problems if solution.solves(problem))
    return solved


def find_task(
    position: Position, controller: Side, win_condition: WinCondition | None
) -> tuple[Situation, tuple[Group, ...]]:
    """The situation in which the rules must solve which problems; raises CertificateError if there is no such task.

    White needs one win condition (Allis 1988, §8), whose columns are barred to the rules and whose dead groups
    are no problems any more; Black must have none.
    """
    situation = Situation.of(position, controller)
    if controller is Side.BLACK:
        require(win_condition is None, "win condition: only White has one")
        return situation, tuple(situation.problems)
    if win_condition is None:
        raise CertificateError("win condition: White can prove nothing without one")
    try:
        columns, dead = dead_patterns(situation, win_condition)
    except CertificateError as error:
        raise CertificateError(f"win condition: {error}") from None
    problems = tuple(problem for problem in situation.problems if not fits(problem, dead))
    return replace(situation, barred=columns), problems


def _task(certificate: Certificate) -> tuple[Situation, tuple[Group, ...]]:
    return find_task(certificate.position, certificate.controller, certificate.win_condition)


def _check_position(certificate: Certificate) -> None:
    position = certificate.position
    board = position.board
    require(
        board.rows % 2 == 0,
        f"the rules need an even number of rows and {board} has {board.rows}",
    )
    try:
        Position.from_stones(board, position.white, position.black)
    except PositionError as error:
        raise CertificateError(f"the position: {error}") from None
    if position.is_over:
        raise CertificateError(f"the game is over ({describe_end(position)})")
    require(
        certificate.controller is not position.to_move,
        f"{position.to_move} is to move, so a proof can only be for {position.to_move.opponent}",
    )


def _describe(situation: Situation, instance: RuleInstance) -> str:
    """The instance by name, its squares too if they are squares."""
    try:
        situation.points(instance.squares)
    except CertificateError:
        return str(instance.rule)
    return instance.describe(situation.board)


def is_combinable(one: Solution, other: Solution) -> bool:
    """Whether two different solutions may be in one set (Allis 1988, §7.4)."""
    return next(find_conflicts(one, other), None) is None


def find_conflicts(one: Solution, other: Solution) -> Iterator[str]:
    """Why two different solutions may not be in one set: the constraints of the table that they break."""
    for constraint in CONSTRAINTS[one.rule, other.rule]:
        yield from constraint(one, other)


def _squares_disjoint(one: Solution, other: Solution) -> Iterator[str]:
    """Constraint 1: the occupied squares are disjoint."""
    shared = one.occupied & other.occupied
    if shared:
        yield f"both use {names(shared)}"


def _claimevens_above_inverse(one: Solution, other: Solution) -> Iterator[str]:
    """Constraint 2: no Claimeven of the other solution lies at or below the inverse."""
    inverse, claiming = (one, other) if one.rule in INVERSES else (other, one)
    for lower in claiming.claimevens:
        for square in sorted(inverse.occupied):
            if square.column == lower.column and square.row >= lower.row:
                yield f"the Claimeven on {lower} does not lie above {square} of the {inverse.rule}"
                return


def _columns_disjoint_or_equal(one: Solution, other: Solution) -> Iterator[str]:
    """Constraint 3: in every column the occupied squares are disjoint or equal; p and x equal nothing."""
    for shared in sorted(one.occupied & other.occupied):
        ours, theirs = ([square for square in each.occupied if square.column == shared.column] for each in (one, other))
        if set(ours) != set(theirs):
            yield f"both use {shared}, but not the same squares of its column"
        elif shared in one.unshared or shared in other.unshared:
            yield f"both use {shared}, which a Specialbefore cannot share"


def _inverses_apart(one: Solution, other: Solution) -> Iterator[str]:
    """Constraint 4: the occupied squares are disjoint, and the pairs of columns are disjoint or equal."""
    yield from _squares_disjoint(one, other)
    ours, theirs = ({square.column for square in each.occupied} for each in (one, other))
    if ours & theirs and ours != theirs:
        yield "they have one column in common and not the other"


Constraint: TypeAlias = Callable[[Solution, Solution], Iterator[str]]


def _read_combinations(table: str) -> dict[tuple[Rule, Rule], tuple[Constraint, ...]]:
    """The constraints of every ordered pair of rules."""
    numbered: dict[str, Constraint] = {
        "1": _squares_disjoint,
        "2": _claimevens_above_inverse,
        "3": _columns_disjoint_or_equal,
        "4": _inverses_apart,
    }
    read: dict[tuple[Rule, Rule], tuple[Constraint, ...]] = {}
    for row, line in zip(Rule, table.strip().splitlines()[1:], strict=True):
        for column, entry in zip(Rule, line.split()[1:], strict=False):
            read[row, column] = read[column, row] = tuple(numbered[number] for number in entry.split("+"))
    return read


CONSTRAINTS = _read_combinations(COMBINATIONS)


def dead_patterns(situation: Situation, condition: WinCondition) -> tuple[frozenset[int], tuple[Pattern, ...]]:
    """The columns that White's win condition keeps for itself, and the patterns of the Black groups it kills.

    Raises CertificateError, naming the first thing that keeps it from being a win condition.
    """
    if isinstance(condition, OddThreat):
        return _odd_threat(situation, condition)
    return _threat_combination(situation, condition)


# Allis 1988, §8.2 (odd threat)
def _odd_threat(situation: Situation, condition: OddThreat) -> tuple[frozenset[int], tuple[Pattern, ...]]:
    (threat,) = situation.points([condition.square])
    _require_gaps(situation, condition.group, [threat])
    require(threat.is_odd, f"{threat} is not odd")
    require(threat not in situation.playable, f"{threat} is playable")
    playable = situation.playable_in(threat.column)
    dead = frozenset({threat}) | situation.above(threat) | situation.odd_above(playable)
    return frozenset({threat.column}), ((dead,),)


# Allis 1988, §8.4 (threat combination); the numbers are those of its patterns
def _threat_combination(
    situation: Situation, condition: ThreatCombination
) -> tuple[frozenset[int], tuple[Pattern, ...]]:
    crossing, odd, even = situation.points([condition.crossing, condition.odd, condition.even])
    require(crossing.column != odd.column, f"the crossing square {crossing} and {odd} are in one column")
    _require_gaps(situation, condition.odd_group, [crossing, odd])
    _require_gaps(situation, condition.even_group, [crossing, even])
    require(crossing.is_odd, f"the crossing square {crossing} is not odd")
    require(odd.is_odd, f"{odd} is not odd")
    require(
        even == odd.successor or odd == even.successor, f"{even} is neither directly above nor directly below {odd}"
    )
    require(crossing not in situation.playable, f"the crossing square {crossing} is playable")
    columns = frozenset({crossing.column, odd.column})
    crossing_playable = situation.playable_in(crossing.column)
    other_playable = situation.playable_in(odd.column)

    dead: list[Pattern] = [
        (situation.odd_above(crossing_playable),),  # 1
        (situation.above(crossing), situation.above(odd)),  # 2
    ]
    if even in situation.playable and odd == even.successor:
        return columns, tuple(dead)
    if even == odd.successor:
        dead.append(containing(crossing.successor, odd))  # 3
        if odd in situation.playable:
            dead.append((situation.above(crossing.successor),))  # 4
    lowest = other_playable
    if crossing_playable.is_odd and odd not in situation.playable:
        dead.append(containing(crossing_playable, other_playable))  # 5
        lowest = other_playable.successor
    for row in range(lowest.row, odd.row):
        dead.append(containing(Point(odd.column, row), Point(odd.column, row + 1)))  # 6
    return columns, tuple(dead)


def _require_gaps(situation: Situation, squares: Iterable[Square], gaps: Sequence[Point]) -> None:
    """Require a group of the controller's stones and of exactly these empty squares."""
    group = situation.find_group(squares)
    for gap in gaps:
        require(gap in group, f"{gap} is not in the group {names(group)}")
        require(gap in situation.empty, f"{gap} is not empty")
    for point in sorted(group.difference(gaps)):
        require(point in situation.own, f"there is no White stone on {point}")
