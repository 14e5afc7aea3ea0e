"""Baseclaim (Allis 1988, §6.7): two Baseinverses, or a Claimeven and a Baseinverse, as the opponent likes."""

from claimeven.solver.kernel import kernel, lowest_bit
from claimeven.solver.rules.scene import FINDER, share_a_problem
from claimeven.solver.rules.solution_table import BASECLAIM, FIRST, SOLVES, add_solution, next_place
from claimeven.solver.word import NONE, ONE


@kernel(FINDER)
def find_baseclaims(geometry, scene, has, has_above, table, count):
    """Three playable squares p1, p2, p3 and z, the even square directly above p2.

    Solves the problems that contain p1 and z, and those that contain p2 and p3. For combining it contains the
    Claimeven (p2, z).
    """
    middles = scene.playable & geometry.odd & scene.usable >> ONE
    while middles != NONE:
        p2 = lowest_bit(middles)
        middles &= middles - ONE
        z = p2 + ONE
        others = scene.playable & ~(ONE << p2)
        firsts = others
        while firsts != NONE:
            p1 = lowest_bit(firsts)
            firsts &= firsts - ONE
            if scene.is_lean and not share_a_problem(has, p1, z):
                continue
            lasts = others & ~(ONE << p1)
            while lasts != NONE:
                p3 = lowest_bit(lasts)
                lasts &= lasts - ONE
                if scene.is_lean and not share_a_problem(has, p2, p3):
                    continue
                place = next_place(table, count)
                for word in range(has.shape[0]):
                    table[SOLVES + word, place] = has[word, p1] & has[word, z] | has[word, p2] & has[word, p3]
                squares = ONE << p1 | ONE << p2 | ONE << p3 | ONE << z
                added = add_solution(table, count, BASECLAIM, squares, ONE << p2, NONE, NONE)
                table[FIRST, place] = ONE << p1
                count = added
    return count
