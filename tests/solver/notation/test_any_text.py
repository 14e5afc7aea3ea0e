from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from claimeven.solver.board import Board
from claimeven.solver.notation import AUTO, NOTATIONS, NotationError, format_moves, parse_position
from claimeven.solver.position import Position
from tests.solver.games import BOARDS, Game, games


def read_or_refuse(text: str, board: Board | None, notation: str) -> None:
    """Read a text; whatever it is, the answer is a possible position or a NotationError of one short line."""
    try:
        position = parse_position(text, board, notation)
    except NotationError as error:
        message = str(error)
        assert message
        assert message.isprintable()
        assert len(message) < 200
    else:
        assert Position.from_stones(position.board, position.white, position.black) == position
        assert board is None or position.board == board


boards = st.sampled_from((None, *BOARDS))
notations = st.sampled_from(NOTATIONS)
near_misses = st.sampled_from("0123456789abcdgklxoXO.,/ \n[]{}:\"'-+e_pos=٣²\u212a\ud800\0")


@given(st.text() | st.text(near_misses), boards, notations)
@example("\u2028", None, "auto")
@example("1" * 10_000, Board(12, 4), "auto")
@example("[" * 100_000, None, "auto")
@example('{"grid":' * 100_000, None, "auto")
def test_any_text_is_read_or_refused(text: str, board: Board | None, notation: str) -> None:
    read_or_refuse(text, board, notation)


@given(games(), notations, notations, st.data())
def test_text_with_a_slip_in_it_is_read_or_refused(game: Game, written: str, read: str, data: st.DataObject) -> None:
    board, columns = game
    text = format_moves(columns, board, "columns" if written == AUTO else written)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 3, len(text))))
        text = text[:start] + data.draw(st.text(near_misses, max_size=2)) + text[end:]
    read_or_refuse(text, data.draw(st.sampled_from((board, None))), data.draw(st.sampled_from((written, read, AUTO))))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 8) | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=7) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=20,
)
grids = st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=4) | json_values, min_size=3, max_size=4)
sizes = st.integers(3, 4) | json_values
questions = st.fixed_dictionaries(
    {},
    optional={"height": sizes, "width": sizes, "player": st.integers(0, 3) | json_values, "grid": grids | json_values},
)


@given(questions | json_values | st.lists(st.integers(0, 2) | json_values, min_size=16, max_size=16), boards)
def test_any_json_is_read_or_refused(value: Any, board: Board | None) -> None:
    for notation in ("auto", "json", "kaggle"):
        read_or_refuse(json.dumps(value), board, notation)
        read_or_refuse(json.dumps(value), Board(4, 4), notation)
