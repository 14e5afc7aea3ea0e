"""Lines of one stream are of one notation, and the kernel reads them as the slow way does."""

from __future__ import annotations

import random

import pytest

from claimeven.solver.board import Board
from claimeven.solver.notation import NotationError, parse_position
from claimeven.solver.notation.line_kernels import BLANK, COMMENT, PLAIN
from claimeven.solver.notation.stream import INVALID, LineStream, NotationConflictError
from claimeven.solver.position import Position

BOARDS = [Board(7, 6), Board(9, 5), Board(4, 4), Board(12, 4), Board(6, 7), Board(5, 4, 3)]


def read(*lines: str, board: Board | None = None, notation: str = "auto") -> list[str]:
    """What each line is: its stones, or the error."""
    board = board or Board()
    stream = LineStream(board, notation)
    found = stream.read("".join(f"{line}\n" for line in lines).encode())
    return [
        found.errors[line]
        if found.kinds[line] == INVALID
        else str(Position(board, int(found.white[line]), int(found.black[line])))
        for line in range(len(found))
    ]


def read_slowly(line: str, board: Board) -> str:
    try:
        return str(parse_position(line, board, "columns"))
    except NotationError as error:
        return str(error)


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_the_kernel_reads_what_the_slow_way_reads(board: Board) -> None:
    chance = random.Random(7)
    symbols = "123456789"[: board.columns] if board.columns <= 9 else "abcdefghijkl"[: board.columns]
    lines = [
        "".join(chance.choice(symbols + ("x" if chance.random() < 0.02 else "")) for _ in range(chance.randint(1, 30)))
        for _ in range(2000)
    ]
    for line, found in zip(lines, read(*lines, board=board, notation="columns"), strict=True):
        assert found == read_slowly(line, board)


def test_blank_lines_comments_suites_and_line_ends() -> None:
    lines = LineStream(Board()).read(b"# a comment\n\n  4455  \n44455554221 -15\r\n4455 7 7\n\t\n4")
    assert lines.kinds.tolist() == [COMMENT, BLANK, PLAIN, PLAIN, INVALID, BLANK, PLAIN]
    assert [lines.text_of(line) for line in (2, 3, 6)] == ["4455", "44455554221", "4"]
    start = LineStream(Board(), blank_is_start=True).read(b"\n")
    assert (start.kinds.tolist(), int(start.white[0]), int(start.black[0])) == ([PLAIN], 0, 0)
    row = LineStream(Board(), has_comments=False).read(b"#\n")
    assert row.kinds.tolist() == [INVALID]


def test_a_column_0_anywhere_in_the_first_lines_makes_all_lines_count_from_0() -> None:
    assert read("3344", "0123") == [str(parse_position(line, notation="columns0")) for line in ("3344", "0123")]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["3457", "0123"],
            "line 2 is counted from 0, but line 1 is counted from 1: say which with --notation columns or "
            "--notation columns0",
        ),
        (
            ["0123", "3457"],
            "line 1 is counted from 0, but line 2 is counted from 1: say which with --notation columns or "
            "--notation columns0",
        ),
        (
            ["123", "d1 d2"],
            "line 2 is written as 'allis', but the lines before it were read as counted from 1: say which with "
            "--notation columns or --notation allis",
        ),
        (
            ["d1 d2", "44"],
            "line 2 is counted from 1, but line 1 is written as 'allis': say which with --notation allis or "
            "--notation columns",
        ),
    ],
)
def test_a_line_that_contradicts_the_others_ends_it_with_both_numbers(lines: list[str], message: str) -> None:
    with pytest.raises(NotationConflictError) as raised:
        read(*lines)
    assert str(raised.value) == message


def test_a_conflict_with_lines_that_were_answered_already() -> None:
    stream = LineStream(Board())
    stream.read(b"123\n")
    with pytest.raises(NotationConflictError, match=r"line 2 is counted from 0, but the lines before it were read"):
        stream.read(b"0123\n")


def test_what_the_user_says_holds_whatever_the_lines_look_like() -> None:
    assert read("123", notation="columns0") == [str(parse_position("123", notation="columns0"))]
    assert read("0", notation="columns")[0].startswith("move 1 (character 1): '0' is not a column")


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        (b"123\n", True),
        (b"1237\n", False),
        (b"1230\n", False),
        (b"6666661\n5\n", True),
        (b"12121\n", True),
        (b"d1 d2\n", False),
        (b"", False),
    ],
)
def test_whether_anything_showed_from_where_columns_are_counted(text: bytes, is_open: bool) -> None:
    stream = LineStream(Board())
    stream.read(text)
    assert stream.is_open == is_open
    assert not LineStream(Board(), "columns").is_open


def test_games_that_end_too_early_when_counted_from_0_are_counted_from_1() -> None:
    # On 4x4, columns 1 to 3 are legal both ways, but five stones do not fit into column 4 of 0 to 3.
    stream = LineStream(Board(4, 5))
    stream.read(b"1212\n33333\n")
    assert stream.is_open
    stream.read(b"444\n")
    assert not stream.is_open
