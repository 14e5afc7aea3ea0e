"""Where answers go: lines of text, JSON lines, CSV and TSV, Parquet; to stdout or to a file, plain or compressed."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np
from numpy.typing import NDArray

from claimeven.scripts.errors import InputError
from claimeven.scripts.solve.sources import Chunk, Source, format_of, import_pyarrow
from claimeven.solver.board import Board
from claimeven.solver.contract import FIELDS, describe_position, describe_verdict_fields
from claimeven.solver.notation.stream import INVALID, Lines
from claimeven.solver.position import Position
from claimeven.solver.verdict import Bounds, Value
from claimeven.solver.verdicts import NO_SCORE, VerdictBatch

Places = NDArray[np.intp]
VALUES = {value.rank: value for value in Value}
OURS = ("line", "error", *(name for name in FIELDS if name != "moves"))


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The lines of a chunk with what is known of them; where a line is no position the verdict says nothing.

    `proofs` are the texts of certificates by canonical key, `best` tells by line and column which moves are best, and
    `scores_of_moves` what each is worth to the side that makes it; the last two only if moves were asked for.
    """

    board: Board
    chunk: Chunk
    lines: Lines
    verdicts: VerdictBatch
    proofs: dict[int, str] = field(default_factory=dict)
    best: NDArray[np.bool_] | None = None
    scores_of_moves: NDArray[np.int64] | None = None

    def is_valid(self, line: int) -> bool:
        return bool(self.lines.kinds[line] != INVALID)

    def best_columns(self, line: int) -> list[int]:
        """The best moves of a line, as columns from 0; none if they were not asked for."""
        return [] if self.best is None else np.flatnonzero(self.best[line]).tolist()


class Sink(Protocol):
    """Takes the answers to some lines of a chunk, in the order in which they are to be written."""

    def write(self, answers: Answers, which: Places) -> None: ...


class TextSink:
    """A line an answer: the moves and who wins, or the score; with `numbered` the number of the input line first."""

    def __init__(self, out: BinaryIO, *, score: bool, numbered: bool = False) -> None:
        self._out = out
        self._score = score
        self._numbered = numbered
        bounds = [
            Bounds(VALUES[least], VALUES[greatest])
            for least in (-1, 0, 1)
            for greatest in (-1, 0, 1)
            if least <= greatest
        ]
        words = ["invalid", "unknown", *map(str, bounds), *map(str, range(NO_SCORE + 1, 128))]
        self._words = np.frombuffer("".join(words).encode(), np.uint8)
        self._offsets = np.concatenate([[0], np.cumsum([len(word) for word in words])]).astype(np.int64)
        self._of_bounds = np.zeros((3, 3), np.int64)
        for number, each in enumerate(bounds):
            self._of_bounds[each.least.rank + 1, each.greatest.rank + 1] = 2 + number
        self._of_score = 2 + len(bounds) - (NO_SCORE + 1)

    def write(self, answers: Answers, which: Places) -> None:
        from claimeven.solver.notation.line_kernels import write_answers

        lines, verdicts = answers.lines, answers.verdicts.select(which)
        if self._score:
            numbers = np.where(verdicts.has_score, verdicts.scores.astype(np.int64) + self._of_score, 1)
        else:
            numbers = self._of_bounds[verdicts.least.astype(np.intp) + 1, verdicts.greatest.astype(np.intp) + 1]
        numbers = np.where(lines.kinds[which] == INVALID, 0, numbers)
        starts, ends = lines.starts[which], lines.ends[which]
        length = int(
            (ends - starts).sum() + (self._offsets[numbers + 1] - self._offsets[numbers]).sum() + 2 * len(which)
        )
        out = np.empty(length, np.uint8)
        write_answers(lines.text, starts, ends, numbers, self._words, self._offsets, out)
        written = out.tobytes()
        if self._numbered or answers.scores_of_moves is not None:
            written = self._with_more(answers, which, written)
        _write_all(self._out, written)

    def _with_more(self, answers: Answers, which: Places, written: bytes) -> bytes:
        """The lines with their numbers in front, and the scores of the moves behind."""
        found = written.split(b"\n")[:-1]
        for place, line in enumerate(which.tolist()):
            if answers.scores_of_moves is not None and answers.is_valid(line):
                scores = answers.scores_of_moves[line].tolist()
                found[place] += "".join(" -" if score == NO_SCORE else f" {score}" for score in scores).encode()
            if self._numbered:
                found[place] = f"{answers.lines.first + line} ".encode() + found[place]
        return b"".join(line + b"\n" for line in found)


