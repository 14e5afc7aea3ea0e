"""Vertical (Allis 1988, §6.3): of two squares on top of each other the controller gets one."""

from claimeven.solver.kernel import kernel, lowest_bit
from claimeven.solver.rules.scene import FINDER
from claimeven.solver.rules.solution_table import SOLVES, VERTICAL, add_solution, next_place
from claimeven.solver.word import NONE, ONE


@kernel(FINDER)
def find_verticals(geometry, scene, has, has_above, table, count):
    """Two empty squares, the lower even, the upper directly above it.

    Solves the problems that contain both.
    """
    lowers = scene.usable & scene.usable >> ONE & ~geometry.odd
    while lowers != NONE:
        lower = lowest_bit(lowers)
        lowers &= lowers - ONE
        upper = lower + ONE
        place = next_place(table, count)
        for word in range(has.shape[0]):
            table[SOLVES + word, place] = has[word, lower] & has[word, upper]
        count = add_solution(table, count, VERTICAL, ONE << lower | ONE << upper, NONE, NONE, NONE)
    return count
