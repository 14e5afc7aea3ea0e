"""The cards of a solution: a position in front, what to play and why on the back."""

from __future__ import annotations

import csv
import io

from claimeven.solver.solution.solution import Solution, SolutionNode


def write_cards(solution: Solution, *, for_anki: bool) -> str:
    """The cards as CSV with a head or, for Anki, as lines with tabs, where boards are HTML.

    The fields are the moves, the board, what to play, and the digits or the rules that take over from here.
    """
    text = io.StringIO()
    nodes = sorted(solution.nodes.values(), key=lambda node: (node.position.ply, node.moves))
    if for_anki:
        text.write("#separator:tab\n#html:true\n#columns:moves\tboard\tanswer\tdiagram\n")
        for node in nodes:
            board, diagram = (f"<pre>{each}</pre>" if each else "" for each in (_board(node), _digits(solution, node)))
            fields = [node.moves, board, _answer(solution, node), diagram]
            text.write("\t".join(each.replace("\n", "<br>") for each in fields) + "\n")
        return text.getvalue()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["moves", "board", "answer", "diagram"])
    for node in nodes:
        writer.writerow([node.moves, _board(node), _answer(solution, node), _digits(solution, node)])
    return text.getvalue()


def _board(node: SolutionNode) -> str:
    return str(node.position)


def _answer(solution: Solution, node: SolutionNode) -> str:
    if node.move is None:
        return "follow the digits"
    name = solution.board.name(node.move)
    return name if node.proof is None else f"{name}, then the nine rules"


def _digits(solution: Solution, node: SolutionNode) -> str:
    if node.proof is not None:
        return "\n".join(instance.describe(solution.board) for instance in node.proof.instances)
    if node.diagram is None:
        return ""
    diagram = solution.diagrams[node.diagram]
    return str(diagram.mirror() if node.mirrored else diagram)
