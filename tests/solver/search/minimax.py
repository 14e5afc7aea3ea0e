"""A plain minimax on lists of columns, sharing nothing with the search it checks."""

from __future__ import annotations

from functools import lru_cache

State = tuple[str, ...]
"""The columns from the left, each its stones from the bottom, `x` White's and `o` Black's."""


class Minimax:
    """Scores of a small board by trying every move."""

    def __init__(self, columns: int, rows: int, connect: int) -> None:
        self.columns, self.rows, self.connect = columns, rows, connect
        self.score = lru_cache(maxsize=None)(self._score)

    def start(self, moves: str = "") -> State:
        state: State = ("",) * self.columns
        for move in moves:
            state = self.play(state, int(move) - 1)
        return state

    def play(self, state: State, column: int) -> State:
        stone = "xo"[sum(map(len, state)) % 2]
        return (*state[:column], state[column] + stone, *state[column + 1 :])

    def has_won(self, state: State, column: int) -> bool:
        """Whether the stone on top of a column is part of a line."""
        row = len(state[column]) - 1
        stone = state[column][row]
        for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
            length = 1
            for way in (1, -1):
                c, r = column + way * right, row + way * up
                while 0 <= c < self.columns and 0 <= r < len(state[c]) and state[c][r] == stone:
                    length += 1
                    c, r = c + way * right, r + way * up
            if length >= self.connect:
                return True
        return False

    def _score(self, state: State) -> int:
        """The score for the side to move, of a position that nobody has won."""
        cells, ply = self.columns * self.rows, sum(map(len, state))
        if ply == cells:
            return 0
        best = -cells
        for column in range(self.columns):
            if len(state[column]) < self.rows:
                after = self.play(state, column)
                won = self.has_won(after, column)
                best = max(best, (cells + 1 - ply) // 2 if won else -self.score(after))
        return best
