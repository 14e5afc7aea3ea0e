"""How good the moves of players are: against the exact solver, where it answers within a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from claimeven.reports.arena.tournament import ArenaGame
from claimeven.solver.board import Board
from claimeven.solver.players.game import Game
from claimeven.solver.players.player import Lookup
from claimeven.solver.position import Position
from claimeven.solver.search.budget import Budget
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.verdict import UNKNOWN, Bounds, Source, Value, Verdict, judge_end

MEMORY = 64 << 20


@dataclass(frozen=True, slots=True)
class MoveQuality:
    """A player's moves: how many there were, and of those whose worth is known how many were right.

    A move keeps the value if it does not turn a win into less, or a draw into a loss; it is perfect if no other move
    wins faster or loses later.
    """

    moves: int = 0
    valued: int = 0
    keeping: int = 0
    scored: int = 0
    perfect: int = 0

    @property
    def keeping_rate(self) -> float | None:
        return self.keeping / self.valued if self.valued else None

    @property
    def perfect_rate(self) -> float | None:
        return self.perfect / self.scored if self.scored else None


def judge_moves(
    players: int,
    games: Sequence[ArenaGame],
    nodes: int,
    lookup: Lookup | None = None,
    threads: int | None = None,
    progress: Callable[[int], object] = lambda positions: None,
) -> list[MoveQuality]:
    """The quality of each player's moves in games of one standard game, openings left out.

    `lookup` is asked first; exact search then may spend `nodes` on a position. Whatever is decided by neither is not
    judged. `progress` is told how many positions are done.
    """
    if not games:
        return [MoveQuality() for _ in range(players)]
    board = board_of(games[0].played.game)
    moves = [(player, before, after) for game in games for player, before, after in moves_of(board, game)]
    positions = (position for _, before, after in moves for position in (before, after))
    verdicts = _decide(board, positions, nodes, lookup, threads, progress)
    judged = [MoveQuality() for _ in range(players)]
    for player, before, after in moves:
        judged[player] = _add(judged[player], before, verdicts[before], verdicts[after])
    return judged


def count_positions(games: Sequence[ArenaGame]) -> int:
    """How many different positions `judge_moves` looks at."""
    return len({place for game in games for move in moves_of(board_of(game.played.game), game) for place in move[1:]})


def board_of(game: Game) -> Board:
    """The solver's board of a standard game."""
    return Board(game.width, game.height, game.connect)


def moves_of(board: Board, game: ArenaGame) -> Iterable[tuple[int, Position, Position]]:
    """The player, the position before and the one after each move that was not part of the opening."""
    position = Position.from_moves(board, game.played.opening)
    sides = (game.fixture.first, game.fixture.second)
    for ply in range(len(game.played.opening), len(game.played.moves)):
        after = position.play(game.played.moves[ply])
        yield sides[ply % 2], position, after
        position = after


def _decide(
    board: Board,
    positions: Iterable[Position],
    nodes: int,
    lookup: Lookup | None,
    threads: int | None,
    progress: Callable[[int], object],
) -> dict[Position, Verdict]:
    """What is known or can be found out of each position."""
    # Late ones first: the table then helps with the early ones, which are dear.
    different = sorted(set(positions), key=lambda position: (-position.ply, position.key))
    verdicts = {position: _known(position, lookup) for position in different}
    unknown = [position for position in different if verdicts[position].score is None]
    progress(len(different) - len(unknown))
    searcher = Searcher(board, MEMORY, threads)
    for position, score in zip(unknown, searcher.scores(unknown, Budget(nodes=nodes)), strict=True):
        if score is not None:
            value = Value.of_score(score, position.to_move)
            verdicts[position] = Verdict(Bounds.exactly(value), Source.SEARCH, score)
        progress(1)
    return verdicts


def _known(position: Position, lookup: Lookup | None) -> Verdict:
    if position.is_over:
        return judge_end(position)
    return UNKNOWN if lookup is None else lookup(position)


def _add(quality: MoveQuality, position: Position, before: Verdict, after: Verdict) -> MoveQuality:
    """The quality with one more move, judged as far as the verdicts before and after it tell."""
    has_value = before.bounds.is_exact and after.bounds.is_exact
    has_score = before.score is not None and after.score is not None
    return MoveQuality(
        quality.moves + 1,
        quality.valued + has_value,
        quality.keeping + (has_value and before.bounds == after.bounds),
        quality.scored + has_score,
        quality.perfect + (before.score is not None and after.score is not None and before.score == -after.score),
    )
