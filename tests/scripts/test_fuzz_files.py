"""Whatever is in a book file or in a database file, a command ends with a status and a sentence, never a traceback."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claimeven.db.books.files import export_book
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies, enumerate_ply
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import VerdictBatch
from tests.scripts.stores import make_store, run

SUITE = "".join(f"{moves} {score}\n" for moves, score in (("12", -2), ("4455", 18), ("44455554221", -15)))
BOOKS = ("pons", "bitbully", "suite", "uci", "csv", "json", "jsonl")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A file of every format, as it is when nothing is wrong with it."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "suite").write_text(SUITE)
    board = Board()
    with Store.open("sqlite://") as store:
        keys = np.concatenate([keys for _, keys in enumerate_plies(board, 3)])
        scores = np.random.default_rng(1).integers(-15, 16, len(keys))
        store.write(board, VerdictBatch.of_scores(board, keys, scores, Source.SEARCH))
        for format_ in ("csv", "json", "jsonl", "pons"):
            export_book(store, board, format_, folder / format_, 3)
        export_book(store, board, "uci", folder / "uci", 2)
        keys = np.concatenate(list(enumerate_ply(board, 8)))
        ranks = np.where(np.arange(len(keys)) % 50, 1, 0)
        store.write(board, VerdictBatch.of_values(keys, ranks, Source.SEARCH))
        export_book(store, board, "bitbully", folder / "bitbully", None)
    database = make_store(folder / "store.db")
    return {path.name: path.read_bytes() for path in folder.iterdir()} | {"database": database.read_bytes()}


Damage = Callable[[bytes], bytes]


def _truncate(share: float) -> Damage:
    return lambda data: data[: int(len(data) * share)]


def _flip(flips: list[tuple[float, int]]) -> Damage:
    def flip(data: bytes) -> bytes:
        spoiled = bytearray(data)
        for place, bit in flips:
            if spoiled:
                spoiled[int(place * (len(spoiled) - 1))] ^= 1 << bit
        return bytes(spoiled)

    return flip


def _replace(data: bytes) -> Damage:
    return lambda _: data


def _insert(place: float, data: bytes) -> Damage:
    return lambda old: old[: int(place * len(old))] + data + old[int(place * len(old)) :]


# Places near the beginning count more: that is where headers are.
places = st.floats(0, 1) | st.floats(0, 0.01) | st.floats(0, 0.0001)
flips = st.lists(st.tuples(places, st.integers(0, 7)), min_size=1, max_size=8).map(_flip)
damages = st.one_of(
    flips,
    flips,
    places.map(_truncate),
    st.just(_replace(b"")),
    st.binary(max_size=300).map(_replace),
    st.text(max_size=60).map(lambda text: _replace(text.encode("utf-8", "surrogatepass"))),
    st.builds(_insert, places, st.binary(min_size=1, max_size=20)),
)
bounded = settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])


def ends_cleanly(result: Result) -> None:
    """A status of the documented ones and, if something is wrong, a sentence about it."""
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    assert result.exit_code in (0, 1, 2)
    assert "Traceback" not in result.output
    if result.exit_code:
        assert result.output.strip()
    errors = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(errors) <= 1
    if result.exit_code == 2:
        assert errors


@pytest.mark.parametrize("format_", ["pons", "bitbully", "suite"])
@bounded
@given(damage=damages)
def test_a_book_to_import(files: dict[str, bytes], format_: str, damage: Damage) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "book")
        file.write_bytes(damage(files[format_]))
        ends_cleanly(run("book", "import", format_, str(file), "--db", str(Path(folder, "store.db"))))


@pytest.mark.parametrize("format_", BOOKS)
@pytest.mark.parametrize("as_", ["pons", "suite"])
def test_a_book_of_another_format(files: dict[str, bytes], tmp_path: Path, format_: str, as_: str) -> None:
    file = tmp_path / "book"
    file.write_bytes(files[format_])
    result = run("book", "import", as_, str(file), "--db", str(tmp_path / "store.db"))
    ends_cleanly(result)
    assert (result.exit_code == 0) == (format_ == as_)


@pytest.mark.parametrize("format_", ["uci", "csv", "json", "jsonl", "suite"])
@bounded
@given(damage=damages)
def test_a_file_of_positions_to_solve(files: dict[str, bytes], format_: str, damage: Damage) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "positions")
        file.write_bytes(damage(files[format_]))
        ends_cleanly(run("solve", str(file), "--engine", "rules", "--no-cache"))


@bounded
@given(damage=damages)
def test_a_folder_of_suites(files: dict[str, bytes], damage: Damage) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "suite").write_bytes(damage(files["suite"]))
        ends_cleanly(run("audit", "coverage", folder, "--jobs", "1"))


COMMANDS = (
    ("query", "12"),
    ("query", "4", "--json"),
    ("stats",),
    ("verify",),
    ("book", "export", "--format", "csv", "--out", "OUT"),
    ("book", "upgrade"),
    ("book", "import", "suite", "SUITE"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
@bounded
@given(damage=damages)
def test_a_damaged_database(files: dict[str, bytes], command: tuple[str, ...], damage: Damage) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database, suite = Path(folder, "store.db"), Path(folder, "suite")
        database.write_bytes(damage(files["database"]))
        suite.write_text(SUITE)
        words = {"OUT": str(Path(folder, "out")), "SUITE": str(suite)}
        ends_cleanly(run(*(words.get(word, word) for word in command), "--db", str(database)))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
@pytest.mark.parametrize("size", [1, 16, 100, 4096, 5000])
def test_a_truncated_database_is_refused(
    files: dict[str, bytes], tmp_path: Path, command: tuple[str, ...], size: int
) -> None:
    database, suite = tmp_path / "store.db", tmp_path / "suite"
    database.write_bytes(files["database"][:size])
    suite.write_text(SUITE)
    words = {"OUT": str(tmp_path / "out"), "SUITE": str(suite)}
    result = run(*(words.get(word, word) for word in command), "--db", str(database))
    ends_cleanly(result)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {database}: ")
    assert result.stderr.count("\n") == 1
    assert database.read_bytes() == files["database"][:size]
