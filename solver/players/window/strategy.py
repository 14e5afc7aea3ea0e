"""The strategic bonus of *victor*: points for rules of Allis that a side could use.

A side has a parity, from who moved first: the second player fills the even squares if both follow each other up the
columns, so he claims even squares and the first player odd ones. `good` squares are those of the side's parity, `bad`
ones the others. A *pair* is two empty squares, one above the other; a *problem* a group without stones of the side. The
numbers that go with the rules are read so:

- **Claimeven**, 100, 25 or 8: a pair with a good upper square. 100 if a problem through that lacks one stone of the
  opponent, 25 if two, 8 if more; nothing if no problem goes through it.
- **Baseinverse**, 40: two playable squares that a problem lacks, and nothing else.
- **Vertical**, 50 or 20: a pair with a bad upper square. 50 if a vertical problem lacks just the two, 20 if one that
  lacks three contains them.
- **Before**, 150 or 50: a group, not vertical, without opponent's stones and without an empty square in the top row,
  such that over each of its empty squares there is one that a problem goes through. 150 if it lacks one stone, 50 if
  two.
- **Aftereven**, 60 or 20: a group without opponent's stones whose empty squares are all good, and upper squares of
  pairs. 60 if it lacks one stone, 20 if two.
- **Lowinverse**, 30: two pairs in different columns with bad upper squares which a problem lacks, and nothing else.

Every pair of squares and every group counts once for each rule. That rules can exclude each other is not looked at: it
is an evaluation, not a proof.
"""

import numpy as np

from claimeven.solver.kernel import kernel, popcount
from claimeven.solver.players.window.patterns import NONE, ONE, find_windows, squares_of
from claimeven.solver.players.window.words import DIRECTIONS, Slot

CLAIMEVEN_ONE, CLAIMEVEN_TWO, CLAIMEVEN_MORE = 100, 25, 8
BASEINVERSE = 40
VERTICAL_TWO, VERTICAL_THREE = 50, 20
BEFORE_ONE, BEFORE_TWO = 150, 50
AFTEREVEN_ONE, AFTEREVEN_TWO = 60, 20
LOWINVERSE = 30

SQUARES, BOTTOM, TOP, ODD = int(Slot.SQUARES), int(Slot.BOTTOM), int(Slot.TOP), int(Slot.ODD)
CONNECT, STEPS = int(Slot.CONNECT), int(Slot.STEPS)
VERTICAL = 0


@kernel("int64(uint64)")
def _count(squares):
    return np.int64(popcount(squares))


@kernel("int64(uint64[::1], uint64, uint64, uint64)")
def _count_pairs(words, step, stones, free):
    """In how many ways two `free` squares, and nothing else, are what a window of `stones` lacks."""
    _, _, two, _, _ = find_windows(words, step, stones, free)
    # If the next window along lacks two as well, and this one begins with a stone, both lack the same two.
    return _count(two & ~(stones & (two >> step)))


@kernel("int64(uint64[::1], uint64, uint64, int64, int64)")
def _value_groups(words, own, free, one_missing, two_missing):
    """The points of the groups of own stones that lack one or two `free` squares, vertical ones left out."""
    value = np.int64(0)
    for direction in range(VERTICAL + 1, DIRECTIONS):
        _, one, two, _, _ = find_windows(words, words[STEPS + direction], own, free)
        value += one_missing * _count(one) + two_missing * _count(two)
    return value


@kernel("int64(uint64[::1], uint64, uint64, boolean)")
def value_strategy(words, own, opponent, is_first):
    """The points of the side with the `own` stones; `is_first` if it moved first."""
    occupied = own | opponent
    empty = words[SQUARES] & ~occupied
    playable = (occupied + words[BOTTOM]) & words[SQUARES]
    upper = empty & ~playable
    bad = upper & ~words[ODD] if is_first else upper & words[ODD]
    good = upper & ~bad
    lacks_one = lacks_two = lacks_more = NONE
    value = np.int64(0)
    for direction in range(DIRECTIONS):
        step = words[STEPS + direction]
        _, one, two, three, more = find_windows(words, step, opponent, empty)
        lacks_one |= squares_of(words, step, one)
        lacks_two |= squares_of(words, step, two)
        lacks_more |= squares_of(words, step, three | more)
        if direction == VERTICAL:
            # What a vertical window lacks are its top squares.
            top = words[CONNECT] - ONE
            pairs_of_two = bad & (two << top)
            pairs_of_three = bad & ((three << top) | (three << (top - ONE))) & ~pairs_of_two
            value += VERTICAL_TWO * _count(pairs_of_two) + VERTICAL_THREE * _count(pairs_of_three)
        else:
            value += BASEINVERSE * _count_pairs(words, step, opponent, playable)
            value += LOWINVERSE * _count_pairs(words, step, opponent, bad)
    claimed_two = good & lacks_two & ~lacks_one
    claimed_more = good & lacks_more & ~(lacks_one | lacks_two)
    value += CLAIMEVEN_ONE * _count(good & lacks_one)
    value += CLAIMEVEN_TWO * _count(claimed_two) + CLAIMEVEN_MORE * _count(claimed_more)
    below_problems = empty & ~words[TOP] & ((lacks_one | lacks_two | lacks_more) >> ONE)
    value += _value_groups(words, own, below_problems, BEFORE_ONE, BEFORE_TWO)
    value += _value_groups(words, own, good, AFTEREVEN_ONE, AFTEREVEN_TWO)
    return value
