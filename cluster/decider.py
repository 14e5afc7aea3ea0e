"""Decides the positions of a batch with the workers of a cluster: the other answer to who decides these arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from claimeven.cluster import worker
from claimeven.cluster.crew import Crew
from claimeven.cluster.errors import DisagreementError
from claimeven.cluster.messages import Order, Question, Reply, accept
from claimeven.cluster.sharing import Part, Sharing
from claimeven.solver.board import Board
from claimeven.solver.deciding.decided import Decided, Engine
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.positions import Keys, are_over
from claimeven.solver.search.findings import Findings
from claimeven.solver.verdict import ContradictionError, Source
from claimeven.solver.verdict_code import SOURCE_CODES, describe_verdict
from claimeven.solver.verdicts import VerdictBatch, describe_position, find_contradictions, judge_ends

SPOT_CHECK_NODES = 20_000_000
"""A verdict that took more is not solved again: whoever asked is there to write, not to search for minutes."""

OnChunk = Callable[[Part, Reply], None]
"""Told of every chunk that was accepted: what it was, and what it took."""


class ClusterDecider:
    """Decides the positions of one board with a crew of workers, as `Decider` does with threads.

    Of every batch `spot_checks` verdicts of search are searched again here before they are believed.
    """

    def __init__(
        self,
        crew: Crew,
        question: Question,
        *,
        spot_checks: int = 0,
        seed: int | None = None,
        on_chunk: OnChunk = lambda part, reply: None,
    ) -> None:
        self.question = question
        self.nodes = 0
        self._crew = crew
        self._spot_checks = spot_checks
        self._chance = np.random.default_rng(seed)
        self._on_chunk = on_chunk
        self._local: Decider | None = None

    @property
    def board(self) -> Board:
        return self.question.board

    @property
    def scores(self) -> bool:
        return self.question.scores

    @property
    def can_learn(self) -> bool:
        return False

    def learn(self, batches: Iterable[VerdictBatch]) -> None:
        """Nothing: a worker gets positions, and no store."""

    @property
    def can_resume(self) -> bool:
        return False

    def resume(self, findings: Findings) -> None:
        """Nothing: a worker gets positions, and no store."""

    def decide_keys(self, keys: Keys) -> Iterator[Decided]:
        """The verdicts on positions given by different canonical keys, as they are decided: see `Decider`.

        Raises ClusterError if the cluster cannot go on.
        """
        over = are_over(self.board, keys)
        if over.any():
            places = np.flatnonzero(over)
            yield Decided.without_search(places, judge_ends(self.board, keys[places]))
        waiting = np.flatnonzero(~over)
        waiting = waiting[np.argsort(keys[waiting], kind="stable")]
        batch = _Batch(self, keys[waiting], self._draw(keys[waiting]), self._on_chunk)
        for decided in self._crew.do(batch):
            if decided is None:
                yield Decided.without_search(np.zeros(0, np.intp), VerdictBatch.unknown(keys[:0]))
            else:
                self.nodes += int(decided.nodes.sum())
                yield replace(decided, places=waiting[decided.places])

    def check_again(self, keys: Keys, verdicts: VerdictBatch) -> None:
        """Search positions here; raises DisagreementError for a verdict that excludes what is found."""
        if not len(keys):
            return
        if self._local is None:
            question = self.question
            self._local = Decider(question.board, Engine.SEARCH, scores=question.scores, threads=question.threads)
        found = VerdictBatch.unknown(keys)
        for decided in self._local.decide_keys(keys):
            found.put(decided.places, decided.verdicts)
        wrong = find_contradictions(found, verdicts)
        if wrong.any():
            place = int(wrong.argmax())
            raise DisagreementError(
                f"{describe_position(self.board, int(keys[place]))} is {describe_verdict(found.verdict(place))}, and "
                f"not {describe_verdict(verdicts.verdict(place))}"
            )

    def _draw(self, keys: Keys) -> Keys:
        """The positions of a batch that are to be searched again, in ascending order."""
        number = min(self._spot_checks, len(keys))
        return np.sort(self._chance.choice(keys, number, replace=False)) if number else keys[:0]


class _Batch:
    """The work of deciding unfinished positions, for a crew; they are in ascending order."""

    def __init__(self, decider: ClusterDecider, keys: Keys, drawn: Keys, on_chunk: OnChunk) -> None:
        self._decider = decider
        self._keys = keys
        self._drawn = drawn
        self._on_chunk = on_chunk
        self._sharing = Sharing(len(keys))
        self._losses: Counter[int] = Counter()
        self._lost_by: dict[str, set[int]] = {}
        self._disagreed: set[int] = set()

    @property
    def is_over(self) -> bool:
        return self._sharing.is_over

    @property
    def preparation(self) -> tuple[Any, ...]:
        return worker.prepare, self._decider.question

    def take(self, address: str, workers: int) -> Part | None:
        # Who lost a part gets it again only where nobody else is left.
        avoided = self._lost_by.get(address, set()) if workers > 1 else set()
        return self._sharing.take(address, workers, frozenset(avoided))

    def task_of(self, part: Part) -> tuple[Any, ...]:
        return worker.decide, self._order(part)

    def receive(self, address: str, part: Part, answer: Any) -> Decided:
        if not isinstance(answer, Reply):
            raise DisagreementError("its answer is none")
        order = self._order(part)
        decided = accept(order, answer)
        try:
            self._spot_check(order, decided)
        except DisagreementError as error:
            if part.number in self._disagreed:
                raise ContradictionError(
                    f"two workers say the same, and this machine something else: {error}"
                ) from None
            self._disagreed.add(part.number)
            raise
        self._sharing.done(address, part, answer.took)
        self._on_chunk(part, answer)
        return replace(decided, places=decided.places + part.start)

    def give_back(self, address: str, part: Part) -> int:
        self._sharing.give_back(part)
        self._losses[part.number] += 1
        self._lost_by.setdefault(address, set()).add(part.number)
        return self._losses[part.number]

    def leave(self, address: str) -> None:
        self._sharing.leave(address)

    def _order(self, part: Part) -> Order:
        return Order(self._decider.question, self._keys[part.start : part.stop])

    def _spot_check(self, order: Order, decided: Decided) -> None:
        by_search = decided.verdicts.sources == SOURCE_CODES[Source.SEARCH]
        checked = np.isin(order.keys, self._drawn) & by_search & (decided.nodes <= SPOT_CHECK_NODES)
        self._decider.check_again(order.keys[checked], decided.verdicts.select(checked))
