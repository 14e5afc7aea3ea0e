"""The addresses of the API, each a function from a request to a response."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from importlib import metadata
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from claimeven.reports.web.analyses import Stage
from claimeven.reports.web.asked import Asked, find_game, read_asked, read_flag, read_number
from claimeven.reports.web.batches import answer_lines, read_lines
from claimeven.reports.web.explorer import Explorer
from claimeven.reports.web.kernels import PROOFS
from claimeven.reports.web.openapi import describe_api
from claimeven.reports.web.opponent import choose_move, list_players
from claimeven.reports.web.problem import Problem
from claimeven.solver.contract import describe_move, describe_position
from claimeven.solver.drawing.threats import list_threats
from claimeven.solver.notation import columns
from claimeven.solver.position import describe_end

FULL = 100
"""What the online solver says of a column that cannot be played."""
SVG = "image/svg+xml"
EVENTS = "text/event-stream"
LINES = "application/x-ndjson"


def explorer_of(request: Request) -> Explorer:
    explorer: Explorer = request.app.state.explorer
    return explorer


def asked_of(request: Request) -> Asked:
    return read_asked(request.query_params, explorer_of(request).limits.text)


async def solve(request: Request) -> Response:
    """The score of every column, as the online solver tells it."""
    asked = asked_of(request)
    stage = await _finish(request, asked, proves=False)
    if not stage.is_whole:
        raise _too_hard(request)
    scores = [FULL] * asked.position.board.columns
    for child in stage.answer["children"]:
        scores[child["column"] - 1] = child["score"]
    return JSONResponse({"pos": asked.moves, "score": scores})


async def solve_lines(request: Request) -> Response:
    """Positions as JSON lines in, verdicts as JSON lines out."""
    explorer = explorer_of(request)
    lines = read_lines(await _read_body(request, explorer.limits.body), explorer.limits)
    answers = answer_lines(lines, explorer.known, explorer.searches, explorer.kernels, explorer.limits)
    return StreamingResponse(answers, media_type=LINES, headers=_NO_STORE)


async def analyze(request: Request) -> Response:
    """The score of every move and the best ones; as events, if they are accepted, while they are being found."""
    asked = asked_of(request)
    with_line = read_flag(request.query_params, "line")
    if EVENTS in request.headers.get("accept", ""):
        return StreamingResponse(_tell(request, asked, with_line), media_type=EVENTS, headers=_NO_STORE)
    stage = await _finish(request, asked, with_line=with_line)
    return JSONResponse(stage.answer)


async def query(request: Request) -> Response:
    """What store and book know."""
    return JSONResponse(await _query(request, asked_of(request)))


async def _query(request: Request, asked: Asked) -> dict[str, Any]:
    found = await explorer_of(request).known.answer(asked.position)
    children = [describe_move(move.column, move.square, move.verdict) for move in found.moves]
    answer = describe_position(
        asked.moves,
        asked.position,
        found.verdict,
        best_columns=found.best_columns,
        certificate=found.certificate,
        children=children,
    )
    return answer | ({} if found.flaw is None else {"proof_error": found.flaw})


async def prove(request: Request) -> Response:
    """The rule proof, and its words."""
    from claimeven.reports.web.proofs import prove as prove_asked

    asked = asked_of(request)
    looks_ahead = read_flag(request.query_params, "look_ahead")
    explorer = explorer_of(request)
    workshop = explorer.slow if looks_ahead else explorer.fast
    await explorer.kernels.wait(PROOFS)
    return JSONResponse(await workshop.make(lambda: prove_asked(asked, looks_ahead=looks_ahead)))


async def graph(request: Request) -> Response:
    """The problem/solution graph, as data or as a picture."""
    from claimeven.reports.web.proofs import draw_graph

    asked = asked_of(request)
    kind = request.query_params.get("format", "json")
    if kind not in ("json", "svg"):
        raise Problem(400, "parameter", f"format is json or svg, not {kind[:40]!r}")
    is_alone = not read_flag(request.query_params, "bare")
    await explorer_of(request).kernels.wait(PROOFS)
    made = await explorer_of(request).slow.make(lambda: draw_graph(asked.position, kind, is_alone=is_alone))
    return Response(made, media_type=SVG) if isinstance(made, str) else JSONResponse(made)


async def solution(request: Request) -> Response:
    """What a solution of the board plays here, and why, beside what is known of the position."""
    asked, explorer = asked_of(request), explorer_of(request)
    name = request.query_params.get("name")

    def find() -> dict[str, Any]:
        return explorer.solutions.stand(asked.position.board, find_game(asked), name).describe()

    standing = await explorer.fast.make(find)
    return JSONResponse(await _query(request, asked) | {"solution": standing})


async def board(request: Request) -> Response:
    """The picture of a position."""
    from claimeven.reports.web.pictures import read_wishes

    asked = asked_of(request)
    wishes = read_wishes(asked, request.query_params, explorer_of(request).solutions)
    if wishes.proof:
        await explorer_of(request).kernels.wait(PROOFS)
    return Response(await explorer_of(request).fast.make(wishes.draw), media_type=SVG)


async def position(request: Request) -> Response:
    """A position as it was read: the game, whose turn it is, whether it is over, and its threats."""
    asked = asked_of(request)
    game = await explorer_of(request).fast.make(lambda: find_game(asked))
    read = asked.position
    threats = [
        {
            "side": threat.side.value,
            "square": threat.name,
            "parity": threat.parity,
            "playable": threat.is_playable,
            "zugzwang": threat.gets_it,
            "words": str(threat),
        }
        for threat in list_threats(read)
    ]
    return JSONResponse(
        {
            "moves": columns.write(game, read.board),
            "columns": [column + 1 for column in game],
            "board": str(read.board),
            "ply": read.ply,
            "to_move": read.to_move.value,
            "rows": str(read).splitlines(),
            "end": describe_end(read) if read.is_over else None,
            "threats": threats,
        }
    )


async def move(request: Request) -> Response:
    """The move of one of our players."""
    explorer = explorer_of(request)
    asked = asked_of(request)
    most = explorer.limits.player_seconds
    seconds = read_number(request.query_params, "seconds", min(1.0, most), 0.01, most)
    player = request.query_params.get("player", "perfect")[:100]
    await explorer.kernels.wait(player.partition(":")[0])
    return JSONResponse(
        await explorer.slow.make(
            lambda: choose_move(asked.position, find_game(asked), player, seconds, explorer.solutions)
        )
    )


async def stop(request: Request) -> Response:
    """Stop a search by the id that its events carry."""
    if not explorer_of(request).searches.stop(request.path_params["search"]):
        raise Problem(404, "search", "there is no such search; it may be over already")
    return Response(status_code=204)


async def status(request: Request) -> Response:
    """What this server is, and what it is at."""
    explorer = explorer_of(request)
    return JSONResponse(
        {
            "version": metadata.version("claimeven"),
            "store": None if explorer.known.location is None else str(explorer.known.location),
            "writes": explorer.known.writes,
            "compiling": not explorer.kernels.are_ready,
            "searches": len(explorer.searches),
            "seconds": explorer.limits.seconds,
            "players": list_players(),
            "solutions": explorer.solutions.boards,
        }
    )


async def openapi(request: Request) -> Response:
    """The description of this API."""
    return JSONResponse(describe_api(explorer_of(request).limits))


_NO_STORE = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


async def _read_body(request: Request, most: int) -> bytes:
    """The body, as far as it may go; it is not read on once it is too long."""
    parts, size = [], 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > most:
                raise Problem(413, "size", f"a body may have {most:,} bytes")
            parts.append(part)
    except ClientDisconnect:
        raise Problem(400, "body", "the connection was closed before the body was there") from None
    return b"".join(parts)


async def _finish(request: Request, asked: Asked, *, proves: bool = True, with_line: bool = False) -> Stage:
    """The last stage of an analysis; a client that has gone away stops it."""
    explorer = explorer_of(request)
    stages = explorer.analyst.analyze(asked, explorer.seconds_of(request), proves=proves, with_line=with_line)
    async with aclosing(stages):
        async for stage in stages:
            if not stage.is_whole and await request.is_disconnected():
                raise Problem(499, "gone", "the client went away")
    return stage


async def _tell(request: Request, asked: Asked, with_line: bool) -> AsyncIterator[str]:
    """The stages of an analysis as events: `progress` while a search goes on, then `answer`, or `problem`."""
    explorer = explorer_of(request)
    try:
        stages = explorer.analyst.analyze(asked, explorer.seconds_of(request), with_line=with_line)
        async with aclosing(stages):
            async for stage in stages:
                last = stage
                if stage.search is not None or not stage.is_whole:
                    yield _event("progress", stage.answer | stage.progress)
        yield _event("answer", last.answer | {"whole": last.is_whole})
    except Problem as problem:
        yield _event("problem", problem.fields)


def _event(name: str, fields: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(fields)}\n\n"


def _too_hard(request: Request) -> Problem:
    seconds = explorer_of(request).seconds_of(request)
    return Problem(504, "time", f"the scores were not all found within {seconds:g} seconds")
