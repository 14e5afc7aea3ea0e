"""Fewer certificates: diagrams that are valid for a leaf more, until others are not needed any longer.

A diagram was found for one leaf, and which others it is valid for is luck. SAT is asked for one that is valid for all
leaves that another has and for one leaf more, leaves first whose diagram has few and which are like one of those. Of
what is found the fewest that will do are taken.

Of 182 such questions for a leaf with a diagram of its own and a position that differs from it in two or three stones 29
had an answer within five million steps, about a second, of 226 with more stones 14; what the diagrams that are there
get wrong at the other leaf tells less (two mistakes or three: 10 of 48, up to sixty-three: 33 of 379).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.solution.building.builder import MOST_CHECKED, SAT_WORKS, Builder
from claimeven.solver.solution.building.leaf_diagrams import DiagramLeaf, LeafDiagrams, Parts
from claimeven.solver.solution.building.least_choice import choose_least
from claimeven.solver.solution.building.workshop import Key
from claimeven.solver.solution.finding.finder import FinderThread
from claimeven.solver.solution.finding.sat_finder import SatAnswer, find_by_sat

ROUND = 24
"""Questions of a round, no two of which have a diagram in common."""
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


class Merger:
    """Gives the leaves of a build's smallest solution fewer diagrams; the nodes stay what they are.

    `tried` says how often SAT was asked for a diagram of some leaves, by a digest of them.
    """

    def __init__(self, builder: Builder, tried: dict[int, int]) -> None:
        self._builder, self._workshop, self._tried = builder, builder.workshop, tried
        workshop, nodes = self._workshop, self._workshop.nodes
        reached = choose_least(workshop, workshop.costs()).reached
        self._keys = [key for key in reached if nodes[key].leaf is not None and not nodes[key].rule_move]
        leaves = [DiagramLeaf(*key, nodes[key].leaf or 0, nodes[key].mirrored) for key in self._keys]
        images = [[self._turned(key, is_turned) for key in self._keys] for is_turned in (False, True)]
        self._images = [np.array(image, np.uint64).reshape(-1, 2) for image in images]
        self._digests = np.array([[_digest(key) for key in image] for image in images], np.uint64)
        self._known = LeafDiagrams(workshop, leaves)
        self._parts: Parts = {}
        if leaves:
            self._adopt(self._known.choose())

    @property
    def diagrams(self) -> int:
        """How many there are."""
        return len(self._parts)

    def merge_round(self) -> int:
        """Ask some questions; gives how many, 0 if nothing is left to be asked."""
        questions = self._next_questions()
        first = len(self._workshop.library)
        answers = self._builder.threads.do([partial(self._search, question) for question in questions])
        for question, answer in zip(questions, answers, strict=True):
            self._enter(question, answer)
        if len(self._workshop.library) > first:
            self._known.look_up(first)
            fewest = self._known.choose()
            if len(fewest) < len(self._parts):
                self._adopt(fewest)
        return len(questions)

    def _turned(self, key: Key, is_turned: bool) -> Key:
        mirror = self._workshop.board.mirror
        return (mirror(key[0]), mirror(key[1])) if is_turned else key

    def _next_questions(self) -> list[_Question]:
        """The most promising ones."""
        numbers = list(self._parts)
        if len(numbers) < 2:
            return []
        part_of = np.zeros(len(self._keys), np.int64)
        for row, number in enumerate(numbers):
            part_of[[place for place, _ in self._parts[number]]] = row
        sizes = np.array([len(self._parts[number]) for number in numbers])
        digests, far = zip(*(self._beside(self._parts[number]) for number in numbers), strict=True)
        # By whether the leaf is turned over, by leaf and by diagram.
        digest, distance = np.stack(digests, axis=-1), np.stack(far, axis=-1)
        rank = distance + (LEAF_DISTANCE * (sizes[part_of] - 1))[None, :, None]
        tries = self._tries(digest)
        rank += TRY_DISTANCE * tries
        is_open = (tries < NEVER) & (sizes[part_of][:, None] <= sizes) & (part_of[:, None] != np.arange(len(numbers)))
        waiting = np.flatnonzero(is_open)
        chosen: list[_Question] = []
        taken: set[int] = set()
        for spot in waiting[np.argsort(rank.ravel()[waiting], kind="stable")]:
            turned, place, row = (int(index) for index in np.unravel_index(spot, rank.shape))
            if taken.isdisjoint((row, int(part_of[place]))):
                chosen.append(_Question(place, bool(turned), numbers[row], int(digest[turned, place, row])))
                taken.update((row, int(part_of[place])))
            if len(chosen) == ROUND:
                break
        return chosen

    def _beside(self, part: Sequence[tuple[int, bool]]) -> tuple[Words, Numbers]:
        """For every leaf, as it is and turned over, with the leaves of a diagram: the digest of them all, and by how
        many stones it differs from the one of them that is most like it."""
        places, turned = (np.array(each, np.int64) for each in zip(*part, strict=True))
        mine = np.where(turned[:, None] == 1, self._images[1][places], self._images[0][places])
        digests, far = [], []
        for image in (0, 1):
            apart = np.bitwise_count(self._images[image][:, None, :] ^ mine[None, :, :]).sum(axis=2, dtype=np.int64)
            far.append(apart.min(axis=1))
            whole = self._digests[image] ^ np.bitwise_xor.reduce(self._digests[turned, places])
            mirrored = self._digests[1 - image] ^ np.bitwise_xor.reduce(self._digests[1 - turned, places])
            digests.append(np.minimum(whole, mirrored))
        return np.stack(digests), np.stack(far)

    def _tries(self, digests: Words) -> Numbers:
        """How often each of some questions was asked."""
        asked = np.array(sorted(self._tried), np.uint64)
        if not len(asked):
            return np.zeros(digests.shape, np.int64)
        tries = np.array([self._tried[int(digest)] for digest in asked], np.int64)
        spots = np.minimum(np.searchsorted(asked, digests), len(asked) - 1)
        return np.where(asked[spots] == digests, tries[spots], 0)

    def _search(self, question: _Question, thread: FinderThread) -> SatAnswer:
        roots = [self._turned(self._keys[question.place], question.mirrored)]
        roots += [self._turned(self._keys[place], mirrored) for place, mirrored in self._parts[question.number]]
        nodes, tries = self._workshop.nodes, self._tried.get(question.digest, 0)
        answer = find_by_sat(
            thread.oracle,
            roots,
            self._builder.effort.sat * SAT_WORKS[tries],
            seed=_digest((self._builder.seed, question.digest, tries)),
            needs_ties=any(nodes[self._workshop.canonical(*root)].needs_ties for root in roots),
            is_barren=self._builder.is_barren,
            is_over=self._builder.threads.is_closing,
        )
        levels = answer.levels
        if levels is not None and not all(thread.is_valid(levels, *root, MOST_CHECKED) for root in roots):
            raise RuntimeError(f"a diagram that SAT found is refused by the check: {roots}")
        return answer

    def _enter(self, question: _Question, answer: SatAnswer) -> None:
        """Write down what a question came to; a diagram takes the leaves that it was asked for."""
        if answer.levels is None:
            tries = self._tried.get(question.digest, 0) + 1
            self._tried[question.digest] = NEVER if answer.is_barren else tries
            return
        parts: Parts = {}
        for number, part in self._parts.items():
            left = [(place, mirrored) for place, mirrored in part if place != question.place]
            if left and number != question.number:
                parts[number] = left
        new = self._workshop.library.add(answer.levels)
        parts[new] = sorted([*self._parts[question.number], (question.place, question.mirrored)])
        for place, mirrored in parts[new]:
            self._known.add(place, new, mirrored)
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
