"""The options of every command that a cluster can work for: --cluster, --spot-check and --worker-timeout."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from claimeven.cluster.connection import ClusterAddress
from claimeven.cluster.errors import ClusterError
from claimeven.scripts.options.seconds import Seconds

if TYPE_CHECKING:
    from claimeven.cluster.crew import Crew
    from claimeven.cluster.messages import Question
    from claimeven.solver.deciding.key_decider import KeyDecider
    from claimeven.solver.position import Position
    from claimeven.solver.proof.certificate import Certificate

SPOT_CHECKS = 10
TIMEOUT = 120.0
GO_ON = "what is done is kept, run the same command to go on, with or without --cluster"


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """What the options say; without an address the work is done here."""

    address: ClusterAddress | None = None
    spot_checks: int = SPOT_CHECKS
    timeout: float = TIMEOUT


class AddressType(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """`local`, `local:N`, or the address of a scheduler."""

    name = "WHERE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> ClusterAddress:
        if isinstance(value, ClusterAddress):
            return value
        try:
            return ClusterAddress.parse(value)
        except ValueError as error:
            return self.fail(str(error), param, ctx)


def cluster_options(*, spot_check: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options; the command gets them as one argument, `cluster`."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @click.option(
            "--cluster",
            "address",
            type=AddressType(),
            help="Let Dask workers compute: local or local:N for processes here, or a scheduler as in tcp://HOST:8786.",
        )
        @click.option(
            "--worker-timeout",
            type=Seconds(),
            default=TIMEOUT,
            show_default=True,
            metavar="S",
            help="Give a worker's chunk to another one when it is silent for S seconds.",
        )
        @functools.wraps(command)
        def with_cluster(
            *arguments: Any,
            address: ClusterAddress | None,
            worker_timeout: float,
            spot_check: int = 0,
            **others: Any,
        ) -> Any:
            return command(*arguments, cluster=ClusterSettings(address, spot_check, worker_timeout), **others)

        if not spot_check:
            return with_cluster
        return click.option(
            "--spot-check",
            type=click.IntRange(0),
            default=SPOT_CHECKS,
            show_default=True,
            metavar="N",
            help="Search N verdicts of every batch that comes from a cluster again here.",
        )(with_cluster)

    return decorate


@contextmanager
def open_crew(settings: ClusterSettings, threads: int | None, remedy: str = GO_ON) -> Iterator[Crew]:
    """The workers that the user named; errors of the cluster end the command with one line and status 1."""
    from claimeven.cluster.connection import connect

    assert settings.address is not None
    with cluster_errors(remedy), ExitStack() as stack:
        if settings.address.scheduler is None:
            from claimeven.cluster.worker import warm_up

            warm_up()  # or all processes would compile the same at once
        client = stack.enter_context(connect(settings.address, threads, _tell))
        from claimeven.cluster.crew import Crew

        crew = Crew(client, settings.timeout, _tell)
        stack.callback(crew.close)
        yield crew


@contextmanager
def open_decider(
    settings: ClusterSettings, question: Question, prover: Callable[[Position], Certificate | None] | None = None
) -> Iterator[KeyDecider]:
    """Whoever decides the positions: threads of this process, or the cluster that the user named.

    Only the former can have a `prover` (`Decider`).
    """
    if settings.address is None:
        from claimeven.solver.deciding.decider import Decider

        decider = Decider(
            question.board,
            question.engine,
            scores=question.scores,
            proofs=question.proofs,
            prover=prover,
            memory_bytes=question.memory_bytes,
            threads=question.threads,
            budget=question.budget,
        )
        with closing(decider):
            yield decider
        return
    with open_crew(settings, question.threads) as crew:
        from claimeven.cluster.decider import ClusterDecider

        yield ClusterDecider(crew, question, spot_checks=settings.spot_checks)


@contextmanager
def cluster_errors(remedy: str = GO_ON) -> Iterator[None]:
    """One clear line and status 1 if the cluster cannot go on."""
    try:
        yield
    except ClusterError as error:
        raise click.ClickException(f"{error}; {remedy}") from error


def _tell(sentence: str) -> None:
    tqdm.write(sentence, file=sys.stderr)
