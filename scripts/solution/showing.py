"""`claimeven solution show` and `play`: a solution for people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from claimeven.scripts.errors import InputError, reported_as
from claimeven.scripts.solution.reading import read_solution, solution_argument
from claimeven.solver.notation import NotationError, parse_moves
from claimeven.solver.position import PositionError

if TYPE_CHECKING:
    from claimeven.solver.solution.guide import Advice, Guide
    from claimeven.solver.solution.solution import Solution


@click.command()
@solution_argument
@click.argument("moves", nargs=-1, metavar="[MOVES]")
def show(file: Path, moves: tuple[str, ...]) -> None:
    """Show what a solution plays after MOVES, and why.

    Of a diagram its digits stand on the empty squares: the controller completes a line where he can, stops one where he
    must, and else plays the first digit that exactly one playable square carries. Of a rule proof every solution is
    explained. Without MOVES it is the root.

    \b
    Examples:
      claimeven solution show 5x4.json
      claimeven solution show 5x4.json 2132
    """
    solution = read_solution(file)
    from claimeven.solver.solution.guide import Guide
    from claimeven.solver.solution.solution import SolutionError

    text = " ".join(moves) or solution.root_moves
    with reported_as("MOVES", NotationError, PositionError, SolutionError):
        columns = parse_moves(text, solution.board) if text else ()
        guide = Guide.in_game(solution, columns)
        if guide.position.is_over:
            raise InputError("MOVES: the game is over")
        if guide.position.to_move is solution.controller:
            click.echo(describe_advice(solution, guide.advise()))
        else:
            click.echo(_describe_answers(solution, guide, columns))


def _describe_answers(solution: Solution, guide: Guide, columns: tuple[int, ...]) -> str:
    """What the controller answers to every move of the opponent."""
    position, board = guide.position, solution.board
    lines = [str(position), "", f"{position.to_move} is to move; {solution.controller} answers"]
    for column in position.legal_columns:
        after = guide.in_game(solution, (*columns, column))
        name = board.name((position.occupied ^ after.position.occupied).bit_length() - 1)
        answer = "the end of the game" if after.position.is_over else board.name(after.advise().square)
        lines.append(f"  {name}  {answer}")
    return "\n".join(lines)


def describe_advice(solution: Solution, advice: Advice) -> str:
    """The board, with the digits of a diagram where one decides, the move and the reason."""
    board = solution.board
    rows = str(advice.position).splitlines()
    if advice.diagram is not None:
        rows = [
            "".join(digit if stone == "." else stone for stone, digit in zip(row, digits, strict=True))
            for row, digits in zip(rows, advice.diagram.rows, strict=True)
        ]
    lines = [*rows, "", f"{solution.controller} plays {board.name(advice.square)}: {advice.reason}"]
    if advice.leaf is not None and advice.leaf.diagram is not None:
        where = f" of leaf {advice.leaf.moves}" if advice.leaf.moves else ""
        lines.append(f"diagram {advice.leaf.diagram}{where}")
    if advice.leaf is not None and advice.leaf.proof is not None:
        from claimeven.solver.proof.explanation import explain

        lines += ["", explain(advice.leaf.proof)]
    return "\n".join(lines)


@click.command()
@solution_argument
def play(file: Path) -> None:
    """Play against a solution, and beat it if you can.

    You are the side that the solution is against, from its root on. A move is the number or the letter of a column; q
    stops. It answers at once and says why.

    \b
    Examples:
      claimeven solution play 5x4.json
    """
    from claimeven.scripts.play.terminal import Terminal
    from claimeven.solver.players.game import FIRST, SECOND, Game, State
    from claimeven.solver.players.solution_player import SolutionPlayer
    from claimeven.solver.position import Side

    solution = read_solution(file)
    board = solution.board
    state = State.start(Game(board.columns, board.rows, board.connect))
    if solution.root_moves:
        state = state.play_all(parse_moves(solution.root_moves, board))
    person = SECOND if solution.controller is Side.WHITE else FIRST
    player = SolutionPlayer(file.name, solution)
    player.start(state.game)
    Terminal(player, person, None, shows_hints=False).play(state)
