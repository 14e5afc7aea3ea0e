"""Whatever it is given, reading and checking a certificate ends in a certificate or in a CertificateError."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from claimeven.scripts.main import claimeven
from claimeven.solver.board import Board
from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import (
    Certificate,
    CertificateError,
    OddThreat,
    ThreatCombination,
    WinCondition,
    certificate_from_json,
    certificate_to_json,
)
from claimeven.solver.proof.checker import check_certificate, find_flaws, problems_of, problems_solved_by
from claimeven.solver.proof.playout import play_out
from claimeven.solver.proof.strategy import Strategy, StrategyError
from claimeven.solver.rules.rule import Rule, RuleInstance
from tests.solver.games import positions
from tests.solver.proof.certificates import SAMPLES

SAMPLE_JSON = [(sample.position, certificate_to_json(sample)) for sample in SAMPLES.values()]

FIELDS = "controller win_condition solutions rule squares group kind square odd_group even_group crossing odd even"
VALUES = ("white", "black", "odd threat", "threat combination", *map(str, Rule))

words = st.sampled_from((*FIELDS.split(), *VALUES))
names = st.builds("{}{}".format, st.sampled_from("abcdefgh"), st.integers(0, 9))
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | words | names
any_json = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=6) | st.dictionaries(words | st.text(max_size=4), inner, max_size=6)
)
solutions = st.fixed_dictionaries(
    {"rule": st.sampled_from([str(rule) for rule in Rule]), "squares": st.lists(names, max_size=8)},
    optional={"group": st.lists(names, max_size=5) | st.none()},
)
conditions = st.none() | st.one_of(
    st.fixed_dictionaries({"kind": st.just("odd threat"), "group": st.lists(names, max_size=5), "square": names}),
    st.fixed_dictionaries(
        {
            "kind": st.just("threat combination"),
            "odd_group": st.lists(names, max_size=5),
            "even_group": st.lists(names, max_size=5),
            "crossing": names,
            "odd": names,
            "even": names,
        }
    ),
)
proofs = st.fixed_dictionaries(
    {"solutions": st.lists(solutions, max_size=5), "win_condition": conditions},
    optional={"controller": st.sampled_from(["white", "black"])},
)


def read_and_check(position: Position, data: object) -> None:
    """Go through everything that a stored or given certificate goes through."""
    try:
        certificate = certificate_from_json(position, data)
    except CertificateError:
        return
    assert certificate_from_json(position, json.loads(json.dumps(certificate_to_json(certificate)))) == certificate
    check(certificate)


def check(certificate: Certificate) -> None:
    flaws = list(find_flaws(certificate))
    assert all(flaw and "\n" not in flaw for flaw in flaws)
    if flaws:
        with pytest.raises(CertificateError) as refusal:
            check_certificate(certificate)
        assert str(refusal.value) == flaws[0]
    else:
        check_certificate(certificate)
    for function in (problems_of, problems_solved_by):
        with suppress(CertificateError):
            function(certificate)


def places_in(data: Any) -> list[tuple[Any, Any]]:
    """Every list and object inside, with each of its indices or keys."""
    if isinstance(data, dict):
        return [(data, key) for key in data] + [place for value in data.values() for place in places_in(value)]
    if isinstance(data, list):
        return [(data, index) for index in range(len(data))] + [place for value in data for place in places_in(value)]
    return []


@given(positions(), any_json)
@settings(deadline=None)
def test_any_json(position: Position, data: object) -> None:
    read_and_check(position, data)


@given(positions(), proofs)
@settings(deadline=None, max_examples=200)
def test_any_proof_that_can_be_read(position: Position, data: dict[str, Any]) -> None:
    read_and_check(position, data)


@given(st.sampled_from(SAMPLE_JSON), st.data())
@settings(deadline=None, max_examples=300)
def test_a_certificate_with_anything_in_one_place(
    sample: tuple[Position, dict[str, Any]], chance: st.DataObject
) -> None:
    position, proof = sample[0], copy.deepcopy(sample[1])
    container, key = chance.draw(st.sampled_from(places_in(proof)))
    if chance.draw(st.booleans()):
        container[key] = chance.draw(any_json)
    else:
        del container[key]
    read_and_check(position, proof)


squares = st.integers(-3, 70) | st.integers()
groups = st.lists(squares, max_size=6).map(tuple)


@given(
    st.builds(
        Certificate,
        position=st.builds(
            Position, st.sampled_from([Board(), Board(4, 4), Board(6, 5), Board(5, 4, 3)]), st.integers(), st.integers()
        )
        | positions(),
        controller=st.sampled_from(Side),
        win_condition=st.none()
        | st.builds(OddThreat, groups, squares)
        | st.builds(ThreatCombination, groups, groups, squares, squares, squares),
        instances=st.lists(st.builds(RuleInstance, st.sampled_from(Rule), groups, st.none() | groups), max_size=4).map(
            tuple
        ),
    )
)
@settings(deadline=None, max_examples=300)
def test_the_checker_takes_any_certificate(certificate: Certificate) -> None:
    with suppress(CertificateError):
        check_certificate(certificate)


@given(st.sampled_from(list(SAMPLES.values())), st.data())
@settings(deadline=None, max_examples=200)
def test_the_checker_takes_any_numbers_in_a_certificate_that_held(sample: Certificate, chance: st.DataObject) -> None:
    number = chance.draw(st.integers(0, len(sample.instances) - 1))
    instance = sample.instances[number]
    changed = RuleInstance(
        chance.draw(st.sampled_from(Rule)),
        chance.draw(st.permutations(instance.squares).map(tuple) | groups),
        chance.draw(st.just(instance.group) | st.none() | groups),
    )
    condition: WinCondition | None = chance.draw(st.just(sample.win_condition) | st.builds(OddThreat, groups, squares))
    instances = (*sample.instances[:number], changed, *sample.instances[number + 1 :])
    check(Certificate(sample.position, sample.controller, condition, instances))


@given(st.sampled_from(list(SAMPLES.values())), st.data())
@settings(deadline=None, max_examples=100)
def test_a_certificate_that_lacks_something_can_still_be_played(sample: Certificate, chance: st.DataObject) -> None:
    kept = tuple(instance for instance in sample.instances if chance.draw(st.booleans()))
    weaker = Certificate(sample.position, sample.controller, sample.win_condition, kept)
    result = play_out(weaker, nodes=2_000)
    if result.failure is not None:
        position = sample.position
        for column in result.line:
            position = position.play(column)
    strategy = Strategy.of(weaker)
    while not strategy.position.is_over:
        column = chance.draw(st.sampled_from(strategy.position.legal_columns))
        try:
            reply = None if strategy.position.play(column).is_over else strategy.reply(column)
        except StrategyError:
            break
        strategy = strategy.after(column, reply)


@given(
    st.lists(st.text(max_size=12) | st.text("1234567", max_size=30), max_size=3),
    st.none() | st.text(max_size=6) | st.builds("{}x{}".format, st.integers(0, 12), st.integers(0, 12)),
    st.booleans(),
)
@settings(deadline=None, max_examples=150)
def test_prove_takes_any_text(moves: list[str], board: str | None, as_json: bool) -> None:
    arguments = [
        "prove",
        "--budget",
        "20",
        *(["--json"] if as_json else []),
        *([] if board is None else ["--board", board]),
    ]
    result = CliRunner().invoke(claimeven, [*arguments, "--", *moves], input="")
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.exit_code in (0, 2)
    assert "Traceback" not in result.output
    if result.exit_code == 0 and as_json:
        assert json.loads(result.stdout)["value"] in ("white", "black", "not-white", "unknown")


@given(st.binary(max_size=60))
@settings(deadline=None, max_examples=60)
def test_prove_takes_any_bytes_from_stdin(stdin: bytes) -> None:
    result = CliRunner().invoke(claimeven, ["prove", "--budget", "20", "-"], input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.exit_code in (0, 2)
