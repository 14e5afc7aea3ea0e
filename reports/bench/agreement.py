"""Exact search against programs that share no code with it: plain minimax on small boards, bitbully on 7x6."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

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


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A position on which two programs differ, with all that is needed to see it again."""

    board: str
    moves: str
    search: str
    other: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many positions of a board were compared with what, and where they differ."""

    board: str
    other: str
    positions: int
    seed: int
    threads: int
    disagreements: tuple[Disagreement, ...]


def compare_with_minimax(board: str, count: int, seed: int, threads: int) -> Agreement:
    """Compare values and scores of random positions with plain minimax."""
    least_ply = Board.parse(board).cells - EMPTY_FOR_MINIMAX[board]
    differing: list[Disagreement] = []
    searcher = Searcher(Board.parse(board), MEMORY, threads)
    for positions in _batches(random_positions(board, seed, least_ply), count):
        differing += _compare(searcher, positions, [minimax_score(position) for position in positions], "minimax")
    return Agreement(board, "plain minimax", count, seed, threads, tuple(differing))


def compare_with_other_program(count: int, seed: int, threads: int) -> Agreement:
    """Compare values and scores of random 7x6 positions with bitbully, which must be installed."""
    other = Yardstick()
    differing: list[Disagreement] = []
    searcher = Searcher(Board(), MEMORY, threads)
    for positions in _batches(random_positions("7x6", seed, least_ply=12), count):
        scores = [other.score(format_moves(some_moves(position), position.board)) for position in positions]
        differing += _compare(searcher, positions, scores, "bitbully")
    return Agreement("7x6", "bitbully", count, seed, threads, tuple(differing))


def compare_threads(count: int, seed: int) -> Agreement:
    """Compare the scores that 1, 2 and 4 threads give, with a table each; 7x6."""
    differing: list[Disagreement] = []
    searchers = {threads: Searcher(Board(), MEMORY, threads) for threads in (1, 2, 4)}
    for positions in _batches(random_positions("7x6", seed, least_ply=12), count):
        alone = [score for score in searchers[1].scores(positions) if score is not None]
        for threads in (2, 4):
            differing += _compare(searchers[threads], positions, alone, f"one thread, not {threads}")
    return Agreement("7x6", "itself on 1, 2 and 4 threads", count, seed, 4, tuple(differing))


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


def format_agreements(agreements: Sequence[Agreement], run: Mapping[str, str]) -> str:
    """A page with one row a comparison, every disagreement, and where it was run."""
    rows = [
        "# Exact search against other programs",
        "",
        "Value and exact score of random positions; the same seed gives the same positions.",
        "",
        "| board | compared with | positions | seed | disagreements |",
        "|---|---|--:|--:|--:|",
    ]
    rows += [
        f"| {each.board} | {each.other} | {each.positions:,} | {each.seed} | {len(each.disagreements)} |"
        for each in agreements
    ]
    for each in agreements:
        rows += [f"- {item.board} {item.moves}: search {item.search}, {item.other}" for item in each.disagreements]
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
