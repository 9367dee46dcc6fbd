"""The boards of the kernel: which cells of a larger board it knows, each as a bit of a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.grid import cells_of
from gridlock.search.kernel import MOST_CELLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gridlock.search.backends.base import Board

MOST_BOARDS = 8
"""How many boards are kept, with what their tables know."""


class Boards:
    """The boards that were of use last.

    As a game goes on fewer cells are open, so an old board mostly serves, and its table knows
    something already.  Where the kernel can take all cells there is one board.
    """

    def __init__(self, cells: int) -> None:
        self.is_whole = cells <= MOST_CELLS
        """Whether the one board has all cells."""
        self._cells = cells
        self._masks: list[int] = []
        """The cells of each board, those of use last first."""

    def has(self, mask: int) -> bool:
        """Tell whether one of them has all cells of a mask."""
        return self.is_whole or _has(self._masks, mask)

    def of(self, mask: int) -> Board:
        """Return a board that has all cells of a mask."""
        if self.is_whole:
            return range(self._cells)
        return cells_of(self._cover([mask], mask.bit_count())[0])

    def of_each(self, masks: Sequence[int], most: int) -> list[Board]:
        """Return a board for each mask; new ones have at most so many cells, and are few."""
        if self.is_whole:
            return [range(self._cells)] * len(masks)
        found = self._cover(masks, most)
        boards = {mask: cells_of(mask) for mask in set(found)}
        return [boards[mask] for mask in found]

    def _cover(self, masks: Sequence[int], most: int) -> list[int]:
        new: list[int] = []
        for mask in sorted(masks, key=int.bit_count, reverse=True):
            if not _has(self._masks, mask):
                _add(new, mask, most)
        boards = [*new, *self._masks]
        found = [next(board for board in boards if mask & ~board == 0) for mask in masks]
        used = dict.fromkeys([*found, *boards])
        self._masks = list(used)[: max(MOST_BOARDS, len(set(found)))]
        return found


def _has(boards: Iterable[int], mask: int) -> bool:
    return any(mask & ~board == 0 for board in boards)


def _add(boards: list[int], mask: int, most: int) -> None:
    """Add some cells to the first board that has room for them, or begin a new one."""
    for index, board in enumerate(boards):
        if (board | mask).bit_count() <= most:
            boards[index] |= mask
            return
    boards.append(mask)
