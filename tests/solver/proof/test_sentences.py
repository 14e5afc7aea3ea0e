"""The sentence of every rule: the strategy of RULES, by the side it is for, with its grammar right."""

from __future__ import annotations

import re

import pytest

from claimeven.solver.board import Board
from claimeven.solver.position import Side
from claimeven.solver.proof.certificate import OddThreat, ThreatCombination
from claimeven.solver.proof.listing import list_solutions, list_win_conditions
from claimeven.solver.proof.sentences import describe_strategy, join_words, name_win_condition
from claimeven.solver.rules.rule import Rule, RuleInstance
from tests.positions import at, random_positions

BOARD = Board()


def sentence(text: str, group: str | None = None, *, moves: str = "", controller: Side = Side.BLACK) -> str:
    """The sentence of an instance written as `Claimeven a1 a2`."""
    rule, *squares = text.split()
    instance = RuleInstance(
        Rule[rule.upper()],
        tuple(map(BOARD.find_square, squares)),
        None if group is None else tuple(map(BOARD.find_square, group.split())),
    )
    return describe_strategy(at(moves), controller, instance)


def test_claimeven() -> None:
    assert sentence("Claimeven a1 a2") == "Black leaves a1 to White and answers it with a2, so White never gets a2"


def test_claimeven_for_white() -> None:
    assert (
        sentence("Claimeven a1 a2", controller=Side.WHITE)
        == "White leaves a1 to Black and answers it with a2, so Black never gets a2"
    )


def test_baseinverse() -> None:
    assert (
        sentence("Baseinverse c1 d1")
        == "whichever of c1 and d1 White takes, Black takes the other, so White never gets both"
    )


def test_vertical() -> None:
    assert sentence("Vertical b2 b3") == "if White plays b2, Black answers b3, so White never gets both"


def test_aftereven_of_several_columns() -> None:
    assert sentence("Aftereven e1 e2 f1 f2", "c2 d2 e2 f2", moves="3434") == (
        "Black leaves e1 and f1 to White and answers e1 with e2 and f1 with f2, which completes c2-d2-e2-f2, "
        "so White never gets e2 or f2, nor squares above all of them"
    )


def test_aftereven_of_one_column() -> None:
    assert sentence("Aftereven b1 b2", "b2 c2 d2 e2", moves="4445333551") == (
        "Black leaves b1 to White and answers it with b2, which completes b2-c2-d2-e2, "
        "so White never gets b2, nor a square above it"
    )


def test_aftereven_in_the_top_row_has_nothing_above_it() -> None:
    assert sentence("Aftereven b5 b6 c5 c6", "b6 c6 d6 e6").endswith("so White never gets b6 or c6")


def test_lowinverse() -> None:
    assert sentence("Lowinverse c2 c3 d4 d5") == (
        "Black leaves c2 and d4 to White, answers the first of them with the square above it and from then on the "
        "other one likewise, so White never gets both c3 and d5, nor both squares of either pair"
    )


def test_highinverse_with_no_playable_square() -> None:
    assert sentence("Highinverse c2 c3 c4 d4 d5 d6") == (
        "Black leaves c2 and d4 to White; if White plays c2, Black answers c3 and later d5 with d6; if White plays d4, "
        "Black answers d5 and later c3 with c4; so White never gets both c4 and d6, nor both c3 and d5, "
        "nor both c3 and c4, nor both d5 and d6"
    )


def test_highinverse_with_one_playable_square() -> None:
    assert sentence("Highinverse a2 a3 a4 g2 g3 g4", moves="4445333551") == (
        "Black leaves a2 and g2 to White; if White plays a2, Black answers a3 and later g3 with g4; if White plays g2, "
        "Black answers g3 and later a3 with a4, and takes whichever of g4 and a2 White does not; so White never gets "
        "both a4 and g4, nor both a3 and g3, nor both a3 and a4, nor both g3 and g4, nor both a2 and g4"
    )


def test_highinverse_with_two_playable_squares() -> None:
    text = sentence("Highinverse a2 a3 a4 b2 b3 b4", moves="12")
    assert "whichever of a4 and b2 White does not" in text
    assert "whichever of b4 and a2 White does not" in text
    assert text.endswith("nor both a2 and b4, nor both b2 and a4")


