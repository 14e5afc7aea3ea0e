"""Which question to ask next about a position: is its score greater than what?

Quick wins and quick losses are asked for first: few moves are worth looking at then, which costs little and fills the
table with what the harder questions need. Who only wants the value is *patient* about that until such a question takes
too long.
"""

from __future__ import annotations

from claimeven.solver.kernel import kernel

SLOW = 8
"""A win that scores no more than this is a slow one."""


@kernel("boolean(int64, int64, boolean)")
def is_settled(least, greatest, is_value):
    """Whether the scores that are still possible answer the question: all the same or, for the value, of one sign."""
    return least == greatest or (is_value and (least > 0 or greatest < 0))


@kernel("boolean(int64, int64, boolean, boolean)")
def asks_for_quick_end(least, greatest, is_value, is_patient):
    """Whether the next question is only about a quick end, though the value is wanted."""
    return is_value and is_patient and max(-least, greatest) > SLOW


@kernel("int64(int64, int64, boolean, boolean)")
def next_question(least, greatest, is_value, is_patient):
    """The `alpha` of the search to do next, where scores from `least` to `greatest` are possible."""
    if max(-least, greatest) > SLOW and is_patient:
        half = greatest // 2 if greatest > -least else -(-least // 2)
    elif least < 0 < greatest or is_value:
        half = 0 if greatest > 0 else -1
    else:
        both = least + greatest
        half = both // 2 if both >= 0 else -(-both // 2)
    return min(max(half, least), greatest - 1)
