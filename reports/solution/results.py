"""What is known of solutions: the sizes of ours beside the published ones, and how often the finder succeeds."""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from claimeven.reports.solution.shape import measure_branches, measure_plies
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.solution.diagram import squares_that_complete
from claimeven.solver.solution.file_check import find_solution_flaws
from claimeven.solver.solution.finding.finder import FinderThread, Levels, Library
from claimeven.solver.solution.finding.oracle import Oracle
from claimeven.solver.solution.finding.sat_finder import SatAnswer, find_by_sat
from claimeven.solver.solution.plain_check import check_by_text
from claimeven.solver.solution.solution import Solution
from claimeven.solver.verdict import Value

PUBLISHED = (
    ("Allis 1988", "about 500,000 positions and search"),
    ("Velena", "about 60,000 positions and search"),
    ("WeakC4, August 2025", "20,666 nodes, both mirror images"),
    ("WeakC4, April 2026", "4,550 nodes, mirror images as one"),
    ("WeakC4, October 2026", "132 moves, 522 leaf entries with 401 to 481 different diagrams"),
    ("an independent one, 2026", "425 nodes: mirror images as one, leaves shared; its checker is not public"),
)
"""What others have said of the sizes of their solutions of 7x6 for the first player,"""
COMPARED = "7x6, White, win"
"""and what stands beside them."""

MOST_STEPS, MOST_CHECKED = 120_000_000, 1 << 22
WORK = 3_000_000
CURVE_POINTS = 12
SHAPE_MOVES = 100
"""The shape of solutions is shown that have so many moves."""
PLAIN_BYTES = 20_000
"""The plain check is measured on files up to this size, on larger ones if it is asked for."""


@dataclass(frozen=True, slots=True)
class FileResult:
    """A solution file, its sizes, and how long the checks took."""

    name: str
    solution: str
    command: str
    sizes: dict[str, int]
    build_seconds: float
    seconds: float
    plain_seconds: float | None
    flaws: int
    curve: list[list[int]]
    """After how many seconds of the build it had so many moves and leaves."""
    digest: str = ""
    """Of the file."""
    branches: list[tuple[str, int, int]] = field(default_factory=list)
    """The nodes of the first plies, by the moves to them, and the moves and leaves below each."""
    plies: list[tuple[int, int, int]] = field(default_factory=list)
    """Moves and leaves of each ply."""


@dataclass(frozen=True, slots=True)
class FinderResult:
    """Whether the finder had a diagram for a random won position in time; which one the ply, the seed and its number
    say."""

    ply: int
    seed: int
    number: int
    seconds: float
    """The CPU time that it had."""
    found: bool
    spent: float
    work: int
    library: int = 0
    """With so many diagrams it began, of which one was valid if it `knew` one."""
    knew: bool = False
    with_sat: bool = False
    """Whether SAT was asked where local search failed,"""
    is_barren: bool = False
    """and said that there is no diagram."""

    @property
    def question(self) -> tuple[int, int, int, float, int, bool]:
        return self.ply, self.seed, self.number, self.seconds, self.library, self.with_sat


def measure_file(path: Path, *, plain: bool = False, before: Iterable[FileResult] = ()) -> FileResult:
    """Check a file with both checks, and take its sizes.

    The plain check is made of small files, or if it is asked for. `before` are results of an earlier run: one of the
    same file, digit by digit, that has the time of the plain check is taken as it is.
    """
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    for each in before:
        if (each.name, each.digest) == (path.name, digest) and (each.plain_seconds is not None or not plain):
            return each
    data = json.loads(path.read_text(encoding="utf-8"))
    list(find_solution_flaws(data))  # kernels are compiled, or loaded
    began = time.thread_time()
    flaws = list(find_solution_flaws(data))
    seconds = time.thread_time() - began
    plain_seconds = None
    if plain or path.stat().st_size <= PLAIN_BYTES:
        began = time.thread_time()
        flaws += list(find_solution_flaws(data, check_by_text))
        plain_seconds = time.thread_time() - began
    solution = Solution.load(path)
    after = f" after {solution.root_moves}" if solution.root_moves else ""
    return FileResult(
        name=path.name,
        solution=f"{solution.board}{after}, {solution.controller}, {solution.claim}",
        command=str(solution.made.get("command", "")),
        sizes=solution.sizes.to_json(),
        build_seconds=float(solution.made.get("seconds", 0)),
        seconds=seconds,
        plain_seconds=plain_seconds,
        flaws=len(flaws),
        curve=list(solution.made.get("curve", [])),
        digest=digest,
        branches=measure_branches(solution),
        plies=measure_plies(solution),
    )


