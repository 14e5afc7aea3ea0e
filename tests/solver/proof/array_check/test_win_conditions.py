"""Win conditions: the kernels of the checker take for one what the checker in Python does, and kill the same groups."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from claimeven.solver.board import Square, bits
from claimeven.solver.position import Position, Side
from claimeven.solver.proof.array_check.kernel import make_desk
from claimeven.solver.proof.array_check.situation import Situation, make_lines
from claimeven.solver.proof.array_check.token import read_token
from claimeven.solver.proof.array_check.win_conditions import WRONG, is_dead, list_dead
from claimeven.solver.proof.certificate import (
    Certificate,
    CertificateError,
    OddThreat,
    ThreatCombination,
    WinCondition,
)
from claimeven.solver.proof.certificate_text import write_certificate
from claimeven.solver.proof.checker import dead_patterns
from claimeven.solver.proof.definitions import Situation as Reference
from claimeven.solver.proof.definitions import fits
from claimeven.solver.proof.listing import list_win_conditions
from tests.positions import at, random_positions
from tests.solver.rules.test_generator import THREAT_COMBINATIONS


def late_positions() -> Iterator[Position]:
    """Positions with Black to move, each kind of threat combination among them."""
    yield from map(at, THREAT_COMBINATIONS.values())
    for board, count in (("7x6", 25), ("7x4", 15), ("5x4x3", 10), ("6x6", 10)):
        for position in random_positions(board, count, seed=2, least_ply=8):
            if position.to_move is Side.BLACK:
                yield position


def candidates(position: Position) -> Iterator[WinCondition]:
    """The win conditions of a position, and much that is like one."""
    chance = random.Random(str(position))
    board = position.board
    own = [tuple(bits(group)) for group in board.groups if not group & position.black]
    for condition in list_win_conditions(position):
        yield condition
        yield from (_change(chance, position, condition) for _ in range(12))
    for group in own:
        gaps = [square for square in group if position.empty >> square & 1]
        yield OddThreat(group, chance.choice(gaps))
        for other in own:
            shared = sorted(set(gaps) & set(other))
            if shared and len(gaps) < 4:
                crossing = chance.choice(shared)
                odd = chance.choice(gaps)
                near = [square for square in other if abs(square - odd) == 1] or list(other)
                yield ThreatCombination(group, other, crossing, odd, chance.choice(near))


def _change(chance: random.Random, position: Position, condition: WinCondition) -> WinCondition:
    squares = list(bits(position.board.squares))

    def near(square: Square) -> Square:
        moved = square + chance.choice([0, 0, 0, 1, -1, 2, -2, position.board.stride])
        return moved if moved in squares else square

    def some_group(group: tuple[Square, ...]) -> tuple[Square, ...]:
        match chance.randrange(6):
            case 0:
                return tuple(bits(chance.choice(position.board.groups)))
            case 1:
                return (*group, group[0])
            case 2:
                return tuple(reversed(group))
            case _:
                return group

    if isinstance(condition, OddThreat):
        return OddThreat(some_group(condition.group), near(condition.square))
    return ThreatCombination(
        some_group(condition.odd_group),
        some_group(condition.even_group),
        near(condition.crossing),
        near(condition.odd),
        near(condition.even),
    )


def test_the_same_conditions_kill_the_same_groups() -> None:
    counts = {(kind, holds): 0 for kind in (OddThreat, ThreatCombination) for holds in (True, False)}
    for position in late_positions():
        board = position.board
        reference = Reference.of(position, Side.WHITE)
        lines = make_lines(board.columns, board.rows, board.connect)
        desk = make_desk(len(lines.groups), 0)
        situation = Situation(
            *(np.uint64(number) for number in (board.rows, board.squares, board.odd_squares)),
            *(np.uint64(stones) for stones in (position.white, position.empty, position.playable, 0)),
        )
        for condition in candidates(position):
            text = write_certificate(Certificate(position, Side.WHITE, condition, ())).encode()
            assert read_token(np.frombuffer(text, np.uint8), 0, len(text), board.columns, board.rows, desk.condition)
            found = list_dead(situation, lines.groups, desk.condition, desk.dead)
            try:
                _, patterns = dead_patterns(reference, condition)
            except CertificateError:
                assert found == WRONG, (str(position), text)
                counts[type(condition), False] += 1
                continue
            counts[type(condition), True] += 1
            assert found != WRONG, (str(position), text)
            for group in reference.groups:
                squares = np.uint64(sum(1 << square for square in reference.squares(group)))
                assert is_dead(squares, desk.dead, found) == fits(group, patterns), (str(position), text, group)
    assert min(counts.values()) > 15, counts
