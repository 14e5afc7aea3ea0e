"""How the tables are laid out: names and signs, for everybody who reads or writes them.

Kept apart from the models so that a query can read a few rows without importing SQLAlchemy.
"""

from __future__ import annotations

SCHEMA_VERSION = 5

SCHEMA_TABLE = "claimeven_schema"
BOARD_TABLE = "boards"
POSITION_TABLE = "positions"
CERTIFICATE_TABLE = "certificates"
CLAIM_TABLE = "claims"
RUN_TABLE = "runs"
EFFORT_TABLE = "efforts"
FINDING_TABLE = "findings"
GAME_TABLE = "games"
LEDGER_TABLE = "ledger"


def to_signed(key: int) -> int:
    """The key as databases keep it: their integers have a sign, so keys of 2^63 and more are negative.

    >>> to_signed(5), to_signed(2**64 - 1), from_signed(to_signed(2**64 - 1)) == 2**64 - 1
    (5, -1, True)
    """
    return key - (1 << 64) if key >> 63 else key


def from_signed(number: int) -> int:
    """The key that `to_signed` made into this number."""
    return number & ((1 << 64) - 1)
