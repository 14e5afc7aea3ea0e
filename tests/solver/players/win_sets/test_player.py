from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given, settings

from claimeven.solver.players.game import EMPTY, FIRST, SECOND, Game, State
from claimeven.solver.players.random_player import RandomPlayer
from claimeven.solver.players.win_sets.kernel import WIN
from claimeven.solver.players.win_sets.player import WinSetsPlayer, evaluate_win_sets
from tests.solver.players.states import GAMES, mirror, random_state, read_state, states

UNIT = 1000


def slow_sets(state: State, side: int) -> set[frozenset[int]]:
    """The win sets of a side, from the definition."""
    opponent = FIRST + SECOND - side
    sets = {
        frozenset(cell for cell in line if state.cells[cell] == EMPTY)
        for line in state.game.lines
        if all(state.cells[cell] != opponent for cell in line)
    }
    return {squares for squares in sets if not any(other < squares for other in sets)}


def slow_value(state: State) -> Fraction:
    """The evaluation for the side to move, as exact as it is defined."""
    height = state.game.height
    total = Fraction(0)
    for side in (FIRST, SECOND):
        for squares in slow_sets(state, side):
            value = Fraction({1: 50, 2: 10, 3: 1}.get(len(squares), 0))
            if state.game.gravity:
                value *= Fraction(height * len(squares), sum(cell % height + 1 for cell in squares))
            total += value if side == state.to_move else -value
    return total


@pytest.mark.parametrize(
    ("board", "connect", "gravity", "value_for_x"),
    [
        # d1 makes four sets in row 1 (6 each), d2-d4 (mean height 3: 2), c2-a4 and e2-g4 (2 each).
        ("....... " * 5 + "...x...", 4, True, 30),
        # {d1}: 50 * 4 / 1; a2-a4, b2-b4, c2-c4 and b2 c3 d4: 4 / 3 each, in thousandths.
        (".... .... .... xxx.", 4, True, 200 + 4 * 1.333),
        # x: {2,3} and {3,4,5}, {2,3,4} contains the first; o: {2,3,4} and {3,4,5}. One row: every factor is 1.
        ("x....", 3, True, 10 + 1 - 2),
        # Both lines lack the same three squares, which count once; o has no line left.
        ("x...x", 4, True, 1),
        # {2} and {4,5}; {2,4} contains the first. No line is left to o.
        ("x.x..", 3, True, 50 + 10),
        # Tic-tac-toe, x in the middle: four sets of two, and the four edges for both.
        ("... .x. ...", 3, False, 40),
        # The middle is blocked: only the edges are lines; x has {a2,a3} and {b1,c1}.
        ("... .#. x..", 3, False, (10 + 10 + 1 + 1) - (1 + 1)),
    ],
)
def test_boards_computed_by_hand(board: str, connect: int, gravity: bool, value_for_x: float) -> None:
    state = read_state(board, connect, gravity=gravity)
    sign = 1 if state.to_move == FIRST else -1
    assert evaluate_win_sets(state) == pytest.approx(sign * value_for_x, abs=1e-9)


def test_a_set_that_contains_another_is_dropped() -> None:
    state = read_state("....... ....... ....... ....... ....... .xxx...")
    # {a1} and {e1}; {e1, f1} and {e1, f1, g1} contain the second.
    in_row_one = {squares for squares in slow_sets(state, FIRST) if all(cell % 6 == 0 for cell in squares)}
    assert in_row_one == {frozenset({0}), frozenset({24})}


@settings(deadline=None)
@given(states())
def test_the_kernel_agrees_with_the_definition(state: State) -> None:
    # Each set is rounded to the nearest thousandth.
    count = sum(len(slow_sets(state, side)) for side in (FIRST, SECOND))
    assert abs(Fraction(evaluate_win_sets(state)) - slow_value(state)) <= Fraction(count + 1, 2 * UNIT)


