"""Arrays of positions in, arrays of verdicts out, on all cores: the end, the rules, then exact search for the rest.

Verdicts come as they are decided, so that whoever asked can keep and show them while harder positions are still being
searched. For a few positions and for people `decide` does the same with Position and Verdict.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.board import Board
from claimeven.solver.deciding.by_rules import Prover, ask_rules
from claimeven.solver.deciding.decided import Decided, Decision, Engine, ProofTexts
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys, are_over, keys_of, split_keys
from claimeven.solver.proof.certificate_text import canonical_position, orient_certificate, read_certificate
from claimeven.solver.search.budget import UNLIMITED, Budget
from claimeven.solver.search.findings import Findings
from claimeven.solver.verdict import Source
from claimeven.solver.verdicts import VerdictBatch, complete_draws, judge_ends, ranks_of_scores, tighten

if TYPE_CHECKING:
    from claimeven.solver.search.dfpn.job import ProofJob
    from claimeven.solver.search.dfpn.searcher import ProofNumberSearcher
    from claimeven.solver.search.job import SearchJob
    from claimeven.solver.search.searcher import Searcher

RULES_EMPTY = 8
"""With so few empty squares, or fewer, exact search is faster than finding a proof and checking it."""

SLICE = 16_384
"""Positions that are decided together: the rules are done with them in a small part of a second."""

PART = 4096
"""Positions that a thread asks the rules for, where the rules alone decide: what is stopped waits for so many."""

PROVER_SLICE = 8
"""The same where proofs are found one by one, each of which may take a part of a second."""

PULSE = 0.5
"""Seconds after which what was decided is handed on, and a sign of life if nothing was."""


class Decider:
    """Decides the positions of one board, keeping the transposition table from one batch to the next.

    With `scores` every decided position has its exact score, which only search finds. A position that search gives up
    within `budget`, each on its own, keeps what the rules said of it. Without `proofs` the rules still decide, but no
    certificates are made. A `prover` takes the place of the kernels that look for proofs: one position at a time.

    >>> decider = Decider(Board(4, 4), memory_bytes=1 << 20, threads=1)
    >>> [str(decision.verdict.bounds) for decision in decider.decide([Position.start(Board(4, 4))])]
    ['draw']
    """

    def __init__(
        self,
        board: Board,
        engine: Engine = Engine.AUTO,
        *,
        scores: bool = False,
        proofs: bool = True,
        prover: Prover | None = None,
        memory_bytes: int | None = None,
        threads: int | None = None,
        budget: Budget = UNLIMITED,
    ) -> None:
        self.board = board
        self.engine = engine
        self.scores = scores
        self.proofs = proofs
        self.prover = prover
        self.budget = budget
        self.threads = threads or os.cpu_count() or 1
        self.can_learn = engine is Engine.DFPN
        self.can_resume = engine in (Engine.AUTO, Engine.SEARCH)
        self._memory_bytes = memory_bytes
        self._searcher: Searcher | ProofNumberSearcher | None = None
        self._pool: ThreadPoolExecutor | None = None

    def decide(self, positions: Sequence[Position]) -> list[Decision]:
        """The decisions on positions, in their order."""
        keys = keys_of(self.board, positions)
        unique, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        found: dict[int, Decision] = {}
        proofs: dict[int, str] = {}
        for decided in self.decide_keys(unique):
            if decided.proofs is not None:
                proofs.update(zip(decided.proofs.keys.tolist(), decided.proofs.texts(), strict=True))
            for number, place in enumerate(decided.places.tolist()):
                position, verdict = positions[first[place]], decided.verdicts.verdict(number)
                cost = int(decided.nodes[number]), float(decided.seconds[number])
                found[place] = Decision(position, verdict, None, *cost)
        decisions = []
        for position, key, place in zip(positions, keys.tolist(), inverse.tolist(), strict=True):
            decision, text = found[place], proofs.get(key)
            certificate = None
            if text is not None:
                certificate = orient_certificate(read_certificate(canonical_position(position), text), position)
            decisions.append(Decision(position, decision.verdict, certificate, decision.nodes, decision.seconds))
        return decisions

    def decide_keys(self, keys: Keys) -> Iterator[Decided]:
        """The verdicts on positions given by different canonical keys, as they are decided.

        Each position comes exactly once, unless the caller stops taking them. The rules alone begin at once; whatever
        else decides begins when the first verdict is asked for. On Ctrl-C what search has decided by then comes before
        the KeyboardInterrupt. Raises CertificateError if the checker does not accept a proof, and ContradictionError if
        rules and search exclude each other: both are bugs.
        """
        if self.engine is Engine.RULES and self.prover is None:
            begun = self._prove_ahead(keys)
            next(begun)
            return begun
        return self._decide_in_turn(keys)

    def close(self) -> None:
        """Give up what the rules were asked and nobody has taken yet; the decider can be used again."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def learn(self, batches: Iterable[VerdictBatch]) -> None:
        """Begin with what is known of other positions; for an engine that `can_learn`, and once."""
        from claimeven.solver.search.dfpn.searcher import ProofNumberSearcher

        searcher = self.searcher
        if isinstance(searcher, ProofNumberSearcher):
            for batch in batches:
                searcher.learn(batch)
        self.can_learn = False

    def resume(self, findings: Findings) -> None:
        """Go on from what other searches found on their way; for an engine that `can_resume`, and once."""
        from claimeven.solver.search.searcher import Searcher

        searcher = self.searcher
        if isinstance(searcher, Searcher):
            searcher.resume(findings)
        self.can_resume = False

    @property
    def searcher(self) -> Searcher | ProofNumberSearcher:
        """What searches, made when it is first asked for."""
        return self._get_searcher()

    @property
    def nodes(self) -> int:
        """The nodes of all searches so far."""
        return 0 if self._searcher is None else self._searcher.nodes

    def _prove_ahead(self, keys: Keys) -> Iterator[Decided]:
        """What the rules say, part after part; all parts are asked for before the first yield, a sign of life.

        The threads are those of all calls, so whoever makes the next one before it takes what this one gives, keeps
        them at work meanwhile.
        """
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, "rules")
        parts = [np.arange(start, min(start + PART, len(keys))) for start in range(0, len(keys), PART)]
        asked = [self._pool.submit(self._judge_by_rules, keys[places]) for places in parts]
        try:
            yield Decided.without_search(np.zeros(0, np.intp), VerdictBatch.unknown(keys[:0]))
            for places, answer in zip(parts, asked, strict=True):
                yield Decided.without_search(places, *answer.result())
        finally:
            for answer in asked:
                answer.cancel()

    def _judge_by_rules(self, keys: Keys) -> tuple[VerdictBatch, ProofTexts | None]:
        """What the rules say of positions, finished or not, and the certificates; on one thread."""
        over = are_over(self.board, keys)
        if not over.any():
            return self._ask_rules(keys, threads=1)
        judged = VerdictBatch.unknown(keys)
        judged.put(np.flatnonzero(over), judge_ends(self.board, keys[over]))
        known, proofs = self._ask_rules(keys[~over], threads=1)
        judged.put(np.flatnonzero(~over), known)
        return judged, proofs

    def _decide_in_turn(self, keys: Keys) -> Iterator[Decided]:
        """The verdicts on finished games, then those on one slice of the others after the other."""
        over = are_over(self.board, keys)
        if over.any():
            places = np.flatnonzero(over)
            yield Decided.without_search(places, judge_ends(self.board, keys[places]))
        waiting = np.flatnonzero(~over)
        step = SLICE if self.prover is None else PROVER_SLICE
        for start in range(0, len(waiting), step):
            yield from self._decide_unfinished(waiting[start : start + step], keys)

    def _decide_unfinished(self, places: NDArray[np.intp], keys: Keys) -> Iterator[Decided]:
        known, proofs = self._ask_rules(keys[places], self.threads)
        is_done = known.is_exact & (known.has_score if self.scores else True)
        if self.engine is Engine.RULES:
            is_done[:] = True
        if is_done.any() or proofs is not None:
            yield Decided.without_search(places[is_done], known.select(is_done), proofs)
        open_ = ~is_done
        if open_.any():
            yield from self._search(places[open_], known.select(open_))

    def _ask_rules(self, keys: Keys, threads: int) -> tuple[VerdictBatch, ProofTexts | None]:
        """What the rules say of unfinished positions, and the certificates."""
        if self.engine in (Engine.SEARCH, Engine.DFPN):
            return VerdictBatch.unknown(keys), None
        # Who names a prover wants to see its proofs, however late the position is.
        least_empty = RULES_EMPTY + 1 if self.engine is Engine.AUTO and self.prover is None else 1
        return ask_rules(
            self.board,
            keys,
            most_stones=self.board.cells - least_empty,
            prover=self.prover,
            proofs=self.proofs,
            threads=threads,
        )

    def _search(self, places: NDArray[np.intp], known: VerdictBatch) -> Iterator[Decided]:
        """Decide positions by search, and hand on what is done every now and then."""
        searcher = self.searcher
        stones = split_keys(self.board, known.keys)
        with searcher.start(stones.white, stones.black, self.budget, scores=self.scores) as job:
            began, before = time.perf_counter(), searcher.nodes
            while True:
                try:
                    is_over = job.wait(PULSE)
                except KeyboardInterrupt:
                    job.close()  # when its threads have come back, all that they put down can be read
                    yield self._take(job, places, known, 0.0)
                    raise
                seconds = (time.perf_counter() - began) * min(self.threads, len(places))
                yield self._take(job, places, known, seconds / max(searcher.nodes - before, 1))
                if is_over:
                    return

    def _take(
        self, job: SearchJob | ProofJob, places: NDArray[np.intp], known: VerdictBatch, seconds_a_node: float
    ) -> Decided:
        """What the job has done since it was asked last."""
        done = job.newly_done()
        verdicts = known.select(done)
        least, greatest, keys = job.least(done), job.greatest(done), known.keys[done]
        if self.scores:
            taken = np.flatnonzero(job.is_decided(done))
            found = VerdictBatch.of_scores(self.board, keys[taken], least[taken], Source.SEARCH)
        else:
            # What was given up may be known in part.
            taken = np.arange(len(done))
            low, high = (ranks_of_scores(self.board, keys, bound) for bound in (least, greatest))
            found = VerdictBatch.of_bounds(keys, np.minimum(low, high), np.maximum(low, high), Source.SEARCH)
        if len(taken):
            together, _ = tighten(self.board, verdicts.select(taken), complete_draws(found))
            verdicts.put(taken, together)
        nodes = job.nodes(done)
        seconds = nodes.astype(np.float64) * seconds_a_node
        return Decided(places[done], verdicts, nodes, seconds, found=job.take_found(), findings=job.take_findings())

    def _get_searcher(self) -> Searcher | ProofNumberSearcher:
        if self._searcher is None:
            from claimeven.solver.search.searcher import DEFAULT_MEMORY, Searcher

            memory = DEFAULT_MEMORY if self._memory_bytes is None else self._memory_bytes
            if self.engine is Engine.DFPN:
                from claimeven.solver.search.dfpn.searcher import ProofNumberSearcher

                self._searcher = ProofNumberSearcher(self.board, memory_bytes=memory, threads=self.threads)
            else:
                self._searcher = Searcher(self.board, memory_bytes=memory, threads=self.threads)
        return self._searcher
