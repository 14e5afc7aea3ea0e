"""`claimeven graph`: the problem/solution graph of one position, as a file for people or for programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from claimeven.scripts.errors import InputError
from claimeven.scripts.options.position import position_argument, read_position
from claimeven.scripts.proof_attempt import attempt_proof, budget_option
from claimeven.solver.position import Position
from claimeven.solver.proof.sentences import join_words
from claimeven.solver.whole_file import write_whole

if TYPE_CHECKING:
    import networkx as nx

    from claimeven.solver.proof.certificate import Certificate


@click.command()
@position_argument
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The file to write: .graphml, .json (node-link) or .svg (a picture).",
)
@click.option(
    "--conflicts/--no-conflicts",
    default=True,
    show_default=True,
    help="Write the edges between solutions that do not combine; a picture has none of them.",
)
@budget_option
def graph(
    moves: tuple[str, ...], board: str | None, notation: str, out: Path, conflicts: bool, budget: int | None
) -> None:
    """Write the graph of a position's problems and solutions.

    Problems are the groups that the side to move could still complete, solutions the rule instances that solve them;
    an edge "solves" joins the two, an edge "conflicts" joins solutions that do not combine. If the position can be
    proved, the chosen set is marked. The picture shows that set or, if nothing is proved, the problems that have the
    fewest solutions.

    MOVES are the columns played, as in 4453; without MOVES it is the empty board, and - reads them from stdin.

    \b
    Examples:
      claimeven graph 12 --out graph.svg
      claimeven graph --board 6x6 --out graph.graphml --no-conflicts
    """
    write = _WRITERS.get(out.suffix.lower())
    if write is None:
        raise InputError(f"--out: {out} must end in {join_words(list(_WRITERS), 'or')}, which says what to write")
    if not out.parent.is_dir():
        raise InputError(f"--out: there is no directory {out.parent}")
    given = read_position(moves, board, notation)
    from claimeven.reports.graph.build import build_for

    certificate = attempt_proof(given, budget).certificate
    picture = out.suffix.lower() == ".svg"
    problem_graph = build_for(given.position, certificate, conflicts=conflicts and not picture)
    write_whole(out, write(problem_graph, given.position, certificate))
    click.echo(f"wrote {out}: {_summary(problem_graph, certificate)}", err=True)


def _summary(graph: nx.Graph[str], certificate: Certificate | None) -> str:
    from claimeven.reports.graph.layout import count, nodes_of

    problems, solutions = len(nodes_of(graph, "problem")), len(nodes_of(graph, "solution"))
    proved = "nothing proved" if certificate is None else f"{len(certificate.instances)} chosen"
    return f"{count(problems, 'problem')}, {count(solutions, 'solution')}, {proved}"


def _graphml(graph: nx.Graph[str], position: Position, certificate: Certificate | None) -> bytes:
    from claimeven.reports.graph.files import as_graphml

    return as_graphml(graph)


def _node_link(graph: nx.Graph[str], position: Position, certificate: Certificate | None) -> bytes:
    from claimeven.reports.graph.files import as_node_link

    return as_node_link(graph)


def _svg(graph: nx.Graph[str], position: Position, certificate: Certificate | None) -> bytes:
    from claimeven.reports.graph.picture import draw_graph

    return draw_graph(graph, position, certificate).encode()


_WRITERS: dict[str, Callable[[nx.Graph[str], Position, Certificate | None], bytes]] = {
    ".graphml": _graphml,
    ".json": _node_link,
    ".svg": _svg,
}
