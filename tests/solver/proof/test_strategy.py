"""A proof can be played: it survives every opposition, and a false one does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from claimeven.solver.board import Board
from claimeven.solver.notation import parse_position
from claimeven.solver.position import Position, Side
from claimeven.solver.proof import checker
from claimeven.solver.proof.certificate import Certificate, ThreatCombination
from claimeven.solver.proof.definitions import Situation, Solution, solution_of
from claimeven.solver.proof.duties import Base, Either, Follow, High, Low, duties_of
from claimeven.solver.proof.graph import ProofGraph, find_set_on_graph
from claimeven.solver.proof.listing import list_win_conditions
from claimeven.solver.proof.playout import play_out, play_random
from claimeven.solver.proof.prover import prove
from claimeven.solver.proof.strategy import ReplyKind, Strategy, StrategyError, duties_after
from claimeven.solver.rules.rule import Rule
from claimeven.solver.verdict import BLACK_WINS
from tests.positions import at, random_positions
from tests.solver.proof.certificates import AFTER_A1_B1, EMPTY_4X4, EMPTY_6X6, SAMPLES, certificate
from tests.solver.proof.opposition import survives
from tests.solver.rules import test_loosened_conditions as loosened
from tests.solver.rules.exhaustive import all_instances
from tests.solver.rules.test_generator import THREAT_COMBINATIONS

# Positions by board: how many, and from which ply on the tree is small enough for the readable strategy.
BOARDS = {"4x4": (250, 4), "5x4": (150, 8), "6x4": (80, 12), "4x6": (80, 12), "7x6": (250, 30), "4x4x3": (60, 0)}


def proofs(board: str, count: int, seed: int, least_ply: int) -> list[Certificate]:
    attempts = [prove(position) for position in random_positions(board, count, seed, least_ply=least_ply)]
    return [attempt.certificate for attempt in attempts if attempt.certificate is not None]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_survives_every_opposition(name: str) -> None:
    result = play_out(SAMPLES[name])
    assert (result.failure, result.complete) == (None, True)
    if result.nodes < 3_000:
        assert survives(SAMPLES[name]) == (True, result.nodes)


@pytest.mark.parametrize("moves", ["12", "23", "34"])
def test_black_holds_unless_white_opens_in_the_middle_whatever_white_plays(moves: str) -> None:
    proof = prove(at(moves)).certificate
    assert proof is not None
    result = play_out(proof)
    assert (result.failure, result.complete) == (None, True)
    games = play_random(proof, games=10_000)
    assert (games.failure, games.complete, games.nodes) == (None, False, 10_000)


@pytest.mark.parametrize("board", BOARDS)
def test_proofs_survive_and_the_kernel_plays_as_the_readable_strategy(board: str) -> None:
    count, least_ply = BOARDS[board]
    found = proofs(board, count, seed=3, least_ply=least_ply)
    assert found
    for proof in found:
        result = play_out(proof)
        assert (result.failure, result.complete) == (None, True)
        assert survives(proof) == (True, result.nodes)
        assert play_out(proof, all_choices=True).nodes == result.nodes


def test_the_proofs_of_all_positions_a_few_moves_into_4x4_survive() -> None:
    positions = {at("", "4x4")}
    for _ in range(4):
        positions = {position.play(column) for position in positions for column in position.legal_columns}
    found = [attempt.certificate for attempt in map(prove, positions) if attempt.certificate is not None]
    assert len(found) > 50
    for proof in found:
        result = play_out(proof)
        assert (result.failure, result.complete) == (None, True)


def test_every_rule_and_win_condition_is_among_the_proofs_played() -> None:
    played = list(SAMPLES.values())
    for board, (count, least_ply) in BOARDS.items():
        played += proofs(board, count, seed=3, least_ply=least_ply)
    assert {instance.rule for proof in played for instance in proof.instances} == set(Rule)
    assert {type(proof.win_condition).__name__ for proof in played} == {"NoneType", "OddThreat", "ThreatCombination"}
    assert any(proof.has_aftereven for proof in played)


def false_proof(
    moves: str,
    loosen: loosened.Loosened = lambda solution: solution,
    combinable: loosened.Combinable = checker.is_combinable,
) -> Certificate:
    """The chosen set that loosened rules find for Black in a position that White wins."""
    position = at(moves)
    situation = Situation.of(position, Side.BLACK)
    instances = tuple(sorted(all_instances(position, Side.BLACK), key=repr))
    parts = tuple(loosen(solution_of(situation, instance)) for instance in instances)
    solutions = loosened.LooseSolutions(
        position=position,
        controller=Side.BLACK,
        problems=tuple(sum(1 << square for square in situation.squares(problem)) for problem in situation.problems),
        instances=instances,
        solves=tuple(
            frozenset(number for number, problem in enumerate(situation.problems) if part.solves(problem))
            for part in parts
        ),
        parts=parts,
        combinable=combinable,
    )
    graph = ProofGraph(solutions)  # type: ignore[arg-type]
    chosen = find_set_on_graph(graph)
    assert chosen is not None
    return Certificate(position, Side.BLACK, None, tuple(graph.instances[name] for name in sorted(chosen)))


def without_constraint_2(one: Solution, other: Solution) -> bool:
    return loosened.with_constraint(checker._claimevens_above_inverse, None)(one, other)


def strictly_below(one: Solution, other: Solution) -> bool:
    return loosened.with_constraint(checker._claimevens_above_inverse, loosened.strictly_below)(one, other)


def without_constraint_3(one: Solution, other: Solution) -> bool:
    return loosened.with_constraint(checker._columns_disjoint_or_equal, None)(one, other)


@pytest.mark.parametrize(
    "proof",
    [
        pytest.param(
            lambda: false_proof(
                loosened.AFTEREVEN_ANY_COLUMN, loosened.loosen_first_pattern(Rule.AFTEREVEN, loosened.any_of)
            ),
            id="Aftereven above any column",
        ),
        pytest.param(
            lambda: false_proof(
                loosened.BEFORE_ONE_SUCCESSOR, loosened.loosen_first_pattern(Rule.BEFORE, loosened.any_of)
            ),
            id="Before with one successor",
        ),
        pytest.param(
            lambda: false_proof(
                loosened.SPECIALBEFORE_WITHOUT_X, loosened.loosen_first_pattern(Rule.SPECIALBEFORE, loosened.without_x)
            ),
            id="Specialbefore without x",
        ),
        pytest.param(
            lambda: false_proof(
                loosened.LOWINVERSE_ONE_UPPER, loosened.loosen_first_pattern(Rule.LOWINVERSE, loosened.any_of)
            ),
            id="Lowinverse with one upper",
        ),
        pytest.param(
            lambda: false_proof(loosened.CONSTRAINT_2_DROPPED, combinable=without_constraint_2), id="no constraint 2"
        ),
        pytest.param(
            lambda: false_proof(loosened.CONSTRAINT_2_STRICTLY_BELOW, combinable=strictly_below),
            id="constraint 2 strictly below",
        ),
        pytest.param(
            lambda: false_proof(loosened.CONSTRAINT_3_DROPPED, combinable=without_constraint_3), id="no constraint 3"
        ),
    ],
)
def test_a_false_proof_is_refuted_by_play_whatever_the_controller_chooses(proof: object) -> None:
    assert callable(proof)
    certificate = proof()
    assert not survives(certificate)[0]
    assert not play_out(certificate).survived
    assert not play_out(certificate, all_choices=True).survived


@pytest.mark.parametrize("moves", ["2243565522724236111466753153", "16716464644756262715417535"])
def test_an_aftereven_that_solves_nothing_more_is_kept_and_wins(moves: str) -> None:
    attempt = prove(at(moves))
    assert attempt.certificate is not None
    assert attempt.bounds == attempt.certificate.bounds == BLACK_WINS
    assert play_out(attempt.certificate).survived
    rest = tuple(instance for instance in attempt.certificate.instances if instance.rule is not Rule.AFTEREVEN)
    assert checker.is_chosen_set(replace(attempt.certificate, instances=rest))


def test_a_proof_that_claims_too_much_is_refuted() -> None:
    # Black holds the empty 4x4 board, but White holds it too: nothing makes Black's draw a win.
    drawn = certificate("", "Aftereven a1a2 b1b2 c1c2 d1d2", board="4x4")
    assert not play_out(drawn).survived


@pytest.mark.parametrize("missing", [0, 1])
def test_the_failure_names_a_line_that_can_be_replayed(missing: int) -> None:
    rest = tuple(instance for number, instance in enumerate(EMPTY_4X4.instances) if number != missing)
    result = play_out(replace(EMPTY_4X4, instances=rest))
    assert result.failure == "the controller loses"
    position = at("", "4x4")
    for column in result.line:
        position = position.play(column)
    assert position.winner is Side.WHITE
    assert result.describe() == f"the controller loses after {' '.join('abcd'[column] for column in result.line)}"


def test_random_opposition_finds_a_flaw_too() -> None:
    result = play_random(replace(EMPTY_4X4, instances=EMPTY_4X4.instances[:1]), games=100_000)
    assert result.failure == "the controller loses"
    assert result.nodes < 100_000


def test_random_opposition_depends_on_the_seed_only() -> None:
    flawed = replace(EMPTY_4X4, instances=EMPTY_4X4.instances[:1])
    lines = [play_random(flawed, games=100_000, seed=seed).line for seed in (1, 1, 2, 3)]
    assert lines[0] == lines[1]
    assert len(set(lines)) > 1


def test_a_limit_on_the_positions_is_kept() -> None:
    result = play_out(EMPTY_6X6, nodes=100)
    assert (result.nodes, result.complete, result.survived) == (100, False, True)


def reply(proof: Certificate, moves: str) -> tuple[str, str]:
    """The controller's reply to the last of these columns, counted from 1, after he has replied to the others."""
    strategy = Strategy.of(proof)
    for column in moves[:-1]:
        strategy = strategy.after(int(column) - 1, strategy.reply(int(column) - 1))
    answer = strategy.reply(int(moves[-1]) - 1)
    return strategy.position.board.name(answer.square), answer.kind.name


