"""The builder of solutions: what it does next, in rounds of tasks that do not depend on each other.

A task sees the graph and the library as they are when its round begins, and its results are entered in the order of the
tasks, so that a build does not depend on how many threads there are, only on its seed.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from claimeven.solver.board import bits
from claimeven.solver.solution.building.barren_stones import BarrenStones
from claimeven.solver.solution.building.blanking import MOST_CHECKED, make_blank
from claimeven.solver.solution.building.gleaning import Field
from claimeven.solver.solution.building.outcome import Effort, Found, Leaves, Outcome, Task
from claimeven.solver.solution.building.prospects import Prospects, searches_of
from claimeven.solver.solution.building.rule_leaf import prove_after
from claimeven.solver.solution.building.scoring import score_nodes
from claimeven.solver.solution.building.threads import FinderThreads
from claimeven.solver.solution.building.unrolling import unroll
from claimeven.solver.solution.building.workshop import Key, Node, Workshop
from claimeven.solver.solution.diagram_check import DiagramChecker
from claimeven.solver.solution.finding.finder import FinderThread, Levels, levels_of
from claimeven.solver.solution.finding.oracle import DEFAULT_MEMORY, Oracle
from claimeven.solver.solution.finding.sat_finder import SatAnswer, find_by_sat, has_sat

ROUND = 8
"""Tasks of a round."""
WORK_A_ROUND, SEARCHES, LOOKS = 64, 64, 48
"""A round that improves: the work of so many leaves, so many searches at the most, and nodes where only all moves are
asked for, which takes much less time."""
EARLIER, SOON = 2, 4
"""So many plies earlier than else diagrams are searched for where the controller's score is so high or higher."""
HASTE = 1.5
"""Until there is a solution what is open is taken to cost so many times what such nodes have cost."""
QUICK, MORE, MOST_MORE = 0.15, 3.0, 2
"""The first search for a diagram at a node gets this part of the work of a leaf, each of the next few so many times
what the one before had, and the rest as much as the first: most that succeed do so at once, and there are many nodes.
Of 317 searches where three or more had failed, with nine times the work of the first, four found something; of first
ones one in four."""
SAT_WORKS = (1, 1, 4, 4, 8, 16, 32, 64)
"""The work of the searches by SAT at a node, one after the other, each with another seed: how long one takes hangs on
chance, so that several short ones often find what a long one does not (Luby, Sinclair and Zuckerman 1993), while it
takes a long one to refute. At fifteen nodes of plies 8 to 12 that have a strict diagram 10 M steps find one in 25 of 45
orders, in two to four seconds each, 40 M in 38. At 70 nodes that an improver had asked about, first searches of 1, 2.5
and 10 M steps find 11, 12 and 8 diagrams in a minute of CPU time."""
FIRST_BY_SAT = 3
"""So many searches by SAT come before one that is not."""
STEPS_A_POSITION = 3
"""So many steps of SAT take as long as local search takes for a position."""
UNROLLED, MOST_SLIPS, SLIP_WORK = 2, 8, 2_000_000
"""So many of the diagrams of a search that failed are unrolled, if they are wrong at few nodes; what is searched for a
diagram at each of these."""
USUAL_EMPTY, LEAST_FACTOR, MOST_FACTOR = 28, 1.0, 4.0
"""Where searches for a diagram get just the work of a leaf, and by how much that is more before."""


class FalseClaimError(ValueError):
    """A result that the controller cannot get."""


