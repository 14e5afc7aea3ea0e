"""Before (Allis 1988, §6.8): the controller completes a group before the squares above it can be filled."""

from claimeven.solver.kernel import kernel, lowest_bit, types
from claimeven.solver.rules.scene import BITS, FINDER
from claimeven.solver.rules.solution_table import BEFORE, SOLVES, add_solution, next_place
from claimeven.solver.word import NONE, ONE


@kernel("uint64(uint64, uint64[:, ::1], int64)")
def above_all(members, has, word):
    """The problems that contain the square above every member."""
    problems = ~NONE
    while members != NONE:
        problems &= has[word, lowest_bit(members) + ONE]
        members &= members - ONE
    return problems


@kernel(types.boolean(types.uint64, BITS))
def is_under_a_problem(members, has):
    """Whether a problem contains the square above every member."""
    for word in range(has.shape[0]):
        if above_all(members, has, word) != NONE:
            return True
    return False


@kernel("uint64(uint64, uint64, uint64[:, ::1], int64)")
def solved_by_parts(members, claimed, has, word):
    """What the Claimevens of the `claimed` members and the Verticals of the others solve."""
    problems = NONE
    while members != NONE:
        member = lowest_bit(members)
        members &= members - ONE
        if claimed >> member & ONE != NONE:
            problems |= has[word, member]
        else:
            problems |= has[word, member] & has[word, member + ONE]
    return problems


@kernel(FINDER)
def find_befores(geometry, scene, has, has_above, table, count):
    """A group that is not vertical, without opponent stones and without an empty square in the top row.

    Each empty square e of it gets a part: the Vertical (e, succ(e)) of either parity or, if e is even and the
    square below it empty, the Claimeven (below e, e). At least one part is a Vertical; every choice is an
    instance of its own. Solves the problems that contain succ(e) for **all** e, and what the parts solve.
    """
    for line in geometry.lines:
        members = line & scene.empty
        if line & scene.opponent != NONE or members & (geometry.top | ~scene.usable) != NONE:
            continue
        if scene.is_lean and not is_under_a_problem(members, has):
            continue
        claimable = members & ~geometry.odd & ~scene.playable
        claimed = NONE
        while True:
            if claimed != members:
                place = next_place(table, count)
                for word in range(has.shape[0]):
                    table[SOLVES + word, place] = above_all(members, has, word) | solved_by_parts(
                        members, claimed, has, word
                    )
                squares = members | claimed >> ONE | (members & ~claimed) << ONE
                count = add_solution(table, count, BEFORE, squares, claimed >> ONE, NONE, line)
            if claimed == claimable:
                break
            claimed = (claimed - claimable) & claimable  # the next subset of claimable
    return count
