"""Certificates that hold, written as the thesis writes them; every one is minimal: no instance can be left out."""

from __future__ import annotations

import re
from typing import Any

from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate, certificate_from_json
from claimeven.solver.rules.rule import RuleInstance
from tests.positions import at


def squares_in(text: str) -> list[str]:
    """The square names in a text, with or without spaces between them."""
    return re.findall(r"[a-z]\d", text)


def solution_json(text: str) -> dict[str, Any]:
    """An instance written as `Before a1a2 b1b2 c2c3 d2d3`, with ` of a2b2c2d2` where the group is not obvious."""
    rule, _, rest = text.strip().partition(" ")
    squares, _, group = rest.partition(" of ")
    solution: dict[str, Any] = {"rule": rule, "squares": squares_in(squares)}
    if group:
        solution["group"] = squares_in(group)
    return solution


def instance_in(position: Position, text: str) -> RuleInstance:
    """The instance written so, right or wrong."""
    return certificate_from_json(position, {"solutions": [solution_json(text)]}).instances[0]


def odd_threat(group: str, square: str) -> dict[str, Any]:
    return {"kind": "odd threat", "group": squares_in(group), "square": square}


def threat_combination(odd_group: str, even_group: str, crossing: str, odd: str, even: str) -> dict[str, Any]:
    return {
        "kind": "threat combination",
        "odd_group": squares_in(odd_group),
        "even_group": squares_in(even_group),
        "crossing": crossing,
        "odd": odd,
        "even": even,
    }


def certificate(
    moves: str, solutions: str, board: str = "7x6", win_condition: dict[str, Any] | None = None
) -> Certificate:
    """The certificate with these instances, one a line, for the side that is not to move."""
    data = {
        "win_condition": win_condition,
        "solutions": [solution_json(line) for line in solutions.strip().splitlines() if line.strip()],
    }
    return certificate_from_json(at(moves, board), data)


EMPTY_6X6 = certificate(
    "",
    """
    Before a1a2 b1b2 c2c3 d2d3
    Before a3a4 b3b4 c4c5 d4d5
    Before b1b2 c2c3 d2d3 e1e2
    Before b3b4 c4c5 d4d5 e3e4
    Before c2c3 d2d3 e1e2 f1f2
    Before c4c5 d4d5 e3e4 f3f4
    Baseinverse c1d1
    Claimeven a5a6
    Claimeven b5b6
    Claimeven e5e6
    Claimeven f5f6
    """,
    board="6x6",
)
AFTER_A1_B1 = certificate(
    "12",
    """
    Before a2a3 b2b3 c1c2 d1d2
    Before a4a5 b4b5 c3c4 d3d4
    Before b2b3 c1c2 d1d2 e2e3
    Before b4b5 c3c4 d3d4 e4e5
    Before c1c2 d1d2 e2e3 f2f3
    Before c3c4 d3d4 e4e5 f4f5
    Before d1d2 e2e3 f2f3 g1g2
    Before d3d4 e4e5 f4f5 g3g4
    Baseinverse e1f1
    Claimeven c5c6
    Claimeven d5d6
    Claimeven g5g6
    """,
)
EMPTY_4X4 = certificate("", "Before a2a3 b1b2 c1c2 d2d3\nBaseinverse a1d1\nClaimeven b3b4", board="4x4")
ODD_THREAT = certificate(
    "444433351225255",
    """
    Baseinverse d5e5
    Claimeven b5b6
    Claimeven f1f2
    Claimeven f3f4
    Claimeven f5f6
    Claimeven g3g4
    """,
    win_condition=odd_threat("a3b3c3d3", "a3"),
)
THREAT_COMBINATION = certificate(
    "37757362642531314766772561145",
    "Claimeven b5b6\nBaseinverse b4c5",
    win_condition=threat_combination("d5e5f5g5", "b3c4d5e6", "d5", "e5", "e6"),
)
NEEDS_SPECIALBEFORE = certificate(
    "44353333",
    """
    Claimeven a3a4
    Claimeven a5a6
    Claimeven e5e6
    Baseinverse a1b1
    Lowinverse b2b3 d4d5
    Before b4b5 of b4c3d2e1
    Before d4d5 e3e4 f3f4 g3g4
    Specialbefore e2 d3 f1f2 g1g2
    """,
)
NEEDS_BEFORE = certificate("43443444536335525626636567777772", "Claimeven a1a2\nBefore a3a4 b4b5")
AFTEREVENS = certificate(
    "4445333551",
    """
    Aftereven b1b2 of b2c2d2e2
    Aftereven f1f2 of c2d2e2f2
    Aftereven b5b6 c5c6 d5d6 e5e6
    Highinverse a2a3a4 g2g3g4
    """,
)
BASECLAIM = certificate(
    "161713446625717245765135134",
    "Claimeven b3b4\nClaimeven f5f6\nBaseclaim d5 e5 g5 e6",
    win_condition=odd_threat("c5d4e3f2", "c5"),
)
VERTICAL = certificate(
    "174561754244242722567345616",
    "Vertical a4a5\nBaseinverse f5g5",
    win_condition=odd_threat("b3c3d3e3", "c3"),
)
SPECIALBEFORE_FOR_WHITE = certificate(
    "522774332373352444327215544",
    "Claimeven f1f2\nClaimeven f5f6\nSpecialbefore e5 g5 f3f4 of d6e5f4g3",
    win_condition=odd_threat("a3b4c5d6", "a3"),
)
THREE_IN_A_LINE = certificate(
    "1124133", "Claimeven b3b4\nClaimeven c3c4", board="4x4x3", win_condition=odd_threat("b1c2d3", "d3")
)
FIVE_IN_A_LINE = certificate(
    "", "Baseinverse a1b1\nClaimeven e1e2\nLowinverse c2c3 d2d3\nClaimeven e3e4", board="5x4x5"
)

SAMPLES = {
    "the thesis, empty 6x6": EMPTY_6X6,
    "the thesis, after a1 b1": AFTER_A1_B1,
    "empty 4x4": EMPTY_4X4,
    "odd threat": ODD_THREAT,
    "threat combination": THREAT_COMBINATION,
    "needs Specialbefore": NEEDS_SPECIALBEFORE,
    "needs Before": NEEDS_BEFORE,
    "Afterevens": AFTEREVENS,
    "Baseclaim": BASECLAIM,
    "Vertical": VERTICAL,
    "Specialbefore for White": SPECIALBEFORE_FOR_WHITE,
    "three in a line": THREE_IN_A_LINE,
    "five in a line": FIVE_IN_A_LINE,
}
WHITE_SAMPLES = {name: sample for name, sample in SAMPLES.items() if sample.win_condition is not None}
