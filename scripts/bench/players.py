"""`claimeven bench players`: nodes or playouts a second of each player."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click
from tqdm import tqdm

from claimeven.scripts.bench.output import out_option, write_results
from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import reported_as
from claimeven.scripts.options.seconds import Seconds


@click.command()
@click.argument("names", nargs=-1, metavar="[PLAYER]...")
@click.option(
    "--positions", type=click.IntRange(1, 10_000), default=10, show_default=True, help="Moves a player makes."
)
@click.option("--seconds", type=Seconds(), default=1.0, show_default=True, help="Time for a move.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same positions.")
@out_option("players")
def players(names: tuple[str, ...], positions: int, seconds: float, seed: int, out: Path | None) -> None:
    """Measure how fast players think, all of them without PLAYER.

    Every player chooses a move in the same random 7x6 positions, without a store. Reported is what it counts, nodes or
    playouts, a second, and how long it took over a move.

    \b
    Examples:
      claimeven bench players
      claimeven bench players hard mcts:playouts=5000 --positions 50 --out reports/results
    """
    announce_compilation()
    from claimeven.reports.bench.player_speed import format_player_speeds, make_states, measure_player
    from claimeven.reports.machine import describe_run
    from claimeven.solver.players.game import Game, State
    from claimeven.solver.players.player import PlayerError
    from claimeven.solver.players.registry import PLAYERS, Resources, make_player

    with reported_as("PLAYER", PlayerError):
        made = [make_player(name, Resources(seed)) for name in names or PLAYERS]
    states = make_states(Game(), positions, seed)
    speeds = []
    for player in tqdm(made, unit=" players", disable=None, file=sys.stderr):
        measure_player(player, [State.start(Game())], min(seconds, 0.1))
        speeds.append(measure_player(player, states, seconds))
    run = describe_run()
    measured = {
        "run": run,
        "seconds": seconds,
        "seed": seed,
        "players": [{**asdict(speed), "per_second": speed.per_second} for speed in speeds],
    }
    write_results(format_player_speeds(speeds, seconds, seed, run), "players", measured, out)
