"""Proof-number search on the whole game and on all openings of a ply, beside alpha-beta in the same run."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from claimeven.db.books.packed import shipped_book
from claimeven.db.pipeline import read_known
from claimeven.db.store import Store
from claimeven.solver.board import Board
from claimeven.solver.enumeration import enumerate_plies
from claimeven.solver.notation import format_moves, some_moves
from claimeven.solver.position import Position, Side
from claimeven.solver.positions import Keys, are_over
from claimeven.solver.search.dfpn.answer import ProofSize
from claimeven.solver.search.dfpn.searcher import ProofNumberSearcher
from claimeven.solver.search.searcher import Searcher
from claimeven.solver.verdict import AT_MOST_DRAW, BLACK_WINS, DRAWN, WHITE_WINS, Bounds, Source, Value, Verdict
from claimeven.solver.verdicts import VerdictBatch

OnProgress: TypeAlias = Callable[[int, int, int], None]
"""Told how many positions are done, how many there are, and the nodes so far."""

COMMAND = "bench dfpn"
OTHER_HOURS = 28
"""What the best-known Python program of this kind, nine rules and df-pn, needed for the game of 7x6."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a search took: by the clock, that of a process which is halted going on, and of all cores together."""

    seconds: float
    cpu_seconds: float
    nodes: int


@dataclass(frozen=True, slots=True)
class PlyProofs:
    """All unfinished positions of a ply, one a mirror pair, ply 0 being the whole game.

    Asked is whether White wins and, only if `asks_black`, whether Black does where White does not. `cost` is that of
    all `runs` that had a part in it, of which `lost` did not say theirs. `in_book` were compared with the book, the
    others with alpha-beta, and `differing` are those where these say something else. Of a single position, which is
    always compared with alpha-beta, `sizes` has the proofs by what they say. `made_by` says where it was measured.
    """

    board: str
    ply: int
    asks_black: bool
    positions: int
    answers: dict[str, int]
    runs: int
    lost: int
    cost: Cost
    evaluations: int
    rule_leaves: int
    sizes: dict[str, ProofSize]
    yardstick: Cost
    in_book: int
    differing: tuple[str, ...]
    made_by: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.board}, whole game" if self.ply == 0 else f"{self.board}, all openings of {self.ply} plies"


def prove_ply(
    board: Board,
    ply: int,
    threads: int,
    memory_bytes: int,
    store: Store,
    *,
    asks_black: bool = True,
    uses_book: bool = True,
    on_progress: OnProgress = lambda done, total, nodes: None,
) -> PlyProofs:
    """Prove all positions of a ply with what is in the store already, then solve them by alpha-beta, and compare.

    What the book has is not solved if it is used.

    What is found on the way is stored, so that a run that was stopped can be gone on with.
    """
    keys = dict(enumerate_plies(board, ply))[ply]
    keys = keys[~are_over(board, keys)]
    positions = [Position.from_key(board, key) for key in keys.tolist()]
    searcher = ProofNumberSearcher(board, memory_bytes, threads)
    for known in read_known(store, board):
        searcher.learn(known)
    arguments = {"board": str(board), "ply": ply, "asks_black": asks_black}
    answers = _prove(searcher, positions, store, arguments, on_progress)
    runs = [run for run in store.runs() if run.command == COMMAND and run.arguments == arguments]
    counts = [run.counts for run in runs if run.counts is not None]
    total = {name: sum(each[name] for each in counts) for name in _COUNTED}
    booked = _look_up(board, keys) if uses_book and len(positions) > 1 else [None] * len(positions)
    asked = [position for position, value in zip(positions, booked, strict=True) if value is None]
    found, yardstick = _search_by_alpha_beta(board, asked, threads, memory_bytes)
    searched = iter(found)
    values = [next(searched) if value is None else value for value in booked]
    return PlyProofs(
        board=str(board),
        ply=ply,
        asks_black=asks_black,
        positions=len(positions),
        answers=dict(sorted(Counter(map(str, answers)).items())),
        runs=len(runs),
        lost=len(runs) - len(counts),
        cost=Cost(total["seconds"], total["cpu_seconds"], int(total["nodes"])),
        evaluations=int(total["evaluations"]),
        rule_leaves=int(total["rule_leaves"]),
        sizes=_measure_proofs(searcher, positions[0], answers[0]) if len(positions) == 1 else {},
        yardstick=yardstick,
        in_book=sum(value is not None for value in booked),
        differing=tuple(
            f"{format_moves(some_moves(position), board)}: {answer}, not {value}"
            for position, answer, value in zip(positions, answers, values, strict=True)
            if not _agree(answer, value, asks_black)
        ),
    )


def proofs_from_json(data: Mapping[str, Any]) -> list[PlyProofs]:
    """The plies of a file of measurements; raises KeyError, TypeError or AttributeError if it is none."""
    return [
        PlyProofs(
            **each
            | {
                "cost": Cost(**each["cost"]),
                "yardstick": Cost(**each["yardstick"]),
                "sizes": {claim: ProofSize(**size) for claim, size in each["sizes"].items()},
                "differing": tuple(each["differing"]),
                "made_by": each.get("made_by") or {**data["run"], "threads": str(data["threads"])},
            }
        )
        for each in data["plies"]
    ]


_COUNTED = ("nodes", "evaluations", "rule_leaves", "seconds", "cpu_seconds")


def _agree(answer: Bounds, value: Value | None, asks_black: bool) -> bool:
    """Whether all that was asked is answered, and rightly."""
    if value is None or not answer.contains(value):
        return False
    return answer.is_exact or (not asks_black and answer == AT_MOST_DRAW)


