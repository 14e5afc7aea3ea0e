"""What the book in the box says of the first plies is what a search says that does without it, and what bitbully says.

The default version asks a few late ones of its plies; the slow one a thousand of all of them, part by part.
"""

from __future__ import annotations

import json
import random
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest
from click.testing import CliRunner

from claimeven.db.books.packed import NO_BOOK, read_shipped_book
from claimeven.scripts.main import claimeven
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.notation import columns, some_moves
from claimeven.solver.position import Position

pytestmark = pytest.mark.skipif(read_shipped_book() is None, reason="no book comes with this copy")

PARTS, POSITIONS = 5, 200
EVERY_PLY = range(9)
AGREED = ("moves", "board", "ply", "to_move", "value", "score")


def draw(plies: range, number: int, seed: int) -> list[str]:
    """Different random positions of some plies, each as likely as any other."""
    keys = [key for ply, layer in enumerate_plies(Board(), max(plies)) if ply in plies for key in layer.tolist()]
    positions = [Position.from_key(Board(), key) for key in random.Random(seed).sample(keys, number)]
    return [columns.write(some_moves(each), each.board) for each in positions]


def ask(lines: list[str], *options: str) -> list[dict[str, Any]]:
    arguments = ["solve", "-", "--score", "--json", "--no-cache", "--notation", "columns", "--blank-is-start", *options]
    result = CliRunner().invoke(claimeven, arguments, input="".join(f"{line}\n" for line in lines))
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def compare(lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NO_BOOK)
    told, searched = ask(lines), ask(lines, "--no-book")
    assert {row["source"] for row in told} == {"book"}
    assert "book" not in {row["source"] for row in searched}
    assert [[row[name] for name in AGREED] for row in told] == [[row[name] for name in AGREED] for row in searched]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_a_thousand_positions_are_as_searched(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = draw(EVERY_PLY, PARTS * POSITIONS, seed=11)
    assert len(set(lines)) == PARTS * POSITIONS
    compare(lines[part::PARTS], monkeypatch)


@pytest.mark.skipif(find_spec("bitbully_databases") is None, reason="bitbully's books are not installed")
@pytest.mark.parametrize("number", [200, pytest.param(None, marks=pytest.mark.slow)], ids=["some", "all"])
def test_scores_are_those_of_bitbully(number: int | None) -> None:
    """With its book of twelve plies, which was made by another program; of all positions, if not of some."""
    bitbully = import_module("bitbully")
    agent = bitbully.BitBully(opening_book="12-ply-dist")
    book = read_shipped_book()
    assert book is not None
    chance = random.Random(12)
    for ply, keys in enumerate_plies(Board(), 8):
        scores = book.read_ply(Board(), ply).scores.tolist()
        chosen = range(len(keys)) if number is None else chance.sample(range(len(keys)), min(number, len(keys)))
        for place in chosen:
            moves = some_moves(Position.from_key(Board(), int(keys[place])))
            assert agent.mtdf(bitbully.Board(list(moves))) == scores[place], moves


def test_a_few_positions_are_as_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    compare(draw(range(8, 9), 4, seed=3), monkeypatch)
