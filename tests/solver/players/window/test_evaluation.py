from __future__ import annotations

import pytest
from hypothesis import given, settings

from claimeven.solver.players.game import FIRST, SECOND, Game, State
from claimeven.solver.players.window.levels import GURU, VICTOR
from claimeven.solver.players.window.player import evaluate_windows
from tests.solver.players.states import STANDARD_GAMES, mirror, read_state, states
from tests.solver.players.window.slow_windows import slow_strategy, slow_windows


def stones_in_turn(board: str) -> State:
    """The state with a board written as text, reached by moves: columns are filled as the turn of the sides allows."""
    target = read_state(board)

    def search(state: State) -> State | None:
        if state.cells == target.cells:
            return state
        for move in state.legal_moves:
            cell = state.landing_cell(move)
            if cell is not None and target.cells[cell] == state.to_move and (found := search(state.play(move))):
                return found
        return None

    found = search(State.start(target.game))
    assert found is not None
    return found


EMPTY_ROWS = "....... " * 4


@pytest.mark.parametrize(
    ("board", "value"),
    [
        ("....... " * 6, 0),
        # For o: d2 in the centre 3; c2 d2 in three windows of row 2 with two empty: 6; c1 d1 e1 in two windows: -8.
        (EMPTY_ROWS + "..oo... ..xxx..", 3 + 6 - 8),
        # For x: d1 3; b1-e1 and c1-f1 lack one: 10; a1-d1 and d1-g1 lack two: 4; o's b2-e2 and c2-f2: -8.
        (EMPTY_ROWS + "..ooo.. ..xxx..", 3 + 10 + 4 - 8),
        # For x: d1 and d3 in the centre; a window of column d with stones of both counts for nobody.
        ("....... ....... ...o... ...x... ...o... ...x...", 6),
        # For x: e1-e4 lacks one: 5; e2-e5 lacks two: 2; o's g1-g4 lacks one: -4, g2-g5 two: nothing.
        ("....... ....... ....... ....x.o ....x.o ....x.o", 5 + 2 - 4),
        # Eight columns: d and e are both in the middle.
        ("........ ........ ........ ........ ........ ...xo...", 3),
    ],
)
def test_gurus_boards_computed_by_hand(board: str, value: int) -> None:
    assert evaluate_windows(stones_in_turn(board), GURU) == value


@settings(deadline=None)
@given(states(STANDARD_GAMES))
def test_guru_agrees_with_the_definition(state: State) -> None:
    assert evaluate_windows(state, GURU) == slow_windows(state, state.to_move)


@settings(deadline=None)
@given(states(STANDARD_GAMES))
def test_victor_is_guru_and_the_bonus_of_both_sides(state: State) -> None:
    opponent = FIRST + SECOND - state.to_move
    bonus = sum(slow_strategy(state, state.to_move).values()) - sum(slow_strategy(state, opponent).values())
    assert evaluate_windows(state, VICTOR) == slow_windows(state, state.to_move) + bonus


@settings(deadline=None)
@given(states(STANDARD_GAMES))
def test_mirror_images_are_worth_the_same(state: State) -> None:
    for level in (GURU, VICTOR):
        assert evaluate_windows(mirror(state), level) == evaluate_windows(state, level)


def test_the_bonus_of_the_empty_board_is_the_second_players() -> None:
    # 4x4: no group has a stone, so each claim is worth 8. The first player claims row 3, the second rows 2 and 4.
    assert evaluate_windows(State.start(Game(4, 4)), VICTOR) == 4 * 8 - 8 * 8
