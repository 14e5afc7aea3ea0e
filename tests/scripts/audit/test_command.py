"""`claimeven audit`: what it runs, keeps, shows and refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import claimeven.solver.audit.positions
from claimeven.reports.bench.suites import SHIPPED
from claimeven.scripts.audit.command import KINDS
from claimeven.scripts.errors import INTERRUPTED
from claimeven.solver.audit.play_outs import PlayOuts
from claimeven.solver.audit.rule_bounds import NineRules, RuleBounds
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.positions import Keys, count_plies
from claimeven.solver.proof.certificate import Certificate
from tests.scripts.stores import run

ROOT = Path(__file__).parents[2]


def audit(*arguments: str, status: int = 0) -> str:
    result = run("audit", arguments[0], "--jobs", "2", *arguments[1:])
    assert result.exit_code == status, result.stderr
    assert "Traceback" not in result.stderr
    return result.stdout


def audited(*arguments: str, status: int = 0) -> list[dict[str, Any]]:
    campaigns = json.loads(audit(*arguments, "--json", status=status))["campaigns"]
    assert isinstance(campaigns, list)
    return campaigns


def prove_too_much(self: NineRules, board: Board, keys: Keys) -> RuleBounds:
    """Whenever White is to move, Black wins."""
    greatest = np.where(count_plies(board, keys) % 2 == 0, np.int8(-1), np.int8(1))
    return RuleBounds(np.full(len(keys), -1, np.int8), greatest, greatest < 0, np.zeros(len(keys), np.uint64))


def prove_nothing(self: NineRules, position: Position) -> Certificate | None:
    return None


def test_the_kinds_are_those_of_the_library() -> None:
    assert tuple(claimeven.solver.audit.positions.SHARES) == KINDS


def test_a_mixed_audit() -> None:
    campaigns = audited("random", "--board", "6x4", "--least-stones", "14", "--positions", "2000", "--seed", "5")
    assert [each["campaign"]["source"]["kind"] for each in campaigns] == ["uniform", "cautious", "best"]
    assert [each["counts"]["total"]["tried"] for each in campaigns] == [900, 900, 200]
    for each in campaigns:
        total = each["counts"]["total"]
        assert 0 < total["proved"] < total["tried"]
        assert total["contradictions"] == total["not compared"] == 0
        assert sum(each["counts"]["values"].values()) == total["proved"]


def test_the_same_seed_gives_the_same_numbers_whatever_the_jobs() -> None:
    arguments = ("random", "--board", "6x4", "--least-stones", "16", "--positions", "1000", "--look-ahead")
    one, two, other = (
        [each["counts"] for each in audited(*arguments, *more)]
        for more in (("--jobs", "1"), ("--jobs", "3"), ("--seed", "2"))
    )
    assert one == two != other


def test_all_positions_of_some_plies(tmp_path: Path) -> None:
    (campaign,) = audited("plies", "0-6", "--board", "4x4", "--out", str(tmp_path))
    assert campaign["counts"]["total"]["tried"] == 1 + 2 + 8 + 26 + 82 + 218 + 564
    assert campaign["complete"]
    again = run("audit", "plies", "--board", "4x4", "0-6", "--out", str(tmp_path), "--json")
    assert json.loads(again.stdout)["campaigns"] == [campaign]
    assert "done already" in again.stderr
    fresh = run("audit", "plies", "0-6", "--board", "4x4", "--out", str(tmp_path), "--fresh", "--json")
    assert json.loads(fresh.stdout)["campaigns"][0]["counts"] == campaign["counts"]
    assert "done already" not in fresh.stderr


def test_the_page_gathers_all_that_was_done(tmp_path: Path) -> None:
    out = ("--out", str(tmp_path))
    audit("plies", "6", "--board", "4x4", *out)
    audit("random", "--board", "6x4", "--kind", "cautious", "--positions", "500", "--look-ahead", *out)
    audit("play-out", "20", "--board", "4x4", *out)
    audit("play-out", "thesis", "--games", "10", *out)
    suites = tmp_path / "suites"
    suites.mkdir()
    (suites / "end-easy").write_text("".join((SHIPPED / "end-easy").read_text().splitlines(keepends=True)[:200]))
    audit("coverage", str(suites), *out)
    (tmp_path / "mutations.md").write_text("# Mutations\n")
    audit("plies", "6", "--board", "4x4", *out)
    page = (tmp_path / "soundness.md").read_text()
    for piece in (
        "**False proofs found: 0.**",
        "| 4x4 | all positions of the plies | 6 to 6 |  | 0 | 564 |",
        "| 6x4 | games that avoid losing at once | 4 to 23 | 1 | 1 | 500 |",
        "    claimeven audit random --board 6x4 --kind cautious --positions 500 --seed 1 --look-ahead 1\n",
        "| 4x4, uniform games with 0 or more stones, seed 1 |",
        "| 6x6 empty, printed | 1 | 1 | 1 | 0 | 0 |",
        "[mutations.md](mutations.md)",
        "| end-easy |",
    ):
        assert piece in page, piece
    assert str(tmp_path) not in page
    data = json.loads((tmp_path / "soundness.json").read_text())
    assert (len(data["campaigns"]), len(data["play_outs"]), data["contradictions"]) == (2, 6, 0)
    assert str(tmp_path) not in json.dumps(data)
    proved = [each["proved"] for each in data["coverage"]]
    assert all(here <= one <= two for here, one, two in proved)


def test_coverage_of_suites(tmp_path: Path) -> None:
    (tmp_path / "suite").write_text("12 -2\n4455 18\n")
    assert audit("coverage", str(tmp_path)) == ("suite: 2 positions, 1 proved, looking ahead 1, 1; 0 contradictions\n")
    (tmp_path / "suite").write_text("12 1\n")
    assert "3 contradictions" in audit("coverage", str(tmp_path), status=1)
    (tmp_path / "suite").write_text("nonsense\n")
    assert run("audit", "coverage", str(tmp_path)).exit_code == 2


def test_a_contradiction_is_saved_and_can_be_seen_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("plies", "10", "--board", "4x4", "--out", str(tmp_path))
    with monkeypatch.context() as broken:
        broken.setattr(NineRules, "bound_all", prove_too_much)
        broken.setattr(NineRules, "prove", prove_nothing)
        (campaign,) = audited(*arguments, status=1)
        assert campaign["counts"]["total"]["contradictions"] > 100
        path = tmp_path / "audit" / campaign["contradictions"][0]
        shown = audit("replay", str(path), status=1)
        assert "Now: 4x4" in shown
        # A run that finds its record complete still says that something is wrong.
        assert audited(*arguments, status=1) == [campaign]
    page = (tmp_path / "soundness.md").read_text()
    assert "**False proofs found: 0.**" not in page
    saved = json.loads(path.read_text())
    assert saved["smallest"]["claim"] == "black"
    assert saved["smallest"]["value"] != "black"
    # The faithful rules do not say so.
    assert audit("replay", str(path)).count("Now: nothing false is proved here.") == 2
    assert json.loads(audit("replay", str(path), "--json")) == {"found": None, "smallest": None}


def test_contradictions_are_saved_without_a_directory_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(NineRules, "bound_all", prove_too_much)
    monkeypatch.setattr(NineRules, "prove", prove_nothing)
    audit("plies", "8", "--board", "4x4", status=1)
    assert list(Path("audit").glob("contradiction-*.json"))
    assert not list(Path("audit").glob("4x4-*"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["random", "--board", "7x5"], "the rules need an even number of rows"),
        (["plies", "3", "--board", "x"], "--board"),
        (["random", "--kind", "ply"], "'ply' is not one of"),
        (["plies"], "Missing argument"),
        (["--board", "6x4"], "No such option"),
        (["nonsense"], "No such command"),
        (["plies", "8-0"], "not a ply or a range"),
        (["plies", "0-42"], "the last ply that goes on is 41"),
        (["random", "--least-stones", "42"], "the last ply that goes on is 41"),
        (["random", "--positions", "0"], "--positions"),
        (["plies", "3", "--look-ahead", "3"], "'3' is not one of"),
        (["play-out", "some"], "'some' is not a number of proofs"),
        (["play-out", "5", "--kind", "best"], "'best' is not one of"),
        (["play-out", "5", "--least-stones", "42"], "--least-stones"),
        (["replay", "missing.json"], "does not exist"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str) -> None:
    result = run("audit", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"found": 1, "smallest": 2}', "\x00", "[" * 9999])
def test_a_file_that_is_no_contradiction(tmp_path: Path, text: str) -> None:
    (tmp_path / "file.json").write_text(text)
    result = run("audit", "replay", str(tmp_path / "file.json"))
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["4x4-ply-0-to-3.json", "coverage.json", "play-outs.json"])
@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"suites": 3}', '{"a": {"result": {}}}'])
def test_a_spoiled_directory_is_one_sentence(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "audit").mkdir()
    (tmp_path / "audit" / name).write_text(text)
    result = run("audit", "plies", "0-3", "--board", "4x4", "--out", str(tmp_path))
    if result.exit_code:
        assert result.exit_code == 2
        assert result.stderr.splitlines()[-1].startswith("Error: --out: ")
    else:
        assert (name, text) == ("play-outs.json", "{}")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send")
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path: Path) -> None:
    arguments = ["audit", "random", "--board", "6x4", "--kind", "uniform", "--positions", "5000000"]
    arguments += ["--least-stones", "16", "--out", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-m", "claimeven", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TQDM_DISABLE": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        record = tmp_path / "audit" / "6x4-uniform-16-to-23-seed-1.json"
        while not record.exists():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        output, diagnostics = process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED
    assert output == ""
    assert "Traceback" not in diagnostics
    command = "claimeven audit random --board 6x4 --kind uniform --positions 5000000 --seed 1 --least-stones 16 --out"
    assert f"to go on: {command} {tmp_path}" in diagnostics
    done = json.loads(record.read_text())["counts"]["total"]["tried"]
    assert 0 < done < 5_000_000


def test_the_page_is_written_anew_with_the_commands_of_today(tmp_path: Path) -> None:
    kept = asdict(PlayOuts("4x4", 1, 1, 1, 0, 3, 3, 0, {"black": 1}, ()))
    (tmp_path / "audit").mkdir()
    old = {"4x4": {"result": kept, "run": {}, "command": "claimeven audit --play-out all --board 4x4"}}
    (tmp_path / "audit" / "play-outs.json").write_text(json.dumps(old))
    result = run("audit", "page", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "    claimeven audit play-out all --board 4x4\n" in (tmp_path / "soundness.md").read_text()
    (tmp_path / "audit" / "play-outs.json").write_text("[]")
    assert run("audit", "page", str(tmp_path)).exit_code == 2
