"""`claimeven audit faults`: what do commands do when memory or the disk fails under them?"""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from tqdm import tqdm

from claimeven.scripts.audit.options import OutputSettings
from claimeven.scripts.audit.store_answers import run_command
from claimeven.scripts.errors import InputError, reported_as

MEMORY, FULL, BROKEN = "memory", "full", "broken"
STORE, LINES = "store.db", "lines.txt"
COMMANDS = {
    "solve": ["solve", LINES, "--board", "4x5", "--db", STORE],
    "book build": ["book", "build", "--board", "4x4", "--ply", "9", "--db", STORE],
    "report": ["report", "--out", ".", "--db", STORE],
    "graph": ["graph", "4344344453633552", "--out", "graph.graphml"],
    "book export": ["book", "export", "--board", "4x4", "--format", "jsonl", "--out", "book.jsonl", "--db", STORE],
}
"""What is run; all files are in one directory."""

SECONDS = 90.0
"""After which a command counts as one that hangs; without a fault each takes a second or two."""

GREATEST = {"RLIMIT_AS": 1200 << 20, "RLIMIT_DATA": 400 << 20}
"""The greatest limit of memory, for all of a process's addresses and for its data; the least is `_least_start`."""

START = [sys.executable, "-c", "import runpy, claimeven"]
"""What Python does before it comes to the command: where there is no memory for that, nothing of ours is run."""

EXAMPLES = 20
"""How many of the things that went wrong are told in words, of each kind of fault in each command."""

NOTES = re.compile(
    "compiling kernels|there is no memory for a larger|the kernel cache|wrote |counting|[0-9,]+ positions|"
    "what is found is kept|$"
)
"""How lines on stderr may begin that are no error."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a fault: whether the command did all of its work, and what it did that it must not."""

    is_fine: bool
    problems: tuple[str, ...]


