"""Exact search against programs that share no code with it: plain minimax on small boards, bitbully on 7x6."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from claimeven.reports.bench.search_speed import Yardstick
from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.board import Board
from claimeven.solver.notation import format_moves, some_moves
from claimeven.solver.position import Position
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.verdict import Value

BATCH = 2000
LARGE = 42
"""Boards with more squares than this are large."""
MEMORY = 64 << 20
EMPTY_FOR_MINIMAX = {
    "4x4": 12,
    "5x4": 11,
    "4x5": 11,
    "4x6": 11,
    "6x5": 10,
    "4x4x3": 13,
    "7x6": 9,
    "9x5": 8,
    "7x7": 8,
    "8x7": 8,
}
"""The boards that minimax can do, and how many squares may be empty there to keep it in seconds."""
FULL_FOR_OTHERS = 12
"""How many stones the positions of 7x6 have at least that others than minimax are asked about."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A position on which two programs differ, with all that is needed to see it again."""

    board: str
    moves: str
    search: str
    other: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many positions of a board, with how many squares empty at most, were compared with what, and what differs.

    `made_by` says with which version; files of older versions do not say `empty`.
    """

    board: str
    other: str
    positions: int
    seed: int
    threads: int
    disagreements: tuple[Disagreement, ...]
    empty: int | None = None
    made_by: Mapping[str, str] = field(default_factory=dict)


def compare_with_minimax(board: str, count: int, seed: int, threads: int, empty: int | None = None) -> Agreement:
    """Compare values and scores of random positions with plain minimax, `empty` squares of them being empty at most."""
    cells = Board.parse(board).cells
    empty = min(EMPTY_FOR_MINIMAX[board] if empty is None else empty, cells)
    least_ply = cells - empty
    differing: list[Disagreement] = []
    searcher = Searcher(Board.parse(board), MEMORY, threads)
    for positions in _batches(random_positions(board, seed, least_ply), count):
        differing += _compare(searcher, positions, [minimax_score(position) for position in positions], "minimax")
    return Agreement(board, "plain minimax", count, seed, threads, tuple(differing), empty)


def compare_with_other_program(count: int, seed: int, threads: int) -> Agreement:
    """Compare values and scores of random 7x6 positions with bitbully, which must be installed."""
    other = Yardstick()
    differing: list[Disagreement] = []
    searcher = Searcher(Board(), MEMORY, threads)
    for positions in _batches(random_positions("7x6", seed, FULL_FOR_OTHERS), count):
        scores = [other.score(format_moves(some_moves(position), position.board)) for position in positions]
        differing += _compare(searcher, positions, scores, "bitbully")
    return Agreement("7x6", "bitbully", count, seed, threads, tuple(differing), Board().cells - FULL_FOR_OTHERS)


def compare_threads(count: int, seed: int) -> Agreement:
    """Compare the scores that 1, 2 and 4 threads give, with a table each; 7x6."""
    differing: list[Disagreement] = []
    searchers = {threads: Searcher(Board(), MEMORY, threads) for threads in (1, 2, 4)}
    for positions in _batches(random_positions("7x6", seed, FULL_FOR_OTHERS), count):
        alone = [score for score in searchers[1].scores(positions) if score is not None]
        for threads in (2, 4):
            differing += _compare(searchers[threads], positions, alone, f"one thread, not {threads}")
    empty = Board().cells - FULL_FOR_OTHERS
    return Agreement("7x6", "itself on 1, 2 and 4 threads", count, seed, 4, tuple(differing), empty)


def random_positions(board: str, seed: int, least_ply: int) -> Iterator[Position]:
    """Unfinished positions of random games, at a random ply each.

    On the large boards nobody completes a line if there is another move: hardly any game would last so long.
    """
    chance = random.Random(f"{board} {seed}")
    empty = Position.start(Board.parse(board))
    is_cautious = empty.board.cells > LARGE
    while True:
        position = empty
        for _ in range(chance.randint(least_ply, empty.board.cells - 1)):
            position = _play_at_random(position, chance, is_cautious)
            if position.is_over:
                break
        if not position.is_over:
            yield position


def _play_at_random(position: Position, chance: random.Random, is_cautious: bool) -> Position:
    columns = list(position.legal_columns)
    while True:
        column = columns.pop(chance.randrange(len(columns)))
        after = position.play(column)
        if not is_cautious or not columns or after.winner is None:
            return after


def agreements_from_json(data: Mapping[str, Any]) -> list[Agreement]:
    """The comparisons of a file; raises KeyError, TypeError or AttributeError if it is none."""
    return [
        Agreement(
            **each
            | {
                "disagreements": tuple(Disagreement(**item) for item in each["disagreements"]),
                "made_by": each.get("made_by") or data["run"],
            }
        )
        for each in data["agreements"]
    ]


def join_agreements(old: Sequence[Agreement], new: Sequence[Agreement]) -> list[Agreement]:
    """The new comparisons in the place of old ones of the same board with the same, and the other old ones."""
    found = {(each.board, each.other): each for each in new}
    joined = {(each.board, each.other): each for each in old} | found
    return list(joined.values())


def format_agreements(agreements: Sequence[Agreement]) -> str:
    """A page with one row a comparison, every disagreement, and where each was run."""
    rows = [
        "# Exact search against other programs",
        "",
        "Value and exact score of random positions; the same seed gives the same positions. `empty` is how many",
        "squares of them are empty at most.",
        "",
        "| board | compared with | empty | positions | seed | disagreements | commit |",
        "|---|---|--:|--:|--:|--:|---|",
    ]
    rows += [
        f"| {each.board} | {each.other} | {'' if each.empty is None else each.empty} | {each.positions:,} "
        f"| {each.seed} | {len(each.disagreements)} | {each.made_by['commit']} |"
        for each in agreements
    ]
    for each in agreements:
        rows += [f"- {item.board} {item.moves}: search {item.search}, {item.other}" for item in each.disagreements]
    for run in {str(each.made_by): each.made_by for each in agreements}.values():
        rows += ["", ", ".join(f"{name} {value}" for name, value in run.items()) + "."]
    return "\n".join(rows)


def _compare(searcher: Searcher, positions: list[Position], scores: list[int], other: str) -> Iterator[Disagreement]:
    answers, values = list(searcher.scores(positions)), list(searcher.values(positions))
    for position, score, value, expected in zip(positions, answers, values, scores, strict=True):
        if score != expected or value is not Value.of_score(expected, position.to_move):
            moves = format_moves(some_moves(position), position.board)
            yield Disagreement(str(position.board), moves, f"{score}, {value}", f"{other}: {expected}")


def _batches(positions: Iterator[Position], count: int) -> Iterator[list[Position]]:
    while count > 0:
        yield list(islice(positions, min(BATCH, count)))
        count -= BATCH
