"""The result of an arena as text: standings, cross table and quality of the moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from claimeven.db.tables.games import StoredGame
from claimeven.reports.arena.move_quality import MoveQuality
from claimeven.reports.arena.standings import Standing, Standings

BOUNDED_NOTE = (
    "Some scored everything or nothing against all the others, so that results alone allow no finite ratings: for "
    "everybody a drawn game with one and the same average player was added."
)


def format_arena(
    standings: Standings, quality: Mapping[int, MoveQuality] | None, conditions: Sequence[str], forfeits: Sequence[str]
) -> str:
    """All tables in Markdown, which also reads well in a terminal."""
    lines = [*conditions, "", *format_standings(standings), "", *format_cross_table(standings)]
    if quality is not None:
        lines += ["", *format_quality(standings, quality)]
    if forfeits:
        lines += ["", "Lost without a line:", *(f"- {line}" for line in forfeits)]
    return "\n".join(lines)


def format_standings(standings: Standings) -> list[str]:
    """Points and Elo, the strongest first."""
    rows = [
        [each.name, str(each.total.games), f"{each.total.points:g}", str(each.total), *_sides(each), *_elo(each)]
        for each in standings.players
    ]
    header = ["player", "games", "points", "in all", "going first", "going second", "Elo", "95%"]
    table = align(header, rows, numbers={1, 2, 6, 7})
    return [*table, "", BOUNDED_NOTE] if standings.is_bounded else table


def format_cross_table(standings: Standings) -> list[str]:
    """Wins, draws and losses of each player against each."""
    order = [each.player for each in standings.players]
    rows = [
        [each.name, *("" if other == each.player else str(each.against[other]) for other in order)]
        for each in standings.players
    ]
    return align(["against", *(each.name for each in standings.players)], rows)


def format_quality(standings: Standings, quality: Mapping[int, MoveQuality]) -> list[str]:
    """The parts of the moves that were perfect, and that kept the value, with how many were judged."""
    rows = []
    for each in standings.players:
        moves = quality[each.player]
        perfect, keeping = percent(moves.perfect_rate), percent(moves.keeping_rate)
        rows.append([each.name, str(moves.moves), str(moves.scored), perfect, str(moves.valued), keeping])
    header = ["player", "moves", "score known", "perfect", "value known", "keeping the value"]
    return align(header, rows, numbers={1, 2, 3, 4, 5})


def describe_forfeits(games: Iterable[StoredGame]) -> list[str]:
    """A line for each game that was lost by a crash, an illegal move or the clock."""
    return [f"game {game.number}, {game.first} - {game.second}: {game.ending}" for game in games if game.is_forfeit]


def percent(rate: float | None) -> str:
    """A rate in per cent, rounded down, so that 100% means all.

    >>> percent(0.99999), percent(1.0), percent(None)
    ('99.9%', '100.0%', '')
    """
    return "" if rate is None else f"{int(rate * 1000 + 1e-9) / 10:.1f}%"


def align(header: Sequence[str], rows: Sequence[Sequence[str]], numbers: set[int] | None = None) -> list[str]:
    """A Markdown table whose columns line up; those in `numbers` to the right.

    >>> print("\\n".join(align(["a", "n"], [["long", "5"]], numbers={1})))
    | a    | n |
    |------|--:|
    | long | 5 |
    """
    numbers = numbers or set()
    widths = [max(len(row[place]) for row in (header, *rows)) for place in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.rjust(width) if place in numbers else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return f"| {' | '.join(padded)} |"

    rule = "|".join(
        "-" * (width + 1) + ":" if place in numbers else "-" * (width + 2) for place, width in enumerate(widths)
    )
    return [line(header), f"|{rule}|", *(line(row) for row in rows)]


def _sides(standing: Standing) -> list[str]:
    return [str(standing.first), str(standing.second)]


def _elo(standing: Standing) -> list[str]:
    if standing.elo is None or standing.error is None:
        return ["", ""]
    # Whole numbers have no -0.
    return [f"{round(standing.elo):+d}", f"±{round(standing.error)}"]
