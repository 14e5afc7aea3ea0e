"""A proof that exact search contradicts: made as small as possible, and written so that it can be seen again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from claimeven.solver.audit.rule_bounds import RuleBook, SolutionList
from claimeven.solver.board import Bitboard, Board, BoardError
from claimeven.solver.notation import NotationError, format_moves, parse_position, some_moves
from claimeven.solver.position import Position, PositionError
from claimeven.solver.proof.certificate import Certificate, certificate_from_json, certificate_to_json
from claimeven.solver.proof.checker import find_flaws
from claimeven.solver.rules.rule import Rule
from claimeven.solver.verdict import BLACK_WINS, Bounds, Value

Search = Callable[[Position], Value | None]
"""The exact value of a position, or None if that is too dear."""

AND = " and "

MOST_NODES = 200_000
"""How many sets are looked at for the smallest one."""


class ContradictionFileError(ValueError):
    """A file that no audit wrote."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What the rules say of a position and what it is; the certificate if they say it without looking ahead.

    `said` are one pair of bounds, or two that exclude each other.
    """

    position: Position
    said: tuple[Bounds, ...]
    value: Value
    certificate: Certificate | None

    def describe(self) -> str:
        """One line to show."""
        where = f"{self.position.board} {_moves_of(self.position)}"
        return f"{where}: the rules say {_join(self.said)}, search says {self.value}"


def find_contradiction(rules: RuleBook, search: Search, position: Position) -> Contradiction | None:
    """What the rules say of a position, if exact search says otherwise."""
    if position.is_over or position.board.rows % 2:
        return None
    bounds = rules.bound_all(position.board, np.array([position.key], np.uint64))
    value = search(position) if bounds.proved[0] else None
    if value is None or bounds.allow(0, value):
        return None
    return Contradiction(position, bounds.at(0), value, rules.prove(position))


def minimise(rules: RuleBook, search: Search, found: Contradiction) -> Contradiction:
    """A contradiction as late in the game and on as small a board as can be reached, with as few solutions as possible.

    Each step goes to a position that still shows one: a move or two later, or with a part of the board cut off. The
    last of these positions has, of the sets that prove what is said, one of the smallest.
    """
    while True:
        for position in _simpler_positions(found.position):
            simpler = find_contradiction(rules, search, position)
            if simpler is not None:
                found = simpler
                break
        else:
            break
    if found.certificate is None:
        return found
    return replace(found, certificate=_with_fewest_solutions(rules, found, found.certificate))


def _simpler_positions(position: Position) -> Iterator[Position]:
    yield from _cut_positions(position)
    after = [position.play(column) for column in position.legal_columns]
    yield from after
    for each in after:
        yield from (each.play(column) for column in each.legal_columns)


def _cut_positions(position: Position) -> Iterator[Position]:
    """The position without an edge column, or without two rows that are empty or full; the side to move stays."""
    board = position.board
    for columns, rows, right, up in (
        (board.columns - 1, board.rows, 1, 0),
        (board.columns - 1, board.rows, 0, 0),
        (board.columns, board.rows - 2, 0, 0),
        (board.columns, board.rows - 2, 0, 2),
    ):
        try:
            smaller = Board(columns, rows, board.connect)
            white, black = (_cut(board, smaller, stones, right, up) for stones in (position.white, position.black))
            cut = Position.from_stones(smaller, white, black)
        except (BoardError, PositionError):
            continue
        lost_rows = board.rows != rows
        lost_stones = position.ply - cut.ply
        if cut.to_move is position.to_move and (not lost_rows or lost_stones == 2 * board.columns * (up > 0)):
            yield cut


def _cut(board: Board, smaller: Board, stones: Bitboard, right: int, up: int) -> Bitboard:
    """The stones inside the smaller board, whose corner is so many columns and rows inside the board."""
    kept = 0
    for column in range(smaller.columns):
        for row in range(smaller.rows):
            if stones >> board.square(column + right, row + up) & 1:
                kept |= 1 << smaller.square(column, row)
    return kept


def _with_fewest_solutions(rules: RuleBook, found: Contradiction, certificate: Certificate) -> Certificate:
    solutions = rules.list_solutions(found.position, certificate.win_condition)
    # Where only the win is false, the set must say so.
    needs_aftereven = BLACK_WINS in found.said and found.value is Value.DRAW
    smallest = find_smallest_set(solutions, len(certificate.instances) - 1, needs_aftereven=needs_aftereven)
    if smallest is None:
        return certificate
    return replace(certificate, instances=tuple(solutions.instances[number] for number in smallest))


def find_smallest_set(
    solutions: SolutionList, most: int, *, needs_aftereven: bool = False, nodes: int = MOST_NODES
) -> tuple[int, ...] | None:
    """The numbers of the fewest solutions that are a chosen set, at most so many; None if none is found."""
    search = _SmallestSet(solutions, nodes)
    firsts: list[tuple[int, ...]] = [()]
    if needs_aftereven:
        firsts = [(number,) for number, each in enumerate(solutions.instances) if each.rule is Rule.AFTEREVEN]
    for size in range(most + 1):
        for first in firsts:
            chosen = search.find(first, size)
            if chosen is not None:
                return chosen
    return None


class _SmallestSet:
    """Depth-first search for a chosen set of a given size, the problem with the fewest solutions first."""

    def __init__(self, solutions: SolutionList, nodes: int) -> None:
        self._solutions = solutions
        self._nodes = nodes
        self._solvers = [
            frozenset(number for number, solves in enumerate(solutions.solves) if problem in solves)
            for problem in range(len(solutions.problems))
        ]
        self._conflicts: dict[int, frozenset[int]] = {}

    def find(self, first: tuple[int, ...], size: int) -> tuple[int, ...] | None:
        unsolved = frozenset(range(len(self._solutions.problems)))
        allowed = frozenset(range(len(self._solutions.instances)))
        for number in first:
            unsolved -= self._solutions.solves[number]
            allowed -= self._conflicts_of(number) | {number}
        return self._extend(first, unsolved, allowed, size)

    def _extend(
        self, chosen: tuple[int, ...], unsolved: frozenset[int], allowed: frozenset[int], size: int
    ) -> tuple[int, ...] | None:
        if not unsolved:
            return chosen
        if len(chosen) >= size or self._nodes <= 0:
            return None
        self._nodes -= 1
        hardest = min(unsolved, key=lambda problem: (len(self._solvers[problem] & allowed), problem))
        for number in sorted(self._solvers[hardest] & allowed):
            allowed -= {number}
            found = self._extend(
                (*chosen, number),
                unsolved - self._solutions.solves[number],
                allowed - self._conflicts_of(number),
                size,
            )
            if found is not None:
                return found
        return None

    def _conflicts_of(self, number: int) -> frozenset[int]:
        if number not in self._conflicts:
            self._conflicts[number] = frozenset(self._solutions.conflicts_of(number))
        return self._conflicts[number]


def contradiction_to_json(found: Contradiction) -> dict[str, Any]:
    """A contradiction as a JSON object: moves if a game leads there, and the stones in any case."""
    certificate = found.certificate
    return {
        "board": str(found.position.board),
        "moves": _moves_of(found.position),
        "stones": str(found.position).splitlines(),
        "claim": _join(found.said),
        "value": str(found.value),
        "proof": None if certificate is None else certificate_to_json(certificate),
        "flaws": [] if certificate is None else list(find_flaws(certificate)),
    }


def contradiction_from_json(data: object) -> Contradiction:
    """What `contradiction_to_json` wrote; raises ContradictionFileError."""
    if not isinstance(data, Mapping):
        raise ContradictionFileError("a contradiction is a JSON object")
    try:
        board = Board.parse(_text(data, "board"))
        rows = data.get("stones")
        if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
            raise ContradictionFileError("stones: not a list of rows")
        position = parse_position("\n".join(rows), board, "board")
        proof = data.get("proof")
        certificate = None if proof is None else certificate_from_json(position, proof)
        said = tuple(Bounds.parse(name) for name in _text(data, "claim").split(AND))
        return Contradiction(position, said, Value(_text(data, "value")), certificate)
    except ContradictionFileError:
        raise
    except ValueError as error:
        raise ContradictionFileError(str(error)) from None


def _join(said: tuple[Bounds, ...]) -> str:
    return AND.join(map(str, said))


def _text(data: Mapping[Any, Any], name: str) -> str:
    if not isinstance(data.get(name), str):
        raise ContradictionFileError(f"{name}: not a text")
    return str(data[name])


def _moves_of(position: Position) -> str | None:
    try:
        return format_moves(some_moves(position), position.board)
    except (NotationError, PositionError):
        return None
