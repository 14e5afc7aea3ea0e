"""The description of the API in the words of OpenAPI 3.1."""

from __future__ import annotations

from importlib import metadata
from typing import Any

from claimeven.reports.web.limits import Limits
from claimeven.solver.contract import FIELDS
from claimeven.solver.contract import __doc__ as contract_words
from claimeven.solver.notation import NOTATIONS

VALUES = ["white", "draw", "black", "not-white", "not-black", "unknown"]
STRING = {"type": "string"}
SOURCES = ["terminal", "rules", "search", "retrograde", "book", "import"]


def describe_api(limits: Limits) -> dict[str, Any]:
    """The OpenAPI object of a server with these limits.

    >>> describe_api(Limits())["openapi"]
    '3.1.0'
    """
    json_of, problem = _json_of, {"$ref": "#/components/responses/Problem"}
    answers = {"4XX": problem, "5XX": problem}
    position = [{"$ref": f"#/components/parameters/{name}"} for name in ("pos", "board", "notation")]
    seconds = _parameter("seconds", f"How long searching may take, at most {limits.seconds:g}.", {"type": "number"})

    name = _parameter("name", "The name of a solution; the first that knows the game if it is not there.", STRING)

    def get(summary: str, ok: dict[str, Any], *more: dict[str, Any]) -> dict[str, Any]:
        return {"get": {"summary": summary, "parameters": [*position, *more], "responses": {"200": ok, **answers}}}

    def flag(name: str, words: str) -> dict[str, Any]:
        return _parameter(name, words, {"type": "string", "enum": ["0", "1"]})

    paths = {
        "/solve": get("The score of every column, as the online solver tells it", json_of("Scores"), seconds)
        | {"post": _batch(limits, answers)},
        "/analyze": get(
            "The score of every move, the best ones and the line of best play; as server-sent events if accepted",
            {
                "description": "Events `progress` and, as the last, `answer` or `problem`, each with an object.",
                "content": {**json_of("Position")["content"], "text/event-stream": {"schema": {"type": "string"}}},
            },
            seconds,
            flag("line", "Whether the line of best play is wanted."),
        ),
        "/query": get("What store and book know; nothing is searched", json_of("Position")),
        "/prove": get(
            "The rule proof, with a sentence for each solution",
            json_of("Position"),
            flag("look_ahead", "Whether the rules are tried one and two moves on."),
        ),
        "/graph": get(
            "The problems and solutions of a position",
            {
                "description": "Node-link data, or a picture.",
                "content": {
                    "application/json": {"schema": {"type": "object"}},
                    "image/svg+xml": {"schema": {"type": "string"}},
                },
            },
            _parameter("format", "json or svg", {"type": "string", "enum": ["json", "svg"]}),
            flag("bare", "Whether the picture is the graph alone, without board and counts."),
        ),
        "/solution": get(
            "What a solution of the board plays, and why, beside what store and book know",
            json_of("SolutionPosition"),
            name,
        ),
        "/board": get(
            "A picture of the position",
            {"description": "The picture.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}},
            flag("threats", "Whether threats are marked."),
            flag("proof", "Whether the rule proof is marked."),
            flag("key", "Whether the chosen set is listed beside the board."),
            _parameter("solution", "The number, from 1, of a solution that stands out.", {"type": "integer"}),
            flag("digits", "Whether the digits of a solution's diagram are on the empty squares."),
            name,
            _parameter("line", "A line of play from here, as column string.", {"type": "string"}),
            _parameter("scheme", "The colours.", {"type": "string", "enum": ["auto", "light", "dark"]}),
        ),
        "/position": get("A position as it was read, with its threats", json_of("Game")),
        "/move": get(
            "The move of a player",
            json_of("Move"),
            _parameter("player", "A player and its settings, as in mcts:seconds=1.", {"type": "string"}),
            _parameter("seconds", f"At most {limits.player_seconds:g}.", {"type": "number"}),
        ),
        "/searches/{search}": {
            "delete": {
                "summary": "Stop a search by the id in its events",
                "parameters": [{"name": "search", "in": "path", "required": True, "schema": {"type": "string"}}],
                "responses": {"204": {"description": "It stops."}, "4XX": problem},
            }
        },
        "/status": {"get": {"summary": "What this server is", "responses": {"200": json_of("Status")}}},
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "claimeven",
            "version": metadata.version("claimeven"),
            "description": "Connect Four positions: who wins, when, and why.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {"parameters": _position_parameters(limits), "schemas": _schemas(), "responses": _responses()},
    }


def _json_of(schema: str) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    return {"description": f"The object {schema}.", "content": content}


def _parameter(name: str, words: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "query", "description": words, "schema": schema}


def _batch(limits: Limits, answers: dict[str, Any]) -> dict[str, Any]:
    lines = {"application/x-ndjson": {"schema": {"type": "string"}}}
    return {
        "summary": "Many positions: JSON lines in, JSON lines out in the same order",
        "description": 'A line is an object with "pos" (and "board", "notation"), or a position as a string. A line '
        f'that is wrong is answered by {{"error": ...}}. At most {limits.lines:,} lines and {limits.body:,} bytes.',
        "requestBody": {"required": True, "content": lines},
        "responses": {"200": {"description": "An object Position a line.", "content": lines}, **answers},
    }


def _position_parameters(limits: Limits) -> dict[str, Any]:
    return {
        "pos": _parameter(
            "pos",
            "The position, as columns played or in any notation; the empty board if it is not there.",
            {"type": "string", "maxLength": limits.text},
        ),
        "board": _parameter("board", "Columns x rows, and x how many win if not four.", {"type": "string"}),
        "notation": _parameter("notation", "How pos is written.", {"type": "string", "enum": list(NOTATIONS)}),
    }


def _schemas() -> dict[str, Any]:
    score = {"type": ["integer", "null"]}
    verdict = {
        "value": {"enum": VALUES},
        "score": score,
        "source": {"enum": [*SOURCES, None]},
    }
    columns = {"type": "array", "items": {"type": "integer", "minimum": 1}}
    child = {
        "type": "object",
        "required": ["column", "square", "value", "score", "source"],
        "properties": {"column": {"type": "integer"}, "square": {"type": "string"}, **verdict},
    }
    return {
        "Position": {
            "type": "object",
            "description": contract_words,
            "required": list(FIELDS),
            "properties": {
                "moves": {"type": "string"},
                "board": {"type": "string"},
                "ply": {"type": "integer"},
                "to_move": {"enum": ["white", "black"]},
                **verdict,
                "best_moves": {"anyOf": [columns, {"type": "null"}]},
                "proof": {"type": ["object", "null"]},
                "children": {"type": "array", "items": child},
                "line": columns,
            },
        },
        "SolutionPosition": {
            "allOf": [{"$ref": "#/components/schemas/Position"}],
            "type": "object",
            "required": ["solution"],
            "properties": {"solution": {"$ref": "#/components/schemas/Solution"}},
        },
        "Solution": _solution(),
        "Scores": {
            "type": "object",
            "required": ["pos", "score"],
            "properties": {
                "pos": {"type": "string"},
                "score": {
                    "type": "array",
                    "items": {"type": "integer"},
                    "description": "A score for each column from the left, for the side that moves; 100: not playable.",
                },
            },
        },
        "Game": {"type": "object", "required": ["moves", "columns", "board", "ply", "to_move", "rows", "threats"]},
        "Move": {"type": "object", "required": ["player", "column"]},
        "Status": {
            "type": "object",
            "required": ["version", "writes", "compiling", "searches", "seconds", "players", "solutions"],
        },
        "Problem": {
            "type": "object",
            "description": "RFC 9457",
            "required": ["type", "title", "status", "detail"],
            "properties": {
                "type": {"type": "string"},
                "title": {"type": "string"},
                "status": {"type": "integer"},
                "detail": {"type": "string"},
            },
        },
    }


def _solution() -> dict[str, Any]:
    move = {
        "type": ["object", "null"],
        "properties": {"column": {"type": "integer"}, "square": STRING, "reason": STRING},
    }
    answer = {"type": "object", "properties": {"column": {"type": "integer"}, "square": STRING, "answer": move}}
    properties = {
        "name": STRING,
        "board": STRING,
        "root": STRING,
        "controller": {"enum": ["white", "black"]},
        "claim": {"enum": ["win", "no-loss"]},
        "sizes": {"type": "object", "description": "moves, leaves, rule_leaves, certificates, nodes, bytes"},
        "known": {"type": "boolean", "description": "Whether the game is one that the solution plays."},
        "words": STRING,
        "move": {**move, "description": "What the controller plays, if he is to move."},
        "leaf": {"type": ["string", "null"], "description": "The moves to the leaf that decides."},
        "digits": {"type": ["array", "null"], "items": STRING, "description": "The diagram, the highest row first."},
        "rules": {"type": ["object", "null"], "description": "The rule proof that takes over after the move."},
        "answers": {"type": "array", "items": answer, "description": "To each move of the opponent, if he is to move."},
    }
    return {"type": "object", "required": list(properties), "properties": properties}


def _responses() -> dict[str, Any]:
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"Problem": {"description": "What is wrong.", "content": content}}
