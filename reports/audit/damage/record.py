"""What audits of damaged stores found, kept in a directory: counts by kind, gone on with, and the page of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from claimeven.reports.audit.campaign_file import AuditFileError
from claimeven.reports.machine import describe_run
from claimeven.solver.whole_file import write_whole

NAME = "store-damage"
LISTED = 20


@dataclass(slots=True)
class DamageCounts:
    """What came of the damages of a kind.

    `changed`: what is stored is no longer the same; `detected`: verify says so; `refused`: commands that ended with
    one line and without an answer; `repaired`: verify found nothing more after --repair; `traceback`, `wrong` and
    `missed`, which is what was changed and verify passed: what must not be.
    """

    damages: int = 0
    changed: int = 0
    detected: int = 0
    commands: int = 0
    refused: int = 0
    repaired: int = 0
    traceback: int = 0
    wrong: int = 0
    missed: int = 0
    examples: list[str] = field(default_factory=list)

    @property
    def is_fine(self) -> bool:
        return not (self.traceback or self.wrong or self.missed)

    def note(self, name: str, example: str) -> None:
        """Count what must not be, and keep the first of it in words."""
        setattr(self, name, getattr(self, name) + 1)
        if len(self.examples) < LISTED:
            self.examples.append(f"{name}: {example}")


def load_campaign(out: Path | None, backend: str, seed: int) -> dict[str, Any]:
    """What a directory keeps of a campaign, or a new one; raises AuditFileError."""
    for record in _records(out):
        if (record["backend"], record["seed"]) == (backend, seed):
            return record
    return {"backend": backend, "seed": seed, "kinds": {}, "seconds": 0.0, "runs": []}


def _records(out: Path | None) -> list[dict[str, Any]]:
    if out is None or not (path := out / f"{NAME}.json").exists():
        return []
    try:
        records = list(json.loads(path.read_text(encoding="utf-8"))["campaigns"])
        for record in records:
            _ = record["backend"], record["seed"], record["seconds"], record["runs"]
            for counts in record["kinds"].values():
                DamageCounts(**counts)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise AuditFileError(f"{path}: no audit of stores wrote it") from None
    return records


def keep_campaign(out: Path | None, record: dict[str, Any]) -> None:
    """Put a campaign beside the others that the directory has, and write the page anew."""
    if out is None:
        return
    if (run := describe_run()) not in record["runs"]:
        record["runs"].append(run)
    same = (record["backend"], record["seed"])
    records = [each for each in _records(out) if (each["backend"], each["seed"]) != same] + [record]
    lines = ["# Damaged stores", "", *_TEXT]
    for each in records:
        counts = {kind: DamageCounts(**numbers) for kind, numbers in each["kinds"].items()}
        runs = "; ".join(", ".join(f"{name} {value}" for name, value in one.items()) for one in each["runs"])
        examples = [f"- {example}" for count in counts.values() for example in count.examples]
        lines += ["", f"## {each['backend']}, seed {each['seed']}", "", *format_counts(counts), "", *examples]
        lines += ["" for _ in examples[:1]] + [f"{each['seconds']:,} seconds; {runs}."]
    write_whole(out / f"{NAME}.md", "\n".join(lines) + "\n")
    write_whole(out / f"{NAME}.json", json.dumps({"campaigns": records}, indent=1) + "\n")


_TEXT = (
    "Copies of a small store, each damaged once, and what every command made of it. *Changed* are those that hold",
    "something else than before; *detected* those that `verify` tells of; *refused* counts commands that ended with a",
    "sentence instead of an answer; *repaired* are, of those that were given to `verify --repair`, the ones without a",
    "flaw afterwards. *Traceback*, *wrong* (an answer or a proof that is not true) and *missed* (changed, and not",
    "detected) must be 0.",
)


def format_counts(counts: Mapping[str, DamageCounts]) -> list[str]:
    """A table, a line a kind and one for all."""
    names = [name for name in asdict(DamageCounts()) if name != "examples"]
    table = ["| kind | " + " | ".join(names) + " |", "|---" + "|--:" * len(names) + "|"]
    table += [
        f"| {kind} | " + " | ".join(f"{getattr(count, name):,}" for name in names) + " |"
        for kind, count in counts.items()
    ]
    sums = {name: sum(getattr(count, name) for count in counts.values()) for name in names}
    return [*table, "| all | " + " | ".join(f"{sums[name]:,}" for name in names) + " |"]
