"""The virtual environment that the README's two commands work in; made on first use with nothing but Python."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIRECTORY = ROOT / ".venv"
OLDEST_PYTHON = (3, 11)


def prepare(extra: str = "") -> Path:
    """Make the environment, or bring it up to date, with the project and an optional extra; give its Python."""
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(f"Python {'.'.join(map(str, OLDEST_PYTHON))} or newer is needed, this is {sys.version.split()[0]}")
    python = DIRECTORY / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = DIRECTORY / f"installed-{extra or 'plain'}"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if python.exists() and stamp.exists() and stamp.read_text() == wanted:
        return python
    print(f"setting up {DIRECTORY.name} (once) ...", file=sys.stderr, flush=True)
    if not python.exists():
        try:
            venv.create(DIRECTORY, with_pip=True, clear=True)
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"cannot make a virtual environment in {DIRECTORY}: {error}")
    project = f"{ROOT}[{extra}]" if extra else str(ROOT)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", project]
    if subprocess.run(install, check=False).returncode:
        sys.exit("the installation failed; what pip says above tells why")
    stamp.write_text(wanted)
    return python


def run(python: Path, *arguments: str) -> int:
    """Run the environment's Python in the project's directory; give its exit status."""
    try:
        return subprocess.run([python, *arguments], cwd=ROOT, check=False).returncode
    except KeyboardInterrupt:
        return 130
