"""A proof on the picture of its board: each solution with its letter and its colour, and below what the marks mean.

A filled square is the controller's, a framed one is left to the opponent, and of dashed ones the words say more. A
square that several solutions use is divided among them.
"""

from __future__ import annotations

from collections import defaultdict
from xml.etree import ElementTree as ET

from claimeven.solver.board import Square
from claimeven.solver.drawing.colours import HUES, Scheme, scope_of
from claimeven.solver.drawing.grid import Grid
from claimeven.solver.drawing.move_marks import draw_stroke
from claimeven.solver.drawing.svg import NAMESPACE, add, write
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.checker import problems_solved_by
from claimeven.solver.proof.picture import KEPT_OUT, SHARED, THREAT, capital, label_solutions, mark_squares
from claimeven.solver.proof.sentences import name_win_condition

INSET = 4.0
ROW = 21.0
CHIP = 24.0
CHARACTER = 7.3
"""The width of a character of the list, with room to spare for wider fonts."""
SENTENCE = 7.0
"""The same for all other text."""


def draw_proof(parent: ET.Element, grid: Grid, certificate: Certificate, solution: int | None = None) -> str:
    """Mark the squares of a proof, those of one solution more than the others; gives what it proves, in words."""
    marks = mark_squares(certificate)
    labels = label_solutions(len(certificate.instances))
    users: dict[Square, list[int]] = defaultdict(list)
    for number, instance in enumerate(certificate.instances):
        for square in instance.squares:
            users[square].append(number)
    for square, numbers in users.items():
        target = parent if solution is None or solution in numbers else add(parent, "g", class_="faint")
        _mark_square(target, grid, square, _kind(certificate, marks[square]), {n: labels[n] for n in numbers})
    for square, mark in marks.items():
        x, y = grid.centre(square)
        if mark == THREAT:
            add(parent, "circle", class_="threat", cx=x, cy=y, r=grid.cell * 0.34)
            add(parent, "text", "!", class_="danger", x=x, y=y + 5.5)
        elif mark == KEPT_OUT:
            add(parent, "text", KEPT_OUT, class_="label muted", x=x, y=y + 4)
    return certificate.bounds.words


def draw_kills(parent: ET.Element, grid: Grid, certificate: Certificate, solution: int) -> None:
    """Strokes through the groups that a solution kills."""
    killed = problems_solved_by(certificate)[certificate.instances[solution]]
    mark = add(parent, "g", class_=f"hue{solution % HUES}")
    for group in killed:
        draw_stroke(mark, grid, tuple(group), "killed")


def draw_key(parent: ET.Element, grid: Grid, certificate: Certificate, below: float) -> tuple[float, float]:
    """The chosen set beside the board, and what the marks mean below it; gives the width and height of the picture."""
    board = grid.board
    left = grid.left + grid.width + 24
    texts = [instance.describe(board) for instance in certificate.instances] or ["an empty set"]
    heading = f"Chosen set for {certificate.controller}"
    add(parent, "text", heading, class_="muted", x=left, y=grid.top + 12)
    for number, (label, text) in enumerate(zip(label_solutions(len(texts)), texts, strict=True)):
        y = grid.top + 24 + number * ROW
        if certificate.instances:
            group = add(parent, "g", class_=f"hue{number % HUES}")
            add(group, "rect", class_="ours", x=left + 1, y=y, width=CHIP, height=16, rx=4)
            _add_letter(group, label, "ours", left + 1 + CHIP / 2, y + 8, CHIP)
        add(parent, "text", text, class_="list", x=left + CHIP + 10, y=y + 12.5)
    meanings = list_meanings(certificate)
    y = max(below, grid.top + 24 + len(texts) * ROW + 8)
    for kind, words in meanings:
        _draw_sample(parent, kind, grid.left, y)
        add(parent, "text", words, x=grid.left + 28, y=y + 12.5)
        y += ROW
    beside = left + max(CHIP + 10 + CHARACTER * max(map(len, texts)), SENTENCE * len(heading))
    under = grid.left + 28 + SENTENCE * max((len(words) for _, words in meanings), default=0)
    return max(beside, under) + 14, y + 8


def _mark_square(parent: ET.Element, grid: Grid, square: Square, kind: str, users: dict[int, str]) -> None:
    """A square for the solutions that use it: one has it for itself, several have a part each."""
    x, y = (corner + INSET for corner in grid.corner(square))
    size = grid.cell - 2 * INSET
    width = size / len(users)
    for place, (number, label) in enumerate(users.items()):
        group = add(parent, "g", class_=f"hue{number % HUES}")
        group.set("data-solution", f"{number}")
        part = kind if kind == "ours" or len(users) == 1 else "part"
        add(group, "rect", class_=part, x=x + place * width, y=y, width=width, height=size, rx=4)
        _add_letter(group, label, kind, x + (place + 0.5) * width, y + size / 2, width)
    if len(users) > 1 and kind != "ours":
        add(parent, "rect", class_=kind, x=x, y=y, width=size, height=size, rx=4)


def _kind(certificate: Certificate, mark: str) -> str:
    if mark == capital(certificate.controller):
        return "ours"
    return "shared" if mark == SHARED else "theirs"


def list_meanings(certificate: Certificate) -> list[tuple[str, str]]:
    """The kinds of marks that the picture has, each with what it means."""
    controller, opponent = certificate.controller, certificate.controller.opponent
    shown = set(mark_squares(certificate).values())
    condition = certificate.win_condition
    threat = "" if condition is None else name_win_condition(certificate.position.board, condition)
    return [
        (kind, words)
        for mark, kind, words in (
            (capital(controller), "ours", f"{controller} gets it"),
            (capital(opponent), "theirs", f"left to {opponent}"),
            (SHARED, "shared", f"{opponent} may get it, but not all that is paired with it"),
            (THREAT, "threat", f"White's threat: {threat}"),
            (KEPT_OUT, "kept-out", "in a column of the threat: no solution uses it"),
        )
        if mark in shown
    ]


def draw_samples() -> dict[str, str]:
    """A small picture of each kind of mark, for a key that is no part of the picture."""
    samples = {}
    for kind in ("ours", "theirs", "shared", "threat", "kept-out"):
        svg = ET.Element("svg", {"xmlns": NAMESPACE, "class": scope_of(Scheme.AUTO), "viewBox": "0 0 16 16"})
        _draw_sample(svg, kind, 0, 0)
        samples[kind] = write(svg)
    return samples


def _draw_sample(parent: ET.Element, kind: str, x: float, y: float) -> None:
    if kind == "threat":
        add(parent, "circle", class_="threat", cx=x + 8, cy=y + 8, r=7)
        add(parent, "text", "!", class_="danger", x=x + 8, y=y + 13)
    elif kind == "kept-out":
        add(parent, "text", KEPT_OUT, class_="label muted", x=x + 8, y=y + 12)
    else:
        add(add(parent, "g", class_="hue0"), "rect", class_=kind, x=x + 1, y=y + 1, width=14, height=14, rx=3)


def _add_letter(group: ET.Element, label: str, kind: str, x: float, y: float, width: float) -> None:
    """A label in the middle of a square or a part of one, small enough for it."""
    size = min(14.0, (width - 2) / (0.8 * len(label)))
    # An attribute would be weaker than the style sheet.
    add(group, "text", label, class_="tag" if kind == "ours" else "label", x=x, y=y + size * 0.36).set(
        "style", f"font-size:{size:.3g}px"
    )
