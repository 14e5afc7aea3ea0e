"""Lines on bitboards: the squares that would complete one, and whether one could still be made."""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel
from claimeven.solver.search.memory import load
from claimeven.solver.search.slots import CONNECT, IS_FAST, STRIDE
from claimeven.solver.word import NONE, ONE, TWO, WORD

THREE = np.uint64(3)
WORD_BITS = np.uint64(WORD)


@kernel("uint64(uint64, uint64)")
def _gaps(stones, step):
    """The squares that have three stones of a line of four in the direction of `step` beside them."""
    twice, thrice = step + step, step + step + step
    left = (stones << step) & (stones << twice)
    right = (stones >> step) & (stones >> twice)
    return (left & ((stones << thrice) | (stones >> step))) | (right & ((stones << step) | (stones >> thrice)))


@kernel("uint64(uint64, uint64)")
def _shift_down(word, amount):
    """`word >> amount`, also for amounts of a whole word and more, which the processor takes modulo 64."""
    return word >> amount if amount < WORD_BITS else NONE


@kernel("uint64(uint64, uint64)")
def _shift_up(word, amount):
    return word << amount if amount < WORD_BITS else NONE


@kernel("uint64(uint64, uint64)")
def _direction(stride, number):
    """The steps of the four directions: vertical, horizontal, rising, falling."""
    if number == NONE:
        return ONE
    return stride + number - TWO


@kernel("uint64(uint64, uint64, uint64)")
def _threats_of_any_length(workspace, stones, empty):
    stride, connect = load(workspace + STRIDE), load(workspace + CONNECT)
    found = NONE
    number = NONE
    while number <= THREE:
        step = _direction(stride, number)
        gap = NONE
        while gap < connect:
            line = empty
            place = NONE
            while place < connect:
                if place < gap:
                    line &= _shift_up(stones, step * (gap - place))
                elif place > gap:
                    line &= _shift_down(stones, step * (place - gap))
                place += ONE
            found |= line
            gap += ONE
        number += ONE
    return found


@kernel("uint64(uint64, uint64, uint64)")
def threats(workspace, stones, empty):
    """The empty squares, playable or not, where one more stone would make a line."""
    if load(workspace + IS_FAST) == NONE:
        return _threats_of_any_length(workspace, stones, empty)
    stride = load(workspace + STRIDE)
    found = (stones << ONE) & (stones << TWO) & (stones << THREE)
    found |= _gaps(stones, stride) | _gaps(stones, stride + ONE) | _gaps(stones, stride - ONE)
    return found & empty


@kernel("boolean(uint64, uint64)")
def _has_line_of_any_length(workspace, stones):
    stride, connect = load(workspace + STRIDE), load(workspace + CONNECT)
    number = NONE
    while number <= THREE:
        step = _direction(stride, number)
        run = stones
        count = ONE
        while count < connect:
            run &= _shift_down(run, step)
            count += ONE
        if run != NONE:
            return True
        number += ONE
    return False


@kernel("boolean(uint64, uint64)")
def has_line(workspace, stones):
    """Whether the stones contain a line."""
    stride = load(workspace + STRIDE)
    if load(workspace + IS_FAST) == NONE:
        return _has_line_of_any_length(workspace, stones)
    pair = stones & (stones >> ONE)
    found = pair & (pair >> TWO)
    pair = stones & (stones >> stride)
    found |= pair & (pair >> (stride + stride))
    rising = stride + ONE
    pair = stones & (stones >> rising)
    found |= pair & (pair >> (rising + rising))
    falling = stride - ONE
    pair = stones & (stones >> falling)
    found |= pair & (pair >> (falling + falling))
    return found != NONE
