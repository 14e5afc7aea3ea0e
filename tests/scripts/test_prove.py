"""`claimeven prove`: what it prints, for people and for programs, and what it says about wrong input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from claimeven.scripts.main import claimeven
from claimeven.solver.proof import prover
from claimeven.solver.proof.certificate import certificate_from_json
from claimeven.solver.proof.checker import is_chosen_set
from claimeven.solver.proof.explanation import explain
from tests.positions import at

ROOT = Path(__file__).parents[2]


def prove(*arguments: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(claimeven, ["prove", *arguments], prog_name="claimeven", input=stdin)


def proved(*arguments: str, stdin: str | None = None) -> dict[str, Any]:
    """The object that `--json` prints."""
    result = prove(*arguments, "--json", stdin=stdin)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.endswith("}\n")
    assert result.stdout.count("\n") == 1
    answer = json.loads(result.stdout)
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize(
    ("arguments", "verdict"),
    [
        (["12"], "Black at least draws"),
        (["--board", "6x6"], "Black at least draws"),
        (["4445333551"], "Black wins (the set holds an Aftereven)"),
        (["444433351225255"], "White wins"),
        (["43"], "nothing proved: unknown"),
        ([], "nothing proved: unknown"),
    ],
)
def test_the_first_line_is_the_verdict(arguments: list[str], verdict: str) -> None:
    result = prove(*arguments)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.splitlines()[0] == verdict


def test_a_proof_is_explained() -> None:
    certificate = prover.prove(at("12")).certificate
    assert certificate is not None
    assert prove("12").stdout == explain(certificate) + "\n"


def test_unknown_says_what_to_do_next() -> None:
    assert prove("--board", "8x6", "44").stdout == (
        "nothing proved: unknown\n"
        "\n"
        "The nine rules have no proof for Black here, whatever the budget. That does not say who wins; an exact search "
        "would.\n"
        "To see which problems are hard to solve: claimeven graph 44 --board 8x6 --out graph.svg\n"
    )
    assert "no proof for White here" in prove("44444565655452222").stdout


def test_a_budget_that_is_too_small_says_so_and_a_larger_one_proves() -> None:
    output = prove("12", "--budget", "1").stdout
    assert output.startswith("nothing proved: unknown\n")
    assert "Try more: claimeven prove 12 --budget " in output
    assert prove("12", "--budget", "100000").stdout.startswith("Black at least draws\n")


def test_json_of_a_proof_can_be_checked() -> None:
    answer = proved("12")
    proof = answer.pop("proof")
    assert answer == {
        "moves": "12",
        "board": "7x6",
        "ply": 2,
        "to_move": "white",
        "value": "not-white",
        "score": None,
        "source": "rules",
        "best_moves": None,
    }
    assert is_chosen_set(certificate_from_json(at("12"), proof))


def test_json_of_a_white_proof_has_its_win_condition() -> None:
    answer = proved("444433351225255")
    assert (answer["value"], answer["to_move"], answer["ply"]) == ("white", "black", 15)
    assert answer["proof"]["win_condition"] == {
        "kind": "odd threat",
        "group": ["a3", "b3", "c3", "d3"],
        "square": "a3",
    }


def test_json_of_nothing_proved() -> None:
    answer = proved("43")
    assert (answer["value"], answer["source"], answer["proof"]) == ("unknown", None, None)


def test_moves_may_come_from_stdin() -> None:
    assert proved("-", stdin="12\n") == proved("12")


def test_a_position_may_come_in_any_notation() -> None:
    drawn = ".......\n.......\n.......\n.......\n.......\nxo.....\n"
    for arguments, stdin in (
        (["1. a1, b1"], None),
        (["a1", "b1"], None),
        (["--notation", "columns0", "01"], None),
        (["-"], drawn),
    ):
        assert proved(*arguments, stdin=stdin) == proved("12")


def test_a_board_may_be_given_or_shown() -> None:
    assert proved("--board", "6x4")["board"] == "6x4"
    assert proved("--board", "7x6x5")["board"] == "7x6x5"
    assert proved("-", stdin="....../....../....../......")["board"] == "6x4"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["1111111"], "MOVES: move 7"),
        (["48"], "MOVES: move 2"),
        (["hello"], "MOVES: "),
        (["--board", "7y6"], "--board: '7y6' is not a board"),
        (["--board", "20x20"], "--board: 20x20 is too large"),
        (["--board", "7x5"], "the rules need an even number of rows"),
        (["1212121"], "there is nothing to prove: the game is over (White has won)"),
    ],
)
def test_wrong_input_is_one_line_on_stderr(arguments: list[str], message: str) -> None:
    result = prove(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"Error: {message}")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--budget", "0"], ["--budget", "1e3"], ["--budget", "9" * 30], ["--nothing"]])
def test_wrong_options_are_wrong_usage(arguments: list[str]) -> None:
    result = prove("12", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Try 'claimeven prove --help'" in result.stderr


def test_stdin_that_is_not_text() -> None:
    result = prove("-", stdin=b"\xff\xfe\x00")
    assert result.exit_code == 2
    assert result.stderr == "Error: MOVES: what stdin gives is not text\n"


def test_compilation_is_announced_once_and_not_on_stdout(tmp_path: Path) -> None:
    # A kernel that is not in the cache, without the half minute that compiling all of them takes.
    (tmp_path / "kernels_of_test.py").write_text(
        "from claimeven.scripts.compiling import announce_compilation\n"
        "announce_compilation()\n"
        "from claimeven.solver.kernel import kernel\n"
        "@kernel('int64(int64)')\n"
        "def one(number): return number + 1\n"
        "@kernel('int64(int64)')\n"
        "def two(number): return number + 2\n"
        "print(two(one(0)))\n"
    )
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(tmp_path / "kernels_of_test.py")]
    first, second = (
        subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True) for _ in range(2)
    )
    assert first.stdout == second.stdout == "3\n"
    assert first.stderr == "compiling kernels, once on this machine (about half a minute) ...\n"
    assert second.stderr == ""
