"""Nodes that have no diagram because of what follows: marked where that is certain, and nowhere else."""

from __future__ import annotations

import pytest

from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.solution.building.workshop import BarrenLeafError, Key, Node, Workshop
from claimeven.solver.solution.finding.finder import FinderThread
from claimeven.solver.solution.finding.oracle import Oracle
from tests.solver.solution.finding.test_sat_finder import MEMORY

ROOT: Key = (0, 0)
FIRST, SECOND, THIRD = (1, 2), (1, 4), (2, 1)


def workshop_of(root: Node, **marks: Node) -> Workshop:
    """A root with two moves, to one of which there are two replies."""
    workshop = Workshop(Board(), True, [ROOT])
    root.moves = {1: (FIRST, SECOND), 2: (THIRD,)}
    workshop.nodes = {ROOT: root, FIRST: Node(2), SECOND: Node(2), THIRD: Node(2)}
    workshop.nodes.update(
        {{"first": FIRST, "second": SECOND, "third": THIRD}[name]: node for name, node in marks.items()}
    )
    return workshop


def test_a_node_is_barren_if_every_move_may_lead_to_a_barren_one() -> None:
    barren = Node(2, is_barren=True)
    for marks, is_barren in (
        ({"second": barren, "third": barren}, True),
        ({"first": barren, "second": barren}, False),
        ({"third": barren}, False),
        ({"second": barren, "third": Node(2, needs_ties=True)}, False),
    ):
        workshop = workshop_of(Node(0, knows_moves=True), **marks)
        workshop.spread_barrenness()
        assert workshop.nodes[ROOT].is_barren == is_barren


def test_a_barren_node_has_no_strict_diagram_either() -> None:
    barren, tied = Node(2, is_barren=True), Node(2, needs_ties=True)
    for marks, needs_ties in (({"first": barren, "third": tied}, True), ({"first": barren, "second": tied}, False)):
        workshop = workshop_of(Node(0, sat_tries=3, knows_moves=True), **marks)
        workshop.spread_barrenness()
        root = workshop.nodes[ROOT]
        assert root.needs_ties == needs_ties
        assert root.ties_from == (3 if needs_ties else 1)


def test_nothing_follows_from_some_of_the_moves() -> None:
    workshop = workshop_of(Node(0), first=Node(2, is_barren=True), third=Node(2, is_barren=True))
    workshop.spread_barrenness()
    assert not workshop.nodes[ROOT].is_barren


def test_a_diagram_where_there_can_be_none_is_a_contradiction() -> None:
    barren = Node(2, is_barren=True)
    workshop = workshop_of(Node(0, leaf=0, knows_moves=True), first=barren, third=barren)
    for _ in range(2):  # it does not go away
        with pytest.raises(BarrenLeafError, match="there can be none"):
            workshop.spread_barrenness()
        assert not workshop.nodes[ROOT].is_barren
    workshop.nodes[ROOT].leaf = None
    workshop.spread_barrenness()
    workshop.nodes[ROOT].leaf = 0
    with pytest.raises(BarrenLeafError):
        workshop.spread_barrenness()


@pytest.mark.parametrize("moves", ["422224444245555757", "322222444447"])
def test_where_it_says_so_sat_finds_none(moves: str) -> None:
    """Positions of 7x6 in which each move that keeps White's win may lead to one that SAT refutes."""
    pytest.importorskip("pysat")
    from claimeven.solver.solution.finding.sat_finder import find_by_sat

    board = Board()
    oracle = FinderThread(Oracle(board, True, MEMORY)).oracle
    workshop = Workshop(board, True, [])
    key, _ = workshop.key_of(Position(moves))
    node = workshop.node(key)
    playable = workshop.playable(*key)
    for move in oracle.keeping(*key, workshop.completing(key[1], playable) or playable):
        node.moves[move] = tuple({workshop.canonical(*reply) for reply in workshop.replies(key[0] | move, key[1])})
        for reply in node.moves[move]:
            workshop.node(reply).is_barren = find_by_sat(oracle, [reply], 3_000_000).is_barren
            if workshop.node(reply).is_barren:
                break
        else:
            pytest.fail("a move leads to nothing that is refuted")
        for reply in node.moves[move]:
            workshop.node(reply)
    node.knows_moves = True
    workshop.spread_barrenness()
    assert node.is_barren
    assert find_by_sat(oracle, [key], 200_000_000).is_barren
