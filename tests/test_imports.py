"""Imports go one way: scripts, reports, db, cluster, solver; nowhere in a circle. Those inside functions count too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parents[1]
FLOW = ("solver", "cluster", "db", "reports", "scripts")
"""Every room may import itself and those before it. The front door, `claimeven/`, may import all of them."""

OUT_OF_PLACE = {"sqlalchemy", "click", "tqdm"}
"""What the solver knows nothing of: databases, command lines and progress bars."""


@cache
def modules() -> dict[str, Path]:
    """All modules by the name that they are imported by."""
    found = {}
    for folder in ("claimeven", *FLOW):
        for path in (ROOT / folder).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            parts = parts if folder == "claimeven" else ("claimeven", *parts)
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


@cache
def imports_of(name: str) -> frozenset[str]:
    """The modules that a module imports, anywhere in it."""
    return frozenset(_find_imports(name, modules()[name]))


def _find_imports(name: str, path: Path) -> Iterator[str]:
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            for each in node.names:
                inner = f"{source}.{each.name}"
                yield inner if inner in modules() else source


def part_of(name: str) -> str:
    """The part of the program that a module belongs to: a package within a room, or a module directly in one.

    >>> part_of("claimeven.solver.players.mcts.tree"), part_of("claimeven.db.store"), part_of("claimeven.db")
    ('claimeven.solver.players', 'claimeven.db.store', 'claimeven.db')
    """
    return ".".join(name.split(".")[:3])


def own_edges() -> set[tuple[str, str]]:
    """Which module imports which."""
    return {(name, other) for name in modules() for other in imports_of(name) if other in modules() and other != name}


def room_of(name: str) -> str:
    parts = name.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in FLOW else "claimeven"


def circles(edges: set[tuple[str, str]]) -> list[list[str]]:
    graph = nx.DiGraph(sorted(edges))
    return sorted(sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1)


def test_the_modules_and_their_imports_are_found() -> None:
    assert "claimeven.solver.rules.before" in modules()
    assert "claimeven.solver.board" in imports_of("claimeven.solver.position")
    assert "claimeven.scripts.upkeep.environment" in imports_of("claimeven.scripts.run")  # a relative import


@pytest.mark.parametrize("room", FLOW)
def test_a_room_imports_none_that_comes_after_it(room: str) -> None:
    allowed = FLOW[: FLOW.index(room) + 1]
    against = {(one, other) for one, other in own_edges() if room_of(one) == room and room_of(other) not in allowed}
    # The version is the one thing that is said at the front door and read behind it.
    readers = {"claimeven.scripts.main", "claimeven.cluster.identity"}
    assert {(one, other) for one, other in against if one not in readers or other != "claimeven"} == set()


def test_everything_is_imported_by_its_full_name() -> None:
    """A plain `import solver` would find whatever has that name beside a user's program."""
    astray = {(name, other) for name in modules() for other in imports_of(name) if other.partition(".")[0] in FLOW}
    assert astray == set()


def test_the_solver_knows_no_database_command_line_or_progress_bar() -> None:
    solver = [name for name in modules() if room_of(name) == "solver"]
    known = {(name, other) for name in solver for other in imports_of(name) if other.partition(".")[0] in OUT_OF_PLACE}
    assert known == set()


def test_no_modules_import_each_other() -> None:
    assert circles(own_edges()) == []


def test_no_packages_import_each_other() -> None:
    edges = {(part_of(one), part_of(other)) for one, other in own_edges()}
    assert circles({(one, other) for one, other in edges if one != other}) == []


@pytest.mark.parametrize("package", ["formats", "tables"])
def test_what_the_store_is_made_of_does_not_import_it(package: str) -> None:
    """Neither the formats of files nor the tables know what is directly in db, but for the arrays they speak in."""
    inside = f"claimeven.db.{package}"
    back = {
        (one, other)
        for one, other in own_edges()
        if part_of(one) == inside != part_of(other) and room_of(other) == "db"
    }
    assert back == set()
