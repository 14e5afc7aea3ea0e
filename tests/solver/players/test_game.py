from __future__ import annotations

from functools import cache

import pytest
from hypothesis import assume, given, settings

from claimeven.solver.board import Board
from claimeven.solver.players.game import BLOCKED, EMPTY, FIRST, LARGEST, SECOND, Game, GameError, State
from claimeven.solver.position import Side
from tests.solver.games import Game as MovesOnBoard
from tests.solver.games import games
from tests.solver.players.states import GAMES, read_state, states

every_game = pytest.mark.parametrize("game", GAMES, ids=str)


@cache
def lines_by_hand(game: Game) -> set[frozenset[int]]:
    """All sets of `connect` cells that are in a line, from the definition."""
    cells = {(column, row) for column in range(game.width) for row in range(game.height)}
    if game.blocked is not None:
        cells.remove(divmod(game.blocked, game.height))
    lines = set()
    for column, row in cells:
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = [(column + step * right, row + step * up) for step in range(game.connect)]
            if set(line) <= cells:
                lines.add(frozenset(c * game.height + r for c, r in line))
    return lines


@every_game
def test_lines_are_all_that_there_are_and_each_once(game: Game) -> None:
    assert len(set(map(frozenset, game.lines))) == len(game.lines)
    assert set(map(frozenset, game.lines)) == lines_by_hand(game)
    for cell, lines in enumerate(game.lines_through):
        assert set(map(frozenset, lines)) == {line for line in lines_by_hand(game) if cell in line}


def test_the_usual_numbers_of_lines() -> None:
    assert len(Game().lines) == 69
    assert len(Game(3, 3, 3, gravity=False).lines) == 8
    assert len(Game(3, 3, 3, gravity=False, blocked=4).lines) == 4
    assert Game(5, 5, 9).lines == ()


@given(games(tuple(Board.parse(text) for text in ("7x6", "4x4", "8x7", "10x5", "12x4", "1x6", "5x4x3"))))
def test_the_standard_game_is_that_of_the_positions(game: MovesOnBoard) -> None:
    board, columns = game
    state = State.start(Game(board.columns, board.rows, board.connect)).play_all(columns)
    position = state.to_position()
    assert str(state) == str(position)
    assert list(state.legal_moves) == position.legal_columns
    assert state.is_over == position.is_over
    assert {None: None, FIRST: Side.WHITE, SECOND: Side.BLACK}[state.winner] is position.winner
    assert (state.to_move == FIRST) == (position.to_move is Side.WHITE)


@settings(deadline=None, max_examples=50)
@given(states())
def test_a_move_fills_one_empty_cell_and_wins_exactly_with_a_full_line(state: State) -> None:
    for move in state.legal_moves:
        after = state.play(move)
        (cell,) = (cell for cell in range(state.game.cells) if state.cells[cell] != after.cells[cell])
        assert state.landing_cell(move) == cell
        assert (state.cells[cell], after.cells[cell]) == (EMPTY, state.to_move)
        assert after.moves == (*state.moves, move)
        full = any(all(after.cells[square] == state.to_move for square in line) for line in lines_by_hand(state.game))
        assert after.winner == (state.to_move if full else None)
        if full:
            assert after.legal_moves == ()
            with pytest.raises(GameError, match="over"):
                after.play(state.legal_moves[0])


@given(states(tuple(game for game in GAMES if game.gravity)))
def test_with_gravity_nothing_floats(state: State) -> None:
    height = state.game.height
    for cell, content in enumerate(state.cells):
        if content in (FIRST, SECOND) and cell % height:
            assert state.cells[cell - 1] != EMPTY


@given(states(tuple(game for game in GAMES if not game.gravity)))
def test_without_gravity_every_empty_cell_is_a_move(state: State) -> None:
    assert state.legal_moves == tuple(cell for cell, content in enumerate(state.cells) if content == EMPTY)


def test_stones_lie_below_the_blocked_cell_and_then_on_top_of_it() -> None:
    state = State.start(Game(4, 4, blocked=2)).play_all([0, 0, 0])
    assert str(state) == "x...\n#...\no...\nx..."
    assert state.legal_moves == (1, 2, 3)


def test_no_line_goes_through_the_blocked_cell() -> None:
    state = State.start(Game(5, 4, 3, blocked=8)).play_all([0, 0, 1, 1])
    assert not state.is_over
    assert state.play(2).winner is None  # lands on the blocked cell, so a1 b1 c2 is no line
    assert str(state.play(2)).splitlines()[-2:] == ["oox..", "xx#.."]


def test_a_full_board_is_a_draw() -> None:
    state = State.start(Game(3, 1, 3)).play_all([0, 1, 2])
    assert (state.is_over, state.winner, state.legal_moves) == (True, None, ())


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"width": 0}, "1 to 12 columns"),
        ({"height": LARGEST + 1}, "1 to 12 columns"),
        ({"connect": 2}, "connect must be 3 or more"),
        ({"blocked": 42}, "no cell 42"),
        ({"blocked": -1}, "no cell -1"),
    ],
)
def test_games_that_do_not_exist(arguments: dict[str, int], reason: str) -> None:
    with pytest.raises(GameError, match=reason):
        Game(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("move", [-1, 7, 99])
def test_moves_that_do_not_exist(move: int) -> None:
    with pytest.raises(GameError, match="cannot be played"):
        State.start(Game()).play(move)


def test_a_full_column_and_a_taken_cell_cannot_be_played() -> None:
    with pytest.raises(GameError, match="4 cannot be played"):
        State.start(Game()).play_all([3] * 7)
    with pytest.raises(GameError, match="a2 cannot be played"):
        State.start(Game(gravity=False)).play_all([1, 1])


@every_game
def test_only_games_that_the_solver_knows_become_positions(game: Game) -> None:
    state = State.start(game)
    if game.is_standard:
        assert state.to_position().board == Board(game.width, game.height, game.connect)
    else:
        with pytest.raises(GameError, match="not a game that the solver knows"):
            state.to_position()


def test_a_game_says_what_it_is() -> None:
    assert str(Game()) == "7x6"
    assert str(Game(9, 8, 5, gravity=False, blocked=9)) == "9x8x5 without gravity, b2 blocked"


@given(states())
def test_a_board_as_text_reads_back(state: State) -> None:
    assume(state.game.blocked is None)
    read = read_state(str(state), state.game.connect, gravity=state.game.gravity)
    assert (read.game, read.cells, read.to_move) == (state.game, state.cells, state.to_move)
    assert BLOCKED not in read.cells
