"""Openings for an arena: so that players without chance do not play the same game again and again."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

from claimeven.solver.players.game import Game, GameError, Move, State
from claimeven.solver.players.game_text import parse_moves

Opening = tuple[Move, ...]

MOST_OPENINGS = 10_000


class OpeningsError(ValueError):
    """Openings that cannot be made or read."""


def make_openings(game: Game, count: int, seed: int) -> tuple[Opening, ...]:
    """Different unfinished openings, as short as so many can be; if there are more of that length, chance chooses.

    >>> make_openings(Game(), 7, seed=1)
    ((0,), (1,), (2,), (3,), (4,), (5,), (6,))
    """
    if not 1 <= count <= MOST_OPENINGS:
        raise OpeningsError(f"1 to {MOST_OPENINGS} openings can be made, not {count}")
    states = [State.start(game)]
    while len(states) < count:
        states = _after_one_move(states)
        if not states:
            raise OpeningsError(f"{game} has no {count} different openings of one length")
    if len(states) > count:
        chosen = random.Random(f"openings {seed}").sample(range(len(states)), count)
        states = [states[place] for place in sorted(chosen)]
    return tuple(state.moves for state in states)


def read_openings(game: Game, path: Path) -> tuple[Opening, ...]:
    """The openings of a file, one a line; empty lines and what follows a # are left out."""
    if path.exists() and not path.is_file():
        raise OpeningsError(f"{path} is not a file")
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise OpeningsError(f"{path} is not a text file") from None
    openings = []
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            moves = parse_moves(game, text)
            if State.start(game).play_all(moves).is_over:
                raise GameError("the game is over")
        except GameError as error:
            raise OpeningsError(f"{path}, line {number}: {error}") from None
        openings.append(moves)
    if not openings:
        raise OpeningsError(f"{path} holds no openings")
    return tuple(openings)


def _after_one_move(states: Iterable[State]) -> list[State]:
    """The unfinished states one move later, each once however it is reached."""
    found: dict[bytes, State] = {}
    for state in states:
        for move in state.legal_moves:
            after = state.play(move)
            if not after.is_over:
                found.setdefault(after.cells, after)
    return list(found.values())
