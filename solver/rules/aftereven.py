"""Aftereven (Allis 1988, §6.4): the controller completes a group of even squares by Claimevens alone."""

from claimeven.solver.kernel import kernel, lowest_bit
from claimeven.solver.rules.scene import FINDER
from claimeven.solver.rules.solution_table import AFTEREVEN, SOLVES, add_solution, next_place
from claimeven.solver.word import NONE, ONE


@kernel(FINDER)
def find_afterevens(geometry, scene, has, has_above, table, count):
    """A group without opponent stones whose empty squares are all even, each the upper square of a Claimeven.

    Solves the problems that have, in **every** column with an empty square of the group, a square strictly above
    that empty square, and what the Claimevens solve.
    """
    claimable = scene.usable & ~geometry.odd & ~scene.playable
    for line in geometry.lines:
        uppers = line & scene.empty
        if line & scene.opponent != NONE or uppers & ~claimable != NONE:
            continue
        place = next_place(table, count)
        for word in range(has.shape[0]):
            above_all = ~NONE
            claimed = NONE
            rest = uppers
            while rest != NONE:
                upper = lowest_bit(rest)
                rest &= rest - ONE
                above_all &= has_above[word, upper]
                claimed |= has[word, upper]
            table[SOLVES + word, place] = above_all | claimed
        count = add_solution(table, count, AFTEREVEN, uppers | uppers >> ONE, uppers >> ONE, NONE, line)
    return count
