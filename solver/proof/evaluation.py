"""The nine rules on one position, as one kernel: problems, solutions, chosen set, for Black or for White."""

from typing import NamedTuple

import numpy as np

from claimeven.solver.kernel import kernel, popcount, types
from claimeven.solver.kernel.types import typeof
from claimeven.solver.proof.chosen_set import (
    BUDGET,
    CONFLICT_ROUNDS,
    FOUND,
    LENGTH,
    NODES,
    NOT_FOUND,
    find_chosen_set,
    index_solvers,
)
from claimeven.solver.rules.combination import keep_combinable
from claimeven.solver.rules.problems import find_problems, index_problems
from claimeven.solver.rules.rule import Rule
from claimeven.solver.rules.scene import BITS, GEOMETRY, Geometry, Scene
from claimeven.solver.rules.solution_table import AFTEREVEN, RULE, SOLVES
from claimeven.solver.rules.solutions import find_solutions
from claimeven.solver.rules.win_condition import (
    COLUMNS,
    CONDITION_FIELDS,
    MAX_PATTERNS,
    find_odd_threats,
    find_threat_combinations,
    list_dead_patterns,
)
from claimeven.solver.word import NONE, ONE, WORD

# What an evaluation says.
UNKNOWN = 0
NOT_WHITE = 1
BLACK = 2
WHITE = 3
# and OUT_OF_BUDGET: nothing found, but not everything was tried
TABLE_TOO_SMALL = -2

Bits = np.ndarray[tuple[int, int], np.dtype[np.uint64]]
Numbers = np.ndarray[tuple[int], np.dtype[np.int64]]

RULES = len(Rule)

# Counters beside those of the search for a chosen set.
CONDITION = 4  # which win condition the proof has
PROBLEMS = 5
GENERATION_ROUNDS = 6  # how often to find the same solutions: once, or more to measure what that costs
IS_LEAN = 7  # whether to leave out solutions that are hardly ever needed (`Scene`)
COUNTERS = 8


class Scratch(NamedTuple):
    """Everything an evaluation writes to; one a thread, made once."""

    problems: np.ndarray[tuple[int], np.dtype[np.uint64]]
    has: Bits
    has_above: Bits
    patterns: Bits
    conditions: Bits
    table: Bits
    starts: Numbers
    solvers: Bits
    allowed: Bits
    unsolved: Bits
    chosen: Numbers
    targets: Numbers
    found: Numbers
    counters: Numbers


