from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from claimeven.solver.players.stoppable import deadline_of, run_all


def test_results_come_in_order_and_nothing_is_stopped_that_is_in_time() -> None:
    stopped = threading.Event()
    with ThreadPoolExecutor(2) as pool:
        second_is_done = threading.Event()

        def first() -> str:
            return "first" if second_is_done.wait(30) else "alone"

        def second() -> str:
            second_is_done.set()
            return "second"

        assert run_all(pool, [first, second], time.monotonic() + 60, stopped.set) == ["first", "second"]
    assert not stopped.is_set()


def test_searches_are_stopped_at_the_deadline() -> None:
    stopped = threading.Event()
    began = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        assert run_all(pool, [lambda: stopped.wait(60)] * 2, deadline_of(0.1), stopped.set) == [True, True]
    assert 0.08 < time.monotonic() - began < 5


def test_an_error_stops_the_other_searches_and_is_raised() -> None:
    stopped = threading.Event()

    def fail() -> bool:
        raise ZeroDivisionError

    with ThreadPoolExecutor(2) as pool, pytest.raises(ZeroDivisionError):
        run_all(pool, [fail, lambda: stopped.wait(60)], time.monotonic() + 0.05, stopped.set)
    assert stopped.is_set()
