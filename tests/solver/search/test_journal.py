"""What a search that is stopped had found on its way: it is right, and another search goes on from it."""

from __future__ import annotations

import numpy as np
import pytest

from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.positions import canonical_keys, count_plies, keys_of, split_keys
from claimeven.solver.search.findings import Findings
from claimeven.solver.search.journal import ROOM, WORTH_KEEPING, Journal, write_down
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.search.workspace import Slot, address_of, new_words, new_workspace
from tests.positions import at

SLICE_NODES = 400_000
MOST_LOST = 300_000
"""Of nodes a stop, on average: a tenth of a second."""


def search_for(position: Position, known: Findings, nodes: int | None, *, scores: bool) -> tuple[Findings, int, bool]:
    """Go on from what is known for so many nodes; gives what is known then, what it took, and whether that was all."""
    searcher = Searcher(position.board, threads=1)
    searcher.resume(known)
    stones = split_keys(position.board, keys_of(position.board, [position]))
    found = [known]
    with searcher.start(stones.white, stones.black, scores=scores) as job:
        while not job.wait(0.01) and (nodes is None or searcher.nodes < nodes):
            found.append(job.take_findings())
        job.close()
        found.append(job.take_findings())
        is_done = len(job.newly_done()) == 1
    return Findings.join(found).merge(), searcher.nodes, is_done


@pytest.mark.parametrize(("moves", "scores"), [("1122", False), ("122333", True)])
def test_a_search_that_is_stopped_again_and_again_loses_little(moves: str, scores: bool) -> None:
    position = at(moves)
    _, whole, _ = search_for(position, Findings.none(), None, scores=scores)
    known, total, stops, is_done = Findings.none(), 0, -1, False
    while not is_done:
        known, nodes, is_done = search_for(position, known, SLICE_NODES, scores=scores)
        total += nodes
        stops += 1
        assert stops < 100, "it gets nowhere"
    assert stops >= 2
    assert total - whole <= stops * MOST_LOST


def test_findings_are_right() -> None:
    position = at("12233")
    found, _, _ = search_for(position, Findings.none(), 1_000_000, scores=False)
    assert len(found) > 50
    assert set(found.roots.tolist()) == {position.canonical_key}
    assert (canonical_keys(position.board, found.keys) == found.keys).all()
    assert (found.works >= int(WORTH_KEEPING).bit_length()).all()
    assert (count_plies(position.board, found.keys) > position.ply).all()
    cheap = found.select(np.argsort(found.works, kind="stable")[:40])
    searcher = Searcher(position.board)
    for key, least, greatest in zip(cheap.keys.tolist(), cheap.least.tolist(), cheap.greatest.tolist(), strict=True):
        score = searcher.score(Position.from_key(position.board, key))
        assert score is not None
        assert least <= score <= greatest


def test_a_finding_is_known_of_the_mirror_image_too() -> None:
    found, _, _ = search_for(at("12233"), Findings.none(), 1_000_000, scores=False)
    late = found.select(count_plies(Board(), found.keys) > Board().cells // 3)  # where images have entries of their own
    position = Position.from_key(Board(), int(late.keys[0]))
    score = Searcher().score(position)
    assert score is not None
    known = np.array([score], np.int8)
    for image in (position, position.mirror()):
        searcher = Searcher(threads=1)
        searcher.resume(Findings(late.keys[:1], known, known, late.works[:1], late.roots[:1]))
        assert searcher.score(image) == score
        assert searcher.nodes == 0


def test_what_nobody_takes_is_overwritten() -> None:
    workspace, control = new_workspace(Board()), new_words(8)
    workspace[Slot.CONTROL] = address_of(control)
    journal = Journal(workspace)
    for number in range(ROOM + 5):
        control[2] = number
        write_down(np.uint64(address_of(workspace)), np.uint64(number), np.uint64(7), -3, 4, np.uint64(5000))
    rows = journal.take(is_idle=True)
    assert rows[:, 0].tolist() == list(range(5, ROOM + 5))
    assert len(journal.take(is_idle=True)) == 0
    write_down(np.uint64(address_of(workspace)), np.uint64(1), np.uint64(7), -3, 4, np.uint64(5000))
    assert len(journal.take(is_idle=False)) == 0  # seen for the first time
    assert len(journal.take(is_idle=False)) == 1
