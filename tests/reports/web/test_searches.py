"""Long searches: they tell how far they are, can be stopped, are bounded, and keep nobody else waiting."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from claimeven.db.location import StoreLocation
from claimeven.db.store import Store
from claimeven.reports.web.limits import Limits
from claimeven.reports.web.searches import LONG_NICENESS
from claimeven.solver.board import Board
from claimeven.solver.verdict import Source
from tests.positions import at
from tests.reports.web.serving import HARD, client_of, serve, wait_until_idle

EVENTS = {"Accept": "text/event-stream"}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serve(limits=Limits(threads=1, searches=6, turn=0.2)) as served:
        yield served


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    with client_of(address) as opened:
        wait_until_idle(opened)
        yield opened


def read_events(response: httpx.Response) -> Iterator[tuple[str, dict[str, object]]]:
    name = ""
    for line in response.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def test_events_end_with_the_answer(client: httpx.Client) -> None:
    with client.stream("GET", "/analyze", params={"pos": "4344445323", "line": "1"}, headers=EVENTS) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        events = list(read_events(response))
    assert [name for name, _ in events][-1] == "answer"
    assert {name for name, _ in events[:-1]} <= {"progress"}
    plain = client.get("/analyze", params={"pos": "4344445323", "line": "1"}).json()
    assert events[-1][1] == plain | {"whole": True}


def test_a_search_tells_what_it_has_and_is_stopped_by_its_id(client: httpx.Client) -> None:
    with client.stream("GET", "/analyze", params=HARD, headers=EVENTS) as response:
        events = read_events(response)
        seen = [next(events)[1] for _ in range(3)]
        nodes = [int(str(each["nodes"])) for each in seen]
        assert nodes == sorted(nodes)
        assert nodes[-1] > 0
        assert len(seen[-1]["children"]) == 8  # type: ignore[arg-type]
        with client_of(str(client.base_url)) as other:
            assert other.delete(f"/searches/{seen[0]['search']}").status_code == 204
        *_, (name, answer) = events
    assert (name, answer["whole"]) == ("answer", False)
    wait_until_idle(client)


def test_a_client_that_goes_away_stops_its_search(client: httpx.Client) -> None:
    with client.stream("GET", "/analyze", params=HARD, headers=EVENTS) as response:
        next(read_events(response))
    wait_until_idle(client)
    for path in ("/solve", "/analyze"):
        with pytest.raises(httpx.ReadTimeout):
            client.get(path, params=HARD, timeout=0.6)
        wait_until_idle(client)
    batch = '{"pos": "44", "board": "8x7"}\n'
    with pytest.raises(httpx.ReadTimeout):
        client.post("/solve", content=batch, timeout=0.6)
    wait_until_idle(client)


def test_time_is_bounded(client: httpx.Client) -> None:
    response = client.get("/solve", params=HARD | {"seconds": "0.5"})
    assert response.status_code == 504
    assert response.json()["type"].endswith(":time")
    partly = client.get("/analyze", params=HARD | {"seconds": "0.5"})
    assert (partly.status_code, partly.json()["best_moves"]) == (200, None)


def test_a_flood_of_long_searches_neither_starves_quick_ones_nor_grows(client: httpx.Client) -> None:
    with ExitStack() as stack:
        floods = []
        for _ in range(6):
            other = stack.enter_context(client_of(str(client.base_url)))
            floods.append(stack.enter_context(other.stream("GET", "/analyze", params=HARD, headers=EVENTS)))
        events = [read_events(flood) for flood in floods]
        for each in events:
            next(each)
        # All of them get their turn.
        for each in events:
            while not int(str(next(each)[1].get("nodes", 0))):
                pass
        refused = client.get("/solve", params={"pos": "44444415112"})
        assert refused.status_code == 503
        assert int(refused.headers["retry-after"]) > 0
        assert client.get("/status").json()["searches"] == 6
        floods[0].close()
        answers = list[list[int]]()
        while len(answers) < 3:
            response = client.get("/solve", params={"pos": "44444415112"})
            if response.status_code == 200:  # once the server has noticed that one is gone
                answers.append(response.json()["score"])
        assert answers == [[-15, -15, -4, 100, -15, -15, -15]] * 3
        assert client.get("/status").json()["searches"] >= 5
        assert client.get("/prove", params={"pos": "12"}).json()["value"] == "not-white"
    wait_until_idle(client)


def test_what_takes_a_second_does_not_wait_for_all_that_take_for_ever() -> None:
    """With one slot and a flood that fills it, a search too long for the quick lane has the next turn."""
    limits = Limits(threads=1, slots=1, turn=0.2, quick_nodes=1)
    with serve(limits=limits) as address, ExitStack() as stack, client_of(address) as client:
        floods = []
        for _ in range(12):
            other = stack.enter_context(client_of(address))
            floods.append(stack.enter_context(other.stream("GET", "/analyze", params=HARD, headers=EVENTS)))
        for flood in floods:
            next(read_events(flood))
        for _ in range(3):
            began = time.monotonic()
            assert client.get("/solve", params={"pos": "44444415112"}).json()["score"][2] == -4
            assert time.monotonic() - began < 12 * limits.turn  # a round of all of them


def test_nothing_is_written_unless_it_may_be(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    position = at("44455554221")
    with Store.open(path) as store:
        store.put(at("4455"), store.get(at("4455")))
    before = path.read_bytes()
    location = StoreLocation.find(str(path))
    with serve(location) as address, client_of(address) as client:
        client.get("/analyze", params={"pos": "4445555422"})
    assert path.read_bytes() == before
    with serve(location, writes=True) as address, client_of(address) as client:
        client.get("/analyze", params={"pos": "4445555422"})
    with Store.open(path, writable=False) as store:
        assert (store.get(position).score, store.get(position).source) == (-15, Source.SEARCH)
    with serve(location) as address, client_of(address) as client:
        told = client.get("/query", params={"pos": "44455554221"}).json()
    assert (told["score"], told["source"]) == (-15, "search")


def test_many_boards_take_no_more_memory_than_one() -> None:
    with serve(limits=Limits(threads=1, quick_nodes=1, slots=2)) as address, client_of(address) as client:
        boards = [Board(columns, 4) for columns in (4, 5)] + [Board(4, 5), Board(5, 4, 3), Board(4, 4, 3)]
        before = threading.active_count()
        for board in [*boards, *boards]:
            assert client.get("/solve", params={"board": str(board)}).status_code == 200
        # A searcher has a thread: two slots and the quick lane are three of them, whatever the number of boards.
        assert threading.active_count() - before <= 3 + 6


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux knows threads of different niceness")
def test_long_searches_give_way_to_everything_else(client: httpx.Client) -> None:
    before = os.getpriority(os.PRIO_PROCESS, 0)
    with client.stream("GET", "/analyze", params=HARD, headers=EVENTS) as response:
        for _, event in read_events(response):
            if int(str(event.get("nodes", 0))) > 1_000_000:  # it has left the quick lane
                break
        nice = {niceness_of(task) for task in Path("/proc/self/task").iterdir()}
    assert max(nice) == min(before + LONG_NICENESS, 19)
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


def niceness_of(task: Path) -> int:
    """The niceness of a thread; one that has ended meanwhile has none to speak of."""
    try:
        return int((task / "stat").read_text().rpartition(")")[2].split()[16])
    except OSError:
        return -20
