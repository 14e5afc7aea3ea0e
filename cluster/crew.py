"""The workers of a cluster and what each of them is at: who is there, who is one of ours, who has gone silent.

Each task goes to a worker that is chosen here, a bounded number of them at a time, so that stretches of neighbours
stay together and it is known who has what. A worker that leaves, goes silent or fails costs what it was at, which is
done again elsewhere.
"""

from __future__ import annotations

import itertools
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from claimeven.cluster.errors import ClusterError, DisagreementError, LostSchedulerError
from claimeven.cluster.identity import describe_difference, make_greeting
from claimeven.cluster.sharing import IN_FLIGHT
from claimeven.cluster.worker import LIFE_TOPIC

if TYPE_CHECKING:
    from distributed import Client, Future

PULSE = 0.25
LOOK_SECONDS = 1.0
PREPARING = 10
"""How many times as long as usual a worker may be silent before its first task, as it may have to compile."""

LOSSES = 4
"""A task that so many workers were lost with, or failed at, is not given to another."""

FAILURES = 3
"""A worker that fails so often, with nothing done in between, gets no more."""

RECONNECT_SECONDS = 10.0
ABSENCE_SECONDS = 5.0

Piece = TypeVar("Piece")
Found = TypeVar("Found", covariant=True)


class Work(Protocol[Piece, Found]):
    """What is to be done: pieces of work for workers, and what becomes of their answers."""

    @property
    def is_over(self) -> bool:
        """Whether all is done."""

    @property
    def preparation(self) -> tuple[Any, ...]:
        """The function with its arguments that makes a worker ready."""

    def take(self, worker: str, workers: int) -> Piece | None:
        """The next piece for a worker, one of so many; None if there is none for it now."""

    def task_of(self, piece: Piece) -> tuple[Any, ...]:
        """The function that does a piece, with its arguments."""

    def receive(self, worker: str, piece: Piece, answer: Any) -> Found:
        """What an answer says; raises DisagreementError if it cannot be right."""

    def give_back(self, worker: str, piece: Piece) -> int:
        """A piece was lost, or done wrongly; gives how often that has happened to it."""

    def leave(self, worker: str) -> None:
        """A worker is gone."""


@dataclass(slots=True)
class Member:
    """A worker: its name, whether it may have work, and when it was last heard."""

    address: str
    heard: float
    name: str
    is_ready: bool = False
    is_silent: bool = False
    refused: str | None = None
    failures: int = 0
    flights: set[int] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class Flight(Generic[Piece]):
    """A task that is out; without a piece it is the greeting, or what makes a worker ready."""

    worker: str
    piece: Piece | None
    future: Future
    is_greeting: bool = False