def _prove(
    searcher: ProofNumberSearcher,
    positions: list[Position],
    store: Store,
    arguments: dict[str, object],
    on_progress: OnProgress,
) -> list[Bounds]:
    """What proof numbers say of positions; a run in the store says what that cost, also if it was stopped."""
    run = store.start_run(COMMAND, arguments)
    clock, cpu = time.perf_counter(), time.process_time()
    answers = []
    try:
        for number, position in enumerate(positions):
            wins = searcher.wins(position, Side.WHITE)
            answer = WHITE_WINS if wins else AT_MOST_DRAW
            if arguments["asks_black"] and not wins:
                answer = BLACK_WINS if searcher.wins(position, Side.BLACK) else DRAWN
            answers.append(answer)
            own = VerdictBatch.of_verdicts([position], [Verdict(answer, Source.SEARCH)])
            store.write(searcher.board, VerdictBatch.join([own, searcher.take_found()]))
            on_progress(number + 1, len(positions), searcher.nodes)
    except KeyboardInterrupt:
        store.write(searcher.board, searcher.take_found())
        raise
    finally:
        costs = (*searcher.counters, time.perf_counter() - clock, time.process_time() - cpu)
        store.finish_run(run, dict(zip(_COUNTED, costs, strict=True)))
    return answers


def _search_by_alpha_beta(
    board: Board, positions: list[Position], threads: int, memory_bytes: int
) -> tuple[list[Value | None], Cost]:
    searcher = Searcher(board, memory_bytes, threads if positions else 1)
    clock, cpu = time.perf_counter(), time.process_time()
    # A position alone is searched by all threads together, several by a thread each.
    values = [searcher.value(positions[0])] if len(positions) == 1 else list(searcher.values(positions))
    return values, Cost(time.perf_counter() - clock, time.process_time() - cpu, searcher.nodes)


def _look_up(board: Board, keys: Keys) -> list[Value | None]:
    """What the book that comes along says, None where it says nothing."""
    book = shipped_book()
    known = VerdictBatch.unknown(keys) if book is None else book.lookup(board, keys)
    return [known.verdict(place).value for place in range(len(keys))]


def _measure_proofs(searcher: ProofNumberSearcher, position: Position, answer: Bounds) -> dict[str, ProofSize]:
    """The sizes of the proofs of an answer, by what they say: that White wins or does not, that Black does or not."""
    sides = [Side.WHITE] if answer == WHITE_WINS or not answer.is_exact else list(Side)
    sizes = {}
    for side in sides:
        size = searcher.proof_size(position, side)
        if size is not None:
            sizes[f"{side} {'wins' if answer.value is Value.win_of(side) else 'does not win'}"] = size
    return sizes


def format_proofs(proofs: Sequence[PlyProofs]) -> str:
    """A page with a row a ply, the sizes of proofs, and where each was measured."""
    rows = [
        "# Proof-number search",
        "",
        "df-pn with the nine rules as its evaluator (`solver/search/dfpn`), from empty tables. Nodes are visits to",
        "quiet positions, evaluations how often the nine rules were asked. Yardstick: alpha-beta for the value of the",
        "same positions, unless the book has them, in the same run.",
        "",
        "| what | answers | nodes | evaluations | by rules | seconds | CPU | alpha-beta: nodes | seconds | CPU |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    rows += [
        f"| {each.name} | {', '.join(f'{count:,} {value}' for value, count in each.answers.items())} "
        f"| {each.cost.nodes:,} | {each.evaluations:,} | {each.rule_leaves:,} | {each.cost.seconds:,.1f} "
        f"| {each.cost.cpu_seconds:,.1f} | {each.yardstick.nodes:,} | {each.yardstick.seconds:,.1f} "
        f"| {each.yardstick.cpu_seconds:,.1f} |"
        for each in proofs
    ]
    sizes = [(each, claim, size) for each in proofs for claim, size in each.sizes.items()]
    if sizes:
        rows += [
            "",
            "The proofs, transpositions and mirror images once; where the side in the right is to move, one move:",
            "",
            "| what | it says that | positions | leaves by the rules | leaves at sight |",
            "|---|---|--:|--:|--:|",
        ]
        rows += [
            f"| {each.name} | {claim} | {size.positions:,} | {size.by_rules:,} | {size.at_sight:,} |"
            for each, claim, size in sizes
        ]
    for each in proofs:
        rows += ["", _describe(each)]
        rows += [f"- {line}" for line in each.differing]
    for each in proofs:
        rows += ["", f"{each.name}: {', '.join(f'{name} {value}' for name, value in each.made_by.items())}."]
    return "\n".join(rows)


def _describe(proofs: PlyProofs) -> str:
    """How a ply was done and compared, in sentences."""
    questions = "whether White wins and whether Black does" if proofs.asks_black else "whether White wins"
    words = f"{proofs.name}, asked {questions}: {len(proofs.differing)} of {proofs.positions:,} answers are wrong; "
    words += f"{proofs.in_book:,} were compared with the book that comes along, {proofs.positions - proofs.in_book:,} "
    words += "with alpha-beta in this run."
    if proofs.runs > 1:
        words += f" It took {proofs.runs} runs, each of which went on with what the ones before had stored"
        words += (
            f"; {proofs.lost} of them did not say what they cost." if proofs.lost else "; the costs are their sums."
        )
    if proofs.ply == 0 and proofs.board == str(Board()):
        ratio = OTHER_HOURS * 3600 / max(proofs.cost.cpu_seconds, 1e-9)
        words += f" The best-known Python program of this kind needed {OTHER_HOURS} hours for this game, on another "
        words += f"machine: {ratio:,.0f} times the CPU time here."
    return words
