"""Batches: JSON lines in, JSON lines out in the same order, each as soon as those before it are there."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterable
from typing import Any

from claimeven.reports.web.asked import Asked, read_asked
from claimeven.reports.web.kernels import SEARCH, Kernels
from claimeven.reports.web.known import Known
from claimeven.reports.web.limits import Limits
from claimeven.reports.web.problem import Problem
from claimeven.reports.web.searches import Searches
from claimeven.solver.board import Board
from claimeven.solver.contract import describe_position
from claimeven.solver.position import Position
from claimeven.solver.verdict import UNKNOWN, Verdict, judge_end

CHUNK = 100
"""Lines that are worked on together: what a client waits for before it sees the first of them."""
FIELDS = ("pos", "moves", "board", "notation")


def read_lines(body: bytes, limits: Limits) -> list[Asked | Problem]:
    """The positions of a body: on each line an object with `pos` or `moves`, or a position as a string.

    A line that is wrong is a problem of its own; raises Problem if the whole is no text or too long.
    """
    try:
        lines = [line for line in body.decode("utf-8").splitlines() if line.strip()]
    except UnicodeDecodeError:
        raise Problem(400, "body", "the body is not UTF-8 text") from None
    if len(lines) > limits.lines:
        raise Problem(413, "size", f"a batch may have {limits.lines:,} lines, this one has {len(lines):,}")
    return [_read_line(line, limits) for line in lines]


def _read_line(line: str, limits: Limits) -> Asked | Problem:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return Problem(400, "line", "the line is not JSON")
    fields: dict[str, Any] = {"pos": value} if isinstance(value, str) else value
    if not isinstance(fields, dict) or not {"pos", "moves"} & set(fields):
        return Problem(400, "line", 'a line is an object with "pos", or a string')
    wrong = [name for name in FIELDS if name in fields and not isinstance(fields[name], str)]
    if wrong:
        return Problem(400, "line", f'"{wrong[0]}" is a string')
    try:
        return read_asked(fields, limits.text)
    except Problem as problem:
        return problem


async def answer_lines(
    lines: list[Asked | Problem], known: Known, searches: Searches, kernels: Kernels, limits: Limits
) -> AsyncIterator[str]:
    """The answers, a chunk at a time; what the time is not enough for stays unknown."""
    deadline = time.monotonic() + limits.seconds
    for start in range(0, len(lines), CHUNK):
        chunk = lines[start : start + CHUNK]
        positions = {each.position for each in chunk if isinstance(each, Asked)}
        verdicts = await _decide(positions, known, searches, kernels, deadline)
        yield "".join(json.dumps(_describe(each, verdicts)) + "\n" for each in chunk)


def _describe(line: Asked | Problem, verdicts: dict[Position, Verdict]) -> dict[str, Any]:
    if isinstance(line, Problem):
        return {"error": str(line)}
    return describe_position(line.moves, line.position, verdicts[line.position])


async def _decide(
    positions: Iterable[Position], known: Known, searches: Searches, kernels: Kernels, deadline: float
) -> dict[Position, Verdict]:
    """The verdict on each position, by its end, by store and book, by search."""
    verdicts = {position: judge_end(position) if position.is_over else UNKNOWN for position in positions}
    boards: dict[Board, list[Position]] = {}
    for position in verdicts:
        if not position.is_over:
            boards.setdefault(position.board, []).append(position)
    for board, asked in boards.items():
        for position, knowledge in zip(asked, await known.read(asked), strict=True):
            verdicts[position] = knowledge.verdict
        wanted = [position for position in asked if verdicts[position].score is None]
        left = deadline - time.monotonic()
        if wanted:
            await kernels.wait(SEARCH)
        if not wanted or left <= 0:
            continue
        async with searches.begin(board, wanted, left) as (search, task):
            await asyncio.wait({task})
            task.result()
        found = {position: search.verdict(place) for place, position in enumerate(wanted)}
        await known.keep(found.items())
        for position, verdict in found.items():
            if verdict.score is not None or verdicts[position].bounds == UNKNOWN.bounds:
                verdicts[position] = verdict
    return verdicts
