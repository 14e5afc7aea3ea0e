"""Tables for spreadsheets and programs: CSV, one JSON document, and JSON lines, with the same fields."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TextIO

from claimeven.solver.contract import describe_position
from claimeven.solver.notation import columns, some_moves
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.verdict import Verdict

CSV_FIELDS = ("moves", "board", "ply", "to_move", "value", "score", "source", "best_moves")


@dataclass(frozen=True, slots=True)
class BookEntry:
    """A position of a book; best moves are columns from 0, None if it is not known which they are."""

    position: Position
    verdict: Verdict
    best_columns: tuple[int, ...] | None
    certificate: Certificate | None

    def to_json(self) -> dict[str, Any]:
        """The fields that every command has in its JSON; columns are counted from 1."""
        return describe_position(
            columns.write(some_moves(self.position), self.position.board),
            self.position,
            self.verdict,
            best_columns=self.best_columns or (),
            certificate=self.certificate,
        )


def write_csv(file: TextIO, entries: Iterable[BookEntry]) -> int:
    """Write a table with a header; gives the number of positions."""
    writer = csv.DictWriter(file, CSV_FIELDS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    number = 0
    for entry in entries:
        fields = entry.to_json()
        writer.writerow(fields | {"best_moves": " ".join(map(str, fields["best_moves"] or ()))})
        number += 1
    return number


def write_json_lines(file: TextIO, entries: Iterable[BookEntry]) -> int:
    """Write one object a line; gives the number of positions."""
    number = 0
    for entry in entries:
        file.write(json.dumps(entry.to_json()) + "\n")
        number += 1
    return number


def write_json(file: TextIO, entries: Iterable[BookEntry]) -> int:
    """Write one list of objects; gives the number of positions."""
    number = 0
    file.write("[")
    for entry in entries:
        file.write(("," if number else "") + "\n" + json.dumps(entry.to_json()))
        number += 1
    file.write("\n]\n")
    return number
