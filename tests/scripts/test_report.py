"""`claimeven report`: where it writes, what it prints, and how it ends when it cannot."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.scripts.stores import make_store, run


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "book.db")


def test_the_page_is_written_and_its_path_printed(tmp_path: Path, store: Path) -> None:
    out = tmp_path / "a" / "b"
    result = run("report", "--out", str(out), "--db", str(store), "--board", "7x6")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"{out / 'index.html'}\n"
    assert [path.name for path in out.iterdir()] == ["index.html"]
    assert 'as far as <span class="name">book.db</span> knows it' in (out / "index.html").read_text(encoding="utf-8")
    assert run("report", "--out", str(out), "--db", str(store)).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--board", "7y6"], 2, "--board: '7y6' is not a board"),
        (["--board", "6x6"], 2, "the store knows nothing of 6x6; it knows 7x6"),
        (["--db", "nowhere.db"], 1, "there is no store"),
    ],
)
def test_what_is_wrong_is_one_line(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], status: int, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("report", "--out", "out", "--db", str(store), *arguments)
    assert result.exit_code == status
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert not Path("out").exists()


def test_no_directory_can_be_made_where_a_file_is(tmp_path: Path, store: Path) -> None:
    result = run("report", "--out", str(store / "report"), "--db", str(store))
    assert result.exit_code == 1
    assert "Not a directory" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE positions SET score = -3 WHERE score = -1",
        "INSERT INTO efforts SELECT board_id, ply, 5, 1, 1 FROM certificates",
    ],
)
def test_a_row_that_cannot_be_read_is_one_line(tmp_path: Path, store: Path, damage: str) -> None:
    with sqlite3.connect(store) as connection:
        connection.execute(damage)
    result = run("report", "--out", str(tmp_path / "out"), "--db", str(store))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {store}: ")
    assert "claimeven verify" in result.stderr


def test_too_little_memory_for_the_plots_is_one_line(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("claimeven.reports.page.plots.OPENBLAS_BYTES", 1 << 60)
    (tmp_path / "index.html").write_text("what was there before")
    result = run("report", "--out", str(tmp_path), "--db", str(store), "--board", "7x6")
    assert result.exit_code == 1
    assert result.stderr == "Error: there is not enough memory; what was stored before is kept\n"
    assert (tmp_path / "index.html").read_text() == "what was there before"
