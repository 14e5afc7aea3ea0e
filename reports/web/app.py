"""The explorer as an application: addresses, what they work with, and what holds for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from claimeven.reports.web import endpoints
from claimeven.reports.web.explorer import Explorer
from claimeven.reports.web.known import Known
from claimeven.reports.web.limits import Limits
from claimeven.reports.web.problem import Problem, answer_failure, answer_http_error, answer_problem
from claimeven.reports.web.solutions import Solutions

STATIC = Path(__file__).parent / "static"
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

HEADERS = {
    b"content-security-policy": b"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    b"frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"same-origin",
}


def make_app(
    known: Known,
    limits: Limits | None = None,
    *,
    solutions: Solutions | None = None,
    hosts: Sequence[str] = LOOPBACK,
) -> Starlette:
    """The application; `hosts` are the names under which it may be asked, `*` for any."""
    explorer = Explorer(known, limits or Limits(), solutions or Solutions())
    app = Starlette(
        routes=[
            Route("/", page),
            Route("/solve", endpoints.solve),
            Route("/solve", endpoints.solve_lines, methods=["POST"]),
            Route("/analyze", endpoints.analyze),
            Route("/query", endpoints.query),
            Route("/prove", endpoints.prove),
            Route("/graph", endpoints.graph),
            Route("/solution", endpoints.solution),
            Route("/board", endpoints.board),
            Route("/position", endpoints.position),
            Route("/move", endpoints.move),
            Route("/searches/{search}", endpoints.stop, methods=["DELETE"]),
            Route("/status", endpoints.status),
            Route("/openapi.json", endpoints.openapi),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, hosts=hosts)],
        exception_handlers={
            Problem: answer_problem,
            HTTPException: answer_http_error,
            Exception: answer_failure,
        },
        lifespan=explorer.running,
    )
    app.state.explorer = explorer
    return app


async def page(request: Request) -> Response:
    """The page."""
    return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})


class Guard:
    """Headers that keep the page to itself, no answers for scripts of other sites, and an answer at the end too.

    A server that is asked under a name that is not one of its `hosts` does not answer: a site of others could have
    its name lead to this machine, and would then be the same site for a browser.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        name = headers.get(b"host", b"").decode("latin-1").lower()
        if "*" not in self._hosts and _without_port(name) not in self._hosts:
            problem = Problem(400, "host", f"this server is not asked under the name {name[:100]!r}")
            await problem.response()(scope, receive, send)
            return
        if headers.get(b"sec-fetch-site") == b"cross-site" and headers.get(b"sec-fetch-mode") != b"navigate":
            problem = Problem(403, "site", "scripts of other sites are not answered")
            await problem.response()(scope, receive, send)
            return

        has_begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                message["headers"] = [*message["headers"], *HEADERS.items()]
            await send(message)

        try:
            await self._app(scope, receive, send_guarded)
        except asyncio.CancelledError:  # the server ends, and waits no longer for this answer
            if not has_begun:
                await Problem(503, "stopping", "the server is being stopped").response()(scope, receive, send)


def _without_port(host: str) -> str:
    """The name of a host as a request tells it; an address with colons has brackets.

    >>> _without_port("localhost:8044"), _without_port("[::1]:8044"), _without_port("[::1]")
    ('localhost', '[::1]', '[::1]')
    """
    name, colon, port = host.rpartition(":")
    return name if colon and not port.endswith("]") else host