@pytest.mark.parametrize(
    ("moves", "square", "kind"),
    [
        ("3", "c2", "ANSWER"),  # Before {c1c2 ...}: a Vertical in one, a Claimeven in another
        ("5", "f1", "ANSWER"),  # the Baseinverse
        ("6", "e1", "ANSWER"),
        ("1", "a3", "ANSWER"),
    ],
)
def test_the_thesis_set_after_a1_b1_answers(moves: str, square: str, kind: str) -> None:
    assert reply(AFTER_A1_B1, moves) == (square, kind)


def test_a_reply_that_completes_four_comes_first() -> None:
    proof = certificate("43443444536335525626636567777772", "Claimeven a1a2\nBefore a3a4 b4b5")
    kinds = set()
    strategy = Strategy.of(proof)
    while not strategy.position.is_over:
        column = strategy.position.legal_columns[0]
        answer = strategy.reply(column)
        kinds.add(answer.kind)
        strategy = strategy.after(column, answer)
    assert strategy.position.winner in (None, Side.BLACK)
    assert ReplyKind.ANSWER in kinds


def test_nothing_left_but_forbidden_squares_is_an_error() -> None:
    # A Claimeven that starts above a square nobody answers: after it is taken, only the lower square is left.
    position = Position.from_moves(at("", "1x4x3").board, [])
    broken = Strategy(position, frozenset({Follow(1, 2, is_claimeven=True)}))
    with pytest.raises(StrategyError, match="after a1 every square that is left is forbidden"):
        broken.reply(0)


