"""A job in which a thread fails ends, and says why, whatever the other threads are at."""

import numpy as np
import pytest

from claimeven.solver.board import Board
from claimeven.solver.position import Position, Side
from claimeven.solver.search.budget import UNLIMITED
from claimeven.solver.search.searcher import Searcher


def raise_memory_error(*arguments: object) -> None:
    raise MemoryError


def test_a_thread_that_fails_ends_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = Searcher(Board(), 1 << 30, threads=2, first_bytes=1 << 12)
    starts = [Position.start().play(column) for column in range(7)]
    white, black = (np.array([each.stones(side) for each in starts], np.uint64) for side in (Side.WHITE, Side.BLACK))
    monkeypatch.setattr("claimeven.solver.search.job.SearchJob._grow", raise_memory_error)
    with searcher.start(white, black, UNLIMITED, scores=True) as job, pytest.raises(MemoryError):
        job.wait(60)
    monkeypatch.undo()
    assert searcher.score(Position.from_moves(Board(), [3, 3, 3, 3, 3, 3])) == 1
