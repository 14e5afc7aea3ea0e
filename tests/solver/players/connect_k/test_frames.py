"""Frames counted step by step against a recount of the whole board, and values counted by hand."""

from __future__ import annotations

import random
from copy import deepcopy
from itertools import pairwise

import numpy as np
import pytest

from claimeven.solver.players.connect_k.board import WORTH_OF_MISSING, make_board, make_frames
from claimeven.solver.players.connect_k.frames import (
    FREE,
    LISTED,
    NOWHERE,
    SIDE,
    TRAP_VALUE,
    VALUE,
    Board,
    Frames,
    count_towers,
    evaluate,
    find_completing,
    play,
    take_back,
)
from claimeven.solver.players.game import EMPTY, FIRST, SECOND, Game, State
from tests.solver.players.games_of_every_kind import GAMES, random_game, winning_cells


def recount_value(state: State) -> int:
    """What the frames are worth for the first player, from the cells alone."""
    value = 0
    for line in state.game.lines:
        contents = [state.cells[cell] for cell in line]
        for side, other, sign in ((FIRST, SECOND, 1), (SECOND, FIRST, -1)):
            stones = contents.count(side)
            if stones and other not in contents:
                value += sign * WORTH_OF_MISSING.get(len(line) - stones, 1)
    return value


def recount_completing(state: State, side: int) -> dict[int, int]:
    """The empty cells that complete frames of a side, and how many frames each."""
    counts: dict[int, int] = {}
    for line in state.game.lines:
        empty = [cell for cell in line if state.cells[cell] == EMPTY]
        if len(empty) == 1 and sum(state.cells[cell] == side for cell in line) == len(line) - 1:
            counts[empty[0]] = counts.get(empty[0], 0) + 1
    return counts


def check(frames: Frames, board: Board, state: State) -> None:
    game = state.game
    assert board.numbers[SIDE] == state.to_move - FIRST
    assert board.numbers[FREE] == state.cells.count(EMPTY)
    assert board.numbers[VALUE] == recount_value(state)
    for move in range(game.moves):
        cell = state.landing_cell(move)
        assert board.landing[move] == (NOWHERE if cell is None else cell)
    for side in (FIRST, SECOND):
        expected = recount_completing(state, side)
        empty = [cell for cell in range(game.cells) if state.cells[cell] == EMPTY]
        counts = board.completing[side - FIRST]
        assert {cell: int(counts[cell]) for cell in empty if counts[cell]} == expected
        listed = board.listed[side - FIRST, : board.numbers[LISTED + side - FIRST]].tolist()
        assert len(listed) == len(set(listed))
        assert {cell for cell in listed if state.cells[cell] == EMPTY} == set(expected)
        playable = winning_cells(state, side)
        found = find_completing(frames, board, side - FIRST, NOWHERE)
        assert found in playable if playable else found == NOWHERE
        another = find_completing(frames, board, side - FIRST, found)
        assert another in playable - {found} if len(playable) > 1 else another == NOWHERE
        towers = sum(1 for cell in expected if game.gravity and above(game, cell) in expected)
        assert count_towers(frames, board, side - FIRST) == towers
    if not game.gravity:
        stones = [cell for cell in range(game.cells) if state.cells[cell] in (FIRST, SECOND)]
        for cell in range(game.cells):
            near = sum(1 for stone in stones if stone != cell and distance(game, stone, cell) <= 2)
            assert board.near[cell] == near


def above(game: Game, cell: int) -> int | None:
    """The cell of the same column that is filled next."""
    following = cell + 2 if cell + 1 == game.blocked else cell + 1
    return following if following // game.height == cell // game.height and following < game.cells else None


def distance(game: Game, one: int, other: int) -> int:
    return max(abs(one // game.height - other // game.height), abs(one % game.height - other % game.height))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_counts_follow_the_moves_forth_and_back(game: Game) -> None:
    frames = make_frames(game)
    for seed in range(2):
        states = list(random_game(game, seed))
        board = make_board(frames, states[0])
        empty = deepcopy(board)
        cells = []
        for before, after in pairwise(states):
            cell = before.landing_cell(after.moves[-1])
            assert cell is not None
            cells.append(cell)
            play(frames, board, cell)
            check(frames, board, after)
            if len(after.moves) == len(states) // 2:
                check(frames, make_board(frames, after), after)
                assert make_board(frames, after).key[0] == board.key[0]
        for cell, state in zip(reversed(cells), reversed(states[:-1]), strict=True):
            take_back(frames, board, cell)
            if random.Random(cell).random() < 0.2:
                check(frames, board, state)
        for name in set(Board._fields) - {"listed"}:  # what is behind the end of the lists is of no use
            assert np.array_equal(getattr(board, name), getattr(empty, name)), name


def evaluate_after(game: Game, moves: list[int]) -> int:
    frames = make_frames(game)
    return int(evaluate(frames, make_board(frames, State.start(game).play_all(moves))))


def test_values_counted_by_hand() -> None:
    # d1 is in four rows, a column and two diagonals, each of which lacks three more stones.
    assert evaluate_after(Game(), [3]) == -7 * 4
    # d2 takes the column from d1, and has four rows, a column and four diagonals of its own.
    assert evaluate_after(Game(), [3, 3]) == 6 * 4 - 9 * 4
    # A corner is in a row, a column and a diagonal.
    assert evaluate_after(Game(5, 5, 5, gravity=False), [0]) == -3 * 1
    # On three in a row one stone lacks two; the middle of 3x3 is in four lines, and a corner then has two left.
    assert evaluate_after(Game(3, 3, 3, gravity=False), [4, 0]) == 3 * 16 - 2 * 16
    # With the middle blocked, a corner has a row and a column.
    assert evaluate_after(Game(3, 3, 3, gravity=False, blocked=4), [0]) == -2 * 16
    # 4x4 has ten frames. a1: a column and a diagonal, as its row is d1's too; b1: a column.
    assert evaluate_after(Game(4, 4), [0, 3, 1]) == -((1 + 1 + 1) * 4 - 2 * 4)
    # a2 takes the column from a1 and has a row; b2 takes that row and joins the diagonal of a1 and the column of b1.
    assert evaluate_after(Game(4, 4), [0, 3, 1, 0, 1]) == -((16 + 16) - 2 * 4)


def test_two_completing_cells_on_top_of_each_other_are_a_trap() -> None:
    """On both sides the second and the third cell complete rows of x, and none of them is playable yet."""
    rows = (".ooo.", ".xxx.", ".xxx.", ".o#o.")
    cells = bytes(".xo#".index(rows[3 - row][column]) for column in range(5) for row in range(4))
    state = State(Game(5, 4, blocked=8), cells, moves=(0,) * 11)
    frames = make_frames(state.game)
    board = make_board(frames, state)
    assert (count_towers(frames, board, 0), count_towers(frames, board, 1)) == (2, 0)
    assert evaluate(frames, board) == -(recount_value(state) + 2 * TRAP_VALUE)
