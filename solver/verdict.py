"""What is known of a position: a value, or bounds on it, and where that knowledge comes from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from claimeven.solver.position import Position, Side
from claimeven.solver.score import winner_score


class Value(StrEnum):
    """Who wins under best play. Black's win is the least value and White's the greatest."""

    BLACK = "black"
    DRAW = "draw"
    WHITE = "white"

    @classmethod
    def win_of(cls, side: Side) -> Value:
        """The value of a win for a side."""
        return cls.WHITE if side is Side.WHITE else cls.BLACK

    @classmethod
    def of_score(cls, score: int, to_move: Side) -> Value:
        """The value that a score for the side to move stands for.

        >>> Value.of_score(-3, Side.WHITE)
        <Value.BLACK: 'black'>
        """
        if score == 0:
            return cls.DRAW
        return cls.win_of(to_move if score > 0 else to_move.opponent)

    @property
    def rank(self) -> int:
        """-1, 0 or 1, from Black's win to White's."""
        return {Value.BLACK: -1, Value.DRAW: 0, Value.WHITE: 1}[self]


class Source(StrEnum):
    """Where a verdict comes from."""

    TERMINAL = "terminal"
    RULES = "rules"
    SEARCH = "search"
    RETROGRADE = "retrograde"
    IMPORT = "import"
    BOOK = "book"


class ContradictionError(ValueError):
    """Two pieces of knowledge of one position that cannot both be true; one of them is a bug.

    >>> try:
    ...     Bounds.parse("white").tighten(Bounds.parse("not-white"))
    ... except ContradictionError as error:
    ...     print(error)
    white and not-white exclude each other
    """


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the greatest value that a position may have.

    >>> str(Bounds.parse("not-white")), str(Bounds.parse("not-white").tighten(Bounds.parse("draw")))
    ('not-white', 'draw')
    """

    least: Value = Value.BLACK
    greatest: Value = Value.WHITE

    def __post_init__(self) -> None:
        if self.least.rank > self.greatest.rank:
            raise ContradictionError(f"no value is at least {self.least} and at most {self.greatest}")

    @classmethod
    def exactly(cls, value: Value) -> Bounds:
        return cls(value, value)

    @classmethod
    def parse(cls, text: str) -> Bounds:
        """The bounds with this name; raises ValueError if there are none."""
        for bounds, name in _NAMES.items():
            if name == text:
                return bounds
        raise ValueError(f"{text!r} is not a verdict; it is one of {', '.join(_NAMES.values())}")

    @property
    def value(self) -> Value | None:
        """The value, if only one is left."""
        return self.least if self.least is self.greatest else None

    @property
    def is_exact(self) -> bool:
        return self.least is self.greatest

    def contains(self, value: Value) -> bool:
        return self.least.rank <= value.rank <= self.greatest.rank

    def implies(self, other: Bounds) -> bool:
        """Whether every value that these bounds leave is one that the others leave too."""
        return other.contains(self.least) and other.contains(self.greatest)

    def tighten(self, other: Bounds) -> Bounds:
        """What both say together; raises ContradictionError if they exclude each other."""
        try:
            return Bounds(
                max(self.least, other.least, key=lambda value: value.rank),
                min(self.greatest, other.greatest, key=lambda value: value.rank),
            )
        except ContradictionError:
            raise ContradictionError(f"{self} and {other} exclude each other") from None

    def __str__(self) -> str:
        """`white`, `draw`, `black`, `not-white`, `not-black` or `unknown`: the name that programs read and write."""
        return _NAMES[self]

    @property
    def words(self) -> str:
        """What people read, as in `White wins`."""
        return _WORDS[self]

    def words_for(self, side: Side) -> str:
        """What people read of a move of this side, as in `wins`.

        >>> AT_MOST_DRAW.words_for(Side.BLACK), AT_MOST_DRAW.words_for(Side.WHITE)
        ('at least draws', 'at most draws')
        """
        return _WORDS_FOR_WHITE[self if side is Side.WHITE else self._turned()]

    def _turned(self) -> Bounds:
        """The same with the sides exchanged."""
        return Bounds(_EXCHANGED[self.greatest], _EXCHANGED[self.least])


WHITE_WINS = Bounds(Value.WHITE, Value.WHITE)
DRAWN = Bounds(Value.DRAW, Value.DRAW)
BLACK_WINS = Bounds(Value.BLACK, Value.BLACK)
AT_MOST_DRAW = Bounds(Value.BLACK, Value.DRAW)
AT_LEAST_DRAW = Bounds(Value.DRAW, Value.WHITE)
UNDECIDED = Bounds(Value.BLACK, Value.WHITE)

_EXCHANGED = {Value.WHITE: Value.BLACK, Value.DRAW: Value.DRAW, Value.BLACK: Value.WHITE}
_NAMES = {
    WHITE_WINS: "white",
    DRAWN: "draw",
    BLACK_WINS: "black",
    AT_MOST_DRAW: "not-white",
    AT_LEAST_DRAW: "not-black",
    UNDECIDED: "unknown",
}
_WORDS = {
    WHITE_WINS: "White wins",
    DRAWN: "a draw",
    BLACK_WINS: "Black wins",
    AT_MOST_DRAW: "Black at least draws",
    AT_LEAST_DRAW: "White at least draws",
    UNDECIDED: "unknown",
}
_WORDS_FOR_WHITE = {
    WHITE_WINS: "wins",
    DRAWN: "draws",
    BLACK_WINS: "loses",
    AT_MOST_DRAW: "at most draws",
    AT_LEAST_DRAW: "at least draws",
    UNDECIDED: "unknown",
}


@dataclass(frozen=True, slots=True, repr=False)
class Verdict:
    """Bounds on the value of a position, their source, and the score for the side to move if it is known.

    >>> verdict = Verdict(Bounds.parse("white"), Source.SEARCH, score=18)
    >>> verdict, verdict.value == "white"
    (Verdict('white', score=18, source='search'), True)
    """

    bounds: Bounds
    source: Source | None
    score: int | None = None

    @property
    def value(self) -> Value | None:
        """Who wins under best play, `white`, `draw` or `black`; None while the bounds leave it open."""
        return self.bounds.value

    def __repr__(self) -> str:
        score = "" if self.score is None else f", score={self.score}"
        source = "" if self.source is None else f", source={self.source.value!r}"
        return f"Verdict({str(self.bounds)!r}{score}{source})"

    def __post_init__(self) -> None:
        if self.score is not None and not self.bounds.is_exact:
            raise ContradictionError(f"a score of {self.score} does not go with {self.bounds}")


UNKNOWN = Verdict(UNDECIDED, None)


def judge_end(position: Position) -> Verdict:
    """The verdict on a finished game."""
    winner = position.winner
    value = Value.DRAW if winner is None else Value.win_of(winner)
    # The last stone won, so the side to move lost with it.
    score = 0 if winner is None else -winner_score(position.board.cells, position.ply)
    return Verdict(Bounds.exactly(value), Source.TERMINAL, score)


def bounds_from_children(to_move: Side, children: list[Bounds]) -> Bounds:
    """What the positions after every legal move say about the position before; there must be at least one.

    >>> str(bounds_from_children(Side.WHITE, [Bounds.parse("black"), Bounds.parse("not-white")]))
    'not-white'
    """
    choose = max if to_move is Side.WHITE else min
    return Bounds(
        choose((child.least for child in children), key=lambda value: value.rank),
        choose((child.greatest for child in children), key=lambda value: value.rank),
    )
