"""A rule proof as people use it: one object, accepted by the independent checker, with all that can be done with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import Certificate, certificate_from_json, certificate_to_json
from claimeven.solver.proof.checker import check_certificate
from claimeven.solver.verdict import Source, Verdict

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, slots=True, repr=False)
class Proof:
    """What Allis' rules prove of a position, and why; there is none that the checker has not accepted.

    Making one of a certificate that does not hold raises CertificateError.
    """

    certificate: Certificate

    def __post_init__(self) -> None:
        self.check()

    @classmethod
    def from_json(cls, position: Position, data: object) -> Proof:
        """The proof that `to_json` wrote; raises CertificateError for anything that is no proof of this position."""
        return cls(certificate_from_json(position, data))

    @property
    def position(self) -> Position:
        return self.certificate.position

    @property
    def controller(self) -> Side:
        """The side that the proof is for; it is never the side to move."""
        return self.certificate.controller

    @property
    def verdict(self) -> Verdict:
        """What is proved, `white`, `black` or `not-white`."""
        return Verdict(self.certificate.bounds, Source.RULES)

    @property
    def solutions(self) -> tuple[str, ...]:
        """The chosen set in Allis' notation, as in `Claimeven a1 a2`."""
        return tuple(instance.describe(self.position.board) for instance in self.certificate.instances)

    def check(self) -> None:
        """Have the independent checker go through the proof again; raises CertificateError if it does not hold."""
        check_certificate(self.certificate)

    def explain(self) -> str:
        """The proof in words, with the board as text."""
        from claimeven.solver.proof.explanation import explain

        return explain(self.certificate)

    def graph(self, *, conflicts: bool = True) -> nx.Graph[str]:
        """The graph of all problems and solutions of the position, those of the proof marked as chosen.

        Nodes have a `kind`, `problem` or `solution`, and edges one, `solves` or, if asked for, `conflicts`.
        """
        from claimeven.solver.proof.graph import build_graph, mark_chosen

        graph = build_graph(self.position, self.certificate.win_condition, conflicts=conflicts)
        mark_chosen(graph, self.certificate)
        return graph

    def to_json(self) -> dict[str, Any]:
        """The `proof` object that every command writes into its JSON."""
        return certificate_to_json(self.certificate)

    def __str__(self) -> str:
        return self.explain()

    def __repr__(self) -> str:
        return f"<Proof of {self.position!r}: {self.verdict.bounds}, {len(self.solutions)} solutions>"

    def _repr_svg_(self) -> str:
        """The picture that notebooks show."""
        from claimeven.solver.drawing.picture import draw_position

        return draw_position(self.position, proof=self.certificate)


def find_proof(position: Position, budget: int | None = None) -> Proof | None:
    """A proof by Allis' nine rules for the side that is not to move, or None where they prove nothing.

    They prove nothing after the end of the game and on a board with an odd number of rows. `budget` is the number of
    nodes of the search for a chosen set, which is seldom used up. Raises FalseProofError, and hands nothing out, if the
    checker refuses what was found.

    >>> from claimeven import Position
    >>> proof = find_proof(Position("12"))
    >>> proof.verdict, proof.solutions[:2]
    (Verdict('not-white', source='rules'), ('Claimeven c5 c6', 'Claimeven d5 d6'))
    """
    from claimeven.solver.proof.checked_proof import prove_checked
    from claimeven.solver.proof.listing import RulesNotApplicableError
    from claimeven.solver.proof.prover import DEFAULT_BUDGET

    try:
        attempt = prove_checked(position, budget or DEFAULT_BUDGET)
    except RulesNotApplicableError:
        return None
    return None if attempt.certificate is None else Proof(attempt.certificate)
