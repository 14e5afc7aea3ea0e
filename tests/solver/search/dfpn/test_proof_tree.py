"""Proof trees hold, on boards with and without rules, and one that is changed does not."""

import random
from dataclasses import replace

import pytest

from claimeven.solver.board import Board
from claimeven.solver.position import Position, Side
from claimeven.solver.search.dfpn.proof_tree import ProofTree, make_proof_tree
from claimeven.solver.search.dfpn.proof_tree_check import ProofTreeError, check_proof_tree
from claimeven.solver.search.dfpn.searcher import ProofNumberSearcher
from tests.solver.search.dfpn.test_searcher import late_positions

MEGABYTE = 1 << 20


def tree_of(position: Position, side: Side) -> ProofTree:
    return make_proof_tree(ProofNumberSearcher(position.board, MEGABYTE, threads=1), position, side)


@pytest.mark.parametrize("name", ["4x4", "4x4x3", "5x3x3", "3x5"])
@pytest.mark.parametrize("side", list(Side))
def test_whole_boards(name: str, side: Side) -> None:
    tree = tree_of(Position.start(Board.parse(name)), side)
    counts = check_proof_tree(tree)
    assert counts.moves + counts.certificates > 0


@pytest.mark.parametrize("name", ["7x6", "6x4", "6x5"])
def test_late_positions(name: str) -> None:
    board = Board.parse(name)
    searcher = ProofNumberSearcher(board, MEGABYTE, threads=1)
    certificates = 0
    for position in late_positions(board, 15, empty=14, seed=2):
        for side in Side:
            counts = check_proof_tree(make_proof_tree(searcher, position, side))
            certificates += counts.certificates
    assert (certificates > 0) == (board.rows % 2 == 0)


@pytest.fixture(scope="module")
def tree() -> ProofTree:
    """A win of White or Black with moves to make, and certificates."""
    searcher = ProofNumberSearcher(Board(), MEGABYTE, threads=1)
    for position in late_positions(Board(), 100, empty=18, seed=4):
        for side in Side:
            found = make_proof_tree(searcher, position, side)
            if found.is_win and len(found.moves) > 2 and any(each.instances for each in found.certificates.values()):
                return found
    pytest.fail("there is no such tree")


def test_a_tree_without_one_of_its_moves_is_refused(tree: ProofTree) -> None:
    for key in random.Random(1).sample(sorted(tree.moves), min(5, len(tree.moves))):
        with pytest.raises(ProofTreeError, match="no move"):
            check_proof_tree(replace(tree, moves={other: move for other, move in tree.moves.items() if other != key}))


def test_a_tree_that_claims_more_is_refused(tree: ProofTree) -> None:
    with pytest.raises(ProofTreeError):
        check_proof_tree(replace(tree, is_win=not tree.is_win, controller=tree.controller.opponent))


def test_a_certificate_of_another_position_is_refused(tree: ProofTree) -> None:
    key, certificate = next(iter(tree.certificates.items()))
    wrong = replace(certificate, position=tree.position)
    with pytest.raises(ProofTreeError, match="another position"):
        check_proof_tree(replace(tree, certificates={**tree.certificates, key: wrong}))


def test_a_certificate_that_lacks_an_instance_is_refused(tree: ProofTree) -> None:
    key, certificate = next((key, each) for key, each in tree.certificates.items() if each.instances)
    wrong = replace(certificate, instances=certificate.instances[1:])
    with pytest.raises(ProofTreeError):
        check_proof_tree(replace(tree, certificates={**tree.certificates, key: wrong}))


def test_what_no_game_leads_to_is_refused(tree: ProofTree) -> None:
    with pytest.raises(ProofTreeError, match="no game"):
        check_proof_tree(replace(tree, moves={**tree.moves, Position.start().key: 0}))
