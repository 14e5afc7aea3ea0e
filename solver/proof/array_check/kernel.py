"""Does everything that a certificate claims follow from the definitions? Decided for many, from their texts."""

from typing import NamedTuple

import numpy as np

from claimeven.solver.kernel import kernel, popcount, types
from claimeven.solver.kernel.types import typeof
from claimeven.solver.proof.array_check.combinations import are_combinable
from claimeven.solver.proof.array_check.instances import (
    CONTAINING,
    FACTS,
    GROUP,
    MEETING,
    OCCUPIED,
    RULE,
    Patterns,
    is_aftereven,
    is_baseclaim,
    is_baseinverse,
    is_before,
    is_claimeven,
    is_highinverse,
    is_lowinverse,
    is_solved,
    is_specialbefore,
    is_vertical,
    make_patterns,
)
from claimeven.solver.proof.array_check.situation import LINES, SITUATION, Situation, column_of, is_group, is_unfinished
from claimeven.solver.proof.array_check.token import (
    AFTEREVEN,
    BASECLAIM,
    BASEINVERSE,
    BEFORE,
    CLAIMEVEN,
    CODE,
    GROUP_SIZES,
    GROUPS,
    HIGHINVERSE,
    LOWINVERSE,
    NAMED,
    ODD_THREAT,
    TEXT,
    VERTICAL,
    Token,
    end_of_token,
    make_token,
    read_code,
    read_token,
    start_of_token,
)
from claimeven.solver.proof.array_check.win_conditions import MOST_PAIRS, WRONG, is_dead, list_dead
from claimeven.solver.word import NONE, ONE

# What a certificate proves.
NOTHING = 0
NOT_WHITE = 1
BLACK = 2
WHITE = 3


class Desk(NamedTuple):
    """Everything a check writes to; one a thread."""

    token: Token
    condition: Token
    dead: np.ndarray[tuple[int, int], np.dtype[np.uint64]]
    patterns: Patterns
    problems: np.ndarray[tuple[int], np.dtype[np.uint64]]
    solved: np.ndarray[tuple[int], np.dtype[np.bool_]]
    instances: np.ndarray[tuple[int, int], np.dtype[np.uint64]]


SHORTEST_TOKEN = len("CLa1a2 ")


