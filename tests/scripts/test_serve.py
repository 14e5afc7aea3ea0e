"""`claimeven serve` as a process: it says where it is, answers, ends cleanly, and says in one line what is wrong."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from claimeven.scripts.main import claimeven

pytest.importorskip("uvicorn", reason="uvicorn is not installed; it is in the extra 'web'")


@contextmanager
def served(*arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address that a server prints, and its process."""
    command = [sys.executable, "-m", "claimeven", "serve", "--port", "0", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process
    finally:
        process.kill()
        process.wait()


def get(address: str) -> Any:
    with urllib.request.urlopen(address, timeout=60) as response:
        return json.load(response)


@pytest.mark.skipif(sys.platform == "win32", reason="there a process cannot be sent Ctrl-C alone")
def test_it_serves_until_it_is_stopped() -> None:
    with served("--no-cache") as (address, process):
        assert address.startswith("http://127.0.0.1:")
        assert get(f"{address}solve?pos=44444415112")["score"] == [-15, -15, -4, 100, -15, -15, -15]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "")
    assert err.splitlines()[-1] == "stopped"
    assert "Traceback" not in err


def test_another_host_than_this_machine_is_told(tmp_path: Path) -> None:
    with served("--host", "0.0.0.0", "--write", "--db", str(tmp_path / "new.db")) as (address, process):
        assert get(f"{address}status")["writes"] is True
        process.kill()
        assert "can be reached from other machines" in process.communicate()[1]
    assert (tmp_path / "new.db").exists()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(claimeven, ["serve", *arguments])


def test_what_is_wrong_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = run("--no-cache", "--port", str(taken.getsockname()[1]))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "cannot listen at 127.0.0.1" in result.stderr
    result = run("--db", str(tmp_path / "none.db"))
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert run("--no-cache", "--write").exit_code == 2
    assert run("--host", "no.such.host.invalid", "--no-cache").exit_code == 2


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = run("--no-cache")
    assert result.exit_code == 1
    assert "pip install 'claimeven[web]'" in result.stderr
