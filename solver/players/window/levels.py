"""The levels of the window players: how deep each looks and what it uses."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Level:
    """What sets a level apart. All of them take a win that is there and block one that threatens.

    - `is_careful`: avoids gifts, that is, plays below a square where the opponent wins only if nothing else is left,
      and sees double threats.
    - `uses_book`: plays a move that the store knows to be best.
    - `uses_rules`: adds the strategic bonus, and looks first at moves that make threats.
    - `slack`: plays any move, by chance, that is at most so many points worse than the best; None: the first of the
      best.
    """

    name: str
    depth: int
    is_careful: bool = True
    uses_book: bool = True
    uses_rules: bool = False
    slack: int | None = None


EASY = Level("easy", depth=1, is_careful=False, uses_book=False, slack=3)
MEDIUM = Level("medium", depth=4, uses_book=False, slack=0)
HARD = Level("hard", depth=6)
GURU = Level("guru", depth=8)
VICTOR = Level("victor", depth=8, uses_rules=True)
