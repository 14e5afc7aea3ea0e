"""A proof that is spoiled between prover and output is refused by every command that would show it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from claimeven.scripts.main import claimeven
from claimeven.solver.proof import proof_batch
from tests.solver.proof.corruption import corrupt_prover

COMMANDS = {
    "prove": (["prove", "12"], ""),
    "prove --json": (["prove", "12", "--json"], ""),
    "prove --look-ahead": (["prove", "1", "--look-ahead"], ""),
    "prove --look-ahead --json": (["prove", "1", "--look-ahead", "--json"], ""),
    "graph, picture": (["graph", "12", "--out", "graph.svg"], ""),
    "graph, node-link": (["graph", "12", "--out", "graph.json"], ""),
    "graph, graphml": (["graph", "12", "--out", "graph.graphml"], ""),
    "board --proof": (["board", "12", "--proof", "--out", "board.svg"], ""),
    "play --proof": (["play", "12", "--proof"], "4\n4\n"),
    "play --against rules": (["play", "--against", "rules"], "1\n"),
}


def run(name: str) -> Result:
    arguments, stdin = COMMANDS[name]
    return CliRunner().invoke(claimeven, arguments, prog_name="claimeven", input=stdin)


@pytest.mark.parametrize("name", COMMANDS)
def test_it_is_refused_with_one_clear_line_and_status_1(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLAIMEVEN_DB", str(tmp_path / "store.db"))
    with monkeypatch.context() as broken:
        corrupt_prover(broken)
        result = run(name)
    assert result.exit_code == 1, result.output
    line = result.stderr.splitlines()[-1].removeprefix("x> ")  # what a player's move was asked with
    assert line.startswith("Error: the proof that was found does not hold and is not shown: ")
    assert "nothing solves the problem" in line
    assert "Traceback" not in result.stderr
    assert not any(word in result.stdout for word in ("proof", "wins", "draws"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_same_command_shows_a_proof_that_holds(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLAIMEVEN_DB", str(tmp_path / "store.db"))
    result = run(name)
    if name == "play --against rules":
        assert "has a proof that it does not lose" in result.stdout
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("options", [["--json"], ["--json", "--no-cache"], []], ids=["json", "no cache", "store"])
def test_solve_neither_shows_nor_stores_one(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prove = proof_batch.prove_many

    def spoil(*arguments: Any, **settings: Any) -> Any:
        found = prove(*arguments, **settings)
        assert len(found.text)
        found.text[2:4] = found.text[4:6]  # the first solution uses one square twice
        return found

    monkeypatch.setattr(proof_batch, "prove_many", spoil)
    store = tmp_path / "store.db"
    arguments = ["solve", "444433351225255", "--db", str(store), *options]
    result = CliRunner().invoke(claimeven, arguments)
    assert result.exit_code == 1
    assert "the checker does not accept the proof" in result.stderr.splitlines()[-1]
    assert result.stdout == ""
