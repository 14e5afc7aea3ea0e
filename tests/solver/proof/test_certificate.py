"""Certificates as JSON: what is written is read back, and what cannot be read says where."""

from __future__ import annotations

import json
from typing import Any

import pytest

from claimeven.solver.position import Side
from claimeven.solver.proof.certificate import Certificate, CertificateError, certificate_from_json, certificate_to_json
from tests.positions import at
from tests.solver.proof.certificates import (
    AFTEREVENS,
    EMPTY_6X6,
    NEEDS_BEFORE,
    ODD_THREAT,
    SAMPLES,
    instance_in,
    odd_threat,
    solution_json,
)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_certificate_survives_json(name: str) -> None:
    sample = SAMPLES[name]
    assert certificate_from_json(sample.position, json.loads(json.dumps(certificate_to_json(sample)))) == sample


def test_the_json_names_rules_and_squares() -> None:
    assert certificate_to_json(NEEDS_BEFORE) == {
        "controller": "black",
        "win_condition": None,
        "solutions": [
            {"rule": "Claimeven", "squares": ["a1", "a2"]},
            {"rule": "Before", "squares": ["a3", "a4", "b4", "b5"], "group": ["a4", "b4", "c4", "d4"]},
        ],
    }
    assert certificate_to_json(ODD_THREAT)["win_condition"] == odd_threat("a3b3c3d3", "a3")


@pytest.mark.parametrize(("sample", "value"), [(EMPTY_6X6, "not-white"), (AFTEREVENS, "black"), (ODD_THREAT, "white")])
def test_the_claim_follows_from_the_controller_and_the_afterevens(sample: Certificate, value: str) -> None:
    assert str(sample.bounds) == value


def test_the_controller_is_the_side_that_is_not_to_move_unless_named() -> None:
    assert certificate_from_json(at(""), {"solutions": []}).controller is Side.BLACK
    assert certificate_from_json(at("4"), {"solutions": []}).controller is Side.WHITE
    assert certificate_from_json(at("4"), {"controller": "black", "solutions": []}).controller is Side.BLACK


@pytest.mark.parametrize(
    ("moves", "text", "group"),
    [
        ("", "Before a1a2 b1b2 c2c3 d2d3", "a2b2c2d2"),
        ("", "Before a1a2 b1b2 c1c2 d1d2", "a1b1c1d1"),  # on row 2 it were an Aftereven
        ("", "Before a2a3 b2b3 c2c3 d2d3", "a2b2c2d2"),  # an odd square is no upper one
        ("", "Aftereven a1a2 b1b2 c1c2 d1d2", "a2b2c2d2"),
        ("", "Specialbefore a1 e1 b1b2 c1c2 d1d2", "a1b1c1d1"),
        ("43443444536335525626636567777772", "Before a3a4 b4b5", "a4b4c4d4"),  # a3 b4 c5 d6 has White's c5
    ],
)
def test_a_group_is_inferred_where_only_one_is_possible(moves: str, text: str, group: str) -> None:
    position = at(moves)
    assert instance_in(position, text) == instance_in(position, f"{text} of {group}")


@pytest.mark.parametrize(
    ("moves", "text", "count"),
    [
        ("", "Before a2a3 b2b3 c2c3 e2e3", 0),
        ("", "Aftereven a2a3 b2b3 c2c3 d2d3", 0),
        ("444545443331313351115155", "Aftereven b1b2", 2),  # Black has a2 c2 d2 e2
    ],
)
def test_a_group_is_asked_for_where_it_is_not_obvious(moves: str, text: str, count: int) -> None:
    with pytest.raises(CertificateError, match=f"solution 1: {count} groups fit this .*; name one as 'group'"):
        instance_in(at(moves), text)


@pytest.mark.parametrize(
    ("proof", "reason"),
    [
        ([], "the proof: not an object"),
        (None, "the proof: not an object"),
        ({}, "solutions: not a list"),
        ({"solutions": {}}, "solutions: not a list"),
        ({"solutions": [], "controller": "red"}, "controller: 'red' is neither white nor black"),
        ({"solutions": ["Claimeven"]}, "solution 1: not an object"),
        ({"solutions": [{"rule": "Claimodd", "squares": []}]}, "solution 1: unknown rule 'Claimodd'"),
        ({"solutions": [{"squares": ["a1", "a2"]}]}, "solution 1: unknown rule None"),
        ({"solutions": [{"rule": "Claimeven", "squares": "a1a2"}]}, "solution 1: 'a1a2' is not a list of squares"),
        ({"solutions": [{"rule": "Claimeven"}]}, "solution 1: None is not a list of squares"),
        ({"solutions": [{"rule": "Claimeven", "squares": ["a1", 2]}]}, "solution 1: 2 is not a square"),
        (
            {"solutions": [solution_json("Claimeven a1a2"), solution_json("Claimeven a1a7")]},
            "solution 2: 'a7' is outside the 7x6 board",
        ),
        ({"solutions": [], "win_condition": {"kind": "even threat"}}, "win_condition: unknown kind 'even threat'"),
        ({"solutions": [], "win_condition": {"kind": "odd threat"}}, "win_condition: None is not a list of squares"),
        (
            {"solutions": [], "win_condition": {"kind": "odd threat", "group": ["a3", "b3", "c3", "d3"]}},
            "win_condition: None is not a square",
        ),
        (
            {"solutions": [], "win_condition": [odd_threat("a3b3c3d3", "a3"), odd_threat("a3b3c3d3", "a3")]},
            "win_condition: not an object",
        ),
    ],
)
def test_what_cannot_be_read_says_where(proof: Any, reason: str) -> None:
    with pytest.raises(CertificateError) as refusal:
        certificate_from_json(at(""), proof)
    assert reason in str(refusal.value)
