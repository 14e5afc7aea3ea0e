"""The page of a solution: walk through it offline, the graph ply by ply beside the board."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import jinja2

from claimeven.solver.solution.solution import Solution, SolutionNode


def render_page(solution: Solution, title: str) -> str:
    """The whole page, with everything it needs in it."""
    folder = resources.files(__package__) / "templates"
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string((folder / "page.html").read_text(encoding="utf-8"))
    # A "<" in a script could end it.
    data = json.dumps(describe(solution), separators=(",", ":")).replace("<", "\\u003c")
    return template.render(
        title=title,
        solution=solution,
        sizes=solution.sizes,
        data=data,
        script=(folder / "page.js").read_text(encoding="utf-8"),
        style=(folder / "page.css").read_text(encoding="utf-8"),
    )


def describe(solution: Solution) -> dict[str, Any]:
    """What the script of the page knows; positions are strings of `.xo`, column by column from the bottom."""
    nodes = sorted(solution.nodes.values(), key=lambda node: (node.position.ply, node.moves))
    return {
        "columns": solution.board.columns,
        "rows": solution.board.rows,
        "connect": solution.board.connect,
        "controller": "x" if solution.controller.value == "white" else "o",
        "root": cells(solution, solution.root),
        "diagrams": [diagram.rows for diagram in solution.diagrams],
        "nodes": [_describe_node(solution, node) for node in nodes],
    }


def cells(solution: Solution, position: Any) -> str:
    board = solution.board
    return "".join(
        position.stone_at(board.square(column, row)) for column in range(board.columns) for row in range(board.rows)
    )


def _describe_node(solution: Solution, node: SolutionNode) -> dict[str, Any]:
    described: dict[str, Any] = {"moves": node.moves, "ply": node.position.ply, "cells": cells(solution, node.position)}
    if node.move is not None:
        described["column"] = solution.board.column_of(node.move)
    if node.diagram is not None:
        described |= {"diagram": node.diagram, "mirrored": node.mirrored}
    if node.proof is not None:
        described["rules"] = [instance.describe(solution.board) for instance in node.proof.instances]
    return described
