"""What an open store notes of the work behind it: runs, games of arenas, what positions cost, and unfinished work."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from claimeven.db.engine import reading, writing
from claimeven.db.patience import patiently
from claimeven.db.stored.opened import Opened
from claimeven.db.tables import boards as board_table
from claimeven.db.tables import efforts as effort_table
from claimeven.db.tables import findings as finding_table
from claimeven.db.tables import games as game_table
from claimeven.db.tables import runs as run_record
from claimeven.db.tables.efforts import Effort
from claimeven.db.tables.games import StoredGame
from claimeven.db.tables.runs import RunRecord
from claimeven.solver.board import Board
from claimeven.solver.positions import Keys
from claimeven.solver.search.findings import Findings


class StoredRuns(Opened):
    """Runs by their numbers, games by their runs, efforts and findings by their boards."""

    @patiently
    def start_run(self, command: str, arguments: dict[str, Any]) -> int:
        """Note that a run begins; gives its number."""
        with writing(self.engine, self.location) as connection:
            return run_record.insert_run(connection, command, arguments)

    @patiently
    def finish_run(self, number: int, counts: dict[str, Any]) -> None:
        """Note that a run came to its end, and what it counted."""
        with writing(self.engine, self.location) as connection:
            run_record.finish_run(connection, number, counts)

    @patiently
    def runs(self) -> list[RunRecord]:
        """All runs, the first one first."""
        with reading(self.engine, self.location) as connection:
            return run_record.select_runs(connection)

    @patiently
    def write_games(self, run: int, games: Iterable[StoredGame]) -> None:
        """Keep games of an arena with its run."""
        with writing(self.engine, self.location) as connection:
            game_table.insert_games(connection, run, games)

    @patiently
    def read_games(self, run: int) -> list[StoredGame]:
        """The games of a run by their numbers, none if it was no arena."""
        with reading(self.engine, self.location) as connection:
            return game_table.select_games(connection, run)

    @patiently
    def write_efforts(self, board: Board, efforts: Iterable[Effort]) -> None:
        """Note what positions of a board cost; only the dearest ones are kept (`effort_table.KEPT`)."""
        with writing(self.engine, self.location) as connection:
            effort_table.write_efforts(connection, board_table.make_id(connection, board), board, efforts)

    @patiently
    def read_efforts(self, board: Board) -> list[Effort]:
        """The dearest positions of a board, the dearest one first."""
        board_id = self.find_board_id(board)
        if board_id is None:
            return []
        with reading(self.engine, self.location) as connection:
            return effort_table.read_efforts(connection, board_id, board)

    @patiently
    def read_findings(self, board: Board, roots: Keys) -> Findings:
        """What searches of a board found on their way, if one of these positions was what one was asked for.

        What they found on the way to others is part of it then: positions are reached from many.
        """
        board_id = self.find_board_id(board)
        if board_id is None:
            return Findings.none()
        with reading(self.engine, self.location) as connection:
            stored = finding_table.read_roots(connection, board_id)
            if not np.isin(stored, roots.view(np.int64)).any():
                return Findings.none()
            return finding_table.read_findings(connection, board_id, board)

    @patiently
    def drop_findings(self, board: Board, roots: Keys) -> None:
        """Drop what searches found on the way to these positions."""
        board_id = self.find_board_id(board)
        if board_id is None:
            return
        with reading(self.engine, self.location) as connection:
            stored = finding_table.read_roots(connection, board_id)
        if np.isin(stored, roots.view(np.int64)).any():
            with writing(self.engine, self.location) as connection:
                finding_table.drop_findings(connection, board_id, board, roots)
