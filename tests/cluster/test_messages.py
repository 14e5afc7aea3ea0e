"""Nothing that a worker sends is believed: each way to be wrong is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from claimeven.cluster import worker
from claimeven.cluster.errors import DisagreementError
from claimeven.cluster.messages import Order, Question, Reply, accept
from claimeven.solver.board import Board
from claimeven.solver.deciding.decided import ProofTexts
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.enumeration import enumerate_ply
from claimeven.solver.verdict import Source
from claimeven.solver.verdict_code import NO_SOURCE, SOURCE_CODES

BOARD = Board(6, 4)
RULES, SEARCH = SOURCE_CODES[Source.RULES], SOURCE_CODES[Source.SEARCH]


@pytest.fixture(scope="module")
def order() -> Order:
    keys = np.concatenate(list(enumerate_ply(BOARD, 4)))
    return Order(Question(BOARD, memory_bytes=1 << 20, threads=1), keys)


@pytest.fixture(scope="module")
def reply(order: Order) -> Reply:
    """What a worker answers, here without one."""
    reply = worker.decide(order)
    assert len(reply.proofs) > 1
    assert (reply.sources == RULES).any()
    assert (reply.sources == SEARCH).any()
    return reply


def test_what_is_right_is_accepted_and_is_what_threads_find(order: Order, reply: Reply) -> None:
    decided = accept(order, reply)
    here = Decider(BOARD, memory_bytes=1 << 20, threads=1)
    for each in here.decide_keys(order.keys):
        verdicts = decided.verdicts.select(each.places)
        for name in ("keys", "least", "greatest", "scores", "sources"):
            assert np.array_equal(getattr(verdicts, name), getattr(each.verdicts, name))
    assert decided.proofs is not None
    assert len(decided.proofs) == len(reply.proofs)


def first(reply: Reply, source: int) -> int:
    return int(np.flatnonzero(reply.sources == source)[0])


def changed(array: np.ndarray, place: int, value: int) -> np.ndarray:
    array = array.copy()
    array[place] = value
    return array


def with_text(proofs: ProofTexts, text: bytes) -> ProofTexts:
    """The first certificate replaced."""
    lengths = np.diff(proofs.offsets)
    lengths[0] = len(text)
    rest = proofs.text[proofs.offsets[1] :]
    whole = np.concatenate([np.frombuffer(text, np.uint8), rest])
    return replace(proofs, text=whole, offsets=np.concatenate([[0], np.cumsum(lengths)]))


SPOILT: dict[str, Callable[[Reply], Reply]] = {
    "another length": lambda reply: replace(reply, least=reply.least[1:]),
    "there are none of": lambda reply: replace(reply, least=changed(reply.least, 0, 7)),
    "contradicts itself": lambda reply: replace(reply, scores=changed(reply.scores, first(reply, SEARCH), 99)),
    "left positions open": lambda reply: replace(
        reply,
        least=changed(reply.least, first(reply, SEARCH), -1),
        greatest=changed(reply.greatest, first(reply, SEARCH), 1),
        scores=changed(reply.scores, first(reply, SEARCH), -128),
        sources=changed(reply.sources, first(reply, SEARCH), NO_SOURCE),
    ),
    "a source that it does not have": lambda reply: replace(reply, sources=changed(reply.sources, 0, 4)),
    "not the one of a proof": lambda reply: replace(reply, sources=changed(reply.sources, first(reply, SEARCH), RULES)),
    "does not accept its proof": lambda reply: replace(reply, proofs=with_text(reply.proofs, b"CLa1a2")),
    "exclude each other": lambda reply: replace(
        reply,
        least=np.where(reply.sources == RULES, 1, reply.least).astype(np.int8),
        greatest=np.where(reply.sources == RULES, 1, reply.greatest).astype(np.int8),
        scores=np.where(reply.sources == RULES, -128, reply.scores).astype(np.int8),
    ),
    "were not asked for": lambda reply: replace(
        reply, proofs=replace(reply.proofs, keys=reply.proofs.keys + np.uint64(1))
    ),
    "cannot be read": lambda reply: replace(
        reply, proofs=replace(reply.proofs, offsets=reply.proofs.offsets + np.int64(1000000))
    ),
}


@pytest.mark.parametrize("reason", SPOILT)
def test_what_is_wrong_is_refused(order: Order, reply: Reply, reason: str) -> None:
    with pytest.raises(DisagreementError, match=reason):
        accept(order, SPOILT[reason](reply))


def test_scores_that_were_asked_for_may_not_be_missing(order: Order) -> None:
    asked = Order(replace(order.question, scores=True), order.keys)
    reply = worker.decide(asked)
    assert accept(asked, reply).verdicts.has_score.all()
    place = int(np.flatnonzero(np.abs(reply.scores) > 0)[0])
    with pytest.raises(DisagreementError, match="left scores out"):
        accept(asked, replace(reply, scores=changed(reply.scores, place, -128)))
