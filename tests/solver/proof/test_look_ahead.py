"""Looking ahead with the rules: what it proves is what minimax over the rules gives, and it can be checked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.audit.positions import PositionSource, make_chunk
from claimeven.solver.board import Board
from claimeven.solver.position import Position, Side
from claimeven.solver.proof.certificate import CertificateError
from claimeven.solver.proof.listing import RulesNotApplicableError
from claimeven.solver.proof.look_ahead import LookAhead, check_look_ahead, find_look_ahead_flaws, look_ahead
from claimeven.solver.proof.prover import prove
from claimeven.solver.verdict import (
    AT_LEAST_DRAW,
    AT_MOST_DRAW,
    BLACK_WINS,
    DRAWN,
    UNDECIDED,
    WHITE_WINS,
    Bounds,
    Value,
    bounds_from_children,
    judge_end,
)
from tests.positions import at, random_positions

BOARDS = {"4x4": 4, "6x4": 8, "5x6": 14, "7x6": 20, "5x4x3": 3}
"""From which ply on positions are taken."""


def rule_bounds(position: Position, plies: int) -> Bounds:
    """The bounds that minimax over the verdicts of the rules gives."""
    if position.is_over:
        return judge_end(position).bounds
    bounds = prove(position).bounds
    if plies:
        children = [rule_bounds(position.play(column), plies - 1) for column in position.legal_columns]
        bounds = bounds.tighten(bounds_from_children(position.to_move, children))
    return bounds


@pytest.mark.parametrize("board", BOARDS)
def test_it_proves_what_minimax_over_the_rules_does(board: str) -> None:
    values = set()
    for position in random_positions(board, 40, seed=21, least_ply=BOARDS[board]):
        for plies in (0, 1, 2):
            ahead = look_ahead(position, plies)
            expected = rule_bounds(position, plies)
            if ahead is None:
                # "Not a Black win" is left out: only the end of the game, no rule, gives it.
                assert expected in (UNDECIDED, AT_LEAST_DRAW)
                continue
            values.add((ahead.bounds, ahead.plies))
            assert ahead.plies <= plies
            assert ahead.bounds == (AT_MOST_DRAW if expected == DRAWN else expected)
    assert len(values) >= 3


@pytest.mark.parametrize(("board", "least_ply"), [("4x4", 5), ("6x4", 14), ("7x6", 31), ("4x4x3", 3)])
def test_nothing_false_is_proved(board: str, least_ply: int) -> None:
    proved = 0
    size = Board.parse(board)
    keys = make_chunk(
        PositionSource(board, "uniform", 22, least_ply, size.cells - 1), 0, 100, solve=lambda positions: []
    )
    for position in (Position.from_key(size, int(key)) for key in keys):
        ahead = look_ahead(position, 2)
        if ahead is not None:
            proved += 1
            check_look_ahead(ahead)
            assert ahead.bounds.contains(Value.of_score(minimax_score(position), position.to_move))
    assert proved > 30


def test_the_rules_come_first() -> None:
    ahead = look_ahead(at("12"))
    assert ahead is not None
    assert (ahead.bounds, ahead.plies, ahead.certificate) == (AT_MOST_DRAW, 0, prove(at("12")).certificate)


def test_a_win_at_once_needs_no_certificate() -> None:
    ahead = look_ahead(at("121212"))
    assert ahead is not None
    ((column, after),) = ahead.moves
    assert (ahead.bounds, column, after.certificate, after.position.winner) == (WHITE_WINS, 0, None, Side.WHITE)


def test_a_reply_to_every_move() -> None:
    """No proof here and none after a move, but after each of White's moves and a reply of Black's."""
    position = next(
        position
        for position in random_positions("6x6", 2000, seed=23, least_ply=16)
        if position.to_move is Side.WHITE and look_ahead(position) is None and look_ahead(position, 2) is not None
    )
    ahead = look_ahead(position, 2)
    assert ahead is not None
    assert [column for column, _ in ahead.moves] == position.legal_columns
    assert all(len(reply.moves) <= 1 for _, reply in ahead.moves)
    assert len(list(ahead.leaves())) == len(position.legal_columns)
    check_look_ahead(ahead)


def test_the_tightest_bounds_count() -> None:
    """Where the rules prove a draw here and a win a move later, the win counts."""
    found = 0
    for position in random_positions("7x6", 300, seed=24, least_ply=16):
        if prove(position).bounds == AT_MOST_DRAW and rule_bounds(position, 2) == BLACK_WINS:
            ahead = look_ahead(position, 2)
            assert ahead is not None
            assert ahead.bounds == BLACK_WINS
            found += 1
    assert found


def proof_of(moves: str, plies: int = 1) -> LookAhead:
    ahead = look_ahead(at(moves), plies)
    assert ahead is not None
    check_look_ahead(ahead)
    return ahead


def every_move() -> LookAhead:
    for position in random_positions("6x6", 2000, seed=23, least_ply=16):
        ahead = look_ahead(position, 2)
        if ahead is not None and len(ahead.moves) > 1:
            return ahead
    raise AssertionError("no position needs a reply to every move")


def test_what_does_not_hold_is_refused() -> None:
    ahead = proof_of("1")
    ((column, after),) = ahead.moves
    assert after.certificate is not None
    wrong = {
        "draw is not one of white, black, not-white": replace(ahead, bounds=DRAWN),
        "which does not make this black": replace(ahead, bounds=BLACK_WINS),
        "no certificate and no move": replace(ahead, moves=()),
        "another position is looked at": replace(ahead, moves=((column + 1, after),)),
        "is not a move here": replace(ahead, moves=((7, after),)),
        "for another position": replace(ahead, certificate=after.certificate),
        "nothing solves the problem": replace(
            ahead,
            moves=((column, replace(after, certificate=replace(after.certificate, instances=()))),),
        ),
        "not white": replace(after, bounds=WHITE_WINS),
    }
    for reason, spoiled in wrong.items():
        assert any(reason in flaw for flaw in find_look_ahead_flaws(spoiled)), reason
        with pytest.raises(CertificateError):
            check_look_ahead(spoiled)


def test_a_move_that_is_left_out_is_missed() -> None:
    ahead = every_move()
    missing = replace(ahead, moves=ahead.moves[1:])
    assert any("may also play" in flaw for flaw in find_look_ahead_flaws(missing))


def test_an_end_that_is_not_the_claimed_one() -> None:
    won = at("1212121")
    assert list(find_look_ahead_flaws(LookAhead(won, WHITE_WINS))) == []
    for bounds in (BLACK_WINS, AT_MOST_DRAW):
        assert any("the game is over" in flaw for flaw in find_look_ahead_flaws(LookAhead(won, bounds)))


def test_where_the_rules_say_nothing() -> None:
    with pytest.raises(RulesNotApplicableError):
        look_ahead(Position.start(Board(7, 5)))
    with pytest.raises(RulesNotApplicableError):
        look_ahead(at("1212121"))
    with pytest.raises(ValueError, match="0 to 2"):
        look_ahead(at(""), 3)
