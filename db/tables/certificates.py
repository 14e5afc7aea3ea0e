"""Certificates in and out of their table; only those that the checker accepts go in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from sqlalchemy import Connection, Table, delete, select

from claimeven.db.tables.bulk import insert_rows, is_named
from claimeven.db.tables.layout import CERTIFICATE_TABLE, from_signed, to_signed
from claimeven.db.tables.ledger import Sum, note
from claimeven.db.tables.models import CertificateRow
from claimeven.db.tables.rows import check_position, check_text, describe_place, refuse_row
from claimeven.db.tables.seal import digest_of_text
from claimeven.db.tables.verdicts import KEYS_A_STATEMENT
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys, count_plies, split_keys
from claimeven.solver.proof.certificate import Certificate, CertificateError
from claimeven.solver.proof.certificate_text import (
    canonical_position,
    orient_certificate,
    proves_win,
    write_certificate,
)
from claimeven.solver.proof.checker import check_certificate
from claimeven.solver.verdict import Source, Verdict
from claimeven.solver.verdicts import VerdictBatch, describe_position


def check_all(certificates: Iterable[Certificate]) -> list[Certificate]:
    """The certificates for canonical positions, each of them checked as it will be stored."""
    checked = []
    for certificate in certificates:
        canonical = orient_certificate(certificate, canonical_position(certificate.position))
        check_certificate(canonical)
        checked.append(canonical)
    return checked


def by_board(certificates: list[Certificate]) -> dict[Board, list[Certificate]]:
    """The certificates of each board; of two for one position the one that proves more."""
    sorted_out: dict[Board, dict[int, Certificate]] = {}
    for certificate in certificates:
        position = certificate.position
        of_board = sorted_out.setdefault(position.board, {})
        if position.key not in of_board or certificate.has_aftereven:
            of_board[position.key] = certificate
    return {board: list(of_board.values()) for board, of_board in sorted_out.items()}


def verdicts_of(certificates: list[Certificate]) -> VerdictBatch:
    """What the certificates prove."""
    return VerdictBatch.of_verdicts(
        [certificate.position for certificate in certificates],
        [Verdict(certificate.bounds, Source.RULES) for certificate in certificates],
    )


def write_certificates(connection: Connection, board_id: int, board: Board, certificates: list[Certificate]) -> None:
    """Store certificates of different canonical positions, but for those that prove less than the stored ones."""
    keys = np.array([certificate.position.key for certificate in certificates], dtype=np.uint64)
    write_texts(connection, board_id, board, keys, [write_certificate(certificate) for certificate in certificates])


def write_texts(connection: Connection, board_id: int, board: Board, keys: Keys, texts: list[str]) -> None:
    """Store the texts of certificates of different canonical keys, but for those that prove less than the stored."""
    old = read_texts(connection, board_id, board, keys)
    plies = count_plies(board, keys).tolist()
    columns: dict[str, list[Any]] = {"ply": [], "key": [], "proof": []}
    changes: dict[int, Sum] = {}
    for key, ply, text in zip(keys.tolist(), plies, texts, strict=True):
        if key in old:
            if not proves_win(text) or proves_win(old[key]):
                continue
            changes[ply] = changes.get(ply, Sum()) - Sum(1, digest_of_text(key, old[key]))
            connection.execute(
                delete(CertificateRow).where(
                    CertificateRow.board_id == board_id,
                    CertificateRow.ply == ply,
                    CertificateRow.key == to_signed(key),
                )
            )
        changes[ply] = changes.get(ply, Sum()) + Sum(1, digest_of_text(key, text))
        columns["ply"].append(ply)
        columns["key"].append(to_signed(key))
        columns["proof"].append(text)
    for ply, change in changes.items():
        note(connection, CERTIFICATE_TABLE, board_id, ply, change)
    if columns["key"]:
        table = CertificateRow.__table__
        assert isinstance(table, Table)
        insert_rows(connection, table, board_id, columns)


def read_texts(connection: Connection, board_id: int, board: Board, keys: Keys) -> dict[int, str]:
    """The stored certificates of canonical keys, as text."""
    found: dict[int, str] = {}
    plies = count_plies(board, keys)
    for ply in np.unique(plies):
        of_ply = np.unique(keys[plies == ply]).view(np.int64)
        for start in range(0, len(of_ply), KEYS_A_STATEMENT):
            statement = select(CertificateRow.key, CertificateRow.proof).where(
                CertificateRow.board_id == board_id,
                CertificateRow.ply == int(ply),
                is_named(CertificateRow.key, connection, of_ply[start : start + KEYS_A_STATEMENT]),
            )
            for key, proof in connection.execute(statement):
                found[from_signed(key)] = check_text(CERTIFICATE_TABLE, describe_place(board, int(ply), key), proof)
    return found


def check_texts(board: Board, texts: dict[int, str]) -> None:
    """Accept stored certificates, by key, by returning; raises CertificateError for the first that does not hold."""
    if not texts:
        return
    from claimeven.solver.proof.check_batch import check_many

    keys = np.fromiter(texts, dtype=np.uint64, count=len(texts))
    encoded = [text.encode("utf-8") for text in texts.values()]
    offsets = np.concatenate([[0], np.cumsum([len(text) for text in encoded])]).astype(np.int64)
    stones = split_keys(board, keys)
    checked = check_many(board, stones.white, stones.black, np.frombuffer(b"".join(encoded), np.uint8), offsets)
    for key in keys[~checked.is_accepted][:1].tolist():
        raise CertificateError(
            f"the stored proof of {describe_position(board, key)} does not hold: {texts[key]!r}; "
            "claimeven verify tells what else is wrong"
        )


def read_ply(
    connection: Connection, board_id: int, board: Board, ply: int, after: int | None, number: int
) -> list[tuple[Position, str]]:
    """Positions and certificates of a ply in the order of the keys, which have a sign, from the one after a key on."""
    statement = (
        select(CertificateRow.key, CertificateRow.proof)
        .where(CertificateRow.board_id == board_id, CertificateRow.ply == ply)
        .order_by(CertificateRow.key)
        .limit(number)
    )
    if after is not None:
        statement = statement.where(CertificateRow.key > after)
    return [_proof_of(board, ply, *row) for row in connection.execute(statement)]


def _proof_of(board: Board, ply: int, key: Any, proof: Any) -> tuple[Position, str]:
    position = check_position(CERTIFICATE_TABLE, board, key)
    place = describe_place(board, ply, key)
    if position.ply != ply:
        refuse_row(CERTIFICATE_TABLE, place, "its ply is not that of its key")
    return position, check_text(CERTIFICATE_TABLE, place, proof)
