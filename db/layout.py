"""How verdicts are laid out in the tables: names, codes and signs, for everybody who reads or writes them.

Kept apart from the models so that a query can read a few rows without importing SQLAlchemy.
"""

from __future__ import annotations

from claimeven.solver.verdict import Bounds, Source, Value, Verdict

SCHEMA_VERSION = 2

SCHEMA_TABLE = "claimeven_schema"
BOARD_TABLE = "boards"
POSITION_TABLE = "positions"
CERTIFICATE_TABLE = "certificates"
CLAIM_TABLE = "claims"
RUN_TABLE = "runs"
EFFORT_TABLE = "efforts"
GAME_TABLE = "games"

NO_SOURCE = 0
SOURCE_CODES = {
    Source.TERMINAL: 1,
    Source.RULES: 2,
    Source.SEARCH: 3,
    Source.RETROGRADE: 4,
    Source.IMPORT: 5,
}
_SOURCES = {code: source for source, code in SOURCE_CODES.items()}
_VALUES = {value.rank: value for value in Value}


def to_signed(key: int) -> int:
    """The key as databases keep it: their integers have a sign, so keys of 2^63 and more are negative.

    >>> to_signed(5), to_signed(2**64 - 1), from_signed(to_signed(2**64 - 1)) == 2**64 - 1
    (5, -1, True)
    """
    return key - (1 << 64) if key >> 63 else key


def from_signed(number: int) -> int:
    """The key that `to_signed` made into this number."""
    return number & ((1 << 64) - 1)


def source_of_code(code: int) -> Source | None:
    """The source with this code."""
    return _SOURCES.get(code)


def verdict_of_row(least: int, greatest: int, score: int | None, source: int) -> Verdict:
    """The verdict that a row of the table of positions means."""
    return Verdict(Bounds(_VALUES[least], _VALUES[greatest]), source_of_code(source), score)


def describe_verdict(verdict: Verdict) -> str:
    """A verdict on one line.

    >>> from claimeven.solver.verdict import UNKNOWN
    >>> describe_verdict(verdict_of_row(1, 1, 4, 3)), describe_verdict(UNKNOWN)
    ('white, score 4, from search', 'unknown')
    """
    words = [str(verdict.bounds)]
    if verdict.score is not None:
        words.append(f"score {verdict.score}")
    if verdict.source is not None:
        words.append(f"from {verdict.source}")
    return ", ".join(words)
