"""`claimeven solution`: the group of its commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from claimeven.scripts.compiling import announce_compilation
from claimeven.scripts.errors import FOUND_A_PROBLEM, InputError
from claimeven.scripts.solution.building import build, improve
from claimeven.scripts.solution.export import export
from claimeven.scripts.solution.reading import describe_sizes, read_solution, solution_argument
from claimeven.scripts.solution.showing import play, show


@click.group()
def solution() -> None:
    """Build, check and play solutions: whole games, proved.

    A solution says how one side, the controller, gets a result from a position against everything. It is a graph of his
    moves; its leaves are priority diagrams, which say by digits what to play to the end of the game, or proofs by the
    nine rules. Whoever plays from it needs no search, and a checker reads the file alone.

    \b
    Examples:
      claimeven solution build --board 5x4 --out 5x4.json
      claimeven solution check 5x4.json
      claimeven solution show 5x4.json 2132
      claimeven solution play 5x4.json
    """


@solution.command()
@solution_argument
@click.option("--plain", is_flag=True, help="Check diagrams by the second, plain check; it is slow.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on one line instead of text.")
def check(file: Path, plain: bool, as_json: bool) -> None:
    """Check a solution from its file alone.

    Every reply must be answered, every certificate accepted and every node reached; what is wrong is named, a line each
    on stderr, and the exit status is 1. Then the sizes, mirror images as one and transpositions merged: moves (nodes
    where the controller moves), leaves, different certificates, nodes (the controller's, the opponent's and leaves),
    bytes.

    \b
    Examples:
      claimeven solution check 5x4.json
      claimeven solution check 5x4.json --plain --json
    """
    if not plain:
        announce_compilation()
    from claimeven.solver.solution.diagram import Claim
    from claimeven.solver.solution.file_check import find_solution_flaws
    from claimeven.solver.solution.plain_check import check_by_text

    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise InputError(f"{file}: not JSON") from None
    flaws = list(find_solution_flaws(data, check_by_text if plain else None))
    for flaw in flaws:
        click.echo(f"{file}: {flaw}", err=True)
    if flaws:
        if as_json:
            click.echo(json.dumps({"file": str(file), "valid": False, "flaws": flaws}))
        raise SystemExit(FOUND_A_PROBLEM)
    checked = read_solution(file)
    sizes = checked.sizes
    if as_json:
        head: dict[str, Any] = {
            "file": str(file),
            "valid": True,
            "board": str(checked.board),
            "root": checked.root_moves,
        }
        head |= {"controller": checked.controller.value, "claim": checked.claim.value}
        click.echo(json.dumps(head | sizes.to_json()))
        return
    after = f" after {checked.root_moves}" if checked.root_moves else ""
    does = "wins" if checked.claim is Claim.WIN else "does not lose"
    click.echo(f"{checked.board}{after}: {checked.controller} {does}; complete, every certificate holds")
    click.echo(describe_sizes(sizes))


for _command in (build, improve, show, play, export):
    solution.add_command(_command)
