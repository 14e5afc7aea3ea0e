"""`claimeven verify`: is everything in the store still true?"""

from __future__ import annotations

import json
import random
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM, reported_as
from claimeven.scripts.options.amount import Amount, AmountType
from claimeven.scripts.options.search import SearchSettings, search_options
from claimeven.scripts.options.store import choose_boards, db_option, open_store
from claimeven.solver.board import Board, BoardError
from claimeven.solver.search.budget import UNLIMITED, Budget

if TYPE_CHECKING:
    from claimeven.db.checks.play_check import PlayCheck, PlayCounts
    from claimeven.db.checks.verification import Check
    from claimeven.db.store import Store

LISTED = 20
"""How many flaws are shown; all are counted."""

SEARCH_NODES = 5_000_000
"""The budget of a fresh search if none is given: about a second."""


@dataclass(slots=True)
class Result:
    """What a check found on all boards."""

    checked: int = 0
    undecided: int = 0
    flaws: list[str] = field(default_factory=list)


@click.command()
@db_option
@click.option("--board", metavar="CxR", help="Only this board.  [default: all boards of the store]")
@click.option(
    "--sample",
    type=AmountType(),
    default="all",
    show_default=True,
    help="How many certificates, parents, claims and play-outs: about N, N%, all or none, chosen at random.",
)
@click.option(
    "--search",
    type=AmountType(),
    default="200",
    show_default=True,
    help="How many positions to search afresh: about N, N%, all or none, chosen at random.",
)
@click.option("--play", is_flag=True, help="Play every certificate out against every opposition.")
@click.option(
    "--play-nodes",
    type=click.IntRange(1, 1 << 26),
    default=1 << 18,
    show_default=True,
    metavar="N",
    help="Give a tree up after N positions; random oppositions take over.",
)
@click.option(
    "--games", type=click.IntRange(1), default=10_000, show_default=True, help="Random oppositions a proof given up."
)
@click.option("--repair", is_flag=True, help="Drop what is wrong in the store, and say how to make it again.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another sample for another number.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
@search_options
@click.pass_context
def verify(
    context: click.Context,
    db: str | None,
    board: str | None,
    sample: Amount,
    search: Amount,
    play: bool,
    play_nodes: int,
    games: int,
    repair: bool,
    seed: int,
    as_json: bool,
    settings: SearchSettings,
) -> None:
    """Check again what the store holds.

    First the file, and every row: is it one that can be, is it what was written, is none lost, does every verdict of
    the rules have its proof, and every book all its plies? If not, that is all that is said; --repair drops what is
    wrong and says how to make it again.

    Then every certificate is put to the independent checker, every verdict is compared with those of the positions
    after its moves, and every claim of an imported file with what is known. Some positions are searched afresh,
    without the store and without Allis' rules: values, and scores where they are stored. They are chosen from all
    positions alike, so most are of the later plies, where most positions are. A search that takes more than 5,000,000
    nodes, or than --nodes and --seconds allow, counts as not decided.

    With --play every certificate is also played out as a strategy against every opposition; where the tree is too large
    for that, against random ones. Flaws are listed with their moves, and the exit status is 1 if there is one.

    \b
    Examples:
      claimeven verify
      claimeven verify --db book.db --sample 10% --search 1000 --nodes 50000000
      claimeven verify --board 5x4 --search all --play
      claimeven verify --repair --db book.db
    """
    with reported_as("--board", BoardError):
        wanted = [] if board is None else [Board.parse(board)]
    with open_store(db, writable=repair) as store:
        rows = _check_rows(store, repair)
        if rows.flaws or repair:
            _show({"rows": rows}, None, as_json)
            context.exit(FOUND_A_PROBLEM if rows.flaws else 0)
        from claimeven.db.checks.verification import CHECKS, count_objects

        objects = {each: count_objects(store, each) for each in choose_boards(store, wanted)}
        checks: dict[str, tuple[Check, Amount]] = {name: (check, sample) for name, check in CHECKS.items()}
        player: PlayCheck | None = None
        if not search.is_none:
            checks["search"] = (_search_check(settings), search)
        if play:
            player = _play_check(play_nodes, games)
            checks["play"] = (player, sample)
        results = {"rows": rows} | {
            name: _run_check(store, objects, name, check, amount, seed) for name, (check, amount) in checks.items()
        }
    covered = None if player is None else player.counts
    _show(results, covered, as_json)
    if any(result.flaws for result in results.values()):
        context.exit(FOUND_A_PROBLEM)


def _check_rows(store: Store, repair: bool) -> Result:
    """Look for damage in the file and its rows, and drop what can be dropped if that is wanted."""
    from claimeven.db.checks.damage import check_pages, count_rows, find_damage
    from claimeven.db.checks.damage import repair as drop

    pages = check_pages(store)
    if pages:
        return Result(0, 0, [*pages, f"to save what can be read: claimeven book export --format sqlite, {REMEDY}"])
    with tqdm(desc="rows", unit="", disable=None, leave=False) as bar:
        found = []
        for damage in find_damage(store, with_checker=repair):
            found.append(damage)
            bar.update()
    result = Result(count_rows(store), 0, [damage.sentence for damage in found])
    if repair and found:
        for table, number in drop(store, found).items():
            click.echo(f"dropped: {number:,} rows of the table {table}", err=True)
        boards = sorted({str(damage.board) for damage in found if damage.board is not None})
        for board in boards:
            click.echo(f"to make again what is missing: {_command_for(store, board)}", err=True)
    return result


REMEDY = "or restore the file from a copy"


def _command_for(store: Store, board: str) -> str:
    """The command that fills a board again: the last build of it that the store records."""
    builds = [run for run in store.runs() if run.command == "book build" and run.arguments.get("board") == board]
    ply = builds[-1].arguments.get("ply", 2) if builds else 2
    score = " --score" if builds and builds[-1].arguments.get("score") else ""
    return f"claimeven book build --ply {ply}{'' if board == str(Board()) else f' --board {board}'}{score}"


def _show(results: dict[str, Result], covered: PlayCounts | None, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(_as_json(results, covered)))
    else:
        click.echo("\n".join(_as_text(results, covered)))


def _search_check(settings: SearchSettings) -> Check:
    announce_compilation()
    from claimeven.db.checks.search_check import SearchCheck

    budget = Budget(nodes=SEARCH_NODES) if settings.budget == UNLIMITED else settings.budget
    return SearchCheck(memory_bytes=settings.memory_bytes, threads=settings.jobs, budget=budget)


def _play_check(nodes: int, games: int) -> PlayCheck:
    announce_compilation()
    from claimeven.db.checks.play_check import PlayCheck

    return PlayCheck(nodes, games)


def _run_check(
    store: Store, objects: dict[Board, dict[str, int]], name: str, check: Check, amount: Amount, seed: int
) -> Result:
    """Run a check on all boards, of each of which it is known how many objects every check has."""
    result = Result()
    totals = {board: numbers[name] for board, numbers in objects.items()}
    share = amount.share_of(sum(totals.values()))
    for board, total in totals.items():
        if not total or not share:
            continue
        with tqdm(total=round(total * share), desc=f"{board} {name}", unit="", disable=None, leave=False) as bar:
            for step in check(store, board, share, random.Random(seed)):
                result.checked += step.looked_at
                result.undecided += step.undecided
                result.flaws += step.flaws
                bar.update(step.looked_at)
    return result


def _as_text(results: dict[str, Result], covered: PlayCounts | None) -> list[str]:
    lines = []
    for name, result in results.items():
        undecided = f"  {result.undecided:>8,} not decided" if name == "search" else ""
        lines.append(f"{name:<12}  {result.checked:>12,} checked  {len(result.flaws):>8,} wrong{undecided}")
    if covered is not None:
        lines.append(f"{covered.exhaustive:,} proofs survive every opposition, {covered.positions:,} positions")
        lines.append(
            f"{covered.partial:,} proofs have larger trees: {covered.partial_positions:,} positions of them and "
            f"{covered.games:,} random games played"
        )
    flaws = [flaw for result in results.values() for flaw in result.flaws]
    lines += flaws[:LISTED]
    if len(flaws) > LISTED:
        lines.append(f"... and {len(flaws) - LISTED:,} more")
    return lines


def _as_json(results: dict[str, Result], covered: PlayCounts | None) -> dict[str, Any]:
    fields: dict[str, Any] = {
        name: {"checked": result.checked, "wrong": len(result.flaws)}
        | ({"undecided": result.undecided} if name == "search" else {})
        for name, result in results.items()
    }
    if covered is not None:
        fields["play"] |= asdict(covered)
    return fields | {"flaws": [flaw for result in results.values() for flaw in result.flaws]}
