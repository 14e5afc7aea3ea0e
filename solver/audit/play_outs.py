"""Proofs by the ten thousand, each played out against every opposition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from claimeven.solver.audit.positions import PositionSource, make_chunk
from claimeven.solver.audit.rule_bounds import NineRules
from claimeven.solver.audit.thesis_sets import thesis_sets
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.notation import format_moves, some_moves
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys, mirror_keys, sort_keys
from claimeven.solver.proof.certificate import Certificate, OddThreat
from claimeven.solver.proof.playout import PlayOut, play_out, play_random
from claimeven.solver.proof.prover import prove

MOST_NODES = 1 << 23
"""A play-out that needs more positions than this is counted as not finished."""
FAILURES_SHOWN = 20
SOURCE_CHUNK = 5_000
PATIENCE = 20
"""After how many chunks with hardly a new position a board counts as exhausted."""

Result = TypeVar("Result")
Progress = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class PlayOuts:
    """What became of the proofs of some positions, all of them played against every opposition.

    `nodes` are the positions with the opponent to move that were looked at, `games` the random games played besides.
    """

    name: str
    positions: int
    proofs: int
    survived: int
    unfinished: int
    nodes: int
    largest: int
    games: int
    kinds: dict[str, int]
    failures: tuple[str, ...]

    @property
    def failed(self) -> int:
        return self.proofs - self.survived - self.unfinished


def play_out_board(board: Board, threads: int, progress: Progress = lambda number: None) -> PlayOuts:
    """Play out every proof of every unfinished position of a small board, both mirror images."""
    chunks = (_both_images(board, keys) for _, keys in enumerate_plies(board, board.cells - 1))
    return _play_all(f"{board}, every position", board, chunks, None, threads, progress)


def play_out_random(
    source: PositionSource, wanted: int, threads: int, progress: Progress = lambda number: None
) -> PlayOuts:
    """Play out so many proofs of different positions of random games."""
    name = f"{source.board}, {source.kind} games with {source.first} or more stones, seed {source.seed}"
    return _play_all(name, source.size, _different(source), wanted, threads, progress)


def play_out_thesis_sets(games: int, threads: int, progress: Progress = lambda number: None) -> list[PlayOuts]:
    """Play the sets of the thesis against every opposition and against so many random ones each."""

    def play(entry: tuple[str, Certificate]) -> PlayOuts:
        name, certificate = entry
        every = play_out(certificate, MOST_NODES)
        chance = play_random(certificate, games)
        tally = _Tally()
        lost = every.survived and not chance.survived
        tally.add(certificate, replace(every, failure=chance.failure, line=chance.line) if lost else every)
        progress(1)
        return tally.result(name, positions=1, games=chance.nodes)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(play, thesis_sets().items()))


def _play_all(
    name: str, board: Board, chunks: Iterable[Keys], wanted: int | None, threads: int, progress: Progress
) -> PlayOuts:
    tally = _Tally()
    positions = 0
    rules = NineRules(threads)

    def play(key: int) -> tuple[Certificate, PlayOut]:
        certificate = prove(Position.from_key(board, key)).certificate
        assert certificate is not None, "the kernel of the audit proves what the prover proves"
        return certificate, play_out(certificate, MOST_NODES)

    with ThreadPoolExecutor(threads) as pool:
        for keys in chunks:
            left = None if wanted is None else wanted - tally.proofs
            proved = np.flatnonzero(rules.bound_all(board, keys).here)[:left]
            for certificate, outcome in _map(pool, play, (int(key) for key in keys[proved]), 8 * threads):
                tally.add(certificate, outcome)
                progress(1)
            if wanted is not None and tally.proofs == wanted:
                positions += int(proved[-1]) + 1
                break
            positions += len(keys)
    return tally.result(name, positions)


class _Tally:
    """The play-outs so far."""

    def __init__(self) -> None:
        self.proofs = self.survived = self.unfinished = self.nodes = self.largest = 0
        self.kinds: Counter[str] = Counter()
        self.failures: list[str] = []

    def add(self, certificate: Certificate, outcome: PlayOut) -> None:
        self.proofs += 1
        self.nodes += outcome.nodes
        self.largest = max(self.largest, outcome.nodes)
        self.kinds[kind_of(certificate)] += 1
        if not outcome.survived:
            self.failures.append(_describe(certificate, outcome))
        elif outcome.complete:
            self.survived += 1
        else:
            self.unfinished += 1

    def result(self, name: str, positions: int, games: int = 0) -> PlayOuts:
        return PlayOuts(
            name,
            positions,
            self.proofs,
            self.survived,
            self.unfinished,
            self.nodes,
            self.largest,
            games,
            dict(sorted(self.kinds.items())),
            tuple(self.failures[:FAILURES_SHOWN]),
        )


def kind_of(certificate: Certificate) -> str:
    """What a certificate says, and by which win condition."""
    match certificate.win_condition:
        case None:
            return str(certificate.bounds)
        case OddThreat():
            return f"{certificate.bounds} by an odd threat"
    return f"{certificate.bounds} by a threat combination"


def play_outs_from_json(data: Any) -> PlayOuts:
    """What `dataclasses.asdict` made of play-outs."""
    return PlayOuts(**{**data, "failures": tuple(data["failures"])})


def _describe(certificate: Certificate, outcome: PlayOut) -> str:
    position = certificate.position
    return f"{position.board} {format_moves(some_moves(position), position.board)}: {outcome.describe()}"


def _both_images(board: Board, keys: Keys) -> Keys:
    return sort_keys(np.concatenate([keys, mirror_keys(board, keys)]))


def _different(source: PositionSource) -> Iterator[Keys]:
    """Chunks of random positions, each position once; ends where hardly any new ones turn up."""
    seen = np.zeros(0, np.uint64)
    in_vain = number = 0
    while in_vain < PATIENCE:
        keys = make_chunk(source, number, SOURCE_CHUNK, solve=lambda positions: [])
        fresh = np.setdiff1d(keys, seen)
        in_vain = in_vain + 1 if len(fresh) < SOURCE_CHUNK // 1000 else 0
        seen = sort_keys(np.concatenate([seen, fresh]))
        yield fresh
        number += 1


def _map(
    pool: ThreadPoolExecutor, work: Callable[[int], Result], items: Iterator[int], waiting: int
) -> Iterator[Result]:
    """The results in order, with no more than so many under way, so that stopping is quick."""
    while part := list(islice(items, waiting)):
        yield from pool.map(work, part)
