"""`claimeven arena`: tables, JSON, what is stored, and how it ends when something is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from claimeven.db.store import Store
from claimeven.scripts.errors import CLOSED_PIPE, INTERRUPTED
from claimeven.scripts.main import claimeven
from claimeven.solver.players import registry
from claimeven.solver.players.player import PlayerError
from tests.scripts.stores import make_store
from tests.solver.players.scripted import REGISTRY

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _scripted_players(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, place in REGISTRY.items():
        monkeypatch.setitem(registry.PLAYERS, name, place)


def arena(*arguments: str) -> Result:
    return CliRunner().invoke(claimeven, ["arena", *arguments], prog_name="claimeven")


def arena_json(*arguments: str) -> dict[str, Any]:
    result = arena(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_tables_and_store_agree(own_store: Path) -> None:
    result = arena("leftmost", "rules", "chance", "--board", "5x4", "--games", "4", "--seed", "3")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("12 games of 5x4, seed 3\n")
    with Store.open(own_store, writable=False) as store:
        (run,) = store.runs()
        games = store.read_games(run.number)
    assert run.command == "arena"
    assert run.arguments["players"] == ["leftmost", "rules", "chance"]
    assert (run.arguments["seed"], run.arguments["games"]) == (3, 4)
    assert run.counts is not None
    assert run.counts["games"] == len(games) == 12
    assert [quality["moves"] for quality in run.counts["quality"]] == [
        sum(_moves_of(name, game.first, game.second, game.moves) for game in games)
        for name in ("leftmost", "rules", "chance")
    ]
    won = sum(game.winner is not None and (game.first, game.second)[game.winner - 1] == "rules" for game in games)
    assert f"+{won} " in next(line for line in result.stdout.splitlines() if line.startswith("| rules "))


def _moves_of(name: str, first: str, second: str, moves: str) -> int:
    return (len(moves) + 1) // 2 * (first == name) + len(moves) // 2 * (second == name)


def test_the_same_seed_plays_the_same_games() -> None:
    arguments = ["chance", "leftmost", "rules", "--board", "4x4", "--games", "4", "--no-cache", "--judge-nodes", "0"]
    one, again, jobs = (arena_json(*arguments, *more) for more in ([], [], ["--jobs", "3"]))
    other = arena_json(*arguments, "--seed", "2")

    def games_of(found: dict[str, Any]) -> list[tuple[str, str]]:
        return [(game["moves"], game["ending"]) for game in found["games"]]

    assert games_of(one) == games_of(again) == games_of(jobs)
    assert games_of(one) != games_of(other)


def test_players_with_chance_and_threads_play_the_same_games_again() -> None:
    arguments = ["mcts:playouts=200", "easy", "negamax:depth=2", "--board", "6x5", "--no-cache", "--judge-nodes", "0"]
    one, again = (arena_json(*arguments, "--jobs", jobs) for jobs in ("1", "2"))
    assert [game["moves"] for game in one["games"]] == [game["moves"] for game in again["games"]]
    assert not any(game["ending"].startswith(("first", "second")) for game in one["games"])


def test_openings_by_number_and_from_a_file(tmp_path: Path) -> None:
    found = arena_json("leftmost", "rules", "--openings", "7", "--no-cache", "--judge-nodes", "0")
    assert [game["opening"] for game in found["games"]] == [str(n) for n in range(1, 8) for _ in range(2)]
    assert [game["first"] for game in found["games"]] == ["leftmost", "rules"] * 7
    path = tmp_path / "openings"
    path.write_text("44\n112\n")
    arguments = ["--openings", str(path), "--games", "3", "--no-cache", "--judge-nodes", "0"]
    found = arena_json("leftmost", "rules", *arguments)
    assert [game["opening"] for game in found["games"]] == ["44", "44", "112"]
    assert all(game["moves"].startswith(game["opening"]) for game in found["games"])


def test_the_result_is_written_as_page_and_data(tmp_path: Path) -> None:
    path = tmp_path / "match.md"
    result = arena("leftmost", "rules", "--board", "4x4", "--no-cache", "--out", str(path))
    assert result.exit_code == 0, result.output
    assert result.stdout in path.read_text()
    assert path.read_text().startswith("# leftmost against rules\n")
    assert "commit " in path.read_text()
    found = json.loads(path.with_suffix(".json").read_text())
    assert len(found["games"]) == 2
    assert found["run"]["machine"] in path.read_text()


def test_a_page_that_cannot_be_written_does_not_lose_the_tables(tmp_path: Path) -> None:
    arguments = ["leftmost", "rules", "--board", "4x4", "--no-cache", "--out"]
    (tmp_path / "match.json").mkdir()
    result = arena(*arguments, str(tmp_path / "match.md"))
    assert result.exit_code == 1
    assert result.stdout.startswith("2 games of 4x4, seed 1\n")
    assert result.stderr == f"Error: {tmp_path / 'match.json'}: Is a directory\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows reports a closed pipe in another way")
def test_the_page_is_written_even_if_nobody_reads_stdout(tmp_path: Path) -> None:
    path = tmp_path / "match.md"
    arguments = ["arena", "random", "rules", "--board", "4x4", "--no-cache", "--judge-nodes", "0", "--out", str(path)]
    with subprocess.Popen(
        [sys.executable, "-m", "claimeven", *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        diagnostics = process.stderr.read()
        assert process.wait(60) == CLOSED_PIPE, diagnostics
    assert path.read_text().startswith("# random against rules\n")
    assert b"Traceback" not in diagnostics


def test_nothing_is_stored_without_the_cache(own_store: Path) -> None:
    arena_json("leftmost", "rules", "--board", "4x4", "--no-cache")
    assert not own_store.exists()


def test_bad_players_lose_with_the_reason() -> None:
    result = arena("crashing", "leftmost", "sleeping", "--seconds", "0.05", "--no-cache", "--jobs", "2")
    assert result.exit_code == 0, result.output
    assert "Lost without a line:" in result.stdout
    assert "crashing - leftmost: first: RuntimeError: lost its mind" in result.stdout
    assert "leftmost - sleeping: second: took more than 0.05 s" in result.stdout


def test_other_games_are_played_and_not_judged() -> None:
    found = arena_json(
        "leftmost", "chance", "--board", "4x5x3", "--no-gravity", "--blocked", "b2", "--no-cache", "--games", "4"
    )
    assert found["game"] == "4x5x3 without gravity, b2 blocked"
    assert found["quality"] is None
    assert not any("b2" in game["moves"].split() for game in found["games"])


def test_perfect_takes_the_first_move_from_the_store(tmp_path: Path) -> None:
    path = make_store(tmp_path / "store.db")
    found = arena_json("perfect:seconds=0.05", "leftmost", "--games", "1", "--db", str(path), "--judge-nodes", "100")
    (game,) = found["games"]
    assert game["moves"].startswith("4")
    assert game["details"]["work"][0] == 0
    perfect = found["quality"][0]
    assert perfect["moves"] == (len(game["moves"]) + 1) // 2
    assert perfect["keeping"] <= perfect["valued"] <= perfect["moves"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rules"], "an arena needs two or more players"),
        (["rules", "rules"], "an arena needs two or more players, all different"),
        (["rules", "nobody"], "PLAYER: there is no player 'nobody'"),
        (["rules", "perfect:speed=1"], "PLAYER: perfect: there is no setting 'speed'"),
        (["rules", "perfect", "--no-gravity"], "PLAYER: perfect plays standard games only"),
        (["rules", "leftmost", "--board", "7"], "--board: '7' is not a board"),
        (["rules", "leftmost", "--blocked", "z9"], "--blocked: 'z9' is outside"),
        (["rules", "leftmost", "--openings", "0"], "--openings: 1 to 10000 openings"),
        (["rules", " rules"], "an arena needs two or more players, all different"),
        (["rules", "leftmost", "--out", "match.json"], "--out: that is the name of the data"),
        (["rules", "leftmost", "--out", "nowhere/match.md"], "--out: there is no directory nowhere"),
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], message: str) -> None:
    result = arena(*arguments, "--no-cache")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"Error: {message}")
    assert result.stderr.count("\n") == 1


def test_a_player_that_does_not_exist_leaves_no_store_behind(own_store: Path) -> None:
    assert arena("rules", "nobody").exit_code == 2
    assert not own_store.exists()


def test_a_missing_file_of_openings_is_named() -> None:
    result = arena("rules", "leftmost", "--openings", "nowhere.txt", "--no-cache")
    assert result.exit_code == 1
    assert result.stderr == "Error: nowhere.txt: No such file or directory\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send")
def test_ctrl_c_keeps_what_is_over_and_says_so(own_store: Path) -> None:
    # The last player thinks for a minute, so that only the games between the first two come to an end.
    program = (
        "from claimeven.solver.players import registry\n"
        "from tests.solver.players.scripted import REGISTRY\n"
        "registry.PLAYERS.update(REGISTRY)\n"
        "from claimeven.scripts.main import main\n"
        "main()\n"
    )
    arguments = ["arena", "leftmost", "chance", "sleeping", "--games", "2", "--jobs", "4"]
    with subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"CLAIMEVEN_DB": str(own_store)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        deadline = time.monotonic() + 60
        while _stored_games(own_store) < 1 and time.monotonic() < deadline:
            time.sleep(0.1)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        output, diagnostics = process.communicate(timeout=30)
    assert time.monotonic() - began < 10
    assert process.returncode == INTERRUPTED
    assert output == ""
    kept = _stored_games(own_store)
    assert kept >= 1
    assert f"stopped: {kept} of 6 games are over and kept" in diagnostics
    assert "Traceback" not in diagnostics


def _stored_games(path: Path) -> int:
    if not path.exists():
        return 0
    try:
        with Store.open(path, writable=False) as store:
            return sum(len(store.read_games(run.number)) for run in store.runs())
    except Exception:
        return 0  # the file is being made


def test_the_help_names_all_settings() -> None:
    words = " ".join(CliRunner().invoke(claimeven, ["arena", "--help"]).output.split())
    explained = words[words.index("There are seconds") : words.index("One that crashes")]
    for name in set(registry.PLAYERS) - set(REGISTRY):
        with pytest.raises(PlayerError, match="there are: ") as refused:
            registry.make_player(f"{name}:nothing=1")
        settings = str(refused.value).partition("there are: ")[2]
        assert settings == "none" or all(setting in explained for setting in settings.split(", ")), name


@pytest.mark.parametrize("command", ["arena", "play"])
def test_the_help_names_all_players(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in REGISTRY:
        monkeypatch.delitem(registry.PLAYERS, name)
    words = " ".join(CliRunner().invoke(claimeven, [command, "--help"]).output.split())
    assert f"Players: {', '.join(registry.PLAYERS)}." in words
