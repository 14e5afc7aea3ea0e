"""What an improver tries next: the open places of a smaller solution that there may be, drawn by chance.

Nobody knows where a diagram exists before one is found, but how often a search succeeds is known by ply, by how soon
the controller wins, and by how many searches failed there. So luck is drawn for every node that could be searched, the
smallest solution is taken that there would be with that luck, and what it needs is searched for (Thompson sampling):
moves are tried as often as they may be the best. Luck is that of the next few searches at a node, not of the next one
alone, and the smallest solution is the exact one: on 7x6 at 802 with 30,000 nodes, of six draws by the next search five
needed nothing, and of twelve by the next two to four searches none, at sizes down to 751.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from claimeven.solver.solution.building.choice import Choice
from claimeven.solver.solution.building.least_choice import choose_least
from claimeven.solver.solution.building.workshop import OPEN_COST, Costs, Key, Node, Workshop

FIRST_RATE, LATER_RATE, RATE_WEIGHT = 0.4, 0.05, 4
"""How often a first search finds a diagram, and a later one at the most, is guessed to be this, which counts as much as
so many of them."""
SAT_RATE = 0.3
"""How often the first search by SAT does."""
MOST_SEARCHES, MOST_SAT = 4, 4
"""Nodes where so many searches, or so many by SAT, failed are alike,"""
FEW_SEARCHES = 2
"""before SAT those with more than so many,"""
HIGH_SCORE = 8
"""and so are those with such a score or a higher one."""
FEW_COSTS = 5
AFTER_SAT = 1
"""Tells what local search came to where SAT was asked from what it came to anywhere."""
ASKED, UNASKED = 6, 32
"""How often SAT is asked about what the best solution consists of, and about how many nodes at a time at the most."""
DRAWS, LOOK_AHEAD = 8, 4
"""So often luck is drawn before something is searched, that of so many searches at each node;"""
LUCKS, ENOUGH = (1, 2, 3, 4, 6, 8), 16
"""and of so many times as many where fewer nodes than enough come up."""

Each = Callable[[Callable[[int], tuple[Costs, Choice]], Sequence[int]], Iterable[tuple[Costs, Choice]]]
"""Does something with each of some numbers, in their order: `map`, or that of a pool of threads."""


def searches_of(node: Node) -> int:
    """How many local searches for a diagram there were at a node, as far as that is known."""
    return max(node.tries, 1 if node.work else 0)


def _class_of(node: Node) -> int | None:
    return None if node.score is None else min(node.score, HIGH_SCORE)


@dataclass(slots=True)
class Plan:
    """Nodes to be searched for diagrams, those first that promise most, and nodes to be asked for all their moves."""

    searched: list[tuple[Key, float]] = field(default_factory=list)
    """With what each may cost and still make the whole smaller."""
    asked: list[Key] = field(default_factory=list)


class Prospects:
    """What the searches of a build have come to so far, and what may be expected of the next ones."""

    def __init__(
        self, workshop: Workshop, is_searched: Callable[[Node], bool], is_by_sat: Callable[[Node], bool]
    ) -> None:
        self._workshop, self._nodes = workshop, workshop.nodes
        self._is_searched, self._is_by_sat = is_searched, is_by_sat
        self._costs = workshop.costs()
        self._tried, self._found = Counter[tuple[int | None, ...]](), Counter[tuple[int | None, ...]]()
        for node in workshop.nodes.values():
            for by_sat, searches in ((False, searches_of(node)), (True, node.sat_tries)):
                is_found = node.mistakes == 0 and node.is_by_sat == by_sat
                for number in range(searches):
                    for kind in self._kinds(node, number, by_sat):
                        self._tried[kind] += 1
                        self._found[kind] += is_found and number == searches - 1
        self._known_chances: dict[tuple[int | None, ...], float] = {}
        self._chances = {key: self.chance(node) for key, node in workshop.nodes.items() if not node.is_leaf}
        self._inner: list[Key] = []
        """The inner nodes of the best solution."""
        self._usual = self._usual_costs()

    @staticmethod
    def _kinds(node: Node, searches: int, is_by_sat: bool) -> tuple[tuple[int | None, ...], ...]:
        """What a search is counted as: by how many such ones failed before, then by the score too, then by the ply
        too. Searches by SAT have numbers below 0, others where local search has failed often, and others since it is
        known that a diagram needs ties: at early plies there hardly ever is one then. Local searches are counted once
        more where SAT was asked, at any ply: they seldom find anything there."""
        number = min(searches, MOST_SEARCHES)
        if is_by_sat:
            is_stubborn = searches_of(node) > FEW_SEARCHES
            needs_ties = node.needs_ties and searches >= min(node.ties_from, MOST_SAT)
            number = -1 - min(searches, MOST_SAT) - (MOST_SAT + 1) * (is_stubborn + 2 * needs_ties)
        score = _class_of(node)
        kinds = (number,), (number, score), (number, score, node.ply)
        return kinds if is_by_sat or not node.sat_tries else (*kinds, (number, None, None, AFTER_SAT))

    def rate(self, node: Node) -> float:
        """How likely the next search at a node finds a diagram."""
        if node.is_barren or not self._is_searched(node):
            return 0.0
        is_by_sat = self._is_by_sat(node)
        rate = SAT_RATE if is_by_sat else FIRST_RATE
        searches = min(node.sat_tries, MOST_SAT) if is_by_sat else min(searches_of(node), MOST_SEARCHES)
        for number in range(searches + 1):
            if number:
                rate = min(rate, LATER_RATE)
            for kind in self._kinds(node, number, is_by_sat):
                rate = (self._found[kind] + RATE_WEIGHT * rate) / (self._tried[kind] + RATE_WEIGHT)
        return rate

    def chance(self, node: Node) -> float:
        """How likely one of the next few searches at a node finds a diagram."""
        if node.is_barren:
            return 0.0
        kind = node.ply, node.score, searches_of(node), node.sat_tries, node.needs_ties, node.ties_from
        if kind not in self._known_chances:
            later = Node(
                node.ply,
                score=node.score,
                tries=searches_of(node),
                sat_tries=node.sat_tries,
                needs_ties=node.needs_ties,
                ties_from=node.ties_from,
            )
            failure = 1.0
            for _ in range(LOOK_AHEAD):
                failure *= 1 - self.rate(later)
                if self._is_by_sat(later):
                    later.sat_tries += 1
                else:
                    later.tries += 1
            self._known_chances[kind] = 1 - failure
        return self._known_chances[kind]

    def _is_hopeful_by_sat(self, key: Key) -> bool:
        return self._is_by_sat(self._nodes[key]) and self._chances[key] > 0

    def _usual_costs(self) -> dict[tuple[int, int | None], list[float]]:
        """What inner nodes cost, by ply and score: those of the best solution, all where it has only a few."""
        choice = choose_least(self._workshop, self._costs)
        reached = set(choice.reached)
        self._inner = sorted(key for key in reached if choice.move(key))
        known: defaultdict[tuple[int, int | None], list[float]] = defaultdict(list)
        chosen: defaultdict[tuple[int, int | None], list[float]] = defaultdict(list)
        for key, (cost, move) in self._costs.items():
            node = self._workshop.nodes[key]
            if move and cost < OPEN_COST:
                for kind in {(node.ply, None), (node.ply, _class_of(node))}:
                    known[kind].append(cost)
                    if key in reached:
                        chosen[kind].append(cost)
        return {kind: chosen[kind] if len(chosen[kind]) >= FEW_COSTS else costs for kind, costs in known.items()}

    def _draw_cost(self, rng: random.Random, key: Key, known: list[float]) -> float:
        """What an open node costs if no diagram is found for it, a whole number."""
        node = self._workshop.nodes[key]
        for kind in ((node.ply, _class_of(node)), (node.ply, None)):
            if kind in self._usual:
                return rng.choice(self._usual[kind])
        return round(self._workshop.expect(node.ply, known))

    def _draw(self, rng: random.Random, luck: int) -> Costs:
        """Draw luck for all nodes, that of `luck` times as many searches; gives what they cost with it."""
        lucky = {key for key, chance in self._chances.items() if rng.random() >= (1 - chance) ** luck}
        return self._workshop.costs_with(lambda key, known: self._draw_cost(rng, key, known), lucky)

    def _draw_smallest(self, luck: int, seed: int) -> tuple[Costs, Choice]:
        """Draw luck for all nodes; gives what they cost with it and the smallest solution that there is then."""
        costs = self._draw(random.Random(seed), luck)
        return costs, choose_least(self._workshop, costs)

    def plan(self, rng: random.Random, most_work: int, work: Callable[[Key], int], each: Each = map) -> Plan:
        """What to search next, by several draws, which `each` makes; where none needs anything, what would save most.

        `work` is that of the next search at a node. What saves most for its work over all draws comes first, until it
        is `most_work` together: a search that is ten times as long has to save ten times as much. But before all that
        SAT is asked about every inner node of the best solution that may have a diagram, the latest first: it
        often takes a second to say that there is no diagram, so that something else has to be hoped for; and then again
        where it did not say.
        """
        unasked = [key for key in self._inner if self._nodes[key].sat_tries < ASKED and self._is_hopeful_by_sat(key)]
        unasked.sort(key=lambda key: (self._nodes[key].sat_tries, -self._nodes[key].ply, key))
        if unasked:
            return Plan([(key, self._costs[key][0]) for key in unasked[:UNASKED]])
        asked: dict[Key, None] = {}
        limits: dict[Key, float] = {}
        worth: defaultdict[Key, float] = defaultdict(float)
        for luck in LUCKS:
            seeds = [rng.getrandbits(64) for _ in range(DRAWS)]
            for costs, choice in each(partial(self._draw_smallest, luck), seeds):
                self._add_draw(costs, choice, asked, limits, worth)
            if len(asked) + len(limits) >= ENOUGH:
                break
        if not asked and not limits:
            hopeful = [key for key in self._inner if self._chances[key] > 0]
            limits = {key: self._costs[key][0] for key in hopeful}
            worth.update({key: self.rate(self._nodes[key]) * limits[key] for key in hopeful})
        # What is not searched but only asked for its moves takes hardly any work, but some.
        works = {key: max(work(key), 1) for key in limits}
        plan = Plan(asked=list(asked))
        for key in sorted(limits, key=lambda key: (-worth[key] / works[key], key)):
            if most_work <= 0:
                break
            most_work -= works[key]
            plan.searched.append((key, limits[key]))
        return plan

    def _add_draw(
        self,
        costs: Costs,
        choice: Choice,
        asked: dict[Key, None],
        limits: dict[Key, float],
        worth: dict[Key, float],
    ) -> None:
        """Enter what the smallest solution of a draw needs and has not, and what each of it would save.

        Of the replies to a move one is searched at a time, the one that is least likely to have a diagram: where it
        fails the others may no longer matter.
        """
        nodes = self._workshop.nodes
        gains: dict[Key, float] = {}
        waiting = [(root, 0.0) for root in self._workshop.roots]
        met: set[Key] = set()
        for key, inherited in waiting:
            node = nodes[key]
            if node.is_leaf or key in met:
                continue
            known = self._costs[key][0]
            gain = max(known - costs[key][0], 0.0) if known < OPEN_COST else inherited
            if not choice.move(key):
                gains[key] = max(gains.get(key, 0.0), gain)
                continue
            met.add(key)
            if not node.knows_moves:
                asked[key] = None
            replies = node.moves[choice.move(key)]
            searched = [reply for reply in replies if not nodes[reply].is_leaf and not choice.move(reply)]
            waiting += [(reply, gain) for reply in replies if choice.move(reply)]
            waiting += [(reply, gain) for reply in sorted(searched, key=self._chances.__getitem__)[:1]]
        for key, gain in gains.items():
            limits.setdefault(key, costs[key][0] + gain)
            worth[key] += gain
