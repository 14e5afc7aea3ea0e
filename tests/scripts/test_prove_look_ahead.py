"""`claimeven prove --look-ahead`: proofs a move, or a move and a reply, away."""

from __future__ import annotations

import json

from claimeven.solver.proof.certificate import certificate_from_json
from claimeven.solver.proof.checker import is_chosen_set
from tests.positions import at
from tests.scripts.stores import run


def test_text_says_after_which_move_which_set_proves_it() -> None:
    result = run("prove", "1", "--look-ahead")
    assert result.exit_code == 0
    assert result.stdout.startswith("Black at least draws: after b1 the rules prove it\n")
    assert "Chosen set\n" in result.stdout
    assert run("prove", "1").stdout.startswith("nothing proved: unknown\n")


def test_where_the_rules_prove_it_at_once_nothing_changes() -> None:
    assert run("prove", "12", "--look-ahead").stdout == run("prove", "12").stdout
    answer = json.loads(run("prove", "12", "--look-ahead", "--json").stdout)
    assert answer.pop("look_ahead") == []
    assert answer == json.loads(run("prove", "12", "--json").stdout)


def test_json_holds_a_proof_that_can_be_checked() -> None:
    answer = json.loads(run("prove", "1", "--look-ahead", "--json").stdout)
    assert (answer["value"], answer["source"], answer["proof"]) == ("not-white", "rules", None)
    (line,) = answer["look_ahead"]
    assert line["line"] == "2"
    assert is_chosen_set(certificate_from_json(at("12"), line["proof"]))


def test_nothing_to_find() -> None:
    result = run("prove", "43", "--look-ahead")
    assert "nor for either side a move and a reply ahead" in result.stdout
    answer = json.loads(run("prove", "43", "--look-ahead", "--json").stdout)
    assert (answer["value"], answer["source"], answer["look_ahead"]) == ("unknown", None, [])


def test_where_the_rules_say_nothing() -> None:
    assert run("prove", "--board", "7x5", "--look-ahead").exit_code == 2
    assert run("prove", "1212121", "--look-ahead").exit_code == 2
