"""Every example that `--help` shows works as it is written, in a directory with nothing but the files it reads."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from claimeven.db.packed_book import NO_BOOK, read_shipped_book
from claimeven.scripts.main import COMMANDS, claimeven

LONG = {
    "claimeven book build --ply 2",
    "claimeven book build --ply 4",
    "claimeven book build --ply 8 --db book.db",
    "claimeven book build --ply 24 --board 4x6",
    "claimeven book check",
    "claimeven book pack --ply 2 --out small.book",
    "claimeven book pack --ply 8 --db book.db --out 7x6.book",
    "claimeven book verify-packed 7x6.book --sample 1000",
}
"""Examples that solve thousands of positions, or read a book that takes as long to make."""

SLOW_WORDS = ("bench", "arena", "audit", "report", "verify", "play", "stats")
"""Commands whose examples run for long, read books or talk to a person; their own tests run them small."""


def examples() -> list[str]:
    """All examples of all commands, as users see them."""
    found: list[str] = []

    def collect(command: click.Command, path: tuple[str, ...]) -> None:
        text = command.get_help(click.Context(command, info_name=" ".join(path)))
        lines = [line.strip() for line in text.splitlines() if line.startswith(("    claimeven ", "    cat "))]
        found.extend(line.split("   ")[0] for line in lines)  # some have a comment behind them
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                assert inner is not None
                collect(inner, (*path, name))

    collect(claimeven, ("claimeven",))
    return sorted(set(found))


def is_quick(example: str) -> bool:
    words = example.split()
    is_long = example in LONG or words[1] in SLOW_WORDS or words[1:3] in (["book", "export"], ["book", "import"])
    return not is_long


QUICK = [
    example
    for example in examples()
    if is_quick(example) and ("verify-packed" not in example or read_shipped_book() is not None)
]


def test_there_are_examples_of_every_command() -> None:
    named = {example.split()[1] for example in examples() if example.startswith("claimeven ")}
    assert named >= set(COMMANDS)


@pytest.mark.parametrize("example", QUICK)
def test_an_example_works(example: str, tmp_path: Path) -> None:
    (tmp_path / "positions.txt").write_text("4455\n44455554221 -15\n1212121\n")
    (tmp_path / "games.csv").write_text("id,position\n1,4455\n2,44455554221\n")
    environment: dict[str, Any] = os.environ | {"CLAIMEVEN_DB": str(tmp_path / "own.db"), NO_BOOK: ""}
    for prepare in _needs(example):
        subprocess.run(_as_command(prepare), cwd=tmp_path, env=environment, check=True, capture_output=True)
    command = " | ".join(" ".join(map(shlex.quote, _as_command(part))) for part in example.split(" | "))
    shown = subprocess.run(
        command.replace("'>'", ">"),
        shell=True,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 0, shown.stderr
    assert "Traceback" not in shown.stderr


def _needs(example: str) -> list[str]:
    """What has to be done before: books that an example reads."""
    has_book = "--db book.db" in example and " build " not in example
    return ["claimeven book build --ply 2 --score --db book.db --board 4x4"] if has_book else []


def _as_command(text: str) -> list[str]:
    words = shlex.split(text)
    return [sys.executable, "-m", *words] if words[0] == "claimeven" else words
