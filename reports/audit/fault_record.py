"""What audits of failing memory and disks found, kept in a directory and gone on with, and the page of them."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from claimeven.reports.audit.campaign_file import AuditFileError
from claimeven.reports.machine import describe_run
from claimeven.solver.whole_file import write_whole

NAME = "faults"

_TEXT = (
    "Commands as processes, and memory or the disk failing under them: memory limited by the system (RLIMIT_AS and",
    "RLIMIT_DATA in turn, from the least with which Python itself starts and finds the program), a disk that becomes",
    "full and one that breaks at places spread over all that the command writes. *Fine* are those that did all of",
    "their work, *refused* those that ended with status 1 and one sentence. *Wrong* must be 0: a traceback, another",
    "status, a command that hangs, a row or a file lost, cut off or left behind, a wrong answer, a store that `verify`",
    "does not accept, or a command that does not succeed afterwards.",
)


class FaultRecord:
    """Counts by command and kind of fault, with the runs and the time that they took."""

    def __init__(self, counts: dict[str, Any], runs: list[dict[str, str]], seconds: float, make: Any) -> None:
        self._counts, self._runs, self._seconds, self._make = counts, runs, seconds, make
        self._run = describe_run()

    @classmethod
    def load(cls, out: Path | None, make: Any) -> FaultRecord:
        """What a directory keeps, or a new record; `make` makes the counts. Raises AuditFileError."""
        if out is None or not (path := out / f"{NAME}.json").exists():
            return cls({}, [], 0.0, make)
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            counts = {name: make(**fields) for name, fields in data["counts"].items()}
            return cls(counts, list(data["runs"]), float(data["seconds"]), make)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise AuditFileError(f"{path}: no audit of faults wrote it") from None

    def counts(self, command: str, kind: str) -> Any:
        """The counts of a kind of fault in a command, to be added to."""
        return self._counts.setdefault(f"{command}: {kind}", self._make())

    def add(self, seconds: float) -> None:
        """Add the time of a fault."""
        self._seconds += seconds

    @property
    def is_wrong(self) -> bool:
        return any(counts.wrong for counts in self._counts.values())

    def as_json(self) -> str:
        """All of it, for programs."""
        counts = {name: asdict(each) for name, each in self._counts.items()}
        return json.dumps({"counts": counts, "seconds": round(self._seconds, 1), "runs": self._runs})

    def as_table(self) -> list[str]:
        """A table, and what is wrong in words."""
        names = ("cases", "fine", "refused", "wrong")
        lines = ["| command | fault | " + " | ".join(names) + " |", "|---|---" + "|--:" * len(names) + "|"]
        for name, counts in self._counts.items():
            numbers = " | ".join(f"{getattr(counts, each):,}" for each in names)
            lines.append(f"| {' | '.join(name.split(': '))} | {numbers} |")
        sums = " | ".join(f"{sum(getattr(c, each) for c in self._counts.values()):,}" for each in names)
        lines.append(f"| all | all | {sums} |")
        examples = [f"- {example}" for counts in self._counts.values() for example in counts.examples]
        return lines + ([""] if examples else []) + examples

    def save(self, out: Path | None) -> None:
        """Write the record and the page; nothing without a directory."""
        if out is None:
            return
        if self._run not in self._runs:
            self._runs.append(self._run)
        runs = "; ".join(", ".join(f"{name} {value}" for name, value in run.items()) for run in self._runs)
        page = [
            "# Failing memory and disks",
            "",
            *_TEXT,
            "",
            *self.as_table(),
            "",
            f"{self._seconds:,.0f} seconds; {runs}.",
        ]
        write_whole(out / f"{NAME}.md", "\n".join(page) + "\n")
        write_whole(out / f"{NAME}.json", self.as_json() + "\n")
