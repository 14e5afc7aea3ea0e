"""`claimeven solve --prover graph`: proofs by the readable search on networkx graphs, and the graphs kept as files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from claimeven.solver.board import Board
from claimeven.solver.notation import columns, some_moves
from claimeven.solver.position import Position, PositionError
from claimeven.solver.positions import Keys
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.whole_file import write_whole


class GraphProver:
    """Proves positions of a board on their problem/solution graphs, and keeps the graphs if there is a directory."""

    def __init__(self, board: Board, directory: Path | None, format_: str) -> None:
        self._board = board
        self._format = format_
        self._directory = directory
        if directory is not None:
            directory.mkdir(parents=True, exist_ok=True)

    def __call__(self, position: Position) -> Certificate | None:
        from claimeven.solver.proof.graph import prove_on_graph

        certificate = prove_on_graph(position)
        if self._directory is not None:
            self._keep(position, certificate, self._directory)
        return certificate

    def keep_known(self, keys: Keys) -> None:
        """Keep the graphs of positions that nobody had to prove, given by canonical keys that may repeat."""
        if self._directory is None or self._board.rows % 2:
            return
        for key in np.unique(keys).tolist():
            position = Position.from_key(self._board, key)
            if not position.is_over:
                self(position)

    def _keep(self, position: Position, certificate: Certificate | None, directory: Path) -> None:
        from claimeven.reports.graph.build import build_for
        from claimeven.reports.graph.files import as_graphml, as_node_link

        write = as_node_link if self._format == "json" else as_graphml
        content = write(build_for(position, certificate, conflicts=True))
        write_whole(directory / f"{_name(position)}.{self._format}", content)


def _name(position: Position) -> str:
    """The moves of some game that leads to the position, or its key if there is none."""
    try:
        return columns.write(some_moves(position), position.board) or "start"
    except PositionError:
        return f"key-{position.key}"
