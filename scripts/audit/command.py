"""`claimeven audit`: is anything that the rules prove false?"""

from __future__ import annotations

from pathlib import Path

import click

from claimeven.scripts.audit.campaigns import plan_plies, plan_random, run_campaigns
from claimeven.scripts.audit.coverage import measure_suites
from claimeven.scripts.audit.faults import BROKEN, COMMANDS, FULL, MEMORY, try_faults
from claimeven.scripts.audit.options import (
    CampaignSettings,
    OutputSettings,
    PlyRange,
    Proofs,
    board_option,
    campaign_options,
    least_stones_option,
    output_options,
    seed_option,
)
from claimeven.scripts.audit.page import write_page
from claimeven.scripts.audit.play_out import PlayOutSettings, play_out_proofs
from claimeven.scripts.audit.replay import replay_contradiction
from claimeven.scripts.audit.store_damage import damage_stores
from claimeven.scripts.audit.whole_board import Connects, Number, audit_boards
from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM, reported_as
from claimeven.scripts.options.cluster import ClusterSettings, cluster_options
from claimeven.scripts.options.search import MemorySize
from claimeven.solver.board import Board, BoardError

# The names of claimeven.solver.audit.positions.SHARES; a test compares them. Help must not import kernels.
KINDS = ("uniform", "cautious", "best")
DAMAGES = ("bit", "page", "row", "certificate", "schema")
"""The kinds of claimeven.reports.audit.damage; a test compares them."""

FAULTY_COMMANDS = tuple(COMMANDS)
FAULTS = (MEMORY, FULL, BROKEN)

POSITIONS = 100_000
GAMES = 1_000_000


@click.group()
def audit() -> None:
    """Try to find a false proof by the rules.

    Proofs are compared with a search that takes nothing from the rules, or played out against every opposition. A
    contradiction is made as small as possible and saved, and the exit status is 1. With --out a directory keeps
    everything that was tried; the same command again goes on where it ended.

    \b
    Examples:
      claimeven audit random --positions 1000000 --seed 7
      claimeven audit plies 0-23 --board 6x4 --out reports/results
      claimeven audit play-out 50000 --board 5x4
    """


@audit.command()
@click.option(
    "--positions",
    type=click.IntRange(1),
    metavar="N",
    default=POSITIONS,
    show_default=True,
    help="Positions to try.",
)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(KINDS),
    multiple=True,
    help="Where positions come from; may be given more than once.  [default: all three, mixed]",
)
@seed_option
@least_stones_option
@board_option
@campaign_options
@cluster_options()
@output_options()
def random(
    positions: int,
    kinds: tuple[str, ...],
    seed: int,
    least_stones: int | None,
    board: Board,
    settings: CampaignSettings,
    cluster: ClusterSettings,
    output: OutputSettings,
) -> None:
    """Compare the proofs of random positions with exact search.

    Positions are of random games (uniform), of games in which both sides win and block at once (cautious), or of games
    near best play (best). Every proof counts, of Black and by each of White's win conditions.

    With --cluster positions are audited by Dask workers, each with --jobs threads; they are made here, every
    contradiction is looked for again here, and --spot-check N is for every chunk of thousands of positions.

    \b
    Examples:
      claimeven audit random --positions 1000000 --seed 7
      claimeven audit random --positions 1000000 --kind uniform --cluster local:2
      claimeven audit random --board 6x6 --kind best --look-ahead --out reports/results
    """
    announce_compilation()
    campaigns = plan_random(board, kinds, positions, seed, least_stones, settings)
    _end(run_campaigns(campaigns, settings, output, cluster))


@audit.command()
@click.argument("plies", type=PlyRange())
@board_option
@campaign_options
@cluster_options()
@output_options()
def plies(
    plies: tuple[int, int],
    board: Board,
    settings: CampaignSettings,
    cluster: ClusterSettings,
    output: OutputSettings,
) -> None:
    """Compare the proofs of all positions of some plies with exact search.

    PLIES is a number of stones, or the first and the last of several as in 0-8. Every unfinished position is tried, one
    of each mirror pair, and searches have no limit unless --nodes gives one.

    \b
    Examples:
      claimeven audit plies 8
      claimeven audit plies 0-23 --board 6x4 --out reports/results
    """
    announce_compilation()
    _end(run_campaigns(plan_plies(board, plies, settings), settings, output, cluster))


@audit.command("play-out")
@click.argument("proofs", type=Proofs(), metavar="N|all|thesis")
@click.option(
    "--kind",
    type=click.Choice(KINDS[:2]),
    default=KINDS[0],
    show_default=True,
    help="Of which random games the positions are, for N proofs.",
)
@seed_option
@least_stones_option
@click.option(
    "--games",
    type=click.IntRange(1),
    default=GAMES,
    show_default=True,
    help="Random games against each set of the thesis, for thesis.",
)
@board_option
@output_options()
def play_out(
    proofs: int | str,
    kind: str,
    seed: int,
    least_stones: int | None,
    games: int,
    board: Board,
    output: OutputSettings,
) -> None:
    """Play proofs out against every opposition.

    Each proof is played as a strategy; whoever plays by it must get what it says. The proofs are N of random positions,
    all of a small board, or the sets that Allis' thesis prints.

    \b
    Examples:
      claimeven audit play-out 50000 --board 5x4
      claimeven audit play-out all --board 4x4
      claimeven audit play-out thesis --games 1000
    """
    announce_compilation()
    _end(play_out_proofs(PlayOutSettings(proofs, board, kind, seed, least_stones, games), output))