@dataclass(slots=True)
class FaultCounts:
    """What came of the faults of a kind in a command: it ended in good order all the same, or with one sentence."""

    cases: int = 0
    fine: int = 0
    refused: int = 0
    wrong: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count a fault."""
        self.cases += 1
        self.wrong += bool(outcome.problems)
        self.fine += not outcome.problems and outcome.is_fine
        self.refused += not outcome.problems and not outcome.is_fine
        self.examples += outcome.problems[: max(0, EXAMPLES - len(self.examples))]


@dataclass(frozen=True, slots=True)
class _Ending:
    """How a process ended; `status` is None if it hung."""

    status: int | None
    output: str
    diagnostics: str


@dataclass(frozen=True, slots=True)
class _State:
    """All that a directory holds: rows of its store, and its other files."""

    rows: frozenset[object]
    files: dict[str, bytes]


def try_faults(number: int, commands: Iterable[str], kinds: Iterable[str], output: OutputSettings) -> bool:
    """Let memory and the disk fail in every command at so many places each; whether one did what it must not."""
    from claimeven.reports.audit.campaign_file import AuditFileError
    from claimeven.reports.audit.fault_record import FaultRecord
    from claimeven.reports.audit.faulty_disk import ERRORS, NoCompilerError, build_library

    chosen = [name for name in COMMANDS if not commands or name in commands]
    wanted = [kind for kind in (MEMORY, *ERRORS) if not kinds or kind in kinds]
    with TemporaryDirectory() as name, reported_as("--out", AuditFileError):
        directory = Path(name)
        record = FaultRecord.load(output.out, FaultCounts)
        try:
            library = None if wanted == [MEMORY] else build_library(directory)
        except NoCompilerError as error:
            raise InputError(f"--kind: {error}") from error
        if sys.platform == "win32":
            raise InputError("--kind: Windows has no limit of memory for a process")
        with (
            tqdm(total=len(chosen) * len(wanted) * number, unit=" faults", disable=None, leave=False) as bar,
            _workers(output.threads, directory, library) as pool,
        ):
            for command, kind in product(chosen, wanted):
                counts = record.counts(command, kind)
                bar.update(counts.cases)
                started = time.monotonic()
                for outcome in pool.map(partial(_try_one, command, kind, number), range(counts.cases, number)):
                    counts.add(outcome)
                    record.add(time.monotonic() - started)
                    started = time.monotonic()
                    record.save(output.out)
                    bar.update()
    record.save(output.out)
    click.echo(record.as_json() if output.as_json else "\n".join(record.as_table()))
    return record.is_wrong


@contextmanager
def _workers(jobs: int, directory: Path, library: Path | None) -> Iterator[ProcessPoolExecutor]:
    """Processes that try faults, each in a directory of its own: to judge a store they go there."""
    context = get_context("spawn")
    is_stopped = context.Event()
    pool = ProcessPoolExecutor(jobs, context, initializer=_begin, initargs=(directory, library, is_stopped))
    try:
        yield pool
    except BaseException:
        is_stopped.set()  # for what the processes were given already: the pool takes back only the rest
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(directory: Path, library: Path | None, is_stopped: Event) -> None:
    """Make a process ready to try faults; what stops it is that nothing more is asked, not Ctrl-C."""
    global _campaign, _is_stopped
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _is_stopped = is_stopped
    own = directory / f"process-{os.getpid()}"
    own.mkdir()
    _campaign = _Campaign(own, library)


def _try_one(command: str, kind: str, number: int, case: int) -> Outcome:
    assert _campaign is not None
    assert _is_stopped is not None
    if _is_stopped.is_set():
        raise InterruptedError("nobody waits for this fault any more")
    return _campaign.try_one(command, kind, case, number)


_campaign: _Campaign | None = None
"""That of a process which tries faults."""
_is_stopped: Event | None = None
"""Tells such a process that nobody waits for it any more."""


class _Campaign:
    """A directory with a store and the files of commands, which is renewed for every fault."""

    def __init__(self, directory: Path, library: Path | None) -> None:
        self._sound, self._work = directory / "sound", directory / "work"
        self._library, self._report = library, directory / "bytes"
        self._sound.mkdir()
        _fill(self._sound)
        self._before = _read(self._sound)
        self._after: dict[str, tuple[_State, frozenset[str], int]] = {}
        self._least_starts = {name: _least_start(name) for name in GREATEST}

    def try_one(self, command: str, kind: str, case: int, number: int) -> Outcome:
        """Run a command with one fault, and look at what is left."""
        after, lines, written = self._expect(command)
        share = (case + 0.5) / number
        if kind == MEMORY:
            name = list(GREATEST)[case % len(GREATEST)]
            least = self._least_starts[name]
            limit = int(least * (GREATEST[name] / least) ** share)  # close together where it is little
            ending = self._run(command, {}, _limiter(name, limit))
            what = f"{command}, {name} {limit >> 20} MiB"
        else:
            room = int(share * written)
            ending = self._run(command, self._disk(kind, room), None)
            what = f"{command}, {kind} after {room:,} of {written:,} bytes"
        problems = [*_judge_ending(ending, lines), *self._judge_state(command, ending, after)]
        return Outcome(ending.status == 0, tuple(f"{what}: {problem}" for problem in problems))

    def _expect(self, command: str) -> tuple[_State, frozenset[str], int]:
        """What a directory holds after the command without a fault, what it prints, and how many bytes it writes."""
        if command not in self._after:
            # It may have to compile kernels first.
            ending = self._run(command, {} if self._library is None else self._disk(FULL, -1), None, seconds=None)
            if ending.status != 0:
                raise click.ClickException(f"{command} fails without a fault: {ending.diagnostics.strip()}")
            written = int(self._report.read_text()) if self._library is not None else 0
            self._after[command] = _read(self._work), frozenset(ending.output.splitlines()), written
        return self._after[command]

    def _disk(self, kind: str, room: int) -> dict[str, str]:
        from claimeven.reports.audit.faulty_disk import faulty_environment

        assert self._library is not None
        return faulty_environment(self._library, self._work, kind=kind, room=room, report=self._report)

    def _run(
        self,
        command: str,
        variables: dict[str, str],
        limit: Callable[[], None] | None,
        seconds: float | None = SECONDS,
    ) -> _Ending:
        shutil.rmtree(self._work, ignore_errors=True)
        shutil.copytree(self._sound, self._work)
        process = subprocess.Popen(
            [sys.executable, "-m", "claimeven", *COMMANDS[command]],
            cwd=self._work,
            env=os.environ | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=limit,
        )
        try:
            said, diagnostics = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            said, diagnostics = process.communicate()
            return _Ending(None, said, diagnostics)
        return _Ending(process.returncode, said, diagnostics)

    def _judge_state(self, command: str, ending: _Ending, after: _State) -> Iterator[str]:
        """What is wrong with the directory, and with the same command run again without a fault."""
        now = _read(self._work)
        if not self._before.rows <= now.rows:
            yield "rows of the store are lost"
        for name, old in self._before.files.items():
            if now.files.get(name) not in (old, after.files.get(name)):
                yield f"{name} is neither what it was nor what it should become"
        yield from (
            f"{name} is left behind" for name in now.files.keys() - after.files.keys() - self._before.files.keys()
        )
        if ending.status == 0 and now != after:
            yield "it ended in good order, but not all is there"
        here = Path.cwd()
        os.chdir(self._work)
        try:
            verified = run_command("verify", "--search", "none", "--db", STORE)
            if verified.exit_code:
                yield f"verify says {verified.output.strip()}"
            again = run_command(*COMMANDS[command]) if ending.status else None
        finally:
            os.chdir(here)
        if again is not None and (again.exit_code or _read(self._work) != after):
            yield f"run again without a fault it ends with {again.exit_code}: {again.stderr.strip()}"


def _judge_ending(ending: _Ending, lines: frozenset[str]) -> Iterator[str]:
    diagnostics = ending.diagnostics.splitlines()
    last = diagnostics[-1] if diagnostics else "nothing"
    if ending.status is None:
        yield "it hangs"
    elif ending.status not in (0, 1):
        yield f"it ends with status {ending.status}, saying {last}"
    errors = [line for line in diagnostics if line.startswith("Error: ")]
    if ending.status in (0, 1) and len(errors) != ending.status:
        yield f"it ends with status {ending.status} and {len(errors)} errors, the last line is {last}"
    others = [line for line in diagnostics if not NOTES.match(line) and line not in errors]
    if others:
        yield f"it says {others[0]}"
    # The last line may be cut off where a process ends; a whole one must be right.
    wrong = [line for line in ending.output.splitlines()[:-1] if line not in lines]
    if wrong:
        yield f"it prints {wrong[0]}"


def _least_start(name: str) -> int:
    """The least limit of memory, to a MiB, with which Python starts."""
    least, greatest = 0, GREATEST[name]
    while greatest - least > 1 << 20:
        middle = (least + greatest) // 2
        limited = subprocess.run(START, preexec_fn=_limiter(name, middle), capture_output=True, check=False)
        least, greatest = (least, middle) if limited.returncode == 0 else (middle, greatest)
    return greatest


def _limiter(name: str, limit: int) -> Callable[[], None]:
    import resource

    return lambda: resource.setrlimit(getattr(resource, name), (limit, limit))


def _fill(directory: Path) -> None:
    """A store with a small book, old files to be replaced, and positions to solve."""
    from claimeven.solver.audit.positions import PositionSource, make_chunk
    from claimeven.solver.board import Board
    from claimeven.solver.notation import columns, some_moves
    from claimeven.solver.position import Position

    board = Board(4, 5)
    keys = make_chunk(PositionSource(str(board), "uniform", 12, 8, 16), 0, 600, lambda positions: [])
    games = (columns.write(some_moves(Position.from_key(board, int(key))), board) for key in keys)
    (directory / LINES).write_text("".join(f"{game}\n" for game in games), encoding="utf-8")
    made = run_command("book", "build", "--board", "4x4", "--ply", "5", "--db", str(directory / STORE))
    if made.exit_code:
        raise click.ClickException(f"the store cannot be made: {made.output}")
    for name in ("index.html", "graph.graphml", "book.jsonl"):
        (directory / name).write_text("what was there before\n" * 100, encoding="utf-8")


def _read(directory: Path) -> _State:
    """What a directory holds, without what is different in every run: dates and times."""
    rows: set[object] = set()
    files = {}
    with closing(sqlite3.connect(directory / STORE)) as connection:
        for table in ("boards", "positions", "certificates", "claims"):
            rows |= {(table, *row) for row in connection.execute(f"SELECT * FROM {table}")}
    for path in sorted(directory.rglob("*")):
        if path.is_file() and not path.name.startswith(STORE):
            files[str(path.relative_to(directory))] = re.sub(rb"\d+", b"0", path.read_bytes())
    return _State(frozenset(rows), files)
