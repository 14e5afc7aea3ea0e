"""Where compiled kernels are kept: in a folder of its own for each state of the sources.

numba's own cache notices a change of the file a kernel is in, but not of the files it takes other kernels
and constants from. Keying the cache by all of those makes a stale kernel impossible, so kernels may be spread
over readable modules. A module with kernels in it imports as little else as it can, because whatever it
imports counts as part of the kernels.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from functools import cache
from pathlib import Path

import platformdirs

ROOT = Path(__file__).parents[1]
LOADING = {
    Path(__file__).with_name(f"{name}.py") for name in ("declaration", "loading", "machine_code", "place", "seal")
}
"""Modules that every module with kernels imports, and that are no part of them: they load what was compiled."""


@cache
def cache_directory() -> Path | None:
    """Where compiled kernels are kept; None where nothing can be written, then they are compiled every time."""
    base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("claimeven", appauthor=False)
    directory = Path(base) / f"kernels-{SOURCES}"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return directory
    except OSError:
        return None


def have_sources_changed() -> bool:
    """Whether the sources are others than when the first kernel was declared: what is compiled now may be of either."""
    return hash_of_sources() != SOURCES


def hash_of_sources() -> str:
    """What tells this state of the sources from any other."""
    # Of each copy of the sources its own: numba keeps the kernels of each apart, and the seals have to do so too.
    digest = hashlib.sha256(str(ROOT).encode())
    for path in kernel_sources():
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


_IMPORTED = re.compile(r"^\s*(?:from|import) claimeven\.solver\.([\w.]+)", re.MULTILINE)


def kernel_sources() -> list[Path]:
    """The modules that hold kernels, and every module of this package that those import."""
    sources = {path: path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")}
    found = {path for path, text in sources.items() if "from claimeven.solver.kernel import" in text}
    waiting = list(found)
    while waiting:
        for name in _IMPORTED.findall(sources[waiting.pop()]):
            module = ROOT.joinpath(*name.split("."))
            for path in (module.with_suffix(".py"), module / "__init__.py"):
                if path in sources and path not in found:
                    found.add(path)
                    waiting.append(path)
    return sorted(found - LOADING)


SOURCES = hash_of_sources()
"""The state of the sources at the start: a program that runs while they are changed must not keep what it compiles."""
