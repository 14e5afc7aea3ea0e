"""The explanation of a proof: every part of it, on the sets of the thesis and on each kind of proof."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from claimeven.solver.proof.certificate import Certificate
from claimeven.solver.proof.checker import problems_of, problems_solved_by
from claimeven.solver.proof.explanation import describe_instances, describe_win_condition, explain
from claimeven.solver.proof.picture import MAX_WIDTH, label_solutions
from claimeven.solver.proof.prover import prove
from tests.positions import at
from tests.solver.proof.certificates import (
    AFTER_A1_B1,
    AFTEREVENS,
    EMPTY_6X6,
    NEEDS_SPECIALBEFORE,
    ODD_THREAT,
    SAMPLES,
    THREAT_COMBINATION,
    certificate,
    odd_threat,
)


def test_the_verdict_is_the_first_line() -> None:
    assert explain(EMPTY_6X6).startswith("Black at least draws\n\n")
    assert explain(AFTEREVENS).startswith("Black wins (the set holds an Aftereven)\n\n")
    assert explain(ODD_THREAT).startswith("White wins\n\nWin condition: the odd threat a3.")


def test_the_thesis_set_of_the_empty_6x6_board_is_listed_in_allis_notation() -> None:
    assert (
        "Chosen set\n"
        "A  Before a1 a2 b1 b2 c2 c3 d2 d3\n"
        "B  Before a3 a4 b3 b4 c4 c5 d4 d5\n"
        "C  Before b1 b2 c2 c3 d2 d3 e1 e2\n"
        "D  Before b3 b4 c4 c5 d4 d5 e3 e4\n"
        "E  Before c2 c3 d2 d3 e1 e2 f1 f2\n"
        "F  Before c4 c5 d4 d5 e3 e4 f3 f4\n"
        "G  Baseinverse c1 d1\n"
        "H  Claimeven a5 a6\n"
        "I  Claimeven b5 b6\n"
        "J  Claimeven e5 e6\n"
        "K  Claimeven f5 f6\n"
    ) in explain(EMPTY_6X6)


def test_a_before_of_the_thesis_in_words() -> None:
    assert describe_instances(EMPTY_6X6)[0] == (
        "Before a1 a2 b1 b2 c2 c3 d2 d3: Black leaves a1 and b1 to White and answers a1 with a2, b1 with b2, c2 with "
        "c3 and d2 with d3; White either takes one of c2 and d2 and loses the square above it, or lets Black complete "
        "a2-b2-c2-d2 first, so White never gets all of a3, b3, c3 and d3, nor both squares of any of these pairs, "
        "nor a2 or b2; this kills 14 groups: a1-a2-a3-a4, a1-b2-c3-d4, a2-a3-a4-a5, a2-b2-c2-d2, a2-b3-c4-d5, "
        "a3-b3-c3-d3, b1-b2-b3-b4, b2-b3-b4-b5, b2-c2-d2-e2, b2-c3-d4-e5, c1-c2-c3-c4, c2-c3-c4-c5, d1-d2-d3-d4, "
        "d2-d3-d4-d5."
    )


def test_short_sentences_of_the_set_after_a1_b1() -> None:
    assert describe_instances(AFTER_A1_B1)[8:10] == [
        "Baseinverse e1 f1: whichever of e1 and f1 White takes, Black takes the other, so White never gets both; "
        "this kills 2 groups: c1-d1-e1-f1, d1-e1-f1-g1.",
        "Claimeven c5 c6: Black leaves c5 to White and answers it with c6, so White never gets c6; this kills 5 "
        "groups: a6-b6-c6-d6, b6-c6-d6-e6, c3-c4-c5-c6, c6-d6-e6-f6, c6-d5-e4-f3.",
    ]


def test_one_group_is_not_several() -> None:
    assert describe_instances(NEEDS_SPECIALBEFORE)[3].endswith("this kills one group: a1-b1-c1-d1.")


def test_an_odd_threat_in_words() -> None:
    assert describe_win_condition(ODD_THREAT) == (
        "Win condition: the odd threat a3. White lacks only a3 for a3-b3-c3-d3, leaves a2 to Black and answers it with "
        "a3; Black has to play a2 in the end. No solution uses column a, where Black never gets a3, a4, a5 or a6. The "
        "win condition kills 6 groups: a2-a3-a4-a5, a3-a4-a5-a6, a3-b4-c5-d6, a4-b4-c4-d4, a5-b5-c5-d5, a6-b6-c6-d6."
    )


def test_an_odd_threat_high_above_the_playable_square() -> None:
    high = certificate("2116327323743", "", win_condition=odd_threat("a2b3c4d5", "d5"))
    assert describe_win_condition(high).startswith(
        "Win condition: the odd threat d5. White lacks only d5 for a2-b3-c4-d5, leaves d2 and d4 to Black and answers "
        "d2 with d3 and d4 with d5; Black has to play them in the end. No solution uses column d, where Black never "
        "gets d3, d5 or d6. The win condition kills "
    )


def test_a_threat_combination_in_words() -> None:
    assert describe_win_condition(THREAT_COMBINATION).startswith(
        "Win condition: the threat combination d5, e5 and e6. White lacks only d5 and e5 for d5-e5-f5-g5, and only "
        "d5 and e6, directly above e5, for b3-c4-d5-e6. No solution uses columns d and e: Black has to play there "
        "in the end, and White completes one of the two. The win condition kills "
    )


def test_a_proof_without_a_win_condition_has_none_to_describe() -> None:
    with pytest.raises(ValueError, match="no win condition"):
        describe_win_condition(EMPTY_6X6)


def test_a_set_may_be_empty() -> None:
    proof = prove(at("3576127617575661522124647446257235344113")).certificate
    assert proof is not None
    assert explain(proof).endswith("Chosen set: empty, as White has no group left to complete.")


@pytest.mark.parametrize("proof", SAMPLES.values(), ids=list(SAMPLES))
def test_the_sentences_kill_every_group_that_could_still_be_completed(proof: Certificate) -> None:
    position = proof.position
    board = position.board
    text = re.sub(r"\s+", " ", explain(proof))
    killed = {
        name for listing in re.findall(r"kills (?:one|\d+) groups?: ([^.]*)\.", text) for name in listing.split(", ")
    }
    stones = position.stones(proof.controller)
    assert killed == {"-".join(board.names(group)) for group in board.groups if not group & stones}


@pytest.mark.parametrize("proof", SAMPLES.values(), ids=list(SAMPLES))
def test_each_sentence_lists_what_the_checker_says_it_solves(proof: Certificate) -> None:
    board = proof.position.board
    solved = problems_solved_by(proof)
    for instance, sentence in zip(proof.instances, describe_instances(proof), strict=True):
        names = ["-".join(board.names(sorted(group))) for group in solved[instance]]
        assert names
        assert sentence.startswith(f"{instance.describe(board)}: ")
        assert sentence.endswith(": " + ", ".join(names) + ".")
    assert {group for groups in solved.values() for group in groups} == set(problems_of(proof))


@pytest.mark.parametrize("proof", SAMPLES.values(), ids=list(SAMPLES))
def test_the_text_is_narrow_and_ascii_and_labels_every_solution(proof: Certificate) -> None:
    text = explain(proof)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= MAX_WIDTH
    assert all(line == line.rstrip() for line in text.splitlines())
    how = text.split("How it works\n")[1]
    assert re.findall(r"^([A-Z]+) ", how, re.MULTILINE) == label_solutions(len(proof.instances))


def test_the_words_are_those_of_the_side_that_the_proof_is_for() -> None:
    black = replace(EMPTY_6X6, instances=EMPTY_6X6.instances[7:8])
    assert describe_instances(black)[0].startswith("Claimeven a5 a6: Black leaves a5 to White")
    assert describe_instances(ODD_THREAT)[1].startswith("Claimeven b5 b6: White leaves b5 to Black")
