"""The UCI data set: its number of rows, and rows that are read back."""

from __future__ import annotations

import io

import numpy as np
import pytest

from claimeven.db.formats.error import FormatError, IncompleteBookError
from claimeven.db.formats.uci import are_quiet, check_ply, write_rows
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.notation.uci import parse_row
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import VerdictBatch

BOARD = Board()


def test_the_data_set_has_67557_rows() -> None:
    assert sum(np.count_nonzero(are_quiet(BOARD, keys)) for keys in enumerate_ply(BOARD, 8)) == 67_557


def test_rows_are_read_back() -> None:
    keys = np.concatenate(list(enumerate_ply(BOARD, 6)))
    ranks = np.random.default_rng(1).integers(-1, 2, len(keys))
    file = io.StringIO()
    number = write_rows(file, BOARD, VerdictBatch.of_values(keys, ranks, Source.SEARCH))
    rows = [parse_row(line) for line in file.getvalue().splitlines()]
    assert len(rows) == number == np.count_nonzero(are_quiet(BOARD, keys))
    truth = dict(zip(keys.tolist(), ranks.tolist(), strict=True))
    outcomes = {-1: "loss", 0: "draw", 1: "win"}
    for row in rows:
        assert row.outcome == outcomes[truth[row.position.key]]


def test_a_position_that_is_not_decided_is_not_written() -> None:
    keys = np.concatenate(list(enumerate_ply(BOARD, 2)))
    with pytest.raises(IncompleteBookError, match="25 of 25 positions are not decided"):
        write_rows(io.StringIO(), BOARD, VerdictBatch.unknown(keys))


def test_black_to_move_is_not_in_the_format() -> None:
    check_ply(8)
    with pytest.raises(FormatError, match="ply 7"):
        check_ply(7)
