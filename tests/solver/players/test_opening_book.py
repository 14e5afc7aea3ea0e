from __future__ import annotations

import pytest

from claimeven.solver.board import Board
from claimeven.solver.players.opening_book import find_book_move
from claimeven.solver.position import Position
from claimeven.solver.verdict import UNKNOWN, Bounds, Source, Value, Verdict
from tests.solver.search.minimax import Minimax

BOARD = Board(4, 4)
THREE_WIN = Board(4, 4, 3)
MINIMAX = {board: Minimax(4, 4, board.connect) for board in (BOARD, THREE_WIN)}


def score_of(position: Position) -> int:
    columns = tuple(
        "".join(position.stone_at(BOARD.square(column, row)) for row in range(BOARD.rows)).rstrip(".")
        for column in range(BOARD.columns)
    )
    return int(MINIMAX[position.board].score(columns))


def know_scores(position: Position) -> Verdict:
    score = score_of(position)
    return Verdict(Bounds.exactly(Value.of_score(score, position.to_move)), Source.SEARCH, score)


def know_values(position: Position) -> Verdict:
    return Verdict(know_scores(position).bounds, Source.SEARCH)


def mover_score(position: Position, column: int) -> int:
    """The score of a move for the side that makes it."""
    after = position.play(column)
    return (BOARD.cells + 2 - after.ply) // 2 if after.winner else -score_of(after) if not after.is_over else 0


POSITIONS = [
    Position.from_moves(BOARD, map(int, moves)) for moves in ("", "0011", "0112", "01233210", "1120", "102331")
]


@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_the_move_with_the_best_score_is_played_if_all_scores_are_known(position: Position) -> None:
    column = find_book_move(position, know_scores, [1, 2, 0, 3])
    assert column is not None
    assert mover_score(position, column) == max(mover_score(position, legal) for legal in position.legal_columns)


@pytest.mark.parametrize(("moves", "wins"), [("", True), ("0", False)])
def test_of_several_wins_the_quickest_and_of_losses_the_longest_is_played(moves: str, wins: bool) -> None:
    position = Position.from_moves(THREE_WIN, map(int, moves))
    scores = {column: mover_score(position, column) for column in position.legal_columns}
    best = max(scores.values())
    alike = [column for column, score in scores.items() if score > 0] if wins else list(scores)
    assert (best > 0) == wins
    assert len({scores[column] for column in alike}) > 1
    # The worst of those with the same value comes first in the order, so that only the score can find the best.
    order = sorted(scores, key=lambda column: (column not in alike, scores[column]))
    column = find_book_move(position, know_scores, order)
    assert column is not None
    assert scores[column] == best


@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_without_scores_the_first_move_of_the_best_value_is_played(position: Position) -> None:
    def rank(column: int) -> int:
        score = mover_score(position, column)
        return (score > 0) - (score < 0)

    order = [3, 2, 1, 0]
    best = max(map(rank, position.legal_columns))
    expected = next(column for column in order if column in position.legal_columns and rank(column) == best)
    assert find_book_move(position, know_values, order) == expected


def verdicts(**known: str) -> dict[int, Verdict]:
    return {int(column[1:]): Verdict(Bounds.parse(bounds), Source.RULES) for column, bounds in known.items()}


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({}, None),
        ({"c2": "white"}, 2),  # a known win is best whatever the others are
        ({"c2": "draw"}, None),  # another move may win
        ({"c0": "draw", "c1": "not-white", "c2": "black", "c3": "not-white"}, 0),
        ({"c0": "not-white", "c1": "black", "c2": "black", "c3": "black"}, None),  # a draw or a loss: not settled
        ({"c0": "not-black", "c1": "not-black", "c2": "not-black", "c3": "not-black"}, None),
        ({"c0": "black", "c1": "black", "c2": "black", "c3": "black"}, 1),
    ],
)
def test_a_move_is_played_only_if_nothing_can_be_better(known: dict[str, str], expected: int | None) -> None:
    start = Position.start(BOARD)
    after = {start.play(column): verdict for column, verdict in verdicts(**known).items()}
    assert find_book_move(start, lambda position: after.get(position, UNKNOWN), [1, 2, 0, 3]) == expected


def test_values_are_turned_round_for_black() -> None:
    position = Position.start(BOARD).play(0)
    after = {position.play(2): Verdict(Bounds.parse("black"), Source.RULES)}
    assert find_book_move(position, lambda child: after.get(child, UNKNOWN), [0, 1, 2, 3]) == 2
