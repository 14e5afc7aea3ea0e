"""Many positions searched one after the other without Python in between, by every thread that takes part.

What the threads share is a *job*, a row of words: the positions, what is known of each of them, and the number of the
next one to take. A position has one word that says all about it, so that whoever looks at it from another thread sees
it whole:

    | nodes: 40 bits | greatest score + 64: 8 | least score + 64: 8 | state: 8 |

What stops a thread is a *request*, in a word of the thread's own; the control word, which search itself watches, is
only what makes it look there. A request that comes just when the control word is reset may be missed, so whoever makes
one repeats it until it is done.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from claimeven.solver.kernel import kernel
from claimeven.solver.search.alpha_beta import RUN, STOPPED, decide
from claimeven.solver.search.journal import CURRENT_WORD
from claimeven.solver.search.memory import load, load_shared, store, store_shared, take_next
from claimeven.solver.search.questions import is_settled, next_question, question_nodes
from claimeven.solver.search.slots import CONTROL, NODE_LIMIT, NODES
from claimeven.solver.word import WORD_BYTES


class Job(IntEnum):
    """The words of a job."""

    NEXT = 0  # the number of the position to take next
    COUNT = 1
    MOVERS = 2  # addresses: the stones of the side to move, those of the other, what is known
    OTHERS = 3
    KNOWN = 4
    IS_VALUE = 5
    NODE_BUDGET = 6  # of each position


JOB_WORDS = 7


class Thread(IntEnum):
    """The words by which a thread of a job is watched and stopped; the first is its control word."""

    CONTROL = 0
    REQUEST = 1
    CURRENT = CURRENT_WORD  # the position it is at, NOTHING between positions
    QUESTION = 3  # the `alpha` it is asking about, as an unsigned word
    ROOM = 4  # how many nodes a position may take before the table should grow


NO_REQUEST, PAUSE, GIVE_UP = np.uint64(0), np.uint64(1), np.uint64(2)
"""What is requested of a thread: nothing, to come back to Python, or GIVE_UP plus a number, to leave that position."""

OPEN, DECIDED, GIVEN_UP = np.uint64(0), np.uint64(1), np.uint64(2)
"""The states of a position."""

NOTHING = np.uint64((1 << 64) - 1)
ALL_DONE, PAUSED, NEEDS_ROOM = 0, 1, 2
"""Why a thread comes back."""

SCORE_OFFSET = 64
LEAST_SHIFT, GREATEST_SHIFT, NODES_SHIFT = np.uint64(8), np.uint64(16), np.uint64(24)
BYTE, STATE_MASK = np.uint64(255), np.uint64(255)
NEXT, COUNT, MOVERS, OTHERS, KNOWN, IS_VALUE, NODE_BUDGET = (np.uint64(8 * word) for word in Job)
REQUEST, CURRENT, QUESTION, ROOM = (np.uint64(8 * word) for word in list(Thread)[1:])


@kernel("uint64(int64, int64, uint64, uint64)")
def _pack(least, greatest, nodes, state):
    return (
        (nodes << NODES_SHIFT)
        | (np.uint64(greatest + SCORE_OFFSET) << GREATEST_SHIFT)
        | (np.uint64(least + SCORE_OFFSET) << LEAST_SHIFT)
        | state
    )


@kernel("int64(uint64, uint64, uint64, uint64)")
def _decide_one(workspace, job, thread, number):
    """Ask about a position until it is decided or given up; gives why it stopped before that, or ALL_DONE."""
    place = load(job + KNOWN) + number * WORD_BYTES
    known = load_shared(place)
    least = np.int64((known >> LEAST_SHIFT) & BYTE) - SCORE_OFFSET
    greatest = np.int64((known >> GREATEST_SHIFT) & BYTE) - SCORE_OFFSET
    mover = load(load(job + MOVERS) + number * WORD_BYTES)
    other = load(load(job + OTHERS) + number * WORD_BYTES)
    is_value = load(job + IS_VALUE) != np.uint64(0)
    budget = load(job + NODE_BUDGET)
    start = load(workspace + NODES) - (known >> NODES_SHIFT)
    control = load(workspace + CONTROL)
    turn = 0
    while not is_settled(least, greatest, is_value):
        store_shared(control, RUN)
        request = load_shared(thread + REQUEST)
        used = load(workspace + NODES) - start
        room = load_shared(thread + ROOM)
        if request == PAUSE or used >= room:
            store_shared(place, _pack(least, greatest, used, OPEN))
            return PAUSED if request == PAUSE else NEEDS_ROOM
        if request >= GIVE_UP:
            store_shared(thread + REQUEST, NO_REQUEST)
        if request == GIVE_UP + number or used >= budget:
            store_shared(place, _pack(least, greatest, used, GIVEN_UP))
            return ALL_DONE
        short = used + np.uint64(question_nodes(least, greatest, turn))
        limit = min(short, min(room, budget))
        alpha = next_question(least, greatest, turn)
        store(workspace + NODE_LIMIT, start + limit)
        store_shared(thread + QUESTION, np.uint64(alpha))
        bound = decide(workspace, mover, other, alpha)
        if bound == STOPPED:
            # By the limit, by a request or by a thread that had the answer first: the next turn tells.
            if load(workspace + NODES) - start >= short:
                turn += 1
        elif bound > alpha:
            least = max(least, bound)
        else:
            greatest = min(greatest, bound)
    store_shared(place, _pack(least, greatest, load(workspace + NODES) - start, DECIDED))
    return ALL_DONE


@kernel("int64(uint64, uint64, uint64)")
def decide_many(workspace, job, thread):
    """Take positions of the job until there are none left, or until something else has to be done first.

    A position that is not done when the thread comes back is gone on with at the next call.
    """
    while True:
        number = load_shared(thread + CURRENT)
        if number == NOTHING:
            number = take_next(job + NEXT)
            if number >= load(job + COUNT):
                return ALL_DONE
            store_shared(thread + CURRENT, number)
        reason = _decide_one(workspace, job, thread, number)
        if reason != ALL_DONE:
            return reason
        store_shared(thread + CURRENT, NOTHING)
