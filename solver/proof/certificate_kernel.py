"""Rule proofs of many positions, each as the text of its certificate, without a call from Python for each.

The certificate is what `prove` gives and the text what `write_certificate` makes of it: the needless instances dropped,
the others by rule and then by squares. Both say in Python what is done here; the tests hold the two together.
"""

from typing import NamedTuple

import numpy as np

from claimeven.solver.kernel import kernel, lowest_bit, popcount, types
from claimeven.solver.kernel.types import typeof
from claimeven.solver.proof.chosen_set import LENGTH, NODES
from claimeven.solver.proof.evaluation import (
    BLACK,
    CONDITION,
    NOT_WHITE,
    PROBLEMS,
    SCRATCH,
    TABLE_TOO_SMALL,
    WHITE,
    evaluate,
)
from claimeven.solver.rules.scene import BITS, GEOMETRY
from claimeven.solver.rules.solution_table import (
    AFTEREVEN,
    BASECLAIM,
    CLAIMEVENS,
    FIRST,
    GROUP,
    RULE,
    SINGLES,
    SOLVES,
    SPECIALBEFORE,
    SQUARES,
)
from claimeven.solver.rules.win_condition import GROUP1, GROUP2, KIND, ODD_THREAT, O, S, V
from claimeven.solver.word import NONE, ONE, WORD

CODES = np.frombuffer(b"CLBIVEAELIHIBCBESB", np.uint8)
SPACE, SLASH, ZERO, LETTER_A, LETTER_C, LETTER_O, LETTER_T = (np.uint8(ord(character)) for character in " /0aCOT")


class Draft(NamedTuple):
    """The chosen set while it becomes a certificate."""

    order: np.ndarray[tuple[int], np.dtype[np.int64]]
    needed: np.ndarray[tuple[int], np.dtype[np.bool_]]
    sizes: np.ndarray[tuple[int], np.dtype[np.int64]]  # problems solved, then squares used
    squares: np.ndarray[tuple[int, int], np.dtype[np.uint64]]  # in the order that RuleInstance documents


def make_draft(groups: int) -> Draft:
    """A draft for a board with so many groups."""
    depth = groups + 2
    return Draft(
        order=np.zeros(depth, np.int64),
        needed=np.zeros(depth, np.bool_),
        sizes=np.zeros(depth, np.int64),
        squares=np.zeros((depth, WORD), np.uint64),
    )


DRAFT = typeof(make_draft(0))
TEXT = types.uint8[::1]


def longest_text(groups: int, connect: int) -> int:
    """No certificate of a board is longer: a set has an instance a group and one more, and a name three characters."""
    return (groups + 3) * (9 * connect + 12)


@kernel(types.void(BITS, types.int64[::1], types.int64, types.int64, DRAFT))
def sort_by_problems(table, chosen, length, words, draft):
    """Order the chosen set by the number of problems solved, the least useful first; equal ones stay in order."""
    for i in range(length):
        size = NONE
        for word in range(words):
            size += popcount(table[SOLVES + word, chosen[i]])
        draft.sizes[i] = np.int64(size)
        place = i
        while place > 0 and draft.sizes[draft.order[place - 1]] > draft.sizes[i]:
            draft.order[place] = draft.order[place - 1]
            place -= 1
        draft.order[place] = i


@kernel(types.void(BITS, types.int64[::1], types.int64, types.int64, types.boolean, DRAFT))
def mark_needed(table, chosen, length, words, keep_afterevens, draft):
    """Mark the instances without those whose problems the others solve too, one after the other."""
    sort_by_problems(table, chosen, length, words, draft)
    draft.needed[:length] = True
    for candidate in draft.order[:length]:
        if keep_afterevens and table[RULE, chosen[candidate]] == AFTEREVEN:
            continue
        missing = NONE
        for word in range(words):
            solved = NONE
            for other in range(length):
                if draft.needed[other] and other != candidate:
                    solved |= table[SOLVES + word, chosen[other]]
            missing |= table[SOLVES + word, chosen[candidate]] & ~solved
        draft.needed[candidate] = missing != NONE


@kernel("int64(uint64, uint64[::1], int64)")
def list_squares(squares, listed, count):
    """Add the numbers of the squares, lowest first; give how many there are then."""
    while squares != NONE:
        listed[count] = lowest_bit(squares)
        squares &= squares - ONE
        count += 1
    return count


@kernel("int64(uint64[:, ::1], int64, uint64[::1])")
def order_squares(table, place, listed):
    """List the squares of a solution in the order that RuleInstance documents; give their number."""
    rule, squares, singles = table[RULE, place], table[SQUARES, place], table[SINGLES, place]
    count = 0
    if rule == BASECLAIM:
        p1, p2 = table[FIRST, place], table[CLAIMEVENS, place]
        count = list_squares(p1, listed, count)
        count = list_squares(p2, listed, count)
        count = list_squares(squares & ~(p1 | p2 | p2 << ONE), listed, count)
        return list_squares(p2 << ONE, listed, count)
    if rule == SPECIALBEFORE:
        count = list_squares(singles & table[GROUP, place], listed, count)
        count = list_squares(singles & ~table[GROUP, place], listed, count)
        return list_squares(squares & ~singles, listed, count)
    return list_squares(squares, listed, count)


