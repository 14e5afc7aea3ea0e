"""Suite files: moves and score a line."""

from __future__ import annotations

import pytest

from claimeven.db.formats.error import FormatError
from claimeven.db.formats.suite import read_suite
from claimeven.solver.board import Board
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import VerdictBatch
from tests.positions import at

BOARD = Board()


def test_a_suite_is_read_in_chunks() -> None:
    lines = ["4455 18\n", "\n", "44455554221 -15\n", "7 2\r\n", " 1\n"]
    batches = list(read_suite(lines, BOARD, chunk=2))
    assert [len(batch) for batch in batches] == [2, 2]
    batch = VerdictBatch.join(batches)
    positions = [at(moves) for moves in ("4455", "44455554221", "7", "")]
    assert batch.keys.tolist() == [position.canonical_key for position in positions]
    assert batch.scores.tolist() == [18, -15, 2, 1]
    assert [str(batch.verdict(place).bounds) for place in range(4)] == ["white", "white", "black", "white"]
    assert batch.verdict(0).source is Source.IMPORT


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("4455", "line 2: expected moves, a space and a score"),
        ("4455 18 3", "line 2: expected moves, a space and a score"),
        ("4455 x", "line 2: 'x' is not a score"),
        ("4485 1", "line 2: move 3"),
        ("4455 20", "line 2: no score of this position is beyond 19"),
        ("1212121 1", "line 2: the game is over"),
    ],
)
def test_a_wrong_line_is_named(line: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        list(read_suite(["4455 18", line], BOARD))
    assert str(error.value).startswith(message)
