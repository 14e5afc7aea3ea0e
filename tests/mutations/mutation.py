"""A deliberate mistake: one condition broken in the source of one module."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

_GENERATOR = "tests/solver/rules/test_generator.py"

_CLAUSES = "tests/solver/proof/test_sat.py::test_kernels_and_definitions_give_the_same_clauses"

RULE_TESTS = (_GENERATOR, _CLAUSES)
COMBINATION_TESTS = (f"{_GENERATOR}::test_conflicts_are_those_of_the_definitions", _CLAUSES)
CONDITION_TESTS = ("tests/solver/rules/test_win_conditions.py", _GENERATOR)
PROVER_TESTS = (
    "tests/solver/proof/test_thesis_positions.py",
    "tests/solver/rules/test_win_conditions.py",
    "tests/solver/proof/test_prover.py",
)
CHECKER_TESTS = (
    "tests/solver/proof/test_checker.py",
    "tests/solver/rules/test_win_conditions.py",
    "tests/solver/proof/test_definitions.py",
    _GENERATOR,
)
_CHECK_BATCH = "tests/solver/proof/test_check_batch.py"
_ARRAY_CHECK = "tests/solver/proof/array_check"
ARRAY_INSTANCE_TESTS = (f"{_ARRAY_CHECK}/test_instances.py",)
ARRAY_CONDITION_TESTS = (f"{_ARRAY_CHECK}/test_win_conditions.py",)
ARRAY_SITUATION_TESTS = (f"{_CHECK_BATCH}::test_positions_that_cannot_be", f"{_CHECK_BATCH}::test_damaged_samples")
ARRAY_CHECK_TESTS = (
    f"{_CHECK_BATCH}::test_damaged_samples",
    f"{_CHECK_BATCH}::test_no_rule_uses_a_column_of_the_win_condition",
    f"{_CHECK_BATCH}::test_a_win_condition_must_hold_even_where_there_is_no_problem",
    f"{_CHECK_BATCH}::test_afterevens",
    *ARRAY_INSTANCE_TESTS,
)
PROOF_BATCH_TESTS = (
    "tests/solver/proof/test_proof_batch.py::test_equal_to_prove[5x4]",
    "tests/solver/proof/test_proof_batch.py::test_equal_to_prove[2x20x3]",
)
PLAY_TESTS = ("tests/solver/proof/test_strategy.py",)


@dataclass(frozen=True, slots=True)
class Mutation:
    """In `file` the text `old`, which occurs there once, becomes `new`; `breaks` says which condition that is.

    `tests` are the tests of the default run, or files of them, that have to notice; they are run in this order.
    """

    file: str
    old: str
    new: str
    breaks: str
    tests: tuple[str, ...]

    @property
    def module(self) -> str:
        """The name under which Python imports the file."""
        return "claimeven." + self.file.removesuffix(".py").replace("/", ".")

    def apply(self) -> str:
        """The source of the broken module; raises ValueError unless the text to replace is there exactly once."""
        source = (ROOT / self.file).read_text(encoding="utf-8")
        found = source.count(self.old)
        if found != 1:
            raise ValueError(f"{self.file} holds {self.old!r} {found} times, so {self.breaks!r} cannot be broken there")
        return source.replace(self.old, self.new)


def mutations_of(file: str, tests: tuple[str, ...], changes: Iterable[tuple[str, str, str]]) -> list[Mutation]:
    """The mutations of one file, each given as what it breaks, the old text and the new one."""
    return [Mutation(file, old, new, breaks, tests) for breaks, old, new in changes]
