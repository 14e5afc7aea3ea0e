from __future__ import annotations

import pytest

from claimeven.solver.board import Board
from claimeven.solver.notation import NotationError, format_moves, parse_moves, parse_position


def test_a_request_is_the_column_string_after_pos() -> None:
    assert parse_moves("pos=475") == (3, 6, 4)
    assert parse_moves("pos=") == ()
    assert format_moves((3, 6, 4), notation="online") == "pos=475"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("475", "character 1: expected pos=, found '475'"),
        ("xpos=475", "character 1: expected pos="),
        ("pos=485", r"^move 2 \(character 6\): '8' is not a column"),
        ("pos=047", r"^move 1 \(character 5\): '0' is not a column"),
        ("pos=475&x", r"^move 4 \(character 8\): '&' is not a column"),
    ],
)
def test_a_bad_request_is_refused_by_its_character(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_position(text, Board(), "online")
