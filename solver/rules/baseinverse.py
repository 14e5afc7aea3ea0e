"""Baseinverse (Allis 1988, §6.2): of two playable squares the controller gets one."""

from claimeven.solver.kernel import kernel, lowest_bit
from claimeven.solver.rules.scene import FINDER
from claimeven.solver.rules.solution_table import BASEINVERSE, SOLVES, add_solution, next_place
from claimeven.solver.word import NONE, ONE


@kernel(FINDER)
def find_baseinverses(geometry, scene, has, has_above, table, count):
    """Two playable squares, which are in different columns by nature.

    Solves the problems that contain both.
    """
    firsts = scene.playable
    while firsts != NONE:
        first = lowest_bit(firsts)
        firsts &= firsts - ONE
        seconds = firsts
        while seconds != NONE:
            second = lowest_bit(seconds)
            seconds &= seconds - ONE
            place = next_place(table, count)
            for word in range(has.shape[0]):
                table[SOLVES + word, place] = has[word, first] & has[word, second]
            count = add_solution(table, count, BASEINVERSE, ONE << first | ONE << second, NONE, NONE, NONE)
    return count
