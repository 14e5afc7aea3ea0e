"""Where answers go: lines of text, JSON lines or tables; to stdout or to a file, plain or compressed."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np

from claimeven.scripts.errors import InputError
from claimeven.scripts.solve.answers import Answers, Places, keep_apart, write_all
from claimeven.scripts.solve.sources import Source, format_of, import_pyarrow
from claimeven.solver.contract import describe_move, describe_position
from claimeven.solver.notation.stream import INVALID
from claimeven.solver.position import Position
from claimeven.solver.verdict import Bounds, Value
from claimeven.solver.verdicts import NO_SCORE

VALUES = {value.rank: value for value in Value}


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
        self._of_bounds = np.zeros(9, np.int64)  # by 3 * least + greatest, from -4 on
        for number, each in enumerate(bounds):
            self._of_bounds[3 * each.least.rank + each.greatest.rank + 4] = 2 + number
        self._of_score = 2 + len(bounds) - (NO_SCORE + 1)

    def write(self, answers: Answers, which: Places) -> None:
        from claimeven.solver.notation.line_kernels import write_answers

        lines, some = answers.lines, which if self._numbered else _as_slice(which)  # numbered ones come in any order
        verdicts = answers.verdicts.select(some)
        if self._score:
            numbers = np.where(verdicts.has_score, verdicts.scores.astype(np.int64) + self._of_score, 1)
        else:
            numbers = self._of_bounds[3 * verdicts.least + verdicts.greatest + 4]
        numbers[lines.kinds[some] == INVALID] = 0
        starts, ends = lines.starts[some], lines.ends[some]
        words = np.bincount(numbers, minlength=len(self._offsets) - 1) @ np.diff(self._offsets)
        out = np.empty(int(ends.sum() - starts.sum() + words) + 2 * len(which), np.uint8)
        write_answers(lines.text, starts, ends, numbers, self._words, self._offsets, out)
        if self._numbered or answers.moves is not None:
            write_all(self._out, self._with_more(answers, which, out.tobytes()))
        else:
            write_all(self._out, out.data)

    def _with_more(self, answers: Answers, which: Places, written: bytes) -> bytes:
        """The lines with their numbers in front, and the scores of the moves behind."""
        found = written.split(b"\n")[:-1]
        for place, line in enumerate(which.tolist()):
            if answers.moves is not None and answers.is_valid(line):
                scores = answers.moves.scores[line].tolist()
                found[place] += "".join(" -" if score == NO_SCORE else f" {score}" for score in scores).encode()
            if self._numbered:
                found[place] = f"{answers.lines.number(line)} ".encode() + found[place]
        return b"".join(line + b"\n" for line in found)


def _as_slice(which: Places) -> Places | slice:
    """Places in ascending order as a slice, where none is left out: what it picks out need not be copied."""
    first, last = int(which[0]), int(which[-1])
    return slice(first, last + 1) if last - first == len(which) - 1 else which


class JsonSink:
    """One JSON object a line: what else the input holds, and the contract's fields."""

    def __init__(self, out: BinaryIO, *, numbered: bool) -> None:
        self._out = out
        self._numbered = numbered

    def write(self, answers: Answers, which: Places) -> None:
        rows = (json.dumps(row, default=str) + "\n" for row in self._rows(answers, which))
        write_all(self._out, "".join(rows).encode())

    def _rows(self, answers: Answers, which: Places) -> Iterator[dict[str, Any]]:
        for line in which.tolist():
            row: dict[str, Any] = {"line": answers.lines.number(line)} if self._numbered else {}
            given = answers.chunk.rows
            if given is not None:
                held = given[line] if isinstance(given, list) else given.slice(line, 1).to_pylist()[0]
                row |= {keep_apart(name): cell for name, cell in held.items()}
            yield row | _describe(answers, line)


def _describe(answers: Answers, line: int) -> dict[str, Any]:
    """The contract's fields of a line, or its error."""
    if not answers.is_valid(line):
        return {"moves": answers.lines.text_of(line), "error": answers.lines.errors[line]}
    position = Position(answers.board, int(answers.lines.white[line]), int(answers.lines.black[line]))
    moves = answers.moves_of(position, line)
    return describe_position(
        answers.lines.text_of(line),
        position,
        answers.verdicts.verdict(line),
        best_columns=answers.best_columns(line),
        certificate=_read_proof(position, answers.proofs.get(int(answers.verdicts.keys[line]))),
        children=None if moves is None else [describe_move(move.column, move.square, move.verdict) for move in moves],
    )


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
            from claimeven.scripts.solve.tables import TableSink

            return TableSink(out, source.columns, "\t" if format_ == "tsv" else ",", ours)
        case "parquet":
            from claimeven.scripts.solve.tables import ParquetSink

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
