"""Lowinverse (Allis 1988, §6.5): of two odd squares in different columns the controller gets one."""

from claimeven.solver.kernel import kernel, lowest_bit
from claimeven.solver.rules.scene import FINDER, share_a_problem, up_to
from claimeven.solver.rules.solution_table import LOWINVERSE, SOLVES, add_solution, next_place
from claimeven.solver.word import NONE, ONE


@kernel(FINDER)
def find_lowinverses(geometry, scene, has, has_above, table, count):
    """Two different columns, in each a pair of empty squares with an odd upper square; the heights may differ.

    Solves the problems that contain both uppers, and those that contain both squares of one pair.
    """
    stride = geometry.stride
    lowers = scene.usable & scene.usable >> ONE & ~geometry.odd
    firsts = lowers
    while firsts != NONE:
        lower1 = lowest_bit(firsts)
        firsts &= firsts - ONE
        upper1 = lower1 + ONE
        seconds = firsts
        while seconds != NONE:
            lower2 = lowest_bit(seconds)
            seconds &= seconds - ONE
            upper2 = lower2 + ONE
            if lower1 // stride == lower2 // stride or (scene.is_lean and not share_a_problem(has, upper1, upper2)):
                continue
            place = next_place(table, count)
            for word in range(has.shape[0]):
                table[SOLVES + word, place] = (
                    has[word, upper1] & has[word, upper2]
                    | has[word, lower1] & has[word, upper1]
                    | has[word, lower2] & has[word, upper2]
                )
            squares = ONE << lower1 | ONE << upper1 | ONE << lower2 | ONE << upper2
            zone = up_to(upper1, stride) | up_to(upper2, stride)
            count = add_solution(table, count, LOWINVERSE, squares, NONE, zone, NONE)
    return count
