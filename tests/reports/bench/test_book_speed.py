"""The sample of a book is drawn fairly, decided rightly and compared; builds are read from the run records."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from claimeven.db.tables.runs import RunRecord
from claimeven.reports.bench import book_speed
from claimeven.reports.bench.book_speed import draw_sample, format_book_speed, measure_sample, read_builds
from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.notation import parse_position


class Minimax:
    """Another program that is right."""

    def score(self, moves: str) -> int:
        return minimax_score(parse_position(moves))

    def sign(self, moves: str) -> int:
        return self.score(moves)


class Wrong(Minimax):
    def sign(self, moves: str) -> int:
        return 1 - self.score(moves)


def test_a_sample_is_sorted_of_its_ply_and_the_same_again() -> None:
    sample = draw_sample(Board(), 6, 50, seed=1)
    everything = np.concatenate(list(enumerate_ply(Board(), 6)))
    assert len(np.unique(sample)) == 50
    assert np.isin(sample, everything).all()
    assert (np.sort(sample) == sample).all()
    assert (sample == draw_sample(Board(), 6, 50, seed=1)).all()
    assert (sample != draw_sample(Board(), 6, 50, seed=2)).any()
    assert len(draw_sample(Board(), 1, 50, seed=1)) == 4


def late_keys() -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    from claimeven.reports.bench.batch_speed import random_lines

    keys = {parse_position(line).canonical_key for line in random_lines(30, seed=4)}
    return np.array(sorted(keys), dtype=np.uint64)


@pytest.mark.parametrize(("other", "differs"), [(Minimax, False), (Wrong, True)])
def test_values_are_compared(other: type, differs: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_speed, "Yardstick", other)
    keys = late_keys()
    sample = measure_sample(38, keys, 2, 1 << 20, yardstick=True)
    assert sample.positions == sum(sample.by_source.values()) == len(keys)
    assert bool(sample.disagreements) == differs
    page = format_book_speed(sample, [], "other", {"commit": "x"})
    assert f"Values that differ: {sample.disagreements}." in page


def test_builds_are_those_that_ended_and_did_something() -> None:
    start = datetime(2024, 1, 1, tzinfo=UTC)

    def record(command: str, ended: bool, known: int) -> RunRecord:
        end = start + timedelta(seconds=50) if ended else None
        arguments, counts = {"board": "7x6", "ply": 8}, {"positions": 1000, "known": known}
        return RunRecord(1, command, arguments, {}, start, end, counts if ended else None)

    runs = [
        record("book import", True, 0),
        record("book build", False, 0),
        record("book build", True, 1000),
        record("book build", True, 500),
    ]
    (build,) = read_builds(runs)
    assert (build.board, build.ply, build.seconds, build.per_second) == ("7x6", 8, 50.0, 10.0)
