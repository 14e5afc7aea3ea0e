"""The nine rules by name, and what an instance of one is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from claimeven.solver.board import Board, Square


class Rule(IntEnum):
    """Allis' nine rules, in the order of §6; the numbers are the kernels'."""

    CLAIMEVEN = 0
    BASEINVERSE = 1
    VERTICAL = 2
    AFTEREVEN = 3
    LOWINVERSE = 4
    HIGHINVERSE = 5
    BASECLAIM = 6
    BEFORE = 7
    SPECIALBEFORE = 8

    def __str__(self) -> str:
        return self.name.capitalize()

    @property
    def has_group(self) -> bool:
        """Whether an instance completes, or threatens to complete, a group of the controller's."""
        return self in (Rule.AFTEREVEN, Rule.BEFORE, Rule.SPECIALBEFORE)


@dataclass(frozen=True, slots=True)
class RuleInstance:
    """One application of a rule: the squares it occupies and, for three of the rules, the group it is about.

    The order of the squares says which part each one plays:

    | rule          | squares                                                                              |
    |---------------|--------------------------------------------------------------------------------------|
    | Claimeven     | lower, upper                                                                         |
    | Baseinverse   | the two playable squares                                                             |
    | Vertical      | lower, upper                                                                         |
    | Aftereven     | lower, upper of each Claimeven                                                       |
    | Lowinverse    | lower, upper of one column, lower, upper of the other                                |
    | Highinverse   | bottom, middle, top of one column, bottom, middle, top of the other                  |
    | Baseclaim     | p1, p2, p3, z                                                                        |
    | Before        | lower, upper of each part                                                            |
    | Specialbefore | p, x, then lower, upper of each part                                                 |

    In a Before or a Specialbefore a part whose *lower* square is in the group is a Vertical and one whose *upper*
    square is in the group is a Claimeven.
    """

    rule: Rule
    squares: tuple[Square, ...]
    group: tuple[Square, ...] | None = None

    def describe(self, board: Board) -> str:
        """The instance in Allis' notation, as in `Before a1 a2 b1 b2 c2 c3 d2 d3`."""
        return " ".join([str(self.rule), *board.names(self.squares)])
