"""Diagrams by SAT: what is found is valid, and what is said to have none has none."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest

from claimeven.solver.board import Board, bits
from claimeven.solver.position import Position
from claimeven.solver.solution.check_kernel import LEVELS
from claimeven.solver.solution.diagram import squares_that_complete
from claimeven.solver.solution.finding import sat_finder
from claimeven.solver.solution.finding.finder import FinderThread, Levels
from claimeven.solver.solution.finding.oracle import Oracle
from claimeven.solver.solution.finding.sat_finder import NoDiagramError, SatAnswer, SatFinder, Stones, find_by_sat
from claimeven.solver.solution.finding.trace_kernel import DECIDES, IS_MISTAKE, trace

pytest.importorskip("pysat")
MEMORY = 1 << 22


def random_positions(board: Board, empty: int, number: int, seed: int) -> list[Position]:
    rng = random.Random(seed)
    found: list[Position] = []
    while len(found) < number:
        position = Position.start(board)
        while board.cells - position.ply > empty and not position.is_over:
            position = position.play(rng.choice(position.legal_columns))
        if not position.is_over:
            found.append(position)
    return found


def has_diagram(thread: FinderThread, position: Position, is_strict: bool) -> bool:
    """Whether any diagram is valid, by trying them all: as many levels as empty squares tell all of them apart."""
    own = position.stones(position.to_move)
    other = position.occupied ^ own
    squares = list(bits(position.empty))
    for digits in product(range(len(squares)), repeat=len(squares)):
        levels: Levels = np.zeros(LEVELS, np.uint64)
        for square, digit in zip(squares, digits, strict=True):
            levels[digit] |= np.uint64(1 << square)
        if thread.is_valid(levels, own, other) and not (is_strict and passes_over(thread, levels, own, other)):
            return True
    return False


class Trace:
    """The trace of a diagram: where it decides, and how many mistakes it makes, up to a number."""

    def __init__(self, thread: FinderThread, levels: Levels, own: int, other: int, most_mistakes: int) -> None:
        stack, seen = np.zeros((1 << 12, 2), np.uint64), np.zeros((1 << 13, 2), np.uint64)
        parents, kinds = np.zeros(1 << 12, np.int64), np.zeros(1 << 12, np.int64)
        count = trace(
            thread.oracle.setting, levels, np.uint64(own), np.uint64(other), most_mistakes, stack, seen, parents,
            kinds, np.uint64(1),
        )  # fmt: skip
        assert count > 0
        self.decides = [(int(stack[n, 0]), int(stack[n, 1])) for n in range(count) if kinds[n] == DECIDES]
        self.mistakes = int(np.count_nonzero(kinds[:count] == IS_MISTAKE))


def passes_over(thread: FinderThread, levels: Levels, own: int, other: int) -> bool:
    """Whether a valid diagram meets a position where several playable squares have the lowest digit."""
    board = thread.board
    for stones in Trace(thread, levels, own, other, 1).decides:
        playable = (stones[0] | stones[1]) + board.bottom & board.squares
        lowest = next(int(level) & playable for level in levels if int(level) & playable)
        if lowest & lowest - 1:
            return True
    return False


def holds(thread: FinderThread, position: Position) -> bool:
    """Whether the side to move can get the result, and not at once."""
    own, board = position.stones(position.to_move), position.board
    if squares_that_complete(position, position.to_move):
        return False
    playable = position.occupied + board.bottom & board.squares
    return any(thread.oracle.keeps(own, position.occupied ^ own, 1 << square) for square in bits(playable))


@pytest.mark.parametrize("is_strict", [True, False])
@pytest.mark.parametrize("is_win", [True, False])
def test_it_finds_one_if_and_only_if_there_is_one(is_win: bool, is_strict: bool) -> None:
    board = Board(4, 4, 3) if is_win else Board(4, 4)
    thread = FinderThread(Oracle(board, is_win, MEMORY))
    seen = set()
    for position in random_positions(board, 5, 120, 1):
        own = position.stones(position.to_move)
        other = position.occupied ^ own
        if squares_that_complete(position, position.to_move.opponent) and not holds(thread, position):
            continue  # the claim is lost by force, so SAT is never asked
        try:
            levels = SatFinder(thread.oracle, [(own, other)], is_strict=is_strict).find()
        except NoDiagramError:
            assert not has_diagram(thread, position, is_strict)
            seen.add(False)
            continue
        assert levels is not None
        assert thread.is_valid(levels, own, other)
        assert not (is_strict and passes_over(thread, levels, own, other))
        seen.add(True)
    assert seen == {True, False}


def test_what_both_searches_say_together() -> None:
    for columns, is_barren in ((4, False), (5, True)):
        thread = FinderThread(Oracle(Board(columns, 4), False, MEMORY))
        answer = find_by_sat(thread.oracle, [(0, 0)], 100_000_000)
        assert (answer.needs_ties, answer.is_barren) == (is_barren, is_barren)
        assert (answer.levels is None) == is_barren
        assert answer.levels is None or thread.is_valid(answer.levels, 0, 0)
        assert find_by_sat(thread.oracle, [(0, 0)], 200_000_000, needs_ties=True).is_barren == is_barren
        assert find_by_sat(thread.oracle, [(0, 0)], 100_000_000, is_over=lambda: True) == SatAnswer()


def test_chance_changes_what_is_found_but_not_whether() -> None:
    for columns, has_one in ((4, True), (5, False)):
        thread = FinderThread(Oracle(Board(columns, 4), False, MEMORY))
        answers = [find_by_sat(thread.oracle, [(0, 0)], 200_000_000, seed=seed) for seed in (1, 1, 2, 3)]
        assert all((answer.levels is not None) == has_one != answer.is_barren for answer in answers)
        if has_one:
            texts = [answer.levels.tobytes() for answer in answers if answer.levels is not None]
            assert texts[0] == texts[1]
            assert len(set(texts)) > 1


def test_what_is_known_to_be_barren_changes_no_answer() -> None:
    """Told of every position but the one asked about whether it has a diagram, it says the same as without."""
    board = Board(5, 4)
    thread = FinderThread(Oracle(board, True, MEMORY))
    known: dict[tuple[Stones, bool], bool] = {}
    uses = Counter[bool]()

    def is_found_barren(stones: Stones, is_strict: bool) -> bool:
        if (stones, is_strict) not in known:
            try:
                assert SatFinder(thread.oracle, [stones], is_strict=is_strict).find() is not None
                known[stones, is_strict] = False
            except NoDiagramError:
                known[stones, is_strict] = True
        return known[stones, is_strict]

    for number, position in enumerate(random_positions(board, 14, 30, 5)):
        if not holds(thread, position):
            continue
        own = position.stones(position.to_move)
        root = own, position.occupied ^ own

        def is_barren(stones: Stones, is_strict: bool, root: Stones = root) -> bool:
            found = stones != root and is_found_barren(stones, is_strict)
            uses[is_strict] += found
            return found

        for is_strict in (True, False):
            finder = SatFinder(thread.oracle, [root], seed=number, is_strict=is_strict, is_barren=is_barren)
            if is_found_barren(root, is_strict):
                with pytest.raises(NoDiagramError):
                    finder.find()
            else:
                levels = finder.find()
                assert levels is not None
                assert thread.is_valid(levels, *root)
    assert uses[True] > 0
    assert uses[False] > 0


def test_a_diagram_does_not_lead_to_what_is_said_to_be_barren() -> None:
    """4x4 has one for White's draw; none if all that follows its first moves is forbidden."""
    thread = FinderThread(Oracle(Board(4, 4), False, MEMORY))
    answer = find_by_sat(
        thread.oracle,
        [(0, 0)],
        100_000_000,
        is_barren=lambda stones, is_strict: (stones[0] | stones[1]).bit_count() == 2,
    )
    assert answer.is_barren


