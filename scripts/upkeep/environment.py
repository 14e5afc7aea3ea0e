"""The virtual environment that the README's two commands work in; made on first use with nothing but Python."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIRECTORY = ROOT / ".venv"
OLDEST_PYTHON = (3, 11)


def prepare(extra: str = "", *, optional: str = "") -> Path:
    """Make the environment, or bring it up to date, with the project and an extra; give its Python.

    The optional extra is left out, with a warning, if it cannot be installed.
    """
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(f"Python {'.'.join(map(str, OLDEST_PYTHON))} or newer is needed, this is {sys.version.split()[0]}")
    python = DIRECTORY / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = DIRECTORY / f"installed-{extra or 'plain'}"
    wanted = _installation()
    if python.exists() and stamp.exists() and stamp.read_text() == wanted:
        return python
    print(f"setting up {DIRECTORY.name} (once) ...", file=sys.stderr, flush=True)
    if not python.exists():
        try:
            venv.create(DIRECTORY, with_pip=True, clear=True)
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"cannot make a virtual environment in {DIRECTORY}: {error}")
    if not _install(python, extra):
        sys.exit("the installation failed; what pip says above tells why")
    if optional and not _install(python, ",".join(filter(None, (extra, optional)))):
        print(f"warning: the extra {optional!r} cannot be installed here; going on without it", file=sys.stderr)
    stamp.write_text(wanted)
    return python


def run(python: Path, *arguments: str, variables: Mapping[str, str] | None = None) -> int:
    """Run the environment's Python in the project's directory, with more environment variables; give its status."""
    try:
        environment = os.environ | dict(variables or {})
        return subprocess.run([python, *arguments], cwd=ROOT, env=environment, check=False).returncode
    except KeyboardInterrupt:
        return 130


def _installation() -> str:
    """A digest of what an installation depends on; settings of tools and new packages need no other one.

    >>> len(_installation())
    64
    """
    import tomllib  # the Pythons that `prepare` refuses do not have it

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = [project["build-system"], project["project"], project["tool"]["setuptools"]["package-dir"]]
    return hashlib.sha256(json.dumps(needed, sort_keys=True).encode()).hexdigest()


def _install(python: Path, extra: str) -> bool:
    project = f"{ROOT}[{extra}]" if extra else str(ROOT)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", project]
    return subprocess.run(install, check=False).returncode == 0
