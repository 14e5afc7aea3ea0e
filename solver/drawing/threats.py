"""Threats: the empty squares that complete a line, whose they are, and whether a zugzwang gives them to their owner."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree as ET

from claimeven.solver.board import Bitboard, Square, bits
from claimeven.solver.drawing.grid import STONES, Grid
from claimeven.solver.drawing.svg import add
from claimeven.solver.position import Position, Side, has_line


@dataclass(frozen=True, slots=True)
class Threat:
    """An empty square that completes a line of one side.

    It is odd or even by its row. On a board with an even number of rows the side that answers above every stone gets
    the even squares, and that is Black: `gets_it` says whether the square falls to the side whose threat it is once all
    other squares are taken that way. With an odd number of rows nothing is said.
    """

    side: Side
    square: Square
    name: str
    is_odd: bool
    is_playable: bool
    gets_it: bool

    @property
    def parity(self) -> str:
        return "odd" if self.is_odd else "even"

    def __str__(self) -> str:
        """The threat in words.

        >>> from claimeven import Position
        >>> [str(threat) for threat in list_threats(Position("4455"))]
        []
        >>> [str(threat) for threat in list_threats(Position("445566"))]
        ['White completes a line on c1, at once', 'White completes a line on g1, at once', \
'Black completes a line on c2 (even), which a zugzwang gives to Black', \
'Black completes a line on g2 (even), which a zugzwang gives to Black']
        """
        words = f"{self.side} completes a line on {self.name}"
        if self.is_playable:
            return f"{words}, at once"
        return f"{words} ({self.parity})" + (f", which a zugzwang gives to {self.side}" if self.gets_it else "")


def find_threats(position: Position, side: Side) -> Bitboard:
    """The empty squares, as a bitboard, with which a side would complete a line.

    >>> from claimeven import Position
    >>> position = Position("445566")
    >>> position.board.names(find_threats(position, Side.WHITE)), find_threats(position, Side.BLACK).bit_count()
    (['c1', 'g1'], 2)
    """
    stones = position.stones(side)
    return sum(1 << square for square in bits(position.empty) if has_line(position.board, stones | 1 << square))


def list_threats(position: Position) -> list[Threat]:
    """The threats of a position, White's first, from the left and from the bottom; none once the game is over."""
    if position.is_over:
        return []
    board = position.board
    return [
        Threat(
            side,
            square,
            board.name(square),
            is_odd=(is_odd := bool(board.odd_squares >> square & 1)),
            is_playable=bool(position.playable >> square & 1),
            gets_it=board.rows % 2 == 0 and is_odd == (side is Side.WHITE),
        )
        for side in Side
        for square in bits(find_threats(position, side))
    ]


def draw_threats(parent: ET.Element, grid: Grid, position: Position, free: Bitboard) -> bool:
    """Mark the threats on `free` squares: a small stone of the side that waits, and below it what kind of threat it is.

    An exclamation mark stands in the stone of a threat that can be played now, a ring lies around one that a zugzwang
    gives to its owner. Where both sides wait for a square there are two stones. Gives whether there is a ring.
    """
    threats = [threat for threat in list_threats(position) if free >> threat.square & 1]
    for threat in threats:
        x, y = grid.centre(threat.square)
        y -= grid.cell * 0.09
        if any(other.square == threat.square and other.side is not threat.side for other in threats):
            x += grid.cell * (0.21 if threat.side is Side.BLACK else -0.21)
        stone = "x" if threat.side is Side.WHITE else "o"
        mark = add(parent, "g", class_="threat-mark")
        add(mark, "title", str(threat))
        if threat.gets_it and not threat.is_playable:
            add(mark, "circle", class_="zugzwang", cx=x, cy=y, r=grid.cell * 0.225)
        add(mark, "circle", class_=STONES[stone], cx=x, cy=y, r=grid.cell * 0.16)
        if threat.is_playable:
            add(mark, "text", "!", class_="danger on-white" if stone == "x" else "danger on-black", x=x, y=y + 5)
        words = "now" if threat.is_playable else threat.parity
        add(mark, "text", words, class_="parity", x=grid.centre(threat.square)[0], y=y + grid.cell * 0.43)
    return any(threat.gets_it and not threat.is_playable for threat in threats)
