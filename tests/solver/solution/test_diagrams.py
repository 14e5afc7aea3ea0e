"""Priority diagrams: their text, the two checks against each other, and against the player that follows one."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimeven.solver.board import Board
from claimeven.solver.position import Position, Side
from claimeven.solver.solution.diagram import Claim, DiagramError, PriorityDiagram, choose_square, squares_that_complete
from claimeven.solver.solution.diagram_check import DiagramChecker
from claimeven.solver.solution.plain_check import check_by_text, is_valid_diagram

BOARDS = [Board(4, 4), Board(5, 4), Board(6, 4), Board(4, 5), Board(3, 4, 3), Board(5, 5), Board(7, 6), Board(9, 6, 5)]


def random_case(rng: random.Random) -> tuple[PriorityDiagram, Position, Claim]:
    """A position late enough for the plain check, and digits of a kind that is not always wrong."""
    while True:
        board = rng.choice(BOARDS)
        position = Position.start(board)
        empty = rng.randint(1, 11)
        while board.cells - position.ply > empty and not position.is_over:
            position = position.play(rng.choice(position.legal_columns))
        if not position.is_over:
            break
    digits = rng.choice(["0123456789", "01", "0119", "9", "01234"])
    answers = rng.random() < 0.5
    rows = [
        "".join("0" if answers and row % 2 else rng.choice(digits) for _ in range(board.columns))
        for row in reversed(range(board.rows))
    ]
    return PriorityDiagram.parse(board, rows), position, rng.choice(list(Claim))


def compare(number: int, seed: int) -> dict[bool, int]:
    """Have both checks judge random diagrams; gives how often which verdict came."""
    rng = random.Random(seed)
    checker = DiagramChecker()
    counts = {True: 0, False: 0}
    for _ in range(number):
        diagram, position, claim = random_case(rng)
        found = checker.check(diagram, position, claim)
        assert found.is_valid == (check_by_text(diagram, position, claim) is None), (diagram, position, claim)
        counts[found.is_valid] += 1
    return counts


def test_both_checks_agree() -> None:
    counts = compare(600, 1)
    assert min(counts.values()) > 60


@pytest.mark.slow
def test_both_checks_agree_on_many() -> None:
    counts = compare(10_000, 2)
    assert min(counts.values()) > 1_000


def beats(diagram: PriorityDiagram, position: Position, claim: Claim) -> bool:
    """Whether a diagram gets its result against every line, by following it, a third time and without a memo."""
    controller = position.to_move
    try:
        after = position.play(position.board.column_of(choose_square(diagram, position)[0]))
    except DiagramError:
        return False
    if after.winner is controller:
        return True
    if after.is_over:
        return claim is Claim.NO_LOSS
    for column in after.legal_columns:
        replied = after.play(column)
        if replied.winner is not None or (replied.is_over and claim is Claim.WIN):
            return False
        if not replied.is_over and not beats(diagram, replied, claim):
            return False
    return True


def test_whoever_follows_a_diagram_gets_what_the_check_says() -> None:
    rng = random.Random(3)
    checker = DiagramChecker()
    seen = set()
    for _ in range(150):
        diagram, position, claim = random_case(rng)
        if position.board.cells - position.ply > 8:
            continue
        valid = checker.check(diagram, position, claim).is_valid
        seen.add(valid)
        assert beats(diagram, position, claim) == valid
    assert seen == {True, False}


@given(st.data())
def test_text_and_mirror_image(data: st.DataObject) -> None:
    board = data.draw(st.sampled_from(BOARDS))
    rows = [
        data.draw(st.text("0123456789.", min_size=board.columns, max_size=board.columns)) for _ in range(board.rows)
    ]
    diagram = PriorityDiagram.parse(board, rows)
    assert diagram.rows == rows
    assert diagram.mirror().rows == [row[::-1] for row in rows]
    assert diagram.mirror().mirror() == diagram


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (["0000"] * 3, "4 rows"),
        (["0000"] * 3 + ["00000"], "row 4"),
        (["0000"] * 3 + ["00²0"], "neither a digit"),
    ],
)
def test_what_is_no_diagram(rows: list[str], reason: str) -> None:
    with pytest.raises(DiagramError, match=reason):
        PriorityDiagram.parse(Board(4, 4), rows)


def test_leftmost_is_meant_on_the_board_as_stored() -> None:
    # Two squares to block: only the left one is played, and in the mirror image the one that was the right one.
    board = Board(7, 6)
    position = Position("726374", board=board)
    diagram = PriorityDiagram.parse(board, ["0000000"] * 6)
    square, reason = choose_square(diagram, position)
    assert reason == "the opponent would complete a line there"
    assert [board.name(each) for each in squares_that_complete(position, Side.BLACK)] == ["a1", "e1"]
    assert board.name(square) == "a1"
    assert board.name(choose_square(diagram, position.mirror())[0]) == "c1"


def test_a_missing_digit_is_named() -> None:
    position = Position("11", board=Board(4, 4))
    found = DiagramChecker().check(PriorityDiagram.parse(Board(4, 4), ["0.00"] * 4), position, Claim.WIN)
    assert found.flaw == "no digit on b1 b2 b3 b4"


def test_the_position_that_shows_the_flaw() -> None:
    board = Board(4, 4)
    diagram = PriorityDiagram.parse(board, ["9999", "9999", "9999", "9999"])
    found = DiagramChecker().check(diagram, Position.start(board), Claim.NO_LOSS)
    assert found.flaw == "no level has exactly one playable square"
    assert found.position == Position.start(board)


def test_room_grows_as_it_must() -> None:
    # More positions than there is room for at first, if the diagram is any good.
    position = Position("11", board=Board(6, 4))
    rows = ["000000", "123456", "000000", "654321"]
    plain = is_valid_diagram(str(position).splitlines(), rows, is_win=False)
    found = DiagramChecker().check(PriorityDiagram.parse(position.board, rows), position, Claim.NO_LOSS)
    assert found.is_valid == plain
