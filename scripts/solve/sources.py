"""Where positions come from: text, CSV and TSV, JSON lines and Parquet, plain or compressed, in chunks as they arrive.

A chunk is a text with a line a position, whatever the file is, and beside it the rows that the positions came from, for
a file that holds more than positions.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import os
import sys
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from queue import Queue
from typing import Any, BinaryIO, TypeVar

from claimeven.scripts.errors import InputError

FORMATS = ("text", "csv", "tsv", "jsonl", "parquet")
ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
COMPRESSED = {".gz": "gzip", ".zst": "zstd"}

Item = TypeVar("Item")

BLOCK = 1 << 16
MOST_BYTES = 1 << 20
"""A chunk holds about as much, or what has arrived if that is less."""
ROWS = 16_384

_MAGIC = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"PAR1": "parquet",
}
_FOREIGN = {
    b"SQLite format 3\x00": "a SQLite database; a store is given with --db",
    b"PK\x03\x04": "a zip archive",
    b"\x7fELF": "a program",
    b"\x89PNG": "a picture",
    b"%PDF": "a PDF",
}
_ENCODINGS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


@dataclass(frozen=True, slots=True)
class Chunk:
    """A line a position, and the rows they came from: None for text, a record batch for Parquet, mappings otherwise.

    `numbers` are those of the lines of the file that the rows begin at, where it has others.
    """

    text: bytes
    rows: Any = None
    numbers: list[int] | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A stream of positions: its name for messages, its format, the names of its columns, and its chunks.

    `is_ready` tells whether the next chunk, or the end, can be had without waiting for whoever writes the stream.
    """

    name: str
    format: str
    chunks: Iterator[Chunk]
    columns: tuple[str, ...] = ()
    schema: Any = None
    is_ready: Callable[[], bool] = lambda: False


def format_of(name: str) -> tuple[str | None, str | None]:
    """The format and the compression that the name of a file shows; None for what it does not show.

    >>> format_of("games.csv.gz"), format_of("positions.txt"), format_of("-")
    (('csv', 'gzip'), (None, None), (None, None))
    """
    suffixes = [suffix.lower() for suffix in Path(name).suffixes]
    compression = COMPRESSED.get(suffixes[-1]) if suffixes else None
    if compression:
        suffixes.pop()
    return ENDINGS.get(suffixes[-1]) if suffixes else None, compression


def count_lines(name: str) -> int | None:
    """The number of lines of a file of plain text, None where it cannot be told without reading the stream itself."""
    if name == "-" or format_of(name)[1] is not None or not Path(name).is_file():
        return None
    with Path(name).open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(MOST_BYTES), b""))


def open_source(name: str, format_: str | None, column: str) -> Source:
    """The positions of a file, or of stdin if the name is `-`; raises InputError for one that cannot be read."""
    title = "stdin" if name == "-" else name
    stream: BinaryIO = _stdin() if name == "-" else Path(name).open("rb")  # noqa: SIM115  (read to its end)
    shown, compression = format_of(name)
    head, stream = _peek(stream)
    for magic, kind in _FOREIGN.items():
        if head.startswith(magic):
            raise InputError(f"{title}: this is {kind}, not a list of positions")
    found = next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), None)
    if found in ("gzip", "zstd"):
        stream = _decompress(stream, found, title)
        head, stream = _peek(stream)
    elif compression is not None and head:
        raise InputError(f"{title}: it is called compressed, but is not ({compression})")
    format_ = format_ or shown or ("parquet" if head.startswith(b"PAR1") else "text")
    if format_ == "parquet":
        return _open_parquet(title, name, stream, head, column)
    encoding = next((encoding for mark, encoding in _ENCODINGS.items() if head.startswith(mark)), "utf-8")
    if b"\x00" in head and encoding != "utf-16":
        raise InputError(f"{title}: this is binary, not text")
    is_whole = name != "-" and Path(name).is_file()
    arrived = _Arrived(_as_utf8(stream, encoding), waits=is_whole)
    blocks = _guarded(title, iter(arrived))
    if format_ == "text":
        return Source(title, format_, _whole_lines(blocks), is_ready=arrived.is_ready)
    lines = _TextLines(blocks)
    if format_ == "jsonl":
        chunks = _read_json_lines(lines, column, title)
        first = next(chunks, None)
        # A table needs its columns before its first row: they are the fields of the first rows.
        columns = tuple(dict.fromkeys(name for row in (first.rows if first else ()) for name in row))
        return Source(title, format_, chain([first] if first else [], chunks), columns)
    reader = csv.DictReader(lines, delimiter="\t" if format_ == "tsv" else ",", restkey="", restval=None)
    columns = tuple(next(_guarded(title, iter([reader.fieldnames or ()]))))
    _require_column(column, columns, title)
    return Source(title, format_, _guarded(title, _read_table(reader, lines, column)), columns)


