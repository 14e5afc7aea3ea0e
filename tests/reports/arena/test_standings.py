"""Points and cross table of a small tournament that can be counted by hand."""

from __future__ import annotations

from claimeven.reports.arena.move_quality import MoveQuality
from claimeven.reports.arena.standings import Score, make_standings
from claimeven.reports.arena.table import BOUNDED_NOTE, format_arena, percent

RESULTS = [(0, 1, 0), (1, 0, None), (0, 2, 2), (2, 0, 2), (1, 2, 2), (2, 1, 1)]


def test_everything_is_counted_for_both_sides() -> None:
    standings = make_standings(["a", "b", "c"], RESULTS)
    assert not standings.is_bounded
    by_name = {each.name: each for each in standings.players}
    assert next(iter(by_name)) == "c"
    assert by_name["a"].total == Score(1, 1, 2)
    assert (by_name["a"].first, by_name["a"].second) == (Score(1, 0, 1), Score(0, 1, 1))
    assert by_name["a"].against == (Score(), Score(1, 1, 0), Score(0, 0, 2))
    assert by_name["c"].total.points == 3
    assert sum(each.total.points for each in standings.players) == len(RESULTS)


def test_the_tables_show_it() -> None:
    standings = make_standings(["a", "b", "c"], RESULTS)
    quality = {0: MoveQuality(20, 10, 9, 8, 4), 1: MoveQuality(), 2: MoveQuality(3, 3, 3, 3, 3)}
    text = format_arena(standings, quality, ["6 games"], ["game 5, a - b: first: illegal move 9"])
    rows = {tuple(cell.strip() for cell in line.strip("|").split("|")) for line in text.splitlines()}
    assert ("a", "20", "8", "50.0%", "10", "90.0%") in rows
    assert ("b", "0", "0", "", "0", "") in rows
    assert ("a", "+0 =0 -2", "+1 =1 -0", "") in rows or ("a", "+0 =0 -2", "", "+1 =1 -0") in rows
    assert "- game 5, a - b: first: illegal move 9" in text
    assert BOUNDED_NOTE not in text
    assert BOUNDED_NOTE in format_arena(make_standings(["a", "b"], [(0, 1, 0)]), None, [], [])


def test_percent_does_not_round_up_to_all() -> None:
    assert percent(9999 / 10_000) == "99.9%"
    assert percent(2 / 3) == "66.6%"
