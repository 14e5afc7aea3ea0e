"""The player that never errs: what is known first, then exact search for the fastest win and the longest defence."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from claimeven.solver.board import Board
from claimeven.solver.players.game import Game, Move, State
from claimeven.solver.players.move_searcher import MoveSearcher
from claimeven.solver.players.player import Choice, Lookup, PlayerError
from claimeven.solver.players.registry import Resources
from claimeven.solver.players.settings import Settings, name_with_settings
from claimeven.solver.players.stoppable import deadline_of
from claimeven.solver.players.tactics import centre_first, opponent_of, safe_moves, winning_moves
from claimeven.solver.position import Position, Side
from claimeven.solver.score import greatest_score, least_score
from claimeven.solver.search.budget import Budget
from claimeven.solver.verdict import UNKNOWN, Value, Verdict, judge_end

NODES_A_SECOND = 30_000
"""What may be spent on a first question about a move, by the seconds there are: about a tenth of them for all moves."""


def make(settings: Mapping[str, str], resources: Resources) -> PerfectPlayer:
    """`perfect`, with `seconds` (a move, 0 is no limit) and `memory` (of its table, in MB)."""
    reader = Settings("perfect", settings)
    seconds = reader.number("seconds", 0.0, least=0.0, greatest=86_400.0)
    memory = reader.whole("memory", 256, least=1, greatest=1 << 20)
    reader.finish()
    name = name_with_settings("perfect", seconds=seconds or None)
    return PerfectPlayer(name, seconds or None, memory << 20, resources)


class OutOfTimeError(Exception):
    """The time for a move ran out before what was asked was decided."""


class _SharedSearcher:
    """A searcher for all perfect players of a board, one at a time: what one of them found, the next need not."""

    def __init__(self, board: Board, memory_bytes: int, threads: int | None) -> None:
        self.searcher = MoveSearcher(board, memory_bytes, threads)
        self.turn = threading.Lock()


@lru_cache(maxsize=2)
def _share_searcher(board: Board, memory_bytes: int, threads: int | None) -> _SharedSearcher:
    """The searcher of these settings; those of the last two are kept, as games between others come in between."""
    return _SharedSearcher(board, memory_bytes, threads)


class PerfectPlayer:
    """Plays a move of the best score. If its time runs out, it plays the best it knows by then.

    Which move that is depends on the position only and not on what the table holds, so that it plays the same game
    again unless the time interferes. The table is kept from move to move and from game to game.
    """

    unit = "nodes"

    def __init__(self, name: str, seconds: float | None, memory_bytes: int, resources: Resources) -> None:
        self.name = name
        self._seconds = seconds
        self._memory_bytes = memory_bytes
        self._threads = resources.threads
        self._lookup: Lookup = resources.lookup or (lambda position: UNKNOWN)
        self._shared: _SharedSearcher | None = None

    def start(self, game: Game) -> None:
        """Get ready for a game; raises PlayerError if exact search does not know it."""
        if not game.is_standard:
            raise PlayerError(f"perfect plays standard games only, with columns * (rows + 1) <= 64, not {game}")
        board = Board(game.width, game.height, game.connect)
        self._shared = _share_searcher(board, self._memory_bytes, self._threads)

    def choose(self, state: State, seconds: float | None = None) -> Choice:
        """A move of the best score, or the best known when `seconds` or its own limit are over."""
        wins = winning_moves(state, state.to_move)
        if wins:
            return Choice(wins[0], score=greatest_score(state.game.cells, len(state.moves)), note="wins at once")
        safe = safe_moves(state)
        if not safe:
            # All defences are equally long; stopping one of the threats is what people expect.
            threats = winning_moves(state, opponent_of(state.to_move))
            return Choice((threats or centre_first(state))[0], note="every move loses at once")
        if len(safe) == 1:
            return Choice(safe[0], note="forced")
        candidates = [move for move in centre_first(state) if move in safe]
        limits = [limit for limit in (seconds, self._seconds) if limit is not None]
        return self._choose_among(state.to_position(), candidates, min(limits) if limits else None)

    def _choose_among(self, position: Position, candidates: list[Move], seconds: float | None) -> Choice:
        if self._shared is None or self._shared.searcher.board != position.board:
            raise PlayerError(f"no game on a {position.board} board was started")
        deadline = None if seconds is None else deadline_of(seconds)
        searcher = self._shared.searcher
        decision = _Decision(position, candidates, self._lookup, searcher, deadline)
        if not self._shared.turn.acquire(timeout=-1 if seconds is None else seconds / 2):
            return Choice(decision.best, 0, decision.score, "another player took the time")
        nodes = searcher.nodes
        try:
            if seconds is not None:
                decision.look_around(int(NODES_A_SECOND * seconds) + 1)
            decision.find_value()
            decision.find_score()
            note = decision.note
        except OutOfTimeError:
            note = f"out of time; {decision.note or 'nothing known'}"
        finally:
            self._shared.turn.release()
        return Choice(decision.best, searcher.nodes - nodes, decision.score, note)


@dataclass(slots=True)
class _Outlook:
    """The least and the greatest score that a move may have, for the side that makes it."""

    least: int
    greatest: int


class _Decision:
    """What is found out about the moves of one position: `best` is at any time the best choice so far."""

    def __init__(
        self,
        position: Position,
        candidates: list[Move],
        lookup: Lookup,
        searcher: MoveSearcher,
        deadline: float | None,
    ) -> None:
        self.position = position
        self.searcher = searcher
        self.deadline = deadline
        self.children = {move: position.play(move) for move in candidates}
        least = least_score(position.board.cells, position.ply)
        self.outlooks = {move: _Outlook(least, -least) for move in candidates}
        for move, child in self.children.items():
            self._take_in(move, judge_end(child) if child.is_over else lookup(child))
        self.whole = _Outlook(least, -least)
        own = lookup(position)
        _narrow(self.whole, own, position.to_move, 1)
        self._combine()

    @property
    def best(self) -> Move:
        """The move that promises most: by what is certain, then by what is possible, then the first."""
        return max(self.outlooks, key=lambda move: (self.outlooks[move].least, self.outlooks[move].greatest))

    @property
    def score(self) -> int | None:
        return self.whole.least if self.whole.least == self.whole.greatest else None

    @property
    def note(self) -> str:
        if self.score is not None:
            return f"score {self.score}"
        if self.whole.least > 0:
            return "a win"
        if self.whole.greatest < 0:
            return "a loss"
        return "at least a draw" if self.whole.least == 0 else "at most a draw" if self.whole.greatest == 0 else ""

    def look_around(self, nodes: int) -> None:
        """Find out what a little search of each move tells, which may be all when the time runs out."""
        for move, outlook in self.outlooks.items():
            for least in (0, 1):
                if outlook.least < least <= outlook.greatest:
                    self._ask(move, least, nodes)
        self._combine()

    def find_value(self) -> None:
        """Find out who wins, and a move that keeps it: known early, it is what a move out of time falls back on."""
        while not (self.whole.least > 0 or self.whole.greatest < 0 or self.whole.least == self.whole.greatest):
            budget = self._budget()
            value = self.searcher.value(self.position, budget)
            if value is None:
                raise OutOfTimeError
            _narrow_to_value(self.whole, value, self.position.to_move)
            self._combine()
        least = 1 if self.whole.least > 0 else 0 if self.whole.least == 0 else -self.position.board.cells
        self._find_move(least)

    def find_score(self) -> None:
        """Find out the score, and a move that has it."""
        if self.score is None:
            score = self.searcher.score_between(self.position, self.whole.least, self.whole.greatest, self._budget())
            if score is None:
                raise OutOfTimeError
            self.whole = _Outlook(score, score)
            self._combine()
        assert self.score is not None
        self._find_move(self.score)

    def _find_move(self, least: int) -> None:
        """Find a move that scores at least `least`, which is known to exist: the first of those in order."""
        while True:
            possible = [move for move, outlook in self.outlooks.items() if outlook.greatest >= least]
            if len(possible) == 1:
                self.outlooks[possible[0]].least = max(self.outlooks[possible[0]].least, least)
            open_moves = [move for move in possible if self.outlooks[move].least < least]
            # A move that is known to do must not hide an earlier one, or the choice would hang on what is stored.
            if not open_moves or self.outlooks[possible[0]].least >= least:
                return
            self._ask(open_moves[0], least)

    def _ask(self, move: Move, least: int, nodes: int | None = None) -> None:
        """Find out whether a move scores at least `least`; if that may not take more than `nodes`, perhaps in vain."""
        too_much = self.searcher.exceeds(self.children[move], -least, self._budget(nodes))
        if too_much is None:
            if nodes is not None:
                return
            raise OutOfTimeError
        outlook = self.outlooks[move]
        if too_much:
            outlook.greatest = min(outlook.greatest, least - 1)
        else:
            outlook.least = max(outlook.least, least)

    def _take_in(self, move: Move, verdict: Verdict) -> None:
        _narrow(self.outlooks[move], verdict, self.position.to_move, -1)

    def _combine(self) -> None:
        """Let the position and its moves narrow each other."""
        self.whole.least = max(self.whole.least, *(outlook.least for outlook in self.outlooks.values()))
        self.whole.greatest = min(self.whole.greatest, max(outlook.greatest for outlook in self.outlooks.values()))
        for outlook in self.outlooks.values():
            outlook.greatest = min(outlook.greatest, self.whole.greatest)

    def _budget(self, nodes: int | None = None) -> Budget:
        if self.deadline is None:
            return Budget(nodes)
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise OutOfTimeError
        return Budget(nodes, left)


def _narrow(outlook: _Outlook, verdict: Verdict, side: Side, sign: int) -> None:
    """Take in a verdict; its score counts for `side` as it is, or the other way round with a `sign` of -1."""
    if verdict.score is not None:
        outlook.least = outlook.greatest = sign * verdict.score
        return
    win, loss = Value.win_of(side), Value.win_of(side.opponent)
    bounds = verdict.bounds
    if not bounds.contains(loss):
        outlook.least = max(outlook.least, 0 if bounds.contains(Value.DRAW) else 1)
    if not bounds.contains(win):
        outlook.greatest = min(outlook.greatest, 0 if bounds.contains(Value.DRAW) else -1)


def _narrow_to_value(outlook: _Outlook, value: Value, side: Side) -> None:
    if value is Value.DRAW:
        outlook.least = outlook.greatest = 0
    elif value is Value.win_of(side):
        outlook.least = max(outlook.least, 1)
    else:
        outlook.greatest = min(outlook.greatest, -1)
