"""What was proved by looking ahead, as people and programs read it."""

from __future__ import annotations

import json

from claimeven.solver.position import Side
from claimeven.solver.proof.certificate import certificate_from_json
from claimeven.solver.proof.checker import is_chosen_set
from claimeven.solver.proof.explanation import explain
from claimeven.solver.proof.look_ahead import LookAhead, look_ahead
from claimeven.solver.proof.look_ahead_explanation import explain_look_ahead, look_ahead_to_json
from claimeven.solver.verdict import WHITE_WINS
from tests.positions import at, random_positions
from tests.solver.proof.test_look_ahead import every_move


def proof_of(moves: str) -> LookAhead:
    ahead = look_ahead(at(moves), 2)
    assert ahead is not None
    return ahead


def test_without_looking_ahead_it_is_the_explanation_of_the_proof() -> None:
    ahead = proof_of("12")
    assert ahead.certificate is not None
    assert explain_look_ahead(ahead) == explain(ahead.certificate)


def test_one_move() -> None:
    ahead = proof_of("1")
    ((_, after),) = ahead.moves
    assert after.certificate is not None
    text = explain_look_ahead(ahead)
    assert text.startswith("Black at least draws: after b1 the rules prove it\n\nAfter b1: Black at least draws\n")
    assert text.endswith(explain(after.certificate))


def test_a_win_at_once() -> None:
    assert explain_look_ahead(proof_of("121212")) == "White wins: a4 ends the game"


def test_a_reply_to_every_move() -> None:
    ahead = every_move()
    heading, empty, *lines = explain_look_ahead(ahead).splitlines()
    mover = ahead.position.to_move
    assert heading.endswith(f"against every move of {mover} there is a reply after which the rules prove it")
    assert empty == ""
    assert len(lines) == len(ahead.position.legal_columns)


def test_json_has_a_proof_for_every_line_that_goes_on() -> None:
    for position in random_positions("7x6", 60, seed=25, least_ply=18):
        ahead = look_ahead(position, 2)
        if ahead is None or ahead.certificate is not None:
            continue
        for entry in json.loads(json.dumps(look_ahead_to_json(ahead))):
            reached = position
            for column in entry["line"]:
                reached = reached.play(int(column) - 1)
            if entry["proof"] is None:
                assert reached.is_over
                assert reached.winner is not (Side.BLACK if ahead.bounds == WHITE_WINS else Side.WHITE)
            else:
                assert is_chosen_set(certificate_from_json(reached, entry["proof"]))
