"""Answers as tables, column by column: CSV and TSV, and Parquet; what the input holds besides positions is kept."""

from __future__ import annotations

import csv
import io
import json
from typing import Any, BinaryIO

import numpy as np

from claimeven.scripts.solve.answers import Answers, Places, keep_apart, write_all
from claimeven.scripts.solve.sources import import_pyarrow
from claimeven.solver.notation.stream import INVALID
from claimeven.solver.verdict import Bounds, Value
from claimeven.solver.verdict_code import SOURCE_CODES, source_of_code
from claimeven.solver.verdicts import NO_SCORE

Column = list[Any]

_RANKS = (-1, 0, 1)
_VALUES = {value.rank: value for value in Value}


VALUES = np.array(
    [
        [str(Bounds(_VALUES[least], _VALUES[greatest])) if least <= greatest else None for greatest in _RANKS]
        for least in _RANKS
    ],
    dtype=object,
)
"""What bounds are called, by their ranks + 1."""
SOURCES = np.array([None, *(str(source_of_code(code)) for code in range(1, len(SOURCE_CODES) + 1))], dtype=object)
"""What sources are called, by their codes; NO_SOURCE is 0."""
SCORES = np.array([None, *range(NO_SCORE + 1, 128)], dtype=object)
"""Scores by their number less NO_SCORE, which stands for none."""


def answer_columns(answers: Answers, which: Places) -> dict[str, Column]:
    """The columns that tell the answers to some lines, as our tables have them."""
    verdicts = answers.verdicts.select(which)
    values = VALUES[verdicts.least.astype(np.intp) + 1, verdicts.greatest.astype(np.intp) + 1]
    values[answers.lines.kinds[which] == INVALID] = "invalid"
    columns: dict[str, Column] = {
        "value": values.tolist(),
        "score": SCORES[verdicts.scores.astype(np.intp) - NO_SCORE].tolist(),
        "source": SOURCES[verdicts.sources.astype(np.intp)].tolist(),
    }
    if answers.best is not None:
        columns["best_moves"] = [
            [column + 1 for column in answers.best_columns(line)] or None for line in which.tolist()
        ]
    columns["error"] = [answers.lines.errors.get(line) for line in which.tolist()]
    return columns


def kept_columns(answers: Answers, which: Places, names: tuple[str, ...]) -> list[Column]:
    """The columns of the input at some lines; of a text, which has none, the moves."""
    rows = answers.chunk.rows
    if not names or rows is None:
        return [[answers.lines.text_of(line) for line in which.tolist()]]
    if isinstance(rows, list):
        return [[rows[line].get(name) for line in which.tolist()] for name in names]
    chosen = rows.take(import_pyarrow("to read Parquet").array(which))
    return [chosen.column(number).to_pylist() for number in range(chosen.num_columns)]


class TableSink:
    """CSV or TSV: the columns of the input, then ours."""

    def __init__(self, out: BinaryIO, columns: tuple[str, ...], delimiter: str, ours: tuple[str, ...]) -> None:
        self._out = out
        self._columns = columns
        self._ours = ours
        self._text = io.StringIO(newline="")
        self._writer = csv.writer(self._text, delimiter=delimiter, lineterminator="\n")
        self._writer.writerow([*map(keep_apart, columns or ("moves",)), *ours])

    def write(self, answers: Answers, which: Places) -> None:
        found = answer_columns(answers, which)
        if "best_moves" in found:
            found["best_moves"] = [None if best is None else " ".join(map(str, best)) for best in found["best_moves"]]
        kept = (_as_texts(column) for column in kept_columns(answers, which, self._columns))
        self._writer.writerows(zip(*kept, *(found[name] for name in self._ours), strict=True))
        write_all(self._out, self._text.getvalue().encode())
        self._text.seek(0)
        self._text.truncate()


class ParquetSink:
    """Parquet: the columns of the input with their types, then ours."""

    def __init__(self, out: BinaryIO, schema: Any, columns: tuple[str, ...], ours: tuple[str, ...]) -> None:
        arrow = import_pyarrow("to write Parquet")
        types = {"score": arrow.int8(), "best_moves": arrow.list_(arrow.int8())}
        if schema is None:
            kept = [arrow.field(keep_apart(name), arrow.string()) for name in columns or ("moves",)]
        else:
            kept = [each.with_name(keep_apart(each.name)) for each in schema]
        self._has_types = schema is not None
        self._columns = columns
        self._ours = ours
        self._schema = arrow.schema([*kept, *(arrow.field(name, types.get(name, arrow.string())) for name in ours)])
        self._arrow = arrow
        self._writer = arrow.parquet.ParquetWriter(out, self._schema)

    def write(self, answers: Answers, which: Places) -> None:
        found = answer_columns(answers, which)
        if self._has_types:
            chosen = answers.chunk.rows.take(self._arrow.array(which))
            kept = [chosen.column(number) for number in range(chosen.num_columns)]
        else:
            kept = [_as_texts(column) for column in kept_columns(answers, which, self._columns)]
        columns = [*kept, *(found[name] for name in self._ours)]
        arrays = [self._arrow.array(each, field.type) for each, field in zip(columns, self._schema, strict=True)]
        self._writer.write_table(self._arrow.Table.from_arrays(arrays, schema=self._schema))

    def close(self) -> None:
        self._writer.close()


def _as_texts(column: Column) -> Column:
    """Cells as text, nothing as nothing; lists and the like, which only JSON lines and Parquet hold, as JSON."""
    return [cell if cell is None or isinstance(cell, str) else _as_text(cell) for cell in column]


def _as_text(cell: Any) -> str:
    return json.dumps(cell, default=str) if isinstance(cell, bool | list | dict) else str(cell)
