"""Leaves by the nine rules: the controller makes a move, and a certificate takes over."""

from __future__ import annotations

from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.checked_proof import prove_checked
from claimeven.solver.verdict import BLACK_WINS


def prove_after(position: Position, is_win: bool) -> Certificate | None:
    """The certificate that the side that is not to move gets the result; None if the rules find none."""
    if position.is_over or position.board.rows % 2:
        return None
    certificate = prove_checked(position).certificate
    if certificate is None or certificate.controller is position.to_move:
        return None
    enough = certificate.controller is Side.WHITE or not is_win or certificate.bounds == BLACK_WINS
    return certificate if enough else None
