"""Who decides arrays of positions: threads of this process (`decider.Decider`), or whoever else keeps the contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from claimeven.solver.board import Board
    from claimeven.solver.deciding.decided import Decided
    from claimeven.solver.positions import Keys
    from claimeven.solver.search.findings import Findings
    from claimeven.solver.verdicts import VerdictBatch


class KeyDecider(Protocol):
    """Decides positions of one board, given by canonical keys; with `scores` their exact scores too."""

    @property
    def board(self) -> Board: ...

    @property
    def scores(self) -> bool: ...

    @property
    def can_learn(self) -> bool:
        """Whether it would make use of what is known of other positions."""

    def learn(self, batches: Iterable[VerdictBatch]) -> None:
        """Begin with what is known of other positions, if it `can_learn`."""

    @property
    def can_resume(self) -> bool:
        """Whether it can go on from what another search found on its way."""

    def resume(self, findings: Findings) -> None:
        """Go on from what another search found on its way, if it `can_resume`."""

    @property
    def nodes(self) -> int:
        """The nodes of all searches so far."""

    def decide_keys(self, keys: Keys) -> Iterator[Decided]:
        """The verdicts on positions given by different keys, as they are decided; each position comes exactly once.

        It may begin before the first is asked for. None at all is a sign of life. On Ctrl-C what is decided by then
        comes before the KeyboardInterrupt.
        """
