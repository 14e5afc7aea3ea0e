"""What commands say of positions, and whether that is true: the same as a sound store says, or less of the same."""

from __future__ import annotations

import json
from traceback import clear_frames
from typing import Any

from click.testing import CliRunner, Result

from claimeven.scripts.errors import INTERRUPTED
from claimeven.solver.board import Board

Facts = dict[str, tuple[Any, ...]]
"""By moves: value, score and proof."""


def run_command(*command: str) -> Result:
    """Run `claimeven` in this process; a Ctrl-C that stops it is one for whoever runs it."""
    from claimeven.scripts.main import claimeven

    result = CliRunner().invoke(claimeven, list(command), prog_name="claimeven")
    if result.exc_info is not None:
        # What the frames of a command that gave up hold on to, locks of the store among it, ends with a process.
        clear_frames(result.exc_info[2])
    if result.exit_code == INTERRUPTED:
        raise KeyboardInterrupt
    return result


def facts_of(result: Result) -> Facts:
    """What a command that printed one object of the JSON contract said, of the position and of every move."""
    if result.exit_code or not result.stdout.strip():
        return {}
    fields = json.loads(result.stdout)
    return {fields["moves"]: fields_of(fields)} | {
        f"{fields['moves']}/{child['column']}": (child["value"], child["score"], None)
        for child in fields.get("children") or ()
    }


def fields_of(fields: dict[str, Any]) -> tuple[Any, ...]:
    """Value, score and proof of an object of the JSON contract."""
    return fields["value"], fields["score"], json.dumps(fields.get("proof"))


def agrees(board: Board, found: Facts, true: Facts) -> bool:
    """Whether an answer is true; another proof than the one that is known is one if the checker accepts it."""
    for name, (value, score, proof) in found.items():
        if value == "unknown" and score is None:
            continue
        if name not in true or not true[name]:
            return False
        right_value, right_score, right_proof = true[name]
        if value != right_value and not _is_weaker(value, right_value):
            return False
        if score is not None and right_score is not None and score != right_score:
            return False
        if proof not in (None, "null", right_proof) and not _holds(board, name, proof):
            return False
    return True


def explains_only(board: Board, shown: str, facts: Facts) -> bool:
    """Whether a text explains the proof that the facts of its position have, and nothing if they have none."""
    from claimeven.solver.proof.explanation import explain

    moves, (_, _, proof) = next(iter(facts.items()))
    if proof in (None, "null"):
        return "Chosen set" not in shown
    return explain(_certificate(board, moves, proof)) in shown


def _holds(board: Board, moves: str, proof: str) -> bool:
    from claimeven.solver.proof.checker import is_chosen_set

    return is_chosen_set(_certificate(board, moves, proof))


def _certificate(board: Board, moves: str, proof: str) -> Any:
    from claimeven.solver.notation import parse_position
    from claimeven.solver.proof.certificate import certificate_from_json

    return certificate_from_json(parse_position(moves, board), json.loads(proof))


def _is_weaker(value: str, right: str) -> bool:
    from claimeven.solver.verdict import Bounds, ContradictionError

    try:
        return Bounds.parse(right).tighten(Bounds.parse(value)) == Bounds.parse(right)
    except ContradictionError:
        return False
