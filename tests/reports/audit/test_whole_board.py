"""Every position of small boards: nothing differs, and what is made false is found."""

import json
from pathlib import Path

import numpy as np

from claimeven.reports.audit.whole_board import audit_whole_board
from claimeven.solver.audit.rule_bounds import NineRules, RuleBounds
from claimeven.solver.board import Board
from claimeven.solver.positions import Keys
from claimeven.solver.search.searcher import Searcher
from tests.scripts.stores import run


class WishfulRules(NineRules):
    """Rules that prove of every position that White wins."""

    def bound_all(self, board: Board, keys: Keys) -> RuleBounds:
        ones = np.ones(len(keys), dtype=np.int8)
        return RuleBounds(ones, ones, np.ones(len(keys), dtype=np.bool_), np.zeros(len(keys), dtype=np.uint64))


def test_rules_and_search_agree_with_the_table() -> None:
    board = Board(4, 4, 3)
    counts = audit_whole_board(board, NineRules(), Searcher(board, 1 << 20, threads=1))
    assert counts.is_right, counts.examples
    assert counts.searched == counts.positions > 1000
    assert counts.proofs > 100


def test_false_proofs_are_counted_and_named() -> None:
    counts = audit_whole_board(Board(4, 2), WishfulRules(), None)
    assert (counts.positions, counts.false_proofs) == (337, 335)
    assert "the rules say white, but it is draw" in counts.examples[0]


def test_the_command_keeps_what_it_found(tmp_path: Path) -> None:
    result = run("audit", "whole-board", "4x2", "3x3x3", "--out", str(tmp_path), "--json")
    assert result.exit_code == 0, result.output
    boards = json.loads(result.stdout)["boards"]
    assert [each["board"] for each in boards] == ["4x2", "3x3x3"]
    assert boards[1]["searched"] == boards[1]["positions"]  # rows are odd
    assert set(json.loads((tmp_path / "whole-boards.json").read_text())["boards"]) == {"4x2", "3x3x3"}
