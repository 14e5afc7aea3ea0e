"""Every opposition to a proof: does the controller get what the certificate claims?"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from claimeven.solver.board import Bitboard, Square, column_name
from claimeven.solver.proof.certificate import Certificate, ThreatCombination
from claimeven.solver.proof.duties import Base, Either, Follow, High, Low, duties_of, reluctant_squares
from claimeven.solver.proof.listing import board_geometry
from claimeven.solver.proof.playout_kernel import (
    DRAWN,
    LENGTH,
    LOST,
    NODES,
    OUT_OF_NODES,
    STUCK,
    SURVIVED,
    UNPLAYABLE,
    Memory,
    play_every_opposition,
    play_random_oppositions,
)
from claimeven.solver.proof.reply_kernel import Plan, Rows

Counters: TypeAlias = np.ndarray[tuple[int], np.dtype[np.int64]]
Line: TypeAlias = np.ndarray[tuple[int], np.dtype[np.uint64]]

DEFAULT_NODES = 1 << 20
"""How many positions a play-out looks at before it gives up."""

FAILURES = {
    LOST: "the controller loses",
    DRAWN: "the game is drawn although the proof claims a win",
    STUCK: "every square that is left is forbidden to the controller",
    UNPLAYABLE: "the answer is not playable",
}


@dataclass(frozen=True, slots=True)
class PlayOut:
    """How a proof fared.

    `nodes` are the different positions with the opponent to move that were looked at or, against random oppositions,
    the games survived. `complete` says that every opposition was tried; `failure` what went wrong, if anything did, and
    `line` the columns that were played before it.
    """

    nodes: int
    complete: bool
    failure: str | None = None
    line: tuple[int, ...] = ()

    @property
    def survived(self) -> bool:
        """Whether nothing went wrong in what was tried."""
        return self.failure is None

    def describe(self) -> str:
        """The outcome in words."""
        if self.failure is not None:
            return f"{self.failure} after {' '.join(column_name(column) for column in self.line)}"
        return f"survives {'every opposition' if self.complete else 'what was tried'}: {self.nodes:,}"


def play_out(certificate: Certificate, nodes: int = DEFAULT_NODES, *, all_choices: bool = False) -> PlayOut:
    """Play a certificate, which is taken to hold, against every opposition; stop after so many positions.

    The controller follows the policy of `strategy`. With `all_choices` he may, where he is free and anywhere in the
    columns of a threat combination, take another square before he fails: a failure then says that no policy survives.

    >>> from claimeven.solver.board import Board
    >>> from claimeven.solver.position import Position
    >>> from claimeven.solver.proof.prover import prove
    >>> play_out(prove(Position.start(Board(4, 4))).certificate).complete
    True
    """
    memory, stamp = _fresh_memory(nodes)
    counters, line, own, opponent = _prepare(certificate, nodes)
    geometry, plan = board_geometry(certificate.position.board), make_plan(certificate, all_choices=all_choices)
    result = play_every_opposition(geometry, plan, memory, stamp, counters, line, own, opponent, 0)
    return _report(certificate, int(result), counters, line, complete=result != OUT_OF_NODES)


def play_random(certificate: Certificate, games: int, seed: int = 1) -> PlayOut:
    """Play a certificate, which is taken to hold, against so many random oppositions."""
    counters, line, own, opponent = _prepare(certificate, games)
    geometry, plan = board_geometry(certificate.position.board), make_plan(certificate)
    # A xorshift generator must not start from 0, and seeds next to each other should not give games that are alike.
    state = np.uint64((2 * seed + 1) * 0x9E3779B97F4A7C15 % (1 << 64))
    result = play_random_oppositions(geometry, plan, games, state, counters, line, own, opponent)
    return _report(certificate, int(result), counters, line, complete=False)


def make_plan(certificate: Certificate, *, all_choices: bool = False) -> Plan:
    """The duties of a certificate as the kernels take them."""
    board, duties = certificate.position.board, duties_of(certificate)
    follows = [duty for duty in duties if isinstance(duty, Follow) and not duty.careful]
    careful = [duty for duty in duties if isinstance(duty, Follow) and duty.careful]
    lows = [duty for duty in duties if isinstance(duty, Low)]
    highs = [duty for duty in duties if isinstance(duty, High)]
    columns = 0
    if isinstance(certificate.win_condition, ThreatCombination):
        for square in (certificate.win_condition.crossing, certificate.win_condition.odd):
            columns |= board.column_squares(board.column_of(square))
    lowers = [*(duty.lower for duty in follows), *(lower for duty in lows for lower in (duty.lower1, duty.lower2))]
    return Plan(
        follow=np.uint64(_together(lowers)),
        forbidden=np.uint64(_together(duty.lower for duty in follows if duty.is_claimeven)),
        careful=np.uint64(_together(duty.lower for duty in careful)),
        reluctant=np.uint64(reluctant_squares(certificate)),
        columns=np.uint64(columns),
        eithers=_rows(2, [(1 << duty.one, 1 << duty.other) for duty in duties if isinstance(duty, Either)]),
        lows=_rows(2, [(1 << duty.lower1, 1 << duty.lower2) for duty in lows]),
        highs=_rows(
            4,
            [
                (one := 1 << duty.bottom1, other := 1 << duty.bottom2, one * duty.playable1, other * duty.playable2)
                for duty in highs
            ],
        ),
        bases=_rows(3, [(1 << duty.p1, 1 << duty.p2, 1 << duty.p3) for duty in duties if isinstance(duty, Base)]),
        must_win=certificate.bounds.is_exact,
        all_choices=all_choices,
    )


def _together(squares: Iterable[Square]) -> Bitboard:
    together = 0
    for square in squares:
        together |= 1 << square
    return together


def _rows(width: int, rows: Sequence[tuple[Bitboard, ...]]) -> Rows:
    return np.array(rows, np.uint64).reshape(len(rows), width)


def _prepare(certificate: Certificate, limit: int) -> tuple[Counters, Line, np.uint64, np.uint64]:
    """The counters, room for a line, and the stones of the controller and of the opponent."""
    position = certificate.position
    own, opponent = (position.stones(side) for side in (certificate.controller, certificate.controller.opponent))
    line = np.zeros(position.board.cells + 2, np.uint64)
    return np.array([0, limit, 0], np.int64), line, np.uint64(own), np.uint64(opponent)


def _report(certificate: Certificate, result: int, counters: Counters, line: Line, *, complete: bool) -> PlayOut:
    nodes = int(counters[NODES])
    if result in (SURVIVED, OUT_OF_NODES):
        return PlayOut(nodes, complete)
    column_of = certificate.position.board.column_of
    played = tuple(column_of(int(square).bit_length() - 1) for square in line[: counters[LENGTH]])
    return PlayOut(nodes, complete, FAILURES[result], played)


_threads = threading.local()


def _fresh_memory(nodes: int) -> tuple[Memory, int]:
    """This thread's memory, at least twice as large as the nodes it may have to hold, and a stamp not yet used."""
    memory: Memory | None = getattr(_threads, "memory", None)
    if memory is None or len(memory.keys) < 2 * nodes:
        size = 1 << (2 * nodes).bit_length()
        memory = Memory(np.zeros(size, np.uint64), np.zeros(size, np.int64), np.zeros(size, np.int8))
        _threads.memory, _threads.stamp = memory, 0
    _threads.stamp += 1
    return memory, _threads.stamp
