"""A process that searches what it is told and says what it cost, so that two installed versions can be compared.

It is run as a file by the Python of each version, and takes the search from the version installed there: it uses
only what old versions have too. The first line on stdout says which version it is. Then a line of JSON on stdin asks
(`board`, `kind`, `moves`, `threads`, `memory`) and a line on stdout answers (`seconds`, `cpu_seconds`, `nodes`,
`answers`). Every question starts from an empty table.
"""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any


def load(name: str) -> Any:
    """A module of the version that is installed here; before version 0.2 they were not in a package."""
    package = "claimeven." if find_spec("claimeven") else ""
    return import_module(package + name)


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Solve the positions of a question; a single one by all threads together, many by each thread one at a time."""
    board = load("solver.board").Board.parse(question["board"])
    parse_position = load("solver.notation").parse_position
    positions = [parse_position(moves, board, "columns") for moves in question["moves"]]
    searcher = load("solver.search.searcher").Searcher(board, question["memory"], question["threads"])
    is_value = question["kind"] == "value"
    start, cpu = time.perf_counter(), time.process_time()
    found: list[Any]
    if len(positions) == 1:
        found = [searcher.value(positions[0]) if is_value else searcher.score(positions[0])]
    else:
        found = list(searcher.values(positions) if is_value else searcher.scores(positions))
    return {
        "seconds": time.perf_counter() - start,
        "cpu_seconds": time.process_time() - cpu,
        "nodes": searcher.nodes,
        "answers": [str(each) if is_value else each for each in found],
    }


def describe() -> str:
    """The version that is installed here, and its commit."""
    return f"claimeven {metadata.version('claimeven')}, commit {load('reports.machine').describe_run()['commit']}"


def main() -> None:
    """Answer line after line until there are no more."""
    print(json.dumps(describe()), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
