"""The table of the players' speed, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from claimeven.reports.arena.table import align
from claimeven.reports.bench.player_speed import LEAST_STONES, MOST_STONES, PlayerSpeed


def format_player_speeds(speeds: Sequence[PlayerSpeed], seconds: float, seed: int, run: Mapping[str, str]) -> str:
    """A page with one row a player, and where it was measured."""
    rows = [
        [
            speed.name,
            speed.unit or "nothing",
            str(speed.moves),
            f"{speed.work:,}" if speed.unit else "",
            f"{speed.per_second:,.0f}" if speed.unit else "",
            f"{1000 * speed.mean:,.2f}",
            f"{1000 * speed.worst:,.2f}",
        ]
        for speed in speeds
    ]
    header = ["player", "counts", "moves", "work", "work/s", "mean, ms", "worst, ms"]
    lines = [
        "# Speed of the players",
        "",
        f"The same random 7x6 positions of {LEAST_STONES} to {MOST_STONES} stones for all (seed {seed}), in which "
        f"nobody can win at once; {seconds:g} s a move at most, kernels compiled before. What a node is differs from "
        "player to player; for rules it is a position tried to prove.",
        "",
        *align(header, rows, numbers={2, 3, 4, 5, 6}),
        "",
        ", ".join(f"{name} {value}" for name, value in run.items()) + ".",
    ]
    return "\n".join(lines)
