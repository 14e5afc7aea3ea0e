"""What the kernels find in a position, as values: win conditions, problems, and solutions with what they solve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from claimeven.solver.board import Bitboard, Board, bits
from claimeven.solver.position import Position, Side, describe_end
from claimeven.solver.proof.certificate import OddThreat, ThreatCombination, WinCondition
from claimeven.solver.proof.evaluation import RULES, Bits, make_scratch
from claimeven.solver.rules.combination import keep_combinable
from claimeven.solver.rules.problems import find_problems, index_problems
from claimeven.solver.rules.rule import Rule, RuleInstance
from claimeven.solver.rules.scene import Geometry, Scene
from claimeven.solver.rules.solution_table import CLAIMEVENS, FIRST, GROUP, RULE, SINGLES, SOLVES, SQUARES
from claimeven.solver.rules.solutions import find_solutions
from claimeven.solver.rules.win_condition import (
    COLUMNS,
    GROUP1,
    GROUP2,
    KIND,
    ODD_THREAT,
    THREAT_COMBINATION,
    O,
    S,
    V,
    find_odd_threats,
    find_threat_combinations,
    list_dead_patterns,
)
from claimeven.solver.word import WORD, count_words


class RulesNotApplicableError(ValueError):
    """A position on which the rules say nothing by their nature."""


@dataclass(frozen=True, eq=False)
class Solutions:
    """The problems of a position, the rule instances that solve them, and which of these combine.

    `solves[i]` are the numbers of the problems that `instances[i]` solves.
    """

    position: Position
    controller: Side
    win_condition: WinCondition | None
    problems: tuple[Bitboard, ...]
    instances: tuple[RuleInstance, ...]
    solves: tuple[frozenset[int], ...]
    table: Bits
    starts: np.ndarray[tuple[int], np.dtype[np.int64]]

    def conflicts_of(self, solution: int) -> list[int]:
        """The numbers of the other solutions that do not combine with this one."""
        places = count_words(len(self.instances))
        everything = np.full(places, ~np.uint64(0))
        kept = np.zeros(places, np.uint64)
        keep_combinable(self.table, solution, self.starts, np.uint64(self.position.board.squares), everything, kept)
        combinable = sum(int(word) << WORD * place for place, word in enumerate(kept))
        return [other for other in range(len(self.instances)) if other != solution and not combinable >> other & 1]


def check_applicable(position: Position) -> None:
    """Raise RulesNotApplicableError, saying why, where no rule proof can be tried."""
    board = position.board
    if board.rows % 2:
        raise RulesNotApplicableError(
            f"the rules need an even number of rows and {board} has {board.rows}: Claimeven, on which they rest, "
            "pairs every odd square with the even one above it"
        )
    if position.is_over:
        raise RulesNotApplicableError(f"there is nothing to prove: the game is over ({describe_end(position)})")


@lru_cache(maxsize=64)
def board_geometry(board: Board) -> Geometry:
    """The board as the kernels take it."""
    return Geometry(
        stride=np.uint64(board.stride),
        connect=np.uint64(board.connect),
        bottom=np.uint64(board.bottom),
        squares=np.uint64(board.squares),
        odd=np.uint64(board.odd_squares),
        top=np.uint64(board.top),
        groups=np.array(board.groups, np.uint64),
        lines=np.array([group for group in board.groups if not group & group >> 1], np.uint64),
    )


def list_win_conditions(position: Position) -> list[WinCondition]:
    """White's win conditions, odd threats first; of the odd threats in one column the lowest only."""
    board = position.board
    geometry = board_geometry(board)
    capacity = board.columns
    while True:
        rows = make_scratch(geometry, 4 * capacity).conditions
        scene = (np.uint64(position.white), np.uint64(position.empty), np.uint64(position.playable))
        count = find_odd_threats(geometry, *scene, rows)
        count = find_threat_combinations(geometry, *scene, rows, count)
        if count <= len(rows):
            return [read_condition(row) for row in rows[:count]]
        capacity = count