def _require_column(column: str, columns: tuple[str, ...], title: str) -> None:
    if column not in columns:
        listed = ", ".join(columns) or "none"
        raise InputError(f"{title}: there is no column {column!r} (there are: {listed}); --column says which to read")


def _stdin() -> BinaryIO:
    if sys.stdin is None:
        raise InputError("there is no stdin to read from")
    try:
        # Not through the buffer of sys.stdin: its lock must not be held by a reader that waits when the program ends.
        return open(os.dup(sys.stdin.fileno()), "rb", buffering=0)
    except (OSError, ValueError, AttributeError):
        return getattr(sys.stdin, "buffer", None) or io.BytesIO(sys.stdin.read().encode())


def _peek(stream: BinaryIO) -> tuple[bytes, BinaryIO]:
    """The first bytes of a stream, as many as have arrived, and the whole stream."""
    head = _read_some(stream)
    return head, _Chained(head, stream)


def _read_some(stream: BinaryIO) -> bytes:
    read1 = getattr(stream, "read1", None)
    return bytes(read1(BLOCK) if read1 is not None else stream.read(BLOCK))


class _Chained(io.RawIOBase, BinaryIO):
    """Bytes that were read already, and what comes after them."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        super().__init__()
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if size is None or size < 0:
            found = self._head + self._rest.read()
            self._head = b""
            return found
        return self.read1(size)

    def read1(self, size: int = BLOCK) -> bytes:
        if self._head:
            found, self._head = self._head[:size], self._head[size:]
            return found
        read1 = getattr(self._rest, "read1", None)
        return bytes(read1(size) if read1 is not None else self._rest.read(size))

    def readinto(self, buffer: Any) -> int:
        found = self.read1(len(buffer))
        buffer[: len(found)] = found
        return len(found)


def _decompress(stream: BinaryIO, kind: str, title: str) -> BinaryIO:
    if kind == "gzip":
        return gzip.GzipFile(fileobj=io.BufferedReader(stream), mode="rb")  # type: ignore[type-var,return-value]
    pyarrow = import_pyarrow(f"{title}: to read .zst")
    opened: BinaryIO = pyarrow.CompressedInputStream(pyarrow.PythonFile(stream, mode="r"), "zstd")
    return opened


def import_pyarrow(purpose: str) -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError(f"{purpose}, install pyarrow: pip install 'claimeven[arrow]'") from None
    return pyarrow


def _as_utf8(stream: BinaryIO, encoding: str) -> Iterator[bytes]:
    """The blocks of a stream as UTF-8 without a mark at the start; what is broken is replaced."""
    decoder = None if encoding == "utf-8" else codecs.getincrementaldecoder(encoding)("replace")
    while block := _read_some(stream):
        yield block if decoder is None else decoder.decode(block).encode()


def _guarded(title: str, items: Iterator[Item]) -> Iterator[Item]:
    """The items, with one clear sentence for a file that cannot be read to its end."""
    try:
        yield from items
    except (EOFError, zlib.error, gzip.BadGzipFile, csv.Error) as error:
        raise InputError(f"{title}: it cannot be read to its end ({error})") from None


class _Arrived:
    """Blocks joined to what has arrived by the time it is asked for, so that a stream is answered as it comes.

    With `waits`, for a file, where all is there, they are joined to large ones whatever has arrived.
    """

    def __init__(self, blocks: Iterator[bytes], *, waits: bool) -> None:
        self._blocks = blocks
        self._waits = waits
        self._queue: Queue[bytes | BaseException | None] = Queue(maxsize=2 * MOST_BYTES // BLOCK)

    def is_ready(self) -> bool:
        """Whether something has arrived: more, or the end."""
        return self._waits or not self._queue.empty()

    def __iter__(self) -> Iterator[bytes]:
        # A daemon: a reader that waits for a stream which never ends must not keep the program from ending.
        threading.Thread(target=self._read, daemon=True, name="reader").start()
        ended = False
        while not ended:
            parts: list[bytes] = []
            size = 0
            while size < MOST_BYTES and (self._waits or not parts or not self._queue.empty()):
                item = self._queue.get()
                if isinstance(item, BaseException):
                    raise item
                if item is None:
                    ended = True
                    break
                parts.append(item)
                size += len(item)
            if parts:
                yield b"".join(parts)

    def _read(self) -> None:
        try:
            for block in self._blocks:
                self._queue.put(block)
            self._queue.put(None)
        except BaseException as error:
            self._queue.put(error)


def _whole_lines(blocks: Iterator[bytes]) -> Iterator[Chunk]:
    """The lines that are whole with each block; none at all if it ends none, so that nobody waits for the next."""
    rest = b""
    for block in blocks:
        text = rest + block
        end = text.rfind(b"\n") + 1
        rest = text[end:]
        yield Chunk(text[:end])
    if rest:
        yield Chunk(rest)


class _TextLines:
    """The lines of a text that comes in blocks, for the readers of the standard library.

    `is_drained` tells that no further line has arrived: what was read by then should not wait for it.
    """

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self.is_drained = True

    def __iter__(self) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        rest = ""
        for block in chain(self._blocks, [None]):
            text = rest + (decoder.decode(b"", final=True) if block is None else decoder.decode(block))
            end = len(text) if block is None else text.rfind("\n") + 1
            rest = text[end:]
            lines = list(io.StringIO(text[:end], newline=""))
            for number, line in enumerate(lines, start=1):
                self.is_drained = number == len(lines)
                yield line


def _read_table(reader: csv.DictReader[str], lines: _TextLines, column: str) -> Iterator[Chunk]:
    rows: list[Mapping[str, Any]] = []
    numbers: list[int] = []
    for row in reader:
        rows.append(row)
        # The reader is at the last line of a row whose cells may have several.
        cells = (cell for cell in row.values() if isinstance(cell, str))
        numbers.append(reader.line_num - sum(cell.count("\n") for cell in cells))
        if len(rows) == ROWS or lines.is_drained:
            yield _chunk_of_rows(rows, column, numbers)
            rows, numbers = [], []
    if rows:
        yield _chunk_of_rows(rows, column, numbers)


def _read_json_lines(lines: _TextLines, column: str, title: str) -> Iterator[Chunk]:
    rows: list[Mapping[str, Any]] = []
    numbers: list[int] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            raise InputError(f"{title}: line {number} is no JSON") from None
        if not isinstance(row, dict) or column not in row:
            raise InputError(f"{title}: line {number} has no field {column!r}; --column says which to read")
        rows.append(row)
        numbers.append(number)
        if len(rows) == ROWS or lines.is_drained:
            yield _chunk_of_rows(rows, column, numbers)
            rows, numbers = [], []
    if rows:
        yield _chunk_of_rows(rows, column, numbers)


def _chunk_of_rows(rows: list[Mapping[str, Any]], column: str, numbers: list[int]) -> Chunk:
    return Chunk(_as_lines([row[column] for row in rows]), rows, numbers)


def _as_lines(cells: list[Any]) -> bytes:
    """A line a cell: a board drawn over several lines joined by slashes, a list as JSON, and `null` for nothing."""
    texts = (cell if isinstance(cell, str) else json.dumps(cell, default=str) for cell in cells)
    return "".join("/".join(text.splitlines()) + "\n" for text in texts).encode(errors="replace")


def _open_parquet(title: str, name: str, stream: BinaryIO, head: bytes, column: str) -> Source:
    pyarrow = import_pyarrow(f"{title}: to read Parquet")
    if not head.startswith(b"PAR1"):
        raise InputError(f"{title}: this is no Parquet file")
    try:
        where = pyarrow.BufferReader(stream.read()) if name == "-" else name
        file = pyarrow.parquet.ParquetFile(where)
    except pyarrow.ArrowException as error:
        raise InputError(f"{title}: {error}") from None
    _require_column(column, tuple(file.schema_arrow.names), title)

    def chunks() -> Iterator[Chunk]:
        try:
            for batch in file.iter_batches(batch_size=ROWS):
                cells = batch.column(batch.schema.get_field_index(column)).to_pylist()
                yield Chunk(_as_lines(cells), batch)
        except pyarrow.ArrowException as error:
            raise InputError(f"{title}: it cannot be read to its end ({error})") from None

    return Source(title, "parquet", chunks(), tuple(file.schema_arrow.names), file.schema_arrow)
