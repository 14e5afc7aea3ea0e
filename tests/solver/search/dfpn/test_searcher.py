"""Proof-number search against plain minimax and alpha-beta: all positions of small boards, threads, budgets, tables."""

import random
import threading

import numpy as np
import pytest

from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.position import Position, Side
from claimeven.solver.search.budget import Budget
from claimeven.solver.search.dfpn.searcher import ProofNumberSearcher
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.search.single_call import BoardMismatchError, SearcherBusyError
from claimeven.solver.verdict import UNDECIDED, Bounds, Source, Value
from claimeven.solver.verdict_code import SOURCE_CODES
from claimeven.solver.verdicts import VerdictBatch
from tests.solver.search.test_searcher import position_of

MEGABYTE = 1 << 20
TINY = 1 << 12
"""Bytes for both tables: a few dozen positions."""
HARD = "435267"
"""A position that takes tens of thousands of visits; White wins."""


def late_positions(board: Board, count: int, empty: int, seed: int) -> list[Position]:
    """Unfinished positions with at most so many empty squares, and at least half as many."""
    generator = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = Position.start(board)
        for _ in range(board.cells - generator.randint(empty // 2, empty)):
            after = [position.play(column) for column in position.legal_columns]
            going_on = [each for each in after if not each.is_over]
            if not going_on:
                break
            position = generator.choice(going_on)
        if board.cells - position.ply <= empty:
            found.append(position)
    return found


def value_by_minimax(position: Position) -> Value:
    return Value.of_score(minimax_score(position), position.to_move)


@pytest.mark.parametrize("name", ["4x4x3", "3x4", "5x3x3", "3x5x3", "2x6", "6x2", "1x7", "7x1", "4x3x5"])
def test_positions_of_small_boards_agree_with_minimax(name: str) -> None:
    """All of them, or a thousand, with one table: each answer may rest on those before."""
    board = Board.parse(name)
    searcher = ProofNumberSearcher(board, MEGABYTE, threads=1)
    positions = [
        Position.from_key(board, key) for _, keys in enumerate_plies(board, board.cells) for key in keys.tolist()
    ]
    generator = random.Random(name)
    for position in positions if len(positions) <= 1000 else generator.sample(positions, 1000):
        if not position.is_over:
            assert searcher.value(position) is value_by_minimax(position), position


@pytest.mark.parametrize("name", ["4x4", "4x5", "5x5", "7x6", "9x5", "7x7", "8x7"])
@pytest.mark.parametrize("memory", [TINY, MEGABYTE])
def test_late_positions_agree_with_minimax(name: str, memory: int) -> None:
    board = Board.parse(name)
    searcher = ProofNumberSearcher(board, memory, threads=1)
    for position in late_positions(board, 60, empty=10, seed=memory):
        assert searcher.value(position) is value_by_minimax(position), position


@pytest.mark.slow
@pytest.mark.parametrize("name", ["4x4", "5x4x3", "4x5x3", "3x6"])
def test_larger_boards_agree_with_minimax_everywhere(name: str) -> None:
    board = Board.parse(name)
    searcher = ProofNumberSearcher(board, MEGABYTE, threads=2)
    for ply, keys in enumerate_plies(board, board.cells):
        for key in keys.tolist() if board.cells - ply <= 13 else []:
            position = Position.from_key(board, key)
            if not position.is_over:
                assert searcher.value(position) is value_by_minimax(position), position


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_threads_agree_with_alpha_beta(threads: int) -> None:
    positions = [position for position in late_positions(Board(), 300, empty=26, seed=threads) if position.ply <= 20]
    expected = list(Searcher(Board(), 16 * MEGABYTE, threads=1, uses_rules=False).values(positions))
    searcher = ProofNumberSearcher(Board(), 16 * MEGABYTE, threads)
    assert [searcher.value(position) for position in positions] == expected
    hard = position_of(HARD)
    assert searcher.wins(hard, Side.WHITE) is True
    assert searcher.wins(hard, Side.BLACK) is False


def test_a_tiny_table_changes_no_answer() -> None:
    searcher = ProofNumberSearcher(Board(), TINY, threads=2)
    positions = late_positions(Board(), 40, empty=20, seed=5)
    expected = list(Searcher(Board(), 16 * MEGABYTE, threads=1, uses_rules=False).values(positions))
    assert [searcher.value(position) for position in positions] == expected


def test_rules_are_an_evaluator_and_not_needed() -> None:
    """The same answers without, and fewer visits with them."""
    position = position_of("44444165")
    with_rules = ProofNumberSearcher(Board(), 16 * MEGABYTE, threads=1)
    without = ProofNumberSearcher(Board(), 16 * MEGABYTE, threads=1, uses_rules=False)
    assert with_rules.wins(position, Side.WHITE) is without.wins(position, Side.WHITE)
    assert with_rules.nodes < without.nodes
    answer = with_rules.answer(position_of("43515"))
    assert answer.evaluations > answer.rule_leaves > 0
    assert without.answer(position_of("444433351225255")).evaluations == 0


def test_a_position_that_the_rules_decide_takes_one_visit() -> None:
    searcher = ProofNumberSearcher(Board(), MEGABYTE, threads=1)
    assert searcher.wins(position_of("44353333"), Side.WHITE) is False
    assert searcher.nodes == 1


def test_finished_games_have_their_value() -> None:
    searcher = ProofNumberSearcher(Board(), MEGABYTE, threads=1)
    won = position_of("1212121")
    assert searcher.value(won) is Value.WHITE
    assert searcher.wins(won, Side.WHITE) is True
    assert searcher.wins(won, Side.BLACK) is False
    full = Board(4, 1)
    assert ProofNumberSearcher(full, MEGABYTE, threads=1).value(position_of("1234", full)) is Value.DRAW


def test_a_budget_ends_the_search_undecided() -> None:
    searcher = ProofNumberSearcher(Board(), MEGABYTE, threads=2)
    answer = searcher.answer(Position.start(), Budget(nodes=3000))
    assert answer.value is None
    assert answer.bounds == UNDECIDED
    assert 3000 <= answer.nodes < 8000
    assert searcher.answer(Position.start(), Budget(seconds=0.05)).value is None


def test_a_budget_may_leave_one_of_two_questions_open() -> None:
    """That the empty 6x6 board is no White win the rules say at once; that it is a Black win takes a search."""
    searcher = ProofNumberSearcher(Board(6, 6), MEGABYTE, threads=1)
    assert searcher.answer(Position.start(Board(6, 6)), Budget(nodes=10)).bounds == Bounds(Value.BLACK, Value.DRAW)


def test_stop_ends_the_call_under_way_and_it_can_be_gone_on_with() -> None:
    searcher = ProofNumberSearcher(Board(), 64 * MEGABYTE, threads=2)
    timer = threading.Timer(0.2, searcher.stop)
    timer.start()
    assert searcher.value(Position.start()) is None
    timer.join()
    assert searcher.value(position_of(HARD)) is Value.WHITE


def test_what_was_found_shortens_a_later_search() -> None:
    position = position_of(HARD)
    first = ProofNumberSearcher(Board(), 16 * MEGABYTE, threads=1)
    total = first.answer(position).nodes
    stopped = ProofNumberSearcher(Board(), 16 * MEGABYTE, threads=1)
    assert stopped.answer(position, Budget(nodes=total * 9 // 10)).value is None
    found = stopped.take_found()
    assert len(found) > 0
    assert set(found.sources.tolist()) == {SOURCE_CODES[Source.SEARCH]}
    assert len(stopped.take_found()) == 0
    second = ProofNumberSearcher(Board(), 16 * MEGABYTE, threads=1)
    second.learn(found)
    answer = second.answer(position)
    assert answer.value is Value.WHITE
    assert answer.nodes < total


def test_what_is_found_on_the_way_is_true() -> None:
    searcher = ProofNumberSearcher(Board(), MEGABYTE, threads=2)
    for moves in ("4444452", "43515", HARD):
        searcher.answer(position_of(moves))
    found = searcher.take_found()
    assert len(found) > 50
    positions = [Position.from_key(Board(), key) for key in found.keys.tolist()]
    values = Searcher(Board(), 64 * MEGABYTE, threads=2).values(positions)
    for place, value in enumerate(values):
        assert value is not None
        assert found.verdict(place).bounds.contains(value), positions[place]


def test_what_is_learned_is_believed() -> None:
    """A false verdict makes a false answer: nothing but this tells the search what the store knows."""
    position = position_of(HARD)
    searcher = ProofNumberSearcher(Board(), MEGABYTE, threads=1)
    searcher.learn(VerdictBatch.of_values(np.array([position.canonical_key], np.uint64), np.array([0]), Source.SEARCH))
    assert searcher.value(position) is Value.DRAW
    assert searcher.nodes == 0


def test_a_job_gives_what_single_calls_give() -> None:
    positions = late_positions(Board(), 50, empty=20, seed=9)
    searcher = ProofNumberSearcher(Board(), MEGABYTE, threads=2)
    white, black = (np.array([each.stones(side) for each in positions], np.uint64) for side in (Side.WHITE, Side.BLACK))
    with searcher.start(white, black) as job:
        with pytest.raises(SearcherBusyError):
            searcher.value(positions[0])
        while not job.wait(1):
            pass
        done = job.newly_done()
        assert done.tolist() == list(range(50))
        assert job.is_decided(done).all()
        least = job.least(done)
    for position, low in zip(positions, least.tolist(), strict=True):
        assert Value.of_score(low, position.to_move) is value_by_alpha_beta(position)
    with pytest.raises(ValueError, match="no scores"), searcher.start(white, black, scores=True):
        pass


def value_by_alpha_beta(position: Position) -> Value | None:
    return Searcher(position.board, MEGABYTE, threads=1, uses_rules=False).value(position)


def test_other_boards_are_refused() -> None:
    with pytest.raises(BoardMismatchError):
        ProofNumberSearcher(Board(), MEGABYTE, threads=1).value(Position.start(Board(6, 6)))


def test_sizes_of_proofs() -> None:
    searcher = ProofNumberSearcher(Board(), 16 * MEGABYTE, threads=2)
    by_rules = searcher.proof_size(position_of("44353333"), Side.WHITE)
    assert by_rules is not None
    assert (by_rules.positions, by_rules.by_rules, by_rules.at_sight) == (1, 1, 0)
    position = position_of(HARD)
    size = searcher.proof_size(position, Side.WHITE)
    assert size is not None
    assert size.positions > size.by_rules + size.at_sight > 100
    assert size.by_rules > 0
    assert size.positions < searcher.nodes
    mirrored = searcher.proof_size(position.mirror(), Side.WHITE)
    assert mirrored is not None
    assert abs(mirrored.positions - size.positions) < size.positions // 10  # of equals the first move is followed


def test_a_proof_that_the_table_has_forgotten_is_found_again() -> None:
    searcher = ProofNumberSearcher(Board(), TINY, threads=1)
    position = late_positions(Board(), 1, empty=22, seed=3)[0]
    size = searcher.proof_size(position, Side.WHITE)
    assert size is not None
    assert size.positions >= size.by_rules + size.at_sight
