"""Lines of positions, all of one notation: what the user says, or what the lines show beyond doubt.

Column strings counted from 0 and from 1 look alike, and one line may leave it open, so the base belongs to the stream.
Plain column strings become arrays in a kernel; whatever else a line is, it is read on its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.board import Board
from claimeven.solver.notation import AUTO, detect_notation, parse_position
from claimeven.solver.notation.columns import alphabet
from claimeven.solver.notation.error import NotationError, quote
from claimeven.solver.position import Position

INVALID = 4
"""Beside the kinds that `line_kernels` tells: a line that is no position."""


class NotationConflictError(NotationError):
    """Two lines of one stream that cannot be of the same notation."""


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Lines of a stream as arrays: where the text that counts lies, its kind, and the stones of the positions.

    `errors` says what is wrong with the lines that are INVALID. `numbers` are those of the lines in the file, from 1.
    """

    numbers: NDArray[np.int64]
    text: NDArray[np.uint8]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    kinds: NDArray[np.int8]
    white: NDArray[np.uint64]
    black: NDArray[np.uint64]
    errors: dict[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.kinds)

    def number(self, line: int) -> int:
        """The number of a line in the file."""
        return int(self.numbers[line])

    def text_of(self, line: int) -> str:
        """The text of a line, the part that counts; what is no UTF-8 is replaced."""
        return self.text[self.starts[line] : self.ends[line]].tobytes().decode("utf-8", "replace")


