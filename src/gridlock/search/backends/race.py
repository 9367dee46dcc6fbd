"""The search of race, in the compiled core."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from gridlock.grid import ORTHOGONAL
from gridlock.model import Player
from gridlock.rulebooks.race import BLOCK, starting_cell
from gridlock.search import theorems
from gridlock.search.backends.base import Backend
from gridlock.search.kernel.bits import CELLS
from gridlock.search.kernel.race import Race
from gridlock.search.layout import race_layout

if TYPE_CHECKING:
    from gridlock.model import Position
    from gridlock.rulebooks.race import RacePosition
    from gridlock.search.backends.base import Search, Shared


class RaceBackend(Backend):
    """Race: the kernel knows positions before a step, so a block is tried cell by cell here."""

    def can_search(self, position: Position) -> bool:  # noqa: ARG002
        """Tell whether the board has few enough cells."""
        return self.game.grid.cell_count <= CELLS

    def new_search(self, shared: Shared) -> Search:
        """Return one more search."""
        return Race(*shared, race_layout(self.game, self.use))

    def memory(self) -> int:
        """Return what searches of such boards were measured to use."""
        return 1 << 10 + min(CELLS, self.game.grid.cell_count) * 3 // 5

    def wins(self, search: Search, position: Position) -> bool:
        """Tell whether the mover wins."""
        if position.winner is not None:
            return False
        if position.phase == BLOCK:
            return any(
                not self.wins(search, position.play(cell)) for cell in position.legal_cells()
            )
        return cast("Race", search).wins(*self._seen_by_mover(position))

    def forced(self, search: Search, position: Position, within: int, *, ask: bool) -> int:
        """Return 1 or -1 if the mover wins or loses within so many actions, otherwise 0."""
        if position.winner is not None:
            return -1
        if position.phase != BLOCK:
            return cast("Race", search).forced(*self._seen_by_mover(position), within, ask)
        if within <= 0:
            return 0
        return max(
            -self.forced(search, position.play(cell), within - 1, ask=ask)
            for cell in position.legal_cells()
        )

    def _seen_by_mover(self, position: Position) -> tuple[int, int, int]:
        """Return both tokens and the blocked cells, turned so that the mover's goal is last."""
        one, two = cast("RacePosition", position).tokens
        if position.mover is Player.ONE:
            return one, two, position.blocked
        last = self.game.grid.cell_count - 1
        turned = theorems.image_of(tuple(range(last, -1, -1)), position.blocked)
        return last - two, last - one, turned

    def room(self, position: Position, player: Player) -> int:
        """Return the free cells beside a token, less the way to its goal."""
        grid = self.game.grid
        token = cast("RacePosition", position).tokens[player - 1]
        row, column = grid.place(token)
        goal_row, goal_column = grid.place(starting_cell(self.game, player.opponent))
        free = grid.around(ORTHOGONAL)[token] & ~position.blocked
        return free.bit_count() - abs(goal_row - row) - abs(goal_column - column)
