"""The nine rules on many positions, without a call from Python for each."""

from claimeven.solver.kernel import kernel, types
from claimeven.solver.proof.chosen_set import NODES
from claimeven.solver.proof.evaluation import SCRATCH, evaluate
from claimeven.solver.rules.scene import GEOMETRY

_STONES = types.uint64[::1]


@kernel(types.void(GEOMETRY, SCRATCH, _STONES, _STONES, types.int64, types.int8[::1], types.int64[::1]))
def evaluate_all(geometry, work, whites, blacks, budget, results, nodes):
    """What `evaluate` says of many positions, and the nodes each took."""
    for i in range(whites.shape[0]):
        results[i] = evaluate(geometry, work, whites[i], blacks[i], budget)
        nodes[i] = work.counters[NODES]
