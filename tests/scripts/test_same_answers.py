"""A thousand positions: every command gives the same answer fresh and cached, and best moves as bitbully has them.

The small version of this is in `test_analyze`.
"""

from __future__ import annotations

import json
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from claimeven.db.location import VARIABLE
from claimeven.scripts.main import claimeven
from claimeven.solver.notation import columns, some_moves
from tests.positions import random_positions

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("bitbully") is None, reason="bitbully is not installed"),
]

PARTS, POSITIONS = 4, 250
AGREED = ("moves", "board", "ply", "to_move", "value", "score", "best_moves")
"""What solve, analyze and query say in the same words; what was proved or searched may be told by its source."""

Row = dict[str, Any]


def ask(*arguments: str, stdin: str | None = None) -> list[Row]:
    result = CliRunner().invoke(claimeven, [*arguments, "--json"], input=stdin)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def scores_of(row: Row) -> dict[int, int]:
    return {child["column"]: child["score"] for child in row["children"]}


@pytest.mark.parametrize("part", range(PARTS))
def test_answers_are_the_same_fresh_and_cached(part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    positions = list(random_positions("7x6", PARTS * POSITIONS, seed=2027, least_ply=20))[part::PARTS]
    lines = [columns.write(some_moves(each), each.board) for each in positions]
    text = "".join(f"{line}\n" for line in lines)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "moves.db"))
    solved, again, alone = (ask("solve", "-", "--moves", *more, stdin=text) for more in ([], [], ["--no-cache"]))
    assert solved == again == alone
    with_moves = ask("solve", "-", "--score", stdin=text)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "scores.db"))
    assert with_moves == ask("solve", "-", "--score", stdin=text)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "analyze.db"))
    bitbully = import_module("bitbully")
    agent = bitbully.BitBully(opening_book=None)
    for moves, row in zip(lines, solved, strict=True):
        (fresh,), (cached,), (unkept,) = (ask("analyze", moves, *more) for more in ([], [], ["--no-cache"]))
        assert fresh == cached == unkept
        (known,), (known_again,) = ask("query", moves), ask("query", moves)
        assert known == known_again
        for other in (row, known):
            assert {name: fresh[name] for name in AGREED} == {name: other[name] for name in AGREED}
            assert scores_of(fresh) == scores_of(other)
        scores = agent.score_all_moves(bitbully.Board([int(column) - 1 for column in moves]))
        assert scores_of(fresh) == {column + 1: score for column, score in scores.items()}
        best = [column + 1 for column, score in sorted(scores.items()) if score == max(scores.values())]
        assert fresh["best_moves"] == best