def list_solutions(position: Position, win_condition: WinCondition | None = None) -> Solutions:
    """All problems and all solutions for the side that is not to move, White's under a win condition."""
    check_applicable(position)
    board = position.board
    geometry = board_geometry(board)
    controller = position.to_move.opponent
    playable = np.uint64(position.playable)
    pattern_count, banned = 0, 0
    capacity = 2048
    while True:
        work = make_scratch(geometry, capacity)
        if win_condition is not None:
            row = write_condition(board, win_condition)
            pattern_count = list_dead_patterns(row, playable, geometry.odd, geometry.stride, work.patterns)
            banned = int(row[COLUMNS])
        scene = Scene(
            opponent=np.uint64(position.stones(position.to_move)),
            empty=np.uint64(position.empty),
            usable=np.uint64(position.empty & ~banned),
            playable=np.uint64(position.playable & ~banned),
            is_lean=False,
        )
        stones = np.uint64(position.stones(controller))
        count = find_problems(stones, scene.empty, geometry.groups, work.patterns, pattern_count, False, work.problems)
        index_problems(work.problems, count, scene.empty, geometry.stride, work.has, work.has_above)
        find_solutions(geometry, scene, work.has, work.has_above, work.table, work.starts)
        solutions = int(work.starts[RULES])
        if solutions < work.table.shape[1]:
            break
        capacity = solutions + 1
    columns = read_columns(work.table[:, :solutions])
    return Solutions(
        position=position,
        controller=controller,
        win_condition=win_condition,
        problems=tuple(int(problem) for problem in work.problems[:count]),
        instances=tuple(map(read_instance, columns)),
        solves=tuple(frozenset(read_solves(column)) for column in columns),
        table=work.table,
        starts=work.starts,
    )


def read_columns(table: Bits) -> list[list[int]]:
    """The solutions of a table as numbers, all at once: to ask an array for one number takes longer than to read it."""
    columns: list[list[int]] = table.T.tolist()
    return columns


def read_solves(column: Sequence[int]) -> list[int]:
    """The numbers of the problems that a solution of the table solves."""
    return list(bits(sum(word << WORD * i for i, word in enumerate(column[SOLVES:]))))


def read_instance(column: Sequence[int]) -> RuleInstance:
    """A solution of the table as a value, its squares in the order that RuleInstance documents."""
    rule, squares = Rule(column[RULE]), column[SQUARES]
    group = tuple(bits(column[GROUP])) if rule.has_group else None
    if rule is Rule.BASECLAIM:
        p1, p2 = column[FIRST], column[CLAIMEVENS]
        p3 = squares & ~(p1 | p2 | p2 << 1)
        ordered = [p1.bit_length() - 1, p2.bit_length() - 1, p3.bit_length() - 1, p2.bit_length()]
    elif rule is Rule.SPECIALBEFORE:
        p, x = column[SINGLES] & column[GROUP], column[SINGLES] & ~column[GROUP]
        ordered = [*bits(p), *bits(x), *bits(squares & ~column[SINGLES])]
    else:
        ordered = list(bits(squares))
    return RuleInstance(rule, tuple(ordered), group)


def read_condition(row: Sequence[np.uint64] | np.ndarray[tuple[int], np.dtype[np.uint64]]) -> WinCondition:
    """A row of the table of conditions as a value."""
    group1, group2 = tuple(bits(int(row[GROUP1]))), tuple(bits(int(row[GROUP2])))
    if row[KIND] == ODD_THREAT:
        return OddThreat(group1, int(row[S]))
    return ThreatCombination(group1, group2, crossing=int(row[S]), odd=int(row[O]), even=int(row[V]))


def write_condition(board: Board, condition: WinCondition) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """The row of the table of conditions for a value; the reverse of `read_condition`."""
    row = np.zeros(COLUMNS + 1, np.uint64)
    if isinstance(condition, OddThreat):
        row[KIND], row[S] = ODD_THREAT, condition.square
        row[GROUP1] = sum(1 << square for square in condition.group)
        row[COLUMNS] = board.column_squares(board.column_of(condition.square))
    else:
        row[KIND], row[S], row[O], row[V] = THREAT_COMBINATION, condition.crossing, condition.odd, condition.even
        row[GROUP1] = sum(1 << square for square in condition.odd_group)
        row[GROUP2] = sum(1 << square for square in condition.even_group)
        row[COLUMNS] = board.column_squares(board.column_of(condition.crossing)) | board.column_squares(
            board.column_of(condition.odd)
        )
    return row