def test_two_answers_are_an_error() -> None:
    broken = Strategy(at("", "4x4"), frozenset({Follow(0, 1), Either(0, 5)}))
    with pytest.raises(StrategyError, match="a1 has two answers, a2 and b1"):
        broken.reply(0)


def test_an_answer_that_cannot_be_played_is_an_error() -> None:
    broken = Strategy(at("", "4x4"), frozenset({Either(0, 6)}))
    with pytest.raises(StrategyError, match="the answer b2 to a1 is not playable"):
        broken.reply(0)


def test_a_lowinverse_leaves_a_vertical() -> None:
    duty = Low(1, 8)
    assert (duty.answer(1), duty.answer(8), duty.answer(2)) == (2, 9, None)
    assert duty.forbidden == 1 << 1 | 1 << 8
    assert duty.after(8, own=False) == (Follow(1, 2),)
    assert duty.after(1, own=False) == (Follow(8, 9),)


def test_a_highinverse_leaves_a_claimeven_and_a_baseinverse_if_the_other_bottom_was_playable() -> None:
    duty = High(1, 8, playable1=False, playable2=True)
    assert (duty.answer(1), duty.answer(8)) == (2, 9)
    assert duty.forbidden == 1 << 1 | 1 << 8
    assert duty.after(1, own=False) == (Follow(9, 10, is_claimeven=True), Either(3, 8))
    assert duty.after(8, own=False) == (Follow(2, 3, is_claimeven=True),)


def test_a_baseclaim_leaves_what_the_thesis_says() -> None:
    duty = Base(0, 7, 14)
    claimeven = Follow(7, 8, is_claimeven=True, unless=0)
    assert [duty.answer(square) for square in (0, 7, 14)] == [14, 14, 7]
    assert [duty.after(square, own=False) for square in (0, 7, 14)] == [(claimeven,), (Either(0, 8),), (Either(0, 8),)]
    assert [duty.after(square, own=True) for square in (0, 7, 14)] == [(Either(7, 14),), (Either(0, 8),), (claimeven,)]
    assert duties_after(frozenset({claimeven}), 0, own=True) == frozenset()
    assert duties_after(frozenset({claimeven}), 0, own=False) == {claimeven}


def test_white_keeps_the_odd_squares_below_his_threat() -> None:
    proof = SAMPLES["odd threat"]  # a3 is the threat and a2 playable
    assert Follow(1, 2, is_claimeven=True) in duties_of(proof)
    assert reply(proof, "1") == ("a3", "WIN")


@pytest.mark.parametrize("kind", THREAT_COMBINATIONS)
def test_a_threat_combination_joins_its_two_columns_where_claim_5_is_used(kind: str) -> None:
    position = at(THREAT_COMBINATIONS[kind])
    conditions = [found for found in list_win_conditions(position) if isinstance(found, ThreatCombination)]
    joined = {
        any(isinstance(duty, Either) for duty in duties_of(Certificate(position, Side.WHITE, condition, ())))
        for condition in conditions
    }
    assert ("not playable" in kind and "crossing column odd" in kind) in joined


def test_white_who_has_the_crossing_square_does_not_give_black_the_odd_one() -> None:
    # s is e3, o f3 and v f4. When White has e3 and Black e4, White must not answer f1 by f2: f3 wins for Black.
    position = parse_position("......../..xx..../.oox..o./.oxxo.x.", Board(8, 4))
    proof = prove(position).certificate
    assert proof is not None
    assert isinstance(proof.win_condition, ThreatCombination)
    result = play_out(proof)
    assert (result.failure, result.complete) == (None, True)
    assert survives(proof) == (True, result.nodes)
