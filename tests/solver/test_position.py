from __future__ import annotations

import copy
import pickle
from collections import defaultdict
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimeven import Position
from claimeven.solver.board import MAX_BITS, Bitboard, Board, bits
from claimeven.solver.position import IllegalMoveError, PositionError, Side, describe_end, has_line
from tests.solver.games import BOARDS, Game, games, positions
from tests.solver.test_board import lines_by_coordinates

boards = pytest.mark.parametrize("board", BOARDS, ids=str)


def stones(board: Board, names: str) -> Bitboard:
    return sum(1 << board.find_square(name) for name in names.split())


def played(moves: str, board: Board | None = None) -> Position:
    """The position after moves written as digits from 1."""
    return Position.from_moves(board or Board(), (int(move) - 1 for move in moves))


def successors(layer: set[Position]) -> set[Position]:
    return {position.play(column) for position in layer for column in position.legal_columns}


def test_the_empty_board_is_whites_turn_with_every_column_open() -> None:
    start = Position.start()
    assert start.board == Board(7, 6, 4)
    assert (start.ply, start.to_move, start.winner, start.is_over) == (0, Side.WHITE, None, False)
    assert start.legal_columns == [0, 1, 2, 3, 4, 5, 6]
    assert start.playable == start.board.bottom


def test_a_position_prints_from_the_top_with_x_for_white() -> None:
    assert str(played("44435", Board(5, 4))) == ".....\n...x.\n...o.\n..oxx"


@given(games())
def test_each_move_adds_one_stone_of_the_side_to_move_on_top_of_its_column(game: Game) -> None:
    board, columns = game
    history = [Position.start(board)]
    for column in columns:
        history.append(history[-1].play(column))
    for column, (before, after) in zip(columns, pairwise(history), strict=True):
        added = before.occupied ^ after.occupied
        assert added == before.playable & board.column_squares(column)
        assert after.stones(before.to_move) == before.stones(before.to_move) | added
        assert after.stones(before.to_move.opponent) == before.stones(before.to_move.opponent)
        assert after.ply == before.ply + 1
        assert after.to_move is before.to_move.opponent
    assert history[-1] == Position.from_moves(board, columns)


@given(positions())
def test_occupied_and_empty_squares_partition_the_board(position: Position) -> None:
    assert position.occupied ^ position.empty == position.board.squares
    assert position.white ^ position.black == position.occupied
    assert position.playable & ~position.empty == 0


@given(positions())
def test_mirroring_twice_gives_the_position_back(position: Position) -> None:
    assert position.mirror().mirror() == position


@given(games())
def test_mirrored_moves_lead_to_the_mirrored_position(game: Game) -> None:
    board, columns = game
    position = Position.from_moves(board, columns)
    mirrored = Position.from_moves(board, (board.columns - 1 - column for column in columns))
    assert mirrored == position.mirror()
    assert mirrored.winner is position.winner
    assert mirrored.legal_columns == [board.columns - 1 - column for column in reversed(position.legal_columns)]
    assert str(mirrored).splitlines() == [row[::-1] for row in str(position).splitlines()]


@given(positions())
def test_a_key_gives_its_position_back(position: Position) -> None:
    assert Position.from_key(position.board, position.key) == position
    assert 0 < position.key < 2**MAX_BITS


@given(positions())
def test_mirror_images_share_their_canonical_key(position: Position) -> None:
    assert position.canonical_key == position.mirror().canonical_key
    assert Position.from_key(position.board, position.canonical_key) in (position, position.mirror())


@pytest.mark.parametrize("board", [Board(4, 4), Board(5, 4, 3), Board(10, 5)], ids=str)
def test_only_mirror_images_share_a_canonical_key(board: Board) -> None:
    layer = {Position.start(board)}
    sharing: dict[int, set[Position]] = defaultdict(set)
    keys: dict[int, Position] = {}
    for _ in range(5 if board.columns < 10 else 4):
        for position in layer:
            sharing[position.canonical_key].add(position)
            assert keys.setdefault(position.key, position) == position
        layer = successors(layer)
    for sharers in sharing.values():
        some = next(iter(sharers))
        assert sharers == {some, some.mirror()}


def test_the_number_of_7x6_positions_of_each_ply_is_the_known_one() -> None:
    layer = {Position.start()}
    counts = []
    for _ in range(6):
        counts.append(len({position.key for position in layer}))
        layer = successors(layer)
    assert counts == [1, 7, 49, 238, 1120, 4263]


