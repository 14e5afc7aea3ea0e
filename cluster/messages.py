"""What goes to a worker and what comes back: arrays, and of these nothing is believed before it was looked at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from claimeven.cluster.errors import DisagreementError
from claimeven.solver.board import Board
from claimeven.solver.deciding.decided import Decided, Engine, ProofTexts
from claimeven.solver.positions import Keys, split_keys
from claimeven.solver.search.budget import UNLIMITED, Budget
from claimeven.solver.verdict import ContradictionError, Source
from claimeven.solver.verdict_code import NO_SOURCE, SOURCE_CODES
from claimeven.solver.verdicts import VerdictBatch, check_batch, find_contradictions


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of positions: as the arguments of a `Decider`, but for those that each machine knows best."""

    board: Board
    engine: Engine = Engine.AUTO
    scores: bool = False
    proofs: bool = True
    budget: Budget = UNLIMITED
    memory_bytes: int | None = None
    threads: int | None = None

    @property
    def must_be_decided(self) -> bool:
        """Whether no position may be given up."""
        return self.budget == UNLIMITED and self.engine is not Engine.RULES


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """Unfinished positions for a worker to decide, by different canonical keys."""

    question: Question
    keys: Keys


@dataclass(frozen=True, slots=True, eq=False)
class Reply:
    """What a worker found of an order: one entry a position, in their order, and the certificates."""

    least: NDArray[np.int8]
    greatest: NDArray[np.int8]
    scores: NDArray[np.int8]
    sources: NDArray[np.int8]
    nodes: NDArray[np.int64]
    seconds: NDArray[np.float64]
    proofs: ProofTexts
    took: float
    """Seconds that the worker was at it."""


def accept(order: Order, reply: Reply) -> Decided:
    """What a reply says, once every certificate in it was checked here and all else can be.

    Raises DisagreementError if something cannot.
    """
    board, keys = order.question.board, order.keys
    arrays = (reply.least, reply.greatest, reply.scores, reply.sources, reply.nodes, reply.seconds)
    if any(len(array) != len(keys) for array in arrays):
        raise DisagreementError("its answer has another length than the question")
    verdicts = VerdictBatch(keys, *(array.astype(np.int8) for array in arrays[:4]))
    if (np.abs(reply.least) > 1).any() or (np.abs(reply.greatest) > 1).any():
        raise DisagreementError("it sent values that there are none of")
    try:
        check_batch(board, verdicts)
    except ContradictionError as error:
        raise DisagreementError(str(error)) from None
    _check_sources(order, verdicts, reply.proofs)
    return Decided(
        np.arange(len(keys)),
        verdicts,
        np.maximum(reply.nodes.astype(np.int64), 0),
        np.maximum(reply.seconds.astype(np.float64), 0.0),
        reply.proofs if len(reply.proofs) else None,
    )


def _check_sources(order: Order, verdicts: VerdictBatch, proofs: ProofTexts) -> None:
    """Whether each verdict has a source that it may have, and those of the rules their certificates, if asked for."""
    keys, question = order.keys, order.question
    by_rules = verdicts.sources == SOURCE_CODES[Source.RULES]
    by_search = verdicts.sources == SOURCE_CODES[Source.SEARCH]
    unknown = (verdicts.sources == NO_SOURCE) & ~verdicts.is_known
    if not (by_rules | by_search | unknown).all():
        raise DisagreementError("it sent verdicts from a source that it does not have")
    if question.must_be_decided and not verdicts.is_exact.all():
        raise DisagreementError("it left positions open")
    if question.scores and not (verdicts.has_score | ~verdicts.is_exact | by_rules).all():
        raise DisagreementError("it left scores out")
    places = check_proofs(question.board, keys, proofs)
    proved = VerdictBatch.unknown(keys)
    proved.put(places, proofs.verdicts)
    if find_contradictions(proved, verdicts).any():
        raise DisagreementError("its verdicts and its proofs exclude each other")
    differs = (proved.least != verdicts.least) | (proved.greatest != verdicts.greatest)
    if question.proofs and differs[by_rules].any():
        raise DisagreementError("it sent a verdict of the rules that is not the one of a proof")


def check_proofs(board: Board, keys: Keys, proofs: ProofTexts) -> NDArray[np.intp]:
    """Where the positions of certificates stand among the keys; raises DisagreementError if one does not hold."""
    from claimeven.solver.proof.check_batch import check_many

    order = np.argsort(keys)
    at = np.searchsorted(keys, proofs.keys, sorter=order) if len(keys) else np.zeros(len(proofs), np.intp)
    places = order[np.minimum(at, len(keys) - 1)] if len(keys) else at
    if len(np.unique(proofs.keys)) != len(proofs) or (len(proofs) and (keys[places] != proofs.keys).any()):
        raise DisagreementError("it sent proofs of positions that were not asked for")
    stones = split_keys(board, proofs.keys)
    try:
        checked = check_many(board, stones.white, stones.black, proofs.text, proofs.offsets)
    except ValueError as error:
        raise DisagreementError(f"its proofs cannot be read: {error}") from None
    wrong = ~checked.is_accepted | (checked.least != proofs.least) | (checked.greatest != proofs.greatest)
    if wrong.any():
        raise DisagreementError(f"the checker does not accept its proof {proofs.texts()[int(wrong.argmax())]!r}")
    return places
