"""All mistakes, by name."""

from __future__ import annotations

from tests.mutations.broken_array_check import BROKEN_ARRAY_CHECK, BROKEN_PROOF_BATCH
from tests.mutations.broken_combinations import BROKEN_COMBINATIONS, BROKEN_CONDITIONS
from tests.mutations.broken_proofs import BROKEN_CHECKER, BROKEN_PLAY, BROKEN_PROVER
from tests.mutations.broken_rules import BROKEN_RULES

MUTATIONS = {
    mutation.breaks: mutation
    for mutation in (
        *BROKEN_RULES,
        *BROKEN_COMBINATIONS,
        *BROKEN_CONDITIONS,
        *BROKEN_PROVER,
        *BROKEN_CHECKER,
        *BROKEN_PLAY,
        *BROKEN_ARRAY_CHECK,
        *BROKEN_PROOF_BATCH,
    )
}
