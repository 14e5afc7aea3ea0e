"""The problem/solution graph, and the readable search for a chosen set on it (Allis 1988, §7.5).

Nodes are problems and solutions. An edge `solves` joins a solution to a problem, an edge `conflicts` joins two
solutions that do not combine. A chosen set is a set of solutions without a conflict among them that touches every
problem. The kernel does the same on bits; this is what it is compared with, and what people look at and export.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

import networkx as nx

from claimeven.solver.board import Board
from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import Certificate, WinCondition
from claimeven.solver.proof.listing import Solutions, list_solutions, list_win_conditions
from claimeven.solver.rules.rule import Rule, RuleInstance


class ProofGraph:
    """The graph of one list of solutions; the conflicts of a solution are added when they are first asked for."""

    def __init__(self, solutions: Solutions) -> None:
        self.solutions = solutions
        board = solutions.position.board
        self.graph: nx.Graph[str] = nx.Graph(board=str(board), controller=solutions.controller.value, value="unknown")
        self.problems = ["problem " + " ".join(board.names(problem)) for problem in solutions.problems]
        self.instances = {solution_name(board, instance): instance for instance in solutions.instances}
        for name, squares in zip(self.problems, solutions.problems, strict=True):
            self.graph.add_node(name, kind="problem", squares=" ".join(board.names(squares)))
        for (name, instance), solves in zip(self.instances.items(), solutions.solves, strict=True):
            self.graph.add_node(
                name,
                kind="solution",
                rule=str(instance.rule),
                squares=" ".join(board.names(instance.squares)),
                group=" ".join(board.names(instance.group or ())),
                chosen=False,
            )
            for problem in solves:
                self.graph.add_edge(name, self.problems[problem], kind="solves")
        self._with_conflicts: set[str] = set()

    @cached_property
    def _names(self) -> list[str]:
        return list(self.instances)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self._names)}

    def solved_by(self, solution: str) -> set[str]:
        """The problems that a solution solves."""
        return self._neighbours(solution, "solves")

    def solutions_of(self, problem: str) -> set[str]:
        """The solutions that solve a problem."""
        return self._neighbours(problem, "solves")

    def conflicts_of(self, solution: str) -> set[str]:
        """The solutions that do not combine with this one."""
        if solution not in self._with_conflicts:
            self._with_conflicts.add(solution)
            for other in self.solutions.conflicts_of(self._numbers[solution]):
                self.graph.add_edge(solution, self._names[other], kind="conflicts")
        return self._neighbours(solution, "conflicts")

    def _neighbours(self, node: str, kind: str) -> set[str]:
        return {other for other, edge in self.graph.adj[node].items() if edge["kind"] == kind}


def build_graph(
    position: Position, win_condition: WinCondition | None = None, *, conflicts: bool = True
) -> nx.Graph[str]:
    """The graph of a position for the side that is not to move, White's under a win condition.

    >>> graph = build_graph(Position.start(Board(4, 4)))
    >>> [kind for _, kind in graph.nodes(data="kind")].count("problem")
    10
    """
    proof_graph = ProofGraph(list_solutions(position, win_condition))
    if conflicts:
        for solution in proof_graph.instances:
            proof_graph.conflicts_of(solution)
    return proof_graph.graph


def mark_chosen(graph: nx.Graph[str], certificate: Certificate) -> None:
    """Mark the solutions of a certificate in the graph of its position and win condition."""
    for instance in certificate.instances:
        graph.nodes[solution_name(certificate.position.board, instance)]["chosen"] = True
    graph.graph["value"] = str(certificate.bounds)


def solution_name(board: Board, instance: RuleInstance) -> str:
    """The name of a solution's node: Allis' notation and, where the rule has one, the group."""
    group = f" for {' '.join(board.names(instance.group))}" if instance.group else ""
    return instance.describe(board) + group


def find_set_on_graph(
    graph: ProofGraph, first: frozenset[str] = frozenset(), *, without: Collection[Rule] = ()
) -> frozenset[str] | None:
    """A chosen set that holds the solutions in `first` and none of the rules in `without`; None if there is none."""
    unsolved = set(graph.problems)
    allowed = {name for name, instance in graph.instances.items() if instance.rule not in without}
    for solution in first:
        unsolved -= graph.solved_by(solution)
        allowed -= graph.conflicts_of(solution) | {solution}
    return _extend(graph, first, unsolved, allowed)


def _extend(graph: ProofGraph, chosen: frozenset[str], unsolved: set[str], allowed: set[str]) -> frozenset[str] | None:
    if not unsolved:
        return chosen
    options = {problem: graph.solutions_of(problem) & allowed for problem in unsolved}
    hardest = min(unsolved, key=lambda problem: (len(options[problem]), problem))
    allowed = set(allowed)
    for solution in sorted(options[hardest], key=lambda name: (-len(graph.solved_by(name) & unsolved), name)):
        allowed.remove(solution)  # no set holds it together with those chosen before, once it was tried
        found = _extend(
            graph, chosen | {solution}, unsolved - graph.solved_by(solution), allowed - graph.conflicts_of(solution)
        )
        if found is not None:
            return found
    return None


def prove_on_graph(position: Position) -> Certificate | None:
    """What `prover.prove` finds, by the readable search: slow, without a budget, and for every win condition.

    >>> certificate = prove_on_graph(Position.start(Board(6, 4)))
    >>> str(certificate.bounds)
    'not-white'
    """
    controller = position.to_move.opponent
    conditions: list[WinCondition | None] = [None]
    if controller is Side.WHITE:
        conditions = [*list_win_conditions(position)]
    for condition in conditions:
        graph = ProofGraph(list_solutions(position, condition))
        chosen = find_set_on_graph(graph)
        if chosen is None:
            continue
        if controller is Side.BLACK:
            chosen = _with_aftereven(graph, chosen)
        instances = tuple(graph.instances[name] for name in sorted(chosen))
        return Certificate(position, controller, condition, instances)
    return None


def _with_aftereven(graph: ProofGraph, chosen: frozenset[str]) -> frozenset[str]:
    """A chosen set that holds an Aftereven, with which Black wins (Allis 1988, §9.2); the old one if there is none."""
    afterevens = [name for name, instance in graph.instances.items() if instance.rule is Rule.AFTEREVEN]
    if not chosen.isdisjoint(afterevens):
        return chosen
    for aftereven in afterevens:
        found = find_set_on_graph(graph, frozenset({aftereven}))
        if found is not None:
            return found
    return chosen
