"""The audit counts what it should, finds false proofs, and goes on where it was stopped."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from claimeven.reports.audit.campaign_file import AuditDirectory, AuditFileError, Record
from claimeven.solver.audit.comparison import (
    FIRST_PART,
    GROWTH,
    Audit,
    Campaign,
    ChunkResult,
    Counts,
    default_nodes,
)
from claimeven.solver.audit.exact_search import ExactSearch
from claimeven.solver.audit.minimax import minimax_score
from claimeven.solver.audit.positions import PositionSource
from claimeven.solver.audit.rule_bounds import PARTS, NineRules
from claimeven.solver.board import Board
from claimeven.solver.position import Side
from claimeven.solver.positions import as_keys
from claimeven.solver.proof.prover import prove
from claimeven.solver.rules.rule import Rule
from claimeven.solver.search.budget import Budget
from claimeven.solver.verdict import Value
from tests.positions import at, random_positions
from tests.solver.audit.loose_rules import LooseRules
from tests.solver.rules.test_loosened_conditions import AFTEREVEN_ANY_COLUMN, any_of, loosen_first_pattern

SEARCH = ExactSearch(threads=2, memory_bytes=1 << 24)
FAITHFUL = Audit(NineRules(2), SEARCH)
BROKEN = Audit(LooseRules(loosen_first_pattern(Rule.AFTEREVEN, any_of)), SEARCH)


def test_counts_are_those_of_one_position_after_the_other() -> None:
    positions = list(random_positions("6x4", 400, seed=51))
    result = FAITHFUL.audit_positions(Board(6, 4), as_keys([position.key for position in positions]))
    expected: dict[int, Counter[str]] = {}
    values: Counter[str] = Counter()
    for position in positions:
        value = str(prove(position).bounds)
        row = expected.setdefault(position.ply, Counter())
        row["tried"] += 1
        if value != "unknown":
            values[value] += 1
            row.update({"proved": 1, "proved here": 1, "black wins": int(value == "black")})
    counts = result.counts
    assert {ply: +row for ply, row in counts.plies.items()} == {ply: +row for ply, row in expected.items()}
    assert +counts.values == values
    assert counts.total("tried") == 400
    assert counts.total("contradictions") == counts.total("not compared") == 0
    assert result.contradictions == ()
    assert set(counts.parts) == set(PARTS.values())
    assert 0 < counts.parts["Claimeven"] <= counts.total("proved")


def test_a_broken_rule_is_caught() -> None:
    witness = at(AFTEREVEN_ANY_COLUMN)
    others = list(random_positions("7x6", 8, seed=52, least_ply=29))
    keys = as_keys([position.key for position in [*others, witness, witness.mirror()]])
    assert FAITHFUL.audit_positions(Board(), keys).counts.total("contradictions") == 0
    result = BROKEN.audit_positions(Board(), keys, number=7)
    assert result.number == 7
    assert result.counts.plies[witness.ply]["contradictions"] >= 2
    assert result.counts.total("contradictions") == len(result.contradictions)
    for found, smallest in result.contradictions:
        assert found.position.to_move is smallest.position.to_move is Side.WHITE
        assert smallest.certificate is not None
        assert Value.of_score(minimax_score(smallest.position), Side.WHITE) is Value.WHITE


def test_a_search_that_is_too_dear_is_not_compared() -> None:
    poor = Audit(NineRules(1), ExactSearch(1, Budget(nodes=1), 1 << 24))
    result = poor.audit_positions(Board(), as_keys([at("12").key, at("43").key]))
    assert (result.counts.total("proved"), result.counts.total("not compared")) == (1, 1)
    assert result.counts.total("contradictions") == 0


def test_counts_go_through_json_and_back() -> None:
    keys = as_keys([position.key for position in random_positions("4x4", 200, seed=53)])
    counts = FAITHFUL.audit_positions(Board(4, 4), keys).counts
    again = Counts.from_json(json.loads(json.dumps(counts.to_json())))
    assert again.to_json() == counts.to_json()
    again.add(counts)
    assert again.total("tried") == 400
    assert again.parts["Claimeven"] == 2 * counts.parts["Claimeven"]


def campaign(kind: str = "ply", last: int = 9) -> Campaign:
    return Campaign(PositionSource("4x4", kind, 0, 0, last), 0, default_nodes(kind))


def run(audit: Audit, kept: AuditDirectory, record: Record, stop_after: int | None = None) -> None:
    done = 0

    def keep(result: ChunkResult) -> None:
        nonlocal done
        record.add(result, kept.keep_contradictions(record.campaign, result), 1.0)
        kept.save(record)
        done += 1
        if done == stop_after:
            raise KeyboardInterrupt

    tried = record.counts.total("tried")
    audit.run(record.campaign.source, record.wanted, tried, keep, lambda number: None)
    record.is_complete = True
    kept.save(record)


def test_an_audit_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    whole, parts = AuditDirectory(tmp_path / "whole"), AuditDirectory(tmp_path / "parts")
    run(FAITHFUL, whole, whole.load(campaign(last=10), 0))
    with pytest.raises(KeyboardInterrupt):
        run(FAITHFUL, parts, parts.load(campaign(last=10), 0), stop_after=4)
    record = parts.load(campaign(last=10), 0)
    assert 0 < record.counts.total("tried") < 16_205
    assert not record.is_complete
    run(Audit(NineRules(1), ExactSearch(1, memory_bytes=1 << 24)), parts, record)
    (one,), (other,) = list(whole.records()), list(parts.records())
    assert one.counts.to_json() == other.counts.to_json()
    assert one.counts.total("tried") == 16_205
    assert other.is_complete


def test_more_positions_are_added_to_those_that_are_done(tmp_path: Path) -> None:
    kept, at_once = AuditDirectory(tmp_path / "parts"), AuditDirectory(tmp_path / "whole")
    source = campaign("uniform", last=15)
    run(FAITHFUL, kept, kept.load(source, 700))
    assert kept.load(source, 500).counts.total("tried") == 700
    longer = kept.load(source, 900)
    assert (longer.counts.total("tried"), longer.is_complete, longer.wanted) == (700, False, 900)
    run(FAITHFUL, kept, longer)
    run(FAITHFUL, at_once, at_once.load(source, 900))
    (one,), (other,) = list(kept.records()), list(at_once.records())
    assert one.counts.to_json() == other.counts.to_json()
    assert one.counts.total("tried") == 900


def test_not_much_is_audited_before_it_is_kept(tmp_path: Path) -> None:
    """What is handed on together begins small, and becomes larger as long as it is quick."""
    lengths: list[int] = []
    source = campaign("uniform", last=15).source
    FAITHFUL.run(source, 20_000, 0, lambda result: lengths.append(result.counts.total("tried")), lambda *_: None)
    assert lengths[0] == FIRST_PART
    assert sum(lengths) == 20_000
    assert all(later <= GROWTH * earlier for earlier, later in pairwise(lengths))


def test_contradictions_are_kept_with_all_that_is_needed(tmp_path: Path) -> None:
    kept = AuditDirectory(tmp_path)
    result = BROKEN.audit_positions(Board(), as_keys([at(AFTEREVEN_ANY_COLUMN).key]), number=3)
    (path,) = kept.keep_contradictions(campaign(), result)
    data = json.loads(path.read_text())
    assert set(data) == {"found", "smallest", "campaign", "chunk", "run", "replay"}
    assert data["found"]["value"] == "white"
    assert (data["chunk"], data["campaign"]["source"]["board"]) == (3, "4x4")
    assert {"commit", "numba"} <= set(data["run"])


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", "\x00", '{"campaign": {}}', '{"campaign": {"source": 1}}', "[" * 9999]
)
def test_a_file_that_is_no_record(tmp_path: Path, text: str) -> None:
    kept = AuditDirectory(tmp_path)
    path = kept.path_of(campaign())
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(AuditFileError, match="ply"):
        kept.load(campaign(), 0)
    with pytest.raises(AuditFileError):
        list(kept.records())


def test_the_record_of_another_campaign(tmp_path: Path) -> None:
    kept = AuditDirectory(tmp_path)
    kept.save(Record(campaign(), 0))
    kept.path_of(campaign()).rename(kept.path_of(campaign(last=8)))
    with pytest.raises(AuditFileError, match="another campaign"):
        kept.load(campaign(last=8), 0)
    kept.forget(campaign(last=8))
    assert list(kept.records()) == []
