"""What the README shows is what the commands print, and what it and the guide for contributors name is there."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from claimeven.scripts.main import COMMANDS, claimeven

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def sessions() -> list[tuple[str, str]]:
    """The commands shown after a `$`, each with the indented output that follows it."""
    blocks = re.findall(r"^    \$ claimeven (.*)\n((?:    (?!\$).*\n|\n(?=    ))*)", README, re.MULTILINE)
    return [(command, re.sub(r"^    ", "", output, flags=re.MULTILINE)) for command, output in blocks]


def test_there_is_a_session() -> None:
    assert sessions()


@pytest.mark.parametrize(("command", "output"), sessions())
def test_a_session_prints_what_the_readme_shows(command: str, output: str) -> None:
    result = CliRunner().invoke(claimeven, command.split())
    assert result.exit_code == 0
    assert result.output.strip() == output.strip()


def test_the_library_answers_as_the_readme_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    examples = doctest.DocTestParser().get_doctest(README, {}, "README.md", "README.md", 0)
    result = doctest.DocTestRunner().run(examples)
    assert result.attempted >= 9
    assert result.failed == 0


@pytest.mark.parametrize("text", [README, GUIDE], ids=["readme", "guide"])
def test_every_command_named_exists(text: str) -> None:
    named = set(re.findall(r"(?:^    |`|\$ )claimeven ([a-z]+)\b(?=[ `])", text, re.MULTILINE))
    assert named
    assert named <= set(COMMANDS)


def test_every_file_linked_exists() -> None:
    links = re.findall(r"\]\(([^):]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("text", [README, GUIDE], ids=["readme", "guide"])
def test_every_path_named_exists(text: str) -> None:
    paths = re.findall(r"`((?:claimeven|db|docs|reports|scripts|solver|tests)/[\w./-]*)`", text)
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
