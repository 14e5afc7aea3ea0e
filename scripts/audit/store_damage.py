"""`claimeven audit store-damage`: does any command believe a store that somebody or something has changed?"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

import click
from click.testing import Result
from tqdm import tqdm

from claimeven.scripts.audit.options import OutputSettings
from claimeven.scripts.audit.store_answers import Facts, agrees, explains_only, facts_of, fields_of, run_command
from claimeven.scripts.errors import reported_as
from claimeven.scripts.options.store import store_errors
from claimeven.solver.board import Board

if TYPE_CHECKING:
    from claimeven.reports.audit.damage.record import DamageCounts

BOARD = Board(4, 4)
PLY = 4
MOVES = ("1", "12", "1234", "1122", "23", "3")
CLAIMED = "112233"
"""A position that only a claim tells of."""
KEPT_EVERY = 20


class Copies(Protocol):
    """A sound store, and a copy of it that can be damaged in several ways and renewed."""

    name: str
    sound: str
    copy: str

    @property
    def kinds(self) -> Mapping[str, Callable[[random.Random], str]]: ...

    def renew(self) -> None: ...

    def contents(self) -> object: ...

    def close(self) -> None: ...


def damage_stores(number: int, seed: int, kinds: Iterable[str], server: str | None, output: OutputSettings) -> bool:
    """Damage so many copies of a small book in each way, run the commands on them and tell; whether one failed.

    What a directory keeps of the same seed and database is gone on with.
    """
    from claimeven.reports.audit.campaign_file import AuditFileError
    from claimeven.reports.audit.damage.record import DamageCounts, load_campaign
    from claimeven.reports.audit.damage.server_copies import ServerCopies
    from claimeven.reports.audit.damage.sqlite_copies import SqliteCopies

    with TemporaryDirectory() as directory, store_errors(), reported_as("--out", AuditFileError):
        copies: Copies = SqliteCopies(Path(directory)) if server is None else ServerCopies(server)
        try:
            chosen = [kind for kind in copies.kinds if not kinds or kind in kinds]
            if not chosen:
                raise click.UsageError(f"--kind: of a server only {', '.join(copies.kinds)} can be damaged")
            record = load_campaign(output.out, copies.name, seed)
            counts = {kind: DamageCounts(**record["kinds"].get(kind, {})) for kind in chosen}
            _run(copies, Path(directory), number, seed, counts, record, output)
        finally:
            copies.close()
    _tell(counts, record, output)
    return not all(count.is_fine for count in counts.values())


def _run(
    copies: Copies,
    directory: Path,
    number: int,
    seed: int,
    counts: dict[str, DamageCounts],
    record: dict[str, Any],
    output: OutputSettings,
) -> None:
    from claimeven.reports.audit.damage.record import keep_campaign

    campaign = _Campaign(copies, directory)
    done, total = sum(count.damages for count in counts.values()), number * len(counts)
    started = time.monotonic()

    def keep() -> None:
        nonlocal started
        now = time.monotonic()
        record["seconds"], started = round(record["seconds"] + now - started, 1), now
        record["kinds"] |= {kind: asdict(count) for kind, count in counts.items()}
        keep_campaign(output.out, record)

    with tqdm(total=total, initial=done, unit=" damages", disable=None, file=sys.stderr, leave=False) as bar:
        try:
            for kind in counts:
                while (damages := counts[kind].damages) < number:
                    tried = deepcopy(counts[kind])  # one that is stopped halfway counts for nothing
                    campaign.try_one(kind, f"{seed}:{kind}:{damages}", tried)
                    counts[kind] = tried
                    bar.update()
                    if tried.damages % KEPT_EVERY == 0:
                        keep()
        finally:
            keep()


class _Campaign:
    """A sound store, what is true of it, and the commands that are run on damaged copies."""

    def __init__(self, copies: Copies, directory: Path) -> None:
        self._copies = copies
        self._export, self._page = directory / "export.jsonl", directory / "page"
        _make_store(copies.sound)
        copies.renew()
        self._contents = copies.contents()
        self._facts = self._exported(run_command(*self._export_command()))
        self._answers = {moves: facts_of(run_command(*self._ask("query", moves))) for moves in MOVES}
        self._extras: tuple[Callable[[random.Random, str, DamageCounts], None], ...] = (
            self._explain,
            self._solve,
            self._analyze,
            self._report,
            self._repair,
        )
        self._solved = {moves: facts_of(run_command(*self._ask("analyze", moves))) for moves in MOVES}

    def try_one(self, kind: str, seed: str, count: DamageCounts) -> None:
        """Damage a copy, run commands on it, and count."""
        self._copies.renew()
        chance = random.Random(seed)
        what = f"{seed} ({self._copies.kinds[kind](chance)})"
        changed = self._copies.contents() != self._contents
        for moves in chance.sample(MOVES, 2):
            self._check("query", moves, self._answers[moves], what, count)
        result = self._count(self._export_command(), what, count)
        if result.exit_code == 0:
            for moves, facts in self._exported(result).items():
                if not agrees(BOARD, {moves: facts}, {moves: self._facts.get(moves, ())}):
                    count.note("wrong", f"{what}: the export says {facts} of {moves}")
                    break
        self._count(["stats", "--db", self._copies.copy], what, count)
        verified = self._count(self._verify_command(), what, count)
        count.detected += verified.exit_code != 0
        if changed and verified.exit_code == 0:
            count.note("missed", what)
        chance.choice(self._extras)(chance, what, count)
        count.damages += 1
        count.changed += changed

    def _check(self, command: str, moves: str, true: Facts, what: str, count: DamageCounts) -> Facts:
        """Ask for a position, and compare the answer with what is true."""
        result = self._count(self._ask(command, moves), what, count)
        facts = facts_of(result)
        if not agrees(BOARD, facts, true):
            count.note("wrong", f"{what}: {command} {moves} says {result.stdout.strip()}")
        return facts

    def _explain(self, chance: random.Random, what: str, count: DamageCounts) -> None:
        moves = chance.choice(MOVES)
        facts = self._check("query", moves, self._answers[moves], what, count)
        options = ["query", moves, "--board", str(BOARD), "--proof", "--db", self._copies.copy]
        shown = self._count(options, what, count)
        if facts and not explains_only(BOARD, shown.stdout, facts):
            count.note("wrong", f"{what}: query {moves} --proof explains {shown.stdout}")

    def _solve(self, chance: random.Random, what: str, count: DamageCounts) -> None:
        moves = chance.choice(MOVES)
        self._check("solve", moves, self._solved[moves], what, count)

    def _analyze(self, chance: random.Random, what: str, count: DamageCounts) -> None:
        moves = chance.choice(MOVES)
        self._check("analyze", moves, self._solved[moves], what, count)

    def _report(self, chance: random.Random, what: str, count: DamageCounts) -> None:
        self._count(["report", "--out", str(self._page), "--db", self._copies.copy], what, count)

    def _repair(self, chance: random.Random, what: str, count: DamageCounts) -> None:
        """Drop what is wrong; whatever is answered afterwards must be true, too."""
        self._count([*self._verify_command(), "--repair"], what, count)
        count.repaired += self._count(self._verify_command(), what, count).exit_code == 0
        moves = chance.choice(MOVES)
        self._check("query", moves, self._answers[moves], f"{what}, repaired", count)

    def _count(self, command: list[str], what: str, count: DamageCounts) -> Result:
        result = run_command(*command)
        count.commands += 1
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            count.note("traceback", f"{what}: {command[0]} ends with {result.exception!r}")
        elif result.exit_code:
            count.refused += 1
        return result

    def _ask(self, command: str, moves: str) -> list[str]:
        options = [] if command == "query" else ["--memory", "1M", "--jobs", "1"]
        return [command, moves, "--board", str(BOARD), "--json", *options, "--db", self._copies.copy]

    def _verify_command(self) -> list[str]:
        return ["verify", "--search", "none", "--db", self._copies.copy]

    def _export_command(self) -> list[str]:
        options = ["--board", str(BOARD), "--format", "jsonl", "--out", str(self._export), "--db", self._copies.copy]
        return ["book", "export", *options]

    def _exported(self, result: Result) -> Facts:
        lines = self._export.read_text(encoding="utf-8").splitlines() if result.exit_code == 0 else []
        return {fields["moves"]: fields_of(fields) for fields in map(json.loads, lines)}


def _make_store(where: str) -> None:
    """A store with something in every table: a small book, a claim, and the games of an arena."""
    from claimeven.db.store import Store
    from claimeven.db.tables.games import StoredGame
    from claimeven.solver.notation import parse_position
    from claimeven.solver.verdict import Bounds, Source, Verdict
    from claimeven.solver.verdicts import VerdictBatch

    made = run_command("book", "build", "--board", str(BOARD), "--ply", str(PLY), "--memory", "1M", "--db", where)
    if made.exit_code:
        raise click.ClickException(f"the store to damage cannot be made: {made.output}")
    claim = Verdict(Bounds.parse("draw"), Source.IMPORT, 0)
    with Store.open(where) as store:
        run = store.start_run("book import", {"file": "claims"})
        store.write_claims(BOARD, VerdictBatch.of_verdicts([parse_position(CLAIMED, BOARD)], [claim]), run)
        run = store.start_run(
            "arena", {"players": ["random", "perfect"], "game": str(BOARD), "seed": 1, "seconds": None}
        )
        store.write_games(run, [StoredGame(1, "random", "perfect", str(BOARD), "", "1234", None, "board full")])
        store.seal()


def _tell(counts: dict[str, DamageCounts], record: dict[str, Any], output: OutputSettings) -> None:
    if output.as_json:
        click.echo(json.dumps({**record, "kinds": {kind: asdict(count) for kind, count in counts.items()}}))
        return
    from claimeven.reports.audit.damage.record import format_counts

    examples = [example for count in counts.values() for example in count.examples]
    click.echo("\n".join([*format_counts(counts), *examples]))
