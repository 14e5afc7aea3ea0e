"""What is installed: one import package, whole, under a name that nothing beside a user's program can take."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from claimeven import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ROOMS = {name: ROOT / folder for name, folder in PROJECT["tool"]["setuptools"]["package-dir"].items()}
FILES = ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md")
IN_THE_WAY = {"db.py", "solver.py", "scripts/__init__.py", "reports/__init__.py"}
"""What a user may well have beside a program; nothing of claimeven may find it."""


def installed_paths() -> set[str]:
    """Where each module of the rooms is to be found below site-packages."""
    return {
        "/".join([*name.split("."), *path.relative_to(folder).parts])
        for name, folder in ROOMS.items()
        for path in folder.rglob("*.py")
    }


@dataclass(frozen=True)
class Distributions:
    """The files that are published."""

    wheel: Path
    sdist: Path

    def in_wheel(self) -> set[str]:
        with zipfile.ZipFile(self.wheel) as archive:
            return set(archive.namelist())

    def in_sdist(self) -> set[str]:
        with tarfile.open(self.sdist) as archive:
            return {name.partition("/")[2] for name in archive.getnames()}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is published, as building writes into the tree and takes up what is left there from before."""
    copy = tmp_path_factory.mktemp("checkout")
    for folder in (*ROOMS.values(), ROOT / "tests"):
        shutil.copytree(folder, copy / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, copy)
    return copy


@pytest.fixture(scope="module")
def built(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Distributions:
    out = tmp_path_factory.mktemp("dist")
    # The wheel is made of the unpacked sdist, so it shows that nothing is missing there.
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(checkout)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "absent from the `packages`" not in result.stdout + result.stderr
    (wheel,), (sdist,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return Distributions(wheel, sdist)


def test_the_packages_listed_are_those_of_the_tree() -> None:
    packages = {path.rpartition("/")[0].replace("/", ".") for path in installed_paths()}
    assert sorted(PROJECT["tool"]["setuptools"]["packages"]) == sorted(packages)
    assert {f"{each.replace('.', '/')}/__init__.py" for each in packages} <= installed_paths()


def test_the_wheel_has_one_name_to_import(built: Distributions) -> None:
    names = {path.partition("/")[0] for path in built.in_wheel()}
    assert names == {"claimeven", f"claimeven-{__version__}.dist-info"}


def test_the_wheel_is_whole(built: Distributions) -> None:
    modules = {path for path in built.in_wheel() if path.endswith(".py")}
    assert modules == installed_paths()
    data = {path for path in built.in_wheel() if path.startswith("claimeven/")} - modules
    suites = {f"claimeven/reports/suites/{each.name}" for each in (ROOT / "reports" / "suites").iterdir()}
    templates = {
        f"claimeven/reports/page/templates/{each.name}" for each in (ROOT / "reports" / "page" / "templates").iterdir()
    }
    assert len(suites) > 5
    assert len(templates) > 5
    assert {"claimeven/py.typed"} | suites | templates <= data


def test_the_licence_goes_with_both(built: Distributions) -> None:
    assert f"claimeven-{__version__}.dist-info/licenses/LICENSE" in built.in_wheel()
    assert "LICENSE" in built.in_sdist()


def test_the_sdist_is_the_tree(built: Distributions) -> None:
    tree = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("*.py")}
    tree |= {path.relative_to(ROOT).as_posix() for folder in ROOMS.values() for path in folder.rglob("*.py")}
    assert tree | set(FILES) <= built.in_sdist()


def test_the_metadata_are_in_order(built: Distributions) -> None:
    command = [sys.executable, "-m", "twine", "check", "--strict", str(built.wheel), str(built.sdist)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def make_environment(directory: Path) -> Path:
    """A fresh virtual environment; gives where its programs are."""
    venv.create(directory, with_pip=True)
    return directory / ("Scripts" if os.name == "nt" else "bin")


def import_names(programs: Path) -> set[str]:
    """What a virtual environment can import beyond the standard library."""
    program = "import sysconfig; print(sysconfig.get_path('purelib'))"
    folder = subprocess.check_output([programs / "python", "-c", program], text=True).strip()
    entries = [each for each in Path(folder).iterdir() if each.suffix in ("", ".py", ".pth")]
    return {each.name for each in entries if each.name != "__pycache__"}


@pytest.mark.slow
def test_installed_beside_modules_of_the_same_names(checkout: Path, tmp_path: Path) -> None:
    programs = make_environment(tmp_path / "environment")
    quiet = ["--quiet", "--disable-pip-version-check"]
    dependencies = PROJECT["project"]["dependencies"]
    subprocess.run([programs / "python", "-m", "pip", "install", *quiet, *dependencies], check=True)
    before = import_names(programs)
    subprocess.run([programs / "python", "-m", "pip", "install", *quiet, checkout], check=True)
    assert import_names(programs) - before == {"claimeven"}
    work = tmp_path / "work"
    for name in IN_THE_WAY:
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text("raise SystemExit('a module of the user was imported')\n")
    commands: list[list[Path | str]] = [
        [programs / "python", "-c", "import claimeven"],
        [programs / "python", "-m", "claimeven", "--version"],
        [programs / "claimeven", "prove", "12"],
        [programs / "claimeven", "book", "build", "--ply", "3", "--board", "4x4", "--db", "book.db"],
        [programs / "claimeven", "query", "12", "--board", "4x4", "--db", "book.db"],
        [programs / "claimeven", "report", "--out", "report", "--db", "book.db"],
    ]
    for command in commands:
        result = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
    assert (work / "report" / "index.html").exists()
