"""Streams of positions: what has arrived comes in chunks, whatever the format, without waiting for the rest."""

from __future__ import annotations

import os
import time
from pathlib import Path
from threading import Thread
from typing import BinaryIO

import pytest

from claimeven.scripts.solve.sources import Chunk, open_source

FORMATS = {
    "text": (b"4455\n44", b"4\n"),
    "csv": (b"moves,note\n4455,a\n444,", b'"b\nc"\n'),
    "jsonl": (b'{"moves": "4455"}\n{"mo', b'ves": "444"}\n'),
}


@pytest.mark.skipif(os.name == "nt", reason="pipes with names are of POSIX")
@pytest.mark.parametrize("format_", FORMATS)
def test_what_has_arrived_does_not_wait_for_the_rest(format_: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    first, rest = FORMATS[format_]
    opened: list[BinaryIO] = []

    def write_first() -> None:
        out = pipe.open("wb", buffering=0)
        opened.append(out)
        out.write(first)

    writer = Thread(target=write_first)
    writer.start()
    source = open_source(str(pipe), format_, "moves")
    assert next(source.chunks).text == b"4455\n"
    writer.join()
    (out,) = opened
    out.write(rest)
    out.close()
    assert next(source.chunks).text == b"444\n"
    assert next(source.chunks, None) is None


@pytest.mark.skipif(os.name == "nt", reason="pipes with names are of POSIX")
def test_a_line_that_goes_on_and_on_holds_nobody_up(tmp_path: Path) -> None:
    """What looks whether something has arrived takes it then, and must not find itself waiting for the line's end."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    opened: list[BinaryIO] = []

    def write_first() -> None:
        opened.append(pipe.open("wb", buffering=0))
        opened[0].write(b"4455\n44")

    Thread(target=write_first).start()
    source = open_source(str(pipe), "text", "moves")
    assert next(source.chunks).text == b"4455\n"
    assert not source.is_ready()
    opened[0].write(b"55")
    while not source.is_ready():
        time.sleep(0.01)
    assert next(source.chunks).text == b""
    opened[0].close()
    assert [chunk.text for chunk in source.chunks] == [b"4455"]


def test_a_file_is_always_ready(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("4455\n")
    assert open_source(str(tmp_path / "file"), None, "moves").is_ready()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_tables_have_any_line_ends(end: str, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_bytes(f'moves,note{end}4455,"two{end}lines"{end}444,é'.encode())
    chunks: list[Chunk] = list(open_source(str(file), None, "moves").chunks)
    assert b"".join(chunk.text for chunk in chunks) == b"4455\n444\n"
    rows = [row for chunk in chunks for row in chunk.rows]
    assert [row["note"] for row in rows] == [f"two{end}lines", "é"]
