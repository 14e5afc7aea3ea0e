"""Local search for diagrams: what is foreseen is what a recount gives, and the same seed finds the same."""

from __future__ import annotations

import random

import numpy as np
import pytest

from claimeven.solver.board import Board, bits
from claimeven.solver.position import Position
from claimeven.solver.solution.check_kernel import LEVELS, move_by_levels
from claimeven.solver.solution.finding.finder import FinderThread, Levels, Library
from claimeven.solver.solution.finding.foresight_kernel import NO_MOVE, foresee, tabulate
from claimeven.solver.solution.finding.oracle import Oracle
from claimeven.solver.solution.finding.walk_kernel import SALT, SHARE, WEIGHT_BITS, WHOLE_SHARE, walk

MEMORY = 1 << 22


def random_levels(board: Board, rng: random.Random) -> Levels:
    levels = np.zeros(LEVELS, np.uint64)
    for square in bits(board.squares):
        levels[rng.randrange(LEVELS)] |= np.uint64(1 << square)
    return levels


def count_mistakes(thread: FinderThread, levels: Levels, positions: list[tuple[int, int]]) -> int:
    """How many of these positions a diagram gives the result away in, one by one."""
    board = thread.board
    count = 0
    for own, other in positions:
        move = int(move_by_levels(levels, np.uint64((own | other) + board.bottom & board.squares)))
        count += not move or not thread.oracle.keeps(own, other, move)
    return count


@pytest.mark.parametrize(("board", "moves"), [(Board(5, 4), ""), (Board(6, 5), "36"), (Board(4, 4, 3), "")])
def test_what_is_foreseen_is_what_a_recount_gives(board: Board, moves: str) -> None:
    rng = random.Random(3)
    thread = FinderThread(Oracle(board, False, MEMORY))
    position = Position(moves, board=board)
    own = position.stones(position.to_move)
    room = 300
    stack, seen = np.zeros((room + 1, 2), np.uint64), np.zeros((1024, 2), np.uint64)
    free, mistakes = np.zeros((room, 2), np.uint64), np.zeros((8, 2), np.uint64)
    report, weights = np.zeros(8, np.int64), np.ones(1 << WEIGHT_BITS, np.int64)
    for number in range(1, 4):
        levels = random_levels(board, rng)
        report[1] = number
        stones = np.uint64(own), np.uint64(position.occupied ^ own)
        walk(thread.oracle.setting, levels, *stones, 1 << 40, room, stack, seen, mistakes, free, weights, report)
        positions = [(int(row[0]), int(row[1])) for row in free[: report[4]]]
        assert len(positions) > 5
        frontiers, bad = np.zeros(room, np.uint64), np.zeros((room, NO_MOVE + 1))
        places, changes, sums = np.zeros((1024, 2), np.int64), np.zeros((64, LEVELS)), np.zeros(LEVELS)
        size = tabulate(thread.oracle.setting, free, len(positions), weights, frontiers, bad, places, number)
        foresee(thread.oracle.setting, levels, frontiers, bad, size, changes, sums)
        now = count_mistakes(thread, levels, positions)
        for square in bits(board.squares):
            for digit in range(LEVELS):
                trial = levels & ~np.uint64(1 << square)
                trial[digit] |= np.uint64(1 << square)
                assert changes[square, digit] == count_mistakes(thread, trial, positions) - now


def test_a_share_of_the_replies_is_a_sample_of_every_ply() -> None:
    """More of a share is met where the share is larger, none that the whole does not have, and late plies too."""
    board, rng, room = Board(5, 4), random.Random(5), 8_000
    thread = FinderThread(Oracle(board, False, MEMORY))
    setting = thread.oracle.setting
    stack, seen = np.zeros((room + 1, 2), np.uint64), np.zeros((1 << 14, 2), np.uint64)
    free, mistakes = np.zeros((room, 2), np.uint64), np.zeros((room, 2), np.uint64)
    report, weights = np.zeros(8, np.int64), np.ones(1 << WEIGHT_BITS, np.int64)
    levels = random_levels(board, rng)
    position = Position("3333", board=board)
    start = np.uint64(position.white), np.uint64(position.black)

    def meet(share: float, salt: int) -> set[tuple[int, int]]:
        report[1] += 1
        setting[SHARE], setting[SALT] = int(share * WHOLE_SHARE), salt
        count = walk(setting, levels, *start, 1 << 40, room, stack, seen, mistakes, free, weights, report)
        assert count == report[6]  # none was cut short
        return {(int(row[0]), int(row[1])) for row in free[: report[4]]}

    whole = meet(1.0, 1)
    samples = [meet(share, 1) for share in (0.3, 0.5, 0.8)]
    for less, more in zip(samples, [*samples[1:], whole], strict=True):
        assert less < more
    last = max((own | other).bit_count() for own, other in whole)
    assert max((own | other).bit_count() for own, other in samples[1]) >= last - 4
    assert meet(0.5, 2) != samples[1]


def test_the_same_seed_finds_the_same_whatever_was_asked_before() -> None:
    board = Board(6, 5)
    position = Position("334", board=board)
    own = position.stones(position.to_move)
    stones = own, position.occupied ^ own
    thread = FinderThread(Oracle(board, False, MEMORY))
    first = thread.attempt(*stones, 200_000, 7, Library(board), 0)
    thread.attempt(*stones, 200_000, 8, Library(board), 0)
    again = thread.attempt(*stones, 200_000, 7, Library(board), 0)
    fresh = FinderThread(Oracle(board, False, MEMORY)).attempt(*stones, 200_000, 7, Library(board), 0)
    assert first.levels is not None
    for other in (again, fresh):
        assert other.levels is not None
        assert (other.mistakes, other.work) == (first.mistakes, first.work)
        assert np.array_equal(other.levels, first.levels)
