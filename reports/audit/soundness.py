"""What is known of the soundness of the rules: all audits of a directory, coverage of suites, and play-outs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from claimeven.reports.audit.campaign_file import AuditDirectory, AuditFileError, Record
from claimeven.reports.audit.coverage import Coverage, coverage_from_json
from claimeven.solver.audit.play_outs import PlayOuts, play_outs_from_json

COVERAGE = "coverage"
PLAY_OUTS = "play-outs"
MUTATIONS = "mutations.md"


@dataclass(frozen=True, slots=True)
class Soundness:
    """Everything that was tried, with the runs that tried it."""

    records: tuple[Record, ...]
    coverage: tuple[Coverage, ...]
    coverage_run: Mapping[str, str] | None
    play_outs: tuple[tuple[PlayOuts, str], ...]
    has_mutations: bool

    @property
    def contradictions(self) -> int:
        """How many proofs are known to be false, whatever showed it."""
        audits = sum(record.counts.total("contradictions") for record in self.records)
        return audits + sum(each.contradictions for each in self.coverage) + sum(p.failed for p, _ in self.play_outs)


def read_soundness(directory: Path) -> Soundness:
    """What the audits into this directory have kept; raises AuditFileError."""
    kept = AuditDirectory(directory)
    coverage, play_outs = kept.read_part(COVERAGE), kept.read_part(PLAY_OUTS)
    try:
        return Soundness(
            tuple(sorted(kept.records(), key=_order)),
            () if coverage is None else tuple(map(coverage_from_json, coverage["suites"])),
            None if coverage is None else coverage["run"],
            ()
            if play_outs is None
            else tuple((play_outs_from_json(each["result"]), _today(each["command"])) for each in play_outs.values()),
            (directory / MUTATIONS).exists(),
        )
    except (AttributeError, KeyError, TypeError) as error:
        raise AuditFileError(f"{kept.folder}: a file is not what an audit writes ({error})") from None


def keep_play_outs(directory: Path, results: Iterable[PlayOuts], run: Mapping[str, str], command: str) -> None:
    """Add play-outs to those that are kept; the same ones again replace the old."""
    kept = AuditDirectory(directory)
    parts = kept.read_part(PLAY_OUTS) or {}
    if not isinstance(parts, dict):
        raise AuditFileError(f"{kept.folder}: {PLAY_OUTS}.json is not what an audit writes")
    parts |= {each.name: {"result": asdict(each), "run": dict(run), "command": command} for each in results}
    kept.write_part(PLAY_OUTS, dict(sorted(parts.items())))


def keep_coverage(directory: Path, suites: Iterable[Coverage], run: Mapping[str, str]) -> None:
    """Replace the coverage that is kept."""
    AuditDirectory(directory).write_part(COVERAGE, {"suites": [asdict(each) for each in suites], "run": dict(run)})


def soundness_to_json(soundness: Soundness, run: Mapping[str, str]) -> dict[str, Any]:
    """The same as the page, for programs."""
    return {
        "run": dict(run),
        "contradictions": soundness.contradictions,
        "campaigns": [record.to_json() for record in soundness.records],
        "coverage": [asdict(each) for each in soundness.coverage],
        "play_outs": [asdict(each) for each, _ in soundness.play_outs],
    }


def _today(command: Any) -> str:
    """A command that was kept when playing out was an option, as it is written now."""
    return str(command).replace("claimeven audit --play-out ", "claimeven audit play-out ")


def _order(record: Record) -> tuple[Any, ...]:
    source = record.campaign.source
    size = source.size
    return (-size.cells, source.board, record.campaign.look_ahead, source.kind, source.first, source.seed)
