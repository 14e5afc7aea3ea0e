"""Games played from a tree, for every kind of game, as a kernel."""

import numpy as np

from claimeven.solver.kernel import kernel, types
from claimeven.solver.players.mcts.state import (
    CHANCE,
    GROUND,
    NOWHERE,
    OPEN,
    SIDE,
    STATE,
    find_win,
    has_another_win,
    play,
    play_to_the_end,
)
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


@kernel(types.boolean(NODES, USED, types.int64, GROUND, STATE))
def _open_node(nodes, used, node, ground, state):
    """Give a node its children, if there is room: all moves, or only the one that is forced."""
    danger = find_win(ground, state, 1 - np.int64(state[SIDE]))
    child = make_room(nodes, used, node, 1 if danger != NOWHERE else np.int64(state[OPEN]))
    if not child:
        return False
    for move in ground.order:
        if state[ground.landing + move] != NOWHERE and (danger == NOWHERE or ground.move_of[danger] == move):
            put_child(nodes, child, move)
            child += 1
    return True


@kernel(types.int64(GROUND, STATE))
def _prove_at_once(ground, state):
    """What is certain of a state without looking ahead, for the side that made the last move."""
    side = np.int64(state[SIDE])
    if find_win(ground, state, side) != NOWHERE:
        return LOST
    danger = find_win(ground, state, 1 - side)
    if danger != NOWHERE and has_another_win(ground, state, 1 - side, danger):
        return WON
    return UNPROVED if state[OPEN] else DRAWN


@kernel(types.int64(NODES, USED, GROUND, STATE, STATE, CHANCE, types.float64, types.int64))
def grow(nodes, used, ground, root, state, chance, exploration, visits):
    """Visit the tree so many times, or fewer if its root is proved; returns how many games were played to the end.

    `state` is room for a state. The root must not be over, and its mover not be able to win at once.
    """
    path = np.zeros(ground.cells + 1, np.int64)
    played = 0
    for _ in range(visits):
        if proof_of(nodes[0, WHAT]) != UNPROVED:
            break
        state[:] = root
        node, depth = 0, 0
        is_new = False
        while not is_new:
            if not nodes[node, CHILDREN] and not _open_node(nodes, used, node, ground, state):
                break
            node = select(nodes, node, exploration)
            play(ground, state, move_into(nodes[node, WHAT]))
            depth += 1
            path[depth] = node
            is_new = nodes[node, VISITS] == 0
        points = 0
        proof = _prove_at_once(ground, state) if is_new else UNPROVED
        if proof == UNPROVED:
            played += 1
            mover = 1 - np.int64(state[SIDE])
            points = play_to_the_end(ground, state, chance)
            if mover == 1:
                points = 2 - points
        back_up(nodes, path, depth, points, proof)
    return played
