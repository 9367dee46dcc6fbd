"""The search of every kind of rulebook without one of its own: slow, by the rules alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from gridlock.search.backends.base import Backend, free_cells
from gridlock.search.kernel.bits import CELLS

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.model import Position
    from gridlock.search.backends.base import Board, Run
    from gridlock.search.memory import Shared

_POLL = 16  # nodes between two looks at the clock: some milliseconds
_ENTRY = 512  # bytes of a position that is remembered, about


class PlainSearch:
    """Memoised recursion over positions; as many are remembered as there is memory for."""

    def __init__(self, shared: Shared) -> None:
        self.nodes = 0
        self.is_shared = False
        self.poll: Callable[[], None] | None = None
        self.failure: BaseException | None = None
        self._signal = shared.signal
        self._most = shared.words.nbytes // _ENTRY
        self._winning: dict[Position, bool] = {}
        self._forced: dict[tuple[Position, int], int] = {}

    @property
    def entries(self) -> int:
        """How many positions are remembered."""
        return len(self._winning) + len(self._forced)

    def wins(self, position: Position) -> bool:
        """Tell whether the mover wins."""
        if position.winner is not None:
            return False
        known = self._winning.get(position)
        if known is not None:
            return known
        if self._is_told_to_stop():
            return False
        won = False
        for cell in position.legal_cells():
            after = position.play(cell)
            won = self.wins(after) == (after.mover is position.mover)
            if won or self._signal[0]:
                break
        if self._may_remember():
            self._winning[position] = won
        return won

    def probe(self, position: Position) -> bool | None:
        """Tell whether the mover wins, if that is remembered."""
        return False if position.winner is not None else self._winning.get(position)

    def forced(self, position: Position, within: int) -> int:
        """Return 1 or -1 if the mover wins or loses within so many actions, otherwise 0."""
        if position.winner is not None:
            return -1
        if within <= 0:
            return 0
        known = self._forced.get((position, within))
        if known is not None:
            return known
        if self._is_told_to_stop():
            return 0
        best = -1
        for cell in position.legal_cells():
            after = position.play(cell)
            result = self.forced(after, within - 1)
            best = max(best, result if after.mover is position.mover else -result)
            if best > 0 or self._signal[0]:
                break
        if self._may_remember():
            self._forced[position, within] = best
        return best

    def _is_told_to_stop(self) -> bool:
        self.nodes += 1
        if self.nodes % _POLL == 0 and self.poll:
            self.poll()
        return bool(self._signal[0])

    def _may_remember(self) -> bool:
        """Tell whether what was found is no nonsense, and there is memory for it."""
        return not self._signal[0] and self.entries < self._most


class PlainBackend(Backend):
    """Any rulebook, by nothing but what its positions say."""

    most_threads = 1  # more would only wait for each other

    def can_search(self, position: Position) -> bool:
        """Tell whether there are few enough free cells."""
        return free_cells(position).bit_count() <= CELLS

    def new_search(self, board: Board, shared: Shared) -> PlainSearch:  # noqa: ARG002
        """Return the one search."""
        return PlainSearch(shared)

    def memory(self, board: Board) -> int:
        """Return what the positions of a small board take."""
        return 1 << min(30, 16 + len(board))

    def wins(self, run: Run, position: Position) -> bool:
        """Tell whether the mover wins."""
        return run(self._board, lambda search: cast("PlainSearch", search).wins(position))

    def probe(self, run: Run, position: Position) -> bool | None:
        """Tell whether the mover wins, if that is remembered."""
        return run(self._board, lambda search: cast("PlainSearch", search).probe(position))

    def forced(self, run: Run, position: Position, within: int, *, ask: bool) -> int:  # noqa: ARG002
        """Return 1 or -1 if the mover wins or loses within so many actions, otherwise 0."""
        return run(self._board, lambda search: cast("PlainSearch", search).forced(position, within))

    @property
    def _board(self) -> Board:
        return range(self.game.grid.cell_count)
