"""Kernels that were compiled before are run without numba, and do what numba's do."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from claimeven.solver.kernel.machine_code import MachineCode, UnusableCodeError, target
from claimeven.solver.kernel.types import read_signature

PROGRAM = """
import sys
from typing import NamedTuple

import numpy as np

from claimeven.solver.kernel import callback, kernel, popcount, types
from claimeven.solver.kernel.types import typeof


class Box(NamedTuple):
    number: np.uint64
    table: np.ndarray
    is_open: bool


BOX = typeof(Box(np.uint64(0), np.zeros((1, 1), np.int16), True))


@kernel(types.int64(BOX, types.Array(types.uint8, 1, readonly=True), types.float64[::1], types.boolean, types.int8))
def gather(box, text, numbers, doubles, least):
    total = np.int64(box.number) + least
    for row in range(box.table.shape[0]):
        for column in range(box.table.shape[1]):
            total += box.table[row, column] * (10 if box.is_open else 1)
    for place in range(text.shape[0]):
        numbers[place] = text[place] * (2.0 if doubles else 1.0)
    return total


@kernel("UniTuple(uint64, 2)(uint64, uint64)")
def sum_and_bits(one, other):
    return one + other, popcount(one)


@kernel("int64(int64)")
def factorial(number):
    return np.int64(1) if number < 2 else number * factorial(number - 1)


@kernel("int64(int64)")
def allocate(number):
    return np.arange(number).sum()


@kernel("boolean(int64, int64)")
def divides(one, other):
    return other // one * one == other


@callback("int64(uint64, uint64)")
def add(one, other):
    return np.int64(one + other)


import ctypes

box = Box(np.uint64(2**63 + 5), np.arange(6, dtype=np.int16).reshape(2, 3), True)
numbers = np.zeros(3)
print(gather(box, np.frombuffer(b"abc", np.uint8), numbers, True, -7), numbers.tolist())
print(gather(box, np.frombuffer(b"abc", np.uint8), numbers, False, 0), numbers.tolist())
print(sum_and_bits(2**64 - 1, 7), factorial(20), divides(3, 12), divides(np.int64(5), 12))
print(ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_uint64, ctypes.c_uint64)(add.address)(40, 2))
for wrong in (box._replace(table=box.table.astype(np.int64)), box._replace(table=box.table.T), "box", None):
    try:
        gather(wrong, np.frombuffer(b"abc", np.uint8), numbers, True, 0)
    except Exception as error:
        print("refused")
print("numba" in sys.modules, file=sys.stderr)
print(allocate(5))
print("numba" in sys.modules, file=sys.stderr)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM, encoding="utf-8")
    return file


def run(program: Path) -> tuple[str, list[str]]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(program.parent / "cache")}
    environment.pop("CLAIMEVEN_PURE_PYTHON", None)
    done = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr.split()


def test_machine_code_does_what_numba_does_and_needs_it_for_memory_only(program: Path) -> None:
    compiled, with_numba = run(program)
    loaded, without = run(program)
    assert compiled == loaded
    assert loaded.count("refused") == 4
    assert (with_numba, without) == (["True", "True"], ["False", "True"])


def test_code_of_another_machine_is_left_alone_and_damaged_code_refused() -> None:
    signature = str(read_signature("int64(int64)"))
    packed = MachineCode(signature, "name", ("PyErr_Clear", "NRT_Free"), b"object").pack()
    code = MachineCode.unpack(packed, signature)
    assert code is not None
    assert (code.symbol, code.content, code.is_independent) == ("name", b"object", True)
    assert MachineCode.unpack(packed, "int64(uint64)") is None
    with pytest.raises(UnusableCodeError):
        MachineCode.unpack(packed[:-1], signature)
    other = packed[32:].replace(target()[0].encode(), b"somewhere")
    assert MachineCode.unpack(hashlib.sha256(other).digest() + other, signature) is None


def test_code_that_needs_more_than_python_is_not_loaded() -> None:
    code = MachineCode("int64(int64)", "name", ("NRT_MemInfo_alloc_aligned",), b"object")
    assert not code.is_independent
    kept = MachineCode.unpack(code.pack(), "int64(int64)")
    assert kept is not None
    assert kept.content == b""
    with pytest.raises(UnusableCodeError):
        kept.load()
