"""`claimeven solution build` and `improve`."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM, InputError
from claimeven.scripts.options.cluster import ClusterSettings, cluster_options, open_crew
from claimeven.scripts.options.position import position_argument, read_position
from claimeven.scripts.options.search import MemorySize
from claimeven.scripts.options.seconds import Seconds
from claimeven.scripts.solution.reading import describe_sizes, read_solution, solution_argument

if TYPE_CHECKING:
    from claimeven.solver.position import Position, Side
    from claimeven.solver.solution.building.construction import Aim
    from claimeven.solver.solution.building.work_file import Build, Task
    from claimeven.solver.solution.diagram import Claim
    from claimeven.solver.solution.finding.finder import FinderThread
    from claimeven.solver.solution.finding.oracle import Oracle
    from claimeven.solver.solution.solution import Solution

    MakeThread = Callable[[Oracle], FinderThread]

DEFAULT_MEMORY = 512 << 20
DEFAULT_WORK = 10_000_000
_jobs_option = click.option("--jobs", type=click.IntRange(1, 1024), metavar="N", help="Threads.  [default: all cores]")
_memory_option = click.option(
    "--memory", type=MemorySize(), default="512M", show_default=True,
    help="Size of the transposition table; a quarter as much again holds which moves keep the result.",
)  # fmt: skip
_work_option = click.option(
    "--work", type=click.IntRange(1_000), default=DEFAULT_WORK, show_default=True, metavar="N",
    help="Positions walked through in searches for a diagram with 28 empty squares, a part of them in the first, and "
    "in proportion the steps of SAT: more is slower and smaller.",
)  # fmt: skip
_first_ply_option = click.option(
    "--first-ply", type=click.IntRange(0), metavar="N",
    help="No diagram is searched for before ply N, where a win is near before ply N - 2; the later, the less exact "
    "search.  [default: with 34 empty squares]",
)  # fmt: skip


def work_file_of(out: Path) -> Path:
    """Where a build is kept: beside its solution."""
    return out.with_name(out.name + ".build")


def memo_file_of(out: Path) -> Path:
    """Where what the oracle of a build knows is kept."""
    return out.with_name(out.name + ".memo")


@click.command()
@position_argument
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The file of the solution.")
@click.option(
    "--controller", type=click.Choice(["white", "black"]), help="Whose solution.  [default: who can get more]"
)
@click.option("--claim", type=click.Choice(["win", "no-loss"]), help="What he gets.  [default: all he can]")
@click.option(
    "--leaves", type=click.Choice(["rules", "diagrams", "both"]), default="both", show_default=True,
    help="Which certificates: proofs by the nine rules, priority diagrams, or the former where there is one.",
)  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, help="What the chances of the finder hang on.")
@click.option(
    "--library", type=click.Path(path_type=Path, exists=True, dir_okay=False), multiple=True, metavar="FILE",
    help="Begin with the diagrams of this solution of the same board, of whatever result; may be given more than once.",
)  # fmt: skip
@click.option("--seconds", type=Seconds(), metavar="S", help="Stop after S seconds; the same command goes on.")
@_jobs_option
@_memory_option
@_work_option
@_first_ply_option
@cluster_options(spot_check=False)
def build(
    moves: tuple[str, ...],
    board: str | None,
    notation: str,
    out: Path,
    controller: str | None,
    claim: str | None,
    leaves: str,
    seed: int,
    library: tuple[Path, ...],
    seconds: float | None,
    jobs: int | None,
    memory: int,
    work: int,
    first_ply: int | None,
    cluster: ClusterSettings,
) -> None:
    """Build a solution from nothing, until it is complete.

    Everything that is found is kept in OUT.build, what exact search said in OUT.memo, which may be deleted; a build
    that was stopped, or killed, goes on where it was: run the same command again. The same seed gives the same
    solution, whatever the number of threads. MOVES are those to the position that is to be solved; without MOVES it is
    the empty board. Exit status 1 if it is not complete in time.

    With --cluster Dask workers search for the diagrams, each on one thread and up to eight at a time; all else is done
    here, and a diagram that they find is checked here. The solution is the same as without.

    \b
    Examples:
      claimeven solution build --board 5x4 --out 5x4.json
      claimeven solution build --board 6x4 --controller black --claim win --out 6x4.json
      claimeven solution build --board 6x4 --out 6x4.json --cluster local:2
      claimeven solution build 1 --controller black --out after-a1.json --seconds 600
      claimeven solution build --board 8x4 --first-ply 9 --out 8x4.json --seconds 600
      claimeven solution build 3 --library reports/solutions/7x6-white.json --out after-c1.json
    """
    given = read_position(moves, board, notation)
    if given.position.is_over:
        raise InputError("MOVES: the game is over")
    if not out.absolute().parent.is_dir():
        raise InputError(f"--out: there is no directory {out.parent}")
    announce_compilation()
    from claimeven.solver.notation import NotationError, parse_moves
    from claimeven.solver.solution.building.construction import Aim
    from claimeven.solver.solution.building.work_file import Build, Task

    try:
        root = parse_moves(given.moves, given.position.board) if given.moves else ()
    except NotationError as error:
        raise InputError(f"MOVES: a solution needs the moves to its position ({error})") from None
    side, result = _decide_claim(given.position, controller, claim, jobs, memory)
    task = Task(given.position.board, root, side, result)
    kept = work_file_of(out)
    found = _load(kept) if kept.exists() else Build(task, task.new_workshop(), seed, leaves)
    if (found.task, found.seed, found.leaves) != (task, seed, leaves):
        raise InputError(f"{kept} is a build of something else: {found.task}, seed {found.seed}, leaves {found.leaves}")
    for each in library:
        _add_library(found, each)
    arguments = [*(["--board", str(task.board)] if board else []), "--controller", side.value, "--claim", result.value]
    arguments += ["--leaves", leaves, "--seed", str(seed), "--work", str(work)]
    arguments += [word for each in library for word in ("--library", each.name)]
    arguments += [*(["--first-ply", str(first_ply)] if first_ply is not None else []), "--out", out.name]
    command = shlex.join(["claimeven", "solution", "build", *([given.moves] if given.moves else []), *arguments])
    with _finders_of(cluster, task, memory) as make_thread:
        is_complete = _run(
            found, kept, out, jobs, memory, seconds, work, first_ply, Aim.COMPLETE,
            command=command, make_thread=make_thread,
        )  # fmt: skip
    if not is_complete:
        raise SystemExit(FOUND_A_PROBLEM)


@click.command()
@solution_argument
@click.option("--seconds", type=Seconds(), metavar="S", required=True, help="For how long.")
@click.option(
    "--certificates",
    is_flag=True,
    help="Leave the nodes and the rule proofs as they are and look for fewer different diagrams.",
)
@_jobs_option
@_memory_option
@_work_option
@_first_ply_option
def improve(
    file: Path,
    seconds: float,
    certificates: bool,
    jobs: int | None,
    memory: int,
    work: int,
    first_ply: int | None,
) -> None:
    """Make a solution smaller, for so many seconds.

    FILE is a solution that `solution build` wrote. What is tried is kept in FILE.build beside it; if that is not there,
    it is made of what FILE says, which is checked first. FILE.memo has what exact search said, and may be deleted. FILE
    is replaced whenever a smaller one is found. With python-sat (`pip install 'claimeven[sat]'`) SAT looks for
    diagrams before local search does, and often finds that there is none.

    With --certificates, which needs python-sat, SAT looks for diagrams that are valid for a leaf more, so that others
    are not needed any longer. Best when there are hardly any fewer nodes to be found.

    \b
    Examples:
      claimeven solution improve 5x4.json --seconds 60
      claimeven solution improve 5x4.json --seconds 60 --certificates
    """
    kept = work_file_of(file)
    announce_compilation()
    from claimeven.solver.solution.building.construction import Aim
    from claimeven.solver.solution.finding.sat_finder import has_sat

    solution = read_solution(file)
    if certificates and not has_sat():
        raise InputError("--certificates needs python-sat: pip install 'claimeven[sat]'")
    if not has_sat():
        click.echo("note: without python-sat (pip install 'claimeven[sat]') there is only local search", err=True)
    command = str(solution.made.get("command", "claimeven solution build"))
    improved = command if "; then improve" in command else f"{command}; then improve"
    found = _load(kept) if kept.is_file() else _revive(file, solution)
    aim = Aim.CERTIFICATES if certificates else Aim.NODES
    _run(found, kept, file, jobs, memory, seconds, work, first_ply, aim, command=improved)


def _revive(file: Path, solution: Solution) -> Build:
    """A build of what a file says, if that is all true: whatever is built on it is to be a solution too."""
    from claimeven.solver.solution.building.revival import revive_build
    from claimeven.solver.solution.file_check import find_solution_flaws

    flaw = next(find_solution_flaws(json.loads(solution.to_text())), None)
    if flaw is not None:
        raise InputError(f"{file} is no solution: {flaw}")
    click.echo(f"note: {work_file_of(file)} is not there; improving begins with what is in {file}", err=True)
    return revive_build(solution)


def _add_library(build: Build, file: Path) -> None:
    """Let a build begin with the diagrams of a solution that it does not know yet."""
    from claimeven.solver.solution.building.revival import library_of

    solution = read_solution(file)
    if solution.board != build.task.board:
        raise InputError(f"{file} is a solution of {solution.board}, not of {build.task.board}")
    known = library_of(solution)
    for number in range(len(known)):
        build.workshop.library.keep(known[number])


def _load(work: Path) -> Build:
    from claimeven.solver.solution.building.work_file import WorkFileError, load_build

    try:
        return load_build(work)
    except WorkFileError as error:
        raise InputError(str(error)) from None


def _decide_claim(
    position: Position, controller: str | None, claim: str | None, jobs: int | None, memory: int
) -> tuple[Side, Claim]:
    """Whose solution is meant, and of what: all that can be had, where it is not said."""
    from claimeven.solver.position import Side
    from claimeven.solver.search.searcher import Searcher
    from claimeven.solver.solution.diagram import Claim
    from claimeven.solver.verdict import Value

    if controller is not None and claim is not None:
        return Side(controller), Claim(claim)
    value = Searcher(position.board, memory, jobs).value(position)
    winner = {Value.WHITE: Side.WHITE, Value.BLACK: Side.BLACK}.get(value) if value else None
    side = Side(controller) if controller else winner or position.to_move
    return side, Claim(claim) if claim else (Claim.WIN if winner is side else Claim.NO_LOSS)


@contextmanager
def _finders_of(cluster: ClusterSettings, task: Task, memory: int) -> Iterator[MakeThread | None]:
    """What makes the threads of a builder whose searches are done by workers, None without a cluster."""
    if cluster.address is None:
        yield None
        return
    from claimeven.cluster.finding import FinderQuestion, RemoteFinder, remote_finders

    question = FinderQuestion(task.board, task.new_workshop().is_win, memory)
    with open_crew(cluster, 1) as crew, remote_finders(crew, question) as finders:
        yield lambda oracle: RemoteFinder(oracle, finders, question)


def _run(
    found: Build,
    kept: Path,
    out: Path,
    jobs: int | None,
    memory: int,
    seconds: float | None,
    work: int,
    first_ply: int | None,
    aim: Aim,
    *,
    command: str,
    make_thread: MakeThread | None = None,
) -> bool:
    """Run a build; gives whether its solution is complete."""
    from claimeven.solver.solution.building.builder import ROUND, Builder, FalseClaimError
    from claimeven.solver.solution.building.construction import Construction, Progress
    from claimeven.solver.solution.building.outcome import Effort, Leaves
    from claimeven.solver.solution.finding.finder import FinderThread

    board = found.task.board
    first_ply = max(board.cells - FIRST_EMPTY, 0) if first_ply is None else first_ply
    usual = Effort()
    effort = Effort(leaf=work, sat=usual.sat * work // usual.leaf, first_ply=first_ply)
    # Threads that wait for workers cost nothing, so there is one for every task of a round.
    threads = (jobs or os.cpu_count() or 1) if make_thread is None else ROUND
    builder = Builder(
        found.workshop,
        jobs=threads,
        seed=found.seed,
        memory_bytes=memory,
        effort=effort,
        leaves=Leaves(found.leaves),
        make_thread=make_thread or FinderThread,
    )
    made: dict[str, Any] = {"command": command, "seed": found.seed, "version": version("claimeven")}
    construction = Construction(found, builder, kept, out, made, memo_file_of(out))
    progress: Progress | None = None
    try:
        try:
            builder.check_claim()
        except FalseClaimError as error:
            raise InputError(f"{found.task}: {error}") from None
        with tqdm(desc=str(found.task), unit=" rounds", disable=None) as bar:
            for progress in construction.run(seconds=seconds, aim=aim):
                plies = " ".join(f"{ply}:{number}" for ply, number in progress.plies.items())
                bar.set_postfix_str(
                    f"moves {progress.moves}, leaves {progress.leaves}, diagrams {progress.diagrams}, "
                    f"open {progress.open_nodes}, plies {plies}"
                )
                bar.update(1)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"stopped; what is done is in {kept}, run the same command to go on") from None
    finally:
        builder.close()
    assert progress is not None
    if not progress.is_complete:
        click.echo(f"not complete yet, {progress.open_nodes:,} open; what is done is in {kept}", err=True)
        return False
    if not out.exists():
        construction.solution().save(out)
    click.echo(describe_sizes(read_solution(out).sizes))
    return True


FIRST_EMPTY = 34
"""Where searches for diagrams begin: with more empty squares there are few, and a search for one takes long."""
