"""Verdicts as small numbers, as arrays and tables hold them, and on one line, as people read them."""

from __future__ import annotations

from claimeven.solver.verdict import Bounds, Source, Value, Verdict

NO_SOURCE = 0
SOURCE_CODES = {
    Source.TERMINAL: 1,
    Source.RULES: 2,
    Source.SEARCH: 3,
    Source.RETROGRADE: 4,
    Source.IMPORT: 5,
    Source.BOOK: 6,
}
_SOURCES = {code: source for source, code in SOURCE_CODES.items()}
_VALUES = {value.rank: value for value in Value}


def source_of_code(code: int) -> Source | None:
    """The source with this code."""
    return _SOURCES.get(code)


def verdict_of_row(least: int, greatest: int, score: int | None, source: int) -> Verdict:
    """The verdict that a row of numbers means: ranks of values, the score and the code of the source."""
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