def test_baseclaim() -> None:
    assert sentence("Baseclaim a1 b1 c1 b2") == (
        "if White plays a1, Black answers c1 and later b1 with b2; if White plays b1 or c1, Black takes the other of "
        "these two, and later whichever of a1 and b2 White does not; so White never gets both a1 and b2, "
        "nor both b1 and c1"
    )


def test_before_of_verticals() -> None:
    assert sentence("Before a1 a2 b1 b2 c1 c2 d1 d2", "a1 b1 c1 d1") == (
        "Black answers a1 with a2, b1 with b2, c1 with c2 and d1 with d2; White either takes one of a1, b1, c1 and d1 "
        "and loses the square above it, or lets Black complete a1-b1-c1-d1 first, so White never gets all of "
        "a2, b2, c2 and d2, nor both squares of any of these pairs"
    )


def test_before_with_claimevens() -> None:
    assert sentence("Before a2 a3 b2 b3 c1 c2 d1 d2", "a2 b2 c2 d2", moves="12") == (
        "Black leaves c1 and d1 to White and answers a2 with a3, b2 with b3, c1 with c2 and d1 with d2; White either "
        "takes one of a2 and b2 and loses the square above it, or lets Black complete a2-b2-c2-d2 first, so White "
        "never gets all of a3, b3, c3 and d3, nor both squares of any of these pairs, nor c2 or d2"
    )


def test_before_with_one_empty_square() -> None:
    assert sentence("Before b4 b5", "b4 c3 d2 e1", moves="44353333") == (
        "Black answers b4 with b5; White either takes b4 and loses b5, or lets Black complete b4-c3-d2-e1 first, "
        "so White never gets b5"
    )


def test_specialbefore_of_claimevens() -> None:
    assert sentence("Specialbefore e2 d3 f1 f2 g1 g2", "d2 e2 f2 g2", moves="44353333") == (
        "whichever of e2 and d3 White takes, Black takes the other; Black leaves f1 and g1 to White and answers "
        "f1 with f2 and g1 with g2; after White d3 and Black e2, Black completes d2-e2-f2-g2 before White has all of "
        "e3, f3 and g3, so White never gets both e2 and d3, nor d3 with all of e3, f3 and g3, nor f2 or g2"
    )


def test_specialbefore_with_a_vertical() -> None:
    assert sentence("Specialbefore c1 f1 b1 b2", "a1 b1 c1 d1") == (
        "whichever of c1 and f1 White takes, Black takes the other; Black answers b1 with b2; after White f1 and Black "
        "c1, Black completes a1-b1-c1-d1 before White has both b2 and c2 unless White takes b1 and loses the square "
        "above it, so White never gets both c1 and f1, nor f1 with both b2 and c2, nor both b1 and b2"
    )


def test_specialbefore_without_parts() -> None:
    assert sentence("Specialbefore c1 f1", "a1 b1 c1 d1") == (
        "whichever of c1 and f1 White takes, Black takes the other; after White f1 and Black c1, Black completes "
        "a1-b1-c1-d1 before White has c2, so White never gets both c1 and f1, nor f1 with c2"
    )


@pytest.mark.parametrize("board", ["7x6", "6x8", "5x4x3"])
def test_every_sentence_of_real_solutions_names_every_square(board: str) -> None:
    rules = set()
    for position in random_positions(board, 12, seed=1):
        conditions = list_win_conditions(position) if position.to_move is Side.BLACK else []
        solutions = list_solutions(position, next(iter(conditions), None))
        for instance in solutions.instances:
            text = describe_strategy(position, solutions.controller, instance)
            named = set(re.findall(r"[a-z]\d+", text))
            assert named >= set(position.board.names(instance.squares)), (text, instance)
            assert "  " not in text
            assert " ," not in text
            assert ", ," not in text
            rules.add(instance.rule)
    assert rules == set(Rule)


def test_win_conditions_by_name() -> None:
    squares = BOARD.find_square
    assert name_win_condition(BOARD, OddThreat((), squares("a3"))) == "the odd threat a3"
    combination = ThreatCombination((), (), crossing=squares("d5"), odd=squares("e5"), even=squares("e6"))
    assert name_win_condition(BOARD, combination) == "the threat combination d5, e5 and e6"


def test_lists() -> None:
    assert join_words(["a"]) == "a"
    assert join_words(["a", "b"]) == "a and b"
    assert join_words(["a", "b", "c"], "or") == "a, b or c"
