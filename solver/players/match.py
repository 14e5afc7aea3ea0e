"""One game between two players, to its end whatever the players do."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from claimeven.solver.players.game import FIRST, SECOND, Game, Move, State
from claimeven.solver.players.player import Choice, Player

GRACE = 0.5
"""Seconds that a move may take beyond its limit before it loses the game: machines have other things to do too."""

LINE = "line"
FULL = "board full"


@dataclass(frozen=True, slots=True)
class MoveCost:
    """What choosing one move took."""

    seconds: float
    work: int


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game as it was played: `moves` holds the opening too, `costs` a cost for every move after it.

    `winner` is FIRST, SECOND or None for a draw. `ending` is `line`, `board full`, or the reason why the loser lost
    without a line, which names him.
    """

    game: Game
    opening: tuple[Move, ...]
    moves: tuple[Move, ...]
    winner: int | None
    ending: str
    costs: tuple[MoveCost, ...]

    @property
    def is_forfeit(self) -> bool:
        """Whether it was lost by a crash, an illegal move or the clock."""
        return self.ending not in (LINE, FULL)


class _Forfeit(Exception):
    """A player failed to make a move."""


def play_game(
    game: Game,
    first: Player,
    second: Player,
    opening: Sequence[Move] = (),
    seconds: float | None = None,
    grace: float = GRACE,
) -> FinishedGame:
    """Play a game from an opening that does not end it; `seconds` is the time for each move.

    A player that raises, makes an illegal move, or takes longer than `seconds` and `grace`, loses. One that does not
    come back is left to itself in its thread, and must not be used again. Without `seconds` there is no clock.
    """
    state = State.start(game).play_all(opening)
    costs: list[MoveCost] = []
    clocks = {FIRST: _Clock(first, seconds, grace), SECOND: _Clock(second, seconds, grace)}
    loser, ending = FIRST, ""
    try:
        clocks[FIRST].start(game)
        loser = SECOND
        clocks[SECOND].start(game)
        while not state.is_over:
            loser = state.to_move
            choice, took = clocks[loser].choose(state)
            state = _played(state, choice)
            costs.append(MoveCost(took, choice.work))
    except _Forfeit as forfeit:
        ending = f"{'first' if loser == FIRST else 'second'}: {forfeit}"
    finally:
        for clock in clocks.values():
            clock.stop()
    winner = FIRST + SECOND - loser if ending else state.winner
    ending = ending or (FULL if winner is None else LINE)
    return FinishedGame(game, tuple(opening), state.moves, winner, ending, tuple(costs))


def _played(state: State, choice: object) -> State:
    """The state after a move, which is not trusted to be one."""
    move = choice.move if isinstance(choice, Choice) else choice
    if not isinstance(move, int) or move not in state.legal_moves:
        raise _Forfeit(f"illegal move {move!r}")
    return state.play(move)


class _Clock:
    """A player whose time is measured. With a limit, moves are chosen in a thread that can be left behind."""

    def __init__(self, player: Player, seconds: float | None, grace: float) -> None:
        self._player = player
        self._seconds = seconds
        self._grace = grace
        self._states: SimpleQueue[State | None] = SimpleQueue()
        self._answers: SimpleQueue[Choice | Exception] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def start(self, game: Game) -> None:
        try:
            self._player.start(game)
        except Exception as error:
            raise _Forfeit(_describe(error)) from error

    def choose(self, state: State) -> tuple[Choice, float]:
        """The choice and the seconds it took."""
        began = time.perf_counter()
        answer = self._ask(state)
        took = time.perf_counter() - began
        if isinstance(answer, Exception):
            raise _Forfeit(_describe(answer)) from answer
        if self._seconds is not None and took > self._seconds + self._grace:
            raise _Forfeit(f"took {took:.1f} s of {self._seconds:g} s")
        return answer, took

    def stop(self) -> None:
        """Let the thread end, when it has come back."""
        self._states.put(None)

    def _ask(self, state: State) -> Choice | Exception:
        if self._seconds is None:
            return self._choose(state)
        if self._thread is None:
            # A daemon: one that never comes back must not keep the program from ending.
            self._thread = threading.Thread(target=self._work, daemon=True, name=f"player {self._player.name}")
            self._thread.start()
        self._states.put(state)
        try:
            return self._answers.get(timeout=self._seconds + self._grace)
        except Empty:
            return TimeoutError(f"took more than {self._seconds:g} s")

    def _work(self) -> None:
        while (state := self._states.get()) is not None:
            self._answers.put(self._choose(state))

    def _choose(self, state: State) -> Choice | Exception:
        try:
            return self._player.choose(state, self._seconds)
        except Exception as error:
            return error


def _describe(error: Exception) -> str:
    text = " ".join(str(error).split())[:200]
    return (
        text if isinstance(error, TimeoutError) else f"{type(error).__name__}: {text}" if text else type(error).__name__
    )
