"""`claimeven audit store-damage`: does any command believe a store that somebody or something has changed?"""

from __future__ import annotations

import json
import random
import shutil
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from click.testing import CliRunner, Result
from tqdm import tqdm

from claimeven.scripts.audit.options import OutputSettings
from claimeven.solver.board import Board
from claimeven.solver.whole_file import write_whole

BOARD = "4x4"
PLY = 4
MOVES = ("1", "12", "1234", "1122", "23", "3")
LISTED = 20

Facts = dict[str, tuple[Any, ...]]
"""By moves: value, score and proof."""


@dataclass(slots=True)
class DamageCounts:
    """What came of the damages of a kind.

    `changed`: what is stored is no longer the same; `detected`: verify says so; `refused`: commands that ended with
    one line and without an answer; `traceback`, `wrong` and `missed`, which is what was changed and verify passed: what
    must not be.
    """

    damages: int = 0
    changed: int = 0
    detected: int = 0
    commands: int = 0
    refused: int = 0
    traceback: int = 0
    wrong: int = 0
    missed: int = 0
    examples: list[str] = field(default_factory=list)

    @property
    def is_fine(self) -> bool:
        return not (self.traceback or self.wrong or self.missed)


def damage_stores(number: int, seed: int, kinds: Iterable[str], output: OutputSettings) -> bool:
    """Damage so many copies of a small book in each way, run the commands on them and tell; whether one failed."""
    from claimeven.reports.audit.damage_maker import KINDS

    counts = {kind: DamageCounts() for kind in kinds or KINDS}
    with TemporaryDirectory() as directory:
        sound = Path(directory) / "sound.db"
        campaign = _Campaign(sound)
        total = number * len(counts)
        with tqdm(total=total, unit=" damages", disable=None, file=sys.stderr, leave=False) as bar:
            for kind, count in counts.items():
                for each in range(number):
                    campaign.try_one(kind, f"{seed}:{kind}:{each}", count)
                    bar.update()
    _tell(counts, seed, output)
    return not all(count.is_fine for count in counts.values())


class _Campaign:
    """A sound store, what is true of it, and copies of it that are damaged."""

    def __init__(self, sound: Path) -> None:
        from claimeven.db.store import Store

        self._sound = sound
        made = _run("book", "build", "--board", BOARD, "--ply", str(PLY), "--memory", "1M", "--db", str(sound))
        if made.exit_code:
            raise click.ClickException(f"the store to damage cannot be made: {made.output}")
        with Store.open(sound) as store:
            store.seal()
        self._copy = sound.with_name("copy.db")
        self._export = sound.with_name("export.jsonl")
        shutil.copy(sound, self._copy)
        self._facts = self._exported(_run(*self._export_command()))
        self._answers = {moves: _facts_of(_run(*self._query(moves))) for moves in MOVES}

    def try_one(self, kind: str, seed: str, count: DamageCounts) -> None:
        """Damage a copy, run every command on it, and count."""
        from claimeven.reports.audit.damage_maker import KINDS, read_contents

        for path in self._copy.parent.glob(f"{self._copy.name}*"):
            path.unlink()
        shutil.copy(self._sound, self._copy)
        chance = random.Random(seed)
        what = f"{seed} ({KINDS[kind](self._copy, chance)})"
        changed = read_contents(self._copy) != read_contents(self._sound)
        count.damages += 1
        count.changed += changed
        for moves in chance.sample(MOVES, 2):
            result = self._count(self._query(moves), what, count)
            if result.exit_code == 0 and not _agrees(_facts_of(result), self._answers[moves]):
                self._note(count, "wrong", f"{what}: query {moves} says {result.stdout.strip()}")
        result = self._count(self._export_command(), what, count)
        if result.exit_code == 0:
            for moves, facts in self._exported(result).items():
                if not _agrees({moves: facts}, {moves: self._facts.get(moves, ())}):
                    self._note(count, "wrong", f"{what}: the export says {facts} of {moves}")
                    break
        self._count(["stats", "--db", str(self._copy)], what, count)
        verified = self._count(["verify", "--search", "none", "--db", str(self._copy)], what, count)
        count.detected += verified.exit_code != 0
        if changed and verified.exit_code == 0:
            self._note(count, "missed", what)

    def _count(self, command: list[str], what: str, count: DamageCounts) -> Result:
        result = _run(*command)
        count.commands += 1
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            self._note(count, "traceback", f"{what}: {command[0]} ends with {result.exception!r}")
        elif result.exit_code:
            count.refused += 1
        return result

    def _note(self, count: DamageCounts, field_: str, example: str) -> None:
        setattr(count, field_, getattr(count, field_) + 1)
        if len(count.examples) < LISTED:
            count.examples.append(f"{field_}: {example}")

    def _query(self, moves: str) -> list[str]:
        return ["query", moves, "--board", BOARD, "--json", "--db", str(self._copy)]

    def _export_command(self) -> list[str]:
        options = ["--board", BOARD, "--format", "jsonl", "--out", str(self._export), "--db", str(self._copy)]
        return ["book", "export", *options]

    def _exported(self, result: Result) -> Facts:
        lines = self._export.read_text(encoding="utf-8").splitlines() if result.exit_code == 0 else []
        return {fields["moves"]: _fields(fields) for fields in map(json.loads, lines)}


