"""Suites: files with a position a line, the moves first."""

from __future__ import annotations

from pathlib import Path

from solver.board import Board
from solver.notation import NotationError, parse_position
from solver.position import Position


def read_suites(folder: Path) -> dict[str, list[Position]]:
    """The positions of every suite in a folder, by the name of its file, in the order of the names.

    Hidden files and Markdown are left out. Raises NotationError, naming file and line.
    """
    suites = {}
    for path in sorted(folder.iterdir()):
        if path.is_file() and not path.name.startswith(".") and path.suffix != ".md":
            suites[path.name] = _read_suite(path)
    return suites


def _read_suite(path: Path) -> list[Position]:
    positions = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            positions.append(parse_position(line.split()[0], Board()))
        except NotationError as error:
            raise NotationError(f"{path}, line {number}: {error}") from None
    return positions
