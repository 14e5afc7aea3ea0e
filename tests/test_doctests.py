"""The examples in docstrings, each module loaded once and under the name that users import it by."""

from __future__ import annotations

import doctest
import inspect
from importlib import import_module
from pathlib import Path

import pytest

import claimeven

ROOT = Path(__file__).parents[1]
ROOMS = ("claimeven", "solver", "cluster", "db", "reports", "scripts")


def name_of(path: Path) -> str:
    """The name that a module is imported by."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == "claimeven" else ("claimeven", *parts)).removesuffix(".__init__")


MODULES = sorted(
    name_of(path)
    for room in ROOMS
    for path in (ROOT / room).rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_right(name: str) -> None:
    failed, tried = doctest.testmod(import_module(name))
    assert tried > 0
    assert failed == 0


@pytest.mark.parametrize("name", [name for name in claimeven.__all__ if name != "__version__"])
def test_every_public_name_has_an_example_that_is_run(name: str) -> None:
    exported = getattr(claimeven, name)
    assert name in str(inspect.getdoc(exported)).partition(">>> ")[2]
    assert exported.__module__ in MODULES
