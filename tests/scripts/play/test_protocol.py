"""`claimeven play --protocol json`, as a program that others talk to through its pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from claimeven.solver.notation import player_protocol
from claimeven.solver.position import Position
from tests.positions import at

ROOT = Path(__file__).parents[2]


class Program:
    """The command under way: a line in, a line out."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self._stdin: IO[str] = process.stdin
        self._stdout: IO[str] = process.stdout

    def say(self, line: str) -> None:
        self._stdin.write(line + "\n")
        self._stdin.flush()

    def ask(self, line: str) -> Any:
        """The answer to a line; this waits for it, so a program that keeps it in a buffer hangs the test."""
        self.say(line)
        return json.loads(self._stdout.readline())

    def end(self) -> tuple[str, int]:
        """Close its input; gives what it still says, and its status."""
        self._stdin.close()
        rest = self._stdout.read()
        return rest, self.process.wait(timeout=60)


@contextmanager
def running(*arguments: str) -> Iterator[Program]:
    with subprocess.Popen(
        [sys.executable, "-m", "claimeven", "play", "--protocol", "json", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    ) as process:
        try:
            yield Program(process)
        finally:
            process.kill()


def play_to_the_end(one: Program, other: Program, board: str) -> Position:
    position = at("", board)
    programs = [one, other]
    while not position.is_over:
        answer = programs[position.ply % 2].ask(player_protocol.write(position))
        position = position.play(answer["move"])
    return position


def test_full_games_between_two_programs() -> None:
    with running("--against", "rules") as rules, running("--against", "perfect") as perfect:
        for board in ("6x4", "5x4", "6x4"):
            finished = play_to_the_end(rules, perfect, board)
            assert finished.is_over
        # Black wins 6x4 under best play.
        assert str(finished.winner) == "Black"
        finished = play_to_the_end(perfect, rules, "5x4")
        assert str(finished.winner) in ("None", "White")
        for program in (rules, perfect):
            assert program.end() == ("", 0)
            assert program.process.stderr is not None
            assert "Traceback" not in program.process.stderr.read()


def test_broken_lines_are_answered_and_the_game_goes_on() -> None:
    with running("--against", "random") as program:
        assert program.ask(player_protocol.write(at("")))["move"] in range(7)
        question = json.loads(player_protocol.write(at("44")))
        for broken in (
            "",
            "hello",
            "{",
            "[1, 2]",
            "\ufffd\u0000",
            json.dumps(question | {"player": 2}),
            json.dumps(question | {"grid": question["grid"][:-1]}),
            json.dumps(question | {"width": 10**30}),
            json.dumps({key: value for key, value in question.items() if key != "grid"}),
            player_protocol.write(at("1212121")),
            "[" * 100_000,
        ):
            assert list(program.ask(broken)) == ["error"], broken
        assert program.ask(json.dumps(question))["move"] in range(7)
        assert program.end() == ("", 0)


def test_exit_ends_it_though_the_input_goes_on() -> None:
    with running("--against", "random") as program:
        assert "move" in program.ask(player_protocol.write(at("4")))
        program.say(":exit")
        assert program.process.wait(timeout=60) == 0


def test_the_end_of_the_input_ends_it() -> None:
    with running("--against", "random") as program:
        assert program.end() == ("", 0)
    with running("--against", "random") as program:
        program.say(player_protocol.write(at("4"))[:-5])
        rest, status = program.end()
        assert list(json.loads(rest)) == ["error"]
        assert status == 0


def test_a_board_that_is_given_must_be_the_one_of_the_questions() -> None:
    with running("--against", "rules", "--board", "5x4x3") as program:
        assert "the board is 5x4x3" in program.ask(player_protocol.write(at("", "7x6")))["error"]
        # Three in a line win here.
        assert program.ask(player_protocol.write(at("1212", "5x4x3")))["move"] == 0
        program.say(":exit")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["44"], "--protocol does not go together with MOVES"),
        (["--hints"], "--protocol does not go together with --hints"),
        (["--against", "nobody"], "--against: there is no player 'nobody'"),
        (["--board", "99x99"], "--board: 99x99 is too large"),
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], message: str) -> None:
    with running(*arguments) as program:
        assert program.end() == ("", 2)
        assert program.process.stderr is not None
        assert program.process.stderr.read().startswith(f"Error: {message}")


def test_scores_of_all_columns_if_asked_for() -> None:
    position = at("44455554221")
    with running("--against", "random", "--scores") as program:
        answer = program.ask(player_protocol.write(position))
        assert len(answer["scores"]) == 7
        assert max(score for score in answer["scores"] if score is not None) == -15
