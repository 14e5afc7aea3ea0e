"""*easy*, *medium*, *hard*, *guru* and *victor*: negamax over what is in each window of four."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random

import numpy as np

from claimeven.solver.board import MAX_BITS
from claimeven.solver.players.centre_out import centre_out
from claimeven.solver.players.game import Game, State
from claimeven.solver.players.opening_book import find_book_move
from claimeven.solver.players.player import Choice, Lookup, PlayerError
from claimeven.solver.players.registry import Resources
from claimeven.solver.players.settings import Settings, name_with_settings
from claimeven.solver.players.stoppable import deadline_of, run_all
from claimeven.solver.players.window.levels import EASY, GURU, HARD, MEDIUM, VICTOR, Level
from claimeven.solver.players.window.patterns import winning_squares
from claimeven.solver.players.window.search import DECIDED, WIN, evaluate, find_candidates, value_moves
from claimeven.solver.players.window.words import Slot, Words, new_words
from claimeven.solver.position import Position, Side

TABLE_BITS = 18
SECONDS = 5.0
ONLY_MOVE = "only move"


class WindowPlayer:
    """Plays the standard game, of any size that fits the solver, at one of the levels.

    It deepens one ply at a time until its depth, or until its time is up, then plays the best move of the last depth
    that was completed. Its table is kept from move to move and forgotten when a game starts.

    >>> player = WindowPlayer(GURU, depth=4)
    >>> player.start(Game())
    >>> player.choose(State.start(Game()).play_all([3, 0, 3, 0, 3, 1])).move
    3
    """

    unit = "nodes"

    def __init__(
        self,
        level: Level,
        depth: int | None = None,
        seconds: float = SECONDS,
        uses_book: bool | None = None,
        resources: Resources | None = None,
    ) -> None:
        self._level = level
        self._depth = depth or level.depth
        self._seconds = seconds
        resources = resources or Resources()
        self._uses_book = level.uses_book if uses_book is None else uses_book
        self._lookup: Lookup | None = resources.lookup if self._uses_book else None
        self._random = Random(resources.seed)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=level.name)
        self._table = np.zeros((1 << TABLE_BITS, 2), np.uint64)
        self._game: Game | None = None
        self._words: Words = np.zeros(0, np.uint64)

    @property
    def name(self) -> str:
        level = self._level
        return name_with_settings(
            level.name,
            depth=None if self._depth == level.depth else self._depth,
            seconds=None if self._seconds == SECONDS else self._seconds,
            book=None if self._uses_book == level.uses_book else int(self._uses_book),
        )

    def start(self, game: Game) -> None:
        if not game.is_standard:
            raise PlayerError(
                f"{self._level.name} plays the standard game, with columns * (rows + 1) <= {MAX_BITS}, not {game}"
            )
        self._game = game
        self._words = new_words(game.width, game.height, game.connect, centre_out(game))
        self._words[Slot.IS_CAREFUL] = self._level.is_careful
        self._words[Slot.USES_RULES] = self._level.uses_rules
        self._table.fill(0)

    def choose(self, state: State, seconds: float | None = None) -> Choice:
        deadline = deadline_of(self._seconds if seconds is None else min(seconds, self._seconds))
        if self._game != state.game:
            self.start(state.game)
        position = state.to_position()
        mover, other = _stones(position)
        order = [column for column in centre_out(state.game) if column in position.legal_columns]
        winning = winning_squares(self._words, mover, np.uint64(position.empty))
        if wins := _columns_in(position, order, winning):
            return Choice(wins[0], work=1, score=float(WIN - position.ply - 1), note="wins")
        if self._lookup is not None and (known := find_book_move(position, self._lookup, order)) is not None:
            return Choice(known, note="book")
        self._words[Slot.OWN_IS_FIRST] = position.to_move is Side.WHITE
        self._words[Slot.NODES] = self._words[Slot.STOP] = 0
        # If all lose, the move that blocks something is the one that an opponent may not punish.
        blocks = winning_squares(self._words, other, np.uint64(position.empty))
        candidates = find_candidates(self._words, mover, other) or blocks
        moves = _columns_in(position, order, candidates) or order
        if self._level.uses_rules:
            moves.sort(key=lambda column: -self._count_threats(position, column))
        return self._choose_of(position, moves, deadline)

    def _count_threats(self, position: Position, column: int) -> int:
        """The squares where the side to move could win after a move, those of its own parity counted twice."""
        after = position.play(column)
        winning = int(winning_squares(self._words, np.uint64(after.stones(position.to_move)), np.uint64(after.empty)))
        odd = winning & position.board.odd_squares
        return winning.bit_count() + (odd if position.to_move is Side.WHITE else winning & ~odd).bit_count()

    def _choose_of(self, position: Position, moves: Sequence[int], deadline: float) -> Choice:
        """The best of these moves; of several alike the first, or any of them by chance, as the level has it."""
        # One ply is looked at whatever the time, so that there is a move to play.
        results = [self._value(position, moves, 1)]
        if len(moves) > 1:
            stop = partial(self._words.__setitem__, Slot.STOP, 1)
            run_all(self._pool, [partial(self._deepen, position, results)], deadline, stop)
        values = results[-1]
        best = max(values.values())
        slack = self._level.slack
        good = [column for column in moves if values[column] >= best - (slack or 0)]
        return Choice(
            good[0] if slack is None else self._random.choice(good),
            work=int(self._words[Slot.NODES]),
            score=float(best),
            note=f"depth {len(results)}" if len(moves) > 1 else ONLY_MOVE,
        )

    def _deepen(self, position: Position, results: list[dict[int, int]]) -> None:
        """Add the values of the moves one ply deeper, again and again, to the results so far."""
        while len(results) < min(self._depth, position.empty.bit_count()):
            values = results[-1]
            if abs(max(values.values())) > DECIDED:
                return
            deeper = self._value(position, sorted(values, key=lambda column: -values[column]), len(results) + 1)
            if self._words[Slot.STOP]:
                return
            results.append(deeper)

    def _value(self, position: Position, columns: Sequence[int], depth: int) -> dict[int, int]:
        values = np.zeros(len(columns), np.int64)
        slack = self._level.slack or 0
        value_moves(self._words, self._table, *_stones(position), np.array(columns, np.int64), depth, slack, values)
        return dict(zip(columns, values.tolist(), strict=True))


def evaluate_windows(state: State, level: Level = GURU) -> int:
    """What a position in which nobody has won is worth to the side to move, without any search.

    >>> evaluate_windows(State.start(Game()).play_all([3, 0]))
    3
    """
    words = new_words(state.game.width, state.game.height, state.game.connect, centre_out(state.game))
    position = state.to_position()
    words[Slot.USES_RULES] = level.uses_rules
    words[Slot.OWN_IS_FIRST] = position.to_move is Side.WHITE
    return int(evaluate(words, *_stones(position)))


def _stones(position: Position) -> tuple[np.uint64, np.uint64]:
    """The mover's stones, and the other side's."""
    mover = position.to_move
    return np.uint64(position.stones(mover)), np.uint64(position.stones(mover.opponent))


def _columns_in(position: Position, columns: Sequence[int], squares: int) -> list[int]:
    """The columns whose playable square is one of these, in order."""
    playable = position.playable & int(squares)
    return [column for column in columns if playable & position.board.column_squares(column)]


def _make(level: Level, settings: Mapping[str, str], resources: Resources) -> WindowPlayer:
    read = Settings(level.name, settings)
    depth = read.whole("depth", level.depth, least=1, greatest=MAX_BITS)
    seconds = read.number("seconds", SECONDS, least=0.001, greatest=3600.0)
    uses_book = read.whole("book", int(level.uses_book), least=0, greatest=1) == 1
    read.finish()
    return WindowPlayer(level, depth, seconds, uses_book, resources)


make_easy = partial(_make, EASY)
make_medium = partial(_make, MEDIUM)
make_hard = partial(_make, HARD)
make_guru = partial(_make, GURU)
make_victor = partial(_make, VICTOR)
"""Makers of the levels; `depth` in plies, `seconds` a move at most, `book` 1 or 0: whether the store is asked."""
