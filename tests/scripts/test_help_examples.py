"""Every example that `--help` shows works as it is written, in a directory with nothing but the files it reads.

Quick ones run in this process. Slow ones, in slow tests, are processes that run to their end or for some seconds, and
are then stopped by Ctrl-C as a user would. Of those that need a machine of the user's only the usage is checked.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from claimeven.db.books.packed import NO_BOOK, read_shipped_book
from claimeven.db.location import VARIABLE
from claimeven.db.store import Store
from claimeven.scripts.errors import FOUND_A_PROBLEM, INTERRUPTED
from claimeven.scripts.main import COMMANDS, claimeven
from claimeven.solver.audit.rule_bounds import NineRules
from claimeven.solver.board import Board
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import VerdictBatch
from tests.scripts.audit.test_command import prove_nothing, prove_too_much

ROOT = Path(__file__).parents[2]

ELSEWHERE = {
    "claimeven audit store-damage --server postgresql+psycopg://me@localhost/postgres": "a PostgreSQL server",
    "claimeven bench store --db postgresql://localhost/empty": "a PostgreSQL server",
    "claimeven store copy book.db 'postgresql:///?service=claimeven'": "a PostgreSQL server",
    "claimeven store copy book.db postgresql://db.example.org/claimeven": "a PostgreSQL server",
    "claimeven store copy postgresql://db.example.org/claimeven book.db": "a PostgreSQL server",
    "claimeven solve positions.txt --cluster tcp://scheduler:8786": "a Dask scheduler",
}
"""Examples that need what is not on this machine, and what that is; nothing here may look for it."""

SLOW_COMMANDS = ("arena", "audit", "bench", "play", "serve", "solution")
"""Commands whose examples play, measure or audit for seconds, minutes or hours, or until they are stopped."""
QUICK = {
    "claimeven audit page reports/results",
    "claimeven solution check 5x4.json",
    "claimeven solution check 5x4.json --plain --json",
    "claimeven solution export 5x4.json --out cards.csv",
    "claimeven solution show 5x4.json",
    "claimeven solution show 5x4.json 2132",
}
"""Those of their examples that do not."""
SLOW = {
    "claimeven book build --ply 24 --board 4x6",
    "claimeven book build --ply 9 --db book.db --cluster local:2",
    "claimeven book build --ply 8 --db book.db",
    "claimeven book check",
    "claimeven book export --format pons --ply 8 --out 7x6.book",
    "claimeven book export --format uci --out connect-4.data",
    "claimeven book import bitbully book_8ply.dat --db book.db",
    "claimeven book import pons 7x6.book",
    "claimeven book plan --ply 10 --workers 20",
    "claimeven book plan --ply 14 --workers 1000 --sample 500 --price 0.03 --json",
    "claimeven book pack --ply 8 --db book.db --out 7x6.book",
    "claimeven book verify-packed 7x6.book --sample 1000",
    "claimeven book verify-packed --sample 10",
    "claimeven report --out report",
    "claimeven report --out report --db book.db --board 7x6",
    "claimeven verify --board 5x4 --search all --play",
}
"""Examples of other commands that solve or write thousands of positions."""
SECONDS = 20.0
"""How long a slow one may run before it is stopped."""


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


def is_slow(example: str) -> bool:
    return example in SLOW or (example.split()[1] in SLOW_COMMANDS and example not in QUICK)


RUN = [example for example in examples() if example not in ELSEWHERE]


@pytest.fixture(scope="session")
def early_book(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """A store with the exact scores of 7x6 to a ply, which are those of the book in the box."""
    made: dict[int, Path] = {}

    def make(plies: int) -> Path:
        book = read_shipped_book()
        if book is None:
            pytest.skip("no book comes with this copy")
        if plies not in made:
            made[plies] = tmp_path_factory.mktemp("books") / f"{plies}.db"
            with Store.open(made[plies]) as store:
                for ply in range(plies + 1):
                    known = book.read_ply(Board(), ply)
                    batch = VerdictBatch.of_scores(Board(), known.keys, known.scores, Source.SEARCH)
                    store.write_found(Board(), batch, None, [])
        return made[plies]

    return make


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory to be in, with the book in the box as users have it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(NO_BOOK)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "own.db"))
    monkeypatch.setenv("BROWSER", "true")
    return tmp_path


def prepare(example: str, place: Path, early_book: Callable[[int], Path]) -> None:
    """The files that an example reads."""
    words = set(example.replace("=", " ").split())
    (place / "positions.txt").write_text("4455 18\n44455554221 -15\n" + ("" if "suite" in words else "1212121\n"))
    (place / "games.csv").write_text("id,position\n1,4455\n2,44455554221\n")
    (place / "reports").mkdir()
    (place / "reports/results").symlink_to(_copied(ROOT / "reports/results/audit", place / "kept/audit").parent)
    if "suites" in words and "make-suites" not in words:
        (place / "suites").mkdir()
        for suite in ("begin-easy", "end-easy"):
            lines = (ROOT / "reports/suites" / suite).read_text().splitlines()[:3]
            (place / "suites" / suite).write_text("".join(f"{line}\n" for line in lines))
    if "5x4.json" in words and "build" not in words:
        _copied(ROOT / "reports/solutions/5x4.json", place / "5x4.json")
    if "reports/solutions/*.json" in words:
        _copied(ROOT / "reports/solutions/5x4.json", place / "reports/solutions/5x4.json")
    if "reports/solutions/7x6-white.json" in words:
        _copied(ROOT / "reports/solutions/7x6-white.json", place / "reports/solutions/7x6-white.json")
    if "old/bin" in example:
        (place / "old/bin").mkdir(parents=True)
        for name, command in (("python", ""), ("claimeven", " -m claimeven")):
            (place / "old/bin" / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)}{command} "$@"\n')
            (place / "old/bin" / name).chmod(0o755)
    if "book_8ply.dat" in words:
        _copied(_bitbully_book(), place / "book_8ply.dat")
    if "verify" in words or "4x4" in words:
        for name in ("own.db", "book.db"):
            _succeed(
                "book", "build", "--ply", "2", "--score", "--board", "4x4" if "4x4" in words else "5x4", "--db", name
            )
    elif words & {"book", "report", "stats", "book.db"}:
        plies = 8 if {"8", "9", "uci"} & words or "7x6.book" in words else 4
        for name in ("own.db", "book.db"):
            _copied(early_book(plies), place / name)
    if "import" in words and "pons" in words:
        _succeed("book", "export", "--format", "pons", "--ply", "8", "--out", "7x6.book")
    if "verify-packed" in words and "7x6.book" in words:
        (place / "7x6.book").write_bytes((ROOT / "db/books/7x6.book").read_bytes())
    if "replay" in words:
        _save_a_false_proof(place / "audit/contradiction-0123456789ab.json")


def _save_a_false_proof(path: Path) -> None:
    """What an audit saves of rules that prove too much; the ones that are replayed do not."""
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr(NineRules, "bound_all", prove_too_much)
        broken.setattr(NineRules, "prove", prove_nothing)
        arguments = ("audit", "plies", "10", "--board", "4x4", "--out", str(path.parents[1] / "broken"))
        assert CliRunner().invoke(claimeven, arguments, prog_name="claimeven").exit_code == FOUND_A_PROBLEM
    _copied(next(path.parents[1].glob("broken/audit/contradiction-*.json")), path)


def _copied(source: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        target.mkdir()
        for each in source.iterdir():
            _copied(each, target / each.name)
    else:
        target.write_bytes(source.read_bytes())
    return target


def _bitbully_book() -> Path:
    found = find_spec("bitbully_databases")
    if found is None or found.origin is None:
        pytest.skip("bitbully's books are not installed")
    return Path(found.origin).parent / "assets/book_8ply.dat"


def _succeed(*arguments: str, stdin: str | None = None) -> str:
    result = CliRunner().invoke(claimeven, arguments, input=stdin, prog_name="claimeven")
    assert result.exit_code == 0, result.output
    return result.stdout


def test_there_are_examples_of_every_command() -> None:
    named = {example.split()[1] for example in examples() if example.startswith("claimeven ")}
    assert named >= set(COMMANDS)
    assert set(examples()) >= SLOW | QUICK | set(ELSEWHERE)


@pytest.mark.parametrize("example", [example for example in RUN if not is_slow(example)])
def test_an_example_works(example: str, place: Path, early_book: Callable[[int], Path]) -> None:
    prepare(example, place, early_book)
    if any(sign in example for sign in "|>*"):
        process = _start(example)
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0, output
        return
    _succeed(*shlex.split(example)[1:])


@pytest.mark.slow
@pytest.mark.parametrize("example", [example for example in RUN if is_slow(example)])
def test_a_long_example_works_or_stops_cleanly(example: str, place: Path, early_book: Callable[[int], Path]) -> None:
    prepare(example, place, early_book)
    process = _start(example)
    try:
        output, _ = process.communicate(timeout=SECONDS)
        assert process.returncode == 0, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        # One that was ending just then is ended by the signal itself: Python no longer minds it when it shuts down.
        assert process.returncode in (0, INTERRUPTED, -signal.SIGINT), output
    finally:
        with suppress(ProcessLookupError):  # what it started and did not end
            os.killpg(process.pid, signal.SIGKILL)
    assert "Traceback" not in output


@pytest.mark.parametrize("example", [*ELSEWHERE, *(example for example in RUN if is_slow(example))])
def test_the_usage_of_the_others_is_right(example: str, place: Path) -> None:
    for name in ("positions.txt", "old/bin/claimeven", "old/bin/python", "suites/begin-easy", "reports/results/x"):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).touch(mode=0o755)
    for name in (
        "5x4.json",
        "7x6.book",
        "book_8ply.dat",
        "audit/contradiction-0123456789ab.json",
        "reports/solutions/7x6-white.json",
    ):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).touch()
    words = shlex.split(example.replace("reports/solutions/*.json", "5x4.json"))[1:]  # as a shell does
    command: click.Command = claimeven
    context = click.Context(claimeven)
    while isinstance(command, click.Group):
        _, inner, words = command.resolve_command(context, words)
        assert inner is not None
        command = inner
    command.make_context("claimeven", list(words))


def _start(example: str) -> subprocess.Popen[str]:
    """An example as a process of its own, by a shell, with nobody at the terminal."""
    python = f"{shlex.quote(sys.executable)} -m claimeven "
    text = (
        example.replace("claimeven ", python, 1)
        if example.startswith("claimeven ")
        else example.replace(" | claimeven ", f" | {python}")
    )
    options: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL}
    return subprocess.Popen(
        ["sh", "-c", f"exec {text}"] if "|" not in text else ["sh", "-c", text],
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # one that is run in the background ignores it
        **options,
    )
