"""What is known of the lines of a chunk, for those who write it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from claimeven.db.pipeline import MoveScores
from claimeven.scripts.solve.sources import Chunk
from claimeven.solver.analysis import MoveAnswer
from claimeven.solver.board import Board
from claimeven.solver.contract import FIELDS
from claimeven.solver.notation.stream import INVALID, Lines
from claimeven.solver.position import Position
from claimeven.solver.verdict import UNKNOWN, Bounds, Value, Verdict
from claimeven.solver.verdict_code import source_of_code
from claimeven.solver.verdicts import NO_SCORE, VerdictBatch

Places = NDArray[np.intp]
OURS = ("line", "error", *(name for name in FIELDS if name != "moves"))


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """The lines of a chunk with what is known of them; where a line is no position the verdict says nothing.

    `proofs` are the texts of certificates by canonical key, `best` tells by line and column which moves are best, and
    `moves` what each is worth to the side that makes it; the last two only if moves were asked for.
    """

    board: Board
    chunk: Chunk
    lines: Lines
    verdicts: VerdictBatch
    proofs: dict[int, str] = field(default_factory=dict)
    best: NDArray[np.bool_] | None = None
    moves: MoveScores | None = None

    def is_valid(self, line: int) -> bool:
        return bool(self.lines.kinds[line] != INVALID)

    def best_columns(self, line: int) -> list[int]:
        """The best moves of a line, as columns from 0; none if they were not asked for."""
        return [] if self.best is None else np.flatnonzero(self.best[line]).tolist()

    def moves_of(self, position: Position, line: int) -> list[MoveAnswer] | None:
        """What is known of every legal move of a line; None if that was not asked for."""
        if self.moves is None:
            return None
        after = {} if position.is_over else {column: position.play(column) for column in position.legal_columns}
        found = []
        for column, child in after.items():
            score, verdict = -int(self.moves.scores[line, column]), UNKNOWN
            if score != -NO_SCORE:
                bounds = Bounds.exactly(Value.of_score(score, child.to_move))
                verdict = Verdict(bounds, source_of_code(int(self.moves.sources[line, column])), score)
            found.append(MoveAnswer(column, child, verdict))
        return found


def keep_apart(name: str) -> str:
    """The name of a column of the input in the output: one that is called as a column of ours gets another name."""
    return f"input_{name}" if name in OURS else name


def write_all(out: BinaryIO, content: bytes | memoryview) -> None:
    """Write all of it: an output without a buffer, as Python has it if asked, may take less at a time."""
    rest = memoryview(content)
    while rest:
        rest = rest[out.write(rest) :]
    out.flush()
