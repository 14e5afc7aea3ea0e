"""A kernel cache that is damaged or full is noticed, named, and replaced or done without."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAM = """
import numpy as np

from claimeven.solver.kernel import kernel, seal

seal.on_compile = lambda: print("compiling")
seal.on_trouble = print


@kernel("uint64(uint64)")
def double(number):
    pair = np.empty(2, np.uint64)  # as it takes memory, numba has to load it
    pair[:] = number
    return pair[0] + pair[1]


print(double(21))
"""


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-7])


def empty(file: Path) -> None:
    file.write_bytes(b"")


def flip_a_bit(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 16
    file.write_bytes(data)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM, encoding="utf-8")
    return file


def run(program: Path, before: Callable[[], None] | None = None) -> list[str]:
    """The lines that the program prints, its kernels being kept beside it."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(program.parent / "cache")}
    environment.pop("CLAIMEVEN_PURE_PYTHON", None)
    done = subprocess.run(
        [sys.executable, program], env=environment, capture_output=True, text=True, preexec_fn=before, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_damage_is_named_and_compiled_away(program: Path) -> None:
    assert run(program) == ["compiling", "42"]
    assert run(program) == ["42"]
    for ending, damage in ((".nbi", cut_off), (".nbc", empty), (".code", flip_a_bit), (".seal", cut_off)):
        (file,) = program.parent.joinpath("cache").rglob(f"*{ending}")
        damage(file)
        trouble, *others = run(program)
        assert "is damaged (program.double-" in trouble
        assert others == ["compiling", "42"]
    assert run(program) == ["42"]


def test_damaged_machine_code_is_not_run(program: Path) -> None:
    program.write_text(
        PROGRAM.replace("np.empty(2, np.uint64)", "(number, number)").replace("    pair[:] = number\n", ""),
        encoding="utf-8",
    )
    assert run(program) == ["compiling", "42"]
    (file,) = program.parent.joinpath("cache").rglob("*.code")
    flip_a_bit(file)
    trouble, *others = run(program)
    assert "is damaged (program.double-" in trouble
    assert others == ["compiling", "42"]
    assert run(program) == ["42"]


def test_a_kernel_that_was_never_sealed_is_compiled_again(program: Path) -> None:
    run(program)
    for file in program.parent.joinpath("cache").rglob("*.seal"):
        file.unlink()
    assert run(program) == ["compiling", "42"]


def test_a_full_disk_is_named_and_done_without(program: Path) -> None:
    def fill_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    compiling, trouble, answer = run(program, fill_disk)
    assert (compiling, answer) == ("compiling", "42")
    assert "cannot be used (File too large); kernels are compiled every time" in trouble
    assert run(program) == ["compiling", "42"]


def test_two_copies_of_the_sources_do_not_take_each_others_kernels(program: Path, tmp_path: Path) -> None:
    """They share a cache, and numba keeps a folder for each of them in it."""
    other = tmp_path / "other" / "program.py"
    other.parent.mkdir()
    other.write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "other" / "cache").symlink_to(tmp_path / "cache")
    assert run(program) == run(other) == ["compiling", "42"]
    assert run(program) == run(other) == ["42"]


def test_what_is_compiled_while_the_sources_change_is_not_kept(program: Path) -> None:
    """Kernels of two states of the sources must not come together in one cache."""
    changing = PROGRAM.replace("kernel, seal", "kernel, place, seal").replace(
        "print(double(21))", "place.hash_of_sources = lambda: 'another state'\nprint(double(21))"
    )
    program.write_text(changing, encoding="utf-8")
    assert run(program) == run(program) == ["compiling", "42"]
