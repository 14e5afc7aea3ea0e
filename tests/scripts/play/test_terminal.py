"""`claimeven play` with a person: what is typed, what is shown, and how a game ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from claimeven.scripts.main import claimeven
from claimeven.solver.players import registry
from tests.scripts.stores import make_store
from tests.solver.players.scripted import REGISTRY


@pytest.fixture(autouse=True)
def _scripted_players(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, place in REGISTRY.items():
        monkeypatch.setitem(registry.PLAYERS, name, place)


def play(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(claimeven, ["play", *arguments], prog_name="claimeven", input=stdin)


def test_a_game_that_is_won() -> None:
    result = play("--against", "leftmost", stdin="4\n4\n4\n4\n")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "You are x, against leftmost. 7x6; h for help, q to stop."
    assert lines[-1] == "you win"
    assert lines[-6:-1] == [". . . x . . .", *["o . . x . . ."] * 3, "1 2 3 4 5 6 7"]
    assert result.stdout.count("leftmost plays 1") == 3
    assert result.stderr == "x> x> x> x> "


def test_a_game_that_is_lost_with_the_second_side() -> None:
    result = play("--against", "leftmost", "--side", "second", stdin="7\n7\n6\n")
    assert result.stdout.splitlines()[1] == "leftmost plays 1"
    assert result.stdout.splitlines()[-1] == "you lose"
    assert result.exit_code == 0


def test_a_draw() -> None:
    result = play("--board", "2x2x3", "--against", "leftmost", stdin="1\n2\n")
    assert result.stdout.splitlines()[-1] == "a draw: the board is full"


def test_moves_may_be_taken_back() -> None:
    result = play("44", "--against", "leftmost", stdin="u\n5\nu\n6\nq\n")
    assert "there is no move of yours to take back" in result.stderr
    boards = [line for line in result.stdout.splitlines() if line.startswith((". . . x", "o . . x"))]
    assert boards[-1] == "o . . x . x ."
    assert result.stdout.endswith("stopped\n")


def test_help_and_what_is_no_move() -> None:
    result = play("--against", "leftmost", stdin="help\n8\nnonsense\n\nD\nq\n")
    assert "take your last move back" in result.stdout
    assert result.stderr.count("cannot be played; these columns can: 1, 2, 3, 4, 5, 6, 7") == 3
    assert "o . . x . . ." in result.stdout


@pytest.mark.parametrize("stdin", ["", "4\n", "4", "q\n", "QUIT\n"])
def test_the_end_of_the_input_and_quit_stop(stdin: str) -> None:
    result = play("--against", "leftmost", stdin=stdin)
    assert result.exit_code == 0
    assert result.stdout.endswith("stopped\n")


def test_hints_come_from_the_store(tmp_path: Path) -> None:
    path = make_store(tmp_path / "store.db")
    result = play("--against", "leftmost", "--hints", "--db", str(path), stdin="4\n?\n")
    assert (
        "hints: 1 loses (-2), 2 loses (-1), 3 draws, 4 wins (+1), 5 draws, 6 loses (-1), 7 loses (-2)" in result.stdout
    )
    assert "hints: the store knows nothing of these moves" in result.stdout
    as_black = play("1", "--against", "leftmost", "--db", str(path), stdin="?\n")
    assert "hints: 2 at least draws" in as_black.stdout


def test_hints_without_a_store() -> None:
    result = play("--against", "leftmost", "--hints", "--no-book", stdin="")
    assert "hints: there is no store yet" in result.stdout
    free = play("--against", "leftmost", "--hints", "--no-gravity", stdin="")
    assert "hints: the store knows standard games only" in free.stdout


def test_games_without_gravity_and_with_a_blocked_cell() -> None:
    arguments = ["--board", "3x3x3", "--no-gravity", "--blocked", "b2", "--against", "leftmost"]
    result = play(*arguments, stdin="b2\nc1\nc2\nc3\n")
    assert result.exit_code == 0
    assert "'b2' cannot be played" in result.stderr
    assert result.stdout.splitlines()[-5:] == [" 3 . . x", " 2 o # x", " 1 o . x", "   a b c", "you win"]


def test_moves_given_are_played_first() -> None:
    result = play("a1 b2", "--board", "3x3x3", "--no-gravity", "--against", "leftmost", stdin="")
    assert " 2 . o ." in result.stdout
    wide = play("1 12", "--board", "12x12", "--against", "leftmost", stdin="")
    assert "x  .  .  .  .  .  .  .  .  .  .  o" in wide.stdout
    allis = play("1. d1, d2", "--against", "leftmost", stdin="")
    assert "You are x" in allis.stdout


def test_perfect_plays_by_default() -> None:
    result = play("123412341234", "--board", "4x4", stdin="1\n2\n3\n4\n1\n2\n3\n4\n")
    assert result.exit_code == 0, result.output
    assert "against perfect:seconds=5" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--against", "nobody"], 2, "--against: there is no player 'nobody'"),
        (["--against", "perfect", "--no-gravity"], 2, "--against: perfect plays standard games only"),
        (["--board", "13x13"], 2, "--board: a game has 1 to 12 columns and rows"),
        (["--blocked", "h1"], 2, "--blocked: 'h1' is outside"),
        (["1212121", "--against", "leftmost"], 2, "MOVES: the game is over"),
        (["48", "--against", "leftmost"], 2, "MOVES: move 2"),
        (["--against", "leftmost", "--db", "nowhere.db"], 1, "nowhere.db: there is no store"),
        (["12", "--proof", "--against", "rules"], 2, "--proof does not go together with --against"),
        (["12", "--proof", "--no-gravity"], 2, "--proof does not go together with --no-gravity"),
    ],
)
def test_wrong_input_is_one_line_on_stderr(arguments: list[str], status: int, message: str) -> None:
    result = play(*arguments)
    assert result.exit_code == status
    assert result.stdout == ""
    assert result.stderr.startswith(f"Error: {message}")
    assert result.stderr.count("\n") == 1
