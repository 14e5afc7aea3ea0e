"""The commit that a measurement states: changed results do not change it, changed sources do."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from claimeven.reports import machine


def test_only_results_may_have_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*arguments: str) -> None:
        names = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
        subprocess.run(["git", *names, *arguments], cwd=tmp_path, check=True, capture_output=True)

    source, result = tmp_path / "reports" / "machine.py", tmp_path / "reports" / "results" / "speed.md"
    result.parent.mkdir(parents=True)
    for path in (source, result, tmp_path / "other.py"):
        path.write_text("before\n")
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    monkeypatch.setattr(machine, "__file__", str(source))
    commit = machine.describe_run()["commit"]
    assert " " not in commit
    result.write_text("after\n")
    assert machine.describe_run()["commit"] == commit
    (tmp_path / "other.py").write_text("after\n")
    assert machine.describe_run()["commit"] == f"{commit} with changes"
