"""The choice of moves of a whole solution: each node counts once, whatever leads to it."""

from __future__ import annotations

import random

import pytest

from claimeven.solver.board import Board
from claimeven.solver.solution.building.choice import Choice
from claimeven.solver.solution.building.workshop import Key, Workshop

LAYERS = 6


def random_workshop(seed: int) -> Workshop:
    """A graph of a few layers, complete, with moves that share what they lead to; the stones mean nothing."""
    rng = random.Random(seed)
    workshop = Workshop(Board(), True, [(0, 0)])
    layer: list[Key] = [(0, 0)]
    for ply in range(1, LAYERS):
        # Keys with two more stones each, so that a layer is a ply.
        below = [workshop.canonical((1 << ply) - 1, ((1 << ply) - 1) << (8 + number)) for number in range(6)]
        for key in layer:
            for square in range(rng.randint(1, 3)):
                replies = tuple(dict.fromkeys(rng.choice(below) for _ in range(rng.randint(1, 3))))
                workshop.nodes[key].moves[1 << square] = replies
                for reply in replies:
                    workshop.node(reply)
        layer = [key for key in below if key in workshop.nodes]
    for node in workshop.nodes.values():
        if not node.moves:
            node.leaf = 0
    return workshop


def count(workshop: Workshop, choice: Choice, without: Key | None = None) -> int:
    """The size of the whole, counted from its beginning; `without` is taken for a leaf."""
    met, waiting, size = set(workshop.roots), list(workshop.roots), 0
    for key in waiting:
        move = 0 if key == without else choice.move(key)
        size += 2 if move else 1
        for reply in workshop.nodes[key].moves[move] if move else ():
            if reply not in met:
                met.add(reply)
                waiting.append(reply)
    return size


@pytest.mark.parametrize("seed", range(30))
def test_sizes_and_savings(seed: int) -> None:
    workshop = random_workshop(seed)
    choice = Choice(workshop, workshop.costs())
    before = choice.size
    assert before == count(workshop, choice)
    choice.improve()
    assert choice.size == count(workshop, choice) <= before
    for key in choice.reached:
        if choice.move(key):
            assert choice.saving(key) == choice.size - count(workshop, choice, without=key)
    assert choice.size == count(workshop, choice)


def test_sharing_makes_some_of_them_smaller() -> None:
    smaller = 0
    for seed in range(30):
        workshop = random_workshop(seed)
        choice = Choice(workshop, workshop.costs())
        before = choice.size
        choice.improve()
        smaller += choice.size < before
    assert smaller > 0
