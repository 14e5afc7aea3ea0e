"""Looking ahead with the rules on both sides: a proof of what is one or two moves away is a proof here.

The rules speak for the side that is not to move. So if the side to move has a move after which they prove something for
it, that holds before the move already; and if against every move of the other side there is a reply after which they
prove something, that holds too. Nothing but minimax is added to the rules: what is proved here is as sound as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from claimeven.solver.board import column_name
from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import Certificate, CertificateError
from claimeven.solver.proof.checker import find_flaws
from claimeven.solver.proof.listing import check_applicable
from claimeven.solver.proof.prover import DEFAULT_BUDGET, prove

CLAIMS = ("white", "black", "not-white")
"""What can be claimed of a position, the stronger claims first."""

MOST_PLIES = 2
"""A move of one's own, or a move of the other side and the reply: more is a search, which is better done by one."""


@dataclass(frozen=True, slots=True)
class LookAhead:
    """A claim about a position, and why it holds.

    There is a certificate if the rules prove the claim here. Otherwise `moves` are columns with what is claimed after
    them: one if the side that profits is to move, all legal ones if the other side is. A finished game has neither.
    """

    position: Position
    value: str
    certificate: Certificate | None = None
    moves: tuple[tuple[int, LookAhead], ...] = ()

    @property
    def plies(self) -> int:
        """How many moves lie between the position and the last of the certificates."""
        return max((1 + after.plies for _, after in self.moves), default=0)

    def leaves(self) -> Iterator[tuple[tuple[int, ...], LookAhead]]:
        """Where the looking ends, each with the columns that lead there."""
        if not self.moves:
            yield (), self
        for column, after in self.moves:
            for line, leaf in after.leaves():
                yield (column, *line), leaf


def look_ahead(position: Position, plies: int = 1, budget: int = DEFAULT_BUDGET) -> LookAhead | None:
    """The strongest claim that the rules prove here or after at most so many moves, on the shortest way; or None.

    Raises RulesNotApplicableError where the rules say nothing by their nature.

    >>> ahead = look_ahead(Position.start().play(0))
    >>> ahead.value, [column_name(column) for column, _ in ahead.moves]
    ('not-white', ['b'])
    """
    check_applicable(position)
    if not 0 <= plies <= MOST_PLIES:
        raise ValueError(f"the rules look 0 to {MOST_PLIES} moves ahead, not {plies}")
    proofs = _Proofs(budget)
    for claim in CLAIMS:
        for distance in range(plies + 1):
            found = proofs.find(position, claim, distance)
            if found is not None:
                return found
    return None


class _Proofs:
    """The rule proofs of the positions that a look ahead meets, each tried once."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._certificates: dict[Position, Certificate | None] = {}

    def find(self, position: Position, claim: str, plies: int) -> LookAhead | None:
        if position.is_over:
            return LookAhead(position, claim) if _ends_as_claimed(position, claim) else None
        certificate = self._prove(position)
        if certificate is not None and _implies(certificate.value, claim):
            return LookAhead(position, claim, certificate)
        if not plies:
            return None
        if position.to_move is _profiting_side(claim):
            return self._find_one_move(position, claim, plies)
        return self._find_all_moves(position, claim, plies)

    def _find_one_move(self, position: Position, claim: str, plies: int) -> LookAhead | None:
        # A win at once needs no certificate, so it is looked for before any is.
        columns = sorted(position.legal_columns, key=lambda column: not position.play(column).is_over)
        for column in columns:
            after = self.find(position.play(column), claim, plies - 1)
            if after is not None:
                return LookAhead(position, claim, moves=((column, after),))
        return None

    def _find_all_moves(self, position: Position, claim: str, plies: int) -> LookAhead | None:
        moves = []
        for column in position.legal_columns:
            after = self.find(position.play(column), claim, plies - 1)
            if after is None:
                return None
            moves.append((column, after))
        return LookAhead(position, claim, moves=tuple(moves))

    def _prove(self, position: Position) -> Certificate | None:
        if position not in self._certificates:
            self._certificates[position] = prove(position, self._budget).certificate
        return self._certificates[position]


def check_look_ahead(ahead: LookAhead) -> None:
    """Accept what was proved by looking ahead by returning; raise CertificateError, naming what does not hold.

    Every certificate is put to the independent checker, and the moves are played again.
    """
    for flaw in find_look_ahead_flaws(ahead):
        raise CertificateError(flaw)


def find_look_ahead_flaws(ahead: LookAhead) -> Iterator[str]:
    """Everything that does not hold, one sentence each; nothing if the claim is proved."""
    position, claim = ahead.position, ahead.value
    if claim not in CLAIMS:
        yield f"{claim!r} is not one of {', '.join(CLAIMS)}"
        return
    if ahead.certificate is not None:
        yield from _find_certificate_flaws(ahead, ahead.certificate)
    elif position.is_over:
        if not _ends_as_claimed(position, claim):
            yield f"the game is over, and not as {claim} claims"
    elif not ahead.moves:
        yield f"nothing is given for {claim}: no certificate and no move"
    elif position.to_move is not _profiting_side(claim):
        given = [column for column, _ in ahead.moves]
        missing = [column_name(column) for column in position.legal_columns if column not in given]
        if missing:
            yield f"{position.to_move} may also play {', '.join(missing)}"
    for column, after in ahead.moves:
        if column not in position.legal_columns:
            yield f"{column + 1} is not a move here"
        elif after.position != position.play(column):
            yield f"after {column_name(column)} another position is looked at"
        elif not _implies(after.value, claim):
            yield f"after {column_name(column)} it is {after.value}, which does not make this {claim}"
        else:
            yield from (f"after {column_name(column)}: {flaw}" for flaw in find_look_ahead_flaws(after))


def _find_certificate_flaws(ahead: LookAhead, certificate: Certificate) -> Iterator[str]:
    if certificate.position != ahead.position:
        yield "the certificate is for another position"
    if not _implies(certificate.value, ahead.value):
        yield f"the certificate says {certificate.value}, not {ahead.value}"
    yield from find_flaws(certificate)


def _profiting_side(claim: str) -> Side:
    return Side.WHITE if claim == "white" else Side.BLACK


def _implies(value: str, claim: str) -> bool:
    return value == claim or (value, claim) == ("black", "not-white")


def _ends_as_claimed(position: Position, claim: str) -> bool:
    if claim == "not-white":
        return position.winner is not Side.WHITE
    return position.winner is _profiting_side(claim)