@settings(deadline=None)
@given(states(tuple(game for game in GAMES if game.blocked is None)))
def test_mirror_images_are_worth_the_same_and_sides_the_opposite(state: State) -> None:
    value = evaluate_win_sets(state)
    assert evaluate_win_sets(mirror(state)) == value
    swapped = state.cells.translate(bytes([EMPTY, SECOND, FIRST, 3]) + bytes(252))
    assert evaluate_win_sets(State(state.game, swapped, state.moves)) == -value
    assert evaluate_win_sets(State(state.game, swapped, (*state.moves, 0))) == value


def slow_search(state: State, depth: int) -> float:
    """The value of a state for the side to move, by trying every move; a win that is there to be taken is seen."""
    ply = len(state.moves)
    if state.is_over:
        return 0
    children = [state.play(move) for move in state.legal_moves]
    if any(child.winner for child in children):
        return (WIN - (ply + 1)) / UNIT
    if depth == 0:
        return evaluate_win_sets(state)
    return max(-slow_search(child, depth - 1) for child in children)


def slow_move_values(state: State, depth: int) -> dict[int, float]:
    values = {}
    for move in state.legal_moves:
        child = state.play(move)
        values[move] = (WIN - len(child.moves)) / UNIT if child.winner else -slow_search(child, depth - 1)
    return values


SMALL_GAMES = (Game(4, 4), Game(5, 4, 3), Game(4, 4, blocked=5), Game(3, 3, 3, gravity=False), Game(4, 2, 3, blocked=2))


@pytest.mark.parametrize("game", SMALL_GAMES, ids=str)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_move_is_one_of_the_best_of_a_plain_search(game: Game, depth: int) -> None:
    for seed in range(6):
        state = random_state(game, length=seed, seed=seed)
        values = slow_move_values(state, depth)
        for threads in (1, 3):
            player = WinSetsPlayer(depth=depth, seconds=60, seed=seed, threads=threads)
            player.start(game)
            choice = player.choose(state)
            assert choice.score == max(values.values())
            assert values[choice.move] == choice.score


def test_best_moves_do_not_depend_on_the_number_of_threads() -> None:
    for seed in range(8):
        state = random_state(Game(), length=8, seed=seed)
        players = [WinSetsPlayer(depth=5, seconds=60, seed=1, threads=threads) for threads in (1, 2, 5)]
        choices = [player.choose(state) for player in players]
        assert len({(choice.move, choice.score) for choice in choices}) == 1


def test_the_quicker_win_is_preferred() -> None:
    # x wins at once on the left or builds more on the right.
    state = State.start(Game()).play_all([0, 6, 0, 6, 0, 5])
    assert WinSetsPlayer(depth=4).choose(state).move == 0


def test_a_threat_is_blocked() -> None:
    state = State.start(Game()).play_all([0, 1, 0, 1, 3, 1])
    assert WinSetsPlayer(depth=2).choose(state).move == 1


def test_time_is_kept_and_a_legal_move_played() -> None:
    game = Game(12, 12, 5, gravity=False)
    player = WinSetsPlayer(depth=20, seconds=3600)
    player.start(game)
    began = time.monotonic()
    choice = player.choose(random_state(game, length=20, seed=1), seconds=0.2)
    assert choice.move in random_state(game, length=20, seed=1).legal_moves
    assert time.monotonic() - began < 2


def play(first: WinSetsPlayer | RandomPlayer, second: WinSetsPlayer | RandomPlayer, game: Game) -> int | None:
    state = State.start(game)
    for player in (first, second):
        player.start(game)
    while not state.is_over:
        state = state.play((first if state.to_move == FIRST else second).choose(state).move)
    return state.winner


@pytest.mark.parametrize(
    ("games", "depth"), [(4, 4), pytest.param(25, 0, marks=pytest.mark.slow)], ids=["a few", "twenty-five"]
)
def test_it_beats_random_on_both_sides(games: int, depth: int) -> None:
    for seed in range(games):
        player = WinSetsPlayer(depth, seconds=60, seed=seed)
        assert play(player, RandomPlayer(seed), Game()) == FIRST
        assert play(RandomPlayer(seed), player, Game()) == SECOND
