"""One position: who wins and when, which moves are best, and why by the rules."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from claimeven._position import as_position
from claimeven.solver.analysis import Analysis
from claimeven.solver.analysis import analyze as analyze_with
from claimeven.solver.board import Board
from claimeven.solver.inquiry import Inquiry
from claimeven.solver.position import Position
from claimeven.solver.search.budget import Budget
from claimeven.solver.verdict import Source, Verdict, judge_end

if TYPE_CHECKING:
    from claimeven._store import Store
    from claimeven.solver.rule_proof import Proof
    from claimeven.solver.search.searcher import Searcher

SEARCHERS = 2
"""How many boards keep their searcher, with all that it has found, from one call to the next."""


def solve(
    position: Position | str, *, score: bool = True, seconds: float | None = None, store: Store | None = None
) -> Verdict:
    """Who wins a position under best play, and with which score: `value`, `score` and `source` of the verdict.

    The score is for the side to move, positive if it wins, and the larger the sooner. Without `score` the value alone
    is looked for, which is quicker early in a game. If `seconds` are not enough, value and score may be None. What the
    store knows is not solved again, and what is solved is stored. Text is read as by `Position`.

    >>> verdict = solve("4455")
    >>> verdict.value == "white", verdict.score, verdict.source
    (True, 18, <Source.SEARCH: 'search'>)
    >>> solve(Position("1212121"))
    Verdict('white', score=-18, source='terminal')
    """
    asked = as_position(position)
    if asked.is_over:
        return judge_end(asked)
    with _searcher_for(asked.board) as searcher:
        known = None if store is None else store.get
        verdict = Inquiry(searcher, known, Budget(seconds=seconds), scores=score).ask([asked])[0]
    _keep(store, [(asked, verdict)])
    return verdict


def analyze(position: Position | str, *, seconds: float | None = None, store: Store | None = None) -> Analysis:
    """The score of every move of a position, the best ones, and the line of best play, with the source of each.

    `seconds` are for each search on its own; there are no best moves unless all scores were found. What the store knows
    is not searched again, and what is found is stored. A finished game has no moves.

    >>> analysis = analyze(Position("33", board=Board(5, 4)))
    >>> analysis.score, analysis.scores
    (0, {0: -1, 1: -1, 2: 0, 3: -1, 4: -1})
    >>> [move.square for move in analysis.best_moves], analysis.squares[:4]
    (['c3'], ('c3', 'c4', 'b1', 'd1'))
    """
    asked = as_position(position)
    with _searcher_for(asked.board) as searcher:
        analysis = analyze_with(asked, searcher, None if store is None else store.get, Budget(seconds=seconds))
    _keep(store, [(asked, analysis.verdict), *((move.position, move.verdict) for move in analysis.moves)])
    return analysis


def prove(position: Position | str, *, budget: int | None = None) -> Proof | None:
    """A proof of a position by Allis' nine rules, which the independent checker has accepted; None if there is none.

    The rules speak for the side that is not to move: White wins, Black wins, or Black at least draws. None says nothing
    about who wins. `budget` limits the nodes of the search for a proof, and is seldom used up.

    >>> proof = prove("43443444536335525626636567777772")
    >>> proof.verdict, proof.solutions
    (Verdict('not-white', source='rules'), ('Claimeven a1 a2', 'Before a4 a5 b4 b5'))
    >>> proof.check(), proof.explain().splitlines()[0], proof.graph().number_of_nodes() > 2
    (None, 'Black at least draws', True)
    >>> prove("4") is None
    True
    """
    from claimeven.solver.rule_proof import find_proof

    return find_proof(as_position(position), budget)


_searchers: dict[Board, Searcher] = {}
_turn = threading.RLock()


@contextmanager
def _searcher_for(board: Board) -> Iterator[Searcher]:
    """The searcher of a board, for one caller at a time: it works with all cores anyway."""
    from claimeven.solver.search.searcher import Searcher

    with _turn:
        searcher = _searchers.pop(board, None) or Searcher(board)
        while len(_searchers) >= SEARCHERS:
            del _searchers[next(iter(_searchers))]
        _searchers[board] = searcher
        yield searcher


def _keep(store: Store | None, found: Iterable[tuple[Position, Verdict]]) -> None:
    """Store what search found."""
    if store is None or not store.is_writable:
        return
    for position, verdict in found:
        if verdict.source is Source.SEARCH:
            store.put(position, verdict)
