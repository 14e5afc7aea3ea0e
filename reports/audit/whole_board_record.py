"""What audits of whole boards found, kept in a directory, and the page of them."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from claimeven.reports.audit.campaign_file import AuditFileError
from claimeven.reports.audit.small_boards import count_positions
from claimeven.reports.audit.whole_board import WholeBoardCounts
from claimeven.reports.machine import describe_run
from claimeven.solver.board import Board
from claimeven.solver.whole_file import write_whole

NAME = "whole-boards"
ROOT = Path(__file__).parents[2]
JUDGES = ("reports/audit/whole_board.py", "db/retrograde.py", "solver/enumeration.py", "solver/positions.py")
RULES, SEARCH = "solver/audit/rule_bounds.py", "solver/search/searcher.py"

_TEXT = (
    "Every position, unfinished and one of each mirror pair, against a table made backwards from the end of the game",
    "that comes from moves and lines alone. Where rows are odd the rules have no meaning, and only search is compared.",
    "Each board has the commit that it was audited at; the same command audits it again if rules, search or table have",
    "changed since.",
)
_FIELDS = ("board", "positions", "proofs", "false_proofs", "searched", "wrong_scores", "seconds", "cpu_seconds")
_IMPORTED = re.compile(r"^\s*(?:from|import) claimeven\.solver\.([\w.]+)", re.MULTILINE)


@cache
def version_of(module: str) -> str:
    """What tells the sources of a module, all of the solver that it imports, and the table's from any others."""
    found, waiting = {ROOT / name for name in JUDGES}, [ROOT / module]
    while waiting:
        path = waiting.pop()
        if path in found or not path.exists():
            continue
        found.add(path)
        for name in _IMPORTED.findall(path.read_text(encoding="utf-8")):
            imported = (ROOT / "solver").joinpath(*name.split("."))
            waiting += [imported.with_suffix(".py"), imported / "__init__.py"]
    digest = hashlib.sha256()
    for path in sorted(found):
        digest.update(str(path.relative_to(ROOT)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class WholeBoardRecord:
    """Boards with what was found, and which boards have more positions than some number."""

    def __init__(self, out: Path | None, boards: dict[str, Any], larger: dict[str, int]) -> None:
        self._out, self._boards, self._larger = out, boards, larger
        self._own: set[str] = set()
        self._run = describe_run()

    @classmethod
    def load(cls, out: Path | None) -> WholeBoardRecord:
        """What a directory keeps, or a new record. Raises AuditFileError."""
        if out is None or not (path := out / f"{NAME}.json").exists():
            return cls(out, {}, {})
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            boards, larger = dict(data["boards"]), dict(data.get("larger", {}))
            for each in boards.values():
                _row(each)
            return cls(out, boards, {name: int(number) for name, number in larger.items()})
        except (ValueError, KeyError, TypeError, AttributeError):
            raise AuditFileError(f"{path}: no audit of whole boards wrote it") from None

    def count(self, board: Board, most: int) -> int | None:
        """As `count_positions`, but what was counted before is known."""
        name = str(board)
        if name in self._boards:
            number = int(self._boards[name]["positions"])
            return number if number <= most else None
        if self._larger.get(name, -1) >= most:
            return None
        counted = count_positions(board, most)
        if counted is None:
            self._larger[name] = most
        return counted

    def find(self, board: Board, *, with_rules: bool, with_search: bool) -> WholeBoardCounts | None:
        """What was found on a board by what is there now, if all of that was asked."""
        kept = self._boards.get(str(board), {})
        versions = kept.get("sources", {})
        if (with_rules and versions.get("rules") != version_of(RULES)) or (
            with_search and versions.get("search") != version_of(SEARCH)
        ):
            return None
        fields = WholeBoardCounts.__dataclass_fields__
        return WholeBoardCounts(**{name: value for name, value in kept.items() if name in fields})

    def add(self, counts: WholeBoardCounts, *, with_rules: bool, with_search: bool) -> None:
        """Keep what was found on a board, and write the record and the page."""
        sources = {"rules": version_of(RULES)} if with_rules else {}
        sources |= {"search": version_of(SEARCH)} if with_search else {}
        self._own.add(counts.board)
        self._boards[counts.board] = asdict(counts) | {"sources": sources, "run": self._run}
        self.save()

    def save(self) -> None:
        """Write the record and the page, with what other audits wrote meanwhile; nothing without a directory."""
        if self._out is None or not self._boards:
            return
        now = WholeBoardRecord.load(self._out)
        self._boards |= {name: kept for name, kept in now._boards.items() if name not in self._own}
        larger = now._larger | self._larger
        self._larger = {name: number for name, number in larger.items() if name not in self._boards}
        boards = dict(sorted(self._boards.items(), key=lambda each: _order(each[1])))
        write_whole(self._out / f"{NAME}.md", "\n".join(_page(list(boards.values()), self._larger)) + "\n")
        data = {"boards": boards, "larger": dict(sorted(self._larger.items()))}
        write_whole(self._out / f"{NAME}.json", json.dumps(data, indent=1) + "\n")


def _order(kept: dict[str, Any]) -> tuple[int, int]:
    """Connect four first, and of each kind the small boards."""
    connect = Board.parse(kept["board"]).connect
    return (connect != 4) * connect, int(kept["positions"])


def _row(kept: dict[str, Any]) -> list[str]:
    numbers = [f"{kept[name]:,}" if name in kept else "" for name in _FIELDS[1:]]
    return [kept["board"], *numbers, kept["run"]["commit"]]


def _page(boards: list[dict[str, Any]], larger: dict[str, int]) -> list[str]:
    names = [*(name.replace("_", " ").replace("cpu", "CPU") for name in _FIELDS), "commit"]
    sums = [f"{sum(each.get(name, 0) for each in boards):,.0f}" for name in _FIELDS[1:]]
    rows = [*map(_row, boards), [f"all {len(boards)}", *sums, ""]]
    table = ["| " + " | ".join(names) + " |", "|---" + "|--:" * (len(names) - 2) + "|---|"]
    table += ["| " + " | ".join(row) + " |" for row in rows]
    examples = [f"- {example}" for each in boards for example in each["examples"]]
    beyond = [f"{name} (more than {number:,})" for name, number in sorted(larger.items())]
    runs = {", ".join(f"{key} {value}" for key, value in each["run"].items() if key != "commit") for each in boards}
    return [
        *("# Whole boards", "", *_TEXT, "", *table, ""),
        *([*examples, ""] if examples else []),
        *([f"Counted and found too large: {', '.join(beyond)}.", ""] if beyond else []),
        f"Run on: {'; '.join(sorted(runs))}.",
    ]
