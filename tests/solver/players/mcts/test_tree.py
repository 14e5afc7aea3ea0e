"""The tree: its counts add up, its proofs are true and final, and cutting it back keeps what is below the new root."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from claimeven.solver.players.game import Game, State
from claimeven.solver.players.mcts.general import GeneralGrower
from claimeven.solver.players.mcts.small import SmallGrower
from claimeven.solver.players.mcts.tree import (
    CHILDREN,
    DRAWN,
    FIELDS,
    LOST,
    POINTS,
    UNPROVED,
    VISITS,
    WHAT,
    WON,
    children_of,
    clear,
    cut_back,
    find_child,
    move_into,
    proof_of,
)
from claimeven.solver.players.mcts.tree_memory import Arena
from tests.solver.players.games_of_every_kind import solve

TIC_TAC_TOE = Game(3, 3, 3, gravity=False)
BLOCKED_TEN = Game(10, 5, blocked=22)
NINE = Game(9, 9, 5, gravity=False)

EITHER = pytest.mark.parametrize("grower", [SmallGrower, GeneralGrower])


class Grown:
    """A tree under test."""

    def __init__(self, state: State, grower: type[SmallGrower | GeneralGrower], rows: int = 1 << 16) -> None:
        self.state = state
        self.grower = grower(state.game)
        self.nodes = np.full((rows, FIELDS), -1, np.int32)  # what is free holds rubbish
        self.arena = Arena(self.nodes, np.zeros(1, np.int64), np.array([0x1234567], np.uint64))
        clear(self.nodes, self.arena.used)

    @property
    def used(self) -> int:
        return int(self.arena.used[0])

    def grow(self, visits: int) -> int:
        return self.grower.grow(self.arena, self.state, 0.8, visits)

    def children(self, node: int = 0) -> range:
        first = int(self.nodes[node, CHILDREN])
        return range(first, first + children_of(self.nodes[node, WHAT])) if first else range(0)

    def move(self, node: int) -> int:
        return int(move_into(self.nodes[node, WHAT]))

    def proof(self, node: int = 0) -> int:
        return int(proof_of(self.nodes[node, WHAT]))

    def subtree(self, node: int = 0) -> Any:
        """All that is known of a node and what is below it, wherever it is kept."""
        below = [self.subtree(child) for child in self.children(node)]
        return [int(self.nodes[node, VISITS]), int(self.nodes[node, POINTS]), int(self.nodes[node, WHAT]), below]


GROWERS_AND_GAMES = pytest.mark.parametrize(
    ("grower", "game"),
    [
        (SmallGrower, Game()),
        (SmallGrower, BLOCKED_TEN),
        (GeneralGrower, Game()),
        (GeneralGrower, BLOCKED_TEN),
        (GeneralGrower, NINE),
    ],
    ids=str,
)


@GROWERS_AND_GAMES
def test_counts_add_up(grower: type[SmallGrower | GeneralGrower], game: Game) -> None:
    tree = Grown(State.start(game), grower, 1 << 18)
    assert 2000 < tree.grow(3000) <= 3000
    assert tree.nodes[0, VISITS] == 3000
    waiting = [0]
    while waiting:
        node = waiting.pop()
        waiting.extend(tree.children(node))
        if not tree.children(node):
            continue
        visits = sum(int(tree.nodes[child, VISITS]) for child in tree.children(node))
        points = sum(int(2 * tree.nodes[child, VISITS] - tree.nodes[child, POINTS]) for child in tree.children(node))
        # A node is played out once before it has children, the root never.
        first = 0 if node == 0 else 1
        assert tree.nodes[node, VISITS] == visits + first
        # A win that was only proved later on turns the points of that visit for the nodes above.
        if tree.proof(node) == UNPROVED and all(tree.proof(child) == UNPROVED for child in tree.children(node)):
            assert 0 <= tree.nodes[node, POINTS] - points <= 2 * first


@EITHER
def test_moves_are_first_tried_one_after_the_other(grower: type[SmallGrower | GeneralGrower]) -> None:
    tree = Grown(State.start(Game()), grower)
    assert tree.grow(1) == 1
    assert [tree.move(child) for child in tree.children()] == [3, 2, 4, 1, 5, 0, 6]
    for tried in range(1, 8):
        assert [int(tree.nodes[child, VISITS]) for child in tree.children()] == [1] * tried + [0] * (7 - tried)
        tree.grow(1)
    assert sorted(int(tree.nodes[child, VISITS]) for child in tree.children()) == [1] * 6 + [2]


@EITHER
def test_a_forced_move_is_the_only_child(grower: type[SmallGrower | GeneralGrower]) -> None:
    tree = Grown(State.start(Game()).play_all([3, 0, 3, 0, 3]), grower)
    tree.grow(10)
    assert [tree.move(child) for child in tree.children()] == [3]


@pytest.mark.parametrize(
    ("grower", "game", "moves"),
    [
        (SmallGrower, Game(4, 4), (0, 0, 1, 1, 0)),
        (SmallGrower, Game(4, 4, blocked=5), (0, 3, 3, 0, 2)),
        (SmallGrower, Game(5, 4), (2, 2, 2, 2, 0, 4, 1)),
        (SmallGrower, Game(6, 3), (0, 0, 5, 5, 1, 4, 1, 4)),
        (GeneralGrower, TIC_TAC_TOE, ()),
        (GeneralGrower, TIC_TAC_TOE, (0, 1)),
        (GeneralGrower, Game(4, 3, 3), ()),
        (GeneralGrower, Game(4, 4), (0, 0, 1, 1, 0)),
        (GeneralGrower, Game(4, 4, blocked=5), (0, 3, 3, 0, 2)),
        (GeneralGrower, Game(4, 3, 3, gravity=False, blocked=4), (0,)),
    ],
    ids=str,
)
def test_proofs_are_those_of_minimax_and_reach_the_root(
    grower: type[SmallGrower | GeneralGrower], game: Game, moves: tuple[int, ...]
) -> None:
    start = State.start(game).play_all(moves)
    tree = Grown(start, grower, 1 << 20)
    tree.grow(400_000)
    assert tree.proof() != UNPROVED
    known: dict[bytes, int] = {}
    waiting, proved = [(0, start)], 0
    while waiting:
        node, state = waiting.pop()
        if tree.proof(node) != UNPROVED:
            proved += 1
            value = solve(state, known)
            assert tree.proof(node) == (LOST if value > 0 else WON if value < 0 else DRAWN)
        waiting.extend((child, state.play(tree.move(child))) for child in tree.children(node))
    assert proved > 3


@EITHER
def test_a_win_in_two_is_proved_and_work_stops(grower: type[SmallGrower | GeneralGrower]) -> None:
    tree = Grown(State.start(Game()).play_all([3, 3, 4, 4]), grower)
    assert tree.grow(100_000) < 1000
    assert tree.proof() == LOST  # for who moved last
    assert any(tree.proof(child) == WON for child in tree.children())
    before = tree.subtree()
    assert tree.grow(1000) == 0
    assert tree.subtree() == before


@EITHER
def test_a_proved_node_is_never_visited_again(grower: type[SmallGrower | GeneralGrower]) -> None:
    tree = Grown(State.start(Game(5, 4)).play_all([2, 2]), grower, 1 << 18)
    final: dict[int, list[int]] = {}
    for _ in range(30):
        tree.grow(100)
        for node, row in final.items():
            assert tree.nodes[node].tolist() == row
        waiting = [0]
        while waiting:
            node = waiting.pop()
            if tree.proof(node) != UNPROVED:
                final.setdefault(node, tree.nodes[node].tolist())
            else:
                waiting.extend(tree.children(node))
    assert len(final) > 10


@GROWERS_AND_GAMES
def test_cutting_back_keeps_what_is_below_the_new_root(grower: type[SmallGrower | GeneralGrower], game: Game) -> None:
    tree = Grown(State.start(game), grower, 1 << 19)
    for _ in range(3):
        tree.grow(4000)
        moves = []
        node = 0
        for _ in range(2):
            node = max(tree.children(node), key=lambda child: tree.nodes[child, VISITS])
            moves.append(tree.move(node))
        assert find_child(tree.nodes, find_child(tree.nodes, 0, moves[0]), moves[1]) == node
        before, rows = tree.subtree(node), tree.used
        cut_back(tree.nodes, tree.arena.used, node)
        assert tree.subtree() == before
        assert count_rows(tree) == tree.used < rows
        assert before[0] > 10
        tree.state = tree.state.play_all(moves)


def count_rows(tree: Grown) -> int:
    """The rows that a tree needs: its nodes, and a head for each family."""
    rows, waiting = 0, [0]
    while waiting:
        node = waiting.pop()
        rows += 1 + bool(tree.children(node))
        waiting.extend(tree.children(node))
    return rows


@EITHER
def test_a_full_tree_goes_on_without_new_nodes(grower: type[SmallGrower | GeneralGrower]) -> None:
    tree = Grown(State.start(Game()), grower, 100)
    assert tree.grow(5000) > 0
    assert 90 < tree.used <= 100
    assert tree.nodes[0, VISITS] == 5000
    assert tree.subtree()[0] == sum(below[0] for below in tree.subtree()[3])
