from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from claimeven.solver.players.centre_out import centre_out
from claimeven.solver.players.game import FIRST, SECOND, State
from claimeven.solver.players.window.strategy import value_strategy
from claimeven.solver.players.window.words import new_words
from tests.solver.players.states import STANDARD_GAMES, read_state, states
from tests.solver.players.window.slow_windows import slow_strategy


def value(state: State, side: int) -> int:
    """The points of a side's rules, by the kernel."""
    game = state.game

    def stones(of: int) -> np.uint64:
        columns = (divmod(cell, game.height) for cell, content in enumerate(state.cells) if content == of)
        return np.uint64(sum(1 << column * (game.height + 1) + row for column, row in columns))

    words = new_words(game.width, game.height, game.connect, centre_out(game))
    return int(value_strategy(words, stones(side), stones(FIRST + SECOND - side), side == FIRST))


BOARDS = [
    # x claims c3, d3 (8 each); before: row 1 lacks c1 d1 under c2 d2 (50); lowinverse: row 2 of o lacks c2 d2 (30).
    ("""....
        ....
        oo..
        xx..""", FIRST, {"claimeven": 16, "before": 50, "lowinverse": 30}),
    # o claims a4 b4 c2 c4 d2 d4 (8 each); baseinverse c1 d1; row 2 lacks c2 d2: before (50) and aftereven (20).
    ("""....
        ....
        oo..
        xx..""", SECOND, {"claimeven": 48, "baseinverse": 40, "before": 50, "aftereven": 20}),
    # x claims b3 c3; vertical a3 a4 against column a.
    ("""....
        ....
        o..x
        o..x""", FIRST, {"claimeven": 16, "vertical": 50}),
    # o claims a4 b2 b4 c2 c4 (8 each) and d4 against column d (25).
    ("""....
        ....
        o..x
        o..x""", SECOND, {"claimeven": 65}),
    # o claims d2 against a2 b2 c2 (100), c4 against column c (25), d4 (8); before: row 3 lacks c3 d3 (50).
    ("""....
        oo..
        xxx.
        oox.""", SECOND, {"claimeven": 133, "before": 50}),
    # x claims d3 against a3 b3 (25); before: row 2 lacks d2 under d3 (150).
    ("""....
        oo..
        xxx.
        oox.""", FIRST, {"claimeven": 25, "before": 150}),
    # o's row 2 lacks d2 only, and d2 is o's to claim: aftereven 60 and before 150; o claims a4 (column a and row 4
    # have more than two squares left, 8), b4 and c4 alike, d2 (column d, 8) and d4.
    ("""....
        ....
        ooo.
        xxo.""", SECOND, {"claimeven": 8 * 5, "before": 150, "aftereven": 60}),
    # o claims a4 b4 c2 c4 d2 d4. Column a lacks a2 a3 a4: a2 a3 is a vertical for o, a3 a4 a claim.
    ("""....
        ....
        ....
        xo..""", SECOND, {"claimeven": 8 * 6, "vertical": 20}),
]  # fmt: skip


@pytest.mark.parametrize(("board", "side", "points"), BOARDS)
def test_boards_computed_by_hand(board: str, side: int, points: dict[str, int]) -> None:
    state = read_state(board)
    assert {rule: number for rule, number in slow_strategy(state, side).items() if number} == points
    assert value(state, side) == sum(points.values())


@settings(deadline=None, max_examples=300)
@given(states(STANDARD_GAMES))
def test_the_kernel_agrees_with_the_definition(state: State) -> None:
    for side in (FIRST, SECOND):
        assert value(state, side) == sum(slow_strategy(state, side).values())


def test_every_rule_gives_points_somewhere_in_the_boards() -> None:
    assert {rule for _, _, points in BOARDS for rule in points} == set(slow_strategy(read_state("...."), FIRST))