def test_keys_are_whites_stones_and_a_guard_on_every_column() -> None:
    start = Position.start()
    assert start.key == start.board.bottom
    assert start.play(0).key == start.board.bottom + 0b10
    assert start.play(0).play(0).key == start.board.bottom - 0b1 + 0b101


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (0, "column a has no guard"),
        (Board().bottom ^ 1 << 21, "column d has no guard"),
        (Board().bottom | 1 << 49, "too large"),
        (-1, "too large"),
        (Board().bottom + 0b110, "2 White and 0 Black stones"),
        (Board().bottom + 0b1, "0 White and 1 Black stones"),
    ],
)
def test_numbers_that_are_no_key_are_refused(key: int, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        Position.from_key(Board(), key)


@given(st.sampled_from(BOARDS), st.integers(0, 2**MAX_BITS - 1))
def test_a_number_is_refused_or_is_the_key_of_its_position(board: Board, key: int) -> None:
    try:
        position = Position.from_key(board, key)
    except PositionError:
        return
    assert position.key == key


@boards
def test_every_group_and_nothing_smaller_is_a_line(board: Board) -> None:
    for group in board.groups:
        assert has_line(board, group)
        assert not any(has_line(board, group ^ 1 << square) for square in bits(group))


@pytest.mark.parametrize("board", [board for board in BOARDS if min(board.columns, board.rows) > 1], ids=str)
def test_a_line_does_not_go_on_at_the_other_end_of_the_next_column(board: Board) -> None:
    """Steps between cells numbered without spare bits, which run over the edge, win only where they are straight."""
    cells = list(product(range(board.columns), range(board.rows)))
    straight = set(lines_by_coordinates(board))
    over_the_edge = 0
    for first, step in product(range(board.cells), (1, board.rows, board.rows + 1, board.rows - 1)):
        chosen = cells[first::step][: board.connect]
        if len(chosen) == board.connect:
            over_the_edge += frozenset(chosen) not in straight
            drawn = sum(1 << board.square(column, row) for column, row in chosen)
            assert has_line(board, drawn) is (frozenset(chosen) in straight), chosen
    assert over_the_edge


@given(st.sampled_from(BOARDS), st.integers(0, 2**MAX_BITS - 1))
def test_stones_have_a_line_exactly_if_they_contain_a_group(board: Board, some: Bitboard) -> None:
    some &= board.squares
    assert has_line(board, some) is any(group & some == group for group in board.groups)


@pytest.mark.parametrize(
    ("board", "moves", "winner"),
    [
        pytest.param("7x6", "4142434", Side.WHITE, id="vertical"),
        pytest.param("7x6", "14243474", Side.BLACK, id="vertical for Black"),
        pytest.param("7x6", "1122334", Side.WHITE, id="horizontal"),
        pytest.param("7x6", "1122443", Side.WHITE, id="horizontal, completed from within"),
        pytest.param("7x6", "12233434474", Side.WHITE, id="rising"),
        pytest.param("7x6", "76655454414", Side.WHITE, id="falling"),
        pytest.param("8x7", "8182838", Side.WHITE, id="vertical at the edge of 64 bits"),
        pytest.param("4x4", "12233434414", Side.WHITE, id="rising from corner to corner"),
        pytest.param("5x4x3", "11223", Side.WHITE, id="three horizontally"),
        pytest.param("5x4x3", "12232343", Side.BLACK, id="three vertically"),
        pytest.param("7x7x5", "112233445", Side.WHITE, id="five horizontally"),
    ],
)
def test_the_winner_is_the_side_that_completes_a_line(board: str, moves: str, winner: Side) -> None:
    assert played(moves, Board.parse(board)).winner is winner
    assert played(moves[:-1], Board.parse(board)).winner is None


@pytest.mark.parametrize(
    ("board", "moves"),
    [
        pytest.param("7x6", "1122335", id="three and one with a gap"),
        pytest.param("7x6", "11223", id="three of four"),
        pytest.param("7x7x5", "1122334", id="four of five"),
        pytest.param("5x4x3", "1122", id="two of three"),
        pytest.param("3x3", "121232313", id="no room for four"),
    ],
)
def test_shorter_and_broken_lines_do_not_win(board: str, moves: str) -> None:
    assert played(moves, Board.parse(board)).winner is None


def test_a_full_board_without_a_line_is_over_and_nobody_has_won() -> None:
    position = played("111222333", Board(3, 3))
    assert (position.is_over, position.winner, position.legal_columns) == (True, None, [])
    assert describe_end(position) == "the board is full"


def test_a_won_board_has_no_moves_left() -> None:
    position = played("4142434")
    assert (position.is_over, position.legal_columns) == (True, [])
    assert describe_end(position) == "White has won"


@pytest.mark.parametrize("column", [-1, 7, 100])
def test_a_column_that_does_not_exist_cannot_be_played(column: int) -> None:
    with pytest.raises(IllegalMoveError, match=f"there is no column {column} on a 7x6 board, counted from 0 to 6"):
        Position.start().play(column)


def test_a_full_column_cannot_be_played() -> None:
    position = played("444444")
    assert position.legal_columns == [0, 1, 2, 4, 5, 6]
    with pytest.raises(IllegalMoveError, match="column 4 is full"):
        position.play(3)


def test_nothing_can_be_played_after_the_end() -> None:
    with pytest.raises(IllegalMoveError, match=r"the game is over \(White has won\)"):
        played("4142434").play(0)


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("4444444", "^move 7: column 4 is full"),
        ("41424345", "^move 8: the game is over"),
        ("48", "^move 2: .*column 7"),
    ],
)
def test_an_illegal_game_names_the_move(moves: str, message: str) -> None:
    with pytest.raises(IllegalMoveError, match=message):
        played(moves)


