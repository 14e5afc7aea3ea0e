"""Exact search against plain minimax, published values, and its own budgets and threads."""

import random
import threading
import time
from collections.abc import Generator

import pytest

from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.board import Board
from claimeven.solver.position import Position, Side
from claimeven.solver.search.budget import Budget
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.search.single_call import BoardMismatchError, SearcherBusyError
from claimeven.solver.verdict import Value
from tests.positions import random_positions
from tests.solver.search.minimax import Minimax

MEGABYTE = 1 << 20


def position_of(moves: str, board: Board | None = None) -> Position:
    return Position.from_moves(board or Board(), [int(move) - 1 for move in moves])


def random_moves(board: Board, generator: random.Random) -> str:
    """The moves of an unfinished game."""
    position, moves = Position.start(board), ""
    for _ in range(generator.randrange(board.cells)):
        column = generator.choice(position.legal_columns)
        after = position.play(column)
        if after.is_over:
            break
        position, moves = after, moves + str(column + 1)
    return moves


def value_for(position: Position, score: int) -> Value:
    if score == 0:
        return Value.DRAW
    return Value.win_of(position.to_move if score > 0 else position.to_move.opponent)


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    return Searcher(memory_bytes=64 * MEGABYTE, threads=2)


@pytest.mark.parametrize("name", ["4x4", "3x5", "5x3", "4x4x3", "5x3x3", "3x4x3", "6x2", "2x6", "1x7", "7x1", "4x3x5"])
def test_small_boards_agree_with_minimax(name: str) -> None:
    board = Board.parse(name)
    minimax = Minimax(board.columns, board.rows, board.connect)
    searcher = Searcher(board, MEGABYTE, threads=1)
    generator = random.Random(name)
    for moves in {"", *(random_moves(board, generator) for _ in range(300))}:
        position, score = position_of(moves, board), minimax.score(minimax.start(moves))
        assert searcher.value(position) is value_for(position, score), moves
        assert searcher.score(position) == score, moves


@pytest.mark.slow
@pytest.mark.parametrize("name", ["5x4", "4x5", "4x6", "5x5x3", "6x4x3", "5x4x3"])
def test_larger_boards_agree_with_minimax(name: str) -> None:
    board = Board.parse(name)
    minimax = Minimax(board.columns, board.rows, board.connect)
    searcher = Searcher(board, 16 * MEGABYTE, threads=2)
    generator = random.Random(name)
    games = {random_moves(board, generator) for _ in range(3000)}
    positions = [position_of(moves, board) for moves in games]
    scores = [minimax.score(minimax.start(moves)) for moves in games]
    assert list(searcher.scores(positions)) == scores
    searcher.clear()
    assert list(searcher.values(positions)) == [value_for(*pair) for pair in zip(positions, scores, strict=True)]


GAME_VALUES = [
    "4x4 =",
    "5x4 =",
    "6x4 -",
    "7x4 =",
    "8x4 -",
    "4x5 =",
    "5x5 =",
    "6x5 =",
    "4x6 =",
    "5x6 =",
    "6x6 -",
    "4x7 =",
]


@pytest.mark.parametrize(("name", "sign"), [item.split() for item in GAME_VALUES])
def test_published_values_of_boards(name: str, sign: str) -> None:
    board = Board.parse(name)
    value = Searcher(board, 64 * MEGABYTE).value(Position.start(board))
    assert value is {"+": Value.WHITE, "=": Value.DRAW, "-": Value.BLACK}[sign]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "sign"), [("7x5", "="), ("5x7", "="), ("8x5", "+"), ("6x7", "+"), ("7x6", "+"), ("5x8", "=")]
)
def test_published_values_of_large_boards(name: str, sign: str) -> None:
    test_published_values_of_boards(name, sign)


@pytest.mark.parametrize(("moves", "score"), [("4455", 18), ("44455554221", -15)])
def test_known_scores(searcher: Searcher, moves: str, score: int) -> None:
    assert searcher.score(position_of(moves)) == score


@pytest.mark.parametrize(("moves", "score"), [("45461667", 1), ("35333571", -1), ("13333111", 0)])
def test_fhourstones_positions(searcher: Searcher, moves: str, score: int) -> None:
    assert searcher.value(position_of(moves)) is value_for(position_of(moves), score)


@pytest.mark.parametrize("moves", ["4444422", "4367664", "45626", "435267", "44453335"])
def test_positions_that_white_wins(searcher: Searcher, moves: str) -> None:
    assert searcher.value(position_of(moves)) is Value.WHITE


