"""How fast exact search is, on suites and on the whole game, beside another program in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any

from claimeven.reports.bench.suites import SuitePosition
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.verdict import Value

YARDSTICK = "bitbully"
KINDS = ("value", "score")
QUESTIONS = {"value": "win/draw/loss", "score": "exact score"}
WHOLE_GAME = SuitePosition("", Position.start(), 1)
"""White wins the empty 7x6 board with his last stone (Allis 1988)."""


@dataclass(frozen=True, slots=True)
class SearchSpeed:
    """What was measured on one set of positions for one kind of question; times are in seconds.

    `seconds` is for all positions on all threads; `mean` and `worst` are for one position after another on one thread.
    """

    name: str
    kind: str
    positions: int
    threads: int
    seconds: float
    nodes: int
    mean: float
    worst: float
    wrong: int
    yardstick_seconds: float | None
    yardstick_wrong: int | None

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds


def warm_up() -> None:
    """Compile the kernels and start the other program, so that neither is measured."""
    position = Position.from_moves(Board(), [3, 3, 3, 3, 3, 3, 2, 2, 2, 2])
    Searcher(Board(), memory_bytes=1 << 20, threads=1).score(position)
    if has_yardstick():
        Yardstick().score("4444443333")


def has_yardstick() -> bool:
    return find_spec(YARDSTICK) is not None


def is_known_to_yardstick(suite: Sequence[SuitePosition]) -> bool:
    """Whether it plays on the board of a suite."""
    return suite[0].position.board == Board()


def name_yardstick() -> str:
    return f"{YARDSTICK} {metadata.version(YARDSTICK)}"


def measure_suite(
    name: str, kind: str, suite: Sequence[SuitePosition], threads: int, memory_bytes: int, yardstick: bool
) -> SearchSpeed:
    """Solve a suite, each run with an empty table, and compare every answer with the suite."""
    positions = [entry.position for entry in suite]
    together = Searcher(positions[0].board, memory_bytes, threads)
    seconds, answers = _timed(lambda: list(_ask_all(together, kind, positions)))
    alone = Searcher(positions[0].board, memory_bytes, threads=1)
    times = [_timed(lambda: _ask(alone, kind, position))[0] for position in positions]  # noqa: B023
    yardstick_seconds, yardstick_wrong = None, None
    if yardstick:
        other = Yardstick()
        yardstick_seconds, scores = _timed(lambda: [other.ask(kind, entry.moves) for entry in suite])
        yardstick_wrong = sum(not _agrees(kind, entry, score) for entry, score in zip(suite, scores, strict=True))
    return SearchSpeed(
        name=name,
        kind=kind,
        positions=len(suite),
        threads=threads,
        seconds=seconds,
        nodes=together.nodes,
        mean=sum(times) / len(times),
        worst=max(times),
        wrong=sum(not _is_right(entry, answer) for entry, answer in zip(suite, answers, strict=True)),
        yardstick_seconds=yardstick_seconds,
        yardstick_wrong=yardstick_wrong,
    )


def measure_game(kind: str, threads: int, memory_bytes: int, yardstick: bool) -> SearchSpeed:
    """Solve the empty 7x6 board, from an empty table."""
    game = WHOLE_GAME
    searcher = Searcher(game.position.board, memory_bytes, threads)
    seconds, answer = _timed(lambda: _ask(searcher, kind, game.position))
    yardstick_seconds, yardstick_wrong = None, None
    if yardstick:
        other = Yardstick()
        yardstick_seconds, score = _timed(lambda: other.ask(kind, ""))
        yardstick_wrong = int(not _agrees(kind, game, score))
    return SearchSpeed(
        name="whole game",
        kind=kind,
        positions=1,
        threads=threads,
        seconds=seconds,
        nodes=searcher.nodes,
        mean=seconds,
        worst=seconds,
        wrong=int(not _is_right(game, answer)),
        yardstick_seconds=yardstick_seconds,
        yardstick_wrong=yardstick_wrong,
    )


def format_search_speeds(speeds: Sequence[SearchSpeed], yardstick: str | None, run: Mapping[str, str]) -> str:
    """A page with one row a suite and question, and where it was measured."""
    threads = speeds[0].threads
    beside = (
        f"Beside it {yardstick} without its book, on its one thread, in the same run: a search with a window around a "
        "draw for win/draw/loss, MTD(f) for the exact score."
        if yardstick
        else "No other program was installed to compare with."
    )
    rows = [
        "# Speed of exact search",
        "",
        f"{threads} {'thread' if threads == 1 else 'threads'}, kernels compiled before, every row from an empty table. "
        "Mean and worst time are of one position after the other on one thread.",
        beside,
        "",
        "| positions | question | wrong | nodes | nodes/s | seconds | mean | worst | other, s | ours/other "
        "| ours/other's exact |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    exact = {speed.name: speed.yardstick_seconds for speed in speeds if speed.kind == "score"}
    rows += [_row(speed, exact.get(speed.name)) for speed in speeds]
    rows += ["", ", ".join(f"{name} {value}" for name, value in run.items()) + "."]
    return "\n".join(rows)


def _ask_all(searcher: Searcher, kind: str, positions: Iterable[Position]) -> Iterable[Value | int | None]:
    return searcher.values(positions) if kind == "value" else searcher.scores(positions)


def _ask(searcher: Searcher, kind: str, position: Position) -> Value | int | None:
    return searcher.value(position) if kind == "value" else searcher.score(position)


def _is_right(entry: SuitePosition, answer: Value | int | None) -> bool:
    if isinstance(answer, Value):
        return answer is Value.of_score(entry.score, entry.position.to_move)
    return answer == entry.score


def _agrees(kind: str, entry: SuitePosition, score: int) -> bool:
    """Whether the other program's score is right, its sign alone if only that was asked for."""
    return (
        score == entry.score if kind == "score" else (score > 0) - (score < 0) == (entry.score > 0) - (entry.score < 0)
    )