def keep_apart(name: str) -> str:
    """The name of a column of the input in the output: one that is called as a column of ours gets another name."""
    return f"input_{name}" if name in OURS else name


class RowSink:
    """A base for what is written row by row: what is in the input, and the contract's fields."""

    def __init__(self, *, numbered: bool = False, contract: bool = True) -> None:
        self._numbered = numbered
        self._contract = contract

    def rows(self, answers: Answers, which: Places) -> Iterator[dict[str, Any]]:
        """The rows of some lines; those of a table keep what else they hold."""
        for line in which.tolist():
            row: dict[str, Any] = {"line": answers.lines.first + line} if self._numbered else {}
            given = answers.chunk.rows
            if given is not None:
                held = given[line] if isinstance(given, list) else given.slice(line, 1).to_pylist()[0]
                row |= {keep_apart(name): cell for name, cell in held.items()}
            yield row | self._answer(answers, line)

    def _answer(self, answers: Answers, line: int) -> dict[str, Any]:
        if not answers.is_valid(line):
            failed = {"error": answers.lines.errors[line]}
            return {"moves": answers.lines.text_of(line)} | failed if self._contract else {"value": "invalid"} | failed
        verdict = answers.verdicts.verdict(line)
        if not self._contract:
            best = answers.best_columns(line)
            fields = describe_verdict_fields(verdict)
            return fields if answers.best is None else fields | {"best_moves": [column + 1 for column in best] or None}
        position = Position(answers.board, int(answers.lines.white[line]), int(answers.lines.black[line]))
        return describe_position(
            answers.lines.text_of(line),
            position,
            verdict,
            best_columns=answers.best_columns(line),
            certificate=_read_proof(position, answers.proofs.get(int(answers.verdicts.keys[line]))),
        )


class JsonSink(RowSink):
    """One JSON object a line."""

    def __init__(self, out: BinaryIO, *, numbered: bool) -> None:
        super().__init__(numbered=numbered)
        self._out = out

    def write(self, answers: Answers, which: Places) -> None:
        rows = (json.dumps(row, default=str) + "\n" for row in self.rows(answers, which))
        _write_all(self._out, "".join(rows).encode())


class TableSink(RowSink):
    """CSV or TSV: the columns of the input, then ours."""

    def __init__(self, out: BinaryIO, columns: tuple[str, ...], delimiter: str, ours: tuple[str, ...]) -> None:
        super().__init__(contract=False)
        self._out = out
        self._text = io.StringIO(newline="")
        names = [*map(keep_apart, columns or ("moves",)), *ours]
        self._has_rows = bool(columns)
        self._writer = csv.DictWriter(
            self._text, names, delimiter=delimiter, extrasaction="ignore", lineterminator="\n"
        )
        self._writer.writeheader()

    def write(self, answers: Answers, which: Places) -> None:
        for line, row in zip(which.tolist(), self.rows(answers, which), strict=True):
            moves = {} if self._has_rows else {"moves": answers.lines.text_of(line)}
            best = row.get("best_moves")
            listed = {"best_moves": " ".join(map(str, best))} if isinstance(best, list) else {}
            self._writer.writerow(moves | row | listed)
        _write_all(self._out, self._text.getvalue().encode())
        self._text.seek(0)
        self._text.truncate()


