"""Requests that are wrong in every way there is: each gets an answer, none of them a failure of the server."""

from __future__ import annotations

import http.client
import random
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

PATHS = (
    "/solve",
    "/analyze",
    "/query",
    "/prove",
    "/graph",
    "/solution",
    "/board",
    "/position",
    "/move",
    "/searches/",
    "/",
    "/static/",
)
FIELDS = (
    "pos",
    "moves",
    "board",
    "notation",
    "seconds",
    "line",
    "look_ahead",
    "format",
    "solution",
    "scheme",
    "player",
    "digits",
    "name",
)
METHODS = ("GET", "GET", "GET", "GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS", "BREW")
TEXTS = (
    "4455", "", "0", "-1", "8", "abc", "1212121", "11111111", "[0, 1, 2]", "[[[[", "{}", '{"height":6}', "x,b,o",
    "1. d1, d9", "pos=", "....../", "xxxxxxx/ooooooo", "nan", "inf", "1e999", "99x99", "7x6x2", "7x6", "5x4", "6x5x3",
    "columns0", "auto", "json", "svg", "\x00", "\ud7ff", "…", "💥", "' OR 1=1 --", "../../etc/passwd", "%2e%2e",
    "a" * 5000, "true", "null", "1" * 300, "perfect", "mcts:seconds=1e9", "random:", "7", "-0", "0x10", "  44  ",
    "4\n4", "<script>",
)  # fmt: skip
BODIES = (
    b"",
    b"4455",
    b'"4455"',
    b"{}",
    b"[]",
    b'{"pos": 4}',
    b'{"pos": "44"}\n"x"',
    b"\xff\xfe",
    b"{" * 3000,
    b"null",
    b'{"pos":"4","board":7}',
)
CHEAP = "&seconds=0.05"


@dataclass(slots=True)
class Fuzzed:
    """How often each status came, and the requests whose answers were failures of the server or no problem objects."""

    statuses: Counter[int] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def fuzz(address: str, number: int, seed: int) -> Fuzzed:
    """Send so many requests, most of them wrong, one after the other."""
    chance = random.Random(seed)
    found = Fuzzed()
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    for _ in range(number):
        method, path, body = _make(chance)
        try:
            connection.request(method, path, body)
            response = connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as error:
            found.failures.append(f"{method} {path[:100]}: {type(error).__name__} {error}")
            connection.close()
            continue
        found.statuses[response.status] += 1
        kind = response.headers.get("content-type", "")
        is_problem = kind == "application/problem+json" or method == "HEAD" or _is_beneath(response.status, content)
        # Too little time is no failure of the server.
        if (response.status >= 500 and response.status != 504) or (response.status >= 400 and not is_problem):
            found.failures.append(f"{method} {path[:100]}: {response.status} {content[:100]!r}")
        if b"Traceback" in content:
            found.failures.append(f"{method} {path[:100]}: a traceback")
    connection.close()
    return found


def _is_beneath(status: int, content: bytes) -> bool:
    """Whether the server below the application refused the request, as being none at all."""
    return status == 400 and content.startswith((b"Invalid HTTP request", b"Invalid host"))


def _make(chance: random.Random) -> tuple[str, str, bytes | None]:
    method, path = chance.choice(METHODS), chance.choice(PATHS)
    if path == "/" and chance.random() < 0.9:
        path = "/" + quote(chance.choice(TEXTS)[:200])
    fields = [
        f"{name}={quote(_text(chance))}" for name in chance.sample(FIELDS, chance.randrange(4)) if name != "seconds"
    ]
    query = f"?{'&'.join(fields)}{CHEAP}" if chance.random() < 0.95 else "?" + quote(_text(chance), safe="&=%?")
    if method in ("GET", "HEAD") and "seconds" not in query:
        query += CHEAP
    body = chance.choice(BODIES) if method in ("POST", "PUT") else None
    return method, f"{path}{query}", body


def _text(chance: random.Random) -> str:
    if chance.random() < 0.7:
        return chance.choice(TEXTS)
    return "".join(chance.choice("1234567890abcdefgxo.,/[]{}\" '%&=\n\t-+é☃") for _ in range(chance.randrange(30)))
