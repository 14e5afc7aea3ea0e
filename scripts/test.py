"""`python -m scripts.test`: set everything up and run all checks; arguments go to pytest."""

from __future__ import annotations

import sys

from .upkeep.environment import prepare, run
from .upkeep.services import provide_browser, provide_database
from .upkeep.type_check import check_types

CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
)

ON_ALL_CORES = ("-n", "auto", "--maxprocesses", "8", "--dist", "loadfile")
"""A file's tests stay together: they share stores that are made once, and some a database. `-n 0` undoes it."""


def main() -> int:
    python = prepare("test", optional="bench")
    failed = []
    for check in CHECKS:
        _announce(*check)
        if run(python, "-m", *check):
            failed.append(" ".join(check))
    _announce("mypy")
    if check_types(python):
        failed.append("mypy")
    provide_browser()
    with provide_database() as variables:
        _announce("pytest", *ON_ALL_CORES, *sys.argv[1:])
        if run(python, "-m", "pytest", *ON_ALL_CORES, *sys.argv[1:], variables=variables):
            failed.append("pytest")
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _announce(*command: str) -> None:
    print(f"\n$ {' '.join(command)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
