"""The choice of moves of a whole solution: each node counts once, whatever leads to it."""

from __future__ import annotations

import random
from itertools import product

import pytest

from claimeven.solver.board import Board
from claimeven.solver.solution.building.choice import Choice
from claimeven.solver.solution.building.least_choice import choose_least
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


def count(workshop: Workshop, choice: Choice, open_size: int = 1) -> int:
    """The size of the whole, counted from its beginning."""
    met, waiting, size = set(workshop.roots), list(workshop.roots), 0
    for key in waiting:
        move = choice.move(key)
        size += 2 if move else open_size if workshop.nodes[key].is_open else 1
        for reply in workshop.nodes[key].moves[move] if move else ():
            if reply not in met:
                met.add(reply)
                waiting.append(reply)
    return size


@pytest.mark.parametrize("seed", range(30))
def test_sizes(seed: int) -> None:
    workshop = random_workshop(seed)
    choice = Choice(workshop, workshop.costs())
    before = choice.size
    assert before == count(workshop, choice)
    choice.improve()
    assert choice.size == count(workshop, choice) <= before


@pytest.mark.parametrize("seed", range(10))
def test_what_is_open_counts_what_it_costs(seed: int) -> None:
    workshop = random_workshop(seed)
    opened = [node for node in workshop.nodes.values() if node.leaf is not None]
    for node in opened[::2]:
        node.leaf = None
    choice = Choice(workshop, workshop.costs_with(lambda _key, _known: 7))
    choice.improve()
    assert choice.size == count(workshop, choice, open_size=7)


def test_sharing_makes_some_of_them_smaller() -> None:
    smaller = 0
    for seed in range(30):
        workshop = random_workshop(seed)
        choice = Choice(workshop, workshop.costs())
        before = choice.size
        choice.improve()
        smaller += choice.size < before
    assert smaller > 0


def least_by_layers(workshop: Workshop) -> tuple[int, int]:
    """The smallest whole and of those the fewest moves, by trying all moves of all sets of nodes that a layer may
    need."""
    sizes: dict[frozenset[Key], tuple[int, int]] = {frozenset(workshop.roots): (0, 0)}
    while True:
        below: dict[frozenset[Key], tuple[int, int]] = {}
        for needed, (before, moves_before) in sizes.items():
            inner = [workshop.nodes[key] for key in needed if workshop.nodes[key].moves]
            size = before + 2 * len(inner) + len(needed) - len(inner), moves_before + len(inner)
            for moves in product(*(node.moves.values() for node in inner)):
                reached = frozenset(reply for replies in moves for reply in replies)
                below[reached] = min(below.get(reached, size), size)
        if set(below) == {frozenset()}:
            return below[frozenset()]
        sizes = below


@pytest.mark.parametrize("seed", range(30))
def test_the_least_choice_is_the_least(seed: int) -> None:
    workshop = random_workshop(seed)
    choice = choose_least(workshop, workshop.costs())
    moves = sum(choice.move(key) != 0 for key in choice.reached)
    assert choice.size == count(workshop, choice)
    assert (choice.size, moves) == least_by_layers(workshop)


def test_of_two_of_the_same_size_the_one_with_fewer_moves_is_taken() -> None:
    """Four leaves after a move, or one with two moves of its own and two leaves after these."""
    board = Board()
    workshop = Workshop(board, True, [(0, 0)])
    replies = [workshop.canonical(1, 1 << 8 + number) for number in range(4)]
    other, *last = [workshop.canonical(2 ** (number + 1) - 1, 1 << 20 + number) for number in range(3)]
    for key in [*replies, other, *last]:
        workshop.node(key).leaf = 0
    workshop.nodes[other].leaf = None
    workshop.nodes[other].moves = {1: tuple(last)}
    root = workshop.nodes[workshop.roots[0]]
    for first, second in (((other,), tuple(replies)), (tuple(replies), (other,))):
        root.moves = {1: first, 2: second}
        choice = choose_least(workshop, workshop.costs())
        assert choice.size == 6
        assert sum(choice.move(key) != 0 for key in choice.reached) == 1


def test_the_least_choice_beats_single_changes() -> None:
    gains = 0.0
    for seed in range(30):
        workshop = random_workshop(seed)
        simple = Choice(workshop, workshop.costs())
        simple.improve()
        gains += simple.size - choose_least(workshop, workshop.costs()).size
    assert gains > 0


@pytest.mark.parametrize("seed", range(10))
def test_the_least_choice_counts_what_is_open(seed: int) -> None:
    workshop = random_workshop(seed)
    for node in [node for node in workshop.nodes.values() if node.leaf is not None][::2]:
        node.leaf = None
    costs = workshop.costs_with(lambda _key, _known: 7)
    simple = Choice(workshop, costs)
    simple.improve()
    choice = choose_least(workshop, costs)
    assert choice.size == count(workshop, choice, open_size=7) <= simple.size


def test_without_a_complete_choice_there_is_one_all_the_same() -> None:
    workshop = random_workshop(1)
    for node in workshop.nodes.values():
        node.leaf = None
    choice = choose_least(workshop, workshop.costs())
    assert choice.move(workshop.roots[0])


def test_a_program_that_is_given_up_leaves_single_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimeven.solver.solution.building.least_choice._least_moves", lambda _workshop, _costs: {})
    for seed in range(10):
        workshop = random_workshop(seed)
        simple = Choice(workshop, workshop.costs())
        simple.improve()
        assert choose_least(workshop, workshop.costs()).size == simple.size


def test_a_root_that_is_a_leaf_is_the_whole() -> None:
    workshop = Workshop(Board(), True, [(0, 0)])
    workshop.nodes[0, 0].leaf = 0
    assert choose_least(workshop, workshop.costs()).size == 1


def test_a_choice_begins_with_the_moves_it_is_given() -> None:
    workshop = random_workshop(3)
    costs = workshop.costs()
    least = choose_least(workshop, costs)
    moves = {key: least.move(key) for key in least.reached if least.move(key)}
    assert Choice(workshop, costs, moves).size == least.size
    root = workshop.roots[0]
    assert Choice(workshop, {**costs, root: (1, 0)}, moves).size == 1
