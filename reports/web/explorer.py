"""What the addresses of the explorer work with: what is known, the searches, and threads for the rest."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request

from claimeven.reports.web.analyses import Analyst
from claimeven.reports.web.asked import read_number
from claimeven.reports.web.kernels import Kernels
from claimeven.reports.web.known import Known
from claimeven.reports.web.limits import Limits
from claimeven.reports.web.searches import Searches
from claimeven.reports.web.solutions import Solutions
from claimeven.reports.web.workshop import Workshop


class Explorer:
    """One for each server, from its start to its end."""

    def __init__(self, known: Known, limits: Limits, solutions: Solutions) -> None:
        self.known = known
        self.solutions = solutions
        self.limits = limits
        self.kernels = Kernels()
        self.searches = Searches(limits)
        self.analyst = Analyst(known, self.searches, self.kernels)
        self.fast = Workshop(1, 4 * limits.drawings)
        self.slow = Workshop(2, limits.drawings)

    def seconds_of(self, request: Request) -> float:
        """The time that a request may take: what it asks for, and never more than the limit."""
        most = self.limits.seconds
        return read_number(request.query_params, "seconds", most, 0.01, most)

    @asynccontextmanager
    async def running(self, app: Starlette) -> AsyncIterator[None]:
        await self.known.open()
        self.kernels.begin()
        try:
            yield
        finally:
            self.kernels.close()
            await self.searches.close()
            self.fast.close()
            self.slow.close()
            await self.known.close()
