"""Everything about the moves of a position: the score of each, the best ones, and the line of best play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from claimeven.solver.inquiry import Inquiry, Known, LateSearcher
from claimeven.solver.position import Position
from claimeven.solver.search.budget import UNLIMITED, Budget
from claimeven.solver.verdict import UNKNOWN, Bounds, ContradictionError, Source, Value, Verdict

if TYPE_CHECKING:
    from claimeven.solver.search.searcher import Searcher


class Judged:
    """What has a verdict says value, score and source by itself."""

    __slots__ = ()

    verdict: Verdict

    @property
    def value(self) -> Value | None:
        """Who wins under best play, if that is known."""
        return self.verdict.value

    @property
    def score(self) -> int | None:
        """The score for the side to move, if it is known."""
        return self.verdict.score

    @property
    def source(self) -> Source | None:
        """Where the verdict comes from."""
        return self.verdict.source


@dataclass(frozen=True, slots=True)
class MoveAnswer(Judged):
    """A move, the position after it and what is known of that; `score` is for the side that makes the move."""

    column: int
    position: Position
    verdict: Verdict

    @property
    def square(self) -> str:
        """The name of the square that the move takes."""
        board = self.position.board
        top = self.position.occupied & board.column_squares(self.column)
        return board.name(top.bit_length() - 1)

    @property
    def score(self) -> int | None:
        """The score for the side that makes the move, if it is known."""
        return None if self.verdict.score is None else -self.verdict.score


@dataclass(frozen=True, slots=True)
class Analysis(Judged):
    """A position, its verdict, its moves from the left, the best of them, and the game that both sides play best.

    `best_columns` and `line` are columns counted from 0. There are no best moves unless the score of every move is
    known; the line goes on to the end of the game, or to where a score is not known.
    """

    position: Position
    verdict: Verdict
    moves: tuple[MoveAnswer, ...]
    best_columns: tuple[int, ...]
    line: tuple[int, ...]

    @property
    def scores(self) -> dict[int, int | None]:
        """The score of each move, by column, for the side that makes it."""
        return {move.column: move.score for move in self.moves}

    @property
    def best_moves(self) -> tuple[MoveAnswer, ...]:
        """The moves that no other move beats."""
        return tuple(move for move in self.moves if move.column in self.best_columns)

    @property
    def squares(self) -> tuple[str, ...]:
        """The line of best play, by the squares that it takes."""
        position, names = self.position, []
        for column in self.line:
            names.append(MoveAnswer(column, position.play(column), UNKNOWN).square)
            position = position.play(column)
        return tuple(names)


def analyze(
    position: Position,
    searcher: Searcher | LateSearcher,
    known: Known | None = None,
    budget: Budget = UNLIMITED,
    on_found: Callable[[Position, Verdict], None] | None = None,
) -> Analysis:
    """The score of a position and of each of its moves, what `known` does not have found by search.

    The budget is that of each search on its own; what it was not enough for stays open. `on_found` is told what search
    found as soon as it did. A finished game has a score and
    no moves. Raises ContradictionError if the scores of the moves and of the position exclude each other.

    >>> from claimeven import Board, Position
    >>> from claimeven.solver.search.searcher import Searcher
    >>> board = Board(5, 4)
    >>> analysis = analyze(Position("33", board=board), Searcher(board, memory_bytes=1 << 20, threads=1))
    >>> analysis.scores, analysis.best_columns, analysis.squares[:3]
    ({0: -1, 1: -1, 2: 0, 3: -1, 4: -1}, (2,), ('c3', 'c4', 'b1'))
    """
    inquiry = Inquiry(searcher, known, budget, on_found=on_found)
    verdict = inquiry.ask([position])[0]
    columns = position.legal_columns
    children = [position.play(column) for column in columns]
    moves = tuple(map(MoveAnswer, columns, children, inquiry.ask(children)))
    verdict = _agree(position, verdict, moves)
    line = tuple(_best_line(position, verdict.score, moves, inquiry))
    return Analysis(position, verdict, moves, _best_columns(moves), line)


def _best_columns(moves: tuple[MoveAnswer, ...]) -> tuple[int, ...]:
    """The columns of the moves with the greatest score; none unless all scores are known."""
    scores = [move.score for move in moves if move.score is not None]
    if len(scores) < len(moves) or not moves:
        return ()
    return tuple(move.column for move in moves if move.score == max(scores))


def _agree(position: Position, verdict: Verdict, moves: tuple[MoveAnswer, ...]) -> Verdict:
    """The verdict of the position, from its moves if it has no score of its own and all of them have."""
    scores = [move.score for move in moves if move.score is not None]
    if not moves or len(scores) < len(moves):
        return verdict
    best = max(scores)
    bounds = Bounds.exactly(Value.of_score(best, position.to_move))
    if (verdict.score is not None and verdict.score != best) or not verdict.bounds.contains(bounds.least):
        raise ContradictionError(
            f"the scores of a position and of its moves exclude each other; one of them is wrong\n{position}\n"
            f"the position: {verdict!r}\nits best move: {best}"
        )
    return verdict if verdict.score is not None else Verdict(bounds, Source.RETROGRADE, best)


def _best_line(position: Position, score: int | None, moves: tuple[MoveAnswer, ...], inquiry: Inquiry) -> Iterator[int]:
    """Best moves of both sides in turn, of equally good ones the one nearest the middle, then on the left."""
    known: dict[int, int | None] = {move.column: move.score for move in moves}
    while score is not None and not position.is_over:
        for column in sorted(position.legal_columns, key=lambda each: _from_middle(position, each)):
            after = position.play(column)
            # No move is worth more than the position.
            if known[column] == score if column in known else inquiry.is_worth(after, -score):
                break
        else:
            return
        yield column
        position, score, known = after, -score, {}


def _from_middle(position: Position, column: int) -> int:
    return abs(2 * column - position.board.columns + 1)
