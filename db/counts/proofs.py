"""Which rules and win conditions the stored proofs of a board rest on."""

from __future__ import annotations

from dataclasses import dataclass

from claimeven.db.engine import reading
from claimeven.db.store import Store
from claimeven.db.tables import certificates as certificate_table
from claimeven.db.tables.layout import to_signed
from claimeven.solver.board import Board
from claimeven.solver.position import Position
from claimeven.solver.proof.certificate_text import RULE_CODES

PARTS = {code: str(rule) for rule, code in RULE_CODES.items()} | {"OT": "Odd threat", "TC": "Threat combination"}
"""The codes of `certificate_text` and what they stand for: the nine rules, then White's win conditions."""

_CHUNK = 10_000


@dataclass(frozen=True, slots=True)
class PartCount:
    """A rule or a win condition: how many proofs hold it, how often in all, and one of the shallowest of them."""

    name: str
    is_rule: bool
    proofs: int
    instances: int
    example: Position | None


def count_parts(store: Store, board: Board, last: int | None = None) -> list[PartCount]:
    """The counts of all rules and win conditions, also of those that no proof holds, up to a ply or of all plies."""
    proofs = dict.fromkeys(PARTS, 0)
    instances = dict.fromkeys(PARTS, 0)
    examples: dict[str, Position] = {}
    board_id = store.find_board_id(board)
    for ply in sorted(store.count_proofs(board)) if board_id is not None else []:
        if last is not None and ply > last:
            break
        assert board_id is not None
        after = None
        while True:
            with reading(store.engine, store.location) as connection:
                texts = certificate_table.read_ply(connection, board_id, board, ply, after, _CHUNK)
            if not texts:
                break
            for position, text in texts:
                # The codes alone: reading whole certificates would take a hundred times as long.
                codes = [token[:2] for token in text.split()]
                for code in codes:
                    instances[code] = instances.get(code, 0) + 1
                for code in set(codes):
                    proofs[code] = proofs.get(code, 0) + 1
                    examples.setdefault(code, position)
            after = to_signed(texts[-1][0].key)
    return [
        PartCount(
            name,
            code not in ("OT", "TC"),
            proofs[code],
            instances[code],
            examples.get(code),
        )
        for code, name in PARTS.items()
    ]
