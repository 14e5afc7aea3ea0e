"""The tables of an arena: numbers as they are written, and notes where they are needed."""

from __future__ import annotations

from claimeven.reports.arena.move_quality import MoveQuality
from claimeven.reports.arena.standings import make_standings
from claimeven.reports.arena.table import BOUNDED_NOTE, align, format_arena

FAIR = [(0, 1, 0), (1, 0, 1), (1, 2, 1), (2, 1, 2), (0, 2, 0), (2, 0, 2)]


def test_a_rating_a_little_below_nought_has_no_sign_of_its_own() -> None:
    standings = make_standings(["a", "b", "c"], FAIR)
    assert all(each.elo is not None and abs(each.elo) < 0.5 for each in standings.players)
    page = format_arena(standings, None, ["6 games"], [])
    assert page.count(" +0 |") == 3
    assert " -0 |" not in page


def test_the_strongest_come_first_in_every_table() -> None:
    standings = make_standings(["weak", "strong"], [(0, 1, 1), (1, 0, 1), (0, 1, None)])
    page = format_arena(standings, {0: MoveQuality(9, 8, 4, 6, 3), 1: MoveQuality(7)}, ["3 games"], ["game 2: crashed"])
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| ")]
    assert [row[0] for row in rows] == [
        "player",
        "strong",
        "weak",
        "against",
        "strong",
        "weak",
        "player",
        "strong",
        "weak",
    ]
    assert rows[1][1:6] == ["3", "2.5", "+2 =1 -0", "+1 =0 -0", "+1 =1 -0"]
    assert rows[4:6] == [["strong", "", "+2 =1 -0"], ["weak", "+0 =1 -2", ""]]
    assert rows[7] == ["strong", "7", "0", "", "0", ""]
    assert rows[8] == ["weak", "9", "6", "50.0%", "8", "50.0%"]
    assert page.endswith("Lost without a line:\n- game 2: crashed")


def test_that_ratings_are_not_of_results_alone_is_said_only_if_so() -> None:
    all_or_nothing = make_standings(["a", "b"], [(0, 1, 0), (1, 0, 0)])
    assert BOUNDED_NOTE in format_arena(all_or_nothing, None, [], [])
    assert BOUNDED_NOTE not in format_arena(make_standings(["a", "b", "c"], FAIR), None, [], [])


def test_columns_line_up() -> None:
    lines = align(["name", "n"], [["a", "1"], ["longer", "1000"]], numbers={1})
    assert len({len(line) for line in lines}) == 1
    assert lines[2] == "| a      |    1 |"
