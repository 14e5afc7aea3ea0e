"""Files that are written whole or not at all: beside their place first, and moved there when they are on the disk."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def write_whole(out: Path, content: str | bytes) -> None:
    """Write or replace a file; text is UTF-8 with its line ends as they are.

    Raises OSError with the name of the file, which is then what it was before. What is no file, as a pipe or a
    terminal, is written to as it is.
    """
    data = content.encode() if isinstance(content, str) else content
    if out.exists() and not out.is_file():
        with _named(out):
            out.write_bytes(data)
        return
    with replacing(out) as temporary:
        temporary.write_bytes(data)


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """A path to write to, which takes the place of `out` when the block is left in good order and is gone when not.

    Raises OSError with the name of `out` for whatever fails there. Other files may be made beside the path; they are
    gone in any case.
    """
    target = out.resolve()  # a link stays one
    with _named(out), tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as directory:
        temporary = Path(directory) / target.name
        yield temporary
        _flush(temporary)
        with suppress(FileNotFoundError):
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
        with suppress(OSError):  # not every file system knows how to
            _flush(target.parent)


def _flush(path: Path) -> None:
    """Wait until what was written is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _named(out: Path) -> Iterator[None]:
    """Give errors of files the name that the user knows, instead of that of the path beside it or of none."""
    try:
        yield
    except OSError as error:
        if error.errno is None:  # not what the system says of a file, but somebody's own sentence
            raise
        raise type(error)(error.errno, error.strerror or str(error), str(out)) from error
