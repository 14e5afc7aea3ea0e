"""The JSON API: what the online solver answers, what the commands answer, and what is wrong with a request."""

from __future__ import annotations

import json
import random
import urllib.request

import httpx
import pytest
from click.testing import CliRunner
from openapi_spec_validator import validate

from claimeven.reports.web.app import make_app
from claimeven.reports.web.known import Known
from claimeven.scripts.main import claimeven
from claimeven.solver.contract import FIELDS
from claimeven.solver.drawing.picture import draw_position
from claimeven.solver.notation import format_position
from claimeven.solver.position import Position
from tests.positions import at
from tests.solver.proof.corruption import corrupt_prover

PROVED = "444433351225255"


def run(*arguments: str) -> dict[str, object]:
    """The object that a command prints."""
    result = CliRunner().invoke(claimeven, [*arguments, "--json"])
    assert result.exit_code == 0, result.stderr
    answer: dict[str, object] = json.loads(result.stdout)
    return answer


@pytest.mark.parametrize(
    ("moves", "scores"),
    [("475", [-18, -2, -2, -18, -18, -2, -18]), ("", [-2, -1, 0, 1, 0, -1, -2])],
)
def test_the_documented_answers_of_the_online_solver(client: httpx.Client, moves: str, scores: list[int]) -> None:
    response = client.get("/solve", params={"pos": moves})
    assert response.json() == {"pos": moves, "score": scores}
    assert response.headers["content-type"] == "application/json"


def test_a_client_of_the_online_solver_plays_a_game(address: str, client: httpx.Client) -> None:
    """Nothing in this client knows of us: it asks for pos, and takes the column with the greatest score below 100."""
    moves = PROVED + "3336"
    while len(moves) < 42:
        with urllib.request.urlopen(f"{address}/solve?pos={moves}") as response:
            answer = json.load(response)
        assert answer["pos"] == moves
        open_ = {column: score for column, score in enumerate(answer["score"], 1) if score != 100}
        if not open_:
            break
        best = max(open_.values())
        moves += str(max(open_, key=lambda column: open_[column]))
        if at(moves).winner:
            assert best == (42 + 2 - len(moves)) // 2
    assert at(moves).is_over


def test_scores_are_those_of_another_program(client: httpx.Client) -> None:
    bitbully = pytest.importorskip("bitbully", reason="bitbully is not installed; it is in the extra 'bench'")
    chance = random.Random(16)
    solver = bitbully.BitBully()
    for _ in range(25):
        position = Position.start()
        game: list[int] = []
        while position.ply < 20 and not position.is_over:
            column = chance.choice(position.legal_columns)
            game.append(column)
            position = position.play(column)
        if position.is_over:
            continue
        scores = client.get("/solve", params={"pos": "".join(str(column + 1) for column in game)}).json()["score"]
        board = bitbully.Board()
        assert board.play(game)
        theirs = solver.score_all_moves(board)
        assert {column: score for column, score in enumerate(scores) if score != 100} == dict(theirs)


@pytest.mark.parametrize("moves", ["4455", "44444415112", PROVED])
def test_answers_are_those_of_the_commands(client: httpx.Client, moves: str) -> None:
    told = client.get("/analyze", params={"pos": moves, "line": "1"}).json()
    expected = run("analyze", moves, "--no-cache")
    assert {name: told[name] for name in ("moves", "board", "ply", "to_move", "value", "score", "best_moves")} == {
        name: expected[name] for name in ("moves", "board", "ply", "to_move", "value", "score", "best_moves")
    }
    assert [(each["column"], each["score"]) for each in told["children"]] == [
        (each["column"], each["score"])
        for each in expected["children"]  # type: ignore[attr-defined]
    ]
    assert told["line"] == expected["line"]


def test_queries_and_proofs_are_those_of_the_commands(client: httpx.Client) -> None:
    assert client.get("/query", params={"pos": "44"}).json() == run("query", "44")
    told = client.get("/prove", params={"pos": PROVED}).json()
    explanation = told.pop("explanation")
    assert told == run("prove", PROVED)
    assert tuple(told) == FIELDS
    assert [each["name"] for each in explanation["solutions"]] == [
        " ".join([each["rule"], *each["squares"]]) for each in told["proof"]["solutions"]
    ]
    assert all(each["sentence"].startswith(each["name"]) for each in explanation["solutions"])
    assert client.get("/prove", params={"pos": "4"}).json()["explanation"] is None
    ahead = client.get("/prove", params={"pos": "1", "look_ahead": "1"}).json()
    assert ahead["look_ahead"] == run("prove", "1", "--look-ahead")["look_ahead"]


def test_graph_and_picture(client: httpx.Client) -> None:
    data = client.get("/graph", params={"pos": PROVED}).json()
    assert {node["kind"] for node in data["nodes"]} == {"problem", "solution"}
    assert client.get("/graph", params={"pos": PROVED, "format": "svg"}).text.startswith("<svg ")
    picture = client.get("/board", params={"pos": "445566", "threats": "1", "line": "3", "scheme": "dark"})
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text == draw_position(at("445566"), threats=True, line=(2,), last=5, scheme="dark", key=False)
    with_key = client.get("/board", params={"pos": "445566", "threats": "1", "key": "1"}).text
    assert with_key == draw_position(at("445566"), threats=True, last=5)


@pytest.mark.parametrize("notation", ["columns", "allis", "board", "kaggle", "json", "online", "uci"])
def test_positions_are_read_in_every_notation(client: httpx.Client, notation: str) -> None:
    text = format_position(at("44331717"), notation)
    read = client.get("/position", params={"pos": text}).json()
    assert Position(read["moves"]) == at("44331717")
    assert "\n".join(read["rows"]) == str(at("44331717"))


