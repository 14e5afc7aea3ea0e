"""A build from its beginning to its end: rounds, saved now and then, and the best solution whenever there is one."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimeven.solver.solution.building.builder import HASTE, Builder
from claimeven.solver.solution.building.choice import Choice
from claimeven.solver.solution.building.extraction import extract_solution
from claimeven.solver.solution.building.least_choice import choose_least
from claimeven.solver.solution.building.work_file import Build, save_build
from claimeven.solver.solution.building.workshop import OPEN_COST
from claimeven.solver.solution.file_check import find_solution_flaws
from claimeven.solver.solution.finding.memo_file import load_memo, save_memo
from claimeven.solver.solution.solution import Solution

SAVE_SECONDS = 20.0
EXTRACT_SECONDS, EXTRACT_PART = 300.0, 20
"""How often the build and, if it is smaller than before, its solution are written; to make that takes a minute or two
on 7x6, and of the whole time not more than one part of so many."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a build stands after a round."""

    seconds: float
    moves: int
    leaves: int
    open_nodes: int
    diagrams: int
    plies: dict[int, int]
    """How many leaves each ply has."""

    @property
    def is_complete(self) -> bool:
        return self.open_nodes == 0

    @property
    def size(self) -> int:
        return 2 * self.moves + self.leaves


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
    moves = sum(choice.move(key) != 0 for key in reached)
    return Progress(
        seconds=build.seconds,
        moves=moves,
        leaves=len(leaves),
        open_nodes=len(reached) - len(leaves) - moves,
        diagrams=len({node.leaf for node in leaves if node.leaf is not None}),
        plies=dict(sorted(Counter(node.ply for node in leaves).items())),
    )


class Construction:
    """Runs a build; `work` is the file it is kept in, `out` that of its best solution, `memo` what its oracle knows."""

    def __init__(
        self, build: Build, builder: Builder, work: Path, out: Path, made: dict[str, Any], memo: Path | None = None
    ) -> None:
        self.build, self.builder = build, builder
        self._work, self._out, self._made, self._memo = work, out, made, memo
        if memo is not None:
            load_memo(builder.oracle, memo)
        self._least: int | None = None
        """The size of the smallest solution that was met; `out` may have a larger one for a while."""
        if out.exists():
            sizes = Solution.load(out).sizes
            self._least = 2 * sizes.moves + sizes.leaves
        self._is_unsaved = not out.exists()

    def run(self, *, seconds: float | None, improves: bool) -> Iterator[Progress]:
        """Do rounds until the solution is complete or, if it `improves`, until the time is over.

        What was done is saved when the iterator is closed, too.
        """
        began = last_saved = last = time.monotonic()
        next_extraction = began + EXTRACT_SECONDS
        progress = measure(self.build)
        try:
            if progress.is_complete and not improves:
                yield progress  # another round might find something smaller: the same command gives the same solution
                return
            while True:
                rounds = 0 if improves and progress.is_complete else self.builder.build_round()
                if improves and (progress.is_complete or not rounds):
                    rounds += self.builder.improve_round()
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
                if not rounds or is_over or (progress.is_complete and not improves):
                    return
        finally:
            self._save(progress)

    def _note(self, progress: Progress) -> None:
        """Write the history down."""
        if progress.is_complete and (self._least is None or progress.size < self._least):
            self._least, self._is_unsaved = progress.size, True
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
            solution.save(self._out)
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
