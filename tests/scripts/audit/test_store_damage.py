"""A small campaign of damages: no traceback, no wrong answer, nothing missed; and a campaign that can fail."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from claimeven.db.checks.damage import Damage, find_damage
from claimeven.db.store import Store
from claimeven.reports.audit.damage.sqlite_copies import SqliteCopies
from claimeven.scripts.audit.command import DAMAGES
from claimeven.scripts.errors import INTERRUPTED
from tests.scripts.stores import run


def test_a_small_campaign(tmp_path: Path) -> None:
    result = run("audit", "store-damage", "--number", "2", "--seed", "3", "--json", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    kinds = json.loads(result.stdout)["kinds"]
    assert tuple(kinds) == DAMAGES == tuple(SqliteCopies(tmp_path).kinds)
    for counts in kinds.values():
        assert counts["damages"] == 2
        assert counts["traceback"] == counts["wrong"] == counts["missed"] == 0, counts["examples"]
    assert kinds["schema"]["changed"] == kinds["schema"]["detected"] == 2
    assert (tmp_path / "store-damage.md").exists()


def test_it_notices_a_command_that_believes_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimeven.db.checks.damage.find_damage", lambda store, with_checker: iter(()))
    result = run("audit", "store-damage", "--number", "8", "--kind", "row", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["kinds"]["row"]["missed"] > 0


def test_it_goes_on_where_it_ended(tmp_path: Path) -> None:
    command = ["audit", "store-damage", "--kind", "bit", "--seed", "4", "--json", "--out", str(tmp_path)]
    assert json.loads(run(*command, "--number", "2").stdout)["kinds"]["bit"]["damages"] == 2
    again = json.loads(run(*command, "--number", "3").stdout)["kinds"]["bit"]
    at_once = json.loads(run(*command[:-2], "--number", "3").stdout)["kinds"]["bit"]
    assert again == at_once
    (campaign,) = json.loads((tmp_path / "store-damage.json").read_text())["campaigns"]
    assert (campaign["backend"], campaign["seed"], campaign["kinds"]["bit"]) == ("sqlite", 4, again)


def test_ctrl_c_in_a_command_stops_the_campaign_and_half_a_damage_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["audit", "store-damage", "--kind", "row", "--seed", "5", "--json"]
    looks = 0

    def stop_at_the_third(store: Store, *, with_checker: bool = False) -> Iterator[Damage]:
        nonlocal looks
        looks += 1
        if looks == 3:
            raise KeyboardInterrupt
        return find_damage(store, with_checker=with_checker)

    with monkeypatch.context() as patched:
        patched.setattr("claimeven.db.checks.damage.find_damage", stop_at_the_third)
        stopped = run(*command, "--number", "4", "--out", str(tmp_path))
    assert (stopped.exit_code, looks) == (INTERRUPTED, 3)
    again = json.loads(run(*command, "--number", "4", "--out", str(tmp_path)).stdout)["kinds"]["row"]
    assert again == json.loads(run(*command, "--number", "4").stdout)["kinds"]["row"]


def test_a_directory_with_something_else_in_it(tmp_path: Path) -> None:
    (tmp_path / "store-damage.json").write_text("[]")
    result = run("audit", "store-damage", "--number", "1", "--out", str(tmp_path))
    assert result.exit_code == 2
    assert "no audit of stores wrote it" in result.stderr


@pytest.mark.skipif(not os.environ.get("CLAIMEVEN_TEST_DB"), reason="CLAIMEVEN_TEST_DB is not set")
def test_a_server() -> None:
    url = os.environ["CLAIMEVEN_TEST_DB"]
    result = run("audit", "store-damage", "--number", "1", "--seed", "6", "--json", "--server", url)
    assert result.exit_code == 0, result.output
    kinds = json.loads(result.stdout)["kinds"]
    assert kinds.keys() == {"row", "certificate", "schema"}
    assert kinds["schema"]["changed"] == kinds["schema"]["detected"] == 1


def test_a_server_that_is_none() -> None:
    for url in ("postgresql+psycopg://me:secret@127.0.0.1:1/x", "sqlite://"):
        result = run("audit", "store-damage", "--number", "1", "--server", url)
        assert result.exit_code == 1
        assert result.stderr.startswith("Error: ")
        assert "secret" not in result.stderr
