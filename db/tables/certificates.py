"""Certificates in and out of their table; only those that the checker accepts go in."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from sqlalchemy import Connection, delete, insert, select

from claimeven.db.tables.layout import from_signed, to_signed
from claimeven.db.tables.models import CertificateRow
from claimeven.db.tables.verdicts import KEYS_A_STATEMENT
from claimeven.solver.board import Board
from claimeven.solver.enumeration import Keys, count_plies
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.certificate_text import (
    canonical_position,
    orient_certificate,
    proves_win,
    write_certificate,
)
from claimeven.solver.proof.checker import check_certificate
from claimeven.solver.verdict import Source, Verdict
from claimeven.solver.verdicts import VerdictBatch


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
    old = read_texts(connection, board_id, board, keys)
    for certificate in certificates:
        key = certificate.position.key
        if key in old and certificate.has_aftereven and not proves_win(old[key]):
            connection.execute(
                delete(CertificateRow).where(
                    CertificateRow.board_id == board_id,
                    CertificateRow.ply == certificate.position.ply,
                    CertificateRow.key == to_signed(key),
                )
            )
            del old[key]
    rows = [
        {"ply": each.position.ply, "key": to_signed(each.position.key), "proof": write_certificate(each)}
        for each in certificates
        if each.position.key not in old
    ]
    if rows:
        connection.execute(insert(CertificateRow.__table__).values(board_id=board_id), rows)  # type: ignore[arg-type]


def read_texts(connection: Connection, board_id: int, board: Board, keys: Keys) -> dict[int, str]:
    """The stored certificates of canonical keys, as text."""
    found: dict[int, str] = {}
    plies = count_plies(board, keys)
    for ply in np.unique(plies):
        of_ply = np.unique(keys[plies == ply]).view(np.int64).tolist()
        for start in range(0, len(of_ply), KEYS_A_STATEMENT):
            statement = select(CertificateRow.key, CertificateRow.proof).where(
                CertificateRow.board_id == board_id,
                CertificateRow.ply == int(ply),
                CertificateRow.key.in_(of_ply[start : start + KEYS_A_STATEMENT]),
            )
            found |= {from_signed(key): proof for key, proof in connection.execute(statement)}
    return found


def read_ply(connection: Connection, board_id: int, ply: int, after: int | None, number: int) -> list[tuple[int, str]]:
    """Keys, with a sign, and certificates of a ply in the order of the keys, from the one after a key on."""
    statement = (
        select(CertificateRow.key, CertificateRow.proof)
        .where(CertificateRow.board_id == board_id, CertificateRow.ply == ply)
        .order_by(CertificateRow.key)
        .limit(number)
    )
    if after is not None:
        statement = statement.where(CertificateRow.key > after)
    return [(row[0], row[1]) for row in connection.execute(statement)]