class Crew:
    """The workers of a Dask client.

    `patience` is how long a worker that has something to do may be silent. `tell` is told in sentences who was refused,
    lost or silent.
    """

    def __init__(self, client: Client, patience: float, tell: Callable[[str], None]) -> None:
        self.client = client
        self._patience = patience
        self.tell = tell
        self._members: dict[str, Member] = {}
        self._flights: dict[int, Flight[Any]] = {}
        self._numbers = itertools.count()
        self._run = uuid.uuid4().hex[:8]
        self._events: SimpleQueue[tuple[str, Any, Any]] = SimpleQueue()
        self._fetching = ThreadPoolExecutor(4, thread_name_prefix="fetch")
        self._looked = 0.0
        self._connected = time.monotonic()
        self._waits = False
        client.subscribe_topic(LIFE_TOPIC, lambda event: self._events.put(("life", event[1], None)))

    @property
    def names(self) -> list[str]:
        """The workers that may have work."""
        return [member.name for member in self._members.values() if member.is_ready]

    def close(self) -> None:
        """Forget what is still out."""
        for number in list(self._flights):
            self._drop(number)
        self._fetching.shutdown(wait=False, cancel_futures=True)

    def wake(self) -> None:
        """Look at once for what there is to do; for other threads, who have asked for something."""
        self._events.put(("life", None, None))

    def do(self, work: Work[Any, Found]) -> Iterator[Found | None]:
        """Have work done; what is found comes as it does, and None now and then as a sign of life.

        On Ctrl-C what has come by then is handed on before the KeyboardInterrupt. Raises LostSchedulerError, and
        ClusterError if a piece cannot be done or no worker is any use.
        """
        try:
            while not work.is_over:
                self._look_around(work)
                self._hand_out(work)
                try:
                    event = self._events.get(timeout=PULSE)
                except Empty:
                    yield None
                    continue
                except KeyboardInterrupt:
                    yield from self._take_what_is_there(work)
                    raise
                found = self._handle(event, work)
                if found is not None:
                    yield found
        finally:
            for number, flight in list(self._flights.items()):
                if flight.piece is not None:
                    self._drop(number)

    def _take_what_is_there(self, work: Work[Any, Found]) -> Iterator[Found]:
        while not self._events.empty():
            found = self._handle(self._events.get(), work)
            if found is not None:
                yield found

    # Who is there

    def _look_around(self, work: Work[Any, Any]) -> None:
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        if now - self._looked > ABSENCE_SECONDS:
            # This process was stopped itself, or busy: others may have been heard meanwhile.
            self._connected = now
            for member in self._members.values():
                member.heard = now
        self._looked = now
        present = self._ask_who_is_there(now)
        if present is None:
            return
        for address in self._members.keys() - present:
            self._lose(address, work, "is gone")
            del self._members[address]
        for address in present - self._members.keys():
            self._members[address] = Member(address, now, address)
            self._send(address, None, (make_greeting(),), is_greeting=True)
        for member in self._members.values():
            patience = self._patience * (1 if member.is_ready else PREPARING)
            if member.flights and not member.is_silent and now - member.heard > patience:
                self._lose(member.address, work, f"has been silent for {now - member.heard:.0f} s")
                member.is_silent, member.is_ready = True, False
                # Should it ever answer that, it gets work again.
                self._send(member.address, None, (make_greeting(),), is_greeting=True)
        self._say_if_nobody_is_left()

    def _ask_who_is_there(self, now: float) -> set[str] | None:
        """The addresses of all workers, None if the scheduler does not answer just now."""
        client = self.client
        try:
            if client.status == "running":
                present = set(client.sync(client.scheduler.ncores, callback_timeout=RECONNECT_SECONDS))
                self._connected = now
                return present
        except Exception as error:  # whatever it is, the scheduler has not answered
            if now - self._connected > RECONNECT_SECONDS:
                raise LostSchedulerError(f"the scheduler does not answer any more ({type(error).__name__})") from error
        if now - self._connected > RECONNECT_SECONDS or client.status == "closed":
            raise LostSchedulerError("the scheduler is gone")
        return None

    def _say_if_nobody_is_left(self) -> None:
        if any(member.refused is None for member in self._members.values()):
            self._waits = False
            return
        if self._members:
            reasons = "; ".join(f"{member.name}: {member.refused}" for member in self._members.values())
            raise ClusterError(f"no worker of the cluster is any use: {reasons}")
        if not self._waits:
            self._waits = True
            self.tell("the cluster has no workers; waiting for one, Ctrl-C stops")

    def _lose(self, address: str, work: Work[Any, Any], why: str) -> None:
        """Do again elsewhere what a worker has."""
        member = self._members[address]
        pieces = [flight.piece for number in list(member.flights) if (flight := self._drop(number)) is not None]
        pieces = [piece for piece in pieces if piece is not None]
        if member.is_ready or member.refused is not None or pieces:
            again = f"; {len(pieces)} of its chunks are done again elsewhere" if pieces else ""
            self.tell(f"worker {member.name} {why}{again}")
        for piece in pieces:
            self._give_back(address, piece, work, f"worker {member.name} {why}")
        work.leave(address)

    def _give_back(self, address: str, piece: Any, work: Work[Any, Any], why: str) -> None:
        if work.give_back(address, piece) >= LOSSES:
            raise ClusterError(f"{LOSSES} workers were lost with the same chunk or failed at it, the last time: {why}")

    # What is out

    def _hand_out(self, work: Work[Any, Any]) -> None:
        if self.client.status != "running":
            return
        free = [each for each in self._members.values() if each.is_ready and each.refused is None]
        # One round after the other, so that nobody has two while another has none.
        for number in range(IN_FLIGHT):
            for member in free:
                if len(member.flights) == number:
                    piece = work.take(member.address, len(free))
                    if piece is not None:
                        self._send(member.address, piece, work.task_of(piece))

    def _send(self, address: str, piece: Any, task: tuple[Any, ...], *, is_greeting: bool = False) -> None:
        member, number = self._members[address], next(self._numbers)
        if not member.flights:
            member.heard = time.monotonic()
        function, *arguments = task
        future: Future = self.client.submit(
            function, *arguments, key=f"claimeven-{self._run}-{number}", workers=[address], pure=False, retries=0
        )
        self._flights[number] = Flight(address, piece, future, is_greeting)
        member.flights.add(number)
        future.add_done_callback(lambda done: self._fetch(number, done))

    def _fetch(self, number: int, future: Future) -> None:
        """Get a result, in a thread: whoever has it may go away meanwhile."""

        def fetch() -> None:
            try:
                answer = future.result(timeout=self._patience)
            except BaseException as error:
                self._events.put(("failed", number, error))
            else:
                self._events.put(("done", number, answer))

        if number in self._flights:
            self._fetching.submit(fetch)

    def _drop(self, number: int) -> Flight[Any] | None:
        flight = self._flights.pop(number, None)
        if flight is None:
            return None
        if flight.worker in self._members:
            self._members[flight.worker].flights.discard(number)
        try:
            flight.future.cancel()
        except Exception:  # the scheduler is gone, and has forgotten it anyway
            return flight
        return flight

    def _handle(self, event: tuple[str, Any, Any], work: Work[Any, Found]) -> Found | None:
        kind, what, answer = event
        if kind == "life":
            if what in self._members:
                self._members[what].heard = time.monotonic()
            return None
        flight = self._drop(what)
        member = self._members.get(flight.worker) if flight is not None else None
        if flight is None or member is None:
            return None  # it was given up, and is done by another
        member.heard, member.is_silent = time.monotonic(), False
        if kind == "failed":
            self._fail(member, flight, answer, work)
        elif flight.is_greeting:
            self._greet(member, answer, work)
        elif flight.piece is None:
            member.is_ready = True
        else:
            return self._receive(member, flight.piece, answer, work)
        return None

    def _receive(self, member: Member, piece: Any, answer: Any, work: Work[Any, Found]) -> Found | None:
        try:
            found = work.receive(member.address, piece, answer)
        except DisagreementError as error:
            self._refuse(member, str(error), work)
            self._give_back(member.address, piece, work, f"{member.name}: {error}")
            return None
        member.failures = 0
        return found

    def _greet(self, member: Member, greeting: tuple[str, str | None, str | None], work: Work[Any, Any]) -> None:
        member.name, version, digest = greeting
        difference = describe_difference(version, digest)
        if difference is not None:
            self._refuse(member, difference, work)
        else:
            self._send(member.address, None, work.preparation)

    def _fail(self, member: Member, flight: Flight[Any], error: BaseException, work: Work[Any, Any]) -> None:
        """A task ended in an error, or its result was lost."""
        why = f"{type(error).__name__}: {error}".strip().removesuffix(":")
        if isinstance(error, CancelledError):
            why = "the scheduler has forgotten a task"  # as one does that is going away
        else:
            member.failures += 1
        if member.failures >= FAILURES or (flight.piece is None and member.failures):
            self._refuse(member, why, work)
        elif flight.piece is not None:
            self.tell(f"worker {member.name} failed ({why}); its chunk is done again")
        if flight.piece is not None:
            self._give_back(member.address, flight.piece, work, f"{member.name}: {why}")

    def _refuse(self, member: Member, why: str, work: Work[Any, Any]) -> None:
        """Give a worker nothing more."""
        member.refused, member.is_ready = why, False
        self._lose(member.address, work, f"is refused: {why}")
