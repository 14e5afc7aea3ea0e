"""What deciders say: who may decide, verdicts with what they cost, and the certificates found on the way."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from claimeven.solver.position import Position
from claimeven.solver.positions import Keys
from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.search.findings import Findings
from claimeven.solver.verdict import Source, Verdict
from claimeven.solver.verdicts import VerdictBatch


class Engine(Enum):
    """What may decide a position: the rules, exact search, or the rules first and search for the rest.

    DFPN is a search too, by proof numbers and with the rules in it; it knows values and no scores.
    """

    AUTO = "auto"
    RULES = "rules"
    SEARCH = "search"
    DFPN = "dfpn"


@dataclass(frozen=True, slots=True, eq=False)
class ProofTexts:
    """Certificates of canonical positions, which the checker has accepted: what each proves, and its text.

    The text of number i is `text[offsets[i] : offsets[i + 1]]`, as `write_certificate` writes it.
    """

    keys: Keys
    least: NDArray[np.int8]
    greatest: NDArray[np.int8]
    text: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.keys)

    def texts(self) -> list[str]:
        """The certificates as strings."""
        whole = self.text.tobytes().decode("ascii")
        return [whole[start:end] for start, end in zip(self.offsets[:-1], self.offsets[1:], strict=True)]

    @property
    def verdicts(self) -> VerdictBatch:
        """What the certificates prove."""
        return VerdictBatch.of_bounds(self.keys, self.least, self.greatest, Source.RULES)


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """Some positions of a batch, decided or given up: their places in it, what is known of them, and what search cost.

    None at all is a sign of life. `proofs` are certificates that were found meanwhile, also of positions that will only
    be decided later. `found` are verdicts on positions that nobody asked for, `findings` are bounds on the scores of
    such, on the way to positions that are still open: a later run can go on from both.
    """

    places: NDArray[np.intp]
    verdicts: VerdictBatch
    nodes: NDArray[np.int64]
    seconds: NDArray[np.float64]
    proofs: ProofTexts | None = None
    found: VerdictBatch | None = None
    findings: Findings | None = None

    @classmethod
    def without_search(
        cls, places: NDArray[np.intp], verdicts: VerdictBatch, proofs: ProofTexts | None = None
    ) -> Decided:
        return cls(places, verdicts, np.zeros(len(places), np.int64), np.zeros(len(places)), proofs)

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on a position, with the certificate if the rules proved it, and what search cost."""

    position: Position
    verdict: Verdict
    certificate: Certificate | None = None
    nodes: int = 0
    seconds: float = 0.0
