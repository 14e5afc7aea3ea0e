"""`python -m scripts.run`: set everything up and show what claimeven does, or run one `claimeven` command."""

from __future__ import annotations

import sys

from .environment import ROOT, prepare, run

REPORT = "report"

TOUR = (
    ("prove", "444433351225255"),
    ("book", "build", "--ply", "2"),
    ("query", "4"),
    ("report", "--out", REPORT),
)
"""A win by an odd threat, the first two plies solved, a question about them, and the page with all of it."""


def main() -> int:
    python = prepare()
    for command in [tuple(sys.argv[1:])] if sys.argv[1:] else TOUR:
        if not sys.argv[1:]:
            print(f"\n$ claimeven {' '.join(command)}", flush=True)
        status = run(python, "-m", "claimeven", *command)
        if status:
            return status
    if not sys.argv[1:]:
        print(f"\nOpen this page in a browser: {(ROOT / REPORT / 'index.html').as_uri()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