class Builder:
    """Builds and improves the solution of a workshop."""

    def __init__(
        self,
        workshop: Workshop,
        *,
        jobs: int,
        seed: int,
        memory_bytes: int = DEFAULT_MEMORY,
        effort: Effort | None = None,
        leaves: Leaves = Leaves.BOTH,
        make_thread: Callable[[Oracle], FinderThread] = FinderThread,
    ) -> None:
        self.workshop = workshop
        self.effort = effort or Effort()
        self.leaves = leaves
        if leaves is Leaves.RULES:
            self.effort = Effort(leaf=0, sat=0, first_ply=self.effort.first_ply)
        self.seed = seed
        self.oracle = Oracle(workshop.board, workshop.is_win, memory_bytes)
        self.threads = FinderThreads(self.oracle, jobs, make_thread)
        self._field = Field.of(workshop, self.effort.first_ply - EARLIER)
        self._checker = DiagramChecker(MOST_CHECKED)
        self._asks_sat = False
        self.barren = BarrenStones(workshop)

    def check_claim(self) -> None:
        """Ask the oracle whether the result can be had at all; raises FalseClaimError if not."""
        with self.threads.lend() as thread:
            for root in self.workshop.roots:
                if self.workshop.completing(root[0], self.workshop.playable(*root)):
                    continue
                if next(self.keeping_moves(thread, root), None) is None:
                    raise FalseClaimError("the claim is false: the other side can prevent it")

    def close(self) -> None:
        self.threads.close()

    def build_round(self) -> int:
        """Do the next tasks of a build; gives how many there were, 0 if nothing is left to do.

        What is worked on is what the solution would consist of that seems to be the smallest at the moment: a node that
        turns out to be costly makes another move of one before it the better one.
        """
        self._asks_sat = False  # most of what a build meets is found at once
        self._score_nodes()
        costs = self.workshop.expected_costs(HASTE)
        nodes = self.workshop.nodes
        waiting = [key for key in self.workshop.reach(costs) if nodes[key].is_open]
        # The deepest first: what is found there covers others, and says what a move costs.
        waiting.sort(key=lambda key: (-nodes[key].ply, key))
        self._do([partial(self._open, key, self._next_work(key), costs[key][0]) for key in waiting[:ROUND]])
        return len(waiting[:ROUND])

    def improve_round(self) -> int:
        """Search where a smaller solution may come from, and see all moves of the nodes on the way there."""
        nodes = self.workshop.nodes
        self._asks_sat = self.effort.sat > 0 and has_sat()
        self._score_nodes()
        self.workshop.spread_barrenness()
        self.barren.note()
        prospects = Prospects(self.workshop, self._is_searched, self._is_by_sat)
        searches = sum(searches_of(node) + node.sat_tries for node in nodes.values())
        rng = random.Random(f"{self.seed} {len(nodes)} {sum(node.work for node in nodes.values())} {searches}")
        plan = prospects.plan(rng, WORK_A_ROUND * max(self.effort.leaf, 1), self._next_work, self.threads.pool.map)
        tasks: list[Task] = []
        # What takes the longest first: the other threads have something to do meanwhile.
        for key, most in sorted(
            plan.searched[:SEARCHES], key=lambda each: (-self._next_work(each[0]), nodes[each[0]].ply)
        ):
            search = self._open if nodes[key].is_open else self._collapse
            tasks.append(partial(search, key, self._next_work(key), most))
        tasks += [partial(self._look_at_moves, key) for key in plan.asked[:LOOKS]]
        self._do(tasks)
        return len(tasks)

    def _is_searched(self, node: Node) -> bool:
        """Whether diagrams are searched for at a node: not too early, but where the controller wins soon."""
        is_soon = node.score is not None and node.score >= SOON
        return self.effort.leaf > 0 and node.ply >= self.effort.first_ply - (EARLIER if is_soon else 0)

    def _is_by_sat(self, node: Node) -> bool:
        """Whether the next search at a node is one by SAT: as long as there are any, but for one after the first few.

        SAT takes three or four seconds at plies 6 and 8 of 7x6, often to say that there is none, local search three to
        twelve, as it asks for far more exact search. Where SAT has failed once local search found something at 5 of 210
        nodes, SAT again at 21 of 223; but what local search fails with may be of use elsewhere.
        """
        is_turn = node.sat_tries < FIRST_BY_SAT or searches_of(node) > 0
        return self._asks_sat and is_turn and node.sat_tries < len(SAT_WORKS) and not node.is_barren

    def _sat_work(self, node: Node) -> int:
        """The steps of the next search by SAT at a node."""
        return self.effort.sat * SAT_WORKS[node.sat_tries]

    def _score_nodes(self) -> None:
        if self.effort.leaf:
            score_nodes(self.workshop, self.effort.first_ply - EARLIER, self.threads.pool)

    def _next_work(self, key: Key) -> int:
        """The work of the next search for a diagram at a node: the more the earlier it is, within limits; 0 if there is
        none."""
        node = self.workshop.nodes[key]
        if not self._is_searched(node):
            return 0
        if self._is_by_sat(node):
            return self._sat_work(node) // STEPS_A_POSITION
        factor: float = 2 ** ((self.workshop.board.cells - node.ply - USUAL_EMPTY) / 4)
        searches = searches_of(node)
        more = MORE**searches if searches <= MOST_MORE else 1.0
        return int(self.effort.leaf * min(max(factor, LEAST_FACTOR), MOST_FACTOR) * QUICK * more)

    def _do(self, tasks: list[Task]) -> None:
        before = len(self.workshop.library)
        self._field = Field.of(self.workshop, self.effort.first_ply - EARLIER)
        outcomes = self.threads.do(tasks)
        with self.threads.lend() as thread:
            for outcome in outcomes:
                self._enter(thread, outcome, before)
            self._share(thread)

    def _enter(self, thread: FinderThread, outcome: Outcome, before: int) -> None:
        """Write down what a task found; a diagram that an earlier task of the round made unnecessary is left out."""
        workshop, library = self.workshop, self.workshop.library
        for found in outcome.found:
            node = workshop.node(found.key)
            node.sat_tries += found.is_by_sat and not node.is_leaf
            workshop.mark(found.key, is_barren=found.is_barren, needs_ties=found.needs_ties)
            if node.is_leaf:
                continue
            node.knows_rules = self.leaves is not Leaves.DIAGRAMS
            if found.rule_move:
                node.rule_move = found.rule_move
                continue
            if found.number is not None:
                node.leaf, node.mirrored = found.number, found.mirrored
                continue
            node.seen = max(node.seen, found.seen)
            if found.attempt is not None:
                node.tries = searches_of(node) + 1
                node.work += found.attempt.work
                if found.attempt.mistakes < node.mistakes:
                    node.mistakes, node.best = found.attempt.mistakes, found.attempt.levels
            if found.is_by_sat and found.levels is not None:
                node.mistakes, node.is_by_sat = 0, True
            if found.levels is not None:
                known = self._look_up(thread, found.key, before, len(library))
                node.leaf, node.mirrored = known or (self._add(found.key, found.levels, found.mirrored), found.mirrored)
        for key, moves in outcome.moves.items():
            node = workshop.node(key)
            if node.is_leaf or node.knows_moves:
                continue
            node.moves.update(moves)
            node.knows_moves = key in outcome.all_moves
            for replies in moves.values():
                for reply in replies:
                    workshop.node(reply)

    def _add(self, key: Key, levels: Levels, is_mirrored: bool) -> int:
        """Put a diagram that was found for a position, or its mirror image, into the library, as blank as can be."""
        stones = [self.workshop.turn(key, is_mirrored)]
        return self.workshop.library.keep(levels_of(make_blank(self.workshop, levels, stones, self._checker)))

    def _share(self, thread: FinderThread) -> None:
        """Look up in the library every node that may be a leaf and has not seen all of it."""
        nodes, library = self.workshop.nodes, self.workshop.library
        size = len(library)
        field = Field.of(self.workshop, self.effort.first_ply - EARLIER, size)
        for key, number, is_mirrored in field.look_up(thread, library, size):
            if nodes[key].leaf is None:
                nodes[key].leaf, nodes[key].mirrored = number, is_mirrored
        for key in field.keys:
            nodes[key].seen = size

    def _prove(self, key: Key) -> int:
        """The move after which the nine rules prove the result, from the left; 0 if there is none."""
        board = self.workshop.board
        own, other = key
        for square in bits((own | other) + board.bottom & board.squares):
            if prove_after(self.workshop.position(own | 1 << square, other, own), self.workshop.is_win) is not None:
                return 1 << square
        return 0

    def _look_up(self, thread: FinderThread, key: Key, first: int, end: int) -> tuple[int, bool] | None:
        """A diagram of a part of the library that is valid for a position or its mirror image."""
        number = thread.look_up(self.workshop.library, first, end, *key)
        if number is not None:
            return number, False
        number = thread.look_up(self.workshop.library, first, end, *self.workshop.turn(key))
        return None if number is None else (number, True)

    def _seed(self, key: Key, node: Node) -> int:
        text = f"{self.seed} {key} {node.work}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")

    def _find(self, thread: FinderThread, key: Key, work: int, mine: Sequence[Levels] = ()) -> Found:
        """Look a position up in the library and in what the task itself has found, then search for a diagram."""
        size = len(self.workshop.library)
        node = self.workshop.nodes.get(key)
        if self.leaves is not Leaves.DIAGRAMS and not (node and node.knows_rules):
            rule_move = self._prove(key)
            if rule_move:
                return Found(key, rule_move)
        known = self._look_up(thread, key, node.seen if node else 0, size)
        if known:
            return Found(key, number=known[0], mirrored=known[1])
        for each in mine:
            if thread.is_valid(each, *key):
                return Found(key, levels=each, seen=size)
        node = node or Node(key[0].bit_count() + key[1].bit_count())
        if work <= 0 or node.is_barren or not self._is_searched(node):
            return Found(key, seen=size)
        attempt = thread.attempt(*key, work, self._seed(key, node), self.workshop.library, size, node.best)
        levels = attempt.levels if attempt.is_success else None
        if levels is not None and not thread.is_valid(levels, *key, MOST_CHECKED):
            levels = None  # larger than a check has room for
            attempt.mistakes = 1
        return Found(key, levels=levels, attempt=attempt, seen=size)

    def _search(self, thread: FinderThread, key: Key, work: int) -> Found:
        """The next search for a diagram at a node, by local search or by SAT."""
        node = self.workshop.nodes[key]
        if not work or not self._is_by_sat(node):
            return self._find(thread, key, work)
        found = self._find(thread, key, 0)
        if found.is_leaf:
            return found
        found.is_by_sat = True
        seed = self._seed(key, node) + node.sat_tries
        answer = self.ask_sat(thread, [key], self._sat_work(node), seed, needs_ties=node.needs_ties)
        found.levels, found.needs_ties, found.is_barren = answer.levels, answer.needs_ties, answer.is_barren
        return found

    def ask_sat(
        self, thread: FinderThread, roots: Sequence[Key], steps: int, seed: int, *, needs_ties: bool
    ) -> SatAnswer:
        """Look for one diagram for some positions by SAT, until the build is closed."""
        is_over = self.threads.is_closing
        answer = find_by_sat(
            thread.oracle, roots, steps, seed=seed, needs_ties=needs_ties, is_barren=self.barren.has, is_over=is_over
        )
        levels = answer.levels
        if levels is not None and not all(thread.is_valid(levels, *root, MOST_CHECKED) for root in roots):
            raise RuntimeError(f"a diagram that SAT found is refused by the check: {roots}")
        return answer

    def _open(self, key: Key, work: int, most: float, thread: FinderThread) -> Outcome:
        """Find a diagram for an open node, or else the moves that keep the result."""
        outcome = Outcome()
        found = self._search(thread, key, work)
        outcome.found.append(found)
        if not found.is_leaf:
            self._add_moves(thread, key, outcome)
            self._use_misses(thread, found, most, outcome)
        return outcome

    def _look_at_moves(self, key: Key, thread: FinderThread) -> Outcome:
        """Find all moves of a node of which only some are known."""
        outcome = Outcome()
        self._add_moves(thread, key, outcome)
        return outcome

    def _collapse(self, key: Key, work: int, most: float, thread: FinderThread) -> Outcome:
        """Try an inner node as a leaf again."""
        outcome = Outcome()
        found = self._search(thread, key, work)
        outcome.found.append(found)
        if not found.is_leaf:
            self._use_misses(thread, found, most, outcome)
        return outcome

    def _use_misses(self, thread: FinderThread, failed: Found, most: float, outcome: Outcome) -> None:
        """Make what can be made of a search that failed: leaves elsewhere, and moves here with few positions to solve.

        What is worth trying is smaller than `most`, the size of what is known.
        """
        misses = failed.attempt.misses if failed.attempt else []
        outcome.found += self._field.glean(thread, failed.key, misses)
        done = {failed.key}
        for levels in misses[:UNROLLED]:
            unrolled = unroll(self.workshop, thread, failed.key, levels, most)
            if unrolled is None or len(unrolled.slips) > MOST_SLIPS:
                continue
            outcome.found += unrolled.leaves
            for key, moves in unrolled.moves.items():
                outcome.moves.setdefault(key, {}).update(moves)
            for key in unrolled.slips:
                if key in done:
                    continue
                done.add(key)
                found = self._find(thread, key, min(SLIP_WORK, self.effort.leaf), misses)
                outcome.found.append(found)
                if not found.is_leaf:
                    self._add_moves(thread, key, outcome, misses)

    def _add_moves(self, thread: FinderThread, key: Key, outcome: Outcome, mine: Sequence[Levels] = ()) -> None:
        """Add the moves that keep the result, and what is known of where the replies lead without a search.

        `mine` are diagrams beside the library that may be valid there.
        """
        nodes = self.workshop.nodes
        done: set[Key] = set()
        outcome.all_moves.add(key)
        for square, replies in self.keeping_moves(thread, key):
            outcome.moves.setdefault(key, {})[square] = replies
            for reply in replies:
                if reply not in nodes and reply not in done:
                    done.add(reply)
                    outcome.found.append(self._find(thread, reply, 0, mine))

    def keeping_moves(self, thread: FinderThread, key: Key) -> Iterator[tuple[int, tuple[Key, ...]]]:
        """The moves that keep the result, and where the replies to each lead that are not beaten at once."""
        own, other = key
        board, workshop = self.workshop.board, self.workshop
        playable = workshop.playable(own, other)
        blocks = workshop.completing(other, playable)
        is_symmetric = workshop.turn(key) == key
        for square in bits(blocks or playable):
            if is_symmetric and 2 * board.column_of(square) >= board.columns + board.columns % 2:
                continue
            if thread.oracle.keeps(own, other, 1 << square):
                replies = workshop.replies(own | 1 << square, other)
                yield 1 << square, tuple(dict.fromkeys(workshop.canonical(*each) for each in replies))
