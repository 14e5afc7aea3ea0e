"""A proof drawn on the board, as text: who gets which square, and which solution uses it.

Stones are the small letters `x` and `o`; what the proof promises is the capital of the side that gets the square.
The combination rules make a picture possible: where two solutions share a square, they share its whole pair.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from claimeven.solver.board import Board, Square, bits, column_name
from claimeven.solver.position import Side
from claimeven.solver.proof.certificate import Certificate, OddThreat, ThreatCombination, WinCondition
from claimeven.solver.rules.rule import Rule, RuleInstance

FREE = "."
SHARED = "="
THREAT = "!"
KEPT_OUT = ":"

MAX_WIDTH = 100

_LETTERS = "ABCDEFGHIJKLMNPQRSTUVWYZ"  # without O and X, which stand for the sides
_GAP = " " * 6


def draw_marks(certificate: Certificate) -> str:
    """Both pictures, side by side unless the board is very wide, and below them what the marks mean."""
    marks = mark_squares(certificate)
    left = _draw(certificate, "Who gets which square", marks)
    right = _draw(certificate, "Which solution uses it", marks | label_squares(certificate))
    width = max(map(len, left))
    if width + len(_GAP) + max(map(len, right)) > MAX_WIDTH:
        pictures = [*left, "", *right]
    else:
        pictures = [f"{one:{width}}{_GAP}{other}".rstrip() for one, other in zip(left, right, strict=True)]
    return "\n".join([*pictures, "", *_legend(certificate, marks)])


def mark_squares(certificate: Certificate) -> dict[Square, str]:
    """The mark of every empty square.

    The capital of the controller's stone: he gets it. The capital of the opponent's: it is left to the opponent.
    Otherwise `SHARED`, `THREAT`, `KEPT_OUT` (a column of the win condition) or `FREE`.
    """
    position = certificate.position
    ours, theirs = capital(certificate.controller), capital(certificate.controller.opponent)
    marks = dict.fromkeys(bits(position.empty), FREE)
    if certificate.win_condition is not None:
        for column in threat_columns(position.board, certificate.win_condition):
            marks |= dict.fromkeys(bits(position.empty & position.board.column_squares(column)), KEPT_OUT)
        marks |= dict.fromkeys(threat_squares(certificate.win_condition), THREAT)
    for instance in certificate.instances:
        marks |= dict.fromkeys(instance.squares, SHARED)
    for instance in certificate.instances:  # afterwards: a Claimeven says more about a pair than a Vertical does
        for lower, upper in claimevens_in(instance):
            marks |= {lower: theirs, upper: ours}
    return marks


def capital(side: Side) -> str:
    """The mark of a square that a side gets."""
    return "X" if side is Side.WHITE else "O"


def claimevens_in(instance: RuleInstance) -> list[tuple[Square, Square]]:
    """The pairs that the instance plays as Claimevens from the start, lower square first."""
    parts = instance.squares[2:] if instance.rule is Rule.SPECIALBEFORE else instance.squares
    pairs = list(zip(parts[::2], parts[1::2], strict=False))
    match instance.rule:
        case Rule.CLAIMEVEN | Rule.AFTEREVEN:
            return pairs
        case Rule.BEFORE | Rule.SPECIALBEFORE:
            return [pair for pair in pairs if pair[1] in (instance.group or ())]
        case _:
            return []


def threat_columns(board: Board, condition: WinCondition) -> list[int]:
    """The columns that no solution may use beside this win condition, from the left."""
    return sorted({board.column_of(square) for square in threat_squares(condition)})


def threat_squares(condition: WinCondition) -> tuple[Square, ...]:
    """The empty squares that White waits for."""
    match condition:
        case OddThreat(_, square):
            return (square,)
        case ThreatCombination(_, _, crossing, odd, even):
            return (crossing, odd, even)


def label_solutions(number: int) -> list[str]:
    """A short name for each solution of a set: A, B, ..., Z, AA, AB, ...

    >>> label_solutions(3), label_solutions(26)[-3:]
    (['A', 'B', 'C'], ['Z', 'AA', 'AB'])
    """
    labels = list(_LETTERS)
    while len(labels) < number:
        block = labels[-len(_LETTERS) :]
        labels += [first + last for first in block for last in _LETTERS]
    return labels[:number]


def label_squares(certificate: Certificate) -> dict[Square, str]:
    """The labels of the solutions that use each square."""
    labels = label_solutions(len(certificate.instances))
    users: dict[Square, list[str]] = defaultdict(list)
    for label, instance in zip(labels, certificate.instances, strict=True):
        for square in instance.squares:
            users[square].append(label)
    separator = "" if all(len(label) == 1 for label in labels) else "+"
    return {square: separator.join(labels) for square, labels in users.items()}


def _draw(certificate: Certificate, title: str, marks: Mapping[Square, str]) -> list[str]:
    """The title, the rows from the top, and the letters of the columns."""
    position = certificate.position
    board = position.board
    names = [column_name(column) for column in range(board.columns)]
    cell = max(len(text) for text in [*marks.values(), *names]) + 2
    margin = len(str(board.rows))

    def row_of(texts: Iterable[str]) -> str:
        return "".join(f"{text:>{cell}}" for text in texts)

    def text_at(square: Square) -> str:
        return marks.get(square, position.stone_at(square))

    rows = [
        f"{row + 1:{margin}}" + row_of(text_at(board.square(column, row)) for column in range(board.columns))
        for row in reversed(range(board.rows))
    ]
    return [title, *rows, " " * margin + row_of(names)]


def _legend(certificate: Certificate, marks: Mapping[Square, str]) -> list[str]:
    """One line for every mark that the picture shows."""
    position, controller = certificate.position, certificate.controller
    opponent = controller.opponent
    meanings = {
        "x": "a White stone",
        "o": "a Black stone",
        capital(controller): f"{controller} gets it",
        capital(opponent): f"left to {opponent}",
        SHARED: f"{opponent} may get it, but not all that is paired with it: see the sentences",
        THREAT: "White's threat",
        KEPT_OUT: "in a column of the threat: no solution may use it",
        FREE: "not needed for the proof",
    }
    shown = {*marks.values(), *(position.stone_at(square) for square in bits(position.occupied))}
    return [f"{mark}  {meaning}" for mark, meaning in meanings.items() if mark in shown]
