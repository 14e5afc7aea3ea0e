"""The check of a solution file: everything it claims, from the file alone.

Nothing of what builds or reads solutions is used here: the rules of the game, the exhaustive check of a diagram and the
independent checker of rule proofs are all that is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from claimeven.solver.board import Board, BoardError, bits
from claimeven.solver.notation import parse_moves
from claimeven.solver.position import Position, PositionError, Side, has_line
from claimeven.solver.proof.certificate import CertificateError, certificate_from_json
from claimeven.solver.proof.checker import check_certificate
from claimeven.solver.solution.diagram import Claim, DiagramError, PriorityDiagram
from claimeven.solver.verdict import AT_MOST_DRAW, BLACK_WINS, WHITE_WINS

FORMAT = "claimeven solution 1"
DiagramCheck = Callable[[PriorityDiagram, Position, Claim], str | None]
"""What is wrong with a diagram at a position; None if nothing is."""


@dataclass(slots=True)
class _File:
    """What the head of a file says, and its nodes as they are written."""

    board: Board
    root: Position
    controller: Side
    claim: Claim
    diagrams: list[PriorityDiagram]
    entries: dict[str, dict[str, Any]]
    positions: dict[str, Position] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)


def find_solution_flaws(data: object, check: DiagramCheck | None = None) -> Iterator[str]:
    """Everything that is wrong with a solution file, one sentence each; nothing if it is a proof.

    `data` is what the JSON text holds. `check` is the check of a diagram, the kernel's unless another is given.
    """
    try:
        file = _read(data)
    except _FileError as error:
        yield str(error)
        return
    yield from _place_nodes(file)
    first: list[int] = []
    flaws = list(_root_flaws(file, first))
    yield from flaws
    if flaws:
        return
    check = check or _kernel_check()
    links: dict[str, list[int]] = {}
    used: set[int] = set()
    for name in file.positions:
        links[name] = []
        yield from (f"node {name!r}: {flaw}" for flaw in _node_flaws(file, name, check, links[name], used))
    reached = {file.names[key] for key in first}
    waiting = list(reached)
    while waiting:
        for key in links[waiting.pop()]:
            name = file.names[key]
            if name not in reached:
                reached.add(name)
                waiting.append(name)
    yield from (f"node {name!r} cannot be reached" for name in file.positions if name not in reached)
    yield from (f"diagram {number} is not used" for number in range(len(file.diagrams)) if number not in used)


def _root_flaws(file: _File, links: list[int]) -> Iterator[str]:
    """What is missing at the root, where either side may be to move."""
    if file.root.is_over:
        yield "the game is over at the root"
    elif file.root.to_move is file.controller:
        if file.root.canonical_key in file.names:
            links.append(file.root.canonical_key)
        else:
            yield "the root is no node"
    else:
        yield from (f"the root: {flaw}" for flaw in _reply_flaws(file, file.root, links))


class _FileError(ValueError):
    pass


def _read(data: object) -> _File:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise _FileError(f"no solution: its format is not {FORMAT!r}")
    texts = {}
    for name in ("board", "root", "controller", "claim"):
        if not isinstance(data.get(name), str):
            raise _FileError(f"{name}: missing, or no text")
        texts[name] = data[name]
    if not isinstance(data.get("diagrams"), list) or not isinstance(data.get("nodes"), dict):
        raise _FileError("diagrams or nodes are missing")
    try:
        board = Board.parse(texts["board"])
        root = Position.from_moves(board, parse_moves(texts["root"], board) if texts["root"] else ())
        controller, claim = Side(texts["controller"]), Claim(texts["claim"])
    except (BoardError, PositionError, ValueError) as error:
        raise _FileError(f"the head of the file: {error}") from None
    diagrams = []
    for number, rows in enumerate(data["diagrams"]):
        try:
            diagrams.append(PriorityDiagram.parse(board, rows if isinstance(rows, list) else []))
        except DiagramError as error:
            raise _FileError(f"diagram {number}: {error}") from None
    return _File(board, root, controller, claim, diagrams, data["nodes"])


def _place_nodes(file: _File) -> Iterator[str]:
    """Find the position of every node."""
    for name, entry in file.entries.items():
        try:
            position = Position.from_moves(file.board, parse_moves(name, file.board) if name else ())
        except (PositionError, ValueError) as error:
            yield f"node {name!r}: {error}"
            continue
        if not isinstance(entry, dict):
            yield f"node {name!r}: not an object"
        elif position.is_over:
            yield f"node {name!r}: the game is over"
        elif position.to_move is not file.controller:
            yield f"node {name!r}: {file.controller} is not to move"
        elif position.canonical_key in file.names:
            yield f"node {name!r}: the same position as node {file.names[position.canonical_key]!r}"
        else:
            file.positions[name] = position
            file.names[position.canonical_key] = name


def _node_flaws(file: _File, name: str, check: DiagramCheck, links: list[int], used: set[int]) -> Iterator[str]:
    position, entry = file.positions[name], file.entries[name]
    known = {"diagram", "mirrored"} if "diagram" in entry else {"move", "rules"}
    if set(entry) - known or ("diagram" not in entry and "move" not in entry):
        yield "neither a move nor a diagram, or more than that"
        return
    if "diagram" in entry:
        number = entry["diagram"]
        if type(number) is not int or not 0 <= number < len(file.diagrams):
            yield f"there is no diagram {number!r}"
            return
        if entry.get("mirrored", True) is not True:
            yield f"mirrored is {entry['mirrored']!r}"
            return
        used.add(number)
        seen = position.mirror() if "mirrored" in entry else position
        flaw = check(file.diagrams[number], seen, file.claim)
        if flaw:
            side = "the mirror image of " if "mirrored" in entry else ""
            yield f"diagram {number} does not hold for {side}this position: {flaw}"
        return
    yield from _move_flaws(file, position, entry, links)


def _move_flaws(file: _File, position: Position, entry: dict[str, Any], links: list[int]) -> Iterator[str]:
    board = file.board
    try:
        square = board.find_square(entry["move"] if isinstance(entry["move"], str) else "")
    except BoardError as error:
        yield str(error)
        return
    if not position.playable >> square & 1:
        yield f"{entry['move']} is not playable"
        return
    after = position.play(board.column_of(square))
    if "rules" in entry:
        yield from _proof_flaws(file, after, entry["rules"])
        return
    if after.winner is file.controller:
        return
    if after.is_over and file.claim is Claim.WIN:
        yield "the board is full after the move"
    yield from _reply_flaws(file, after, links)


def _reply_flaws(file: _File, after: Position, links: list[int]) -> Iterator[str]:
    """The replies of the opponent, who is to move, that lead to no node."""
    for column in after.legal_columns:
        replied = after.play(column)
        if replied.winner is not None:
            yield f"the opponent completes a line in column {column + 1}"
        elif replied.is_over:
            if file.claim is Claim.WIN:
                yield f"the board is full after a reply in column {column + 1}"
        elif replied.canonical_key in file.names:
            links.append(replied.canonical_key)
        elif not _can_win_at_once(replied):
            yield f"no answer to a reply in column {column + 1}"


def _can_win_at_once(position: Position) -> bool:
    stones = position.stones(position.to_move)
    return any(has_line(position.board, stones | 1 << square) for square in bits(position.playable))


def _proof_flaws(file: _File, after: Position, data: object) -> Iterator[str]:
    try:
        certificate = certificate_from_json(after, data)
        check_certificate(certificate)
    except CertificateError as error:
        yield f"the rule proof does not hold: {error}"
        return
    if certificate.controller is not file.controller:
        yield "the rule proof is for the other side"
        return
    if file.controller is Side.WHITE:
        enough = [WHITE_WINS]
    else:
        enough = [BLACK_WINS] if file.claim is Claim.WIN else [BLACK_WINS, AT_MOST_DRAW]
    if certificate.bounds not in enough:
        yield f"the rule proof proves less than {file.claim}"


def _kernel_check() -> DiagramCheck:
    from claimeven.solver.solution.diagram_check import DiagramChecker

    checker = DiagramChecker()
    return lambda diagram, position, claim: checker.check(diagram, position, claim).flaw