def make_desk(groups: int, longest: int) -> Desk:
    """A desk for a board with so many groups and texts of this length at most."""
    return Desk(
        token=make_token(),
        condition=make_token(),
        dead=np.zeros((MOST_PAIRS, 2), np.uint64),
        patterns=make_patterns(),
        problems=np.zeros(groups, np.uint64),
        solved=np.zeros(groups, np.bool_),
        instances=np.zeros((longest // SHORTEST_TOKEN + 2, FACTS), np.uint64),
    )


DESK = typeof(make_desk(0, 0))
INSTANCES = types.uint64[:, ::1]


@kernel(types.int64(LINES, TEXT, types.int64, types.int64, DESK))
def read_condition(lines, text, start, stop, desk):
    """Read the win condition of a text, the last one if it names several: 1, 0 if it has none, or WRONG."""
    found = 0
    at = start_of_token(text, start, stop)
    while at < stop:
        end = end_of_token(text, at, stop)
        if read_code(text, at, end) >= ODD_THREAT:
            if not read_token(text, at, end, lines.columns, np.int64(lines.rows), desk.condition):
                return WRONG
            found = 1
        at = start_of_token(text, end, stop)
    return found


@kernel(types.boolean(SITUATION, types.uint64[::1], types.uint64))
def are_usable(situation, squares, group):
    """Whether the squares of an instance are empty, different and not barred, and its group is open to the
    controller."""
    seen = NONE
    for square in squares:
        if square & (seen | ~situation.empty | situation.barred) != NONE:
            return False
        seen |= square
    return group & ~(situation.own | situation.empty) == NONE


@kernel(types.boolean(LINES, SITUATION, DESK, types.uint64[::1]))
def is_instance(lines, situation, desk, facts):
    """Whether the token on the desk is an instance of its rule; fill in what it comes down to, and its patterns."""
    token, patterns = desk.token, desk.patterns
    rule, group, squares = token.numbers[CODE], token.groups[0], token.squares[: token.numbers[NAMED]]
    if token.numbers[GROUPS] == 1 and not is_group(group, token.numbers[GROUP_SIZES], lines.groups):
        return False
    if not are_usable(situation, squares, group):
        return False
    patterns.counts[CONTAINING] = patterns.counts[MEETING] = 0
    facts[:] = NONE
    facts[RULE] = np.uint64(rule)
    facts[GROUP] = group
    for square in squares:
        facts[OCCUPIED] |= square
    if rule == CLAIMEVEN:
        return is_claimeven(situation, squares, group, facts, patterns)
    if rule == BASEINVERSE:
        return is_baseinverse(situation, squares, group, facts, patterns)
    if rule == VERTICAL:
        return is_vertical(situation, squares, group, facts, patterns)
    if rule == AFTEREVEN:
        return is_aftereven(situation, squares, group, facts, patterns)
    if rule == LOWINVERSE:
        return is_lowinverse(situation, squares, group, facts, patterns)
    if rule == HIGHINVERSE:
        return is_highinverse(situation, squares, group, facts, patterns)
    if rule == BASECLAIM:
        return is_baseclaim(situation, squares, group, facts, patterns)
    if rule == BEFORE:
        return is_before(situation, squares, group, facts, patterns)
    return is_specialbefore(situation, squares, group, facts, patterns)


@kernel("boolean(uint64[::1], uint64[::1])")
def are_same(one, other):
    """Whether two instances are the same application of a rule.

    Their squares and their group tell which square has which part, but for a Baseclaim, and two of those do not combine
    on the same squares anyway.
    """
    return one[RULE] == other[RULE] and one[OCCUPIED] == other[OCCUPIED] and one[GROUP] == other[GROUP]


@kernel(types.boolean(DESK, types.int64, types.uint64[::1]))
def mark_solved(desk, problems, facts):
    """Mark the problems that the instance on the desk solves; whether it solves one, or need not.

    An Aftereven need not solve anything: it makes a draw a win (Allis 1988, §9.2).
    """
    useful = facts[RULE] == np.uint64(AFTEREVEN)
    for i in range(problems):
        if is_solved(desk.patterns, desk.problems[i]):
            desk.solved[i] = True
            useful = True
    return useful


@kernel(types.boolean(INSTANCES, types.int64, types.uint64))
def fits_in(instances, count, rows):
    """Whether the instance after the first `count` is a different one from each of them and combines with each."""
    for i in range(count):
        if are_same(instances[i], instances[count]) or not are_combinable(instances[i], instances[count], rows):
            return False
    return True


@kernel(types.int64(LINES, SITUATION, TEXT, types.int64, types.int64, DESK, types.int64))
def check_set(lines, situation, text, start, stop, desk, problems):
    """What the instances of a text prove for Black: NOTHING, unless they are valid, useful, different, combinable, and
    solve all the problems."""
    proved = NOT_WHITE
    count = 0
    desk.solved[:problems] = False
    at = start_of_token(text, start, stop)
    while at < stop:
        end = end_of_token(text, at, stop)
        if read_code(text, at, end) < ODD_THREAT:
            if (
                count == desk.instances.shape[0]
                or not read_token(text, at, end, lines.columns, np.int64(lines.rows), desk.token)
                or not is_instance(lines, situation, desk, desk.instances[count])
                or not mark_solved(desk, problems, desk.instances[count])
                or not fits_in(desk.instances, count, lines.rows)
            ):
                return NOTHING
            if desk.token.numbers[CODE] == AFTEREVEN:
                proved = BLACK
            count += 1
        at = start_of_token(text, end, stop)
    for i in range(problems):
        if not desk.solved[i]:
            return NOTHING
    return proved


@kernel(types.int64(LINES, types.uint64, types.uint64, TEXT, types.int64, types.int64, DESK))
def check(lines, white, black, text, start, stop, desk):
    """What a certificate proves of a position: NOTHING if anything in it does not hold, else NOT_WHITE, BLACK or WHITE.

    The proof is for the side that is not to move. White needs a win condition, Black must have none.
    """
    if not is_unfinished(white, black, lines.squares, lines.bottom, lines.groups):
        return NOTHING
    occupied = white | black
    for_white = popcount(occupied) & ONE != NONE
    own, empty = white if for_white else black, lines.squares & ~occupied
    playable = occupied + lines.bottom & lines.squares
    situation = Situation(lines.rows, lines.squares, lines.odd, own, empty, playable, NONE)
    conditions = read_condition(lines, text, start, stop, desk)
    if conditions != (1 if for_white else 0):
        return NOTHING
    pairs = 0
    if for_white:
        pairs = list_dead(situation, lines.groups, desk.condition, desk.dead)
        if pairs == WRONG:
            return NOTHING
        barred = NONE
        for square in desk.condition.squares[: desk.condition.numbers[NAMED]]:
            barred |= column_of(square, lines.rows)
        situation = Situation(lines.rows, lines.squares, lines.odd, own, empty, playable, barred)
    problems = 0
    for group in lines.groups:
        if group & own == NONE and not is_dead(group, desk.dead, pairs):
            desk.problems[problems] = group
            problems += 1
    proved = check_set(lines, situation, text, start, stop, desk, problems)
    return WHITE if for_white and proved != NOTHING else proved


@kernel(types.void(LINES, types.uint64[::1], types.uint64[::1], TEXT, types.int64[::1], DESK, types.int8[::1]))
def check_all(lines, whites, blacks, text, offsets, desk, proved):
    """What each certificate, the text from one offset to the next, proves of its position."""
    for i in range(whites.shape[0]):
        proved[i] = check(lines, whites[i], blacks[i], text, offsets[i], offsets[i + 1], desk)
