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

from scripts.main import claimeven


def run(*arguments: str) -> Result:
    return CliRunner().invoke(claimeven, [*arguments])


def test_a_book_is_built_and_answers(own_store: Path) -> None:
    result = run("book", "build", "--ply", "6", "--board", "4x4", "--memory", "1M")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[-1].split() == ["6", "68", "421", "75", "0"]
    answer = run("query", "--board", "4x4", "12")
    assert answer.exit_code == 0
    assert "a draw" in answer.stdout
    assert run("verify").exit_code == 0


def test_solve_reads_and_writes_the_store(own_store: Path) -> None:
    assert run("solve", "4455", "--score", "--memory", "8M").stdout == "4455 18\n"
    assert "18" in run("query", "4455").stdout
    assert run("solve", "4466", "--no-cache", "--memory", "8M").exit_code == 0
    assert "Value    unknown" in run("query", "4466").stdout


def test_a_ply_beyond_the_board_is_refused() -> None:
    result = run("book", "build", "--ply", "16", "--board", "4x4")
    assert result.exit_code == 2
    assert "ply 15" in result.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_says_how_to_go_on_and_the_next_run_does(own_store: Path) -> None:
    command = [sys.executable, "-m", "scripts.main", "book", "build", "--ply", "12", "--board", "6x4", "--memory", "8M"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(300):  # until something is stored
            time.sleep(0.1)
            if own_store.exists() and own_store.stat().st_size > 50_000:
                break
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        errors = process.stderr.read()
        assert process.wait(20) == 130
    assert "run the same command to go on" in errors
    assert "Traceback" not in errors
    assert run("verify").exit_code == 0