def _run(*command: str) -> Result:
    from claimeven.scripts.main import claimeven

    return CliRunner().invoke(claimeven, list(command), prog_name="claimeven")


def _facts_of(result: Result) -> Facts:
    if result.exit_code or not result.stdout.strip():
        return {}
    fields = json.loads(result.stdout)
    return {fields["moves"]: _fields(fields)} | {
        f"{fields['moves']}/{child['column']}": (child["value"], child["score"], None)
        for child in fields.get("children") or ()
    }


def _fields(fields: dict[str, Any]) -> tuple[Any, ...]:
    return fields["value"], fields["score"], json.dumps(fields.get("proof"))


def _agrees(found: Facts, true: Facts) -> bool:
    """Whether an answer is true: the same, or less of the same."""
    for name, (value, score, proof) in found.items():
        if value == "unknown" and score is None:
            continue
        if name not in true or not true[name]:
            return False
        right_value, right_score, right_proof = true[name]
        if value != right_value and not _is_weaker(value, right_value):
            return False
        if score not in (None, right_score):
            return False
        if proof not in (None, "null", right_proof) and not _holds(name, proof):
            return False
    return True


def _holds(moves: str, proof: str) -> bool:
    """Whether another proof than the one that was stored is one all the same."""
    from claimeven.solver.notation import parse_position
    from claimeven.solver.proof.certificate import certificate_from_json
    from claimeven.solver.proof.checker import is_chosen_set

    position = parse_position(moves, Board.parse(BOARD))
    return is_chosen_set(certificate_from_json(position, json.loads(proof)))


def _is_weaker(value: str, right: str) -> bool:
    from claimeven.solver.verdict import Bounds, ContradictionError

    try:
        return Bounds.parse(right).tighten(Bounds.parse(value)) == Bounds.parse(right)
    except ContradictionError:
        return False


def _tell(counts: dict[str, DamageCounts], seed: int, output: OutputSettings) -> None:
    names = [name for name in asdict(DamageCounts()) if name != "examples"]
    table = ["| kind | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    table += [
        f"| {kind} | " + " | ".join(f"{getattr(count, name):,}" for name in names) + " |"
        for kind, count in counts.items()
    ]
    examples = [example for count in counts.values() for example in count.examples]
    measured = {"seed": seed, "kinds": {kind: asdict(count) for kind, count in counts.items()}}
    if output.out is not None:
        from claimeven.reports.machine import describe_run

        run = describe_run()
        where = ", ".join(f"{name} {value}" for name, value in run.items())
        page = "\n".join(["# Damaged stores", "", *table, "", f"Seed {seed}; {where}.", *examples])
        write_whole(output.out / "store-damage.md", page + "\n")
        write_whole(output.out / "store-damage.json", json.dumps({"run": run, **measured}, indent=1) + "\n")
    click.echo(json.dumps(measured) if output.as_json else "\n".join([*table, *examples]))
