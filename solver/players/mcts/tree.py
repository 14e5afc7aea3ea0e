"""The tree of UCT in one array: where to go on, what a game tells it, and what is left of it after a move, as kernels.

A node is a row of four numbers and holds no state: the moves on the way to it give that. Node 0 is the root; the
children of a node lie side by side behind a head, and always behind the node itself.

    node 0 | head, child, child, ... | head, child, ... | free

What a node knows is meant for the side that made the move into it. A node is proved when its value is certain, by
itself or by its children. A proved node is never visited again, and proofs go up the tree as far as they reach.
"""

from math import log, sqrt

import numpy as np

from claimeven.solver.kernel import kernel, types

VISITS = 0
POINTS = 1  # twice the points of the games played: 2 a win, 1 a draw
CHILDREN = 2  # the first of them, 0 if there are none
WHAT = 3  # proof, number of children and move, a byte each
FIELDS = 4

COUNT = 0  # of a head: how many children there are
PARENT = 1  # of a head, while the tree is cut back
IS_KEPT = 2  # of a head, while the tree is cut back

UNPROVED, LOST, DRAWN, WON = 0, 1, 2, 3

Nodes = np.ndarray[tuple[int, int], np.dtype[np.int32]]
NODES = types.int32[:, ::1]
USED = types.int64[::1]
"""One number: how many rows of the tree are in use."""
PATH = types.int64[::1]
"""The nodes from the root to the one that a game is played from."""


@kernel("int64(int64)")
def move_into(what):
    return what & 0xFF


@kernel("int64(int64)")
def children_of(what):
    return (what >> 8) & 0xFF


@kernel("int64(int64)")
def proof_of(what):
    """UNPROVED, or the value for the side that made the move into the node."""
    return (what >> 16) & 3


@kernel(types.void(NODES, USED))
def clear(nodes, used):
    """Leave nothing but a root that nothing is known of."""
    nodes[0, :] = 0
    used[0] = 1


@kernel(types.int64(NODES, types.int64, types.int64))
def find_child(nodes, node, move):
    """The child of a node by a move; 0 if there is none."""
    first = np.int64(nodes[node, CHILDREN])
    for child in range(first, first + children_of(nodes[node, WHAT])):
        if first and move_into(nodes[child, WHAT]) == move:
            return child
    return 0


@kernel(types.void(NODES, USED, types.int64))
def cut_back(nodes, used, root):
    """Make a node the root and give the room of all that is not below it free, in one pass over the array."""
    nodes[0, :] = nodes[root, :]
    first = np.int64(nodes[0, CHILDREN])
    if first:
        nodes[first - 1, PARENT] = 0
        nodes[first - 1, IS_KEPT] = 1
    head, free = 1, 1
    while head < used[0]:
        size = np.int64(nodes[head, COUNT]) + 1
        if nodes[head, IS_KEPT]:
            nodes[nodes[head, PARENT], CHILDREN] = free + 1
            for place in range(size):
                nodes[free + place, :] = nodes[head + place, :]
                first = np.int64(nodes[free + place, CHILDREN])
                if place and first:
                    nodes[first - 1, PARENT] = free + place
                    nodes[first - 1, IS_KEPT] = 1
            nodes[free, IS_KEPT] = 0
            free += size
        head += size
    used[0] = free


@kernel(types.int64(NODES, USED, types.int64, types.int64))
def make_room(nodes, used, node, count):
    """Make room for the children of a node, to be put in by `put_child`; the first of them, 0 if there is no room."""
    head = used[0]
    if head + 1 + count > nodes.shape[0]:
        return 0
    nodes[head, COUNT] = count
    nodes[head, PARENT] = 0
    nodes[head, IS_KEPT] = 0
    nodes[head, CHILDREN] = 0
    nodes[node, CHILDREN] = head + 1
    nodes[node, WHAT] = (nodes[node, WHAT] & ~0xFF00) | count << 8
    used[0] = head + 1 + count
    return head + 1


@kernel(types.void(NODES, types.int64, types.int64))
def put_child(nodes, child, move):
    """A child by a move that was never tried."""
    nodes[child, VISITS] = 0
    nodes[child, POINTS] = 0
    nodes[child, CHILDREN] = 0
    nodes[child, WHAT] = move


@kernel(types.int64(NODES, types.int64, types.float64))
def select(nodes, node, exploration):
    """The first child that was never tried, else the one that UCT prefers; points count from -1 to 1."""
    first = np.int64(nodes[node, CHILDREN])
    visits = log(nodes[node, VISITS] + 1.0)
    best, best_value = 0, -1e9
    for child in range(first, first + children_of(nodes[node, WHAT])):
        if proof_of(nodes[child, WHAT]) != UNPROVED:
            continue
        tries = nodes[child, VISITS]
        if tries == 0:
            return child
        share = 1.0 / tries
        value = nodes[child, POINTS] * share + exploration * sqrt(visits * share)
        if value > best_value:
            best, best_value = child, value
    return best


@kernel(types.int64(NODES, types.int64))
def _prove_by_children(nodes, node):
    """What the children prove of a node."""
    first = np.int64(nodes[node, CHILDREN])
    best = LOST
    is_complete = True
    for child in range(first, first + children_of(nodes[node, WHAT])):
        proof = proof_of(nodes[child, WHAT])
        if proof == WON:
            return LOST
        if proof == UNPROVED:
            is_complete = False
        best = max(best, proof)
    return LOST + WON - best if is_complete else UNPROVED


@kernel(types.void(NODES, PATH, types.int64, types.int64, types.int64))
def back_up(nodes, path, depth, points, proof):
    """Tell the nodes of a path of so many moves what the last of them brought: points, or a proof if there is one."""
    while True:
        node = path[depth]
        if proof != UNPROVED:
            nodes[node, WHAT] |= proof << 16
            points = proof - LOST
        nodes[node, VISITS] += 1
        nodes[node, POINTS] += points
        if depth == 0:
            return
        depth -= 1
        points = 2 - points
        if proof != UNPROVED:
            proof = _prove_by_children(nodes, path[depth])
