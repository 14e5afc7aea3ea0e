"""Solutions in the explorer: what they play in a game, where they know nothing, and pictures of their digits."""

from __future__ import annotations

import random
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from claimeven.reports.web.solutions import NOT_ITS_OWN, NamedSolution, Solutions, follow
from claimeven.scripts.main import claimeven
from claimeven.solver.board import Board
from claimeven.solver.solution.solution import Solution

SHIPPED = Path(__file__).parents[3] / "reports" / "solutions"


def test_every_game_against_a_solution_is_guided_to_its_claim() -> None:
    """Played by its advice alone, against an opponent who plays anything, no solution loses."""
    chance = random.Random(16)
    every = [named for board in Solutions().boards for named in Solutions().of_board(Board.parse(board))]
    assert len(every) == len(list(SHIPPED.glob("*.json")))
    for named in every:
        for _ in range(2):
            position, game = named.solution.root, [int(each) - 1 for each in named.solution.root_moves]
            while not position.is_over:
                standing = follow(named, game)
                assert standing.guide is not None
                assert standing.guide.position == position
                advice = standing.advice
                answers = {each["column"] - 1: each["answer"] for each in standing.describe()["answers"]}
                assert (advice is None) == (set(answers) == set(position.legal_columns))
                column = chance.choice(position.legal_columns) if advice is None else advice.column
                position = position.play(column)
                game.append(column)
                if answers and answers[column]:
                    assert answers[column]["column"] - 1 == follow(named, game).advice.column  # type: ignore[union-attr]
            assert position.winner is not named.solution.controller.opponent


def test_a_solution_is_told(client: httpx.Client) -> None:
    told = client.get("/solution", params={"pos": "3132", "board": "5x5"}).json()
    solution = told["solution"]
    assert (told["moves"], told["to_move"], solution["known"], solution["leaf"]) == ("3132", "white", True, "3132")
    assert (solution["controller"], solution["claim"]) == ("white", "no-loss")
    assert solution["move"]["square"] == "c3"
    stored = Solution.load(SHIPPED / "5x5.json")
    assert solution["digits"] == stored.diagrams[1].mirror().rows  # the leaf says: mirrored
    assert solution["sizes"] == stored.sizes.to_json()
    answered = client.get("/solution", params={"pos": "3", "board": "5x5"}).json()["solution"]
    assert answered["move"] is None
    assert [each["answer"]["square"] for each in answered["answers"]] == ["c2", "b2", "c3", "d2", "c2"]


def test_digits_are_drawn_on_the_empty_squares(client: httpx.Client) -> None:
    picture = client.get("/board", params={"pos": "3132", "board": "5x5", "digits": "1"}).text
    assert picture.count('class="digit"') == 25 - 4
    assert picture.count('class="playable"') == 5
    assert picture.count('class="chosen"') == 1
    assert client.get("/board", params={"pos": "3", "board": "5x5", "digits": "1"}).status_code == 422


def test_a_game_that_left_the_solution_is_not_advised(client: httpx.Client) -> None:
    left = client.get("/solution", params={"pos": "1", "board": "5x5", "name": "5x5"}).json()["solution"]
    assert (left["known"], left["words"], left["move"], left["digits"]) == (False, NOT_ITS_OWN, None, None)
    none = client.get("/solution", params={"pos": "4", "board": "7x7"})
    assert (none.status_code, none.json()["type"]) == (404, "urn:claimeven:problem:solution")
    assert client.get("/solution", params={"board": "5x5", "name": "other"}).status_code == 404


def test_a_game_that_one_solution_does_not_know_is_advised_by_another(client: httpx.Client) -> None:
    told = client.get("/solution", params={"pos": "1", "board": "5x5"}).json()["solution"]
    assert (told["known"], told["controller"]) == (True, "black")
    after = client.get("/solution", params={"pos": "1", "board": "7x6"}).json()["solution"]
    assert (after["name"], after["claim"], after["known"]) == ("7x6-after-a1-black", "win", True)
    # Both know the game here, and who is to move is asked.
    played = client.get("/move", params={"pos": "3", "board": "5x5", "player": "solution"}).json()
    assert played["player"] == "5x5-black"


def test_a_solution_of_a_position_knows_no_other_game() -> None:
    rows = ["0000", "1111", "0000", "2345"]
    solution = Solution.from_json(
        {
            "format": "claimeven solution 1",
            "board": "4x4",
            "root": "1",
            "controller": "black",
            "claim": "no-loss",
            "diagrams": [rows],
            "nodes": {"1": {"diagram": 0}},
        }
    )
    named = NamedSolution("small", solution)
    assert follow(named, (1,)).guide is None
    assert "does not come through" in follow(named, (1,)).describe()["words"]
    mirrored = follow(named, (3,))
    assert mirrored.advice is not None
    assert mirrored.advice.column == 3 - follow(named, (0,)).advice.column  # type: ignore[union-attr]
    assert mirrored.picture[0] == solution.diagrams[0].mirror()


def test_a_solution_plays(client: httpx.Client) -> None:
    told = client.get("/move", params={"pos": "3132", "board": "5x5", "player": "solution"}).json()
    assert (told["player"], told["column"]) == ("5x5", 3)
    assert client.get("/move", params={"pos": "4", "board": "7x7", "player": "solution"}).status_code == 404


@pytest.mark.parametrize(("text", "words"), [("{}", "no solution"), (None, "does not hold")])
def test_a_file_that_does_not_hold_is_refused(tmp_path: Path, text: str | None, words: str) -> None:
    file = tmp_path / "wrong.json"
    right = (SHIPPED / "5x4.json").read_text(encoding="utf-8")
    file.write_text(right.replace('"claim": "no-loss"', '"claim": "win"') if text is None else text, encoding="utf-8")
    result = CliRunner().invoke(claimeven, ["serve", "--port", "0", "--solution", str(file)])
    assert (result.exit_code, words in result.stderr) == (2, True), result.stderr
