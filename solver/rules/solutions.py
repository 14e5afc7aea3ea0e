"""All solutions of a position: the nine rules, one after the other."""

from claimeven.solver.kernel import kernel, types
from claimeven.solver.rules.aftereven import find_afterevens
from claimeven.solver.rules.baseclaim import find_baseclaims
from claimeven.solver.rules.baseinverse import find_baseinverses
from claimeven.solver.rules.before import find_befores
from claimeven.solver.rules.claimeven import find_claimevens
from claimeven.solver.rules.highinverse import find_highinverses
from claimeven.solver.rules.lowinverse import find_lowinverses
from claimeven.solver.rules.scene import BITS, GEOMETRY, SCENE
from claimeven.solver.rules.specialbefore import find_specialbefores
from claimeven.solver.rules.vertical import find_verticals


@kernel(types.void(GEOMETRY, SCENE, BITS, BITS, BITS, types.int64[::1]))
def find_solutions(geometry, scene, has, has_above, table, starts):
    """Fill the table with every instance that solves a problem, ordered by rule.

    `starts[rule]` is where a rule begins and `starts[-1]` the number of solutions, which may exceed the table.
    """
    starts[0] = 0
    starts[1] = find_claimevens(geometry, scene, has, has_above, table, starts[0])
    starts[2] = find_baseinverses(geometry, scene, has, has_above, table, starts[1])
    starts[3] = find_verticals(geometry, scene, has, has_above, table, starts[2])
    starts[4] = find_afterevens(geometry, scene, has, has_above, table, starts[3])
    starts[5] = find_lowinverses(geometry, scene, has, has_above, table, starts[4])
    starts[6] = find_highinverses(geometry, scene, has, has_above, table, starts[5])
    starts[7] = find_baseclaims(geometry, scene, has, has_above, table, starts[6])
    starts[8] = find_befores(geometry, scene, has, has_above, table, starts[7])
    starts[9] = find_specialbefores(geometry, scene, has, has_above, table, starts[8])
