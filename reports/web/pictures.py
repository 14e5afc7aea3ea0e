"""Pictures of positions, as the address `/board` is asked for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from claimeven.reports.web.asked import Asked, find_game, read_flag, read_number
from claimeven.reports.web.problem import Problem
from claimeven.reports.web.solutions import Solutions
from claimeven.solver.drawing.colours import Scheme
from claimeven.solver.drawing.picture import draw_position
from claimeven.solver.notation import NotationError, columns
from claimeven.solver.position import IllegalMoveError, Position
from claimeven.solver.rule_proof import find_proof


@dataclass(frozen=True, slots=True)
class Wishes:
    """A position, and what its picture is to show."""

    asked: Asked
    solutions: Solutions
    digits: bool
    name: str | None
    threats: bool
    proof: bool
    solution: int | None
    key: bool
    line: tuple[int, ...]
    last: int | None
    scheme: Scheme

    @property
    def position(self) -> Position:
        return self.asked.position

    def draw(self) -> str:
        """The picture; raises Problem if there is no proof with so many solutions, or no solution with digits."""
        proof = find_proof(self.position) if self.proof and not self.position.is_over else None
        if self.solution is not None and (proof is None or self.solution >= len(proof.solutions)):
            raise Problem(422, "solution", f"there is no solution {self.solution + 1} in a proof of this position")
        diagram, chosen = None, None
        if self.digits:
            standing = self.solutions.stand(self.position.board, find_game(self.asked), self.name)
            diagram, chosen = standing.picture
            if diagram is None:
                raise Problem(422, "digits", "no diagram of a solution is followed here")
        return draw_position(
            self.position,
            diagram=diagram,
            chosen=chosen,
            proof=None if proof is None else proof.certificate,
            solution=self.solution,
            threats=self.threats,
            line=self.line,
            last=self.last,
            scheme=self.scheme,
            key=self.key,
        )


def read_wishes(asked: Asked, fields: Mapping[str, str], solutions: Solutions) -> Wishes:
    """What the fields of a request say; raises Problem for what they must not say."""
    scheme = fields.get("scheme", "auto")
    if scheme not in list(Scheme):
        raise Problem(400, "parameter", f"scheme is one of {', '.join(Scheme)}, not {scheme[:40]!r}")
    board = asked.position.board
    try:
        line = columns.parse(fields.get("line", "")[: 4 * board.cells], board)
        position = asked.position
        for column in line:
            position = position.play(column)
    except (NotationError, IllegalMoveError) as error:
        raise Problem(400, "line", str(error)) from None
    number = int(read_number(fields, "solution", 0, 0, 10_000))
    return Wishes(
        asked,
        solutions,
        digits=read_flag(fields, "digits"),
        name=fields.get("name"),
        threats=read_flag(fields, "threats"),
        proof=read_flag(fields, "proof"),
        solution=number - 1 if number else None,
        key=read_flag(fields, "key"),
        line=line,
        last=asked.columns[-1] if asked.columns else None,
        scheme=Scheme(scheme),
    )
