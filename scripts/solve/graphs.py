"""`claimeven solve --prover graph`: proofs by the readable search on networkx graphs, and the graphs kept as files."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from claimeven.solver.notation import columns, some_moves
from claimeven.solver.position import Position, PositionError
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.whole_file import write_whole


class GraphProver:
    """Proves positions on their problem/solution graphs, and keeps the graphs in a directory if there is one."""

    def __init__(self, directory: Path | None) -> None:
        self._directory = directory
        if directory is not None:
            directory.mkdir(parents=True, exist_ok=True)

    def __call__(self, position: Position) -> Certificate | None:
        from claimeven.solver.proof.graph import prove_on_graph

        certificate = prove_on_graph(position)
        if self._directory is not None:
            self._keep(position, certificate, self._directory)
        return certificate

    def _keep(self, position: Position, certificate: Certificate | None, directory: Path) -> None:
        import networkx as nx

        from claimeven.scripts.graph import build_for

        buffer = BytesIO()
        nx.write_graphml(build_for(position, certificate, conflicts=True), buffer)
        write_whole(directory / f"{_name(position)}.graphml", buffer.getvalue())


def _name(position: Position) -> str:
    """The moves of some game that leads to the position, or its key if there is none."""
    try:
        return columns.write(some_moves(position), position.board) or "start"
    except PositionError:
        return f"key-{position.key}"
