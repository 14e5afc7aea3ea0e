"""Column strings by the thousand, as kernels: lines of text in, stones out, and answers behind their lines."""

from __future__ import annotations

import numpy as np

from claimeven.solver.kernel import kernel, types

ODD, PLAIN, BLANK, COMMENT = 0, 1, 2, 3
"""What a line is: a plain column string, nothing, a comment, or something that has to be read with more care."""

_TEXT = types.Array(types.uint8, 1, readonly=True)
_BYTES, _PLACES, _STONES = types.uint8[::1], types.int64[::1], types.uint64[::1]
_NONE, _ONE, _WORD = np.uint64(0), np.uint64(1), np.uint64(64)
SPACE, HASH, PLUS, MINUS, ZERO, NINE = (np.uint8(ord(symbol)) for symbol in " #+-09")


@kernel("boolean(uint8)")
def _is_space(symbol):
    return symbol == SPACE or np.uint8(9) <= symbol <= np.uint8(13)


@kernel(types.boolean(_TEXT, types.int64, types.int64))
def _is_number(text, start, end):
    """Whether a piece of text is a whole number, as the score of a suite file is."""
    if start < end and (text[start] == PLUS or text[start] == MINUS):
        start += 1
    for place in range(start, end):
        if not ZERO <= text[place] <= NINE:
            return False
    return start < end


@kernel("boolean(uint64, uint64, int64)")
def _has_line(stones, stride, connect):
    for step in (_ONE, stride, stride + _ONE, stride - _ONE):
        if step >= _WORD:  # on a board of one column, where nothing lies in that direction
            continue
        run = stones
        for _ in range(connect - 1):
            run &= run >> step
        if run != _NONE:
            return True
    return False


@kernel(
    types.void(
        _TEXT,
        _PLACES,
        _PLACES,
        types.int64[::1],
        _STONES,
        _STONES,
        types.int8[::1],
        types.boolean[::1],
    )
)
def read_plain(text, starts, ends, setting, white, black, kinds, marked):
    """Read lines as plain column strings, each from `starts` to `ends`, which are moved to the text that counts.

    `setting` is columns, rows, connect, the symbol of the first column, and the one that only strings counted this
    way can have (`marked` says which do). A line of two words, the second of them a number, is the first word. Where
    `kinds` is not PLAIN the stones say nothing. Strings that are wrong are ODD too: reading them tells what is wrong.
    """
    columns, rows, connect = setting[0], setting[1], setting[2]
    first, mark = np.int64(setting[3]), np.int64(setting[4])
    stride = np.uint64(rows + 1)
    above = _ONE << np.uint64(rows)
    column_squares = (above - _ONE) << _ONE | _ONE  # with the one above, where a stone of a full column would lie
    for line in range(starts.shape[0]):
        start, end = starts[line], ends[line]
        while start < end and _is_space(text[start]):
            start += 1
        while end > start and _is_space(text[end - 1]):
            end -= 1
        starts[line], ends[line] = start, end
        kinds[line] = ODD
        marked[line] = False
        if start == end:
            kinds[line] = BLANK
            continue
        if text[start] == HASH:
            kinds[line] = COMMENT
            continue
        mover, other, last = _NONE, _NONE, _NONE
        is_marked = False
        place = start
        while place < end:
            symbol = np.int64(text[place])
            column = symbol - first
            if column < 0 or column >= columns:
                break
            shift = np.uint64(column) * stride
            last = ((mover | other) + (_ONE << shift)) & (column_squares << shift)
            if last >> shift == above:
                break
            is_marked |= symbol == mark
            mover, other = other, mover | last
            place += 1
        if place < end:
            if not _is_space(text[place]):
                continue
            number = place
            while _is_space(text[number]):
                number += 1
            if not _is_number(text, number, end):
                continue
            end = place
        # A line stays, so one look at the end finds every game that went on after its end.
        if _has_line(mover, stride, connect) or _has_line(other ^ last, stride, connect):
            continue
        ends[line] = end
        kinds[line] = PLAIN
        marked[line] = is_marked
        is_odd = (end - start) & 1 == 1
        white[line] = other if is_odd else mover
        black[line] = mover if is_odd else other


@kernel(types.int64(_TEXT, _PLACES, _PLACES, types.int64[::1], _TEXT, _PLACES, _BYTES))
def write_answers(text, starts, ends, answers, words, offsets, out):
    """Write each line's text, a space, its answer (a piece of `words`) and a line feed; gives the length of it all."""
    # Places as unsigned numbers: they do not count from the end, which is tested for each of the others.
    at = 0
    for line in range(starts.shape[0]):
        start, length = starts[line], ends[line] - starts[line]
        for place in range(length):
            out[np.uint64(at + place)] = text[np.uint64(start + place)]
        at += length
        out[at] = SPACE
        at += 1
        answer = answers[line]
        start, length = offsets[answer], offsets[answer + 1] - offsets[answer]
        for place in range(length):
            out[np.uint64(at + place)] = words[np.uint64(start + place)]
        at += length
        out[at] = np.uint8(10)
        at += 1
    return at
