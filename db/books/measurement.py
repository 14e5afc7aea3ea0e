"""What building a book costs on this machine: samples of positions are decided, and made-up answers are stored."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from claimeven.cluster.messages import Order, Question, Reply, accept
from claimeven.cluster.planning.costs import (
    SAMPLED_PLIES,
    AskerCosts,
    CostModel,
    PlySample,
    draw_stretches,
    spread_cost,
)
from claimeven.cluster.worker import join_proofs, warm_up
from claimeven.db.pipeline import write_decided
from claimeven.db.retrograde import tighten_parents
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.deciding.decided import Engine
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.positions import Keys
from claimeven.solver.verdict import Source
from claimeven.solver.verdict_code import SOURCE_CODES
from claimeven.solver.verdicts import VerdictBatch, complete_draws

ANSWERED = 8192
"""Positions whose answers are made up, sent, checked and stored."""

SMALL, LARGE = 64, 4096
"""Positions of small and of large chunks of them: what differs is what a chunk costs."""

DASK_SECONDS = 0.004
"""What Dask costs the one that asked for a chunk, beside packing and unpacking: a guess that nothing here measures. In
the recorded runs of `bench cluster` the process that asks used about three times what is counted for it in all."""

MORE = 2
"""A position of the next ply costs about half as much, so this is as much time for every ply."""

PARENT_PLY = 6
"""The ply that is carried back from the one after it."""

Tell = Callable[[str], None]


def measure_costs(
    number: int, seed: int, memory_bytes: int, tell: Tell, plies: tuple[int, ...] = SAMPLED_PLIES
) -> tuple[CostModel, AskerCosts]:
    """Decide positions of each sampled ply of 7x6 on one thread, and store made-up answers to others.

    There are about so many of the first ply, and MORE times as many of each ply after it, as they cost less.
    """
    board = Board()
    warm_up()
    began, counted = time.process_time(), 0
    layers: dict[int, Keys] = {}
    for ply, keys in enumerate_plies(board, max(plies)):
        counted += len(keys)
        if ply in (*plies, PARENT_PLY, PARENT_PLY + 1):
            layers[ply] = keys
    counting = (time.process_time() - began) / counted
    samples = []
    for ply in plies:
        keys = draw_stretches(layers[ply], number * MORE ** (ply - plies[0]), seed)
        tell(f"ply {ply}: {len(keys):,} positions ...")
        samples.append(measure_ply(board, ply, keys, memory_bytes))
    tell("storing ...")
    answered = draw_stretches(layers[max(plies)], ANSWERED, seed)
    with TemporaryDirectory() as directory:
        parent = _measure_parents(board, layers, Path(directory) / "parents.db", seed)
        asker = measure_asker(board, answered, Path(directory), seed)
    return CostModel(tuple(samples)), AskerCosts(counting, asker.chunk, asker.position, parent, asker.row_bytes)


def measure_ply(board: Board, ply: int, keys: Keys, memory_bytes: int) -> PlySample:
    """Decide stretches of a ply on one thread with a new table, as a worker does."""
    decider = Decider(board, memory_bytes=memory_bytes, threads=1)
    nodes = np.zeros(len(keys), np.int64)
    # Not by the clock: whatever else the machine does is no part of what a position costs.
    began = time.process_time()
    for decided in decider.decide_keys(keys):
        nodes[decided.places] = decided.nodes
    return PlySample(ply, spread_cost(nodes, time.process_time() - began))


def measure_asker(board: Board, keys: Keys, directory: Path, seed: int) -> AskerCosts:
    """What answers cost the one that asked: looked up, packed, checked, stored, in small and in large chunks."""
    seconds, chunks = [], []
    for size in (SMALL, LARGE):
        orders = list(_orders(board, keys, size))
        replies = [make_up_reply(order, seed + number) for number, order in enumerate(orders)]
        with Store.open(directory / f"{size}.db") as store:
            began = time.process_time()
            store.lookup(board, keys)
            for order, reply in zip(orders, replies, strict=True):
                sent = pickle.loads(pickle.dumps(order))
                write_decided(store, board, accept(sent, pickle.loads(pickle.dumps(reply))))
            seconds.append(time.process_time() - began)
            chunks.append(len(replies))
    chunk = max((seconds[0] - seconds[1]) / (chunks[0] - chunks[1]), 0.0)
    return AskerCosts(
        counting=0.0,
        chunk=chunk + DASK_SECONDS,
        position=max(seconds[1] - chunks[1] * chunk, 0.0) / len(keys),
        parent=0.0,
        row_bytes=(directory / f"{LARGE}.db").stat().st_size / len(keys),
    )


def _measure_parents(board: Board, layers: dict[int, Keys], path: Path, seed: int) -> float:
    """Seconds of a position that follows from those after it."""
    parents, children = layers[PARENT_PLY], layers[PARENT_PLY + 1]
    ranks = np.random.default_rng(seed).integers(-1, 2, len(children))
    with Store.open(path) as store:
        store.write(board, VerdictBatch.of_values(children, ranks, Source.SEARCH))
        began = time.process_time()
        tighten_parents(store, board, [parents])
        return (time.process_time() - began) / len(parents)


def _orders(board: Board, keys: Keys, size: int) -> Iterator[Order]:
    question = Question(board, threads=1)
    return (Order(question, keys[start : start + size]) for start in range(0, len(keys), size))


def make_up_reply(order: Order, seed: int) -> Reply:
    """What a worker might answer: the rules are asked, and where they leave something open chance decides."""
    keys, chance = order.keys, np.random.default_rng(seed)
    known, proofs = VerdictBatch.unknown(keys), []
    rules = Decider(order.question.board, Engine.RULES, memory_bytes=1 << 20, threads=1)
    for decided in rules.decide_keys(keys):
        known.put(decided.places, decided.verdicts)
        proofs += [decided.proofs] if decided.proofs is not None else []
    left = np.flatnonzero(~known.is_exact)
    ranks = chance.integers(known.least[left], known.greatest[left] + 1)
    known.put(left, complete_draws(VerdictBatch.of_values(keys[left], ranks, Source.SEARCH)))
    nodes = np.where(known.sources == SOURCE_CODES[Source.SEARCH], chance.integers(1, 100_000, len(keys)), 0)
    return Reply(
        *(known.least, known.greatest, known.scores, known.sources),
        nodes,
        nodes / 1e6,
        join_proofs(proofs),
        took=1.0,
    )
