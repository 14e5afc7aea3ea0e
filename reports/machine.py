"""Where a measurement was made: commit, versions and machine, as every file in `results/` states them."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path


def describe_run() -> dict[str, str]:
    """The commit and the machine of this run, by name."""
    return {
        "commit": _commit(),
        "python": platform.python_version(),
        "numba": metadata.version("numba"),
        "machine": f"{platform.system()} {platform.machine()}, {_processor()}, {os.cpu_count()} cores",
    }


def _commit() -> str:
    def git(*arguments: str) -> str:
        directory = Path(__file__).parent
        return subprocess.run(
            ["git", *arguments], cwd=directory, capture_output=True, text=True, check=True
        ).stdout.strip()

    try:
        changed = (
            " with changes"
            if git("status", "--porcelain", "--untracked-files=no", "--", ":(top,exclude)reports/results")
            else ""
        )
        return git("rev-parse", "--short", "HEAD") + changed
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or "unknown processor"
