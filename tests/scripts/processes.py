"""Commands as processes of their own, for tests that kill them or take something away from them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]

SMALL_BATCHES = """
import sys, time
import claimeven.db.pipeline, claimeven.db.books.whole_board, claimeven.solver.deciding.decider
from claimeven.scripts.main import main
claimeven.solver.deciding.decider.SLICE = claimeven.db.books.whole_board.BATCH = 64
write = claimeven.db.pipeline.write_decided
def write_slowly(*arguments):
    time.sleep(0.01)
    write(*arguments)
claimeven.db.pipeline.write_decided = write_slowly
main()
"""
"""Many small transactions, and time to be killed between them."""


def start(*arguments: str, program: str | None = None, **options: Any) -> subprocess.Popen[str]:
    """`claimeven` with these arguments, or a program that calls it."""
    how = ["-m", "claimeven"] if program is None else ["-c", program]
    process: subprocess.Popen[str] = subprocess.Popen(
        [sys.executable, *how, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )
    return process


def finish(process: subprocess.Popen[str], seconds: float = 120) -> tuple[int, str, str]:
    """Status, output and diagnostics of a process that has ended by then."""
    output, diagnostics = process.communicate(timeout=seconds)
    return process.returncode, output, diagnostics
