"""Suites: files of test positions with their exact scores, `moves score` a line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from claimeven.solver.board import Board
from claimeven.solver.notation import NotationError, parse_position
from claimeven.solver.position import Position

SHIPPED = Path(__file__).parent.parent / "suites"
"""The suites of this project, made and scored by `claimeven bench make-suites`."""


class SuiteError(ValueError):
    """A file that is no suite."""


@dataclass(frozen=True, slots=True)
class SuitePosition:
    """A position of a suite, its moves as written there, and its score for the side to move."""

    moves: str
    position: Position
    score: int


def read_suites(folder: Path, board: Board | None = None) -> dict[str, list[SuitePosition]]:
    """The suites in a folder by the names of their files, in order; raises SuiteError, naming file and line.

    Hidden files and Markdown are left out. Without `board` it is the one that a file's name begins with, else 7x6.
    """
    names = [path for path in sorted(folder.iterdir()) if path.is_file() and path.suffix != ".md"]
    suites = {
        path.name: read_suite(path, board or board_of(path.name)) for path in names if not path.name.startswith(".")
    }
    if not suites:
        raise SuiteError(f"{folder} holds no suites")
    return suites


def board_of(name: str) -> Board:
    """The board of a suite by its name.

    >>> str(board_of("9x5-easy")), str(board_of("begin-easy"))
    ('9x5', '7x6')
    """
    first, _, rest = name.partition("-")
    try:
        return Board.parse(first) if rest else Board()
    except ValueError:
        return Board()


def format_suite(suite: Iterable[SuitePosition]) -> str:
    """The text of a suite file."""
    return "".join(f"{entry.moves} {entry.score}\n" for entry in suite)


def read_suite(path: Path, board: Board | None = None) -> list[SuitePosition]:
    """The positions of one suite; empty lines are left out."""
    positions = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise SuiteError(f"{path} is not a text file") from None
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if not words:
            continue
        try:
            moves, score = words
            positions.append(SuitePosition(moves, parse_position(moves, board or Board(), "columns"), int(score)))
        except NotationError as error:
            raise SuiteError(f"{path}, line {number}: {error}") from None
        except ValueError:
            raise SuiteError(f"{path}, line {number}: not moves and a score: {line.strip()!r}") from None
    if not positions:
        raise SuiteError(f"{path} holds no positions")
    return positions
