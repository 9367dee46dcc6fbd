"""The games as people write them who need only one: for comparison, side by side."""

from __future__ import annotations

import numpy as np

CROSS = ((0, 0), (-1, 0), (0, -1), (0, 1), (1, 0))


class NumpyDuel:
    """Duel as an environment in the usual way: an array, and loops over its cells."""

    def __init__(self, side: int = 5) -> None:
        self.side = side
        self.reset()

    def reset(self) -> np.ndarray:
        self.board = np.zeros((self.side, self.side), np.int8)
        self.locked = np.zeros((self.side, self.side), np.bool_)
        self.player = 1
        return self.board

    def valid_moves(self) -> list[int]:
        return [
            row * self.side + column
            for row in range(self.side)
            for column in range(self.side)
            if not self.locked[row, column]
        ]

    def step(self, action: int) -> tuple[np.ndarray, int, bool]:
        row, column = divmod(action, self.side)
        if self.locked[row, column]:
            return self.board, -1, True
        self.board[row, column] = self.player
        for down, right in CROSS:
            if 0 <= row + down < self.side and 0 <= column + right < self.side:
                self.locked[row + down, column + right] = True
        if not self.valid_moves():
            return self.board, 1, True
        self.player = 3 - self.player
        return self.board, 0, False


class ListTrail:
    """Trail in plain Python, by hand: a list of lists that is changed in place."""

    def __init__(self, side: int = 4) -> None:
        self.side = side
        self.board = [[0] * side for _ in range(side)]
        self.last: tuple[int, int] | None = None
        self.player = 1

    def is_legal(self, row: int, column: int) -> bool:
        if not (0 <= row < self.side and 0 <= column < self.side) or self.board[row][column]:
            return False
        if self.last is None:
            return True
        return abs(row - self.last[0]) + abs(column - self.last[1]) == 1

    def play(self, cell: int) -> None:
        row, column = divmod(cell, self.side)
        if not self.is_legal(row, column):
            raise ValueError(f"{row},{column} is illegal")
        self.board[row][column] = self.player
        self.last = row, column
        self.player = 3 - self.player

    def is_over(self) -> bool:
        assert self.last is not None
        row, column = self.last
        return not any(self.is_legal(row + down, column + right) for down, right in CROSS[1:])