class ParquetSink(RowSink):
    """Parquet: the columns of the input with their types, then ours."""

    def __init__(self, out: BinaryIO, schema: Any, columns: tuple[str, ...], ours: tuple[str, ...]) -> None:
        super().__init__(contract=False)
        arrow = import_pyarrow("to write Parquet")
        types = {"score": arrow.int8(), "best_moves": arrow.list_(arrow.int8())}
        if schema is None:
            kept = [arrow.field(keep_apart(name), arrow.string()) for name in columns or ("moves",)]
        else:
            kept = [each.with_name(keep_apart(each.name)) for each in schema]
        self._has_rows = bool(columns)
        self._schema = arrow.schema([*kept, *(arrow.field(name, types.get(name, arrow.string())) for name in ours)])
        self._arrow = arrow
        self._writer = arrow.parquet.ParquetWriter(out, self._schema)

    def write(self, answers: Answers, which: Places) -> None:
        rows = []
        for line, row in zip(which.tolist(), self.rows(answers, which), strict=True):
            rows.append(row if self._has_rows else row | {"moves": answers.lines.text_of(line)})
        if rows:
            self._writer.write_table(self._arrow.Table.from_pylist(rows, schema=self._schema))

    def close(self) -> None:
        self._writer.close()


@dataclass(frozen=True, slots=True)
class Form:
    """How answers are to be written."""

    as_json: bool
    score: bool
    moves: bool
    unordered: bool


@contextmanager
def open_sink(out: Path | None, source: Source, form: Form) -> Iterator[Sink]:
    """Where answers go: stdout, or a file that is written whole or not at all; its name shows the format."""
    if out is None or str(out) == "-":
        format_ = "jsonl" if form.as_json else source.format
        if format_ == "parquet":
            raise InputError("Parquet is not written to stdout: name a file with --out, or use --json")
        with _closing(format_, _stdout(), source, form) as sink:
            yield sink
        return
    from claimeven.solver.whole_file import replacing

    shown, compression = format_of(str(out))
    format_ = shown or ("jsonl" if form.as_json else "text")
    with replacing(out) as temporary, temporary.open("wb") as file:
        if compression is None:
            with _closing(format_, file, source, form) as sink:
                yield sink
        else:
            with _compressed(file, compression) as packed, _closing(format_, packed, source, form) as sink:
                yield sink


@contextmanager
def _closing(format_: str, out: BinaryIO, source: Source, form: Form) -> Iterator[Sink]:
    sink = _make_sink(format_, out, source, form)
    try:
        yield sink
    finally:
        close: Callable[[], None] | None = getattr(sink, "close", None)
        if close is not None:
            close()


def _make_sink(format_: str, out: BinaryIO, source: Source, form: Form) -> Sink:
    if format_ in ("csv", "tsv", "parquet") and form.unordered:
        raise InputError("--unordered: a table keeps the order of its rows; use it with text or --json")
    ours = ("value", "score", "source", *(("best_moves",) if form.moves else ()), "error")
    match format_:
        case "jsonl":
            return JsonSink(out, numbered=form.unordered)
        case "csv" | "tsv":
            return TableSink(out, source.columns, "\t" if format_ == "tsv" else ",", ours)
        case "parquet":
            return ParquetSink(out, source.schema, source.columns, ours)
    return TextSink(out, score=form.score or form.moves, numbered=form.unordered)


@contextmanager
def _compressed(file: BinaryIO, compression: str) -> Iterator[BinaryIO]:
    if compression == "gzip":
        with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
            yield packed  # type: ignore[misc]
        return
    arrow = import_pyarrow("to write .zst")
    with arrow.CompressedOutputStream(arrow.PythonFile(file, mode="w"), "zstd") as packed:
        yield packed


def _write_all(out: BinaryIO, content: bytes) -> None:
    """Write all of it: an output without a buffer, as Python has it if asked, may take less at a time."""
    rest = memoryview(content)
    while rest:
        rest = rest[out.write(rest) :]
    out.flush()


def _stdout() -> BinaryIO:
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        raise InputError("there is no stdout to write to")
    sys.stdout.flush()
    found: BinaryIO = buffer
    return found


def _read_proof(position: Position, text: str | None) -> Any:
    """The certificate of a position, from the text of that of its canonical image."""
    if text is None:
        return None
    from claimeven.solver.proof.certificate_text import canonical_position, orient_certificate, read_certificate

    return orient_certificate(read_certificate(canonical_position(position), text), position)
