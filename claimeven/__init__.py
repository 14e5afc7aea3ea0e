"""A knowledge-based Connect Four solver: readable, checkable proofs by Allis' nine rules, and exact search.

What is here is the public interface; everything else may change. It is loaded when it is first used, so importing the
package costs next to nothing.

>>> import claimeven
>>> claimeven.solve("44455554221")
Verdict('white', score=-15, source='search')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from claimeven._batch import solve_many
    from claimeven._position import Position, PositionError
    from claimeven._solving import analyze, prove, solve
    from claimeven._store import Store
    from claimeven.db.books.book import Book
    from claimeven.db.errors import StoreError
    from claimeven.solver.board import Board, BoardError
    from claimeven.solver.proof.certificate import CertificateError
    from claimeven.solver.solution.solution import Solution, SolutionError
    from claimeven.solver.verdict import ContradictionError

__version__ = "0.2.0"

__all__ = [
    "Board",
    "BoardError",
    "Book",
    "CertificateError",
    "ContradictionError",
    "Position",
    "PositionError",
    "Solution",
    "SolutionError",
    "Store",
    "StoreError",
    "__version__",
    "analyze",
    "prove",
    "solve",
    "solve_many",
]

_HOMES = {
    "Board": "claimeven.solver.board",
    "BoardError": "claimeven.solver.board",
    "Book": "claimeven.db.books.book",
    "CertificateError": "claimeven.solver.proof.certificate",
    "ContradictionError": "claimeven.solver.verdict",
    "Position": "claimeven._position",
    "PositionError": "claimeven._position",
    "Solution": "claimeven.solver.solution.solution",
    "SolutionError": "claimeven.solver.solution.solution",
    "Store": "claimeven._store",
    "StoreError": "claimeven.db.errors",
    "analyze": "claimeven._solving",
    "prove": "claimeven._solving",
    "solve": "claimeven._solving",
    "solve_many": "claimeven._batch",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module("claimeven._position")  # whatever comes out may hold positions, which people print and look at
    found = getattr(import_module(home), name)
    globals()[name] = found  # the next time it is found without asking here
    return found


def __dir__() -> list[str]:
    return __all__
