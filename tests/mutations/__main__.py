"""`python -m tests.mutations`: break every condition on purpose and say which test of the default run notices.

python -m tests.mutations                                  all of them, as a table
python -m tests.mutations "claim 5" --json                 those whose name holds this, a JSON object a line
python -m tests.mutations --out reports/results/mutations.md
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.mutations.catching import Outcome, catch_all
from tests.mutations.mutants import MUTATIONS

QUICK_TEST = ("tests/solver/proof/test_thesis_positions.py",)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description="Break every condition on purpose.")
    parser.add_argument("names", nargs="*", help="only the mutations whose name holds one of these; nothing: none")
    parser.add_argument("--exact", action="store_true", help="only those whose name is one of these")
    parser.add_argument("--tests", nargs="+", default=QUICK_TEST, help="what to run when nothing is broken")
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of a table")
    parser.add_argument("--out", type=Path, help="also write the table to this file")
    options = parser.parse_args()
    chosen = [mutation for name, mutation in MUTATIONS.items() if _is_meant(name, options.names, options.exact)]
    control = [None] if "nothing" in options.names else []
    outcomes = []
    for outcome in catch_all([*chosen, *control], options.tests):
        outcomes.append(outcome)
        if options.json:
            print(json.dumps(outcome.as_json()), flush=True)
        else:
            print(f"{outcome.breaks}: {outcome.caught_by or 'NOT CAUGHT'} ({outcome.seconds:.1f} s)", flush=True)
    outcomes.sort(key=lambda outcome: list(MUTATIONS).index(outcome.breaks) if outcome.file else -1)
    if options.out is not None:
        options.out.write_text(format_table(outcomes), encoding="utf-8")
    return 1 if any(not outcome.caught_by and outcome.file for outcome in outcomes) else 0


def _is_meant(name: str, wanted: list[str], exact: bool) -> bool:
    return not wanted or any(part == name if exact else part in name for part in wanted)


def format_table(outcomes: list[Outcome]) -> str:
    """The outcomes as a Markdown page, with the commit and the machine."""
    from claimeven.reports.machine import describe_run

    run = "\n".join(f"- {name}: {value}" for name, value in describe_run().items())
    caught = sum(bool(outcome.caught_by) for outcome in outcomes)
    lines = [
        "# Conditions broken on purpose, and the test that notices",
        "",
        f"Written by `python -m tests.mutations --out FILE`: the default test run catches {caught} of {len(outcomes)}.",
        "",
        run,
        "",
        "| broken | in | caught by |",
        "|---|---|---|",
    ]
    for outcome in outcomes:
        test = outcome.caught_by.split("::", 1)[-1] or "**nothing**"
        lines.append(f"| {outcome.breaks} | `{outcome.file}` | {test} |".replace("\n", " "))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
