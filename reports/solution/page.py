"""The page of a solution: walk through it offline, board, proof and graph side by side."""

from __future__ import annotations

import json
from importlib import resources

import jinja2

from claimeven.reports.page.script import join_modules
from claimeven.reports.solution.page_data import describe
from claimeven.solver.solution.diagram import Claim
from claimeven.solver.solution.solution import Solution

MODULES = (
    ("claimeven.reports.web", "static/elements.js"),
    ("claimeven.reports.web", "static/game.js"),
    ("claimeven.reports.solution", "templates/stones.js"),
    ("claimeven.reports.solution", "templates/duties.js"),
    ("claimeven.reports.solution", "templates/walk.js"),
    ("claimeven.reports.solution", "templates/board.js"),
    ("claimeven.reports.solution", "templates/why.js"),
    ("claimeven.reports.solution", "templates/graph.js"),
    ("claimeven.reports.solution", "templates/page.js"),
)
"""Each after those that it imports; the first two are the explorer's, whose look the page has too."""


def render_page(solution: Solution, title: str) -> str:
    """The whole page, with everything it needs in it."""
    folder, explorer = resources.files(__package__) / "templates", resources.files("claimeven.reports.web") / "static"
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string((folder / "page.html").read_text(encoding="utf-8"))
    # A "<" in a script could end it.
    data = json.dumps(describe(solution), separators=(",", ":")).replace("<", "\\u003c")
    return template.render(
        title=title,
        solution=solution,
        result=f"{solution.controller} {'wins' if solution.claim is Claim.WIN else 'never loses'}",
        sizes=solution.sizes,
        data=data,
        script=join_modules(MODULES),
        style="\n".join(each.read_text(encoding="utf-8") for each in (explorer / "explorer.css", folder / "page.css")),
    )
