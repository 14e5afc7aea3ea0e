"""Two versions of the store in turns; here the other one is this one."""

import shlex
import sys
from pathlib import Path

import pytest

from claimeven.db.books.packed import NO_BOOK
from claimeven.reports.bench import store_beside
from claimeven.reports.bench.search_beside import VersionError
from claimeven.reports.bench.store_beside import format_beside, measure_beside


def test_each_step_of_both_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_beside, "QUERIES", 1)
    found, versions = measure_beside(sys.executable, 500, 1, 7, tmp_path)
    assert [each.step for each in found] == ["bulk write", "lookup", "read in order", "query"]
    assert versions[0] == versions[1]
    assert all(time > 0 for each in found for time in (*each.seconds, *each.other_seconds))
    assert "| bulk write | " in format_beside(found, 500, versions, 1, {"commit": "x"})
    assert not list(tmp_path.glob("*.db"))


@pytest.mark.skipif(sys.platform == "win32", reason="the other version is a shell script")
def test_the_other_version_may_have_a_book_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NO_BOOK)
    monkeypatch.setattr(store_beside, "QUERIES", 1)
    for name, command in (("python", ""), ("claimeven", " -m claimeven")):
        (tmp_path / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)}{command} "$@"\n')
        (tmp_path / name).chmod(0o755)
    _, versions = measure_beside(str(tmp_path / "python"), 1000, 1, 1, tmp_path)
    assert versions[0] == versions[1]


@pytest.mark.skipif(sys.platform == "win32", reason="the other version is a shell script")
def test_a_query_that_fails_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "python").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    (tmp_path / "python").chmod(0o755)
    with pytest.raises(VersionError, match="no version of claimeven can be measured there"):
        measure_beside(str(tmp_path / "python"), 5, 1, 1, tmp_path)


def test_a_python_without_any(tmp_path: Path) -> None:
    with pytest.raises(VersionError, match="no version of claimeven can be measured there"):
        measure_beside(str(tmp_path / "python"), 5, 1, 1, tmp_path)
