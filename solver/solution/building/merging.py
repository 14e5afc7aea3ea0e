"""Fewer certificates: diagrams that are valid for a leaf more, until others are not needed any longer.

A diagram was found for one leaf, and which others it is valid for is luck. SAT is asked for one that is valid for all
leaves that another has and for one leaf more, leaves first whose diagram has few and which are like one of those. Of
what is found the fewest that will do are taken.

Of 182 such questions for a leaf with a diagram of its own and a position that differs from it in two or three stones 29
had an answer within five million steps, about a second, of 265 with more stones 14; what the diagrams that are there
get wrong at the other leaf tells less (two mistakes or three: 10 of 48, up to sixty-three: 33 of 381).
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.solution.building.builder import SAT_WORKS, Builder
from claimeven.solver.solution.building.leaf_diagrams import DiagramLeaf, LeafDiagrams, Part, Parts
from claimeven.solver.solution.building.least_choice import choose_least
from claimeven.solver.solution.building.outcome import Asked
from claimeven.solver.solution.finding.finder import FinderThread
from claimeven.solver.solution.finding.sat_finder import SatAnswer

ROUND, LEAST_ROUND = 24, 8
"""The work of a round, in first searches, and how many questions it has at least; no two of them have a diagram in
common."""
NEVER = len(SAT_WORKS)
"""So many searches count as tried where SAT has shown that there is no such diagram."""
TRY_DISTANCE, LEAF_DISTANCE = 2, 2
"""A search that failed, and a further leaf of the diagram that is to be done without, count as much as so many stones
by which positions differ."""

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Question:
    """Whether there is a diagram for the leaves of one, by number, and for one more, by place, or its mirror image."""

    place: int
    mirrored: bool
    number: int
    digest: int
    """Of all their positions."""
    tries: int


class Merger:
    """Gives the leaves of a build's smallest solution fewer diagrams; the nodes stay what they are.

    `asked` is what is known of questions that had no answer, by digest.
    """

    def __init__(self, builder: Builder, asked: dict[int, Asked]) -> None:
        self._builder, self._workshop, self._asked = builder, builder.workshop, asked
        self._works = list(accumulate(builder.effort.sat * work for work in SAT_WORKS))
        builder.barren.note()
        workshop, nodes = self._workshop, self._workshop.nodes
        leaves: list[DiagramLeaf] = []
        for key in choose_least(workshop, workshop.costs()).reached:
            number = nodes[key].leaf
            if number is not None and not nodes[key].rule_move:
                leaves.append(DiagramLeaf(*key, number, nodes[key].mirrored))
        self._keys = [(leaf.own, leaf.other) for leaf in leaves]
        # As they are and turned over.
        images = [[workshop.turn(key, is_mirrored) for key in self._keys] for is_mirrored in (False, True)]
        self._images: Words = np.array(images, np.uint64).reshape(2, -1, 2)
        self._digests: Words = np.array([[_digest(key) for key in image] for image in images], np.uint64)
        self._known = LeafDiagrams(workshop, leaves, workshop.library)
        self._parts: Parts = {}
        for place, leaf in enumerate(leaves):
            self._parts.setdefault(leaf.number, []).append((place, leaf.mirrored))
        self._take_fewer()
        self._known.spread(self._parts)
        self._take_fewer()

    @property
    def diagrams(self) -> int:
        """How many there are."""
        return len(self._parts)

    def merge_round(self) -> int:
        """Ask some questions; gives how many, 0 if nothing is left to be asked."""
        questions = self._next_questions() if self._builder.effort.sat else []
        first = len(self._workshop.library)
        answers = self._builder.threads.do([partial(self._search, question) for question in questions])
        for question, answer in zip(questions, answers, strict=True):
            self._enter(question, answer)
        if len(self._workshop.library) > first:
            self._known.spread({number: part for number, part in self._parts.items() if number >= first})
            self._take_fewer()
        return len(questions)

    def _take_fewer(self) -> None:
        """Take the fewest diagrams, if these are fewer: of others as many nothing is known yet."""
        fewest = self._known.choose()
        if len(fewest) < len(self._parts):
            self._adopt(fewest)

    def _next_questions(self) -> list[_Question]:
        """The most promising ones.

        Leaves move to diagrams with as many leaves as their own or more, which ends: the sum of the squares of these
        numbers grows until a diagram has none.
        """
        numbers = list(self._parts)
        if len(numbers) < 2:
            return []
        part_of = np.zeros(len(self._keys), np.int64)
        for row, number in enumerate(numbers):
            part_of[[place for place, _ in self._parts[number]]] = row
        sizes = np.array([len(self._parts[number]) for number in numbers])
        digests, far = zip(*(self._beside(self._parts[number]) for number in numbers), strict=True)
        # By whether the leaf is turned over, by leaf and by diagram.
        digest, rank = np.stack(digests, axis=-1), np.stack(far, axis=-1)
        tries = self._tries(digest)
        rank += TRY_DISTANCE * tries + (LEAF_DISTANCE * (sizes[part_of] - 1))[:, None]
        is_other = part_of[:, None] != np.arange(len(numbers))
        waiting = np.flatnonzero((tries < NEVER) & (sizes[part_of][:, None] <= sizes) & is_other)
        chosen: list[_Question] = []
        taken: set[int] = set()
        work = 0
        for spot in waiting[np.argsort(rank.ravel()[waiting], kind="stable")]:
            turned, place, row = (int(index) for index in np.unravel_index(spot, rank.shape))
            if not taken.isdisjoint((row, int(part_of[place]))):
                continue
            each = int(tries[turned, place, row])
            chosen.append(_Question(place, bool(turned), numbers[row], int(digest[turned, place, row]), each))
            taken.update((row, int(part_of[place])))
            work += SAT_WORKS[each]
            if work >= ROUND and len(chosen) >= LEAST_ROUND:
                break
        return chosen

    def _beside(self, part: Part) -> tuple[Words, Numbers]:
        """For every leaf, as it is and turned over, with the leaves of a diagram: the digest of them all, and by how
        many stones it differs from the one of them that is most like it."""
        places, turned = (np.array(each, np.int64) for each in zip(*part, strict=True))
        mine = self._images[turned, places]
        apart = np.bitwise_count(self._images[:, :, None] ^ mine).sum(axis=-1, dtype=np.int64)
        whole = self._digests ^ np.bitwise_xor.reduce(self._digests[turned, places])
        from_behind = self._digests[::-1] ^ np.bitwise_xor.reduce(self._digests[1 - turned, places])
        return np.minimum(whole, from_behind), apart.min(axis=-1)

    def _tries(self, digests: Words) -> Numbers:
        """How many of the searches for each of some questions are done."""
        known = np.array(sorted(self._asked), np.uint64)
        if not len(known):
            return np.zeros(digests.shape, np.int64)
        done = [self._asked[int(digest)] for digest in known]
        tries = np.array([NEVER if each.is_refuted else bisect_right(self._works, each.steps) for each in done])
        spots = np.minimum(np.searchsorted(known, digests), len(known) - 1)
        return np.where(known[spots] == digests, tries[spots], 0)

    def _search(self, question: _Question, thread: FinderThread) -> SatAnswer:
        turn, nodes = self._workshop.turn, self._workshop.nodes
        part = [*self._parts[question.number], (question.place, question.mirrored)]
        known = self._asked.get(question.digest, Asked())
        return self._builder.ask_sat(
            thread,
            [turn(self._keys[place], mirrored) for place, mirrored in part],
            self._builder.effort.sat * SAT_WORKS[question.tries],
            seed=_digest((self._builder.seed, question.digest, question.tries)),
            needs_ties=known.needs_ties or any(nodes[self._keys[place]].needs_ties for place, _ in part),
        )

    def _enter(self, question: _Question, answer: SatAnswer) -> None:
        """Write down what a question came to; a diagram takes the leaves that it was asked for."""
        if answer.levels is None:
            asked = self._asked.setdefault(question.digest, Asked())
            asked.steps = self._works[question.tries]
            asked.needs_ties, asked.is_refuted = answer.needs_ties, answer.is_barren
            return
        parts: Parts = {}
        for number, part in self._parts.items():
            left = [(place, mirrored) for place, mirrored in part if place != question.place]
            if left and number != question.number:
                parts[number] = left
        new = self._workshop.library.add(answer.levels)
        parts[new] = sorted([*self._parts[question.number], (question.place, question.mirrored)])
        self._known.add(new, parts[new])
        self._adopt(parts)

    def _adopt(self, parts: Parts) -> None:
        """Give the leaves these diagrams."""
        self._parts = parts
        for number, part in parts.items():
            for place, mirrored in part:
                node = self._workshop.nodes[self._keys[place]]
                node.leaf, node.mirrored = number, mirrored


def _digest(words: Sequence[int]) -> int:
    return int.from_bytes(hashlib.sha256(repr(tuple(words)).encode()).digest()[:8], "big")
