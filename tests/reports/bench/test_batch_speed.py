"""A long file through a real `solve`: every line answered, in memory that does not grow with it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from claimeven.reports.bench.batch_speed import (
    BROKEN_EVERY,
    LATE,
    MIDDLE,
    BatchCase,
    BatchSpeed,
    measure_solve,
    random_lines,
)
from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.notation import parse_position
from claimeven.solver.verdict import Value

pytestmark = pytest.mark.skipif(os.name == "nt", reason="memory is measured the way of POSIX")

COMMAND = [sys.executable, "-m", "claimeven", "solve", "--memory", "8M"]
MEGABYTE = 1 << 20


def write_lines(path: Path, number: int) -> Path:
    path.write_text("".join(f"{line}\n" for line in random_lines(number, seed=1)))
    return path


def test_lines_are_late_positions_and_some_are_broken() -> None:
    lines = list(random_lines(2 * BROKEN_EVERY + 1, seed=2))
    for number, line in enumerate(lines, start=1):
        if number % BROKEN_EVERY:
            position = parse_position(line, notation="columns")
            assert LATE[0] <= position.ply <= LATE[1]
            assert not position.is_over
    assert len(set(lines)) > 0.99 * len(lines)
    assert lines == list(random_lines(len(lines), seed=2))
    middle = [parse_position(line, notation="columns") for line in random_lines(100, 3, MIDDLE, None)]
    assert {MIDDLE[0] <= position.ply <= MIDDLE[1] for position in middle} == {True}


@pytest.mark.parametrize("cached", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_memory_does_not_grow_with_the_input(cached: bool, tmp_path: Path) -> None:
    speeds: list[BatchSpeed] = []
    for number in (2_000, 20_000):
        options = ("--db", str(tmp_path / f"{number}.db")) if cached else ("--no-cache",)
        file = write_lines(tmp_path / "lines", number)
        case = BatchCase("", options, is_broken=True)
        speeds.append(measure_solve("this", COMMAND, case, file, tmp_path / "answers"))
    assert [(speed.lines, speed.answered, speed.invalid) for speed in speeds] == [
        (2_000, 2_000, 2),
        (20_000, 20_000, 20),
    ]
    assert all(speed.is_right for speed in speeds)
    # SQLite's own cache is 64 megabytes at most.
    assert speeds[1].peak_bytes - speeds[0].peak_bytes < (80 if cached else 30) * MEGABYTE


def test_answers_are_those_of_minimax_in_the_order_of_the_lines(tmp_path: Path) -> None:
    file, output = write_lines(tmp_path / "lines", 2_000), tmp_path / "answers"
    measure_solve("this", COMMAND, BatchCase("", ("--no-cache",), is_broken=True), file, output)
    for line, answer in zip(file.read_text().splitlines(), output.read_text().splitlines(), strict=True):
        moves, value = answer.split()
        assert moves == line
        if value != "invalid":
            position = parse_position(line, notation="columns")
            assert value == str(Value.of_score(minimax_score(position), position.to_move))
