"""`claimeven bench players` measures what the players say they did."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from claimeven.reports.bench.player_speed import LEAST_STONES, MOST_STONES, make_states, measure_player
from claimeven.scripts.main import claimeven
from claimeven.solver.players.game import Game
from claimeven.solver.players.player import Choice
from tests.solver.players.scripted import ScriptedPlayer


def test_the_page_and_the_data_hold_every_player(tmp_path: Path) -> None:
    arguments = ["bench", "players", "random", "rules", "--positions", "3", "--out", str(tmp_path)]
    result = CliRunner().invoke(claimeven, arguments)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "players.md").read_text() == result.stdout
    by_name = {each["name"]: each for each in json.loads((tmp_path / "players.json").read_text())["players"]}
    assert set(by_name) == {"random", "rules"}
    assert by_name["rules"]["moves"] == 3
    assert by_name["rules"]["per_second"] == by_name["rules"]["work"] / by_name["rules"]["seconds"]


def test_work_and_time_are_added_up() -> None:
    states = make_states(Game(), 20, seed=4)
    assert states == make_states(Game(), 20, seed=4) != make_states(Game(), 20, seed=5)
    assert all(LEAST_STONES <= len(state.moves) <= MOST_STONES and not state.is_over for state in states)
    player = ScriptedPlayer(lambda state: Choice(state.legal_moves[0], work=len(state.moves)))
    speed = measure_player(player, states, None)
    assert (speed.moves, speed.work) == (20, sum(len(state.moves) for state in states))
    assert 0 < speed.worst <= speed.seconds
    assert len(player.games) == 20


def test_a_player_that_does_not_exist_is_wrong_usage() -> None:
    result = CliRunner().invoke(claimeven, ["bench", "players", "nobody"])
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: PLAYER: there is no player 'nobody'")
