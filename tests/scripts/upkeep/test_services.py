"""What the tests need beside Python: where it cannot be had there is a warning and the run goes on."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from claimeven.scripts.upkeep import services
from claimeven.scripts.upkeep.services import VARIABLE, provide_browser, provide_database


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with no programs, on which this is not root."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(services, "_is_root", lambda: False)
    monkeypatch.setattr(services, "_server_programs", lambda: None)


@pytest.mark.usefixtures("bare")
def test_without_programs_there_are_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    assert not provide_browser()
    with provide_database() as variables:
        assert variables == {}
    warnings = capsys.readouterr().err.splitlines()
    assert len(warnings) == 2
    assert all(warning.startswith("warning: ") and warning.endswith("are skipped") for warning in warnings)


@pytest.mark.usefixtures("bare")
def test_root_on_debian_installs_and_a_failure_is_no_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands: list[list[str]] = []

    def fail(command: list[str], **options: object) -> subprocess.CompletedProcess[bytes]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 100)

    monkeypatch.setattr(services, "_is_root", lambda: True)
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/apt-get" if name == "apt-get" else None)
    monkeypatch.setattr(Path, "exists", lambda path: str(path) == "/etc/debian_version")
    monkeypatch.setattr(subprocess, "run", fail)
    assert not provide_browser()
    assert [command[1] for command in commands] == ["install", "update", "install"]
    assert commands[0][-2:] == ["chromium", "chromium-driver"]
    assert "installing chromium chromium-driver" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="programs of POSIX")
@pytest.mark.usefixtures("bare")
def test_a_server_that_does_not_start_is_no_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "initdb").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "initdb").chmod(0o755)
    monkeypatch.setattr(services, "_server_programs", lambda: tmp_path)
    with provide_database() as variables:
        assert variables == {}
    assert "PostgreSQL does not start" in capsys.readouterr().err


def test_a_database_that_is_given_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "postgresql://somewhere/db")
    monkeypatch.setattr(services, "_server_programs", lambda: pytest.fail("a server is looked for"))
    with provide_database() as variables:
        assert variables == {}