@kernel(types.boolean(BITS, types.int64[::1], types.int64, types.int64, DRAFT))
def is_after(table, chosen, one, other, draft):
    """Whether an instance belongs after another: by rule, then by squares, as tuples are compared."""
    rule, other_rule = table[RULE, chosen[one]], table[RULE, chosen[other]]
    if rule != other_rule:
        return rule > other_rule
    for i in range(min(draft.sizes[one], draft.sizes[other])):
        if draft.squares[one, i] != draft.squares[other, i]:
            return draft.squares[one, i] > draft.squares[other, i]
    return draft.sizes[one] > draft.sizes[other]


@kernel(types.int64(BITS, types.int64[::1], types.int64, DRAFT))
def sort_needed(table, chosen, length, draft):
    """Order the needed instances as a certificate lists them; give their number."""
    count = 0
    for i in range(length):
        if not draft.needed[i]:
            continue
        draft.sizes[i] = order_squares(table, chosen[i], draft.squares[i])
        place = count
        while place > 0 and is_after(table, chosen, draft.order[place - 1], i, draft):
            draft.order[place] = draft.order[place - 1]
            place -= 1
        draft.order[place] = i
        count += 1
    return count


@kernel("int64(uint64, uint64, uint8[::1], int64)")
def write_square(square, stride, text, end):
    """Write the name of a square; a board with an even number of rows has a letter for every column."""
    row = np.int64(square % stride) + 1
    text[end] = LETTER_A + np.uint8(square // stride)
    end += 1
    if row > 9:
        text[end] = ZERO + np.uint8(row // 10)
        end += 1
    text[end] = ZERO + np.uint8(row % 10)
    return end + 1


@kernel("int64(uint64, uint64, uint8[::1], int64)")
def write_group(group, stride, text, end):
    """Write a group behind a slash."""
    text[end] = SLASH
    end += 1
    while group != NONE:
        end = write_square(lowest_bit(group), stride, text, end)
        group &= group - ONE
    return end


@kernel("int64(uint64[::1], uint64, uint8[::1], int64)")
def write_condition(condition, stride, text, end):
    """Write White's win condition: `OT` square/group, or `TC` crossing, odd, even/odd group/even group."""
    is_odd_threat = condition[KIND] == ODD_THREAT
    text[end] = LETTER_O if is_odd_threat else LETTER_T
    text[end + 1] = LETTER_T if is_odd_threat else LETTER_C
    end = write_square(condition[S], stride, text, end + 2)
    if is_odd_threat:
        return write_group(condition[GROUP1], stride, text, end)
    end = write_square(condition[O], stride, text, end)
    end = write_square(condition[V], stride, text, end)
    end = write_group(condition[GROUP1], stride, text, end)
    return write_group(condition[GROUP2], stride, text, end)


@kernel(types.int64(GEOMETRY, SCRATCH, types.int64, DRAFT, TEXT, types.int64))
def write_proof(geometry, work, result, draft, text, end):
    """Write the certificate of the proof that `evaluate` found just now; give where it ends."""
    start = end
    words = (work.counters[PROBLEMS] + WORD - 1) // WORD
    length = work.counters[LENGTH]
    mark_needed(work.table, work.chosen, length, words, result == BLACK, draft)
    if result == WHITE:
        end = write_condition(work.conditions[work.counters[CONDITION]], geometry.stride, text, end)
    for i in draft.order[: sort_needed(work.table, work.chosen, length, draft)]:
        if end > start:
            text[end] = SPACE
            end += 1
        place = work.chosen[i]
        code = 2 * np.int64(work.table[RULE, place])
        text[end], text[end + 1] = CODES[code], CODES[code + 1]
        end += 2
        for square in draft.squares[i, : draft.sizes[i]]:
            end = write_square(square, geometry.stride, text, end)
        if work.table[GROUP, place] != NONE:
            end = write_group(work.table[GROUP, place], geometry.stride, text, end)
    return end


_STONES = types.uint64[::1]
_NUMBERS = types.int64[::1]


@kernel(
    types.int64(
        GEOMETRY, SCRATCH, DRAFT, _STONES, _STONES, types.int64, types.int64,
        types.int8[::1], _NUMBERS, types.boolean, types.int64, TEXT, _NUMBERS,
    )
)  # fmt: skip
def prove_all(
    geometry, work, draft, whites, blacks, budget, first, results, nodes, with_text, room, text, lengths
):  # fmt: skip
    """What `evaluate` says of the positions from `first` on, the nodes each took and the certificates of the proofs.

    Stops before the end where `text` has not `room` left for a certificate of any length, and at a position for which
    the table is too small, with that as its result; gives the position it stopped at. The text begins anew.
    """
    end = 0
    for i in range(first, whites.shape[0]):
        if with_text and end + room > text.shape[0]:
            return i
        result = evaluate(geometry, work, whites[i], blacks[i], budget)
        results[i] = result
        if result == TABLE_TOO_SMALL:
            return i
        nodes[i] = work.counters[NODES]
        lengths[i] = 0
        if with_text and result in (NOT_WHITE, BLACK, WHITE):
            start = end
            end = write_proof(geometry, work, result, draft, text, end)
            lengths[i] = end - start
    return whites.shape[0]