@pytest.mark.parametrize("moves", ["34444443", "44353333", "4435"])
def test_positions_that_white_does_not_win(searcher: Searcher, moves: str) -> None:
    assert searcher.value(position_of(moves)) is not Value.WHITE


@pytest.mark.slow
@pytest.mark.parametrize("moves", ["444", "44444", "436", "43676", "426", "43515", "46515", "415"])
def test_early_positions_that_white_wins(searcher: Searcher, moves: str) -> None:
    assert searcher.value(position_of(moves)) is Value.WHITE


@pytest.mark.slow
def test_an_early_position_that_white_does_not_win(searcher: Searcher) -> None:
    assert searcher.value(position_of("441")) is not Value.WHITE


@pytest.mark.slow
def test_white_wins_with_the_middle_column_only() -> None:
    searcher = Searcher(Board())
    signs = [{Value.BLACK: -1, Value.DRAW: 0, Value.WHITE: 1}[value] for value in move_values(searcher)]
    assert signs == [-1, -1, 0, 1, 0, -1, -1]


def move_values(searcher: Searcher) -> list[Value]:
    """The values of all moves of the empty board."""
    return [value for value in searcher.move_values(Position.start(searcher.board)).values() if value is not None]


def test_mirror_images_have_the_same_score(searcher: Searcher) -> None:
    generator = random.Random(3)
    positions = [position_of(random_moves(Board(), generator)) for _ in range(100)]
    positions = [position for position in positions if position.ply > 14]
    scores = list(searcher.scores(positions))
    searcher.clear()
    assert list(searcher.scores([position.mirror() for position in positions])) == scores


def test_score_of_a_move_is_that_of_the_position_after_it(searcher: Searcher) -> None:
    position = position_of("444435353355212221")
    scores = searcher.move_scores(position)
    assert list(scores) == position.legal_columns
    assert max(score for score in scores.values() if score is not None) == searcher.score(position)
    values = searcher.move_values(position)
    assert all(value_for(position, scores[column] or 0) is values[column] for column in scores)


def test_finished_positions() -> None:
    board = Board(4, 4)
    searcher = Searcher(board, MEGABYTE, 1)
    won = position_of("1212121", board)
    assert won.winner is Side.WHITE
    assert (searcher.value(won), searcher.score(won)) == (Value.WHITE, -5)
    full = position_of("1122334411223344", Board(4, 4, 5))
    other = Searcher(Board(4, 4, 5), MEGABYTE, 1)
    assert (other.value(full), other.score(full), other.move_scores(full)) == (Value.DRAW, 0, {})


def test_answers_do_not_depend_on_threads() -> None:
    generator = random.Random(4)
    positions = [position_of(random_moves(Board(), generator)) for _ in range(200)]
    positions = [position for position in positions if position.ply > 12]
    answers = [list(Searcher(memory_bytes=MEGABYTE, threads=threads).scores(positions)) for threads in (1, 2, 4)]
    assert answers[0] == answers[1] == answers[2]
    assert None not in answers[0]


def test_answers_do_not_depend_on_the_rules() -> None:
    generator = random.Random(5)
    positions = [position_of(random_moves(Board(), generator)) for _ in range(200)]
    positions = [position for position in positions if position.ply > 14]
    with_rules, without = (Searcher(memory_bytes=16 * MEGABYTE, uses_rules=rules) for rules in (True, False))
    assert list(with_rules.scores(positions)) == list(without.scores(positions))
    assert with_rules.nodes < without.nodes


def test_a_budget_of_nodes_leaves_the_start_undecided() -> None:
    searcher = Searcher(memory_bytes=MEGABYTE, threads=2)
    budget = Budget(nodes=100_000)
    assert searcher.value(Position.start(), budget) is None
    assert searcher.nodes < 200_000
    assert list(searcher.scores([Position.start(), position_of("4455")], budget)) == [None, 18]


def test_a_budget_of_seconds_leaves_the_start_undecided() -> None:
    searcher = Searcher(memory_bytes=MEGABYTE, threads=2)
    started = time.monotonic()
    assert searcher.score(Position.start(), Budget(seconds=0.3)) is None
    assert list(searcher.values([Position.start(), position_of("4455")], Budget(seconds=0.3))) == [None, Value.WHITE]
    assert time.monotonic() - started < 3