def make_scratch(geometry: Geometry, capacity: int = 2048) -> Scratch:
    """Scratch for a board, with room for `capacity` solutions."""
    groups = max(len(geometry.groups), 1)
    words = (groups + WORD - 1) // WORD
    places = (capacity + WORD - 1) // WORD
    # The last place is scratch; a set has a solution a problem at most, and an Aftereven more.
    depth = groups + 2
    counters = np.zeros(COUNTERS, np.int64)
    counters[[CONFLICT_ROUNDS, GENERATION_ROUNDS]] = 1
    return Scratch(
        problems=np.zeros(groups, np.uint64),
        has=np.zeros((words, WORD), np.uint64),
        has_above=np.zeros((words, WORD), np.uint64),
        patterns=np.zeros((MAX_PATTERNS, 2), np.uint64),
        conditions=np.zeros((capacity // 4, CONDITION_FIELDS), np.uint64),
        table=np.zeros((SOLVES + words, capacity + 1), np.uint64),
        starts=np.zeros(RULES + 1, np.int64),
        solvers=np.zeros((groups, places), np.uint64),
        allowed=np.zeros((depth, places), np.uint64),
        unsolved=np.zeros((depth, words), np.uint64),
        chosen=np.zeros(depth, np.int64),
        targets=np.zeros(depth, np.int64),
        found=np.zeros(depth, np.int64),
        counters=counters,
    )


_NO_GROUPS = np.empty(0, np.uint64)
SCRATCH = typeof(make_scratch(Geometry(NONE, NONE, NONE, NONE, NONE, NONE, _NO_GROUPS, _NO_GROUPS)))


@kernel("void(uint64[::1], int64)")
def set_lowest(words, count):
    """Set the lowest `count` bits of a row of words, and no other."""
    for place in range(words.shape[0]):
        rest = count - place * WORD
        words[place] = NONE if rest <= 0 else ~NONE if rest >= WORD else (ONE << np.uint64(rest)) - ONE


@kernel(types.int64(GEOMETRY, SCRATCH, BITS, types.int64))
def search_from(geometry, work, table, root):
    """Look for a chosen set that holds the first `root` solutions of `chosen`."""
    return find_chosen_set(
        table,
        work.starts,
        geometry.squares,
        work.solvers,
        work.allowed,
        work.unsolved,
        work.chosen,
        work.targets,
        work.counters,
        root,
    )


@kernel(types.int64(GEOMETRY, SCRATCH, types.uint64, types.uint64, types.uint64, types.int64))
def solve_problems(geometry, work, controller, opponent, banned, pattern_count):
    """Look for a chosen set of the controller that solves all problems which no pattern kills."""
    occupied = controller | opponent
    empty = geometry.squares & ~occupied
    playable = occupied + geometry.bottom & geometry.squares & ~banned
    scene = Scene(opponent, empty, empty & ~banned, playable, work.counters[IS_LEAN] != 0)
    count = find_problems(controller, empty, geometry.groups, work.patterns, pattern_count, True, work.problems)
    work.counters[PROBLEMS] = count
    words = (count + WORD - 1) // WORD
    has, has_above, table = work.has[:words], work.has_above[:words], work.table[: SOLVES + words]
    for _ in range(work.counters[GENERATION_ROUNDS]):
        index_problems(work.problems, count, empty, geometry.stride, has, has_above)
        find_solutions(geometry, scene, has, has_above, table, work.starts)
    solutions = work.starts[RULES]
    if solutions >= table.shape[1]:
        return TABLE_TOO_SMALL
    index_solvers(table, solutions, work.solvers)
    set_lowest(work.allowed[0], solutions)
    set_lowest(work.unsolved[0], count)
    return search_from(geometry, work, table, 0)


@kernel(types.int64(GEOMETRY, SCRATCH, BITS, types.int64))
def add_aftereven(geometry, work, table, problems):
    """Look for a chosen set that holds an Aftereven, after one that holds none was found; FOUND or what stopped it."""
    solutions = work.starts[RULES]
    for aftereven in range(work.starts[AFTEREVEN], work.starts[AFTEREVEN + 1]):
        set_lowest(work.allowed[0], solutions)
        set_lowest(work.unsolved[0], problems)
        work.chosen[0] = aftereven
        keep_combinable(table, aftereven, work.starts, geometry.squares, work.allowed[0], work.allowed[1])
        for word in range(table.shape[0] - SOLVES):
            work.unsolved[1, word] = work.unsolved[0, word] & ~table[SOLVES + word, aftereven]
        result = search_from(geometry, work, table, 1)
        if result != NOT_FOUND:
            return result
    return NOT_FOUND


@kernel(types.int64(GEOMETRY, SCRATCH, types.uint64, types.uint64))
def evaluate_black(geometry, work, white, black):
    """White is to move: does Black at least draw, or win by an Aftereven (Allis 1988, §9.2)?"""
    result = solve_problems(geometry, work, black, white, NONE, 0)
    if result != FOUND:
        return result
    length = work.counters[LENGTH]
    for i in range(length):
        if work.table[RULE, work.chosen[i]] == AFTEREVEN:
            return BLACK
    for i in range(length):
        work.found[i] = work.chosen[i]
    problems = work.counters[PROBLEMS]
    table = work.table[: SOLVES + (problems + WORD - 1) // WORD]
    if add_aftereven(geometry, work, table, problems) == FOUND:
        return BLACK
    for i in range(length):
        work.chosen[i] = work.found[i]
    work.counters[LENGTH] = length
    return NOT_WHITE


@kernel(types.int64(GEOMETRY, SCRATCH, types.uint64, types.uint64))
def evaluate_white(geometry, work, white, black):
    """Black is to move: does White win, with exactly one win condition (Allis 1988, §8)?"""
    occupied = white | black
    empty = geometry.squares & ~occupied
    playable = occupied + geometry.bottom & geometry.squares
    count = find_odd_threats(geometry, white, empty, playable, work.conditions)
    count = find_threat_combinations(geometry, white, empty, playable, work.conditions, count)
    if count > work.conditions.shape[0]:
        return TABLE_TOO_SMALL
    for condition in range(count):
        row = work.conditions[condition]
        patterns = list_dead_patterns(row, playable, geometry.odd, geometry.stride, work.patterns)
        result = solve_problems(geometry, work, white, black, row[COLUMNS], patterns)
        if result == FOUND:
            work.counters[CONDITION] = condition
            return WHITE
        if result != NOT_FOUND:
            return result
    return UNKNOWN


@kernel(types.int64(GEOMETRY, SCRATCH, types.uint64, types.uint64, types.boolean, types.int64))
def evaluate_follower(geometry, work, mover, other, is_even, budget):
    """What the rules say for the side that is not to move, where the number of empty squares is even, or is not.

    With an even number that side is in Black's place (NOT_WHITE, BLACK), with an odd one in White's (WHITE).
    """
    work.counters[NODES] = 0
    work.counters[BUDGET] = budget
    work.counters[LENGTH] = 0
    if is_even:
        return evaluate_black(geometry, work, mover, other)
    return evaluate_white(geometry, work, other, mover)


@kernel(types.int64(GEOMETRY, SCRATCH, types.uint64, types.uint64, types.int64))
def evaluate(geometry, work, white, black, budget):
    """What the rules say of an unfinished position: UNKNOWN, NOT_WHITE, BLACK or WHITE, or why they cannot say.

    The chosen set is then the first `counters[LENGTH]` entries of `chosen`, places in the table. At most `budget` nodes
    are spent on chosen sets; with OUT_OF_BUDGET nothing is known.
    """
    if popcount(white | black) & ONE == NONE:
        return evaluate_follower(geometry, work, white, black, True, budget)
    return evaluate_follower(geometry, work, black, white, False, budget)
