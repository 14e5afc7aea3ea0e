"""What is measured is there: costs of positions, of chunks and of rows, all of them more than nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from claimeven.cluster.messages import Order, Question, accept
from claimeven.cluster.planning.costs import STRETCH, draw_stretches
from claimeven.db.books import measurement
from claimeven.db.books.measurement import DASK_SECONDS, make_up_reply, measure_asker, measure_costs, measure_ply
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_ply

BOARD = Board(6, 4)
KEYS = np.concatenate(list(enumerate_ply(BOARD, 7)))


def test_a_sample_costs_as_much_as_its_positions() -> None:
    keys = draw_stretches(KEYS, 64, 1)
    sample = measure_ply(BOARD, 7, keys, 1 << 20)
    assert sample.seconds.shape == (len(keys) // STRETCH, STRETCH)
    assert 0 < sample.mean <= sample.worst
    assert 0 < sample.error < float("inf")


def test_answers_that_are_made_up_are_accepted_as_those_of_workers() -> None:
    order = Order(Question(BOARD, threads=1), KEYS[:500])
    reply = make_up_reply(order, 1)
    decided = accept(order, reply)
    assert decided.verdicts.is_exact.all()
    assert len(reply.proofs) > 1


def test_chunks_positions_and_rows_cost_the_asker_something(tmp_path: Path) -> None:
    costs = measure_asker(BOARD, KEYS[:4096], tmp_path, 1)
    assert costs.chunk >= DASK_SECONDS
    assert 0 < costs.position < 1e-3
    assert costs.row_bytes > 10


def test_the_samples_of_7x6_grow_with_the_ply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurement, "ANSWERED", 512)
    monkeypatch.setattr(measurement, "LARGE", 256)
    told: list[str] = []
    model, asker = measure_costs(4, 1, 1 << 20, told.append, plies=(9, 10))
    assert [sample.seconds.size for sample in model.samples] == [4, 8]
    assert 0 < asker.counting < asker.parent < 1e-3
    assert told[0] == "ply 9: 4 positions ..."