def test_stop_ends_a_search_at_once() -> None:
    searcher = Searcher(memory_bytes=MEGABYTE, threads=2)
    timer = threading.Timer(0.3, searcher.stop)
    timer.start()
    started = time.monotonic()
    assert searcher.score(Position.start()) is None
    assert time.monotonic() - started < 2
    assert searcher.score(position_of("4455")) == 18


def test_leaving_a_batch_early_stops_it() -> None:
    searcher = Searcher(memory_bytes=MEGABYTE, threads=2)
    answers = searcher.values([position_of("4455"), Position.start(), Position.start()])
    assert next(answers) is Value.WHITE
    started = time.monotonic()
    answers.close()  # type: ignore[attr-defined]
    assert time.monotonic() - started < 2


def test_many_answers_come_in_order_with_those_of_finished_games_among_them() -> None:
    board = Board(4, 4)
    positions = [Position.start(board), position_of("1212121", board), *random_positions("4x4", 200, seed=4)]
    searcher = Searcher(board, MEGABYTE, threads=2)
    each = [searcher.answer(position, scores=True) for position in positions]
    together = list(searcher.answers(iter(positions), scores=True))
    assert [(answer.value, answer.score) for answer in together] == [(answer.value, answer.score) for answer in each]
    assert together[1].score == -5


def test_refuses_positions_of_another_board(searcher: Searcher) -> None:
    with pytest.raises(BoardMismatchError, match="7x6, not for 4x4"):
        searcher.value(Position.start(Board(4, 4)))


@pytest.mark.parametrize("wrong", [{"nodes": 0}, {"seconds": 0.0}])
def test_refuses_empty_budgets(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="budget"):
        Budget(**wrong)


def test_refuses_no_threads() -> None:
    with pytest.raises(ValueError, match="thread"):
        Searcher(threads=0)


def test_a_second_call_waits_for_nothing_and_is_refused() -> None:
    searcher = Searcher(Board(4, 4), MEGABYTE, threads=2)
    positions = [Position.start(Board(4, 4))] * 100
    first = searcher.scores(positions)
    next(first)
    with pytest.raises(SearcherBusyError, match="at work"):
        next(searcher.values(positions))
    with pytest.raises(SearcherBusyError):
        searcher.score(positions[0])
    assert isinstance(first, Generator)
    first.close()
    assert searcher.score(positions[0]) == 0


def test_answers_stay_right_while_the_table_grows() -> None:
    board = Board(5, 5)
    generator = random.Random(3)
    positions = [position_of(random_moves(board, generator)[:6], board) for _ in range(12)]
    expected = list(Searcher(board, 16 * MEGABYTE, threads=1, first_bytes=16 * MEGABYTE).scores(positions))
    searcher = Searcher(board, 16 * MEGABYTE, threads=3, first_bytes=1 << 10)
    first = searcher.table.entries
    assert list(searcher.scores(positions)) == expected
    assert searcher.table.entries > first
    alone = Searcher(board, 16 * MEGABYTE, threads=2, first_bytes=1 << 10)
    assert [alone.score(position) for position in positions] == expected
    assert alone.table.entries > first


def test_a_worker_that_fails_leaves_no_batch_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = Searcher(Board(4, 4), MEGABYTE, threads=2, first_bytes=1)
    positions = [Position.start(Board(4, 4)).play(column) for column in (0, 1, 2, 3)] * 10
    with monkeypatch.context() as patch:
        patch.setattr(searcher.table, "grow", raise_memory_error)
        with pytest.raises(MemoryError):
            list(searcher.answers(positions))
    assert set(searcher.values(positions)) == {Value.DRAW}


def raise_memory_error(workspaces: object) -> None:
    raise MemoryError


@pytest.mark.parametrize("board", ["4x4", "5x4"])
def test_whether_a_score_is_exceeded_is_what_the_score_says(board: str) -> None:
    size = Board.parse(board)
    for position in random_positions(board, 30, seed=8, least_ply=size.cells - 11):  # minimax of more takes minutes
        score = minimax_score(position)
        searcher = Searcher(size, memory_bytes=1 << 20, threads=2)
        for asked in range(-10, 11):
            assert searcher.exceeds(position, asked) is (score > asked)


def test_nothing_is_said_beyond_the_budget() -> None:
    assert Searcher(threads=1, memory_bytes=1 << 20).exceeds(Position.start(Board()), 0, Budget(nodes=10)) is None
