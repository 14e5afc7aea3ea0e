"""`claimeven play --proof`: a game against a proof, and what it says about wrong input."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from click.testing import CliRunner, Result

from claimeven.scripts.main import claimeven
from claimeven.solver.position import Position
from claimeven.solver.proof import checked_proof, prover
from tests.positions import at


def play(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(claimeven, ["play", *arguments], prog_name="claimeven", input=stdin)


def test_the_proof_answers_and_says_why() -> None:
    result = play("12", "--proof", stdin="5\nq\n")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "Black at least draws. You are White. Columns 1 to 7, q to stop."
    assert "Black f1: Baseinverse e1 f1" in lines
    assert lines[-1] == "stopped"
    assert lines[-3:-1] == ["x o . . x o .", "1 2 3 4 5 6 7"]
    assert result.stderr == "White> White> "


@pytest.mark.parametrize(
    ("arguments", "outcomes"),
    [
        (["4445333551"], {"Black has won"}),
        (["444433351225255"], {"White has won"}),
        (["--board", "4x4"], {"Black has won", "the board is full"}),
    ],
)
def test_random_opposition_never_gets_more_than_the_proof_allows(arguments: list[str], outcomes: set[str]) -> None:
    for seed in range(5):
        chance = random.Random(seed)
        stdin = "".join(f"{chance.randint(1, 7)}\n" for _ in range(400))
        result = play(*arguments, "--proof", stdin=stdin)
        assert result.exit_code == 0
        assert result.stdout.splitlines()[-1] in outcomes


def test_a_column_may_be_a_letter_and_anything_else_is_asked_again() -> None:
    result = play("12", "--proof", stdin="E\n9\nzz\n-1\n\nnothing\nq\n")
    assert result.exit_code == 0
    assert "Black f1: Baseinverse e1 f1" in result.stdout
    assert "'9' is not a column that can be played; these are: 1, 2, 3, 4, 5, 6, 7" in result.stderr
    assert result.stderr.count("is not a column that can be played") == 5


def test_the_end_of_the_input_stops() -> None:
    result = play("12", "--proof")
    assert result.exit_code == 0
    assert result.stdout.endswith("stopped\n")


def test_a_proof_that_is_beaten_ends_with_status_1_and_the_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    def prove_too_much(position: Position, budget: int) -> prover.ProofAttempt:
        attempt = right(position, budget)
        assert attempt.certificate is not None
        return replace(attempt, certificate=replace(attempt.certificate, instances=()))

    right = prover.prove
    monkeypatch.setattr(prover, "prove", prove_too_much)
    # Beating a proof is the second line of defence: the checker, which is the first, must be broken too.
    monkeypatch.setattr(checked_proof, "find_flaws", lambda certificate: iter(()))
    # Without instances Black takes the leftmost square each time, and White builds a row beside it.
    result = play("--board", "5x4", "--proof", stdin="5\n4\n3\n2\n")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "White has won"
    assert result.stderr.endswith("the proof of not-white is false: it fails after e a d a c a b\n")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["43", "--proof"], 1, "the rules prove nothing here"),
        (["1212121", "--proof"], 2, "there is nothing to prove: the game is over"),
        (["--board", "7x5", "--proof"], 2, "the rules need an even number of rows"),
        (["48", "--proof"], 2, "MOVES: move 2"),
        (["12", "--proof", "--hints"], 2, "--proof does not go together with --hints"),
        (["12", "--proof", "--protocol", "json"], 2, "--proof does not go together with --protocol"),
        (["12", "--budget", "9"], 2, "--budget goes together with --proof only"),
    ],
)
def test_wrong_input_is_one_line_on_stderr(arguments: list[str], status: int, message: str) -> None:
    result = play(*arguments)
    assert result.exit_code == status
    assert result.stdout == ""
    assert result.stderr.startswith(f"Error: {message}")
    assert result.stderr.count("\n") == 1


def test_the_picture_lines_up_on_wide_boards() -> None:
    result = play("--board", "12x2", "--proof", stdin="q\n")
    rows = result.stdout.splitlines()[2:5]
    assert len({len(row) for row in rows}) == 1
    assert rows[-1].split() == [str(number) for number in range(1, 13)]
    assert at("", "12x2").board.columns == 12
