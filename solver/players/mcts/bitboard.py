"""Games played from a tree, for four in a row with gravity on boards that fit into one word, as kernels.

The layout is the solver's, bit = column * (height + 1) + row. A blocked cell is one that neither side has and that is
filled all the same. What is played is what `mcts_growth` plays, with two differences. Moves that let the other side
win on the cell above are neither tried in the tree nor made by chance, unless there are no others. And a node is proved
at first sight also if its mover has a move after which he wins against every reply.
"""

from typing import NamedTuple

import numpy as np

from claimeven.solver.kernel import kernel, popcount, types
from claimeven.solver.kernel.types import typeof
from claimeven.solver.players.mcts.tree import (
    CHILDREN,
    DRAWN,
    LOST,
    NODES,
    UNPROVED,
    USED,
    VISITS,
    WHAT,
    WON,
    back_up,
    make_room,
    move_into,
    proof_of,
    put_child,
    select,
)

NONE, ONE = np.uint64(0), np.uint64(1)
CHANCE = types.uint64[::1]
MOST_PLIES = 64


class Field(NamedTuple):
    """A board."""

    stride: np.uint64
    bottom: np.uint64  # the lowest cell of each column
    squares: np.uint64  # all cells
    blocked: np.uint64
    columns: np.ndarray[tuple[int], np.dtype[np.uint64]]  # the cells of each
    order: np.ndarray[tuple[int], np.dtype[np.int16]]  # the columns, those that look best first


FIELD = typeof(Field(ONE, ONE, ONE, ONE, np.empty(0, np.uint64), np.empty(0, np.int16)))


@kernel("uint64(uint64, uint64)")
def _gaps(stones, step):
    """The cells that have three stones of a line of four in the direction of `step` beside them."""
    right1 = stones << step
    right2 = (right1 & stones) << step
    left1 = stones >> step
    left2 = (left1 & stones) >> step
    return (right2 & stones) << step | right2 & left1 | right1 & left2 | (left2 & stones) >> step


@kernel("uint64(uint64, uint64)")
def find_gaps(stride, stones):
    """The cells, empty or not and some beyond the board, that would complete a line."""
    return _gaps(stones, ONE) | _gaps(stones, stride - ONE) | _gaps(stones, stride) | _gaps(stones, stride + ONE)


@kernel(types.uint64(FIELD, types.uint64))
def find_playable(field, filled):
    """The cells that moves would fill."""
    return filled + field.bottom & ~filled & field.squares


@kernel(types.uint64(FIELD, types.uint64, types.uint64, types.uint64))
def find_safe(field, filled, playable, gaps):
    """The playable cells after which the other side, who completes lines at `gaps`, does not win at once."""
    danger = playable & gaps
    safe = playable & ~((gaps & field.squares & ~filled) >> ONE)
    if danger == NONE:
        return safe
    return safe & danger if danger & (danger - ONE) == NONE else NONE


@kernel("uint64(uint64[::1], uint64)")
def _pick(chance, cells):
    """One of the cells by chance, by a xorshift generator."""
    number = chance[0]
    number ^= number << np.uint64(13)
    number ^= number >> np.uint64(7)
    number ^= number << np.uint64(17)
    chance[0] = number
    skipped = (number >> np.uint64(32)) * popcount(cells) >> np.uint64(32)
    while skipped > NONE:
        cells &= cells - ONE
        skipped -= ONE
    return cells & (~cells + ONE)


@kernel(types.int64(FIELD, CHANCE, types.uint64, types.uint64))
def play_to_the_end(field, chance, own, other):
    """Twice the points of the side to move in a game played on: 2, 1 for a draw, or 0.

    As long as they can, both sides leave the cells below winning cells alone, the other's and their own: so it is
    zugzwang that decides who gets them, as it would be in earnest.
    """
    own_gaps, other_gaps = find_gaps(field.stride, own), find_gaps(field.stride, other)
    filled = own | other | field.blocked
    points = 2
    while True:
        playable = find_playable(field, filled)
        if playable == NONE:
            return 1
        if playable & own_gaps:
            return points
        cells = find_safe(field, filled, playable, other_gaps)
        if cells == NONE:
            # The other side wins at once, whatever is played: a game that is over.
            return 2 - points
        patient = cells & ~((own_gaps & field.squares & ~filled) >> ONE)
        cell = _pick(chance, patient if patient != NONE else cells)
        own |= cell
        filled |= cell
        own_gaps, other_gaps = other_gaps, find_gaps(field.stride, own)
        own, other = other, own
        points = 2 - points


@kernel(types.int64(FIELD, types.uint64, types.uint64))
def _prove_at_once(field, own, other):
    """What is certain of a state with `own` to move at first sight, for the side that made the last move."""
    filled = own | other | field.blocked
    playable = find_playable(field, filled)
    if playable == NONE:
        return DRAWN
    if playable & find_gaps(field.stride, own):
        return LOST
    safe = find_safe(field, filled, playable, find_gaps(field.stride, other))
    if safe == NONE:
        return WON
    while safe != NONE:
        cell = safe & (~safe + ONE)
        safe ^= cell
        after = filled | cell
        replies = find_playable(field, after)
        if replies != NONE and find_safe(field, after, replies, find_gaps(field.stride, own | cell)) == NONE:
            return LOST
    return UNPROVED


@kernel(types.boolean(NODES, USED, types.int64, FIELD, types.uint64, types.uint64))
def _open_node(nodes, used, node, field, own, other):
    """Give a node its children, if there is room: all moves that do not lose at once, or all if these are none."""
    filled = own | other | field.blocked
    playable = find_playable(field, filled)
    cells = find_safe(field, filled, playable, find_gaps(field.stride, other))
    if cells == NONE:
        cells = playable
    child = make_room(nodes, used, node, np.int64(popcount(cells)))
    if not child:
        return False
    for column in field.order:
        if field.columns[column] & cells:
            put_child(nodes, child, column)
            child += 1
    return True


@kernel(types.int64(NODES, USED, FIELD, types.uint64, types.uint64, CHANCE, types.float64, types.int64))
def grow(nodes, used, field, root_own, root_other, chance, exploration, visits):
    """Visit the tree so many times, or fewer if its root is proved; returns how many games were played to the end.

    The root, with `root_own` to move, must not be over, and its mover not be able to win at once.
    """
    path = np.zeros(MOST_PLIES + 1, np.int64)
    played = 0
    for _ in range(visits):
        if proof_of(nodes[0, WHAT]) != UNPROVED:
            break
        own, other = root_own, root_other
        node, depth = 0, 0
        is_new = False
        while not is_new:
            if not nodes[node, CHILDREN] and not _open_node(nodes, used, node, field, own, other):
                break
            node = select(nodes, node, exploration)
            column = field.columns[move_into(nodes[node, WHAT])]
            own, other = other, own | find_playable(field, own | other | field.blocked) & column
            depth += 1
            path[depth] = node
            is_new = nodes[node, VISITS] == 0
        points = 0
        proof = _prove_at_once(field, own, other) if is_new else UNPROVED
        if proof == UNPROVED:
            played += 1
            points = 2 - play_to_the_end(field, chance, own, other)
        back_up(nodes, path, depth, points, proof)
    return played
