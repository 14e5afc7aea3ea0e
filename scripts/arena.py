"""`claimeven arena`: a round robin between players, with ratings and the quality of their moves."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import INTERRUPTED, InputError, reported_as
from claimeven.scripts.options.game import blocked_option, no_gravity_option, read_game
from claimeven.scripts.options.seconds import Seconds
from claimeven.scripts.options.store import db_option, no_cache_option, open_store
from claimeven.solver.whole_file import write_whole

if TYPE_CHECKING:
    from claimeven.db.store import Store
    from claimeven.reports.arena.move_quality import MoveQuality
    from claimeven.reports.arena.openings import Opening
    from claimeven.reports.arena.record import ArenaWriter
    from claimeven.reports.arena.tournament import ArenaGame, Conditions, Fixture
    from claimeven.solver.players.game import Game
    from claimeven.solver.players.player import Lookup


@click.command()
@click.argument("players", nargs=-1, required=True, metavar="PLAYER PLAYER [PLAYER...]")
@click.option("--games", type=click.IntRange(1, 100_000), help="Games of every pairing.  [default: 2 an opening]")
@click.option("--openings", metavar="N|FILE", help="N different openings, or a file of openings, one a line.")
@click.option(
    "--board", metavar="WxH", help="Width x height, and x how many in a line win if not four.  [default: 7x6]"
)
@no_gravity_option
@blocked_option
@click.option("--seconds", type=Seconds(), metavar="S", help="Time for every move.")
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="The same seed plays the same games, but for players who go by the clock.",
)
@click.option("--jobs", type=click.IntRange(1, 1024), default=1, show_default=True, help="Games played at once.")
@click.option(
    "--judge-nodes",
    type=click.IntRange(0),
    default=300_000,
    show_default=True,
    help="Judge moves with this many nodes a position; 0 does not judge.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, games included, instead of tables.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also write the tables into this Markdown file, and the JSON object beside it.",
)
@db_option
@no_cache_option
def arena(
    players: tuple[str, ...],
    games: int | None,
    openings: str | None,
    board: str | None,
    no_gravity: bool,
    blocked: str | None,
    seconds: float | None,
    seed: int,
    jobs: int,
    judge_nodes: int,
    as_json: bool,
    out: Path | None,
    db: str | None,
    no_cache: bool,
) -> None:
    """Let players play each other and rate them.

    Players: random, perfect, rules, negamax, easy, medium, hard, guru, victor, mcts, connect-k.

    Every PLAYER plays every other, each side going first in turn from the same opening. A player is a name, with
    settings after a colon as in mcts:seconds=1 or guru:depth=6,book=0. There are seconds (all but random and rules),
    depth (negamax, easy to victor, connect-k), book (easy to victor), playouts and exploration (mcts), and memory
    (perfect, mcts). One that crashes, makes an illegal move, or takes half a second more
    than --seconds, loses that game. Moves on boards that the solver knows are compared with exact search. Games go into
    the store.

    Without --openings all games start from the empty board, so that players without chance play the same two games.
    --openings 7 means the seven first moves; more openings are longer, and which ones the seed decides. With several
    --jobs players think at once and have less time.

    \b
    Examples:
      claimeven arena hard mcts:seconds=1 --games 20
      claimeven arena guru:depth=8 victor:depth=8 --openings 7 --out reports/results/guru-victor.md
      claimeven arena random connect-k --board 9x9x5 --no-gravity --blocked e5 --no-cache
    """
    players = tuple(player.strip() for player in players)
    if len(players) < 2 or len(set(players)) < len(players):
        raise InputError("an arena needs two or more players, all different; settings make a difference")
    _check_out(out)
    game = read_game(board, no_gravity, blocked)
    starts = _read_openings(game, openings, seed)
    announce_compilation()
    from claimeven.reports.arena.result import describe_result
    from claimeven.reports.arena.tournament import Conditions, plan

    threads = None if jobs == 1 else max((os.cpu_count() or 1) // jobs, 1)
    fixtures = plan(len(players), games or 2 * len(starts), starts)
    arguments = {"games": games, "openings": openings, "jobs": jobs, "judge_nodes": judge_nodes}
    with _interruptible(len(fixtures), keeps=not no_cache) as played:
        # Before the store is opened: a name that was mistyped must not leave one behind.
        _check_players(players, Conditions(game, seed, seconds, threads=threads))
        with _optional_store(db, no_cache) as store:
            conditions = Conditions(game, seed, seconds, _lookup(store, game), threads)
            writer = None if store is None else _writer(store, players, conditions, arguments)
            quality = _play(players, fixtures, conditions, jobs, judge_nodes, writer, played)
        page, found = describe_result(players, conditions, played, quality)
        try:
            if out is not None:
                _write(out, page, found)
        finally:
            # Last, as the reader may have closed the pipe; and always, as the file may have failed.
            click.echo(json.dumps(found) if as_json else page)


def _check_out(out: Path | None) -> None:
    """Refuse a file that cannot be written before the first game begins."""
    if out is None:
        return
    if out.suffix == ".json":
        raise InputError("--out: that is the name of the data beside the page; give the page another, as in match.md")
    if not out.parent.is_dir():
        raise InputError(f"--out: there is no directory {out.parent}")


@contextmanager
def _interruptible(planned: int, *, keeps: bool) -> Iterator[list[ArenaGame]]:
    """Say on Ctrl-C how far the games came, and leave."""
    played: list[ArenaGame] = []
    try:
        yield played
    except KeyboardInterrupt:
        kept = "kept, claimeven report shows them" if keeps else "not stored (--no-cache)"
        click.echo(f"\nstopped: {len(played)} of {planned} games are over and {kept}", err=True)
        sys.stdout.flush()
        # Not an ordinary exit: that waits for the threads of a player who still thinks.
        os._exit(INTERRUPTED)


@contextmanager
def _optional_store(db: str | None, no_cache: bool) -> Iterator[Store | None]:
    if no_cache:
        yield None
        return
    with open_store(db, writable=True) as store:
        yield store


def _lookup(store: Store | None, game: Game) -> Lookup | None:
    if store is None or not game.is_standard:
        return None
    from claimeven.db.player_lookup import lookup_in
    from claimeven.reports.arena.move_quality import board_of

    return lookup_in(store, board_of(game))


def _read_openings(game: Game, text: str | None, seed: int) -> tuple[Opening, ...]:
    from claimeven.reports.arena.openings import OpeningsError, make_openings, read_openings

    if text is None:
        return ((),)
    with reported_as("--openings", OpeningsError):
        if text.isascii() and text.isdigit() and len(text) < 9:
            return make_openings(game, int(text), seed)
        return read_openings(game, Path(text))


def _check_players(players: tuple[str, ...], conditions: Conditions) -> None:
    """Refuse players that do not exist or cannot play this game before the first game begins."""
    from claimeven.reports.arena.tournament import make_seeded
    from claimeven.solver.players.player import PlayerError

    for text in players:
        with reported_as("PLAYER", PlayerError):
            make_seeded(text, conditions, "trial").start(conditions.game)


def _writer(store: Store, players: tuple[str, ...], conditions: Conditions, arguments: dict[str, Any]) -> ArenaWriter:
    from claimeven.reports.arena.record import ArenaWriter

    return ArenaWriter(store, players, conditions, arguments)


def _play(
    players: tuple[str, ...],
    fixtures: list[Fixture],
    conditions: Conditions,
    jobs: int,
    judge_nodes: int,
    writer: ArenaWriter | None,
    played: list[ArenaGame],
) -> list[MoveQuality] | None:
    """Play all games into `played`, store each, and judge their moves if that is wanted and possible."""
    from claimeven.reports.arena.tournament import play_all

    with tqdm(total=len(fixtures), unit=" games", disable=None, file=sys.stderr) as progress:
        for game in play_all(players, fixtures, conditions, jobs):
            if writer is not None:
                writer.write(game)
            played.append(game)
            progress.update()
    played.sort(key=lambda game: game.fixture.number)
    quality = _judge(players, conditions, judge_nodes, played) if judge_nodes and conditions.game.is_standard else None
    if writer is not None:
        writer.finish(len(played), quality)
    return quality


def _judge(
    players: tuple[str, ...], conditions: Conditions, judge_nodes: int, played: list[ArenaGame]
) -> list[MoveQuality]:
    from claimeven.reports.arena.move_quality import count_positions, judge_moves

    total = count_positions(played)
    with tqdm(total=total, unit=" positions judged", disable=None, file=sys.stderr) as progress:
        return judge_moves(len(players), played, judge_nodes, conditions.lookup, conditions.threads, progress.update)


def _write(out: Path, page: str, found: dict[str, Any]) -> None:
    """Keep the result as a page with where it was played, and as data."""
    from claimeven.reports.machine import describe_run

    run = describe_run()
    where = ", ".join(f"{name} {value}" for name, value in run.items())
    write_whole(out, f"# {' against '.join(found['players'])}\n\n{page}\n\n{where}.\n")
    write_whole(out.with_suffix(".json"), json.dumps({"run": run, **found}, indent=1) + "\n")
