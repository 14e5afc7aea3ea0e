"""The file of a solution as an argument, in the same words for every command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from claimeven.scripts.errors import InputError

if TYPE_CHECKING:
    from claimeven.solver.solution.solution import Sizes, Solution

solution_argument = click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))


def read_solution(file: Path) -> Solution:
    """The solution of a file; InputError if it holds none."""
    from claimeven.solver.solution.solution import Solution, SolutionError

    try:
        return Solution.load(file)
    except SolutionError as error:
        raise InputError(str(error)) from None


def describe_sizes(sizes: Sizes) -> str:
    """The sizes in one line."""
    return (
        f"moves {sizes.moves:,}  leaves {sizes.leaves:,} ({sizes.rule_leaves:,} by rules)  "
        f"certificates {sizes.certificates:,}  nodes {sizes.nodes:,}  bytes {sizes.size_in_bytes:,}"
    )
