"""Which question to ask next about a position, and how long: is its score greater than what?

First comes who wins, then, if the exact score is wanted, how soon. So the value never costs more than the score: the
questions are the same up to there.

Who wins is asked in turns. Even turns ask for a *quick* end, a win or a loss with a large score: few moves are worth
looking at then, and where there is a quick end, it is found long before the slow ones are ruled out. Odd turns ask for
the value *directly*. A turn that takes too long is left, with what it found kept in the table. The next of its kind
may take longer, four times as long if it is quick and sixteen times if it is direct: a hard game is slow, and should
not pay much for having been asked for a quick end.

How soon is asked by halves that lean towards 0. A question costs the more the closer it is to the score, from both
sides, and the two next to it have to be asked in any case; so there is not much to gain from a better order.
"""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel
from claimeven.solver.search.budget import NO_LIMIT

SLOW = 8
"""A win that scores no more than this is a slow one."""
SHORT_NODES = 50_000
"""What the first turn may cost."""
LAST_SHIFT = 40


@kernel("boolean(int64, int64, boolean)")
def is_settled(least, greatest, is_value):
    """Whether the scores that are still possible answer the question: all the same or, for the value, of one sign."""
    return least == greatest or (is_value and (least > 0 or greatest < 0))


@kernel("int64(int64, int64, int64)")
def next_question(least, greatest, turn):
    """The `alpha` of the search to do next, where scores from `least` to `greatest` are possible."""
    if least <= 0 <= greatest and max(-least, greatest) > SLOW and turn & 1 == 0:
        half = greatest // 2 if greatest > -least else -(-least // 2)
    elif least <= 0 <= greatest:
        half = 0 if greatest > 0 else -1
    else:
        both = least + greatest
        half = both // 2 if both >= 0 else -(-both // 2)
    return min(max(half, least), greatest - 1)


@kernel("int64(int64, int64, int64)")
def question_nodes(least, greatest, turn):
    """How many nodes that search may take before the next turn: any, where it is known who wins or no end is quick."""
    if least > 0 or greatest < 0 or max(-least, greatest) <= SLOW:
        return NO_LIMIT
    return np.int64(SHORT_NODES) << min(turn if turn & 1 == 0 else 2 * turn + 2, LAST_SHIFT)
