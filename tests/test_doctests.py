"""The examples in docstrings, each module loaded once and under the name that users import it by."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("solver", "db", "reports", "scripts")
MODULES = sorted(
    "claimeven." + ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for room in ROOMS
    for path in (ROOT / room).rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", ["claimeven", *MODULES])
def test_examples_in_docstrings_are_right(name: str) -> None:
    failed, tried = doctest.testmod(import_module(name))
    assert tried > 0
    assert failed == 0
