"""Suite files: the moves and the score of the side to move, a position a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from claimeven.db.formats.error import FormatError
from claimeven.solver.board import Board
from claimeven.solver.notation import NotationError, parse_position
from claimeven.solver.score import greatest_score
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import VerdictBatch


def read_suite(lines: Iterable[str], board: Board, chunk: int = 10_000) -> Iterator[VerdictBatch]:
    """The positions of a suite with their scores as claims, in chunks; raises FormatError, naming the line."""
    keys: list[int] = []
    scores: list[int] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            key, score = _read_line(line, board)
        except ValueError as error:
            raise FormatError(f"line {number:,}: {error}") from None
        keys.append(key)
        scores.append(score)
        if len(keys) == chunk:
            yield _batch(board, keys, scores)
            keys, scores = [], []
    if keys:
        yield _batch(board, keys, scores)


def _read_line(line: str, board: Board) -> tuple[int, int]:
    # The empty board has no moves: its line is a score alone.
    *moves, score_text = line.split()
    if len(moves) > 1 or (not moves and not line[0].isspace()):
        raise NotationError("expected moves, a space and a score")
    try:
        score = int(score_text)
    except ValueError:
        raise NotationError(f"{score_text[:24]!r} is not a score") from None
    position = parse_position(moves[0] if moves else "", board, "columns")
    if position.is_over:
        raise NotationError("the game is over, there is nothing to claim")
    greatest = greatest_score(board.cells, position.ply)
    if abs(score) > greatest:
        raise NotationError(f"no score of this position is beyond {greatest}, not even {score}")
    return position.canonical_key, score


def _batch(board: Board, keys: list[int], scores: list[int]) -> VerdictBatch:
    return VerdictBatch.of_scores(
        board, np.array(keys, dtype=np.uint64), np.array(scores, dtype=np.int64), Source.IMPORT
    )
