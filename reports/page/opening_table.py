"""The opening table of the report: all that a store knows of the first plies of a board, as JSON of bounded size.

A position is written as `Position.canonical_key` in hexadecimal and a few letters (`VALUE_CODES`, `SOURCE_CODES`), and
a rule proof as its marks on the picture of the board and its sentences. What the page does with them is in the modules
of `claimeven.reports.page.script`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from claimeven.db.books.extent import find_last_ply
from claimeven.db.books.packed import shipped_book
from claimeven.db.retrograde import verdicts_from_children
from claimeven.db.store import Store
from claimeven.db.stored.proofs import OnFlaw, raise_flaw
from claimeven.reports.page.style import SOURCES, VALUES
from claimeven.solver.board import Board
from claimeven.solver.drawing.picture import draw_position, draw_proof_marks
from claimeven.solver.drawing.proof_marks import draw_samples, list_meanings
from claimeven.solver.notation import columns
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.explanation import describe_instances, describe_win_condition, state_verdict
from claimeven.solver.proof.picture import label_solutions
from claimeven.solver.verdict_code import source_of_code, verdict_of_row
from claimeven.solver.verdicts import NO_SCORE, VerdictBatch, tighten

POSITION_BYTES = 5_000_000
PROOF_BYTES = 4_000_000
"""How much of a page the positions and the proofs may take, all boards together."""

LEAST_ENTRY = 12
"""No entry is shorter: a ply with too many positions need not be read to know that it does not fit."""

VALUE_CODES = dict(zip(VALUES, "wdbnmu", strict=True))
SOURCE_CODES = dict(zip(SOURCES, "rsgtib", strict=True))

Progress = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class OpeningTable:
    """The data of a board for the page: `last_ply` is the deepest one in it, -1 if there is none.

    Of the `proofs` proofs that positions up to that ply have, `proofs_shown` are there in full.
    """

    board: Board
    last_ply: int
    positions: int
    proofs: int
    proofs_shown: int
    data: dict[str, Any]

    def holds(self, position: Position) -> bool:
        """Whether one can walk to a position."""
        return position.ply <= self.last_ply

    def to_json(self) -> str:
        """The data as JSON that can stand in a script element."""
        return json.dumps(self.data, separators=(",", ":")).replace("<", "\\u003c")


def read_table(
    store: Store,
    board: Board,
    *,
    position_bytes: int = POSITION_BYTES,
    proof_bytes: int = PROOF_BYTES,
    progress: Progress = lambda number: None,
    on_flaw: OnFlaw = raise_flaw,
) -> OpeningTable:
    """The first plies of a board, as many whole ones as fit, and the proofs of these, as many as fit.

    `progress` is told how many more positions and proofs are read, `on_flaw` of stored proofs that do not hold, which
    are left out.
    """
    positions: dict[str, str] = {}
    known = store.count_positions(board)
    room = position_bytes
    book = find_last_ply(store, board)
    last_known = max(known, default=-1) if book is None else book
    last = -1
    for ply in count():
        if ply > last_known or known.get(ply, 0) * LEAST_ENTRY > room:
            break
        entries = _read_ply(store, board, ply, progress)
        room -= sum(len(key) + len(code) + 6 for key, code in entries.items())
        if room < 0:
            break
        positions |= entries
        last = ply
    proofs, number = _read_proofs(store, board, last, proof_bytes, progress, on_flaw)
    labels = label_solutions(max([0, *(len(proof["sentences"]) for proof in proofs.values())]))
    return OpeningTable(
        board,
        last,
        len(positions),
        number,
        len(proofs),
        {
            "board": str(board),
            "columns": board.columns,
            "rows": board.rows,
            "connect": board.connect,
            "alphabet": columns.alphabet(board),
            "picture": draw_position(Position.start(board)),
            "last": last,
            "samples": draw_samples(),
            "labels": labels,
            "positions": positions,
            "proofs": proofs,
        },
    )


def _read_ply(store: Store, board: Board, ply: int, progress: Progress) -> dict[str, str]:
    """All that `query` would say of the positions of a ply: by the store, by the shipped book, by what follows."""
    entries: dict[str, str] = {}
    book = shipped_book()
    if book is not None:
        entries |= _entries(book.read_ply(board, ply))
    for batch in store.read_ply(board, ply):
        entries |= _entries(_complete(store, board, batch))
        progress(len(batch))
    return dict(sorted(entries.items()))


def _complete(store: Store, board: Board, batch: VerdictBatch) -> VerdictBatch:
    """A batch with what the book says of it and, where its value is still open, what follows from the moves."""

    def look_up(keys: Keys) -> VerdictBatch:
        known = store.lookup(board, keys)
        return known if book is None else tighten(board, known, book.lookup(board, keys))[0]

    book = shipped_book()
    if book is not None:
        batch = tighten(board, batch, book.lookup(board, batch.keys))[0]
    open_ = np.flatnonzero(~batch.is_exact)
    if len(open_):
        part = batch.select(open_)
        batch.put(open_, tighten(board, part, verdicts_from_children(board, part.keys, look_up))[0])
    return batch


def _entries(batch: VerdictBatch) -> dict[str, str]:
    """A letter for the value, one for the source, and the score for the side to move if it is known."""
    # There are few different verdicts, and many positions.
    codes: dict[tuple[int, int, int, int], str] = {}
    entries: dict[str, str] = {}
    for key, *fields in zip(
        batch.keys.tolist(),
        batch.least.tolist(),
        batch.greatest.tolist(),
        batch.scores.tolist(),
        batch.sources.tolist(),
        strict=True,
    ):
        least, greatest, score, source = fields
        code = codes.get((least, greatest, score, source))
        if code is None:
            value = VALUE_CODES[str(verdict_of_row(least, greatest, None, source).bounds)]
            origin = source_of_code(source)
            code = value + (SOURCE_CODES[str(origin)] if origin else "-") + ("" if score == NO_SCORE else str(score))
            codes[least, greatest, score, source] = code
        entries[f"{key:x}"] = code
    return entries


def _read_proofs(
    store: Store, board: Board, last_ply: int, room: int, progress: Progress, on_flaw: OnFlaw
) -> tuple[dict[str, dict[str, Any]], int]:
    """The proofs up to a ply that fit, the shallowest ones first, and how many there are in all."""
    counts = {ply: number for ply, number in sorted(store.count_proofs(board).items()) if ply <= last_ply}
    proofs: dict[str, dict[str, Any]] = {}
    for ply in counts:
        for certificate in store.read_checked_proofs(board, ply, on_flaw):
            proof = describe_proof(certificate)
            room -= len(json.dumps(proof))
            if room < 0:
                return proofs, sum(counts.values())
            proofs[f"{certificate.position.key:x}"] = proof
            progress(1)
    return proofs, sum(counts.values())


def describe_proof(certificate: Certificate) -> dict[str, Any]:
    """A proof as the page shows it: what it proves, its marks as SVG, what they mean, a sentence for each solution."""
    return {
        "verdict": state_verdict(certificate),
        "controller": certificate.controller.value,
        "condition": None if certificate.win_condition is None else describe_win_condition(certificate),
        "picture": draw_proof_marks(certificate),
        "meanings": list_meanings(certificate),
        "sentences": describe_instances(certificate),
    }
