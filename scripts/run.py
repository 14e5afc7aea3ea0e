"""`python -m scripts.run`: set everything up and show what claimeven does, or run one `claimeven` command."""

from __future__ import annotations

import sys
from pathlib import Path

from .upkeep.environment import ROOT, prepare, run

REPORT = "report"

TOUR = (
    ("prove", "444433351225255"),
    ("book", "build", "--ply", "2"),
    ("query", "4"),
    ("report", "--out", REPORT),
)
"""A win by an odd threat, the first two plies solved, a question about them, and the page with all of it."""


EXPLORER = ("serve", "--open")
NO_BROWSER = "--no-browser"
"""The one argument that the tour itself takes: it then asks nothing, as it does without a terminal."""


def main() -> int:
    python = prepare(optional="web")
    arguments = tuple(sys.argv[1:])
    if arguments and arguments != (NO_BROWSER,):
        return run(python, "-m", "claimeven", *arguments)
    for command in TOUR:
        print(f"\n$ claimeven {' '.join(command)}", flush=True)
        status = run(python, "-m", "claimeven", *command)
        if status:
            return status
    print(f"\nOpen this page in a browser: {(ROOT / REPORT / 'index.html').as_uri()}")
    return _offer_explorer(python, asks=not arguments and sys.stdin.isatty() and sys.stdout.isatty())


def _offer_explorer(python: Path, *, asks: bool) -> int:
    """Name the explorer in one line and, where somebody can answer, open it if wanted."""
    words = f"A board to click, with a score under every column: python -m scripts.run {' '.join(EXPLORER)}"
    if not asks:
        print(words)
        return 0
    try:
        answer = input(f"{words}. Open it now? [y/N] ")
    except (EOFError, KeyboardInterrupt):
        answer = ""
        print()
    return run(python, "-m", "claimeven", *EXPLORER) if answer.strip().lower() in ("y", "yes") else 0


if __name__ == "__main__":
    sys.exit(main())
