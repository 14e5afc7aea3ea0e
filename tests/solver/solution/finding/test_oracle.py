"""The oracle: all moves that keep the result at once are those that keep it one by one."""

from __future__ import annotations

from claimeven.solver.board import Board, bits
from claimeven.solver.solution.diagram import squares_that_complete
from claimeven.solver.solution.finding.finder import FinderThread
from claimeven.solver.solution.finding.oracle import Oracle
from tests.solver.solution.finding.test_sat_finder import MEMORY, random_positions


def test_moves_that_keep_the_result_are_those_that_do_one_by_one() -> None:
    board = Board(5, 4)
    all_at_once, one_by_one = (FinderThread(Oracle(board, False, MEMORY)).oracle for _ in range(2))
    numbers: set[int] = set()
    for position in random_positions(board, 10, 100, 2):
        if squares_that_complete(position, position.to_move):
            continue
        own = position.stones(position.to_move)
        other = position.occupied ^ own
        playable = position.occupied + board.bottom & board.squares
        keeping = all_at_once.keeping(own, other, playable)
        assert keeping == [1 << square for square in bits(playable) if one_by_one.keeps(own, other, 1 << square)]
        numbers.add(len(keeping))
    assert len(numbers) > 2
