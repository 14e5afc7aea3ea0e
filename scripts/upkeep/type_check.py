"""`python -m scripts.upkeep.type_check`: mypy over the whole repository; arguments go to mypy.

The folders of the repository are installed as parts of the package `claimeven`, under names that mypy cannot find in
the tree. It is shown a folder of links instead, and what it says of them is printed with the paths of the repository.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from .environment import ROOT, prepare

ROOMS = ("cluster", "db", "reports", "scripts", "solver")

LINKS = Path("build", "links", "claimeven")
"""Where the links are, seen from the repository; `mypy_path` in pyproject.toml is the folder above."""


def main() -> int:
    return check_types(prepare("test", optional="bench"), *sys.argv[1:])


def check_types(python: Path, *arguments: str) -> int:
    """Run mypy with an environment's Python and print what it says; give its status."""
    make_links(ROOT)
    command = [str(python), "-m", "mypy", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, encoding="utf-8") as mypy:
        assert mypy.stdout is not None
        for line in mypy.stdout:
            print(show_in_repository(line), end="", flush=True)
    return mypy.returncode


def make_links(root: Path) -> None:
    """Make the folder of links below a repository; links that are there and right are left alone."""
    folder = root / LINKS
    folder.mkdir(parents=True, exist_ok=True)
    for room in ROOMS:
        link, target = folder / room, root / room
        if link.exists() and link.samefile(target):
            continue
        _remove(link)
        if os.name == "nt":
            # Unlike symbolic links, junctions need no right that ordinary users lack.
            subprocess.run(["cmd", "/c", "mklink", "/J", link, target], stdout=subprocess.DEVNULL, check=True)
        else:
            link.symlink_to(os.path.relpath(target, folder), target_is_directory=True)


def show_in_repository(line: str) -> str:
    """A line of mypy's with the path that a reader knows.

    >>> show_in_repository("build/links/claimeven/solver/board.py:7: error: no type")
    'solver/board.py:7: error: no type'
    """
    for prefix in (LINKS.as_posix() + "/", str(LINKS) + os.sep):
        line = line.replace(prefix, "")
    return line


def _remove(link: Path) -> None:
    """Take away a link that leads elsewhere or nowhere, never what it leads to."""
    if link.is_symlink():
        link.unlink()
    elif os.path.lexists(link):
        link.rmdir()  # takes a junction away, and refuses a folder with something in it


if __name__ == "__main__":
    sys.exit(main())
