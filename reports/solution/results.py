"""What is known of solutions: the sizes of ours beside the published ones, and how often the finder succeeds."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.solution.diagram import squares_that_complete
from claimeven.solver.solution.file_check import find_solution_flaws
from claimeven.solver.solution.finder import FinderThread, Levels, Library
from claimeven.solver.solution.oracle import Oracle
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
"""What others have said of the sizes of their solutions of 7x6 for the first player."""

WORK = 3_000_000
CURVE_POINTS = 12
PLAIN_BYTES = 20_000
"""The plain check is measured on files up to this size."""


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


@dataclass(frozen=True, slots=True)
class FinderResult:
    """How often the finder had a diagram for random won positions of a ply in time."""

    ply: int
    positions: int
    found: int
    seconds: float
    """The time that a position had."""
    spent: float
    work: int


def measure_file(path: Path) -> FileResult:
    """Check a file with both checks, and take its sizes."""
    data = json.loads(path.read_text(encoding="utf-8"))
    list(find_solution_flaws(data))  # kernels are compiled, or loaded
    began = time.perf_counter()
    flaws = list(find_solution_flaws(data))
    seconds = time.perf_counter() - began
    plain_seconds = None
    if path.stat().st_size <= PLAIN_BYTES:
        began = time.perf_counter()
        flaws += list(find_solution_flaws(data, check_by_text))
        plain_seconds = time.perf_counter() - began
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
    plies: Iterable[int], number: int, seconds: float, seed: int, report: Callable[[int], None]
) -> list[FinderResult]:
    """Let the finder, on one thread and without a library, look for diagrams of random won positions of 7x6."""
    searcher = Searcher(Board(), threads=1)
    thread = FinderThread(Oracle(Board(), is_win=True))
    results = []
    for ply in plies:
        count, spent, work = 0, 0.0, 0
        for place, position in enumerate(won_positions(searcher, ply, number, seed)):
            began = time.perf_counter()
            best: Levels | None = None
            for turn in range(1 << 30):
                attempt = thread.attempt(
                    position.white, position.black, WORK, hash((seed, ply, place, turn)), Library(Board()), 0, best
                )
                work += attempt.work
                best = attempt.levels
                if attempt.is_success or time.perf_counter() - began >= seconds:
                    break
            spent += time.perf_counter() - began
            if attempt.is_success and best is not None:
                count += thread.is_valid(best, position.white, position.black)
            report(ply)
        results.append(FinderResult(ply, number, count, seconds, spent, work))
    return results


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
        "Mirror images count as one and transpositions are merged. Both checks are exhaustive.",
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
    lines += ["## Published, 7x6 for the first player", "", "| solution | size |", "|---|---|"]
    lines += [f"| {name} | {size} |" for name, size in PUBLISHED]
    if finder:
        lines += [
            "",
            "## The finder",
            "",
            "Random won positions of 7x6, one thread, no library, local search alone.",
            "",
        ]
        lines += ["| ply | positions | found | time for each | mean time | positions walked a second |"]
        lines += ["|---:|---:|---:|---:|---:|---:|"]
        lines += [
            f"| {each.ply} | {each.positions} | {each.found} | {each.seconds:g} s | "
            f"{each.spent / each.positions:.1f} s | {each.work / each.spent:,.0f} |"
            for each in finder
        ]
    return "\n".join(lines)
