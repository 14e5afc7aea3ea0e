"""A small campaign of damages: no traceback, no wrong answer, nothing missed; and a campaign that can fail."""

import json
from pathlib import Path

import pytest

from claimeven.reports.audit import damage_maker
from claimeven.scripts.audit.command import DAMAGES
from tests.scripts.stores import run


def test_a_small_campaign(tmp_path: Path) -> None:
    result = run("audit", "store-damage", "--number", "8", "--seed", "3", "--json", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    kinds = json.loads(result.stdout)["kinds"]
    assert tuple(kinds) == DAMAGES == tuple(damage_maker.KINDS)
    for counts in kinds.values():
        assert counts["damages"] == 8
        assert counts["traceback"] == counts["wrong"] == counts["missed"] == 0, counts["examples"]
    assert kinds["schema"]["changed"] == kinds["schema"]["detected"] == 8
    assert (tmp_path / "store-damage.md").exists()


def test_it_notices_a_command_that_believes_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimeven.db.checks.damage.find_damage", lambda store, with_checker: iter(()))
    result = run("audit", "store-damage", "--number", "8", "--kind", "row", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["kinds"]["row"]["missed"] > 0
