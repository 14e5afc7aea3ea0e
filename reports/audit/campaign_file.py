"""What an audit keeps in its directory: a file a campaign, by which it goes on where it was, and its contradictions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from claimeven.reports.machine import describe_run
from claimeven.solver.audit.comparison import Campaign, ChunkResult, Counts, default_nodes
from claimeven.solver.audit.contradiction import Contradiction, contradiction_to_json
from claimeven.solver.audit.positions import KINDS, PositionSource, default_least_stones
from claimeven.solver.whole_file import write_whole

FOLDER = "audit"
"""The directory inside the one that the user gave."""


class AuditFileError(ValueError):
    """A file in the directory that no audit wrote."""


@dataclass(slots=True)
class Record:
    """How far a campaign is: chunks begun, what was counted in them, and the runs that did it."""

    campaign: Campaign
    wanted: int
    chunks: int = 0
    is_complete: bool = False
    counts: Counts = field(default_factory=Counts)
    contradictions: list[str] = field(default_factory=list)
    runs: list[dict[str, str]] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, result: ChunkResult, contradictions: Iterable[Path], seconds: float) -> None:
        """Add what is done of a chunk, with the files of its contradictions."""
        self.counts.add(result.counts)
        self.contradictions += [path.name for path in contradictions]
        self.chunks = result.number + 1
        self.seconds += seconds

    @property
    def command(self) -> str:
        """The command that runs the campaign again."""
        campaign, source = self.campaign, self.campaign.source
        if source.kind == "ply":
            words = [f"claimeven audit plies {source.first}-{source.last} --board {source.board}"]
        else:
            words = [f"claimeven audit random --board {source.board} --kind {source.kind}"]
            words += [f"--positions {self.wanted}", f"--seed {source.seed}"]
            if source.first != default_least_stones(source.size):
                words.append(f"--least-stones {source.first}")
        if campaign.look_ahead:
            words.append(f"--look-ahead {campaign.look_ahead}")
        if campaign.nodes != default_nodes(source.kind):
            words.append(f"--nodes {campaign.nodes}")
        return " ".join(words)

    def to_json(self) -> dict[str, Any]:
        return {
            "campaign": asdict(self.campaign),
            "wanted": self.wanted,
            "chunks": self.chunks,
            "complete": self.is_complete,
            "counts": self.counts.to_json(),
            "contradictions": self.contradictions,
            "runs": self.runs,
            "command": self.command,
            "seconds": round(self.seconds, 1),
        }

    @classmethod
    def from_json(cls, data: Any) -> Record:
        """What `to_json` wrote; raises AuditFileError."""
        try:
            campaign = data["campaign"]
            source = PositionSource(**campaign["source"])
            if source.kind not in KINDS:
                raise AuditFileError(f"there is no kind {source.kind!r}")
            return cls(
                Campaign(source, campaign["look_ahead"], campaign["nodes"]),
                int(data["wanted"]),
                int(data["chunks"]),
                bool(data["complete"]),
                Counts.from_json(data["counts"]),
                list(data["contradictions"]),
                list(data["runs"]),
                float(data["seconds"]),
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise AuditFileError(f"it is not the record of an audit ({error})") from None


class AuditDirectory:
    """The records of campaigns in a directory; nothing is written before something is done."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.folder = directory / FOLDER
        self._run = describe_run()

    def load(self, campaign: Campaign, wanted: int) -> Record:
        """The record of a campaign to go on with, or a new one; raises AuditFileError if the file is no record."""
        path = self.path_of(campaign)
        record = Record(campaign, wanted)
        if path.exists():
            record = self._read(path)
            if record.campaign != campaign:
                raise AuditFileError(f"{path}: it is the record of another campaign")
        done = record.counts.total("tried")
        if campaign.source.kind != "ply" and wanted > done:
            record.is_complete = False
        record.wanted = max(wanted, done)
        return record

    def save(self, record: Record) -> None:
        if self._run not in record.runs:
            record.runs.append(self._run)
        self._write(self.path_of(record.campaign), record.to_json())

    def keep_contradictions(self, campaign: Campaign, result: ChunkResult) -> list[Path]:
        """Write a file for each contradiction of a chunk; gives their paths."""
        paths = []
        for found, smallest in result.contradictions:
            path = self.folder / f"contradiction-{_digest(found)}.json"
            self._write(
                path,
                {
                    "found": contradiction_to_json(found),
                    "smallest": contradiction_to_json(smallest),
                    "campaign": asdict(campaign),
                    "chunk": result.number,
                    "run": self._run,
                    "replay": f"claimeven audit replay {path.name}",
                },
            )
            paths.append(path)
        return paths

    def forget(self, campaign: Campaign) -> None:
        """Begin a campaign anew."""
        self.path_of(campaign).unlink(missing_ok=True)

    def records(self) -> Iterator[Record]:
        """All campaigns that are kept here, by name; raises AuditFileError."""
        for path in sorted(self.folder.glob("*-to-*.json")):
            yield self._read(path)

    def path_of(self, campaign: Campaign) -> Path:
        return self.folder / f"{campaign.name}.json"

    def read_part(self, name: str) -> Any:
        """Another result that is kept here, as coverage or play-outs; None if there is none."""
        path = self.folder / f"{name}.json"
        return _load(path) if path.exists() else None

    def write_part(self, name: str, data: Any) -> None:
        self._write(self.folder / f"{name}.json", data)

    def _read(self, path: Path) -> Record:
        try:
            return Record.from_json(_load(path))
        except AuditFileError as error:
            raise AuditFileError(str(error) if str(error).startswith(str(path)) else f"{path}: {error}") from None

    def _write(self, path: Path, data: Any) -> None:
        """Replace a file at once, so that whoever stops us finds the old one or the new one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(data, indent=1) + "\n")


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise AuditFileError(f"{path}: it is not JSON") from None


def _digest(found: Contradiction) -> str:
    return hashlib.sha256(f"{found.position.board} {found.position.key}".encode()).hexdigest()[:12]
