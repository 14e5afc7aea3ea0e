"""What is wrong with a request, as a problem object (RFC 9457): never a page, never a traceback."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

MEDIA_TYPE = "application/problem+json"
_PHRASES = {499: "Client Closed Request"}


class Problem(Exception):
    """A request that gets no answer: an HTTP status, a short name of the problem, and a sentence for the user.

    >>> Problem(400, "position", "column 9 does not exist").fields["title"]
    'Bad Request'
    """

    def __init__(self, status: int, kind: str, detail: str, *, retry_after: int | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.retry_after = retry_after
        self.fields: dict[str, Any] = {
            "type": f"urn:claimeven:problem:{kind}",
            "title": _PHRASES.get(status) or HTTPStatus(status).phrase,
            "status": status,
            "detail": detail,
        }

    def response(self) -> Response:
        headers = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        return Response(json.dumps(self.fields), self.status, headers, MEDIA_TYPE)


async def answer_problem(request: Request, error: Exception) -> Response:
    """The response to a Problem."""
    assert isinstance(error, Problem)
    return error.response()


async def answer_http_error(request: Request, error: Exception) -> Response:
    """The response to what the router refuses: no such address, no such method."""
    assert isinstance(error, HTTPException)
    kind = {404: "address", 405: "method"}.get(error.status_code, "request")
    detail = {
        404: f"there is nothing at {request.url.path[:200]}",
        405: f"{request.method} is not answered at {request.url.path[:200]}",
    }.get(error.status_code, error.detail)
    response = Problem(error.status_code, kind, detail).response()
    response.headers.update(error.headers or {})
    return response


async def answer_failure(request: Request, error: Exception) -> Response:
    """The response to a defect of the server; the log has the rest."""
    return Problem(500, "failure", "the server failed at this request; its log says how").response()
