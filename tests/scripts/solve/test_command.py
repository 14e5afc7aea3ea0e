"""`claimeven solve`: one line out for every line in, in order, whatever is in the lines."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from claimeven.db.store import Store
from claimeven.reports.bench.batch_speed import random_lines
from claimeven.scripts.main import claimeven
from claimeven.scripts.solve import sources
from claimeven.solver.board import Board
from claimeven.solver.notation import format_position
from claimeven.solver.position import Position
from tests.positions import random_positions

COMMAND = [sys.executable, "-m", "claimeven", "solve"]


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(claimeven, ["solve", "--memory", "8M", *arguments], input=stdin)


def test_one_position() -> None:
    result = run("444433351225255")
    assert (result.stdout, result.exit_code) == ("444433351225255 white\n", 0)


@pytest.mark.parametrize(("moves", "score"), [("4455", 18), ("44455554221", -15), ("1212121", -18)])
def test_known_scores(moves: str, score: int) -> None:
    assert run(moves, "--score").stdout == f"{moves} {score}\n"


def test_a_file_is_answered_line_by_line_and_scores_of_suites_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "suite"
    file.write_text("4455 18\n44455554221 -15\n")
    assert run(str(file)).stdout == "4455 white\n44455554221 white\n"


def test_an_invalid_line_is_answered_too_and_the_rest_goes_on() -> None:
    result = run("-", stdin="4455\n4444444\nhello\n1212121\n")
    assert result.stdout == "4455 white\n4444444 invalid\nhello invalid\n1212121 white\n"
    assert "line 2: move 7 (character 7): column 4 is full" in result.stderr
    assert "line 3: " in result.stderr
    assert result.exit_code == 1


def test_broken_characters_make_their_own_line_invalid() -> None:
    result = run("-", stdin=b"4455\n\xff\xfe\n4455\n")
    assert [line.split()[-1] for line in result.stdout.splitlines()] == ["white", "invalid", "white"]


def test_json_has_the_fields_of_every_command() -> None:
    result = run("-", "--json", stdin="444433351225255\n9\n")
    proved, broken = (json.loads(line) for line in result.stdout.splitlines())
    assert {name: proved[name] for name in ("board", "ply", "to_move", "value", "source")} == {
        "board": "7x6",
        "ply": 15,
        "to_move": "black",
        "value": "white",
        "source": "rules",
    }
    assert proved["proof"]["win_condition"]["square"] == "a3"
    assert broken["moves"] == "9"
    assert "not a column" in broken["error"]


def test_other_boards_and_notations() -> None:
    assert run("--board", "4x5", "12").stdout == "12 draw\n"
    assert run("-", "--notation", "allis", stdin="1. d1, d2 2. e1, e2\n").stdout == "1. d1, d2 2. e1, e2 white\n"


def test_a_game_longer_than_a_file_name_is_a_position() -> None:
    (position,) = random_positions("9x6", 1, seed=3, least_ply=50)
    game, columns = format_position(position, "allis"), format_position(position)
    assert len(game) > 255
    value = run(columns, "--board", "9x6", "--no-cache").stdout.split()[-1]
    assert run(game, "--board", "9x6", "--no-cache").stdout == f"{game} {value}\n"


def test_the_rules_alone() -> None:
    assert run("12", "--engine", "rules").stdout == "12 not-white\n"
    assert run("43", "--engine", "rules").stdout == "43 unknown\n"


def test_a_budget_that_is_used_up_is_unknown() -> None:
    assert run("1", "--nodes", "1", "--engine", "search").stdout == "1 unknown\n"


def test_proof_numbers_decide_and_go_on_from_what_the_store_has(own_store: Path) -> None:
    arguments = ("435267", "--engine", "dfpn", "--jobs", "1")
    assert run(*arguments, "--nodes", "50000").stdout == "435267 unknown\n"
    with Store.open(own_store) as store:
        kept = sum(store.count_positions(Board()).values())
        assert store.get(Position("435267")).value is None
    assert kept > 3
    assert run(*arguments).stdout == "435267 white\n"
    (answer,) = (json.loads(line) for line in run(*arguments, "--json").stdout.splitlines())
    assert (answer["value"], answer["source"]) == ("white", "search")
    with Store.open(own_store) as store:
        assert sum(store.count_positions(Board()).values()) > kept


def test_proof_numbers_keep_one_answer_of_two() -> None:
    assert run("", "--board", "6x6", "--engine", "dfpn", "--nodes", "5").stdout == " not-white\n"


def test_proof_numbers_where_the_rules_are_silent() -> None:
    for moves in ("", "12", "2233"):
        line = run(moves, "--board", "5x5", "--no-cache").stdout
        assert run(moves, "--board", "5x5", "--no-cache", "--engine", "dfpn").stdout == line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such-file"], "neither a file nor a position"),
        (["4", "--board", "9x9"], "too large"),
        (["4", "--board", "7x5", "--engine", "rules"], "even number of rows"),
        (["4", "--engine", "rules", "--score"], "the rules know no scores"),
        (["4", "--engine", "dfpn", "--score"], "no scores"),
        (["4", "--engine", "dfpn", "--moves"], "no scores"),
        (["4", "--engine", "dfpn", "--prover", "graph"], "shows no rule proofs"),
        (["4", "--memory", "lots"], "is not a size"),
        (["4", "--jobs", "0"], "--jobs"),
    ],
)
def test_wrong_usage_is_one_clear_sentence(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(("engine", "value"), [("auto", "white"), ("rules", "unknown")])
def test_a_stream_is_answered_as_it_comes(engine: str, value: str) -> None:
    command = [*COMMAND, "-", "--engine", engine]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write("4455\n")
            process.stdin.flush()
            assert process.stdout.readline() == f"4455 {value}\n"
        process.stdin.close()
        assert process.wait(30) == 0


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_stops_within_a_second() -> None:
    with subprocess.Popen([*COMMAND, "", "--score"], stderr=subprocess.PIPE, text=True) as process:
        time.sleep(4)
        if process.poll() is not None:
            pytest.skip("this machine solves the game too fast to be interrupted")
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        assert process.wait(10) == 130
        assert time.monotonic() - start < 3  # a second, and some air for a busy machine
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_stops_the_rules_too(tmp_path: Path) -> None:
    (tmp_path / "many").write_text("".join(f"{line}\n" for line in random_lines(200_000, 1, (8, 12), None)))
    with subprocess.Popen(
        [*COMMAND, str(tmp_path / "many"), "--engine", "rules"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        assert process.wait(30) == 130
        assert time.monotonic() - start < 3
        assert process.stderr.read().strip() == "stopped; what was printed is right, and nothing is kept"


@pytest.mark.parametrize("engine", ["rules", "search"])
def test_what_is_wrong_further_on_comes_after_the_answers_before_it(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "MOST_BYTES", 100)
    monkeypatch.setattr(sources, "BLOCK", 100)
    lines = [format_position(position) for position in random_positions("7x6", 30, seed=2, least_ply=30)]
    (tmp_path / "all").write_text("".join(f"{line}\n" for line in ["7", *lines]))
    alone = run(str(tmp_path / "all"), "--engine", engine)
    assert [line.split()[0] for line in alone.stdout.splitlines()] == ["7", *lines]
    (tmp_path / "conflict").write_text("".join(f"{line}\n" for line in ["7", *lines, "0", "0"]))
    result = run(str(tmp_path / "conflict"), "--engine", engine)
    assert result.exit_code == 2
    assert "line 32 is counted from 0, but line 1 is counted from 1" in result.stderr
    printed = result.stdout
    assert printed
    assert alone.stdout.startswith(printed)
    assert len(alone.stdout) - len(printed) < 140  # a chunk with the lines before the wrong one, and no more


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_reader_that_goes_away_ends_it_quietly(tmp_path: Path) -> None:
    file = tmp_path / "many"
    file.write_text("4455\n" * 20_000)
    with subprocess.Popen([*COMMAND, str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "4455 white\n"
        process.stdout.close()
        assert process.wait(30) == 141
        assert process.stderr.read() == ""