class LineStream:
    """Reads the lines of one stream, chunk after chunk, in one notation.

    >>> from claimeven.solver.notation.line_kernels import PLAIN
    >>> lines = LineStream(Board(7, 6)).read(b"4455\\n44444 -2\\n8\\n")
    >>> [int(kind) for kind in lines.kinds] == [PLAIN, PLAIN, INVALID], lines.text_of(1), lines.errors[2]
    (True, '44444', "move 1 (character 1): '8' is not a column of the 7x6 board (1 to 7)")
    """

    def __init__(
        self, board: Board, notation: str = AUTO, *, blank_is_start: bool = False, has_comments: bool = True
    ) -> None:
        self._board = board
        self._blank_is_start = blank_is_start
        self._has_comments = has_comments
        self._asked = notation
        self._notation = None if notation == AUTO else notation
        self._settled_by = 0  # the line that showed which notation it is
        self._number = 0
        self._may_count_from_0 = True
        self._answered = 0  # lines that were read while the base was open

    @property
    def is_open(self) -> bool:
        """Whether column strings were read as counted from 1 though nothing in any of them says so."""
        return self._asked == AUTO and self._notation is None and bool(self._answered) and self._may_count_from_0

    def read(self, chunk: bytes, numbers: Sequence[int] | None = None) -> Lines:
        """The next lines; raises NotationConflictError where one contradicts what an earlier one showed.

        `numbers` are those that messages have for them, if they are not all the lines of a file one after the other.
        """
        from claimeven.solver.notation.line_kernels import BLANK, PLAIN

        text = np.frombuffer(chunk, dtype=np.uint8)
        starts, ends = _split(text)
        first, self._number = self._number + 1, self._number + len(starts)
        numbered = np.arange(first, first + len(starts)) if numbers is None else np.array(numbers, np.int64)
        lines = self._read_plain(numbered, text, starts, ends)
        if self._asked == AUTO and self._notation is None:
            shown = self._find_notation(lines)
            if shown is not None:
                self._settle(*shown)
            if self._notation not in (None, "columns"):
                lines = self._read_plain(numbered, text, starts, ends)
            elif self._notation is None:
                self._look_for_doubt(lines, text, starts, ends)
        self._read_odd_ones(lines)
        if self._blank_is_start:
            lines.kinds[lines.kinds == BLANK] = PLAIN
        return lines

    def _read_plain(
        self,
        numbers: NDArray[np.int64],
        text: NDArray[np.uint8],
        starts: NDArray[np.int64],
        ends: NDArray[np.int64],
        base: int | None = None,
    ) -> Lines:
        """The lines with all that the kernel can read; in another notation than column strings that is nothing."""
        from claimeven.solver.notation.line_kernels import BLANK, COMMENT, ODD, read_plain

        count = len(starts)
        lines = Lines(
            numbers,
            text,
            starts.copy(),
            ends.copy(),
            np.zeros(count, np.int8),
            np.zeros(count, np.uint64),
            np.zeros(count, np.uint64),
        )
        marked = np.zeros(count, np.bool_)
        is_settling = base is None and self._asked == AUTO
        if base is None:
            base = 0 if self._notation == "columns0" else 1
        board, symbols = self._board, alphabet(self._board, base)
        can_be_plain = self._notation in (None, "columns", "columns0") and len(symbols) == board.columns
        is_digits = board.columns <= 9
        symbol, mark = (ord(symbols[0]), ord(symbols[0 if base == 0 else -1])) if can_be_plain else (255, 255)
        setting = np.array([board.columns, board.rows, board.connect, symbol, mark if is_digits else 255], np.int64)
        read_plain(text, lines.starts, lines.ends, setting, lines.white, lines.black, lines.kinds, marked)
        if not self._has_comments:
            lines.kinds[lines.kinds == COMMENT] = ODD
        if not can_be_plain:
            lines.kinds[(lines.kinds != BLANK) & (lines.kinds != COMMENT)] = ODD
        if is_settling and base == 1 and marked.any():
            self._settle("columns", lines.number(int(marked.argmax())))
        return lines

    def _settle(self, notation: str, line: int) -> None:
        """Take a line for what shows the notation; raises NotationConflictError if another was shown before."""
        if self._notation is None and (notation == "columns" or not self._answered):
            self._notation, self._settled_by = notation, line
        if self._notation == notation:
            return
        known = self._notation or "columns"
        before = f"line {self._settled_by} is" if self._settled_by else "the lines before it were read as"
        raise NotationConflictError(
            f"line {line} is {_describe(notation)}, but {before} {_describe(known)}: say which with "
            f"--notation {known} or --notation {notation}"
        )

    def _find_notation(self, lines: Lines) -> tuple[str, int] | None:
        """The notation that the lines show beyond doubt, with the number of the line that does; None if none does.

        That is the one of the first line that can be read, if it is no column string, or counting from 0 if any column
        string has a column 0.
        """
        from claimeven.solver.notation.line_kernels import ODD, PLAIN

        plain = np.flatnonzero(lines.kinds == PLAIN)
        first_columns = int(plain[0]) if len(plain) else len(lines)
        for line in np.flatnonzero(lines.kinds == ODD).tolist():
            found = _find_reading(_first_word(lines.text_of(line)), self._board)
            if found == "columns":
                first_columns = min(first_columns, int(line))
            elif found == "columns0" or (found is not None and line < first_columns):
                return found, lines.number(line)
        return None

    def _look_for_doubt(
        self, lines: Lines, text: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> None:
        """Note that lines were read as counted from 1, and whether they could have been counted from 0 instead."""
        from claimeven.solver.notation.line_kernels import PLAIN

        plain = lines.kinds == PLAIN
        if not plain.any() or self._board.columns > 9:
            return
        self._answered += len(lines)
        if self._may_count_from_0:
            other = self._read_plain(lines.numbers, text, starts, ends, 0)
            self._may_count_from_0 = bool((other.kinds[plain] == PLAIN).all())

    def _read_odd_ones(self, lines: Lines) -> None:
        """Read on its own every line that the kernel could not read."""
        from claimeven.solver.notation.line_kernels import ODD, PLAIN

        for line in np.flatnonzero(lines.kinds == ODD).tolist():
            text = lines.text_of(line)
            word = _first_word(text)
            try:
                position = self._read_alone(word, lines.number(line))
            except NotationConflictError:
                raise
            except NotationError as error:
                lines.kinds[line] = INVALID
                lines.errors[int(line)] = str(error)
            else:
                if self._asked == AUTO and self._notation is None:
                    self._answered += 1  # as a column string counted from 1
                lines.kinds[line] = PLAIN
                lines.white[line], lines.black[line] = position.white, position.black
            if len(word) < len(text):
                lines.ends[line] = lines.starts[line] + len(word.encode("utf-8", "replace"))

    def _read_alone(self, text: str, line: int) -> Position:
        """The position of a line; raises NotationConflictError if it is right in another notation only."""
        known = self._notation or "columns" if self._asked == AUTO else self._asked
        try:
            return parse_position(text, self._board, known)
        except NotationError:
            found = _find_reading(text, self._board, known) if self._asked == AUTO else None
            if found is None:
                raise
        if self._notation is not None or self._answered:
            self._settle(found, line)
        return parse_position(text, self._board, found)


def _split(text: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the lines start and end; one without a line feed at the end is a line too."""
    feeds = np.flatnonzero(text == 10).astype(np.int64)
    ends = np.append(feeds, len(text)) if len(text) and text[-1] != 10 else feeds
    starts = np.concatenate([np.zeros(1, np.int64), ends[:-1] + 1]) if len(ends) else ends.copy()
    return starts, ends


def _first_word(text: str) -> str:
    """The moves of a line of a suite file, which have a score behind them; every other text as it is."""
    words = text.split()
    if len(words) == 2 and words[0].isalnum() and words[1].lstrip("+-").isdecimal():
        return words[0]
    return text


def _reads(text: str, board: Board, notation: str) -> bool:
    try:
        parse_position(text, board, notation)
    except NotationError:
        return False
    return True


def _find_reading(text: str, board: Board, wrong: str | None = None) -> str | None:
    """The notation that a text is written in, if it is right in that one, which one known to be wrong is not."""
    try:
        found = detect_notation(text, board)
    except NotationError:
        return None
    return found if found != wrong and _reads(text, board, found) else None


def _describe(notation: str) -> str:
    return {"columns": "counted from 1", "columns0": "counted from 0"}.get(notation, f"written as {quote(notation)}")
