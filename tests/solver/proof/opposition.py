"""Every opposition to a proof, tried with the readable strategy; and every position of a small board."""

from __future__ import annotations

import random
from collections.abc import Iterator

from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.strategy import Strategy, StrategyError
from claimeven.solver.verdict import AT_MOST_DRAW


def survives(certificate: Certificate) -> tuple[bool, int]:
    """Whether the controller gets what the certificate claims, and in how many positions the opponent was to move.

    A position reached with different duties counts once for each, so the number is the kernel's only if the duties
    follow from the position.
    """
    seen: set[tuple[Position, frozenset[object]]] = set()

    def survives_from(strategy: Strategy) -> bool:
        state = (strategy.position, frozenset[object](strategy.duties))
        if state in seen:
            return True
        seen.add(state)
        for column in strategy.position.legal_columns:
            moved = strategy.position.play(column)
            if moved.is_over:
                if not is_claimed(certificate, moved):
                    return False
                continue
            try:
                replied = strategy.after(column, strategy.reply(column))
            except StrategyError:
                return False
            if replied.position.is_over:
                if not is_claimed(certificate, replied.position):
                    return False
            elif not survives_from(replied):
                return False
        return True

    return survives_from(Strategy.of(certificate)), len(seen)


def is_claimed(certificate: Certificate, finished: Position) -> bool:
    """Whether a finished game ended as well as the certificate claims."""
    if certificate.bounds == AT_MOST_DRAW:
        return finished.winner is not certificate.controller.opponent
    return finished.winner is certificate.controller


def all_positions(board: str) -> Iterator[Position]:
    """Every position of a board, finished ones too, ply by ply."""
    ply = {Position.start(Board.parse(board))}
    while ply:
        yield from ply
        ply = {position.play(column) for position in ply for column in position.legal_columns}


def late_positions(board: str, seed: int, *, least_ply: int) -> Iterator[Position]:
    """Without end, every unfinished position of random games from a ply on, each position once."""
    chance = random.Random(f"{board} {seed}")
    seen: set[int] = set()
    while True:
        position = Position.start(Board.parse(board))
        while not position.is_over:
            if position.ply >= least_ply and position.key not in seen:
                seen.add(position.key)
                yield position
            position = position.play(chance.choice(position.legal_columns))
