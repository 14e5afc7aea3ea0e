"""Every position of small boards: nothing differs, and what is made false is found."""

import json
from pathlib import Path

import numpy as np
import pytest

from claimeven.reports.audit import whole_board_record
from claimeven.reports.audit.small_boards import boards_up_to, count_positions
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


@pytest.mark.parametrize("connect", [3, 5])
@pytest.mark.parametrize("with_odd_rows", [False, True])
def test_no_small_board_is_left_out(connect: int, with_odd_rows: bool) -> None:
    listed = dict(boards_up_to(3000, connect, with_odd_rows=with_odd_rows))
    boards = [Board(columns, rows, connect) for columns in range(2, 10) for rows in range(2, 10) if columns * rows < 40]
    for board in boards:
        if board.groups and (with_odd_rows or board.rows % 2 == 0):
            assert listed.get(board) == count_positions(board, 3000)
    assert all(board.groups and count_positions(board, 3000) == number for board, number in listed.items())


def test_small_boards_are_done_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("audit", "whole-board", "--up-to", "1K", "--connect", "3", "--out", str(tmp_path))
    first = run(*command)
    assert first.exit_code == 0, first.output
    lines = first.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == ["3x2x3", "2x4x3", "4x2x3", "2x6x3", "3x4x3"]
    assert not any("recorded before" in line for line in lines)
    page, record = ((tmp_path / f"whole-boards.{ending}") for ending in ("md", "json"))
    assert "5x2x3 (more than 1,000)" in page.read_text()
    assert json.loads(record.read_text())["boards"]["2x4x3"]["run"]["commit"]
    assert run(*command).stdout.splitlines() == [f"{line}, recorded before" for line in lines]
    searched = run("audit", "whole-board", "2x4x3", "--search", "--out", str(tmp_path)).stdout
    assert "60 searched" in searched
    assert "recorded before" not in searched
    assert "60 searched" in run(*command).stdout  # what is compared with search too is not done again without
    assert run("audit", "whole-board", "5x2x3", "--out", str(tmp_path)).exit_code == 0
    assert "5x2x3 (more than" not in page.read_text()
    monkeypatch.setattr(whole_board_record, "version_of", lambda module: "another")
    assert "recorded before" not in run(*command).stdout


def test_audits_at_the_same_time_leave_what_the_other_found(tmp_path: Path) -> None:
    first, second = (whole_board_record.WholeBoardRecord.load(tmp_path) for _ in range(2))
    first.add(audit_whole_board(Board(4, 2), None, None), with_rules=True, with_search=False)
    second.add(audit_whole_board(Board(3, 2, 3), None, None), with_rules=True, with_search=False)
    assert set(json.loads((tmp_path / "whole-boards.json").read_text())["boards"]) == {"4x2", "3x2x3"}


def test_versions_know_what_is_imported() -> None:
    rules, search = map(whole_board_record.version_of, (whole_board_record.RULES, whole_board_record.SEARCH))
    assert rules != search


@pytest.mark.parametrize("options", [(), ("--up-to", "0"), ("--up-to", "3G"), ("--up-to", "1K", "--connect", "2")])
def test_wrong_usage(options: tuple[str, ...]) -> None:
    assert run("audit", "whole-board", *options).exit_code == 2


def test_a_record_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "whole-boards.json").write_text('{"boards": {"4x4": 1}}')
    result = run("audit", "whole-board", "4x2", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert "no audit of whole boards wrote it" in result.stderr