def test_a_finished_game(client: httpx.Client) -> None:
    assert client.get("/solve", params={"pos": "1212121"}).json()["score"] == [100] * 7
    told = client.get("/analyze", params={"pos": "1212121"}).json()
    assert (told["value"], told["score"], told["source"], told["children"]) == ("white", -18, "terminal", [])
    assert client.get("/position", params={"pos": "1212121"}).json()["end"] == "White has won"


def test_a_batch_is_answered_line_by_line(client: httpx.Client) -> None:
    lines = ['{"pos": "4455"}', '"44455554221"', "", "nonsense", '{"pos": "9"}', '{"moves": "", "board": "4x4"}', "[]"]
    response = client.post("/solve", content="\n".join(lines))
    assert response.headers["content-type"] == "application/x-ndjson"
    answers = [json.loads(line) for line in response.text.splitlines()]
    assert [answer.get("score") for answer in answers] == [18, -15, None, None, 0, None]
    assert [tuple(answer) == FIELDS for answer in answers] == [True, True, False, False, True, False]
    assert "not JSON" in answers[2]["error"]
    assert "'9' is not a column" in answers[3]["error"]


@pytest.mark.parametrize("player", ["random", "rules"])
def test_a_player_moves(client: httpx.Client, player: str) -> None:
    told = client.get("/move", params={"pos": "4455", "player": player, "seconds": "0.5"}).json()
    assert told["column"] - 1 in at("4455").legal_columns
    assert told["player"].startswith(player)


@pytest.mark.parametrize(
    ("method", "path", "params", "status", "words"),
    [
        ("GET", "/solve", {"pos": "8"}, 400, "'8' is not a column"),
        ("GET", "/solve", {"pos": "1212121" + "1"}, 400, "over"),
        ("GET", "/solve", {"pos": "1", "board": "99x99"}, 400, "too large"),
        ("GET", "/solve", {"pos": "1", "board": "seven"}, 400, "not a board"),
        ("GET", "/solve", {"pos": "1", "notation": "morse"}, 400, "the notations are"),
        ("GET", "/solve", {"pos": "1" * 5000}, 413, "4,000 characters"),
        ("GET", "/analyze", {"pos": "1", "seconds": "nan"}, 400, "seconds is a number"),
        ("GET", "/analyze", {"pos": "1", "line": "perhaps"}, 400, "line is 1 or 0"),
        ("GET", "/graph", {"pos": "1", "format": "gif"}, 400, "json or svg"),
        ("GET", "/graph", {"pos": "1212121"}, 422, "the rules say nothing"),
        ("GET", "/board", {"pos": "1", "solution": "3", "proof": "1"}, 422, "no solution 3"),
        ("GET", "/board", {"pos": "1", "line": "111111"}, 400, "full"),
        ("GET", "/board", {"pos": "1", "scheme": "pink"}, 400, "scheme is one of"),
        ("GET", "/move", {"pos": "1", "player": "nobody"}, 400, "no player"),
        ("GET", "/move", {"pos": "1212121"}, 422, "the game is over"),
        ("GET", "/position", {"pos": "o......"}, 400, ""),
        ("GET", "/nowhere", {}, 404, "nothing at /nowhere"),
        ("PUT", "/solve", {}, 405, "PUT is not answered"),
        ("DELETE", "/searches/none", {}, 404, "no such search"),
    ],
)
def test_what_is_wrong_is_a_problem_object(
    client: httpx.Client, method: str, path: str, params: dict[str, str], status: int, words: str
) -> None:
    response = client.request(method, path, params=params)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert set(problem) == {"type", "title", "status", "detail"}
    assert problem["status"] == status
    assert words in problem["detail"]


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("/prove", {}),
        ("/prove", {"look_ahead": "1"}),
        ("/graph", {"format": "svg"}),
        ("/board", {"proof": "1"}),
        ("/analyze", {}),
    ],
)
def test_a_proof_that_does_not_hold_is_not_shown(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, path: str, params: dict[str, str]
) -> None:
    with monkeypatch.context() as broken:
        corrupt_prover(broken)
        response = client.get(path, params={"pos": "12"} | params)
    assert response.status_code == 500
    assert response.json()["type"] == "urn:claimeven:problem:false-proof"
    assert client.get(path, params={"pos": "12"} | params).status_code == 200


def test_large_bodies_are_refused(client: httpx.Client) -> None:
    assert client.post("/solve", content=b"x" * 1_000_001).status_code == 413
    assert client.post("/solve", content='""\n' * 10_001).status_code == 413
    assert client.post("/solve", content=b"\xff\xfe").status_code == 400


def test_other_sites_and_other_names_get_nothing(client: httpx.Client) -> None:
    refused = client.get("/status", headers={"Host": "evil.example:8044"})
    assert refused.status_code == 400
    assert refused.headers["content-type"] == "application/problem+json"
    assert "evil.example" in refused.json()["detail"]
    assert client.get("/status", headers={"Host": "[::1]:8044"}).status_code == 200
    cross = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
    assert client.get("/status", headers=cross).status_code == 403
    assert client.get("/", headers=cross | {"Sec-Fetch-Mode": "navigate"}).status_code == 200


def test_the_description_is_valid_and_names_every_address(client: httpx.Client) -> None:
    described = client.get("/openapi.json").json()
    validate(described)
    routes = {route.path for route in make_app(Known(None)).routes}  # type: ignore[attr-defined]
    assert set(described["paths"]) == routes - {"/", "/static", "/openapi.json"}
