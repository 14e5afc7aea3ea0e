"""Solutions in the explorer: those that come with the program and those that the server was given, by their boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any

from claimeven.reports.web.problem import Problem
from claimeven.reports.web.proofs import explain
from claimeven.solver.board import Board, Square
from claimeven.solver.position import Position, Side
from claimeven.solver.solution.diagram import PriorityDiagram
from claimeven.solver.solution.guide import Advice, Guide
from claimeven.solver.solution.solution import Solution

NOT_ITS_OWN = "the solution does not know this position: a move before was not its own"


@dataclass(frozen=True)
class NamedSolution:
    """A solution, and the name it is asked for by."""

    name: str
    solution: Solution

    @cached_property
    def fields(self) -> dict[str, Any]:
        """What it is: its name, its board and root, whose it is, what it claims, and how large it is."""
        solution = self.solution
        return {
            "name": self.name,
            "board": str(solution.board),
            "root": solution.root_moves,
            "controller": solution.controller.value,
            "claim": solution.claim.value,
            "sizes": solution.sizes.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a game stands in a solution: the guide that knows what to play, or None and the reason why none does."""

    named: NamedSolution
    guide: Guide | None
    reason: str = ""

    @property
    def advice(self) -> Advice | None:
        """What the controller plays; None if he is not to move."""
        guide = self.guide
        if guide is None or guide.position.is_over or guide.position.to_move is not self.named.solution.controller:
            return None
        return guide.advise()

    @property
    def picture(self) -> tuple[PriorityDiagram | None, Square | None]:
        """The digits that are followed here, and the square that is played by them."""
        advice = self.advice
        digits = self.guide.diagram if self.guide is not None and not self.guide.position.is_over else None
        return digits, None if advice is None or digits is None else advice.square

    def describe(self) -> dict[str, Any]:
        """All of it as an object: the solution, the move and the reason, the digits, the rules, or the answers."""
        solution, guide = self.named.solution, self.guide
        advice, (digits, _) = self.advice, self.picture
        proof = advice.leaf.proof if advice is not None and advice.leaf is not None else None
        return self.named.fields | {
            "known": guide is not None,
            "words": self._words(advice),
            "move": None if advice is None else _describe_advice(advice),
            "leaf": advice.leaf.moves if advice is not None and advice.leaf is not None else None,
            "digits": None if digits is None else digits.rows,
            "rules": None if proof is None else explain(proof),
            "answers": [] if guide is None or advice is not None else _list_answers(guide, solution),
        }

    def _words(self, advice: Advice | None) -> str:
        controller, guide = self.named.solution.controller, self.guide
        if guide is None:
            return self.reason
        if guide.position.is_over:
            return "the game is over"
        if advice is None:
            return f"whatever {controller.opponent} plays, {controller} has an answer"
        level = advice.reason.removeprefix("level ")
        reason = advice.reason if level == advice.reason else f"no other playable square carries a {level}"
        return f"{controller} plays {advice.position.board.name(advice.square)}: {reason}"


class Solutions:
    """The solutions of a server; given ones come before those of the program, which are read when they are wanted."""

    def __init__(self, given: Sequence[NamedSolution] = ()) -> None:
        self._given = tuple(given)
        self._shipped: dict[str, NamedSolution] = {}

    @property
    def boards(self) -> list[str]:
        """The boards that there are solutions for."""
        return sorted({*(str(each.solution.board) for each in self._given), *map(_board_of, _shipped_names())})

    def of_board(self, board: Board) -> list[NamedSolution]:
        """The solutions of a board, given ones first."""
        found = [each for each in self._given if each.solution.board == board]
        for name in _shipped_names():
            if _board_of(name) == str(board):
                if name not in self._shipped:
                    self._shipped[name] = NamedSolution(name, Solution.load(str(_FOLDER / f"{name}.json")))
                found.append(self._shipped[name])
        return found

    def stand(
        self, board: Board, columns: Sequence[int], name: str | None = None, mover: Side | None = None
    ) -> Standing:
        """Where a game stands in the solution of a name or, without one, in the first that knows it.

        Those of the `mover` come first, if there is one. Raises Problem if there is no such solution of the board.
        """
        found = [each for each in self.of_board(board) if name in (None, each.name)]
        if not found:
            which = f"named {name[:40]!r}" if name else f"of a {board} board"
            raise Problem(404, "solution", f"there is no solution {which}; boards with one: {', '.join(self.boards)}")
        if mover is not None:
            found.sort(key=lambda each: each.solution.controller is not mover)
        standings = [follow(each, columns) for each in found]
        return next((each for each in standings if each.guide is not None), standings[0])


def follow(named: NamedSolution, columns: Sequence[int]) -> Standing:
    """Where a game from the empty board stands; where its controller left the solution, only another node knows on."""
    solution = named.solution
    position = Position.start(solution.board)
    guide = Guide(solution) if position == solution.root else None
    was_there = guide is not None
    for column in columns:
        if guide is not None and position.to_move is solution.controller and guide.advise().column != column:
            guide = None
        position = position.play(column)
        if guide is not None:
            guide.play(column)
            continue
        is_root = position.canonical_key == solution.root.canonical_key
        was_there = was_there or is_root
        if is_root or (was_there and not position.is_over and solution.find(position) is not None):
            guide = Guide(solution)
            guide.position = position
    if guide is not None:
        return Standing(named, guide)
    reason = NOT_ITS_OWN if was_there else "the game does not come through the position that the solution is for"
    return Standing(named, None, reason)


_FOLDER = resources.files("claimeven.reports") / "solutions"


@cache
def _shipped_names() -> tuple[str, ...]:
    return tuple(sorted(file.name.removesuffix(".json") for file in _FOLDER.iterdir() if file.name.endswith(".json")))


def _board_of(name: str) -> str:
    """The board of a file that comes with the program: its name is the board and, after a dash, what else it says."""
    return name.partition("-")[0]


def _describe_advice(advice: Advice) -> dict[str, Any]:
    square = advice.position.board.name(advice.square)
    return {"column": advice.column + 1, "square": square, "reason": advice.reason}


def _list_answers(guide: Guide, solution: Solution) -> list[dict[str, Any]]:
    """What the controller answers to every move of the opponent, who is to move; None where a move ends the game."""
    position, board = guide.position, solution.board
    if position.is_over:
        return []
    answers = []
    for column in position.legal_columns:
        after = guide.copy()
        after.play(column)
        name = board.name((position.occupied ^ after.position.occupied).bit_length() - 1)
        answer = None if after.position.is_over else _describe_advice(after.advise())
        answers.append({"column": column + 1, "square": name, "answer": answer})
    return answers
