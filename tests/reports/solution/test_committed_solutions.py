"""The solutions in reports/solutions: every one is a proof, by both checks, and does in games what it claims."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from claimeven.solver.players.game import Game, State
from claimeven.solver.players.player import Player
from claimeven.solver.players.registry import PLAYERS, Resources, make_player
from claimeven.solver.position import Side
from claimeven.solver.solution.diagram import Claim
from claimeven.solver.solution.file_check import find_solution_flaws
from claimeven.solver.solution.plain_check import check_by_text
from claimeven.solver.solution.solution import Solution
from tests.solver.solution.building.test_building import play_randomly

FOLDER = Path(__file__).parents[3] / "reports" / "solutions"
FILES = sorted(FOLDER.glob("*.json"))
files = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def test_there_are_some() -> None:
    assert FILES


@files
def test_it_is_a_proof(file: Path) -> None:
    assert list(find_solution_flaws(json.loads(file.read_text()))) == []


@files
def test_it_says_how_it_was_made(file: Path) -> None:
    made = Solution.load(file).made
    assert str(made["command"]).startswith("claimeven solution build")
    assert isinstance(made["seed"], int)


@files
def test_it_gets_its_result_in_random_games(file: Path) -> None:
    solution, rng = Solution.load(file), random.Random(1)
    for _ in range(40):
        play_randomly(solution, rng)


@pytest.mark.slow
@files
def test_the_plain_check_agrees(file: Path) -> None:
    assert list(find_solution_flaws(json.loads(file.read_text()), check_by_text)) == []


@pytest.mark.slow
@files
def test_it_gets_its_result_in_ten_thousand_random_games(file: Path) -> None:
    solution, rng = Solution.load(file), random.Random(2)
    for _ in range(10_000):
        play_randomly(solution, rng)


def play(file: Path, opponent: Player) -> None:
    """A game of the solution against a player, from the root on."""
    solution = Solution.load(file)
    board = solution.board
    game = Game(board.columns, board.rows, board.connect)
    player = make_player(f"solution:{file}")
    state = State.start(game).play_all([int(each) - 1 for each in solution.root_moves])
    for each in (player, opponent):
        each.start(game)
    controller = 0 if solution.controller is Side.WHITE else 1
    while not state.is_over:
        mover = player if len(state.moves) % 2 == controller else opponent
        choice = mover.choose(state, seconds=0.05)
        assert mover is opponent or choice.note != "not in the solution"
        state = state.play(choice.move)
    wins = {controller + 1} if solution.claim is Claim.WIN else {controller + 1, None}
    assert state.winner in wins


@files
@pytest.mark.parametrize("name", ["random", "easy"])
def test_it_gets_its_result_against_a_player(file: Path, name: str) -> None:
    play(file, make_player(name, Resources(seed=1, threads=1)))


@pytest.mark.slow
@files
@pytest.mark.parametrize("name", PLAYERS)
def test_it_gets_its_result_against_every_player(file: Path, name: str) -> None:
    for seed in range(3):
        play(file, make_player(name, Resources(seed=seed, threads=1)))