@given(positions())
def test_the_stones_of_a_game_are_accepted(position: Position) -> None:
    assert Position.from_stones(position.board, position.white, position.black) == position


@pytest.mark.parametrize(
    ("white", "black", "message"),
    [
        ("a1", "a1", "a1 holds a stone of both sides"),
        ("a2", "", "the stone on a2 floats"),
        ("a1 d3", "d1", "the stone on d3 floats"),
        ("a1 b1", "", "2 White and 0 Black stones"),
        ("", "a1", "0 White and 1 Black stones"),
        ("a1 b1 c1 d1", "a2 b2 c2 d2", "White has a line already"),
        ("a2 b2 c2 d2 g1", "a1 b1 c1 d1", "Black has a line already"),
    ],
)
def test_stones_that_no_game_leads_to_are_refused(white: str, black: str, message: str) -> None:
    board = Board()
    with pytest.raises(PositionError, match=message):
        Position.from_stones(board, stones(board, white), stones(board, black))


@pytest.mark.parametrize("square", [6, 48, 49, 63, 64])
def test_stones_on_spare_bits_and_beyond_are_refused(square: int) -> None:
    with pytest.raises(PositionError, match="outside the 7x6 board"):
        Position.from_stones(Board(), 1 << square, 0)


def test_sides_take_turns() -> None:
    assert Side.WHITE.opponent is Side.BLACK
    assert Side.BLACK.opponent is Side.WHITE
    assert [str(side) for side in Side] == ["White", "Black"]


def test_a_position_is_made_of_text_in_any_notation() -> None:
    position = played("4453")
    assert Position("4453") == Position("d1 d2 e1 c1") == Position(str(position)) == position
    assert Position("3342", notation="columns0") == position
    assert Position() == Position("") == Position(Board()) == Position.start()
    assert Position("12", board=Board(5, 4)) == played("12", Board(5, 4))
    assert Position(board=Board(5, 4), white=1, black=2) == played("11", Board(5, 4))


@pytest.mark.parametrize(("text", "message"), [("48", "'8' is not a column"), ("1212121" + "3", "the game is over")])
def test_text_that_means_no_position(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        Position(text)


def test_a_position_is_made_of_nothing_else() -> None:
    with pytest.raises(TypeError, match="made of text or of a Board and bitboards, not of int"):
        Position(4455)  # type: ignore[arg-type]


@given(positions())
def test_what_stands_for_a_position_makes_it_again(position: Position) -> None:
    assert eval(repr(position)) == position
    assert pickle.loads(pickle.dumps(position)) == copy.deepcopy(position) == position


def test_stones_that_no_game_leads_to_can_be_shown() -> None:
    board = Board(4, 4)
    position = Position(board, stones(board, "a1 a2 a3"), 0)
    assert repr(position) == "Position('..../x.../x.../x...', board=Board(4, 4))"


@given(games())
def test_moves_as_numbers_as_text_and_as_letters_are_the_same(game: Game) -> None:
    board, columns = game
    position = Position.start(board)
    for column in columns:
        after = position.play(column)
        assert position.play(np.int64(column)) == after
        assert position.play(board.name(board.square(column, 0))[:-1]) == after
        position = after
    assert Position.start(board).play(",".join(str(column + 1) for column in columns)) == position


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("8", r"'8' is not a column of the 7x6 board \(1 to 7\)"),
        ("0", "'0' is not a column"),
        ("h", "'h' is not a column"),
        ("4444444", "move 6 of '4444444': column 4 is full"),
        ("5555111111", "move 10 of '5555111111': column 1 is full"),
    ],
)
def test_text_that_cannot_be_played(text: str, message: str) -> None:
    with pytest.raises(IllegalMoveError, match=message):
        Position("41").play(text)
