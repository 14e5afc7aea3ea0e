"""How fast players think: what they count, nodes or playouts, a second, on the same positions for all."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claimeven.reports.arena.table import align
from claimeven.solver.players.game import FIRST, SECOND, Game, State
from claimeven.solver.players.player import Player
from claimeven.solver.players.tactics import safe_moves, winning_moves

LEAST_STONES, MOST_STONES = 8, 16


@dataclass(frozen=True, slots=True)
class PlayerSpeed:
    """What one player did on all positions; `worst` is its longest move."""

    name: str
    unit: str
    moves: int
    work: int
    seconds: float
    worst: float

    @property
    def per_second(self) -> float:
        return self.work / self.seconds if self.seconds else 0.0

    @property
    def mean(self) -> float:
        return self.seconds / self.moves


def make_states(game: Game, count: int, seed: int) -> list[State]:
    """Games of chance under way in which there is something to think about, the same for the same seed."""
    chance = random.Random(f"players {seed}")
    states: list[State] = []
    while len(states) < count:
        state = State.start(game)
        for _ in range(chance.randint(LEAST_STONES, MOST_STONES)):
            state = state.play(chance.choice(state.legal_moves))
            if state.is_over:
                break
        else:
            if _is_quiet(state):
                states.append(state)
    return states


def _is_quiet(state: State) -> bool:
    """Whether nobody can win at once, and more than one move is left that keeps it so."""
    threatens = any(winning_moves(state, side) for side in (FIRST, SECOND))
    return not threatens and len(safe_moves(state)) > 1


def measure_player(player: Player, states: Sequence[State], seconds: float | None) -> PlayerSpeed:
    """Let a player choose a move in each state, each as in a game of its own."""
    work, times = 0, []
    for state in states:
        player.start(state.game)
        began = time.perf_counter()
        choice = player.choose(state, seconds)
        times.append(time.perf_counter() - began)
        work += choice.work
    return PlayerSpeed(player.name, player.unit, len(times), work, sum(times), max(times))


def format_player_speeds(speeds: Sequence[PlayerSpeed], seconds: float, seed: int, run: Mapping[str, str]) -> str:
    """A page with one row a player, and where it was measured."""
    rows = [
        [
            speed.name,
            speed.unit or "nothing",
            str(speed.moves),
            f"{speed.work:,}" if speed.unit else "",
            f"{speed.per_second:,.0f}" if speed.unit else "",
            f"{1000 * speed.mean:,.2f}",
            f"{1000 * speed.worst:,.2f}",
        ]
        for speed in speeds
    ]
    header = ["player", "counts", "moves", "work", "work/s", "mean, ms", "worst, ms"]
    lines = [
        "# Speed of the players",
        "",
        f"The same random 7x6 positions of {LEAST_STONES} to {MOST_STONES} stones for all (seed {seed}), in which "
        f"nobody can win at once; {seconds:g} s a move at most, kernels compiled before. What a node is differs from "
        "player to player; for rules it is a position tried to prove.",
        "",
        *align(header, rows, numbers={2, 3, 4, 5, 6}),
        "",
        ", ".join(f"{name} {value}" for name, value in run.items()) + ".",
    ]
    return "\n".join(lines)
