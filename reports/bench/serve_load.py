"""The server under load: many clients with questions of every kind, each answer compared, each wait measured.

What is expected is found beforehand and without the server: stored scores by reading the book, others by a search that
takes nothing from the rules, proofs by the prover.
"""

from __future__ import annotations

import http.client
import json
import random
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from claimeven.db.books.reader import look_up
from claimeven.solver.notation import columns
from claimeven.solver.position import Position
from claimeven.solver.rule_proof import find_proof
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.verdict import judge_end

FULL = 100
SWITCH_SECONDS = 0.0005
"""How long one client may keep the others from seeing their answers; they are threads of one interpreter."""
TIMEOUT = 120.0
BOOK_PLIES = range(1, 8)
LATE_PLY = 24
LONG = "/analyze?pos=44&board=8x7"
"""A question that no search answers in a minute."""


@dataclass(frozen=True, slots=True)
class Question:
    """A request, what kind it is of, and what it has to be answered by: the fields that must be so."""

    kind: str
    path: str
    expected: dict[str, object]
    body: str | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """How long a question took, and what was wrong with its answer, if anything."""

    kind: str
    seconds: float
    wrong: str | None


def make_questions(number: int, seed: int) -> list[Question]:
    """So many questions: half of them of stored positions, the others solved, proved, drawn, and in batches."""
    chance = random.Random(seed)
    searcher = Searcher(uses_rules=False, memory_bytes=64 << 20)
    makers = [_stored] * 10 + [_late] * 4 + [_proved] * 2 + [_drawn] * 2 + [_batch] * 2
    return [chance.choice(makers)(chance, searcher) for _ in range(number)]


def ask_all(address: str, questions: Sequence[Question], clients: int) -> tuple[list[Wait], float]:
    """Ask the questions by so many clients at once, each with a connection of its own; gives the waits and the time."""
    waiting = iter(questions)
    lock = threading.Lock()

    def take() -> Question | None:
        with lock:
            return next(waiting, None)

    def work() -> list[Wait]:
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT)
        waits = []
        while (question := take()) is not None:
            waits.append(_ask(connection, question))
        connection.close()
        return waits

    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    start = time.perf_counter()
    try:
        with ThreadPoolExecutor(clients) as pool:
            futures = [pool.submit(work) for _ in range(clients)]
            waits = [wait for future in futures for wait in future.result()]
    finally:
        sys.setswitchinterval(before)
    return waits, time.perf_counter() - start


class Flood:
    """Long searches that go on while the block does."""

    def __init__(self, address: str, number: int) -> None:
        self._connections = [
            http.client.HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT) for _ in range(number)
        ]

    def __enter__(self) -> Flood:
        for connection in self._connections:
            connection.request("GET", LONG, headers={"Accept": "text/event-stream"})
        for connection in self._connections:
            connection.getresponse().readline()
        return self

    def __exit__(self, *reason: object) -> None:
        for connection in self._connections:
            connection.close()


def percentile(waits: Sequence[Wait], kind: str, share: float) -> float:
    """The wait that so many of a kind do not exceed."""
    found = sorted(wait.seconds for wait in waits if wait.kind == kind)
    return found[min(len(found) - 1, int(share * len(found)))] if found else float("nan")


def _ask(connection: http.client.HTTPConnection, question: Question) -> Wait:
    start = time.perf_counter()
    try:
        method = "GET" if question.body is None else "POST"
        connection.request(method, question.path, question.body)
        response = connection.getresponse()
        content = response.read()
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        return Wait(question.kind, time.perf_counter() - start, f"{type(error).__name__}: {error}")
    seconds = time.perf_counter() - start
    return Wait(question.kind, seconds, _find_fault(question, response.status, content))


def _find_fault(question: Question, status: int, content: bytes) -> str | None:
    if status != 200:
        return f"{question.path}: status {status}: {content[:200]!r}"
    if question.kind == "drawn":
        return None if content.startswith(b"<svg ") else f"{question.path}: no picture"
    if question.kind == "batch":
        scores = [json.loads(line)["score"] for line in content.splitlines()]
        return None if scores == question.expected["scores"] else f"{question.path}: {scores}"
    answer = json.loads(content)
    wrong = {name: answer.get(name) for name, value in question.expected.items() if answer.get(name) != value}
    return f"{question.path}: {wrong}, not {question.expected}" if wrong else None


def _play(chance: random.Random, plies: int) -> tuple[Position, str]:
    """A random game of so many moves that is not over."""
    while True:
        position, game = Position.start(), list[int]()
        while len(game) < plies and not position.is_over:
            game.append(chance.choice(position.legal_columns))
            position = position.play(game[-1])
        if not position.is_over:
            return position, columns.write(game, position.board)


def _children(position: Position) -> Iterator[tuple[int, Position]]:
    for column in position.legal_columns:
        yield column, position.play(column)


def _stored(chance: random.Random, searcher: Searcher) -> Question:
    position, moves = _play(chance, chance.choice(BOOK_PLIES))
    scores = [FULL] * position.board.columns
    for column, child in _children(position):
        score = judge_end(child).score if child.is_over else look_up(child).score
        assert score is not None
        scores[column] = -score
    return Question("stored", f"/solve?pos={moves}", {"pos": moves, "score": scores})


def _late(chance: random.Random, searcher: Searcher) -> Question:
    position, moves = _play(chance, LATE_PLY)
    scores = [FULL] * position.board.columns
    for column, child in _children(position):
        score = judge_end(child).score if child.is_over else searcher.score(child)
        assert score is not None
        scores[column] = -score
    return Question("searched", f"/solve?pos={moves}", {"pos": moves, "score": scores})


def _proved(chance: random.Random, searcher: Searcher) -> Question:
    position, moves = _play(chance, LATE_PLY)
    proof = find_proof(position)
    value = "unknown" if proof is None else str(proof.verdict.bounds)
    return Question("proved", f"/prove?pos={moves}", {"value": value})


def _drawn(chance: random.Random, searcher: Searcher) -> Question:
    _, moves = _play(chance, LATE_PLY)
    return Question("drawn", f"/board?pos={quote(moves)}&threats=1", {})


def _batch(chance: random.Random, searcher: Searcher) -> Question:
    games = [_play(chance, 30) for _ in range(10)]
    scores = [searcher.score(position) for position, _ in games]
    body = "\n".join(json.dumps({"pos": moves}) for _, moves in games)
    return Question("batch", "/solve", {"scores": scores}, body)
