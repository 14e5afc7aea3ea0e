"""The chosen sets that Allis prints for the empty 6x6 board and after 1. a1, b1 on 7x6, and those for the openings."""

from __future__ import annotations

from claimeven.solver.board import Board
from claimeven.solver.notation import parse_position
from claimeven.solver.proof.certificate import Certificate, certificate_from_json
from claimeven.solver.proof.prover import prove

PRINTED = {
    ("6x6", ""): """
        Before a1 a2 b1 b2 c2 c3 d2 d3
        Before a3 a4 b3 b4 c4 c5 d4 d5
        Before b1 b2 c2 c3 d2 d3 e1 e2
        Before b3 b4 c4 c5 d4 d5 e3 e4
        Before c2 c3 d2 d3 e1 e2 f1 f2
        Before c4 c5 d4 d5 e3 e4 f3 f4
        Baseinverse c1 d1
        Claimeven a5 a6
        Claimeven b5 b6
        Claimeven e5 e6
        Claimeven f5 f6
    """,
    ("7x6", "12"): """
        Before a2 a3 b2 b3 c1 c2 d1 d2
        Before a4 a5 b4 b5 c3 c4 d3 d4
        Before b2 b3 c1 c2 d1 d2 e2 e3
        Before b4 b5 c3 c4 d3 d4 e4 e5
        Before c1 c2 d1 d2 e2 e3 f2 f3
        Before c3 c4 d3 d4 e4 e5 f4 f5
        Before d1 d2 e2 e3 f2 f3 g1 g2
        Before d3 d4 e4 e5 f4 f5 g3 g4
        Baseinverse e1 f1
        Claimeven c5 c6
        Claimeven d5 d6
        Claimeven g5 g6
    """,
}
OPENINGS = ("12", "23", "34")
"""Where the thesis shows that Black holds 7x6 against all first moves but the middle one."""


def thesis_sets() -> dict[str, Certificate]:
    """The printed sets, and the sets that the prover finds for the openings, by name.

    >>> list(thesis_sets())
    ['6x6 empty, printed', '7x6 after 12, printed', '7x6 after 12', '7x6 after 23', '7x6 after 34']
    """
    sets = {}
    for (size, moves), text in PRINTED.items():
        position = parse_position(moves, Board.parse(size), "columns")
        lines = [line.split() for line in text.strip().splitlines()]
        data = {"solutions": [{"rule": rule, "squares": squares} for rule, *squares in lines]}
        sets[f"{size} after {moves}, printed" if moves else f"{size} empty, printed"] = certificate_from_json(
            position, data
        )
    for moves in OPENINGS:
        certificate = prove(parse_position(moves)).certificate
        if certificate is not None:
            sets[f"7x6 after {moves}"] = certificate
    return sets
