"""Every position is shared out, in stretches of neighbours, and done once, whoever leaves or loses what it had."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from claimeven.cluster.sharing import LARGEST, Part, Sharing

WORKERS = ("a", "b", "c")


@given(st.integers(0, 3000), st.lists(st.tuples(st.sampled_from(WORKERS), st.integers(0, 9)), max_size=300))
def test_every_position_is_done_once_whatever_happens(count: int, events: list[tuple[str, int]]) -> None:
    sharing = Sharing(count)
    out: dict[str, list[Part]] = {worker: [] for worker in WORKERS}
    done: list[int] = []
    for worker, event in [*events, *((worker, 3) for _ in range(2 * count + 9) for worker in WORKERS)]:
        if event == 0:
            sharing.leave(worker)
            for part in out[worker]:
                sharing.give_back(part)
            out[worker] = []
        elif event == 1 and out[worker]:
            sharing.give_back(out[worker].pop())
        elif event < 6 and out[worker]:
            part = out[worker].pop(0)
            done += range(part.start, part.stop)
            sharing.done(worker, part, 0.01 * event)
        elif (taken := sharing.take(worker, len(WORKERS))) is not None:
            out[worker].append(taken)
        waiting = count - len(done) - sum(len(part) for parts in out.values() for part in parts)
        assert sharing.waiting == waiting
        if sharing.is_over:
            break
    assert sharing.is_over
    assert sorted(done) == list(range(count))
    assert sharing.take("a") is None


def test_a_worker_keeps_to_its_stretch_and_parts_grow_to_what_it_can_do() -> None:
    sharing = Sharing(100_000, chunk_seconds=2.0)
    parts = []
    for _ in range(6):
        part = sharing.take("a", workers=2)
        assert part is not None
        sharing.done("a", part, len(part) / 500)  # five hundred a second
        parts.append(part)
    assert [part.start for part in parts[1:]] == [part.stop for part in parts[:-1]]
    assert len(parts[-1]) == 1000


def test_another_worker_gets_the_far_half_and_small_parts_at_the_end() -> None:
    sharing = Sharing(1000)
    first = sharing.take("a", workers=2)
    second = sharing.take("b", workers=2)
    assert first is not None
    assert second is not None
    assert second.start > 450
    sharing.done("a", first, 1e-6)  # so fast that it could do all at once
    last = sharing.take("a", workers=2)
    assert last is not None
    assert len(last) <= 250 < LARGEST


def test_with_many_workers_parts_are_longer() -> None:
    def size(workers: int) -> int:
        sharing = Sharing(100_000_000)
        length = 0
        for _ in range(5):  # parts grow
            part = sharing.take("a", workers)
            assert part is not None
            sharing.done("a", part, len(part) / 40)  # forty a second
            length = len(part)
        return length

    assert size(2) == 80
    assert size(1000) == 2000  # 50 seconds: whoever asked gets 20 answers a second from all of them


def test_who_lost_a_part_can_be_passed_over() -> None:
    sharing = Sharing(8)
    part = sharing.take("a")
    assert part is not None
    sharing.give_back(part)
    other = sharing.take("a", avoiding=frozenset([part.number]))
    assert other is not None
    assert other.number != part.number
    assert sharing.take("b") == part


def test_an_easy_part_is_no_reason_for_one_that_takes_for_ever() -> None:
    sharing = Sharing(1_000_000)
    length = 0
    for seconds in (1.0, 1.0, 1.0, 0.001):  # four a second, but for the last part
        part = sharing.take("a", workers=2)
        assert part is not None
        sharing.done("a", part, seconds * len(part) / 4)
        length = len(part)
    after = sharing.take("a", workers=2)
    assert after is not None
    assert 1 < len(after) < 4 * length


def test_at_the_end_parts_are_not_so_short_that_whoever_asked_is_overrun() -> None:
    sharing = Sharing(3000)
    sizes = []
    for number in range(1000):  # as many workers, ten positions a second each
        part = sharing.take(number, workers=1000)
        if part is None:
            break
        sharing.done(number, part, len(part) / 10)
        sizes.append(len(part))
    assert min(sizes[1:-50]) >= 2
    assert sharing.is_over
