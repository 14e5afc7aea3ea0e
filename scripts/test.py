"""`python -m scripts.test`: set everything up and run all checks; arguments go to pytest."""

from __future__ import annotations

import sys

from scripts.environment import prepare, run

CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("pytest",),
)


def main() -> int:
    python = prepare("test")
    failed = []
    for check in CHECKS:
        print(f"\n$ {' '.join(check)}", flush=True)
        if run(python, "-m", *check, *(sys.argv[1:] if check[0] == "pytest" else [])):
            failed.append(" ".join(check))
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
