"""The environment of the README's commands: what is installed, once, and what may be missing."""

from __future__ import annotations

import sys
import venv
from pathlib import Path

import pytest

from claimeven.scripts.upkeep import environment
from claimeven.scripts.upkeep.environment import prepare


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The extras that were installed, in their order; `bench` cannot be."""
    extras: list[str] = []

    def create(directory: Path, **options: object) -> None:
        python = directory / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        python.parent.mkdir(parents=True)
        python.touch()

    def install(python: Path, extra: str) -> bool:
        extras.append(extra)
        return "bench" not in extra and "broken" not in extra

    monkeypatch.setattr(environment, "DIRECTORY", tmp_path / ".venv")
    monkeypatch.setattr(venv, "create", create)
    monkeypatch.setattr(environment, "_install", install)
    return extras


def test_an_optional_extra_may_be_missing(installed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    python = prepare("test", optional="bench")
    assert python.exists()
    assert installed == ["test", "test,bench"]
    assert "going on without it" in capsys.readouterr().err
    assert prepare("test", optional="bench") == python
    assert installed == ["test", "test,bench"]


def test_an_extra_that_is_needed_may_not(installed: list[str]) -> None:
    with pytest.raises(SystemExit, match="the installation failed"):
        prepare("broken")
    with pytest.raises(SystemExit):
        prepare("broken")
    assert installed == ["broken", "broken"]


def test_a_changed_project_is_installed_again(installed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    prepare()
    prepare()
    stamp = environment.DIRECTORY / "installed-plain"
    stamp.write_text("another project")
    prepare()
    assert installed == ["", ""]


def test_settings_of_tools_are_no_reason_to_install_again(
    installed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (environment.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    copy = tmp_path / "pyproject.toml"
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    for changed in (text, text.replace("line-length = 120", "line-length = 100"), text.replace('"click>=', '"click>')):
        copy.write_text(changed, encoding="utf-8")
        prepare()
    assert installed == ["", ""]
