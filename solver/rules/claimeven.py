"""Claimeven (Allis 1988, §6.1): the controller answers below an even square by taking it."""

from claimeven.solver.kernel import kernel, lowest_bit
from claimeven.solver.rules.scene import FINDER
from claimeven.solver.rules.solution_table import CLAIMEVEN, SOLVES, add_solution, next_place
from claimeven.solver.word import NONE, ONE


@kernel(FINDER)
def find_claimevens(geometry, scene, has, has_above, table, count):
    """Two empty squares, the lower odd, the upper directly above it; the lower one need not be playable.

    Solves the problems that contain the upper square.
    """
    lowers = scene.usable & scene.usable >> ONE & geometry.odd
    while lowers != NONE:
        lower = lowest_bit(lowers)
        lowers &= lowers - ONE
        upper = lower + ONE
        place = next_place(table, count)
        for word in range(has.shape[0]):
            table[SOLVES + word, place] = has[word, upper]
        claim = ONE << lower
        count = add_solution(table, count, CLAIMEVEN, claim | claim << ONE, claim, NONE, NONE)
    return count
