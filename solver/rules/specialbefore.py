"""Specialbefore (Allis 1988, §6.9): a Before whose playable square is joined to another playable square."""

from claimeven.solver.kernel import kernel, lowest_bit
from claimeven.solver.rules.before import above_all, solved_by_parts
from claimeven.solver.rules.scene import FINDER, whole_columns
from claimeven.solver.rules.solution_table import SINGLES, SOLVES, SPECIALBEFORE, add_solution, next_place
from claimeven.solver.word import NONE, ONE


@kernel("uint64(uint64, uint64, uint64[:, ::1], int64)")
def squares_of(problems, squares, has, word):
    """Of some squares those that are in one of the problems."""
    found = NONE
    while squares != NONE:
        square = squares & (~squares + ONE)
        squares ^= square
        if has[word, lowest_bit(square)] & problems != NONE:
            found |= square
    return found


@kernel(FINDER)
def find_specialbefores(geometry, scene, has, has_above, table, count):
    """A group as in Before, of which one empty square p is playable and gets no part; the others get parts as there.

    A playable square x joins it, in a column without an empty square of the group. Solves the problems that contain
    succ(e) for all e **and** x, those that contain both p and x, and what the parts solve.
    """
    for line in geometry.lines:
        members = line & scene.empty
        if line & scene.opponent != NONE or members & (geometry.top | ~scene.usable) != NONE:
            continue
        joining = scene.playable & ~whole_columns(members, geometry.stride)
        ps = members & scene.playable
        while ps != NONE:
            p = lowest_bit(ps)
            ps &= ps - ONE
            partners = members & ~(ONE << p)
            claimable = partners & ~geometry.odd & ~scene.playable
            fruitful = joining
            if scene.is_lean:
                fruitful = NONE
                for word in range(has.shape[0]):
                    fruitful |= squares_of(above_all(members, has, word) | has[word, p], joining, has, word)
            claimed = NONE
            while True:
                parts = partners | claimed >> ONE | (partners & ~claimed) << ONE
                xs = fruitful
                while xs != NONE:
                    x = lowest_bit(xs)
                    xs &= xs - ONE
                    place = next_place(table, count)
                    for word in range(has.shape[0]):
                        table[SOLVES + word, place] = (
                            above_all(members, has, word) & has[word, x]
                            | has[word, p] & has[word, x]
                            | solved_by_parts(partners, claimed, has, word)
                        )
                    singles = ONE << p | ONE << x
                    added = add_solution(table, count, SPECIALBEFORE, parts | singles, claimed >> ONE, NONE, line)
                    table[SINGLES, place] = singles
                    count = added
                if claimed == claimable:
                    break
                claimed = (claimed - claimable) & claimable  # the next subset of claimable
    return count
