"""What a proof obliges its controller to do, as a state machine: duties that answer, forbid and turn into others.

A duty looks at the opponent's moves and names the answer; it looks at the controller's free moves and forbids some.
Every move on one of its squares turns it into the duties that are left of it, which may be none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from claimeven.solver.board import Bitboard, Board, Square
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate, OddThreat, ThreatCombination
from claimeven.solver.rules.rule import Rule, RuleInstance


@dataclass(frozen=True, slots=True)
class Follow:
    """Lower -> upper. The lower square of a Claimeven is forbidden to the controller, that of a Vertical is not.

    What a Baseclaim leaves is a Claimeven that nobody needs once the controller has the square `unless`. Under a threat
    combination White is `careful` below o: he does not answer where Black would win directly above the answer.
    """

    lower: Square
    upper: Square
    is_claimeven: bool = False
    unless: Square | None = None
    careful: bool = False

    @property
    def forbidden(self) -> Bitboard:
        return 1 << self.lower if self.is_claimeven else 0

    def answer(self, move: Square) -> Square | None:
        return self.upper if move == self.lower else None

    def after(self, move: Square, *, own: bool) -> tuple[Duty, ...]:
        settled = move in (self.lower, self.upper) or (own and move == self.unless)
        return () if settled else (self,)


@dataclass(frozen=True, slots=True)
class Either:
    """Of two playable squares one -> the other: Baseinverse, and p and x of a Specialbefore."""

    one: Square
    other: Square

    @property
    def forbidden(self) -> Bitboard:
        return 0

    def answer(self, move: Square) -> Square | None:
        return {self.one: self.other, self.other: self.one}.get(move)

    def after(self, move: Square, *, own: bool) -> tuple[Duty, ...]:
        return () if move in (self.one, self.other) else (self,)


@dataclass(frozen=True, slots=True)
class Low:
    """An untouched Lowinverse: lower -> its upper, and the other pair becomes a Vertical."""

    lower1: Square
    lower2: Square

    @property
    def forbidden(self) -> Bitboard:
        return 1 << self.lower1 | 1 << self.lower2

    def answer(self, move: Square) -> Square | None:
        return move + 1 if move in (self.lower1, self.lower2) else None

    def after(self, move: Square, *, own: bool) -> tuple[Duty, ...]:
        if move == self.lower1:
            return (Follow(self.lower2, self.lower2 + 1),)
        if move == self.lower2:
            return (Follow(self.lower1, self.lower1 + 1),)
        return (self,)


@dataclass(frozen=True, slots=True)
class High:
    """An untouched Highinverse: bottom -> its middle, and the other column's middle and top become a Claimeven.

    If the other column's bottom was playable at the start, it becomes a Baseinverse with the top above the answer.
    """

    bottom1: Square
    bottom2: Square
    playable1: bool
    playable2: bool

    @property
    def forbidden(self) -> Bitboard:
        return 1 << self.bottom1 | 1 << self.bottom2

    def answer(self, move: Square) -> Square | None:
        return move + 1 if move in (self.bottom1, self.bottom2) else None

    def after(self, move: Square, *, own: bool) -> tuple[Duty, ...]:
        if move == self.bottom1:
            return self._left(self.bottom1, self.bottom2, self.playable2)
        if move == self.bottom2:
            return self._left(self.bottom2, self.bottom1, self.playable1)
        return (self,)

    @staticmethod
    def _left(played: Square, bottom: Square, playable: bool) -> tuple[Duty, ...]:
        claimeven = Follow(bottom + 1, bottom + 2, is_claimeven=True)
        return (claimeven, Either(played + 2, bottom)) if playable else (claimeven,)


@dataclass(frozen=True, slots=True)
class Base:
    """An untouched Baseclaim with squares p1, p2, p3 and z, the one above p2; nothing of it is forbidden."""

    p1: Square
    p2: Square
    p3: Square

    @property
    def z(self) -> Square:
        return self.p2 + 1

    @property
    def forbidden(self) -> Bitboard:
        return 0

    def answer(self, move: Square) -> Square | None:
        return {self.p1: self.p3, self.p2: self.p3, self.p3: self.p2}.get(move)

    def after(self, move: Square, *, own: bool) -> tuple[Duty, ...]:
        claimeven = Follow(self.p2, self.z, is_claimeven=True, unless=self.p1)
        if move == self.p1:
            return (Either(self.p2, self.p3),) if own else (claimeven,)
        if move == self.p2:
            return (Either(self.p1, self.z),)
        if move == self.p3:
            return (claimeven,) if own else (Either(self.p1, self.z),)
        return (self,)


Duty: TypeAlias = Follow | Either | Low | High | Base


def duties_of(certificate: Certificate) -> frozenset[Duty]:
    """What the certificate obliges its controller to do; a pair that several instances share is there once."""
    duties: set[Duty] = set()
    for instance in certificate.instances:
        duties |= _instance_duties(certificate.position, instance)
    match certificate.win_condition:
        case OddThreat(_, square):
            duties |= set(_keep_odd(certificate.position, square))
        case ThreatCombination() as combination:
            duties |= set(_combination_duties(certificate.position, combination))
    return frozenset(duties)


def reluctant_squares(certificate: Certificate) -> Bitboard:
    """Where the controller plays only if he can play nowhere else: the other column of a threat combination.

    A stone there may give Black the odd square before it is of use to White.
    """
    match certificate.win_condition:
        case ThreatCombination(odd=odd):
            board = certificate.position.board
            return board.column_squares(board.column_of(odd))
    return 0


def _instance_duties(position: Position, instance: RuleInstance) -> set[Duty]:
    squares = instance.squares
    playable = position.playable
    match instance.rule:
        case Rule.BASEINVERSE:
            return {Either(*sorted(squares))}
        case Rule.LOWINVERSE:
            return {Low(squares[0], squares[2])}
        case Rule.HIGHINVERSE:
            return {High(squares[0], squares[3], bool(playable >> squares[0] & 1), bool(playable >> squares[3] & 1))}
        case Rule.BASECLAIM:
            return {Base(*squares[:3])}
        case Rule.SPECIALBEFORE:
            return {Either(*sorted(squares[:2])), *_parts(instance, squares[2:])}
    return {*_parts(instance, squares)}


def _parts(instance: RuleInstance, squares: tuple[Square, ...]) -> Iterator[Duty]:
    """The Claimevens and Verticals that a rule consists of; those that end in its group are Claimevens."""
    for lower, upper in zip(squares[::2], squares[1::2], strict=True):
        is_claimeven = instance.rule is Rule.CLAIMEVEN if instance.group is None else upper in instance.group
        yield Follow(lower, upper, is_claimeven)


def _keep_odd(position: Position, square: Square) -> Iterator[Duty]:
    """White gets the odd squares up to this one but the playable one: he answers the even ones and never plays them."""
    board = position.board
    for lower in _empty_below(position, square):
        if not board.odd_squares >> lower & 1:
            yield Follow(lower, lower + 1, is_claimeven=True)


def _combination_duties(position: Position, combination: ThreatCombination) -> Iterator[Duty]:
    """The crossing column as under an odd threat; in the other one White answers above, so that he gets o or v.

    Where pattern (5) is used the playable squares of both columns are a Baseinverse, and answering begins one higher.
    """
    board, crossing, odd, even = position.board, combination.crossing, combination.odd, combination.even
    yield from _keep_odd(position, _highest_odd(board, crossing))
    others = _empty_below(position, max(odd, even))
    playable = _playable_in(position, crossing)
    v_is_out_of_reach = even > odd or not position.playable >> even & 1
    if v_is_out_of_reach and board.odd_squares >> playable & 1 and not position.playable >> odd & 1:
        yield Either(*sorted((playable, others[0])))
        others = others[1:]
    for lower in others:
        yield Follow(lower, lower + 1, careful=lower + 1 == odd - 1 and even > odd)


def _playable_in(position: Position, square: Square) -> Square:
    column = position.board.column_squares(position.board.column_of(square))
    return (position.playable & column).bit_length() - 1


def _highest_odd(board: Board, square: Square) -> Square:
    column = board.column_squares(board.column_of(square))
    return (board.odd_squares & column).bit_length() - 1


def _empty_below(position: Position, square: Square) -> range:
    """The empty squares of the same column that are lower."""
    return range(_playable_in(position, square), square)
