"""A proof written out: every move of the side that is in the right, and a certificate wherever the rules end it.

For people and for the check (`proof_tree_check`): nothing is left to forced replies or cheap bounds, every ply is
there. That makes it larger than what `proof_size` counts, and it is made in Python, so it is for late positions and
small boards.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.certificate_text import canonical_position
from claimeven.solver.proof.checked_proof import prove_checked
from claimeven.solver.search.dfpn.searcher import ProofNumberSearcher
from claimeven.solver.verdict import Bounds, Value


@dataclass(frozen=True, slots=True)
class ProofTree:
    """A proof that one side, the controller, wins a position, or that it at least draws.

    `moves` has the controller's move, a column counted from 0, for the canonical one of every pair of mirror images
    that the proof meets with the controller to move, by its key; `certificates` are those of canonical positions where
    the other side is to move. From every other position with the other side to move all moves are part of the proof.
    """

    position: Position
    controller: Side
    is_win: bool
    moves: dict[int, int] = field(default_factory=dict)
    certificates: dict[int, Certificate] = field(default_factory=dict)

    @property
    def bounds(self) -> Bounds:
        """What it proves of the value."""
        if self.is_win:
            return Bounds.exactly(Value.win_of(self.controller))
        if self.controller is Side.WHITE:
            return Bounds(Value.DRAW, Value.WHITE)
        return Bounds(Value.BLACK, Value.DRAW)


def make_proof_tree(searcher: ProofNumberSearcher, position: Position, side: Side) -> ProofTree:
    """The proof that a side wins a position or, if it does not, that the other side at least draws.

    >>> from claimeven.solver.board import Board
    >>> searcher = ProofNumberSearcher(Board(4, 4), memory_bytes=1 << 20, threads=1)
    >>> tree = make_proof_tree(searcher, Position("1223", board=Board(4, 4)), Side.WHITE)
    >>> str(tree.bounds), len(tree.moves), len(tree.certificates)
    ('not-white', 0, 1)
    """
    wins = bool(searcher.wins(position, side))
    tree = ProofTree(position, side if wins else side.opponent, wins)
    waiting = [position]
    seen: set[int] = set()
    while waiting:
        here = canonical_position(waiting.pop())
        if here.is_over or here.key in seen:
            continue
        seen.add(here.key)
        if here.to_move is tree.controller:
            column = _find_move(searcher, tree, here)
            tree.moves[here.key] = column
            waiting.append(here.play(column))
        else:
            certificate = _find_certificate(tree, here)
            if certificate is not None:
                tree.certificates[here.key] = certificate
            else:
                waiting += [here.play(column) for column in here.legal_columns]
    return tree


def _find_certificate(tree: ProofTree, position: Position) -> Certificate | None:
    """A certificate that proves what the tree says of a position with the other side to move."""
    if position.board.rows % 2 or position.is_over:
        return None
    attempt = prove_checked(position)
    return attempt.certificate if attempt.bounds.implies(tree.bounds) else None


def _find_move(searcher: ProofNumberSearcher, tree: ProofTree, position: Position) -> int:
    """A move of the controller that keeps what the tree says: one that ends it all if there is one."""
    after = {column: position.play(column) for column in position.legal_columns}
    for column, child in after.items():
        if child.winner is tree.controller or _find_certificate(tree, canonical_position(child)) is not None:
            return column
    for column, child in after.items():
        if tree.is_win == bool(searcher.wins(child, tree.controller if tree.is_win else tree.controller.opponent)):
            return column
    raise AssertionError(f"no move keeps what was proved of {position!r}: this is a bug")
