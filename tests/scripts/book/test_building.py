"""`claimeven book build`: a book that query answers from, and that goes on where it was stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from claimeven.scripts.main import claimeven


def run(*arguments: str) -> Result:
    return CliRunner().invoke(claimeven, [*arguments])


def test_a_book_is_built_and_answers(own_store: Path) -> None:
    result = run("book", "build", "--ply", "6", "--board", "4x4", "--memory", "1M")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[-1].split() == ["6", "68", "421", "75", "0"]
    answer = run("query", "--board", "4x4", "12")
    assert answer.exit_code == 0
    assert "a draw" in answer.stdout
    assert run("verify", "--search", "50").exit_code == 0


def test_solve_reads_and_writes_the_store(own_store: Path) -> None:
    assert run("solve", "4455", "--score", "--memory", "8M").stdout == "4455 18\n"
    assert "18" in run("query", "4455").stdout
    assert run("solve", "4466", "--no-cache", "--memory", "8M").exit_code == 0
    assert "Value    unknown" in run("query", "4466").stdout


@pytest.mark.parametrize("ply", ["15", "16", "64"])
def test_a_ply_at_the_end_or_beyond_it_is_the_whole_board(ply: str, own_store: Path) -> None:
    result = run("book", "build", "--ply", ply, "--board", "4x4")
    assert result.exit_code == 0, result.output
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["ply", *map(str, range(16))]
    assert all(line.split()[4] == "0" for line in result.stdout.splitlines()[1:])
    assert (
        "161,029 positions with finished games and mirror images, as published"
        in run("book", "check", "--board", "4x4").stdout
    )


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_says_how_to_go_on_and_the_next_run_does(own_store: Path) -> None:
    command = [sys.executable, "-m", "claimeven", "book", "build", "--ply", "12", "--board", "6x4", "--memory", "8M"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(300):  # until something is stored
            time.sleep(0.1)
            log = own_store.with_name(f"{own_store.name}-wal")
            if log.exists() and log.stat().st_size > 200_000:
                break
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        errors = process.stderr.read()
        assert process.wait(20) == 130
    assert "run the same command to go on" in errors
    assert "Traceback" not in errors
    assert run("verify", "--search", "50", "--sample", "200").exit_code == 0
