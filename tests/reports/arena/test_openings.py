"""Openings: different, unfinished, as short as can be, and the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimeven.reports.arena.openings import OpeningsError, make_openings, read_openings
from claimeven.solver.players.game import Game, State


@pytest.mark.parametrize(("count", "plies"), [(1, 0), (7, 1), (8, 2), (49, 2), (50, 3), (238, 3), (239, 4)])
def test_openings_are_as_short_as_that_many_can_be(count: int, plies: int) -> None:
    openings = make_openings(Game(), count, seed=3)
    assert {len(opening) for opening in openings} == {plies}
    states = [State.start(Game()).play_all(opening) for opening in openings]
    assert len({state.cells for state in states}) == count


def test_the_seed_decides_which() -> None:
    assert make_openings(Game(), 10, seed=1) == make_openings(Game(), 10, seed=1)
    assert make_openings(Game(), 10, seed=1) != make_openings(Game(), 10, seed=2)


def test_openings_without_gravity_and_with_a_blocked_cell() -> None:
    openings = make_openings(Game(3, 3, 3, gravity=False, blocked=4), 8, seed=1)
    assert openings == tuple((cell,) for cell in range(9) if cell != 4)


def test_too_many_are_refused() -> None:
    with pytest.raises(OpeningsError, match="no 1000 different openings"):
        make_openings(Game(2, 2, 3), 1000, seed=1)
    for count in (0, 10_001):
        with pytest.raises(OpeningsError, match="1 to 10000"):
            make_openings(Game(), count, seed=1)


def test_a_file_of_openings(tmp_path: Path) -> None:
    path = tmp_path / "openings"
    path.write_text("4\n\n44  # the middle\n4 4 5\n")
    assert read_openings(Game(), path) == ((3,), (3, 3), (3, 3, 4))


def test_a_byte_order_mark_is_no_move(tmp_path: Path) -> None:
    path = tmp_path / "openings"
    path.write_bytes(b"\xef\xbb\xbf44\r\n")
    assert read_openings(Game(), path) == ((3, 3),)


@pytest.mark.parametrize(
    ("text", "message"),
    [("4\n48\n", "line 2: move 2"), ("1212121", "line 1: the game is over"), ("\n# nothing\n", "holds no openings")],
)
def test_a_broken_file_is_said_to_be(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "openings"
    path.write_text(text)
    with pytest.raises(OpeningsError, match=message):
        read_openings(Game(), path)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "openings"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(OpeningsError, match="not a text file"):
        read_openings(Game(), path)
