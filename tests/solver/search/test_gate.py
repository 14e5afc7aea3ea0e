"""A gate that is left by an error is open again."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from claimeven.solver.search.gate import Gate


def test_a_gate_opens_again_where_nudging_fails() -> None:
    gate, is_inside, may_leave = Gate(), Event(), Event()

    def stay() -> None:
        with gate.inside():
            is_inside.set()
            may_leave.wait(60)

    def fail() -> None:
        raise MemoryError

    def pass_through() -> bool:
        with gate.inside():
            return True

    with ThreadPoolExecutor(2) as pool:
        staying = pool.submit(stay)
        assert is_inside.wait(60)
        with pytest.raises(MemoryError), gate.alone(fail):
            pytest.fail("it is not alone")
        passing = pool.submit(pass_through)
        try:
            assert passing.result(60)
        finally:
            gate._is_closed = False  # or this test would not end
            may_leave.set()
        staying.result(60)
        with gate.alone(lambda: None):
            pass
