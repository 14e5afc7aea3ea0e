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
from claimeven.solver.proof import prover
from claimeven.solver.proof.certificate import Certificate, CertificateError
from claimeven.solver.proof.checked_proof import find_proof_flaws, refuse_flaws
from claimeven.solver.proof.listing import check_applicable
from claimeven.solver.proof.prover import DEFAULT_BUDGET
from claimeven.solver.verdict import AT_MOST_DRAW, BLACK_WINS, WHITE_WINS, Bounds, judge_end

PROVABLE = (WHITE_WINS, BLACK_WINS, AT_MOST_DRAW)
"""The bounds that rules can prove of a position, the tighter ones first."""

MOST_PLIES = 2
"""A move of one's own, or a move of the other side and the reply: more is a search, which is better done by one."""


@dataclass(frozen=True, slots=True)
class LookAhead:
    """Bounds on the value of a position, and why they hold.

    There is a certificate if the rules prove them here. Otherwise `moves` are columns with what is proved after them:
    one if the side that profits is to move, all legal ones if the other side is. A finished game has neither.
    """

    position: Position
    bounds: Bounds
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
    """The tightest bounds that the rules prove here or after at most so many moves, on the shortest way; or None.

    Every certificate in it has been accepted by the independent checker. Raises RulesNotApplicableError where the rules
    say nothing by their nature, and FalseProofError if what they found does not hold.

    >>> ahead = look_ahead(Position.start().play(0))
    >>> str(ahead.bounds), [column_name(column) for column, _ in ahead.moves]
    ('not-white', ['b'])
    """
    check_applicable(position)
    if not 0 <= plies <= MOST_PLIES:
        raise ValueError(f"the rules look 0 to {MOST_PLIES} moves ahead, not {plies}")
    proofs = _Proofs(budget)
    for bounds in PROVABLE:
        for distance in range(plies + 1):
            found = proofs.find(position, bounds, distance)
            if found is not None:
                refuse_flaws(find_look_ahead_flaws(found))
                return found
    return None


class _Proofs:
    """The rule proofs of the positions that a look ahead meets, each tried once."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._certificates: dict[Position, Certificate | None] = {}

    def find(self, position: Position, bounds: Bounds, plies: int) -> LookAhead | None:
        if position.is_over:
            return LookAhead(position, bounds) if _ends_within(position, bounds) else None
        certificate = self._prove(position)
        if certificate is not None and certificate.bounds.implies(bounds):
            return LookAhead(position, bounds, certificate)
        if not plies:
            return None
        if position.to_move is _profiting_side(bounds):
            return self._find_one_move(position, bounds, plies)
        return self._find_all_moves(position, bounds, plies)

    def _find_one_move(self, position: Position, bounds: Bounds, plies: int) -> LookAhead | None:
        # A win at once needs no certificate, so it is looked for before any is.
        columns = sorted(position.legal_columns, key=lambda column: not position.play(column).is_over)
        for column in columns:
            after = self.find(position.play(column), bounds, plies - 1)
            if after is not None:
                return LookAhead(position, bounds, moves=((column, after),))
        return None

    def _find_all_moves(self, position: Position, bounds: Bounds, plies: int) -> LookAhead | None:
        moves = []
        for column in position.legal_columns:
            after = self.find(position.play(column), bounds, plies - 1)
            if after is None:
                return None
            moves.append((column, after))
        return LookAhead(position, bounds, moves=tuple(moves))

    def _prove(self, position: Position) -> Certificate | None:
        if position not in self._certificates:
            self._certificates[position] = prover.prove(position, self._budget).certificate
        return self._certificates[position]


def check_look_ahead(ahead: LookAhead) -> None:
    """Accept what was proved by looking ahead by returning; raise CertificateError, naming what does not hold.

    Every certificate is put to the independent checker, and the moves are played again.
    """
    for flaw in find_look_ahead_flaws(ahead):
        raise CertificateError(flaw)


def find_look_ahead_flaws(ahead: LookAhead) -> Iterator[str]:
    """Everything that does not hold, one sentence each; nothing if the bounds are proved."""
    position, bounds = ahead.position, ahead.bounds
    if bounds not in PROVABLE:
        yield f"{bounds} is not one of {', '.join(map(str, PROVABLE))}"
        return
    if ahead.certificate is not None:
        yield from find_proof_flaws(position, bounds, ahead.certificate)
    elif position.is_over:
        if not _ends_within(position, bounds):
            yield f"the game is over, and not as {bounds} says"
    elif not ahead.moves:
        yield f"nothing is given for {bounds}: no certificate and no move"
    elif position.to_move is not _profiting_side(bounds):
        given = [column for column, _ in ahead.moves]
        missing = [column_name(column) for column in position.legal_columns if column not in given]
        if missing:
            yield f"{position.to_move} may also play {', '.join(missing)}"
    for column, after in ahead.moves:
        if column not in position.legal_columns:
            yield f"{column + 1} is not a move here"
        elif after.position != position.play(column):
            yield f"after {column_name(column)} another position is looked at"
        elif not after.bounds.implies(bounds):
            yield f"after {column_name(column)} it is {after.bounds}, which does not make this {bounds}"
        else:
            yield from (f"after {column_name(column)}: {flaw}" for flaw in find_look_ahead_flaws(after))


def _profiting_side(bounds: Bounds) -> Side:
    return Side.WHITE if bounds == WHITE_WINS else Side.BLACK


def _ends_within(position: Position, bounds: Bounds) -> bool:
    return judge_end(position).bounds.implies(bounds)
