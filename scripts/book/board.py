"""The board of a book: --board, in the same words for every command of `claimeven book`."""

from __future__ import annotations

import click

from claimeven.scripts.errors import reported_as
from claimeven.solver.board import Board, BoardError

board_option = click.option(
    "--board", metavar="CxR", default="7x6", show_default=True, help="Columns x rows, and x how many win if not four."
)


def read_board(board: str) -> Board:
    with reported_as("--board", BoardError):
        return Board.parse(board)