class Yardstick:
    """bitbully without its opening book; it runs on one thread."""

    def __init__(self) -> None:
        bitbully = import_module(YARDSTICK)
        self._board: Callable[[list[int]], Any] = bitbully.Board
        self._agent = bitbully.BitBully(opening_book=None)

    def ask(self, kind: str, moves: str) -> int:
        return self.score(moves) if kind == "score" else self.sign(moves)

    def score(self, moves: str) -> int:
        return int(self._agent.mtdf(self._read(moves)))

    def sign(self, moves: str) -> int:
        """A number with the sign of the score, by one search with the window around a draw."""
        return int(self._agent.negamax(self._read(moves), alpha=-1, beta=1))

    def _read(self, moves: str) -> Any:
        return self._board([int(column) - 1 for column in moves])


def _timed(run: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = run()
    return time.perf_counter() - start, result


def _row(speed: SearchSpeed, exact_seconds: float | None) -> str:
    """A row; `exact_seconds` is what the other program takes for the exact scores of the same positions."""
    other = "" if speed.yardstick_seconds is None else f"{speed.yardstick_seconds:,.2f}"
    return (
        f"| {speed.name} | {QUESTIONS[speed.kind]} | {speed.wrong} | {speed.nodes:,} | {speed.nodes_per_second:,.0f} "
        f"| {speed.seconds:,.2f} | {_short(speed.mean)} | {_short(speed.worst)} | {other} "
        f"| {_part(speed.seconds, speed.yardstick_seconds)} | {_part(speed.seconds, exact_seconds)} |"
    )


def _part(seconds: float, of: float | None) -> str:
    return "" if of is None else f"1/{of / seconds:.1f}"


def _short(seconds: float) -> str:
    return f"{seconds:,.2f} s" if seconds >= 1 else f"{1000 * seconds:,.2f} ms"
