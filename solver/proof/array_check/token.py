"""The text of a certificate, token by token: `BEa4a5b4b5/a4b4c4d4` is a code, squares, and groups behind slashes.

Nothing is read beyond the end that is given, whatever the bytes are.
"""

from typing import NamedTuple

import numpy as np

from claimeven.solver.kernel import kernel, types
from claimeven.solver.kernel.types import typeof
from claimeven.solver.word import NONE, ONE

# The codes in the order of §6, so that the first nine numbers are the rules; then the two win conditions.
CODES = np.frombuffer(b"CLBIVEAELIHIBCBESBOTTC", np.uint8)
CLAIMEVEN, BASEINVERSE, VERTICAL, AFTEREVEN, LOWINVERSE, HIGHINVERSE, BASECLAIM, BEFORE, SPECIALBEFORE = range(9)
ODD_THREAT, THREAT_COMBINATION = 9, 10
NO_CODE = -1

# The numbers of a token.
CODE = 0
NAMED = 1  # how many squares it names before the first slash
GROUPS = 2  # how many groups
GROUP_SIZES = 3  # and the next: how many squares each of them names

MOST_SQUARES = 64  # one more would be named twice
MOST_GROUPS = 2

SPACE, SLASH, ZERO, NINE, LETTER_A = (ord(character) for character in " /09a")


class Token(NamedTuple):
    """What a token names: squares in their order, one bit each, and groups as sets."""

    numbers: np.ndarray[tuple[int], np.dtype[np.int64]]
    squares: np.ndarray[tuple[int], np.dtype[np.uint64]]
    groups: np.ndarray[tuple[int], np.dtype[np.uint64]]


def make_token() -> Token:
    return Token(
        np.zeros(GROUP_SIZES + MOST_GROUPS, np.int64),
        np.zeros(MOST_SQUARES, np.uint64),
        np.zeros(MOST_GROUPS, np.uint64),
    )


TOKEN = typeof(make_token())
TEXT = types.Array(types.uint8, 1, readonly=True)


@kernel("boolean(int64)")
def is_blank(byte):
    """Whether a byte is one of those between tokens."""
    return byte == SPACE or 9 <= byte <= 13 or 28 <= byte <= 31


@kernel(types.int64(TEXT, types.int64, types.int64))
def start_of_token(text, at, stop):
    """Where the next token begins, `stop` if there is none."""
    while at < stop and is_blank(text[at]):
        at += 1
    return at


@kernel(types.int64(TEXT, types.int64, types.int64))
def end_of_token(text, at, stop):
    """Where the token that begins here ends."""
    while at < stop and not is_blank(text[at]):
        at += 1
    return at


@kernel(types.int64(TEXT, types.int64, types.int64))
def read_code(text, start, stop):
    """The number of the code with which a token begins, NO_CODE if it is none."""
    if stop - start >= 2:
        for code in range(CODES.shape[0] // 2):
            if text[start] == CODES[2 * code] and text[start + 1] == CODES[2 * code + 1]:
                return code
    return NO_CODE


@kernel(types.int64(TEXT, types.int64, types.int64, types.int64, types.int64))
def read_name(text, start, stop, columns, rows):
    """The square named from `start` on, plus 64 for each byte of its name; -1 if none is named there."""
    column = np.int64(text[start]) - LETTER_A
    end = start + 1
    row = 0
    while end < stop and end < start + 4 and ZERO <= text[end] <= NINE:
        row = 10 * row + np.int64(text[end]) - ZERO
        end += 1
    if column < 0 or column >= columns or row < 1 or row > rows or text[start + 1] == ZERO:
        return -1
    return 64 * (end - start) + column * (rows + 1) + row - 1


@kernel(types.boolean(types.int64[::1]))
def has_form(numbers):
    """Whether a token names as many squares and groups as its code asks for; the rules count their squares later."""
    if numbers[CODE] == ODD_THREAT:
        return numbers[NAMED] == 1 and numbers[GROUPS] == 1
    if numbers[CODE] == THREAT_COMBINATION:
        return numbers[NAMED] == 3 and numbers[GROUPS] == 2
    has_group = numbers[CODE] == AFTEREVEN or numbers[CODE] == BEFORE or numbers[CODE] == SPECIALBEFORE
    return numbers[GROUPS] == (1 if has_group else 0)


@kernel(types.boolean(TEXT, types.int64, types.int64, types.int64, types.int64, TOKEN))
def read_token(text, start, stop, columns, rows, token):
    """Fill in what the token from `start` to `stop` names; False if it is no token of this board."""
    token.numbers[:] = 0
    token.groups[:] = NONE
    token.numbers[CODE] = read_code(text, start, stop)
    if token.numbers[CODE] == NO_CODE:
        return False
    at = start + 2
    while at < stop:
        group = token.numbers[GROUPS] - 1
        if text[at] == SLASH:
            if token.numbers[GROUPS] == MOST_GROUPS:
                return False
            token.numbers[GROUPS] += 1
            at += 1
            continue
        name = read_name(text, at, stop, columns, rows)
        if name < 0:
            return False
        square = ONE << np.uint64(name % 64)
        if group >= 0:
            token.groups[group] |= square
            token.numbers[GROUP_SIZES + group] += 1
        elif token.numbers[NAMED] == MOST_SQUARES:
            return False
        else:
            token.squares[token.numbers[NAMED]] = square
            token.numbers[NAMED] += 1
        at += name // 64
    return has_form(token.numbers)
