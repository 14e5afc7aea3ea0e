"""Threads for what takes a while and cannot be stopped: pictures, graphs, proofs ahead, the moves of players."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from claimeven.reports.web.problem import Problem
from claimeven.solver.proof.certificate import FalseProofError

Result = TypeVar("Result")


class Workshop:
    """Threads for work that comes to its end by itself; so much of it may wait, and no more."""

    def __init__(self, threads: int, most: int) -> None:
        self._most = most
        self._wanted = 0
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="workshop")

    async def make(self, work: Callable[[], Result]) -> Result:
        """What `work` gives; raises Problem if too much is waited for, and if a proof turns out to be false."""
        if self._wanted >= self._most:
            raise Problem(503, "busy", f"{self._most} requests of this kind wait already", retry_after=2)
        self._wanted += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        except FalseProofError as error:
            raise Problem(500, "false-proof", str(error)) from None
        finally:
            self._wanted -= 1

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