@audit.command()
@click.argument("directory", type=click.Path(path_type=Path, exists=True, file_okay=False))
@output_options()
def coverage(directory: Path, output: OutputSettings) -> None:
    """Count how many positions of the suites in a directory are proved.

    Each line of a suite is a position and its score, with which every proof is compared. Where a second implementation
    of the rules has proved a known number of them, the number must be the same.

    \b
    Example:
      claimeven audit coverage suites --out reports/results
    """
    announce_compilation()
    _end(measure_suites(directory, output))


@audit.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@output_options(keeps=False)
def replay(file: Path, output: OutputSettings) -> None:
    """Show a contradiction that was saved, and look whether it is still there.

    \b
    Example:
      claimeven audit replay audit/contradiction-0123456789ab.json
    """
    announce_compilation()
    _end(replay_contradiction(file, output))


@audit.command()
@click.argument("directory", type=click.Path(path_type=Path, exists=True, file_okay=False))
def page(directory: Path) -> None:
    """Write soundness.md and soundness.json of a directory anew.

    They are made of all that audits with --out have kept there, and nothing is tried again.

    \b
    Example:
      claimeven audit page reports/results
    """
    from claimeven.reports.audit.campaign_file import AuditFileError

    with reported_as("DIRECTORY", AuditFileError):
        write_page(directory)


@audit.command("whole-board")
@click.argument("boards", nargs=-1, metavar="[BOARD...]")
@click.option("--up-to", type=Number(), help="All boards that have at most N positions, as in 30M.")
@click.option(
    "--connect", type=Connects(), default="3,5", show_default=True, help="How many in a line win, with --up-to."
)
@click.option("--search", "with_search", is_flag=True, help="Also compare the exact score of search, everywhere.")
@click.option("--memory", type=MemorySize(), default="256M", show_default=True, help="Size of the search's table.")
@output_options()
def whole_board(
    boards: tuple[str, ...],
    up_to: int | None,
    connect: tuple[int, ...],
    with_search: bool,
    memory: int,
    output: OutputSettings,
) -> None:
    """Compare every position of small boards with a retrograde table.

    The table comes from moves and lines alone; it shares no code with the rules or with search. Every proof of the
    rules must agree with it and, with --search or where rows are odd and the rules have no meaning, every score. Held
    in memory are 8 bytes a position.

    With --up-to boards are counted, and every one of two columns and two rows or more on which a line fits in and that
    has at most N positions is compared, the smallest first; those with an odd number of rows only with --search. With
    --out a board that was recorded with the rules and the search as they are now is not done again.

    \b
    Examples:
      claimeven audit whole-board 4x4 5x4 --search
      claimeven audit whole-board --up-to 30M --connect 3,5 --out reports/results
    """
    if not boards and up_to is None:
        raise click.UsageError("name a board, as in 5x4, or a number of positions by --up-to")
    with reported_as("BOARD", BoardError):
        sizes = [Board.parse(board) for board in boards]
    announce_compilation()
    _end(audit_boards(sizes, None if up_to is None else (up_to, connect), with_search, memory, output))


@audit.command("store-damage")
@click.option(
    "--number", type=click.IntRange(1), default=100, show_default=True, metavar="N", help="Damages of each kind."
)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(DAMAGES),
    multiple=True,
    help="What is damaged; may be given more than once.  [default: everything]",
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed, the same damages.")
@click.option(
    "--server",
    metavar="URL",
    help="Damage rows, proofs and the schema of stores on this PostgreSQL server instead; two databases are made on it "
    "and dropped at the end.",
)
@output_options()
def store_damage(number: int, kinds: tuple[str, ...], seed: int, server: str | None, output: OutputSettings) -> None:
    """Damage copies of a small book, and look whether any command believes one.

    Bits and pages of the file, rows, proofs and the schema are changed; then positions are asked for, everything is
    exported, counted and verified, and one of solve, analyze, report, query --proof and verify --repair follows. No
    command may end in a traceback or say what is not so, and verify must find whatever changed what is stored; else
    the exit status is 1. With --out the same command goes on where it ended.

    \b
    Examples:
      claimeven audit store-damage
      claimeven audit store-damage --kind row --number 1000 --seed 7 --out reports/results
      claimeven audit store-damage --server postgresql+psycopg://me@localhost/postgres
    """
    announce_compilation()
    _end(damage_stores(number, seed, kinds, server, output))


@audit.command()
@click.option(
    "--number", type=click.IntRange(1), default=20, show_default=True, metavar="N", help="Faults of each kind."
)
@click.option(
    "--command",
    "commands",
    type=click.Choice(FAULTY_COMMANDS),
    multiple=True,
    help="The command to run; may be given more than once.  [default: all]",
)
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(FAULTS),
    multiple=True,
    help="What fails; may be given more than once.  [default: everything]",
)
@output_options()
def faults(number: int, commands: tuple[str, ...], kinds: tuple[str, ...], output: OutputSettings) -> None:
    """Let memory and the disk fail under commands.

    Each command runs as a process with its memory limited, or on a disk that is full or broken after so many bytes,
    which needs Linux and a C compiler. It must end in good order, or with one sentence and status 1; nothing that was
    there may be lost, cut off or changed, and afterwards the same command must succeed; else the exit status is 1.
    With --out the same command goes on where it ended.

    \b
    Examples:
      claimeven audit faults --number 2
      claimeven audit faults --command report --kind full --out reports/results
    """
    announce_compilation()
    _end(try_faults(number, commands, kinds, output))


def _end(found_a_problem: bool) -> None:
    if found_a_problem:
        raise click.exceptions.Exit(FOUND_A_PROBLEM)
