"""A build from its beginning to its end: rounds, saved now and then, and the best solution whenever there is one."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from claimeven.solver.solution.building.builder import HASTE, Builder
from claimeven.solver.solution.building.choice import Choice
from claimeven.solver.solution.building.extraction import extract_solution
from claimeven.solver.solution.building.least_choice import choose_least
from claimeven.solver.solution.building.merging import Merger
from claimeven.solver.solution.building.work_file import Build, save_build
from claimeven.solver.solution.building.workshop import OPEN_COST
from claimeven.solver.solution.file_check import find_solution_flaws
from claimeven.solver.solution.finding.memo_file import load_memo, save_memo
from claimeven.solver.solution.solution import Solution

SAVE_SECONDS = 20.0
EXTRACT_SECONDS, EXTRACT_PART = 300.0, 20
"""How often the build and, if it is smaller than before, its solution are written, which takes not more than one part
of so many of the whole time."""


class Aim(Enum):
    """What a build is run for: any solution, one with fewer nodes, or one with fewer different certificates."""

    COMPLETE = "complete"
    NODES = "nodes"
    CERTIFICATES = "certificates"


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a build stands after a round."""

    seconds: float
    moves: int
    leaves: int
    open_nodes: int
    diagrams: int
    rule_leaves: int
    plies: dict[int, int]
    """How many leaves each ply has."""

    @property
    def is_complete(self) -> bool:
        return self.open_nodes == 0

    @property
    def size(self) -> int:
        return 2 * self.moves + self.leaves

    @property
    def certificates(self) -> int:
        """How many different ones: as far as is known here, every rule proof is another one."""
        return self.diagrams + self.rule_leaves


def measure(build: Build) -> Progress:
    """Where a build stands: by its smallest solution, or by what may become that if there is none yet."""
    workshop = build.workshop
    costs = workshop.costs()
    if any(costs[root][0] >= OPEN_COST for root in workshop.roots):
        choice = Choice(workshop, workshop.expected_costs(HASTE))
    else:
        choice = choose_least(workshop, costs)
    reached = choice.reached
    leaves = [workshop.nodes[key] for key in reached if workshop.nodes[key].is_leaf]
    by_diagrams = [node.leaf for node in leaves if not node.rule_move]
    moves = sum(choice.move(key) != 0 for key in reached)
    return Progress(
        seconds=build.seconds,
        moves=moves,
        leaves=len(leaves),
        open_nodes=len(reached) - len(leaves) - moves,
        diagrams=len(set(by_diagrams)),
        rule_leaves=len(leaves) - len(by_diagrams),
        plies=dict(sorted(Counter(node.ply for node in leaves).items())),
    )


def _size_of(solution: Solution) -> tuple[int, int]:
    sizes = solution.sizes
    return 2 * sizes.moves + sizes.leaves, sizes.certificates


class Construction:
    """Runs a build; `work` is the file it is kept in, `out` that of its best solution, `memo` what its oracle knows."""

    def __init__(
        self, build: Build, builder: Builder, work: Path, out: Path, made: dict[str, Any], memo: Path | None = None
    ) -> None:
        self.build, self.builder = build, builder
        self._work, self._out, self._made, self._memo = work, out, made, memo
        if memo is not None:
            load_memo(builder.oracle, memo)
        self._least = _size_of(Solution.load(out)) if out.exists() else None
        """The size and the certificates of the solution that was written last."""
        self._met: tuple[int, int] | None = None
        """Of the smallest that was met; how few certificates will do is known when it is written."""
        self._is_unsaved = not out.exists()
        self._merger: Merger | None = None
        """What finds fewer certificates, as long as the nodes stay what they are."""

    def run(self, *, seconds: float | None, aim: Aim) -> Iterator[Progress]:
        """Do rounds until the solution is complete or, if it is to become smaller, until the time is over.

        What was done is saved when the iterator is closed, too.
        """
        began = last_saved = last = time.monotonic()
        next_extraction = began + EXTRACT_SECONDS
        progress = measure(self.build)
        self._merger = None
        try:
            if progress.is_complete and aim is Aim.COMPLETE:
                yield progress  # another round might find something smaller: the same command gives the same solution
                return
            while True:
                tasks = self._do_round(aim, progress.is_complete)
                now = time.monotonic()
                self.build.seconds, last = self.build.seconds + now - last, now
                progress = measure(self.build)
                self._note(progress)
                if now - last_saved > SAVE_SECONDS:
                    save_build(self.build, self._work)
                    last_saved = now
                if now > next_extraction:
                    self._save(progress)
                    took = time.monotonic() - now
                    next_extraction = now + took + max(EXTRACT_SECONDS, EXTRACT_PART * took)
                yield progress
                is_over = seconds is not None and now - began >= seconds
                if not tasks or is_over or (progress.is_complete and aim is Aim.COMPLETE):
                    return
        finally:
            self._save(progress)

    def _do_round(self, aim: Aim, is_complete: bool) -> int:
        """Do the next tasks; gives how many, 0 if nothing is left to do."""
        if not is_complete and (tasks := self.builder.build_round()):
            return tasks
        if aim is Aim.NODES:
            return self.builder.improve_round()
        if aim is Aim.CERTIFICATES and is_complete:
            self._merger = self._merger or Merger(self.builder, self.build.merges)
            return self._merger.merge_round()
        return 0

    def _note(self, progress: Progress) -> None:
        """Write the history down."""
        found = progress.size, progress.certificates
        if progress.is_complete and (self._met is None or found < self._met):
            self._met, self._is_unsaved = found, True
        history = self.build.history
        is_new = not history or any(
            history[-1][name] != value for name, value in (("open", progress.open_nodes), ("size", progress.size))
        )
        if is_new:
            history.append(
                {
                    "seconds": round(self.build.seconds, 1),
                    "moves": progress.moves,
                    "leaves": progress.leaves,
                    "open": progress.open_nodes,
                    "size": progress.size,
                }
            )

    def _save(self, progress: Progress) -> None:
        """Write the build, and the solution if there is a smaller one."""
        save_build(self.build, self._work)
        if self._is_unsaved and progress.is_complete:
            solution = self.solution()
            flaw = next(find_solution_flaws(json.loads(solution.to_text())), None)
            if flaw is not None:  # rather no file than one that is no proof, or the one before
                raise RuntimeError(f"what was built is refused by the check: {flaw}")
            size = _size_of(solution)
            if self._least is None or size < self._least:
                solution.save(self._out)
                self._least = size
            self._is_unsaved = False
        if self._memo is not None:
            save_memo(self.builder.oracle, self._memo)  # the last: nothing else may fail because this cannot be written

    def solution(self) -> Solution:
        """The best solution that is known; raises OpenSolutionError if it is not complete."""
        task = self.build.task
        made = {**self._made, "seconds": round(self.build.seconds), "curve": self.curve()}
        return extract_solution(self.build.workshop, task.controller, task.root, made)

    def curve(self) -> list[list[int]]:
        """The seconds after which there was a smaller solution, and its moves and leaves."""
        found: list[list[int]] = []
        least: int | None = None
        for each in self.build.history:
            if not each["open"] and (least is None or each["size"] < least):
                least = each["size"]
                found.append([round(each["seconds"]), each["moves"], each["leaves"]])
        return found
