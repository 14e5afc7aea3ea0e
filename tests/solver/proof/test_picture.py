"""The picture of a proof: marks, labels, and the text that shows them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.picture import (
    FREE,
    KEPT_OUT,
    MAX_WIDTH,
    THREAT,
    draw_marks,
    label_solutions,
    label_squares,
    mark_squares,
)
from claimeven.solver.proof.prover import prove
from tests.positions import at
from tests.solver.proof.certificates import AFTER_A1_B1, EMPTY_6X6, ODD_THREAT, SAMPLES, THREAT_COMBINATION


def test_the_thesis_set_of_the_empty_6x6_board() -> None:
    assert draw_marks(EMPTY_6X6) == (
        "Who gets which square      Which solution uses it\n"
        "6  O  O  .  .  O  O        6    H    I    .    .    J    K\n"
        "5  X  X  =  =  X  X        5    H    I  BDF  BDF    J    K\n"
        "4  O  O  =  =  O  O        4    B   BD  BDF  BDF   DF    F\n"
        "3  X  X  =  =  X  X        3    B   BD  ACE  ACE   DF    F\n"
        "2  O  O  =  =  O  O        2    A   AC  ACE  ACE   CE    E\n"
        "1  X  X  =  =  X  X        1    A   AC    G    G   CE    E\n"
        "   a  b  c  d  e  f             a    b    c    d    e    f\n"
        "\n"
        "O  Black gets it\n"
        "X  left to White\n"
        "=  White may get it, but not all that is paired with it: see the sentences\n"
        ".  not needed for the proof"
    )


def test_white_with_an_odd_threat() -> None:
    assert draw_marks(ODD_THREAT) == (
        "Who gets which square       Which solution uses it\n"
        "6  :  X  .  .  .  X  .      6  :  B  .  .  .  E  .\n"
        "5  :  O  .  =  =  O  .      5  :  B  .  A  A  E  .\n"
        "4  :  .  .  o  x  X  X      4  :  .  .  o  x  D  F\n"
        "3  !  x  x  x  o  O  O      3  !  x  x  x  o  D  F\n"
        "2  :  x  o  o  o  X  .      2  :  x  o  o  o  C  .\n"
        "1  x  o  x  x  o  O  .      1  x  o  x  x  o  C  .\n"
        "   a  b  c  d  e  f  g         a  b  c  d  e  f  g\n"
        "\n"
        "x  a White stone\n"
        "o  a Black stone\n"
        "X  White gets it\n"
        "O  left to Black\n"
        "=  Black may get it, but not all that is paired with it: see the sentences\n"
        "!  White's threat\n"
        ":  in a column of the threat: no solution may use it\n"
        ".  not needed for the proof"
    )


def test_a_threat_combination_keeps_both_columns() -> None:
    board = THREAT_COMBINATION.position.board
    marks = mark_squares(THREAT_COMBINATION)
    assert {board.name(square) for square, mark in marks.items() if mark == THREAT} == {"d5", "e5", "e6"}
    assert {board.name(square)[0] for square, mark in marks.items() if mark in (THREAT, KEPT_OUT)} == {"d", "e"}


@pytest.mark.parametrize("certificate", SAMPLES.values(), ids=list(SAMPLES))
def test_every_empty_square_has_a_mark_and_every_used_one_a_label(certificate: Certificate) -> None:
    position, marks, labels = certificate.position, mark_squares(certificate), label_squares(certificate)
    assert sum(1 << square for square in marks) == position.empty
    used = {square for instance in certificate.instances for square in instance.squares}
    assert set(labels) == used
    assert {square for square, mark in marks.items() if mark not in (FREE, KEPT_OUT, THREAT)} == used


@pytest.mark.parametrize("certificate", SAMPLES.values(), ids=list(SAMPLES))
def test_the_picture_of_the_mirror_image_is_the_mirror_image(certificate: Certificate) -> None:
    mirror = certificate.position.board.mirror_square
    mirrored = replace(
        certificate,
        position=certificate.position.mirror(),
        win_condition=None,
        instances=tuple(
            replace(
                instance,
                squares=tuple(map(mirror, instance.squares)),
                group=instance.group and tuple(map(mirror, instance.group)),
            )
            for instance in certificate.instances
        ),
    )
    plain = replace(certificate, win_condition=None)
    assert mark_squares(mirrored) == {mirror(square): mark for square, mark in mark_squares(plain).items()}


def test_a_pair_that_one_solution_only_shares_shows_the_claimeven_of_the_other() -> None:
    marks = mark_squares(AFTER_A1_B1)
    square = AFTER_A1_B1.position.board.find_square
    assert [marks[square(name)] for name in ("c1", "c2", "a2", "a3", "e1")] == ["X", "O", "=", "=", "="]


def test_a_very_wide_board_has_its_pictures_one_above_the_other() -> None:
    certificate = prove(at("", "21x2")).certificate
    assert certificate is not None
    lines = draw_marks(certificate).splitlines()
    assert max(map(len, lines)) <= MAX_WIDTH
    assert lines.index("Which solution uses it") > lines.index("Who gets which square")


def test_labels_are_different_and_never_those_of_the_sides() -> None:
    labels = label_solutions(100)
    assert len(set(labels)) == 100
    assert not {"X", "O"} & set("".join(labels))


def test_labels_of_two_letters_are_kept_apart() -> None:
    crowded = replace(EMPTY_6X6, instances=EMPTY_6X6.instances[:1] * 26)
    assert label_squares(crowded)[0].split("+") == label_solutions(26)
