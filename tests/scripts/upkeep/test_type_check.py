"""What mypy is shown, what it says, and what it is not asked to look at."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from claimeven.scripts.upkeep.environment import ROOT
from claimeven.scripts.upkeep.type_check import LINKS, ROOMS, check_types, make_links, show_in_repository

KERNEL_DECORATORS = {"kernel", "callback", "instruction"}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for room in ROOMS:
        (tmp_path / room).mkdir()
        (tmp_path / room / "module.py").write_text(room)
    return tmp_path


def contents_by_links(repository: Path) -> list[str]:
    return [(repository / LINKS / room / "module.py").read_text() for room in ROOMS]


def test_links_lead_to_the_rooms_and_are_made_once(repository: Path) -> None:
    make_links(repository)
    assert contents_by_links(repository) == list(ROOMS)
    before = [(repository / LINKS / room).lstat().st_mtime_ns for room in ROOMS]
    make_links(repository)
    assert [(repository / LINKS / room).lstat().st_mtime_ns for room in ROOMS] == before


def test_a_link_that_leads_elsewhere_is_made_anew(repository: Path) -> None:
    make_links(repository)
    (repository / "elsewhere").mkdir()
    link = repository / LINKS / "db"
    (link.unlink if link.is_symlink() else link.rmdir)()
    link.symlink_to(repository / "elsewhere", target_is_directory=True)
    broken = repository / LINKS / "solver"
    (broken.unlink if broken.is_symlink() else broken.rmdir)()
    broken.symlink_to(repository / "nowhere", target_is_directory=True)
    make_links(repository)
    assert contents_by_links(repository) == list(ROOMS)
    assert (repository / "elsewhere").is_dir()


def test_a_folder_in_the_way_is_not_lost(repository: Path) -> None:
    (repository / LINKS / "db").mkdir(parents=True)
    (repository / LINKS / "db" / "notes.txt").write_text("mine")
    with pytest.raises(OSError):  # noqa: PT011 - its words are the system's
        make_links(repository)
    assert (repository / LINKS / "db" / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("separator", ["/", "\\"] if sys.platform == "win32" else ["/"])
def test_every_path_of_a_line_is_the_repositorys(separator: str) -> None:
    path = separator.join(["build", "links", "claimeven", "db", "store.py"])
    shown = show_in_repository(f"{path}:3: note: see {path}:4\n")
    assert shown == f"db{separator}store.py:3: note: see db{separator}store.py:4\n"


def test_what_mypy_says_and_its_status_come_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Instead of mypy a module of its name runs, which says what it would say."""
    for room in ROOMS:
        (tmp_path / room).mkdir()
    says = f"{LINKS.as_posix()}/db/store.py:1: error: no type"
    (tmp_path / "mypy.py").write_text(f"import sys\nprint({says!r}, sys.argv[1:])\nsys.exit(1)\n")
    monkeypatch.setattr("claimeven.scripts.upkeep.type_check.ROOT", tmp_path)
    assert check_types(Path(sys.executable), "--option") == 1
    assert capfd.readouterr().out == "db/store.py:1: error: no type ['--option']\n"


def test_the_checkout_alone_is_enough_to_start() -> None:
    """Neither the project nor anything else is installed when this is first run."""
    program = (
        "import sys; import scripts.upkeep.type_check, scripts.test, scripts.run; sys.exit('claimeven' in sys.modules)"
    )
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {program}"]
    assert subprocess.run(command, check=False).returncode == 0


@cache
def exempt_modules() -> dict[str, ast.Module]:
    """The modules whose kernels are without types, by the settings of mypy."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    (exempt,) = (each["module"] for each in settings["overrides"] if each.get("disallow_untyped_defs") is False)
    paths = {name: ROOT.joinpath(*name.split(".")[1:]).with_suffix(".py") for name in exempt}
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in paths.items()}


def kernels_in(module: ast.Module) -> Iterator[ast.FunctionDef]:
    for each in ast.walk(module):
        if isinstance(each, ast.FunctionDef):
            for decorator in each.decorator_list:
                if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") in KERNEL_DECORATORS:
                    yield each


@pytest.mark.parametrize("name", exempt_modules())
def test_only_kernels_go_without_types(name: str) -> None:
    module = exempt_modules()[name]
    kernels = set(kernels_in(module))
    assert kernels, f"{name} holds no kernel: take it off the list in pyproject.toml"
    inner = {each for kernel in kernels for each in ast.walk(kernel)}
    plain = [each for each in ast.walk(module) if isinstance(each, ast.FunctionDef) and each not in inner]
    assert [each.name for each in plain if each.returns is None] == []