def test_it_gives_up_in_time() -> None:
    board = Board()
    thread = FinderThread(Oracle(board, True, MEMORY))
    position = Position("4444443")
    position = position.play(position.legal_columns[0])
    own = position.stones(position.to_move)
    for limits in ({"most_positions": 0}, {"most_steps": 0}, {"is_over": lambda: True}):
        assert SatFinder(thread.oracle, [(own, position.occupied ^ own)]).find(**limits) is None


def test_it_goes_on_after_a_slice_of_conflicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often it asks whether to go on, it says the same: 4x4 has one diagram for White's draw, 5x4 has none."""
    for columns, has_one in ((4, True), (5, False)):
        thread = FinderThread(Oracle(Board(columns, 4), False, MEMORY))
        for size in (1, 10_000):
            monkeypatch.setattr(sat_finder, "SLICE", size)
            finder = SatFinder(thread.oracle, [(0, 0)])
            if has_one:
                levels = finder.find()
                assert levels is not None
                assert thread.is_valid(levels, 0, 0)
            else:
                with pytest.raises(NoDiagramError):
                    finder.find()


@pytest.mark.parametrize("is_win", [True, False])
def test_a_trace_ends_without_a_mistake_if_and_only_if_the_diagram_is_valid(is_win: bool) -> None:
    board = Board(4, 4, 3) if is_win else Board(4, 4)
    thread = FinderThread(Oracle(board, is_win, MEMORY))
    rng = random.Random(7)
    verdicts = set()
    for position in random_positions(board, 7, 200, 3):
        own = position.stones(position.to_move)
        other = position.occupied ^ own
        if not holds(thread, position):
            continue
        levels: Levels = np.zeros(LEVELS, np.uint64)
        for square in bits(board.squares):
            levels[rng.randrange(4)] |= np.uint64(1 << square)
        mistakes = Trace(thread, levels, own, other, 1).mistakes
        assert (mistakes == 0) == thread.is_valid(levels, own, other)
        verdicts.add(mistakes)
    assert verdicts == {0, 1}
