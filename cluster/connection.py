"""The way to a cluster: one of processes on this machine, or a scheduler somewhere else."""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from claimeven.cluster.errors import ClusterError, MissingDaskError

if TYPE_CHECKING:
    from distributed import Client

CONNECT_SECONDS = 30.0
LOGGERS = ("distributed", "tornado", "asyncio", "bokeh")


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    """Where the workers are: `processes` on this machine, or at a scheduler's address.

    >>> ClusterAddress.parse("local:2")
    ClusterAddress(scheduler=None, processes=2)
    >>> ClusterAddress.parse("tcp://scheduler:8786").scheduler
    'tcp://scheduler:8786'
    """

    scheduler: str | None
    processes: int = 0

    @classmethod
    def parse(cls, text: str) -> ClusterAddress:
        """What a user writes; raises ValueError, whose message is for the user."""
        match = re.fullmatch(r"local(?::([1-9]\d{0,3}))?", text, re.ASCII)
        if match is not None:
            return cls(None, int(match[1]) if match[1] else os.cpu_count() or 1)
        if re.fullmatch(r"(tcp|tls|ws|wss|ucx)://\S+", text):
            return cls(text)
        raise ValueError(
            f"{text!r} is neither local, local:N nor the address of a scheduler as in tcp://scheduler:8786"
        )


@contextmanager
def connect(address: ClusterAddress, threads: int | None, tell: Callable[[str], None]) -> Iterator[Client]:
    """A client of the cluster; processes on this machine are started, with so many threads each, and ended again.

    `tell` is told where the dashboard is. Raises ClusterError if there is no way there.
    """
    try:
        import distributed
    except ImportError:
        raise MissingDaskError("--cluster needs Dask; install it with: pip install 'claimeven[cluster]'") from None
    with ExitStack() as stack:
        stack.enter_context(_quiet())
        try:
            if address.scheduler is None:
                cluster = stack.enter_context(_start_processes(address.processes, threads or 1))
                client = distributed.Client(cluster, timeout=CONNECT_SECONDS, set_as_default=False)
            else:
                client = distributed.Client(address.scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError, ValueError, RuntimeError, TypeError) as error:
            where = address.scheduler or "this machine"
            raise ClusterError(f"{where}: there is no way to the cluster ({error})") from error
        stack.callback(_close, client)
        if client.dashboard_link:
            tell(f"dashboard: {client.dashboard_link}")
        yield client


@contextmanager
def _start_processes(number: int, threads: int) -> Iterator[object]:
    from distributed import LocalCluster

    with _deaf_to_interrupts():
        cluster = LocalCluster(
            n_workers=number,
            threads_per_worker=threads,
            processes=True,
            dashboard_address="127.0.0.1:8787",  # or another port if this one is taken
            silence_logs=logging.CRITICAL,
        )
    try:
        yield cluster
    finally:
        with suppress(Exception):  # what does not end by itself is killed
            cluster.close(timeout=10)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Let processes that are started here, and later by threads that are, not have Ctrl-C.

    A terminal sends it to all of them, and a worker would end in a traceback. It is for the process that the user
    started, where it comes when this is left; that one ends the others.
    """
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    # Or it is started with the first process, and whoever starts it has Ctrl-C again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _close(client: Client) -> None:
    with suppress(Exception):  # the scheduler may have gone before
        client.close(timeout=5)


def _is_dask(name: str) -> bool:
    return name.partition(".")[0] in LOGGERS


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's own words from the screen: what a user has to know is told in sentences."""
    # Those below them too: Dask gives some a level of their own.
    loggers = [logging.getLogger(name) for name in (*LOGGERS, *logging.root.manager.loggerDict) if _is_dask(name)]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="distributed|dask|bokeh|tornado")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
