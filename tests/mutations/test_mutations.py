"""Breaking any one condition on purpose is noticed by the default test run.

The default run breaks some conditions of every kind; `-m slow` breaks all of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache

import pytest

from tests.mutations.mutants import MUTATIONS
from tests.mutations.mutation import CHECKER_TESTS, PROVER_TESTS, ROOT, RULE_TESTS, Mutation

# Some of rules, constraints, win conditions, checker, definitions, prover and play, that are noticed soon.
DEFAULT = [
    "Claimeven: the lower square is odd",
    "Aftereven: above the empty square in every column",
    "Lowinverse: both uppers",
    "Before: the successors of all empty squares",
    "Specialbefore: all successors and x",
    "constraint 2: at the inverse counts, Lowinverse",
    "constraint 3",
    "constraint 4: column pairs",
    "odd threat: an even square below t is not dead",
    "claim 5: only if o is not playable",
    "Black wins only with an Aftereven",
    "checker: every pair combines",
    "definition: a problem has none of the controller's",
    "play: a Claimeven's lower square is forbidden",
]


def catch(*names: str) -> dict[str, str]:
    """Break these conditions, each in a process of its own; by name, the test that noticed."""
    command = [sys.executable, "-m", "tests.mutations", "--json", "--exact", *names]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not result.stderr, result.stderr
    outcomes = map(json.loads, result.stdout.splitlines())
    return {outcome["breaks"]: outcome["caught_by"] for outcome in outcomes}


@cache
def default_outcomes() -> dict[str, str]:
    return catch(*DEFAULT, "nothing")


@pytest.mark.parametrize("name", MUTATIONS)
def test_the_source_still_holds_what_is_to_be_broken(name: str) -> None:
    mutation = MUTATIONS[name]
    compile(mutation.apply(), mutation.file, "exec")
    for test in mutation.tests:
        assert (ROOT / test.split("::")[0]).is_file()


def test_a_mutation_that_fits_nowhere_is_an_error() -> None:
    with pytest.raises(ValueError, match="0 times"):
        Mutation("solver/rules/claimeven.py", "no such text", "", "nothing", RULE_TESTS).apply()


@pytest.mark.parametrize("name", DEFAULT)
def test_a_broken_condition_is_noticed(name: str) -> None:
    assert default_outcomes()[name].startswith("tests/")


def test_nothing_broken_is_not_noticed() -> None:
    """The tests fail because of what is broken, not because of how they are run here."""
    assert default_outcomes()["nothing"] == ""


@pytest.mark.slow
def test_every_broken_condition_is_noticed() -> None:
    outcomes = catch(*MUTATIONS)
    assert set(outcomes) == set(MUTATIONS)
    assert [name for name, caught_by in outcomes.items() if not caught_by.startswith("tests/")] == []


@pytest.mark.slow
@pytest.mark.parametrize("tests", [RULE_TESTS, PROVER_TESTS, CHECKER_TESTS], ids=lambda tests: tests[0])
def test_every_test_that_is_to_notice_passes_when_nothing_is_broken(tests: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "tests.mutations", "--json", "--exact", "nothing", "--tests", *tests]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert json.loads(result.stdout)["caught_by"] == ""
