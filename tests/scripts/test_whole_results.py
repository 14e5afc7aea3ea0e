"""Every command that writes a file leaves the old one where the disk is full, and names it in one line."""

import resource
from pathlib import Path

import pytest

from claimeven.db.store import Store
from tests.scripts.processes import finish, start


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("book") / "book.db"
    status, _, diagnostics = finish(start("book", "build", "--board", "4x4", "--ply", "16", "--db", str(path)))
    assert status == 0, diagnostics
    with Store.open(path) as store:
        store.seal()  # so that reading it needs no file beside it, which a full disk would not take
    return path


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["report", "--out", "{folder}", "--db", "{book}"], "index.html"),
        (["graph", "12", "--out", "{folder}/graph.json"], "graph.json"),
        (
            ["book", "export", "--board", "4x4", "--format", "csv", "--out", "{folder}/book.csv", "--db", "{book}"],
            "book.csv",
        ),
        (
            [
                "arena",
                "random",
                "easy:depth=1",
                "--games",
                "1",
                "--no-cache",
                "--judge-nodes",
                "0",
                "--out",
                "{folder}/a.md",
            ],
            "a.md",
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else value,
)
def test_a_full_disk_leaves_the_old_file(command: list[str], name: str, book: Path, tmp_path: Path) -> None:
    old = tmp_path / name
    old.write_text("the old one", encoding="utf-8")
    arguments = [part.format(folder=tmp_path, book=book) for part in command]

    def fill_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))

    status, _, diagnostics = finish(start(*arguments, preexec_fn=fill_disk))
    assert status == 1
    assert f"{old}: File too large" in diagnostics
    assert "Traceback" not in diagnostics
    assert old.read_text(encoding="utf-8") == "the old one"
    assert [path.name for path in tmp_path.iterdir()] == [name]
