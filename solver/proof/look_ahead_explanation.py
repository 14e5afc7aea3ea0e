"""What was proved by looking ahead, in words and as JSON: the moves, and the chosen set after each line of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from claimeven.solver.board import column_name
from claimeven.solver.notation import format_moves
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate import Certificate, certificate_to_json
from claimeven.solver.proof.explanation import explain
from claimeven.solver.proof.look_ahead import LookAhead
from claimeven.solver.proof.sentences import name_win_condition


def explain_look_ahead(ahead: LookAhead) -> str:
    """All that is needed to follow the proof, as text; it is taken to hold.

    After one move the proof is explained in full; where there are many lines, each has its chosen set on one line.
    """
    if ahead.certificate is not None:
        return explain(ahead.certificate)
    leaves = list(ahead.leaves())
    if len(leaves) == 1:
        ((line, leaf),) = leaves
        moves = name_moves(ahead.position, line)
        if leaf.certificate is None:
            return f"{ahead.bounds.words}: {moves} ends the game"
        return f"{ahead.bounds.words}: after {moves} the rules prove it\n\nAfter {moves}: {explain(leaf.certificate)}"
    mover = ahead.position.to_move
    heading = f"{ahead.bounds.words}: against every move of {mover} there is a reply after which the rules prove it"
    names = [name_moves(ahead.position, line) for line, _ in leaves]
    width = max(map(len, names))
    lines = [f"{name:{width}}  {_summary(leaf)}" for name, (_, leaf) in zip(names, leaves, strict=True)]
    return "\n".join([heading, "", *lines])


def look_ahead_to_json(ahead: LookAhead) -> list[dict[str, Any]]:
    """Every line that was looked at: its moves as a column string, the value after it, and the proof if it has one."""
    return [
        {
            "line": format_moves(line, ahead.position.board),
            "value": str(leaf.bounds if leaf.certificate is None else leaf.certificate.bounds),
            "proof": None if leaf.certificate is None else certificate_to_json(leaf.certificate),
        }
        for line, leaf in ahead.leaves()
    ]


def name_moves(position: Position, line: Iterable[int]) -> str:
    """The squares that these moves take, in their order.

    >>> name_moves(Position.start(), [3, 3, 0])
    'd1 d2 a1'
    """
    names = []
    for column in line:
        stone = position.playable & position.board.column_squares(column)
        names.append(position.board.name(stone.bit_length() - 1) if stone else column_name(column))
        position = position.play(column)
    return " ".join(names)


def _summary(leaf: LookAhead) -> str:
    if leaf.certificate is None:
        return "the game is over"
    certificate: Certificate = leaf.certificate
    board = certificate.position.board
    parts = [] if certificate.win_condition is None else [name_win_condition(board, certificate.win_condition)]
    parts += [instance.describe(board) for instance in certificate.instances]
    return f"{certificate.bounds.words}: {', '.join(parts) or 'no group is left to complete'}"
