"""`claimeven audit`: is anything that the rules prove false?"""

from __future__ import annotations

import os
from pathlib import Path

import click

from claimeven.scripts.audit.campaigns import plan_campaigns, run_campaigns
from claimeven.scripts.audit.coverage import measure_suites
from claimeven.scripts.audit.options import PlyRange, Proofs
from claimeven.scripts.audit.play_out import play_out_proofs
from claimeven.scripts.audit.replay import replay_contradiction
from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM, InputError, reported_as
from claimeven.scripts.options.out_directory import OutDirectory
from claimeven.scripts.options.search import MemorySize
from claimeven.solver.board import Board, BoardError

# The names of claimeven.solver.audit.positions.KINDS; a test compares them. Help must not import kernels.
KINDS = ("uniform", "cautious", "best", "ply")
POSITIONS = 100_000
GAMES = 1_000_000


@click.command()
@click.option(
    "--positions", type=click.IntRange(1), metavar="N", help=f"Random positions to try.  [default: {POSITIONS}]"
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed, the same positions.")
@click.option("--board", metavar="CxR", default="7x6", show_default=True, help="Columns x rows.")
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(KINDS),
    multiple=True,
    help="Where positions come from; may be given more than once.  [default: the first three, mixed]",
)
@click.option("--plies", "--ply", type=PlyRange(), help="All unfinished positions of these plies, for --kind ply.")
@click.option(
    "--least-stones",
    type=click.IntRange(0, 63),
    metavar="K",
    help="Random positions have at least K stones.  [default: so many that search is quick]",
)
@click.option(
    "--look-ahead",
    is_flag=False,
    flag_value="1",
    default="0",
    type=click.Choice(["0", "1", "2"]),
    help="Audit what the rules prove looking so many moves ahead.",
)
@click.option(
    "--nodes",
    type=click.IntRange(1),
    metavar="N",
    help="Give a search up after N nodes.  [default: 5 million; no limit for --kind ply]",
)
@click.option("--play-out", type=Proofs(), help="Instead, play proofs out against every opposition.")
@click.option(
    "--games",
    type=click.IntRange(1),
    default=GAMES,
    show_default=True,
    help="Random games against each set of the thesis, for --play-out thesis.",
)
@click.option(
    "--suites",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Instead, count what is proved of the suites in this directory.",
)
@click.option(
    "--replay",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Instead, show a contradiction that was saved, and look whether it is still there.",
)
@click.option(
    "--out",
    type=OutDirectory(),
    help="Keep results in this directory, go on where they end, and write soundness.md and soundness.json.",
)
@click.option("--fresh", is_flag=True, help="Begin anew what --out has already.")
@click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Threads.  [default: all cores]")
@click.option("--memory", type=MemorySize(), default="256M", show_default=True, help="Size of the search's table.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
@click.pass_context
def audit(
    context: click.Context,
    positions: int | None,
    seed: int,
    board: str,
    kinds: tuple[str, ...],
    plies: tuple[int, int] | None,
    least_stones: int | None,
    look_ahead: str,
    nodes: int | None,
    play_out: int | str | None,
    games: int,
    suites: Path | None,
    replay: Path | None,
    out: Path | None,
    fresh: bool,
    jobs: int | None,
    memory: int,
    as_json: bool,
) -> None:
    """Compare what the rules prove with exact search.

    Positions are of random games (uniform), of games in which both sides win and block at once (cautious), of games
    near best play (best), or all unfinished ones of some plies (ply). Every proof, of Black and by each of White's win
    conditions, is compared with a search that takes nothing from the rules. A contradiction is made as small as
    possible and saved, and the exit status is 1.

    \b
    Examples:
      claimeven audit --positions 1000000 --seed 7
      claimeven audit --board 6x4 --kind ply --plies 0-23 --out reports/results
      claimeven audit --board 5x4 --play-out 50000
      claimeven audit --suites suites --out reports/results
      claimeven audit --replay audit/contradiction-0123456789ab.json
    """
    with reported_as("--board", BoardError):
        size = Board.parse(board)
    if size.rows % 2:
        raise InputError(f"--board: the rules need an even number of rows and {size} has {size.rows}")
    announce_compilation()
    threads = jobs or os.cpu_count() or 1
    if replay is not None:
        wrong = replay_contradiction(replay, threads, as_json)
    elif suites is not None:
        wrong = measure_suites(suites, out, threads, as_json)
    elif play_out is not None:
        kind = kinds[0] if kinds else "uniform"
        wrong = play_out_proofs(size, kind, play_out, games, seed, least_stones, out, threads, as_json)
    else:
        campaigns = plan_campaigns(
            size, kinds, positions or POSITIONS, seed, plies, least_stones, int(look_ahead), nodes
        )
        wrong = run_campaigns(campaigns, out, fresh, threads, memory, as_json)
    if wrong:
        context.exit(FOUND_A_PROBLEM)
