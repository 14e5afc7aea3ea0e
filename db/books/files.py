"""Books: what a store knows of the first plies, written to a file in one of the formats, and files read as claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from claimeven.db.best_moves import best_columns
from claimeven.db.formats import bitbully, pons, suite, table, uci
from claimeven.db.formats.error import FormatError, IncompleteBookError
from claimeven.db.formats.table import BookEntry
from claimeven.db.store import Store
from claimeven.db.stored.proofs import OnFlaw, raise_flaw
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.position import Position
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import VerdictBatch
from claimeven.solver.whole_file import replacing

Progress = Callable[[int], object]
"""Told how many more positions are done."""

CHUNK = 10_000
EXPORT_FORMATS = ("uci", "pons", "bitbully", "csv", "json", "jsonl", "sqlite")
IMPORT_FORMATS = ("pons", "bitbully", "suite")


def export_book(
    store: Store,
    board: Board,
    format_: str,
    out: Path,
    ply: int | None,
    progress: Progress = lambda number: None,
    on_flaw: OnFlaw = raise_flaw,
) -> int:
    """Write what the store knows to a file; gives the number of positions in it.

    `ply` is the greatest ply or, for `uci` and `bitbully`, which hold one ply, that ply; without it these are of ply 8,
    the others of all plies. The file appears whole or not at all. Stored proofs that do not hold are left out, and
    `on_flaw` is told of them. Raises FormatError for a book that the format cannot hold.
    """
    with replacing(out) as temporary:
        match format_:
            case "uci":
                return _export_uci(store, board, temporary, uci.PLY if ply is None else ply)
            case "bitbully":
                return _export_bitbully(store, board, temporary, 8 if ply is None else ply)
            case "pons":
                return _export_pons(store, board, temporary, ply)
            case "sqlite":
                return _export_sqlite(store, board, temporary, ply, progress, on_flaw)
        write = {"csv": table.write_csv, "json": table.write_json, "jsonl": table.write_json_lines}[format_]
        with temporary.open("w", encoding="utf-8", newline="") as file:
            return write(file, _entries(store, board, ply, progress, on_flaw))


def read_claims(format_: str, path: Path, board: Board) -> tuple[Board, Iterator[VerdictBatch]]:
    """The board of a file and its claims, in batches; raises FormatError, at once or while they are read."""
    match format_:
        case "pons":
            book = pons.PonsBook.read(path)
            return book.board, _in_chunks(book.read_positions())
        case "bitbully":
            kind, listed = bitbully.read_book(path.read_bytes())
            if kind.lists_all:
                return bitbully.BOARD, _in_chunks(listed)
            return bitbully.BOARD, _with_implied_wins(kind.ply, listed)
        case _:
            return board, _read_suite(path, board)


def _entries(store: Store, board: Board, ply: int | None, progress: Progress, on_flaw: OnFlaw) -> Iterator[BookEntry]:
    for each in _plies(store, board, ply):
        for batch in store.read_ply(board, each, CHUNK):
            best = best_columns(board, batch, lambda keys: store.lookup(board, keys))
            positions = [Position.from_key(board, int(key)) for key in batch.keys]
            proofs = store.get_proofs(positions, on_flaw)
            for place, position in enumerate(positions):
                columns = tuple(map(int, np.flatnonzero(best[place])))
                yield BookEntry(position, batch.verdict(place), columns or None, proofs[place])
            progress(len(batch))


def _export_uci(store: Store, board: Board, out: Path, ply: int) -> int:
    uci.check_ply(ply)
    with _naming_the_remedy(board, ply), out.open("w", encoding="ascii", newline="") as file:
        return sum(
            uci.write_rows(file, board, store.lookup(board, keys)) for keys in enumerate_ply(board, ply, chunk=CHUNK)
        )


def _export_bitbully(store: Store, board: Board, out: Path, ply: int) -> int:
    kinds = {8: bitbully.BookKind.EIGHT_PLIES, 12: bitbully.BookKind.TWELVE_PLIES_WITH_DISTANCES}
    if board != bitbully.BOARD or ply not in kinds:
        raise FormatError(f"a bitbully book is of ply 8 or 12 on {bitbully.BOARD}, not of ply {ply} on {board}")
    batch = VerdictBatch.join([store.lookup(board, keys) for keys in enumerate_ply(board, ply)])
    with _naming_the_remedy(board, ply):
        data = bitbully.write_book(kinds[ply], batch)
    out.write_bytes(data)
    return len(data) // kinds[ply].record_bytes


def _export_pons(store: Store, board: Board, out: Path, ply: int | None) -> int:
    plies = _plies(store, board, ply)
    batch = VerdictBatch.join([batch for each in plies for batch in store.read_ply(board, each)])
    if not batch.has_score.any():
        raise IncompleteBookError("a pons book holds scores, and the store knows none; add --score to book build")
    book = pons.PonsBook.build(board, max(plies), batch)
    out.write_bytes(book.to_bytes())
    return len(book)


def _export_sqlite(store: Store, board: Board, out: Path, ply: int | None, progress: Progress, on_flaw: OnFlaw) -> int:
    number = 0
    with Store.open(out) as copy:
        for each in _plies(store, board, ply):
            copy.copy_ply(store, board, each, progress, on_flaw)
            number += sum(len(batch) for batch in copy.read_ply(board, each))
        copy.seal()
    return number


def _plies(store: Store, board: Board, ply: int | None) -> list[int]:
    plies = [each for each in store.plies(board) if ply is None or each <= ply]
    if not plies:
        raise IncompleteBookError(
            f"the store knows nothing of {board}; build a book with: claimeven book build --ply 2"
        )
    return plies


def _with_implied_wins(ply: int, listed: VerdictBatch) -> Iterator[VerdictBatch]:
    """The claims of a book in which White wins all positions of the ply that are not listed."""
    for keys in enumerate_ply(bitbully.BOARD, ply):
        at = np.minimum(np.searchsorted(listed.keys, keys), len(listed) - 1)
        ranks = np.where(listed.keys[at] == keys, listed.least[at], 1)
        yield VerdictBatch.of_values(keys, ranks, Source.IMPORT)


def _in_chunks(batch: VerdictBatch, chunk: int = 50_000) -> Iterator[VerdictBatch]:
    for start in range(0, len(batch), chunk):
        yield batch.select(slice(start, start + chunk))


def _read_suite(path: Path, board: Board) -> Iterator[VerdictBatch]:
    try:
        with path.open(encoding="utf-8") as file:
            yield from suite.read_suite(file, board)
    except UnicodeDecodeError:
        raise FormatError("the file is not text") from None


@contextmanager
def _naming_the_remedy(board: Board, ply: int) -> Iterator[None]:
    try:
        yield
    except IncompleteBookError as error:
        where = "" if board == Board() else f" --board {board}"
        scores = " --score" if "score" in str(error) else ""
        raise IncompleteBookError(
            f"{error}; build them with: claimeven book build --ply {ply}{where}{scores}"
        ) from None
