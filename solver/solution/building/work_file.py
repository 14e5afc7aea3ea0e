"""The file in which a build is kept: everything it knows, so that it goes on where it was stopped.

It is one graph that is read and written as a whole and belongs to one solution, so it is a file beside that and no part
of the store, which holds verdicts of positions whoever asked for them. It is replaced in one piece, with a digest of
what is in it: a build that is killed at any point finds the file of its last save, and a damaged one is refused.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from claimeven.solver.board import Board
from claimeven.solver.notation import format_moves, parse_moves
from claimeven.solver.position import Position, Side
from claimeven.solver.solution.building.outcome import Asked
from claimeven.solver.solution.building.workshop import Key, Node, Workshop
from claimeven.solver.solution.diagram import Claim, squares_that_complete
from claimeven.solver.solution.finding.finder import Levels
from claimeven.solver.whole_file import write_whole

FORMAT = "claimeven build 1"


class WorkFileError(ValueError):
    """A file that holds no build, or not the one that was asked for."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a build is to solve."""

    board: Board
    root: tuple[int, ...]
    controller: Side
    claim: Claim

    @property
    def position(self) -> Position:
        return Position.from_moves(self.board, self.root)

    @property
    def root_moves(self) -> str:
        return format_moves(self.root, self.board)

    @property
    def roots(self) -> list[Position]:
        """The root or, where the opponent is to move, where his moves lead, but for those that lose at once."""
        position = self.position
        if position.to_move is self.controller:
            return [position]
        after = [position.play(column) for column in position.legal_columns]
        return [each for each in after if not each.is_over and not squares_that_complete(each, each.to_move)]

    def __str__(self) -> str:
        after = f" after {self.root_moves}" if self.root else ""
        return f"{self.board}{after}, {self.controller}, {self.claim}"

    def new_workshop(self) -> Workshop:
        """A workshop in which nothing is done yet."""
        roots = [(each.stones(each.to_move), each.stones(each.to_move.opponent)) for each in self.roots]
        return Workshop(self.board, self.claim is Claim.WIN, roots)


@dataclass(slots=True)
class Build:
    """A build as it is kept: the task, the workshop, and how large the solution was when."""

    task: Task
    workshop: Workshop
    seed: int = 0
    leaves: str = "both"
    seconds: float = 0.0
    history: list[dict[str, Any]] = field(default_factory=list)
    merges: dict[int, Asked] = field(default_factory=dict)
    """Where one diagram for some leaves was looked for in vain, by a digest of them."""


def save_build(build: Build, path: Path) -> None:
    """Write a build, whole or not at all."""
    workshop = build.workshop
    keys = list(workshop.nodes)
    numbers = {key: number for number, key in enumerate(keys)}
    body = {
        "board": str(build.task.board),
        "root": build.task.root_moves,
        "controller": build.task.controller.value,
        "claim": build.task.claim.value,
        "seed": build.seed,
        "leaves": build.leaves,
        "seconds": build.seconds,
        "history": build.history,
        "merges": [[digest, *astuple(asked)] for digest, asked in sorted(build.merges.items())],
        "diagrams": [_write_levels(workshop.library[number]) for number in range(len(workshop.library))],
        "nodes": [_write_node(key, workshop.nodes[key], numbers) for key in keys],
    }
    text = json.dumps(body)
    whole = json.dumps({"format": FORMAT, "digest": _digest(text)}) + "\n" + text + "\n"
    write_whole(path, gzip.compress(whole.encode(), compresslevel=5, mtime=0))


def load_build(path: Path) -> Build:
    """The build of a file; raises WorkFileError if it holds none that is whole, or OSError."""
    data = path.read_bytes()
    try:
        head, text = gzip.decompress(data).decode().splitlines()
        if json.loads(head) != {"format": FORMAT, "digest": _digest(text)}:
            raise ValueError
        body = json.loads(text)
    except (OSError, EOFError, ValueError, zlib.error):
        raise WorkFileError(f"{path} holds no build, or is damaged") from None
    board = Board.parse(body["board"])
    root = parse_moves(body["root"], board) if body["root"] else ()
    task = Task(board, root, Side(body["controller"]), Claim(body["claim"]))
    workshop = task.new_workshop()
    for levels in body["diagrams"]:
        workshop.library.add(_read_levels(levels))
    keys: list[Key] = [(node["own"], node["other"]) for node in body["nodes"]]
    workshop.nodes = {key: _read_node(node, keys) for key, node in zip(keys, body["nodes"], strict=True)}
    merges = {digest: Asked(*asked) for digest, *asked in body.get("merges", [])}
    return Build(task, workshop, body["seed"], body["leaves"], body["seconds"], body["history"], merges)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _write_levels(levels: Levels) -> list[int]:
    return [int(level) for level in levels]


def _read_levels(words: list[int]) -> Levels:
    return np.array(words, np.uint64)


def _write_node(key: Key, node: Node, numbers: dict[Key, int]) -> dict[str, Any]:
    """A node, without what is empty."""
    fields = {
        "own": key[0],
        "other": key[1],
        "leaf": node.leaf,
        "mirrored": node.mirrored,
        "rule_move": node.rule_move,
        "knows_rules": node.knows_rules,
        "work": node.work,
        "mistakes": node.mistakes,
        "best": None if node.best is None else _write_levels(node.best),
        "seen": node.seen,
        "tries": node.tries,
        "sat_tries": node.sat_tries,
        "is_by_sat": node.is_by_sat,
        "score": node.score,
        "is_barren": node.is_barren,
        "needs_ties": node.needs_ties,
        "ties_from": node.ties_from,
        "knows_moves": node.knows_moves,
        "moves": {str(square): [numbers[reply] for reply in replies] for square, replies in node.moves.items()},
    }
    return {name: value for name, value in fields.items() if isinstance(value, int) or value}


def _read_node(fields: dict[str, Any], keys: list[Key]) -> Node:
    best = fields.get("best")
    return Node(
        ply=fields["own"].bit_count() + fields["other"].bit_count(),
        leaf=fields.get("leaf"),
        mirrored=fields.get("mirrored", False),
        rule_move=fields.get("rule_move", 0),
        knows_rules=fields.get("knows_rules", False),
        work=fields.get("work", 0),
        mistakes=fields["mistakes"],
        best=None if best is None else _read_levels(best),
        seen=fields.get("seen", 0),
        moves={
            int(square): tuple(keys[number] for number in replies)
            for square, replies in fields.get("moves", {}).items()
        },
        tries=fields.get("tries", 0),
        sat_tries=fields.get("sat_tries", 0),
        is_by_sat=fields.get("is_by_sat", False),
        score=fields.get("score"),
        is_barren=fields.get("is_barren", False),
        needs_ties=fields.get("needs_ties", False),
        ties_from=fields.get("ties_from", 1),
        knows_moves=fields.get("knows_moves", False),
    )
