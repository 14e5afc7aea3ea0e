"""Certificates in an open store: only what the checker accepts comes in, and nothing else goes out as a proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NoReturn, TypeAlias

import numpy as np

from claimeven.db.engine import reading, writing
from claimeven.db.knowledge import Knowledge, read_checked
from claimeven.db.patience import patiently
from claimeven.db.stored.verdicts import StoredVerdicts
from claimeven.db.tables import boards as board_table
from claimeven.db.tables import certificates as certificate_table
from claimeven.db.tables.layout import to_signed
from claimeven.db.tables.models import CertificateRow
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys
from claimeven.solver.proof.certificate import Certificate, CertificateError
from claimeven.solver.proof.certificate_text import read_certificate

OnFlaw: TypeAlias = Callable[[str], object]
"""Told, in a sentence, of a stored proof that does not hold."""


def raise_flaw(flaw: str) -> NoReturn:
    """Take a proof that does not hold for an error."""
    raise CertificateError(flaw)


class StoredProofs(StoredVerdicts):
    """Certificates with the verdicts that follow from them, by position or ply by ply."""

    @patiently
    def write_proofs(self, certificates: Iterable[Certificate]) -> int:
        """Check certificates and store those that hold with their verdicts; gives how many verdicts became tighter.

        Raises CertificateError, and stores none of them, for one that the checker does not accept.
        """
        checked = certificate_table.check_all(certificates)
        changed = 0
        with writing(self.engine, self.location) as connection:
            for board, proofs in certificate_table.by_board(checked).items():
                changed += self._tighten(connection, board, certificate_table.verdicts_of(proofs))
                certificate_table.write_certificates(connection, board_table.make_id(connection, board), board, proofs)
        return changed

    def read_proofs(self, board: Board, ply: int | None = None, chunk: int = 1000) -> Iterator[Certificate]:
        """All certificates of a board, or of one ply of it, for the canonical one of the mirror images.

        They are not checked. Raises CertificateError for a row that cannot be read.
        """
        for position, text in self._read_proof_texts(board, ply, chunk):
            yield read_certificate(position, text)

    def read_checked_proofs(self, board: Board, ply: int, on_flaw: OnFlaw = raise_flaw) -> Iterator[Certificate]:
        """The certificates of a ply that the checker accepts; `on_flaw` is told of each of the others."""
        texts = self._read_proof_texts(board, ply, 1000)
        while part := list(islice(texts, 1000)):
            known = self.lookup(board, np.array([position.key for position, _ in part], dtype=np.uint64))
            for place, (position, text) in enumerate(part):
                try:
                    yield read_checked(position, text, known.verdict(place).bounds)
                except CertificateError as error:
                    on_flaw(str(error))

    def _read_proof_texts(self, board: Board, ply: int | None, chunk: int) -> Iterator[tuple[Position, str]]:
        board_id = self.find_board_id(board)
        if board_id is None:
            return
        for each in sorted(self.count_proofs(board)) if ply is None else [ply]:
            after = None
            while True:
                texts = self._read_texts(board_id, board, each, after, chunk)
                if not texts:
                    break
                yield from texts
                after = to_signed(texts[-1][0].key)

    @patiently
    def _read_texts(
        self, board_id: int, board: Board, ply: int, after: int | None, number: int
    ) -> list[tuple[Position, str]]:
        with reading(self.engine, self.location) as connection:
            return certificate_table.read_ply(connection, board_id, board, ply, after, number)

    def count_proofs(self, board: Board) -> dict[int, int]:
        """The number of certificates of each ply that has any."""
        return self._count(CertificateRow, board)

    def get_proof(self, position: Position) -> Certificate | None:
        """The certificate of a position, if it has one."""
        return self.get_proofs([position])[0]

    def get_proofs(self, positions: list[Position], on_flaw: OnFlaw = raise_flaw) -> list[Certificate | None]:
        """The certificates of positions of one board, None for each that has none, or none that the checker accepts.

        `on_flaw` is told of the latter in a sentence; without it that is a CertificateError.
        """
        found: list[Certificate | None] = []
        for known, position in zip(self.read(positions), positions, strict=True):
            try:
                found.append(known.read_proof(position))
            except CertificateError as error:
                on_flaw(str(error))
                found.append(None)
        return found

    @patiently
    def read_proof_texts(self, board: Board, keys: Keys) -> dict[int, str]:
        """The stored certificates of canonical keys, as text, those that have one; only what the checker accepts.

        Raises CertificateError, naming the position, for one that it does not.
        """
        board_id = self.find_board_id(board)
        if board_id is None or not len(keys):
            return {}
        with reading(self.engine, self.location) as connection:
            texts = certificate_table.read_texts(connection, board_id, board, keys)
        certificate_table.check_texts(board, texts)
        return texts

    @patiently
    def read(self, positions: list[Position]) -> list[Knowledge]:
        """All that is known of a few positions of one board."""
        if not positions:
            return []
        board = positions[0].board
        keys = np.array([position.canonical_key for position in positions], dtype=np.uint64)
        verdicts, claims = self.lookup(board, keys), self.lookup_claims(board, keys)
        board_id = self.find_board_id(board)
        proofs: dict[int, str] = {}
        if board_id is not None:
            with reading(self.engine, self.location) as connection:
                proofs = certificate_table.read_texts(connection, board_id, board, keys)
        return [
            Knowledge(verdicts.verdict(place), claims.verdict(place), proofs.get(int(key)))
            for place, key in enumerate(keys)
        ]
