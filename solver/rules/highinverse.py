"""Highinverse (Allis 1988, §6.6): a Lowinverse with a Claimeven on top of both pairs."""

from claimeven.solver.kernel import kernel, lowest_bit
from claimeven.solver.rules.scene import FINDER, up_to
from claimeven.solver.rules.solution_table import HIGHINVERSE, SOLVES, add_solution, next_place
from claimeven.solver.word import NONE, ONE, TWO


@kernel(FINDER)
def find_highinverses(geometry, scene, has, has_above, table, count):
    """Two different columns, in each three empty squares on top of each other with an even top.

    Solves the problems that contain both tops, both middles, or middle and top of one column; and those that
    contain the bottom of one column and the top of the other, if that bottom is playable.
    """
    stride = geometry.stride
    bottoms = scene.usable & scene.usable >> ONE & scene.usable >> TWO & ~geometry.odd
    firsts = bottoms
    while firsts != NONE:
        bottom1 = lowest_bit(firsts)
        firsts &= firsts - ONE
        middle1, top1 = bottom1 + ONE, bottom1 + TWO
        playable1 = scene.playable >> bottom1 & ONE != NONE
        seconds = firsts
        while seconds != NONE:
            bottom2 = lowest_bit(seconds)
            seconds &= seconds - ONE
            middle2, top2 = bottom2 + ONE, bottom2 + TWO
            playable2 = scene.playable >> bottom2 & ONE != NONE
            if bottom1 // stride == bottom2 // stride:
                continue
            place = next_place(table, count)
            by_both = NONE
            for word in range(has.shape[0]):
                solved = has[word, top1] & has[word, top2] | has[word, middle1] & has[word, middle2]
                if playable1:
                    solved |= has[word, bottom1] & has[word, top2]
                if playable2:
                    solved |= has[word, bottom2] & has[word, top1]
                by_both |= solved
                table[SOLVES + word, place] = (
                    solved | has[word, middle1] & has[word, top1] | has[word, middle2] & has[word, top2]
                )
            if scene.is_lean and by_both == NONE:
                continue
            triple1 = ONE << bottom1 | ONE << middle1 | ONE << top1
            triple2 = ONE << bottom2 | ONE << middle2 | ONE << top2
            zone = up_to(top1, stride) | up_to(top2, stride)
            count = add_solution(table, count, HIGHINVERSE, triple1 | triple2, NONE, zone, NONE)
    return count
