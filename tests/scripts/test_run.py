"""The tour: it ends by offering the explorer, and asks only where somebody can answer."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from claimeven.scripts import run as tour


class Terminal(io.StringIO):
    """Text that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The commands that are run, none of which really is."""
    commands: list[tuple[str, ...]] = []

    def run(python: Path, *arguments: str) -> int:
        commands.append(arguments[2:])
        return 0

    monkeypatch.setattr(tour, "prepare", lambda **options: Path(sys.executable))
    monkeypatch.setattr(tour, "run", run)
    monkeypatch.setattr(sys, "argv", ["run"])
    return commands


def test_without_a_terminal_it_offers_and_asks_nothing(
    started: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("it asks"))
    assert tour.main() == 0
    assert started == list(tour.TOUR)
    assert capsys.readouterr().out.splitlines()[-1].endswith("python -m scripts.run serve --open")


@pytest.mark.parametrize(("answer", "opens"), [("y\n", True), ("\n", False), ("", False)])
def test_in_a_terminal_it_asks(
    started: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, answer: str, opens: bool
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert tour.main() == 0
    assert started == [*tour.TOUR, *([("serve", "--open")] if opens else [])]


def test_no_browser_asks_nothing_even_in_a_terminal(
    started: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setattr(sys, "argv", ["run", "--no-browser"])
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("it asks"))
    assert tour.main() == 0
    assert started == list(tour.TOUR)


def test_arguments_are_a_command(started: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["run", "prove", "12"])
    assert tour.main() == 0
    assert started == [("prove", "12")]
