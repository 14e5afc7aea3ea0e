"""A batch gives every position its verdict, in order, whatever decided it."""

from __future__ import annotations

import threading
import time
from concurrent.futures import CancelledError
from contextlib import closing

import numpy as np
import pytest

from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.board import Board
from claimeven.solver.deciding.decided import Engine, ProofTexts
from claimeven.solver.deciding.decider import Decider
from claimeven.solver.position import Side
from claimeven.solver.positions import Keys, keys_of
from claimeven.solver.proof.checker import check_certificate
from claimeven.solver.search.budget import Budget
from claimeven.solver.verdict import Source, judge_end
from claimeven.solver.verdicts import VerdictBatch
from tests.positions import at, random_positions

SMALL = 1 << 20


def verdicts(decider: Decider, *moves: str) -> list[str]:
    return [str(decision.verdict.bounds) for decision in decider.decide([at(line) for line in moves])]


@pytest.mark.parametrize(
    ("engine", "scores"),
    [
        (Engine.AUTO, False),
        (Engine.AUTO, True),
        (Engine.SEARCH, False),
        (Engine.SEARCH, True),
        (Engine.DFPN, False),
    ],
)
def test_every_engine_agrees_with_minimax(engine: Engine, scores: bool) -> None:
    positions = list(random_positions("5x4", 150, seed=5, least_ply=9))
    decider = Decider(Board(5, 4), engine, scores=scores, memory_bytes=SMALL, threads=2)
    for position, decision in zip(positions, decider.decide(positions), strict=True):
        score = minimax_score(position)
        assert decision.position == position
        assert decision.verdict.score in ([score] if scores else [None, score])
        value = decision.verdict.bounds.value
        assert value is not None
        assert value.rank == ((score > 0) - (score < 0)) * (1 if position.to_move is Side.WHITE else -1)


def test_the_rules_keep_the_credit_for_what_they_decide() -> None:
    decisions = Decider(Board(), memory_bytes=SMALL, threads=1).decide([at("444433351225255"), at("4445333551")])
    assert [decision.verdict.source for decision in decisions] == [Source.RULES, Source.RULES]
    for decision in decisions:
        assert decision.certificate is not None
        check_certificate(decision.certificate)


def test_search_finishes_what_the_rules_begin() -> None:
    (decision,) = Decider(Board(), memory_bytes=SMALL, threads=1).decide([at("43443444536335525626636567777772")])
    assert decision.certificate is not None
    assert str(decision.certificate.bounds) == "not-white"
    assert (str(decision.verdict.bounds), decision.verdict.source) == ("black", Source.SEARCH)


def test_the_rules_alone_leave_the_rest_open() -> None:
    decider = Decider(Board(), Engine.RULES)
    assert verdicts(decider, "12", "43", "444433351225255") == ["not-white", "unknown", "white"]
    assert decider.nodes == 0


def test_a_budget_leaves_positions_open_and_never_wrong() -> None:
    decider = Decider(Board(), Engine.SEARCH, memory_bytes=SMALL, threads=1, budget=Budget(nodes=1))
    assert verdicts(decider, "", "4444", "1212121") == ["unknown", "unknown", "white"]


def test_an_odd_number_of_rows_is_searched() -> None:
    board = Board(4, 5)
    (decision,) = Decider(board, memory_bytes=SMALL, threads=1).decide([at("", "4x5")])
    assert (str(decision.verdict.bounds), decision.verdict.source) == ("draw", Source.SEARCH)


@pytest.mark.parametrize(
    ("moves", "board", "value", "score"),
    [("1212121", "7x6", "white", -18), ("21213131", "7x6", "black", -18), ("1122", "2x2", "draw", 0)],
)
def test_a_finished_game_is_judged_without_search(moves: str, board: str, value: str, score: int) -> None:
    verdict = judge_end(at(moves, board))
    assert (str(verdict.bounds), verdict.source, verdict.score) == (value, Source.TERMINAL, score)


def test_the_rules_alone_begin_before_anyone_waits_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()
    judge = Decider._judge_by_rules

    def note(self: Decider, keys: Keys) -> tuple[VerdictBatch, ProofTexts | None]:
        begun.set()
        return judge(self, keys)

    monkeypatch.setattr(Decider, "_judge_by_rules", note)
    with closing(Decider(Board(), Engine.RULES, threads=2)) as decider:
        keys = keys_of(Board(), [at("4455"), at("444444"), at("1212121")])
        first, second = decider.decide_keys(keys), decider.decide_keys(keys[:1])
        assert begun.wait(60)
        assert [len(decided) for decided in second] == [1]
        (decided,) = first
    assert decided.places.tolist() == [0, 1, 2]
    assert decided.verdicts.is_exact[2]


def test_what_nobody_takes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def take_long(self: Decider, keys: Keys) -> tuple[VerdictBatch, None]:
        asked.extend(keys.tolist())
        time.sleep(0.1)
        return VerdictBatch.unknown(keys), None

    monkeypatch.setattr("claimeven.solver.deciding.decider.PART", 1)
    monkeypatch.setattr(Decider, "_judge_by_rules", take_long)
    decider = Decider(Board(), Engine.RULES, threads=1)
    keys = np.arange(1000, dtype=np.uint64)
    some = decider.decide_keys(keys)
    assert next(some).verdicts.keys.tolist() == [0]
    waiting = decider.decide_keys(keys)
    decider.close()
    assert len(asked) < 10
    with pytest.raises(CancelledError):
        list(waiting)
    assert len(list(decider.decide_keys(keys[:3]))) == 3
