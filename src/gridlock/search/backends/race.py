"""The search of race, in the compiled core."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from gridlock.model import Player
from gridlock.rulebooks.race import BLOCK
from gridlock.search import theorems
from gridlock.search.backends.base import Backend, evaluate_all
from gridlock.search.kernel.alphabeta import AlphaBeta
from gridlock.search.kernel.bits import CELLS
from gridlock.search.kernel.race import Race
from gridlock.search.layout import race_layout
from gridlock.search.memory import WORD, new_words
from gridlock.search.settings import LEAST_MEMORY

if TYPE_CHECKING:
    from gridlock.model import Position
    from gridlock.rulebooks.race import RacePosition
    from gridlock.search.backends.base import Board, Estimator, Evaluation, Run, Search
    from gridlock.search.memory import Shared


_MOST_COLUMNS = 63  # of a row that is a word, with a bit to spare


@lru_cache(maxsize=4)
def _keys(cells: int) -> list[int]:
    """Return random words by which positions are told apart, always the same."""
    rng = random.Random(cells)
    return [rng.getrandbits(64) for _ in range(6 * cells + 2)]


class RaceBackend(Backend):
    """Race: the kernel knows positions before a step, so a block is tried cell by cell here."""

    proof_share = 0.3  # alpha-beta proves what is near as well, and plays better with more time

    def can_search(self, position: Position) -> bool:  # noqa: ARG002
        """Tell whether the board has few enough cells."""
        return self.game.grid.cell_count <= CELLS

    def new_search(self, board: Board, shared: Shared) -> Search:  # noqa: ARG002
        """Return one more search."""
        return Race(*shared, race_layout(self.game, self.use))

    def memory(self, board: Board) -> int:
        """Return what searches of such boards were measured to use."""
        return 1 << 10 + len(board) * 3 // 5

    def wins(self, run: Run, position: Position) -> bool:
        """Tell whether the mover wins."""
        return run(self._board, lambda search: self._wins(cast("Race", search), position))

    def probe(self, run: Run, position: Position) -> bool | None:
        """Tell whether the mover wins, if the table knows it."""
        verdict = run(self._board, lambda search: self._probe(cast("Race", search), position))
        return None if verdict == 0 else verdict > 0

    def forced(self, run: Run, position: Position, within: int, *, ask: bool) -> int:
        """Return 1 or -1 if the mover wins or loses within so many actions, otherwise 0."""
        return run(
            self._board,
            lambda search: self._forced(cast("Race", search), position, within, ask=ask),
        )

    def evaluate(self, run: Run, words: memoryview, *, distances: bool) -> Evaluation:
        """Return who wins many games, as words of the batch kernel, and if asked how soon."""
        return evaluate_all(run, self._board, words, distances=distances)

    @property
    def _board(self) -> Board:
        return range(self.game.grid.cell_count)

    def _wins(self, search: Race, position: Position) -> bool:
        if position.winner is not None:
            return False
        if position.phase == BLOCK:
            return any(
                not self._wins(search, position.play(cell)) for cell in position.legal_cells()
            )
        return search.wins(*self._seen_by_mover(position))

    def _probe(self, search: Race, position: Position) -> int:
        if position.winner is not None:
            return -1
        if position.phase == BLOCK:
            return max(-self._probe(search, position.play(cell)) for cell in position.legal_cells())
        return search.probe(*self._seen_by_mover(position))

    def _forced(self, search: Race, position: Position, within: int, *, ask: bool) -> int:
        if position.winner is not None:
            return -1
        if position.phase != BLOCK:
            return search.forced(*self._seen_by_mover(position), within, ask)
        if within <= 0:
            return 0
        return max(
            -self._forced(search, position.play(cell), within - 1, ask=ask)
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

    def new_estimator(
        self, position: Position, signal: memoryview, memory: int, seed: int
    ) -> Estimator:
        """Return a search that estimates a position; it is the same for every seed."""
        return self.new_estimators(position, signal, memory, seed, 1)[0]

    def new_estimators(
        self, position: Position, signal: memoryview, memory: int, seed: int, threads: int
    ) -> list[Estimator]:
        """Return searches that share one table, every other of them a turn ahead."""
        grid = self.game.grid
        if grid.columns > _MOST_COLUMNS:
            return [
                super(RaceBackend, self).new_estimator(
                    position, signal, memory // threads, seed + number
                )
                for number in range(threads)
            ]
        words, keys = new_words(max(LEAST_MEMORY, memory // WORD * WORD)), _keys(grid.cell_count)
        race = cast("RacePosition", position)
        searches: list[Estimator] = []
        for number in range(threads):
            search = AlphaBeta(words, signal, grid.rows, grid.columns, keys)
            search.set_root(race.tokens, race.blocked, race.mover - 1, race.phase == BLOCK)
            search.depth = number % 2
            searches.append(search)
        return searches
