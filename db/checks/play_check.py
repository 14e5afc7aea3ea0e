"""Stored certificates as strategies: each is played against every opposition, or against many random ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from claimeven.db.checks.verification import Step, read_sampled_proofs
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.notation import columns
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.checker import find_flaws
from claimeven.solver.proof.playout import PlayOut, play_out, play_random
from claimeven.solver.verdicts import describe_position


@dataclass(slots=True)
class PlayCounts:
    """How many proofs survived every opposition, how many were played against random ones, and how much that was.

    `positions` are those with the opponent to move that exhaustive play looked at, `partial_positions` those of trees
    that were too large to be finished, and `games` the random ones in those.
    """

    exhaustive: int = 0
    positions: int = 0
    partial: int = 0
    partial_positions: int = 0
    games: int = 0


class PlayCheck:
    """A `Check`: does the controller of every certificate get what it claims, whatever the opponent does?

    A tree of more than `nodes` positions is given up there, and `games` random oppositions are played instead. What was
    covered adds up in `counts`, over several boards.
    """

    def __init__(self, nodes: int, games: int) -> None:
        self.counts = PlayCounts()
        self._nodes = nodes
        self._games = games

    def __call__(self, store: Store, board: Board, share: float, chance: random.Random) -> Iterator[Step]:
        for certificate in read_sampled_proofs(store, board, share, chance):
            if isinstance(certificate, str):
                yield Step(1, (certificate,))
                continue
            place = describe_position(board, certificate.position.key)
            # Only a certificate that holds is a plan; another may ask for squares that are not there.
            if next(iter(find_flaws(certificate)), None) is not None:
                yield Step(1, (f"{place}: the certificate does not hold, so it cannot be played",))
                continue
            result = self._play(certificate, chance.getrandbits(32))
            failure = () if result.survived else (f"{place}: {_describe_failure(board, result)}",)
            yield Step(1, failure)

    def _play(self, certificate: Certificate, seed: int) -> PlayOut:
        every = play_out(certificate, self._nodes)
        if every.complete or not every.survived:
            self.counts.exhaustive += every.survived
            self.counts.positions += every.nodes
            return every
        self.counts.partial += 1
        self.counts.partial_positions += every.nodes
        some = play_random(certificate, self._games, seed)
        self.counts.games += some.nodes
        return some


def _describe_failure(board: Board, result: PlayOut) -> str:
    return f"played out, {result.failure} after {columns.write(result.line, board)}"
