"""Random games and rule proofs by the ten thousand: what an audit does for every position, as kernels."""

import numpy as np

from claimeven.solver.kernel import kernel, popcount, types
from claimeven.solver.proof.chosen_set import BUDGET, FOUND, LENGTH, NODES, NOT_FOUND, OUT_OF_BUDGET
from claimeven.solver.proof.evaluation import (
    BLACK,
    NOT_WHITE,
    SCRATCH,
    TABLE_TOO_SMALL,
    UNKNOWN,
    WHITE,
    evaluate_black,
    solve_problems,
)
from claimeven.solver.rules.rule import Rule
from claimeven.solver.rules.scene import GEOMETRY
from claimeven.solver.rules.solution_table import RULE
from claimeven.solver.rules.win_condition import (
    COLUMNS,
    KIND,
    ODD_THREAT,
    O,
    V,
    find_odd_threats,
    find_threat_combinations,
    list_dead_patterns,
)
from claimeven.solver.word import NONE, ONE

STONES = types.uint64[::1]

# What a proof is made of, beside the bits of the nine rules: the win condition.
ODD_THREATS = len(Rule)
COMBINATIONS_ABOVE = len(Rule) + 1  # v above o
COMBINATIONS_BELOW = len(Rule) + 2  # v below o and not playable
COMBINATIONS_BELOW_PLAYABLE = len(Rule) + 3


@kernel("uint64(uint64[::1])")
def next_random(state):
    """The next number of a splitmix64 generator."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = state[0]
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return mixed ^ mixed >> np.uint64(31)


@kernel("uint64(uint64[::1], uint64)")
def choose_bit(state, squares):
    """One of the squares, at random."""
    skipped = next_random(state) % popcount(squares)
    while skipped != NONE:
        squares &= squares - ONE
        skipped -= ONE
    return squares & ~(squares - ONE)


@kernel(types.boolean(GEOMETRY, types.uint64))
def has_line(geometry, stones):
    """Whether the stones contain `connect` in a line."""
    for step in (ONE, geometry.stride, geometry.stride + ONE, geometry.stride - ONE):
        run = stones
        for _ in range(np.int64(geometry.connect) - 1):
            run &= run >> step
        if run != NONE:
            return True
    return False


@kernel(types.uint64(GEOMETRY, types.uint64, types.uint64))
def winning_among(geometry, stones, squares):
    """Those of the squares that complete a line of these stones."""
    winning = NONE
    while squares != NONE:
        square = squares & ~(squares - ONE)
        squares &= squares - ONE
        if has_line(geometry, stones | square):
            winning |= square
    return winning


@kernel(types.uint64(GEOMETRY, types.uint64, types.uint64, types.uint64))
def cautious_moves(geometry, mover, other, playable):
    """What a player who looks at one move only may play: he wins, or else blocks, or else does not help the other."""
    winning = winning_among(geometry, mover, playable)
    if winning != NONE:
        return winning
    threatened = winning_among(geometry, other, playable)
    if threatened != NONE:
        return threatened
    above = playable << ONE & geometry.squares
    safe = playable & ~(winning_among(geometry, other, above) >> ONE)
    return safe if safe != NONE else playable


@kernel(types.int64(GEOMETRY, types.boolean, types.int64, types.int64, types.int64, STONES, STONES, STONES))
def play_random_games(geometry, cautious, least, most, patience, state, whites, blacks):
    """Fill in unfinished positions of random games, each stopped at a random ply from `least` to `most`.

    A game that ends before its ply is forgotten, and another ply is drawn for the next. After so many of these in a row
    as `patience` says it is over. Gives the number of positions filled in.
    """
    made = in_vain = 0
    while made < whites.shape[0] and in_vain < patience:
        mover, other = NONE, NONE
        ply = least + np.int64(next_random(state) % np.uint64(most - least + 1))
        played = 0
        while played < ply:
            playable = (mover | other) + geometry.bottom & geometry.squares
            squares = cautious_moves(geometry, mover, other, playable) if cautious else playable
            moved = mover | choose_bit(state, squares)
            if has_line(geometry, moved):
                break
            mover, other = other, moved
            played += 1
        in_vain += 1
        if played == ply:
            whites[made], blacks[made] = (mover, other) if ply % 2 == 0 else (other, mover)
            made += 1
            in_vain = 0
    return made


@kernel(types.uint64(SCRATCH))
def rules_of_chosen_set(work):
    """The rules of the chosen set that was found last, a bit each."""
    rules = NONE
    for i in range(work.counters[LENGTH]):
        rules |= ONE << work.table[RULE, work.chosen[i]]
    return rules


@kernel("int64(uint64[::1], uint64)")
def condition_part(condition, playable):
    """Which of the parts of a proof a win condition is."""
    if condition[KIND] == ODD_THREAT:
        return ODD_THREATS
    if condition[V] > condition[O]:
        return COMBINATIONS_ABOVE
    if playable >> condition[V] & ONE == NONE:
        return COMBINATIONS_BELOW
    return COMBINATIONS_BELOW_PLAYABLE


@kernel(types.int64(GEOMETRY, SCRATCH, types.uint64, types.uint64, types.int64, STONES))
def try_every_condition(geometry, work, white, black, budget, parts):
    """Black is to move: which of White's win conditions prove a win? Each has the budget for itself.

    The prover stops at the first; here none goes untried because another proves the same.
    """
    occupied = white | black
    empty = geometry.squares & ~occupied
    playable = occupied + geometry.bottom & geometry.squares
    count = find_odd_threats(geometry, white, empty, playable, work.conditions)
    count = find_threat_combinations(geometry, white, empty, playable, work.conditions, count)
    if count > work.conditions.shape[0]:
        return TABLE_TOO_SMALL
    whole = UNKNOWN
    for condition in range(count):
        row = work.conditions[condition]
        patterns = list_dead_patterns(row, playable, geometry.odd, geometry.stride, work.patterns)
        work.counters[NODES] = 0
        work.counters[BUDGET] = budget
        work.counters[LENGTH] = 0
        result = solve_problems(geometry, work, white, black, row[COLUMNS], patterns)
        if result == TABLE_TOO_SMALL:
            return TABLE_TOO_SMALL
        if result == FOUND:
            whole = WHITE
            parts[0] |= rules_of_chosen_set(work) | ONE << np.uint64(condition_part(row, playable))
        elif result != NOT_FOUND and whole == UNKNOWN:
            whole = OUT_OF_BUDGET
    return whole


@kernel(types.void(GEOMETRY, SCRATCH, STONES, STONES, types.int64, types.int8[::1], STONES))
def evaluate_parts(geometry, work, whites, blacks, budget, results, parts):
    """What the rules say of many positions, and the rules and win conditions of their proofs, a bit each."""
    for i in range(whites.shape[0]):
        parts[i] = NONE
        if popcount(whites[i] | blacks[i]) & ONE != NONE:
            results[i] = try_every_condition(geometry, work, whites[i], blacks[i], budget, parts[i : i + 1])
            continue
        work.counters[NODES] = 0
        work.counters[BUDGET] = budget
        work.counters[LENGTH] = 0
        results[i] = evaluate_black(geometry, work, whites[i], blacks[i])
        if results[i] == NOT_WHITE or results[i] == BLACK:
            parts[i] = rules_of_chosen_set(work)
