"""What the nine rules say of arrays of positions, with certificates that the checker has accepted, every one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.board import Board
from claimeven.solver.deciding.decided import ProofTexts
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys, split_keys
from claimeven.solver.proof.certificate import Certificate, CertificateError
from claimeven.solver.proof.certificate_text import write_certificate
from claimeven.solver.verdict import Bounds, Source
from claimeven.solver.verdicts import VerdictBatch, complete_draws, describe_position

if TYPE_CHECKING:
    from claimeven.solver.proof.proof_batch import ProofBatch

Prover = Callable[[Position], Certificate | None]


def ask_rules(
    board: Board, keys: Keys, *, most_stones: int, prover: Prover | None, proofs: bool, threads: int
) -> tuple[VerdictBatch, ProofTexts | None]:
    """What the rules say of unfinished positions with at most so many stones, and the certificates, if wanted.

    A `prover` takes the place of the kernels. Raises CertificateError if the checker does not accept a proof.
    """
    known = VerdictBatch.unknown(keys)
    if board.rows % 2:
        return known, None
    stones = split_keys(board, keys)
    tried = np.flatnonzero(stones.plies.astype(np.int64) <= most_stones)
    if not len(tried):
        return known, None
    from claimeven.solver.proof.proof_batch import prove_many

    white, black = stones.white[tried], stones.black[tried]
    if prover is not None:
        certificates = [prover(Position.from_key(board, key)) for key in keys[tried].tolist()]
        found = _batch_of_certificates(board, white, black, certificates)
    else:
        found = prove_many(board, white, black, threads=threads, certificates=proofs)
    proved = np.flatnonzero(found.is_proved)
    if not len(proved):
        return known, None
    by_rules = VerdictBatch.of_bounds(keys[tried[proved]], found.least[proved], found.greatest[proved], Source.RULES)
    known.put(tried[proved], complete_draws(by_rules))
    return known, _check(board, found, keys[tried], proved, threads) if found.has_certificates else None


def _check(board: Board, found: ProofBatch, keys: Keys, proved: NDArray[np.intp], threads: int) -> ProofTexts:
    """The certificates, all of them accepted by the checker; raises CertificateError if one is not."""
    from claimeven.solver.proof.check_batch import check_many

    lengths = np.diff(found.offsets)
    offsets = np.zeros(len(proved) + 1, np.int64)
    np.cumsum(lengths[proved], out=offsets[1:])  # what is not proved has no text
    white, black = found.white[proved], found.black[proved]
    checked = check_many(board, white, black, found.text, offsets, threads=threads)
    wrong = (checked.least != found.least[proved]) | (checked.greatest != found.greatest[proved])
    if wrong.any():
        place = int(proved[wrong.argmax()])
        raise CertificateError(
            f"{describe_position(board, int(keys[place]))}: the checker does not accept the proof "
            f"{found.certificate_text(place)!r}; this is a bug"
        )
    return ProofTexts(keys[proved], found.least[proved], found.greatest[proved], found.text, offsets)


def _batch_of_certificates(
    board: Board,
    white: NDArray[np.uint64],
    black: NDArray[np.uint64],
    certificates: Sequence[Certificate | None],
) -> ProofBatch:
    """Certificates that were found one by one, None for each position without a proof, as `prove_many` gives them."""
    from claimeven.solver.proof.proof_batch import ProofBatch

    bounds = [Bounds() if each is None else each.bounds for each in certificates]
    texts = [b"" if each is None else write_certificate(each).encode("ascii") for each in certificates]
    return ProofBatch(
        board=board,
        white=white,
        black=black,
        least=np.array([each.least.rank for each in bounds], np.int8),
        greatest=np.array([each.greatest.rank for each in bounds], np.int8),
        nodes=np.zeros(len(texts), np.int64),
        has_certificates=True,
        text=np.frombuffer(b"".join(texts), np.uint8),
        offsets=np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype(np.int64),
    )
