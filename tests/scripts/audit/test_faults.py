"""A small campaign of failing disks and memory, and one that can fail."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from claimeven.reports.audit.faulty_disk import build_library, faulty_environment
from claimeven.scripts.audit.faults import START, _least_start
from tests.scripts.processes import finish, start
from tests.scripts.stores import run

HAS_COMPILER = sys.platform == "linux" and bool(shutil.which("cc") or shutil.which("gcc"))

pytestmark = pytest.mark.skipif(not HAS_COMPILER, reason="needs Linux and a C compiler")


def test_a_small_campaign_that_goes_on(tmp_path: Path) -> None:
    command = ["audit", "faults", "--number", "1", "--command", "book export", "--json", "--out", str(tmp_path)]
    assert run(*command, "--kind", "full").exit_code == 0
    result = run(*command, "--kind", "full", "--kind", "broken", "--kind", "memory")
    assert result.exit_code == 0, result.output
    counts = json.loads(result.stdout)["counts"]
    assert {name: (each["cases"], each["wrong"]) for name, each in counts.items()} == {
        "book export: full": (1, 0),
        "book export: broken": (1, 0),
        "book export: memory": (1, 0),
    }
    assert counts["book export: full"]["refused"] == counts["book export: broken"]["refused"] == 1
    assert "| all | all | 3 |" in (tmp_path / "faults.md").read_text()


def test_it_notices_a_file_that_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A program that writes to the place itself instead of beside it, in the process that the command starts.
    (tmp_path / "sitecustomize.py").write_text(
        "import claimeven.solver.whole_file as whole, contextlib\n"
        "@contextlib.contextmanager\n"
        "def replacing(out):\n"
        "    yield out\n"
        "whole.replacing = replacing\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    result = run("audit", "faults", "--number", "1", "--command", "book export", "--kind", "full", "--json")
    assert result.exit_code == 1
    assert (
        "book.jsonl is neither what it was" in json.loads(result.stdout)["counts"]["book export: full"]["examples"][0]
    )


@pytest.mark.parametrize(("kind", "number"), [("full", "28"), ("broken", "5")])
def test_the_disk_fails_at_the_byte(kind: str, number: str, tmp_path: Path) -> None:
    library, place = build_library(tmp_path), tmp_path / "place"
    place.mkdir()
    program = (
        "import os, sys\n"
        "file = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY)\n"
        "print(os.write(file, bytes(700)), os.write(file, bytes(700)))\n"
        "try:\n"
        "    os.write(file, bytes(1))\n"
        "except OSError as error:\n"
        "    print(error.errno)\n"
    )
    variables = os.environ | faulty_environment(library, place, kind=kind, room=1000, report=tmp_path / "report")
    inside = subprocess.check_output([sys.executable, "-c", program, place / "file"], env=variables, text=True)
    assert inside.split() == ["700", "300", number]
    assert (place / "file").stat().st_size == int((tmp_path / "report").read_text()) == 1000
    outside = subprocess.check_output([sys.executable, "-c", program, tmp_path / "file"], env=variables, text=True)
    assert outside.split() == ["700", "700"]


@pytest.mark.parametrize(
    "megabytes", [10, 47, 75, 130, *(pytest.param(each, marks=pytest.mark.slow) for each in (20, 35, 60, 100))]
)
def test_too_little_memory_to_load_everything(megabytes: int) -> None:
    import resource

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, megabytes << 20))

    status, _, diagnostics = finish(start("solve", "12", "--board", "4x5", "--no-cache", "--no-book", preexec_fn=limit))
    assert status == 1
    assert diagnostics == "Error: there is not enough memory; what was stored before is kept\n"


def test_limits_begin_where_python_starts() -> None:
    import resource

    least = _least_start("RLIMIT_DATA")
    for limit, starts in ((least, True), (least - (2 << 20), False)):
        started = subprocess.run(
            START,
            preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)),  # type: ignore[misc]
            capture_output=True,
            check=False,
        )
        assert (started.returncode == 0) is starts
