"""Builds with a cluster: the same rows as without one, whoever is killed, in a file and on a server."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.verdict import Source
from claimeven.solver.verdict_code import SOURCE_CODES
from tests.cluster.processes import Machines, wait_for
from tests.cluster.test_faults import SLOW
from tests.scripts.stores import run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

BOARD, PLY = Board(5, 4), 6
BUILD = ["book", "build", "--board", str(BOARD), "--ply", str(PLY), "--memory", "1M"]
ROWS = list[tuple[object, ...]]
SEARCHED = SOURCE_CODES[Source.SEARCH]


def rows_of(place: str, board: Board = BOARD) -> ROWS:
    """Every verdict and every certificate of a store."""
    rows: ROWS = []
    with Store.open(place, writable=False) as store:
        for ply in store.plies(board):
            for batch in store.read_ply(board, ply):
                columns = (batch.keys, batch.least, batch.greatest, batch.scores, batch.sources)
                rows += list(zip(*(column.tolist() for column in columns), strict=True))
        rows += [(str(certificate),) for certificate in store.read_proofs(board)]
    return rows


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> ROWS:
    path = tmp_path_factory.mktemp("undisturbed") / "book.db"
    assert run(*BUILD, "--db", str(path)).exit_code == 0
    return rows_of(str(path))


def start_build(cluster: Machines, place: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "claimeven", *BUILD, "--db", place, "--cluster", cluster.address],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def check_kills(cluster: Machines, place: str, kills: int, chance: random.Random, undisturbed: ROWS) -> None:
    """Kill the client or a worker at random moments, look at the store each time, and let it finish."""
    workers = [cluster.start_worker(f"worker-{number}", preload=SLOW) for number in range(2)]
    build = start_build(cluster, place)
    for number in range(kills):
        time.sleep(1 + 4 * chance.random())
        if number % 2:
            victim = chance.randrange(2)
            workers[victim].kill()
            workers[victim] = cluster.start_worker(f"worker-{victim}-{number}", preload=SLOW)
        else:
            build.kill()
            build.communicate()
            check_store(place, undisturbed)
            build = start_build(cluster, place)
    output, diagnostics = build.communicate(timeout=300)
    assert build.returncode == 0, diagnostics
    assert "Traceback" not in diagnostics
    assert "dashboard: http" in diagnostics
    assert "dashboard" not in output
    assert rows_of(place) == undisturbed
    check_store(place, undisturbed)


def check_store(place: str, undisturbed: ROWS) -> None:
    """What is there is part of what will be, and verify finds nothing wrong."""
    try:
        stored = rows_of(place)
    except FileNotFoundError:
        return  # killed before there was a store
    known = {row[0]: row[1:] for row in undisturbed if len(row) > 1}
    assert all(known[row[0]] == row[1:] for row in stored if len(row) > 1 and row[4] == SEARCHED)
    if stored:
        result = run("verify", "--board", str(BOARD), "--search", "5", "--memory", "1M", "--db", place)
        assert result.exit_code == 0, result.output


def test_a_build_whose_client_and_worker_are_killed_is_the_one_without_a_cluster(
    cluster: Machines, tmp_path: Path, undisturbed: ROWS
) -> None:
    check_kills(cluster, str(tmp_path / "book.db"), 2, random.Random(1), undisturbed)


def test_a_build_goes_on_after_its_scheduler_was_restarted(
    cluster: Machines, tmp_path: Path, undisturbed: ROWS
) -> None:
    place = str(tmp_path / "book.db")
    cluster.start_worker("before", preload=SLOW)
    build = start_build(cluster, place)

    def has_rows() -> bool:
        assert build.poll() is None, build.communicate()
        try:
            return bool(rows_of(place))
        except FileNotFoundError:  # or not a store yet
            return False

    wait_for(has_rows, "the first chunk")
    cluster.scheduler.kill()
    _, diagnostics = build.communicate(timeout=120)
    assert build.returncode == 1
    assert "scheduler" in diagnostics.splitlines()[-1]
    assert "Traceback" not in diagnostics
    check_store(place, undisturbed)
    assert 0 < len(rows_of(place)) < len(undisturbed)
    cluster.start_scheduler(int(cluster.address.rpartition(":")[2]))
    cluster.start_worker("after")
    build = start_build(cluster, place)
    _, diagnostics = build.communicate(timeout=120)
    assert build.returncode == 0, diagnostics
    assert rows_of(place) == undisturbed


@pytest.mark.slow
def test_thirty_kills_with_a_file(cluster: Machines, tmp_path: Path, undisturbed: ROWS) -> None:
    check_kills(cluster, str(tmp_path / "book.db"), 30, random.Random(), undisturbed)


@pytest.mark.slow
def test_thirty_kills_with_a_server(cluster: Machines, server_url: str, undisturbed: ROWS) -> None:
    check_kills(cluster, server_url, 30, random.Random(), undisturbed)


@pytest.mark.slow
def test_ply_six_of_7x6_with_two_processes_is_the_one_without(tmp_path: Path) -> None:
    here, there = str(tmp_path / "here.db"), str(tmp_path / "there.db")
    build = ["book", "build", "--ply", "6", "--memory", "256M", "--db"]
    assert run(*build, here).exit_code == 0
    result = run(*build, there, "--cluster", "local:2")
    assert result.exit_code == 0, result.output
    rows = rows_of(here, Board())
    assert rows == rows_of(there, Board())
    assert len([row for row in rows if len(row) > 1]) == 1 + 4 + 25 + 121 + 568 + 2144 + 8231


def test_solve_with_a_cluster_prints_what_it_prints_without(cluster: Machines, tmp_path: Path) -> None:
    cluster.start_worker("only")
    lines = tmp_path / "lines.txt"
    lines.write_text("".join(f"{a}{b}{c}{a}\n" for a in range(1, 6) for b in range(1, 6) for c in range(1, 6)))
    solve = ["solve", str(lines), "--board", "5x4", "--no-cache", "--memory", "1M", "--score"]
    here, there = run(*solve), run(*solve, "--cluster", cluster.address)
    assert here.exit_code == there.exit_code == 0, there.stderr
    assert here.stdout == there.stdout
    assert len(here.stdout.splitlines()) == 125


def test_what_a_cluster_cannot_do_is_said() -> None:
    for options, words in (
        (["--cluster", "nowhere"], "neither local, local:N"),
        (["--cluster", "local:1", "--prover", "graph"], "leave --prover graph out"),
        (["--cluster", "local:1", "--engine", "dfpn"], "leave --engine dfpn out"),
    ):
        result = run("solve", "44", *options)
        assert result.exit_code == 2
        assert words in result.stderr