def won_positions(searcher: Searcher, ply: int, number: int, seed: int) -> list[Position]:
    """Random positions with White to move that White wins, but not at once; from random moves."""
    rng = random.Random(f"{seed} {ply}")
    found: list[Position] = []
    while len(found) < number:
        position = Position.start(searcher.board)
        while position.ply < ply and not position.is_over:
            position = position.play(rng.choice(position.legal_columns))
        if position.is_over or squares_that_complete(position, position.to_move):
            continue
        if searcher.value(position) is Value.WHITE:
            found.append(position)
    return found


def measure_finder(
    plies: Iterable[int],
    number: int,
    seconds: float,
    seed: int,
    done: Iterable[FinderResult] = (),
    library: Library | None = None,
    *,
    with_sat: bool = False,
) -> Iterator[FinderResult]:
    """Let the finder, on one thread, look for diagrams of random won positions of 7x6.

    It begins with a library, empty if there is none, to which it adds nothing. A position has so many seconds of CPU
    time, so that a busy machine changes nothing; `with_sat` most of them are for SAT. What is `done` is left out.
    """
    library = library or Library(Board())
    size = len(library)
    searcher = Searcher(Board(), threads=1)
    thread = FinderThread(Oracle(Board(), is_win=True))
    known = {each.question for each in done}
    for ply in plies:
        if all((ply, seed, place, seconds, size, with_sat) in known for place in range(number)):
            continue
        for place, position in enumerate(won_positions(searcher, ply, number, seed)):
            if (ply, seed, place, seconds, size, with_sat) not in known:
                yield _try_to_find(thread, position, place, seconds, seed, library, with_sat)


def _try_to_find(
    thread: FinderThread,
    position: Position,
    number: int,
    seconds: float,
    seed: int,
    library: Library,
    with_sat: bool,
) -> FinderResult:
    began = time.thread_time()
    best: Levels | None = None
    work, size = 0, len(library)
    knew = any(
        thread.look_up(library, 0, size, each.white, each.black) is not None for each in (position, position.mirror())
    )
    found = knew
    while not found and time.thread_time() - began < seconds:
        chance = int.from_bytes(hashlib.sha256(f"{seed} {position.ply} {number} {work}".encode()).digest()[:8], "big")
        # The nearest diagrams of the library are tried once.
        attempt = thread.attempt(position.white, position.black, WORK, chance, library, 0 if work else size, best)
        work += attempt.work
        best = attempt.levels
        found = attempt.is_success and best is not None and thread.is_valid(best, position.white, position.black)
        if with_sat:
            break
    is_barren = False
    if with_sat and not found:
        found, is_barren = _try_sat(thread, position, began, seconds)
    spent = time.thread_time() - began
    return FinderResult(position.ply, seed, number, seconds, found, spent, work, size, knew, with_sat, is_barren)


def _try_sat(thread: FinderThread, position: Position, began: float, seconds: float) -> tuple[bool, bool]:
    """Whether SAT finds a diagram in time, and whether it finds that there is none; by one order of variables after the
    other."""

    def is_over() -> bool:
        return time.thread_time() > began + seconds

    stones = position.white, position.black
    answer = SatAnswer()
    for seed in count():
        if is_over() or answer.is_decided:
            break
        answer = find_by_sat(
            thread.oracle, [stones], MOST_STEPS, seed=seed, needs_ties=answer.needs_ties, is_over=is_over
        )
    is_valid = answer.levels is not None and thread.is_valid(answer.levels, *stones, MOST_CHECKED)
    return is_valid, answer.is_barren


