"""`claimeven analyze`: every move with its score, the same whether it was known before or not."""

from __future__ import annotations

import json
from importlib import import_module
from importlib.util import find_spec

import pytest
from click.testing import CliRunner, Result

from claimeven.scripts.main import claimeven
from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.contract import FIELDS
from claimeven.solver.notation import columns, some_moves
from claimeven.solver.position import Position
from claimeven.solver.verdict import judge_end
from tests.positions import at, random_positions


def run(*arguments: str, stdin: str | None = None) -> Result:
    result = CliRunner().invoke(claimeven, list(arguments), input=stdin)
    assert result.exit_code == 0, result.output
    return result


def scores_of_moves(position: Position) -> dict[int, int]:
    """By plain minimax, the columns from 1."""
    after = {column + 1: position.play(column) for column in position.legal_columns}
    judged = {column: judge_end(each).score if each.is_over else minimax_score(each) for column, each in after.items()}
    return {column: -score for column, score in judged.items() if score is not None}


@pytest.mark.parametrize("position", list(random_positions("7x6", 12, seed=5, least_ply=30)), ids=str)
def test_scores_best_moves_and_line(position: Position) -> None:
    moves = columns.write(some_moves(position), position.board)
    found = json.loads(run("analyze", moves, "--json", "--memory", "8M").stdout)
    expected = scores_of_moves(position)
    assert {child["column"]: child["score"] for child in found["children"]} == expected
    assert found["best_moves"] == [column for column, score in expected.items() if score == max(expected.values())]
    assert found["score"] == max(expected.values())
    line = position
    for column in found["line"]:
        line = line.play(column - 1)
    assert line.is_over
    last = judge_end(line).score
    assert last is not None
    assert last * (1 if line.to_move is position.to_move else -1) == found["score"]


def test_the_same_question_has_the_same_answer_fresh_and_cached() -> None:
    lines = [columns.write(some_moves(each), each.board) for each in random_positions("7x6", 40, seed=9, least_ply=26)]
    text = "".join(f"{line}\n" for line in lines)
    batches = [
        [
            json.loads(line)
            for line in run("solve", "-", "--json", "--moves", "--memory", "8M", stdin=text).stdout.splitlines()
        ]
        for _ in range(2)
    ]
    assert batches[0] == batches[1]
    for moves, solved in zip(lines[:8], batches[0], strict=False):
        answers = [json.loads(run("analyze", moves, "--json", *options).stdout) for options in ([], ["--no-cache"])]
        answers.append(json.loads(run("query", moves, "--json", "--solve").stdout))
        for answer in answers:
            assert {name: answer[name] for name in FIELDS if name not in ("source", "proof")} == {
                name: solved[name] for name in FIELDS if name not in ("source", "proof")
            }


@pytest.mark.skipif(find_spec("bitbully") is None, reason="bitbully is not installed")
def test_best_moves_are_those_of_bitbully() -> None:
    bitbully = import_module("bitbully")
    agent = bitbully.BitBully(opening_book=None)
    positions = list(random_positions("7x6", 150, seed=21, least_ply=22))
    lines = [columns.write(some_moves(each), each.board) for each in positions]
    text = "".join(f"{line}\n" for line in lines)
    found = [json.loads(line) for line in run("solve", "-", "--json", "--moves", stdin=text).stdout.splitlines()]
    for moves, row in zip(lines, found, strict=True):
        scores = agent.score_all_moves(bitbully.Board([int(column) - 1 for column in moves]))
        best = max(scores.values())
        assert row["best_moves"] == sorted(column + 1 for column, score in scores.items() if score == best), moves


def test_a_lost_position_has_no_best_move_without_scores() -> None:
    run("solve", "44444122")
    found = json.loads(run("query", "44444122", "--json", "--no-book").stdout)
    assert (found["value"], found["best_moves"]) == ("black", None)
    assert {child["value"] for child in found["children"]} == {"black"}
    found = json.loads(run("query", "44444122", "--json", "--solve", "--no-book").stdout)
    assert found["best_moves"] == [column for column, score in _scores(found).items() if score == found["score"]]
    assert len(found["best_moves"]) < 7


def _scores(found: dict[str, list[dict[str, int]]]) -> dict[int, int]:
    return {child["column"]: child["score"] for child in found["children"]}


def test_a_finished_game_has_no_moves() -> None:
    assert "The game is over: White has won." in run("analyze", "1212121").stdout
    assert json.loads(run("analyze", "1212121", "--json").stdout)["children"] == []
    assert at("1212121").is_over


def test_a_budget_that_is_used_up_is_status_1() -> None:
    result = CliRunner().invoke(claimeven, ["analyze", "1", "--nodes", "1", "--no-book", "--no-cache"])
    assert result.exit_code == 1
    assert "not all scores were found" in result.stderr


def test_every_command_writes_the_same_contract() -> None:
    moves = "444433351225255"
    rows = [
        json.loads(run(*arguments).stdout.splitlines()[0])
        for arguments in (
            ("solve", moves, "--json"),
            ("prove", moves, "--json"),
            ("query", moves, "--json"),
            ("analyze", moves, "--json"),
        )
    ]
    for row in rows:
        assert tuple(row)[: len(FIELDS)] == FIELDS
        assert (row["moves"], row["board"], row["ply"], row["to_move"], row["value"]) == (
            moves,
            "7x6",
            15,
            "black",
            "white",
        )
    assert rows[0]["proof"] == rows[1]["proof"] == rows[2]["proof"] is not None
