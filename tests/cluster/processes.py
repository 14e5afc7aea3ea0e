"""Schedulers and workers as processes of their own, as a user starts them, for tests that kill, stop or spoil them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

SECONDS = 120.0
Process = subprocess.Popen[bytes]


class Machines:
    """A scheduler and workers, each a process; all are ended with the block."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._processes: list[Process] = []
        self.address = ""
        self.scheduler = self.start_scheduler()

    def start_scheduler(self, port: int = 0) -> Process:
        file = self._directory / f"scheduler-{len(self._processes)}.json"
        process = self._start(
            "distributed.cli.dask_scheduler",
            *("--host", "127.0.0.1", "--port", str(port), "--dashboard-address", "127.0.0.1:0"),
            *("--scheduler-file", str(file)),
        )
        wait_for(lambda: file.exists() and file.read_text().endswith("}"), "the scheduler")
        self.address = str(json.loads(file.read_text())["address"])
        return process

    def start_worker(self, name: str, *options: str, preload: str = "", path: Path | None = None) -> Process:
        """A worker with one thread; `preload` is a program that it runs first, `path` where it looks for modules."""
        if preload:
            program = self._directory / f"{name}.py"
            program.write_text(preload)
            options = (*options, "--preload", str(program))
        environment = os.environ | ({"PYTHONPATH": str(path)} if path is not None else {})
        if "--nanny" not in options:
            options = ("--no-nanny", *options)
        return self._start(
            "distributed.cli.dask_worker",
            *(self.address, "--name", name, "--nthreads", "1", "--no-dashboard"),
            *("--local-directory", str(self._directory), *options),
            environment=environment,
        )

    def _start(self, module: str, *arguments: str, environment: dict[str, str] | None = None) -> Process:
        process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            cwd=self._directory,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=(self._directory / f"log-{len(self._processes)}.txt").open("wb"),
        )
        self._processes.append(process)
        return process

    def close(self) -> None:
        for process in self._processes:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait()


@contextmanager
def machines(directory: Path) -> Iterator[Machines]:
    started = Machines(directory)
    try:
        yield started
    finally:
        started.close()


def wait_for(is_so: Callable[[], object], what: str) -> None:
    until = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < until, f"{what} did not come in {SECONDS} s"
        time.sleep(0.05)