def _thin(curve: list[list[int]]) -> list[list[int]]:
    """Some points of a curve, the first and the last among them."""
    step = max(1, (len(curve) - 1) // CURVE_POINTS)
    return [*curve[:-1:step], curve[-1]]


def format_results(files: Sequence[FileResult], finder: Sequence[FinderResult], run: dict[str, str]) -> str:
    """The page."""
    lines = ["# Solutions", "", *(f"- {name}: {value}" for name, value in run.items()), ""]
    lines += [
        "## Ours",
        "",
        "Mirror images count as one, transpositions are merged. Both checks are exhaustive; their times are CPU times. "
        "What has not changed is not measured again: its times, and those of the finder, may be of another machine.",
        "",
    ]
    lines += [
        "| solution | moves | leaves | by rules | certificates | nodes | bytes | build s | check s | plain s | flaws |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for each in files:
        sizes = each.sizes
        plain = "" if each.plain_seconds is None else f"{each.plain_seconds:.2f}"
        lines.append(
            f"| {each.solution} | {sizes['moves']:,} | {sizes['leaves']:,} | {sizes['rule_leaves']:,} | "
            f"{sizes['certificates']:,} | {sizes['nodes']:,} | {sizes['bytes']:,} | {each.build_seconds:,.0f} | "
            f"{each.seconds:.3f} | {plain} | {each.flaws} |"
        )
    lines += ["", *(f"- `{each.name}`: `{each.command}`" for each in files), ""]
    for each in files:
        if len(each.curve) > 1:
            lines += [f"## How `{each.name}` became smaller", "", "| seconds | moves | leaves |", "|---:|---:|---:|"]
            lines += [f"| {seconds:,} | {moves:,} | {leaves:,} |" for seconds, moves, leaves in _thin(each.curve)] + [
                ""
            ]
    for each in files:
        if each.sizes["moves"] >= SHAPE_MOVES:
            lines += _shape_lines(each)
    lines += ["## Published, 7x6 for the first player", "", "| solution | size |", "|---|---|"]
    lines += [f"| {name} | {size} |" for name, size in PUBLISHED]
    lines += [f"| ours, `{each.name}` | {_describe(each.sizes)} |" for each in files if each.solution == COMPARED]
    if finder:
        lines += [
            "",
            "## The finder",
            "",
            "Random won positions of 7x6, one thread: local search, which begins with a library of diagrams or with "
            "none, or a little of it and then SAT, which may find that there is no diagram; what is found is not "
            "added to the library. Times are CPU times.",
            "",
            "| finder | ply | library | positions | found | by the library | has none | time for each | mean time | "
            "where found |",
            "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
            *_finder_rows(finder),
        ]
    return "\n".join(lines)


def _describe(sizes: dict[str, int]) -> str:
    """Sizes in the conventions of others: leaves one by one, and those with the same certificate as one."""
    moves, certificates = sizes["moves"], sizes["certificates"]
    opponents = sizes["nodes"] - moves - sizes["leaves"]
    return (
        f"{moves:,} moves, {sizes['leaves']:,} leaves with {certificates:,} different certificates; with leaves shared "
        f"{moves + certificates:,} nodes, {moves + opponents + certificates:,} with those of the opponent"
    )


def _shape_lines(file: FileResult) -> Iterator[str]:
    """Which replies are the hardest, and how deep the leaves lie."""
    yield from (f"## The shape of `{file.name}`", "", "What several branches share counts in each of them.", "")
    yield from ("| after | moves | leaves |", "|---|---:|---:|")
    for after, moves, leaves in file.branches:
        if moves:
            yield f"| {after} | {moves:,} | {leaves:,} |"
    yield from ("", "| ply | moves | leaves |", "|---:|---:|---:|")
    yield from (f"| {ply} | {moves:,} | {leaves:,} |" for ply, moves, leaves in file.plies)
    yield ""


def _finder_rows(finder: Sequence[FinderResult]) -> Iterator[str]:
    kinds = {(each.with_sat, each.ply, each.library, each.seconds) for each in finder}
    for kind in sorted(kinds):
        mine = [each for each in finder if (each.with_sat, each.ply, each.library, each.seconds) == kind]
        with_sat, ply, library, seconds = kind
        times = [each.spent for each in mine if each.found]
        spent = sum(each.spent for each in mine)
        when_found = f"{sum(times) / len(times):.1f} s" if times else ""
        barren = f"{sum(each.is_barren for each in mine)}" if with_sat else ""
        yield (
            f"| {'with SAT' if with_sat else 'local search'} | {ply} | {library:,} | {len(mine)} | {len(times)} | "
            f"{sum(each.knew for each in mine)} | {barren} | {seconds:g} s | {spent / len(mine):.1f} s | {when_found} |"
        )
