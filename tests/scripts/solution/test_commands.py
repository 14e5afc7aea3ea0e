"""`claimeven solution` as its users meet it: built, killed, gone on with, checked, shown, played and exported."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from claimeven.scripts.main import claimeven
from claimeven.solver.board import Board
from claimeven.solver.players.game import Game, State
from claimeven.solver.players.player import PlayerError
from claimeven.solver.players.registry import make_player
from claimeven.solver.solution.building import builder
from claimeven.solver.solution.finding import sat_finder


def run(*arguments: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(claimeven, ["solution", *map(str, arguments)], input=text)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("solution") / "5x4.json"
    done = run("build", "--board", "5x4", "--memory", "4M", "--work", "100000", "--out", path)
    assert done.exit_code == 0, done.output
    assert "leaves" in done.stdout
    return path


def test_check_accepts_what_build_wrote(file: Path) -> None:
    done = run("check", file, "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert found["valid"]
    assert found["board"] == "5x4"
    assert found["claim"] == "no-loss"
    assert found["nodes"] >= found["moves"] + found["leaves"]
    assert "every certificate holds" in run("check", file).stdout


def test_the_file_says_how_it_was_made(file: Path) -> None:
    made = json.loads(file.read_text())["made"]
    assert made["command"].startswith("claimeven solution build --board 5x4")
    assert made["seed"] == 1


def test_no_diagram_is_tried_before_the_first_ply(tmp_path: Path) -> None:
    out = tmp_path / "5x4.json"
    arguments = ["--board", "5x4", "--leaves", "diagrams", "--memory", "4M", "--work", "100000", "--first-ply", "8"]
    done = run("build", *arguments, "--out", out)
    assert done.exit_code == 0, done.output
    made = json.loads(out.read_text())
    leaves = [moves for moves, node in made["nodes"].items() if "diagram" in node]
    # What is found later may be valid up to a move of each side before.
    assert min(len(moves) for moves in leaves) >= 6
    assert "--first-ply 8" in made["made"]["command"]


def test_a_build_begins_with_the_diagrams_of_another_solution(file: Path, tmp_path: Path) -> None:
    """With the diagrams of the whole board and next to no work there are leaves that are not there without them."""
    arguments = ["2", "--board", "5x4", "--controller", "white", "--claim", "no-loss", "--leaves", "diagrams"]
    quick = ["--memory", "4M", "--work", "1000", "--first-ply", "0"]
    used = {}
    libraries: dict[str, list[str | Path]] = {"with": ["--library", file], "without": []}
    for name, library in libraries.items():
        out = tmp_path / f"{name}.json"
        done = run("build", *arguments, *quick, *library, "--out", out)
        assert done.exit_code == 0, done.output
        assert run("check", out).exit_code == 0
        used[name] = json.loads(out.read_text())
    assert len(used["with"]["nodes"]) < len(used["without"]["nodes"])
    assert "--library 5x4.json" in used["with"]["made"]["command"]
    other = run("build", "--board", "4x4", "--library", file, "--out", tmp_path / "other.json")
    assert other.exit_code == 2
    assert "is a solution of 5x4, not of 4x4" in other.stderr


def test_check_refuses_a_spoiled_file(file: Path, tmp_path: Path) -> None:
    data = json.loads(file.read_text())
    data["nodes"].pop(max(data["nodes"], key=len))
    spoiled = tmp_path / "spoiled.json"
    spoiled.write_text(json.dumps(data))
    done = run("check", spoiled)
    assert done.exit_code == 1
    assert "no answer to a reply in column" in done.stderr
    assert done.stdout == ""


def test_a_finished_build_and_another_task_in_its_place(file: Path) -> None:
    before = json.loads(file.read_text())
    again = run("build", "--board", "5x4", "--memory", "4M", "--work", "100000", "--out", file)
    assert again.exit_code == 0
    assert json.loads(file.read_text())["nodes"] == before["nodes"]
    other = run("build", "--board", "5x4", "--seed", "2", "--memory", "4M", "--out", file)
    assert other.exit_code == 2
    assert "is a build of something else" in other.stderr


def test_a_claim_that_cannot_be_had(tmp_path: Path) -> None:
    done = run("build", "--board", "4x4", "--controller", "white", "--claim", "win", "--out", tmp_path / "x.json")
    assert done.exit_code == 2
    assert "the claim is false" in done.stderr


def test_a_killed_build_goes_on(tmp_path: Path) -> None:
    """Killed wherever it is, again and again, it comes to the solution that it comes to without that."""
    arguments = [
        "1",
        "--board",
        "4x5",
        "--controller",
        "black",
        "--claim",
        "no-loss",
        "--memory",
        "4M",
        "--jobs",
        "1",
        "--work",
        "100000",
    ]
    out = tmp_path / "killed.json"
    command = [sys.executable, "-m", "claimeven", "solution", "build", *arguments, "--out", str(out)]
    for seconds in (1.0, 2.0):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        if os.name == "posix":
            process.send_signal(signal.SIGKILL)
        else:
            process.kill()
        process.wait()
    whole = tmp_path / "whole.json"
    assert run("build", *arguments, "--out", out).exit_code == 0
    assert run("build", *arguments, "--out", whole).exit_code == 0
    first, second = (json.loads(path.read_text()) for path in (out, whole))
    assert (first["nodes"], first["diagrams"]) == (second["nodes"], second["diagrams"])
    assert run("check", out).exit_code == 0


def test_improve_keeps_what_is_smaller(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (builder, sat_finder):  # SAT takes longer than the second below
        monkeypatch.setattr(module, "has_sat", lambda: False)
    copy, work = tmp_path / "5x4.json", tmp_path / "5x4.json.build"
    copy.write_bytes(file.read_bytes())
    work.write_bytes(file.with_name("5x4.json.build").read_bytes())
    before = json.loads(run("check", copy, "--json").stdout)
    done = run("improve", copy, "--seconds", "1", "--memory", "4M", "--work", "100000")
    assert done.exit_code == 0, done.output
    assert "without python-sat" in done.stderr
    after = json.loads(run("check", copy, "--json").stdout)
    assert after["valid"]
    assert after["nodes"] <= before["nodes"]


def test_improve_begins_with_a_solution_alone(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "has_sat", lambda: False)
    copy = tmp_path / "5x4.json"
    copy.write_bytes(file.read_bytes())
    before = json.loads(run("check", copy, "--json").stdout)
    done = run("improve", copy, "--seconds", "1", "--memory", "4M", "--work", "100000")
    assert done.exit_code == 0, done.output
    assert "improving begins with what is in" in done.stderr
    after = json.loads(run("check", copy, "--json").stdout)
    assert after["valid"]
    assert after["nodes"] <= before["nodes"]
    data = json.loads(file.read_text())
    data["nodes"].pop(max(data["nodes"], key=len))
    spoiled = tmp_path / "spoiled.json"
    spoiled.write_text(json.dumps(data))
    refused = run("improve", spoiled, "--seconds", "1", "--memory", "4M")
    assert refused.exit_code == 2
    assert "is no solution: " in refused.stderr


def test_improve_finds_fewer_certificates(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pysat")
    copy = tmp_path / "5x4.json"
    copy.write_bytes(file.read_bytes())
    arguments = "improve", copy, "--certificates", "--seconds", "60", "--memory", "4M"
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    before, after = (json.loads(run("check", each, "--json").stdout) for each in (file, copy))
    assert after["valid"]
    assert after["certificates"] < before["certificates"]
    assert (after["moves"], after["leaves"]) == (before["moves"], before["leaves"])
    monkeypatch.setattr(sat_finder, "has_sat", lambda: False)
    refused = run(*arguments)
    assert refused.exit_code == 2
    assert "needs python-sat" in refused.stderr


def test_show_says_what_to_play(file: Path) -> None:
    root = run("show", file)
    assert root.exit_code == 0
    move = root.stdout.split("White plays ")[1][0]
    column = ord(move) - 96
    replies = run("show", file, str(column))
    assert "Black is to move; White answers" in replies.stdout
    leaf = run("show", file, f"{column}1")
    assert "White plays" in leaf.stdout
    wrong = run("show", file, "155")
    assert wrong.exit_code == 2
    assert "MOVES" in wrong.stderr


def test_play_answers_until_the_end(file: Path) -> None:
    done = run("play", file, text="1\n" * 4 + "2\n" * 4 + "3\n" * 4 + "4\n" * 4 + "5\n" * 4)
    assert done.exit_code == 0
    assert "you win" not in done.stdout
    assert "you lose" in done.stdout or "a draw" in done.stdout


def test_cards(file: Path, tmp_path: Path) -> None:
    nodes = json.loads(file.read_text())["nodes"]
    assert run("export", file, "--out", tmp_path / "cards.csv").exit_code == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "cards.csv").read_text())))
    assert {row["moves"] for row in rows} == set(nodes)
    for row in rows:
        assert (row["answer"] == "follow the digits") == ("diagram" in nodes[row["moves"]])
    assert run("export", file, "--out", tmp_path / "cards.txt").exit_code == 0
    lines = (tmp_path / "cards.txt").read_text().splitlines()
    assert len(lines) == 3 + len(nodes)
    assert all(line.count("\t") == 3 for line in lines[3:])
    assert run("export", file, "--out", tmp_path / "cards.doc").exit_code == 2
    assert run("export", file, "--out", tmp_path / "again.json").exit_code == 0
    assert (tmp_path / "again.json").read_text() == file.read_text()


def test_the_player_of_a_solution(file: Path) -> None:
    player = make_player(f"solution:{file}")
    player.start(Game(5, 4))
    assert player.name == "solution:5x4.json"
    opponent = make_player("medium")
    opponent.start(Game(5, 4))
    state = State.start(Game(5, 4))
    while not state.is_over:
        mover = player if len(state.moves) % 2 == 0 else opponent
        choice = mover.choose(state, seconds=0.05)
        if mover is player:
            assert choice.note != "not in the solution"
        state = state.play(choice.move)
    assert state.winner != 2
    for text in ("solution:", "solution:/no/such/file.json"):
        with pytest.raises(PlayerError, match="solution"):
            make_player(text)
    with pytest.raises(PlayerError, match="5x4"):
        player.start(Game(7, 6))
    assert Board.parse("5x4").cells == 20
