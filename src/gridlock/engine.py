"""The engine: choose, analyse, hint, review and solve all go through it."""

from __future__ import annotations

import random
import threading
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gridlock.clock import MILLISECONDS, milliseconds
from gridlock.errors import LimitError, RulebookError
from gridlock.search import (
    ANALYSIS_SECONDS,
    HIGHEST_LEVEL,
    HINT_SECONDS,
    LOWEST_LEVEL,
    REVIEW_SECONDS,
    counted,
    levels,
    sentences,
)
from gridlock.search import analysis as analyses
from gridlock.search import review as reviews
from gridlock.search.settings import NO_LIMIT, Settings
from gridlock.search.solution import solve
from gridlock.search.solver import STOPPED, Progress, Solver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gridlock.clock import Clock
    from gridlock.model import Game, Player, Position
    from gridlock.record import Record
    from gridlock.search.analysis import Analysis
    from gridlock.search.review import Review
    from gridlock.search.settings import Limit
    from gridlock.search.solution import Solution

    Line = tuple[int, ...]
    Listener = Callable[[Progress], None]

_TURNS_TO_COME = 30
"""How many more turns the time on a clock should last."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A cell to choose, why in words, and the analysis behind it."""

    cell: int
    reason: str
    analysis: Analysis

    def __str__(self) -> str:
        return f"{self.analysis.position.game.name(self.cell)} {self.reason}"


class Engine:
    """Answers questions about one game, one at a time, and remembers what it has found.

    ``settings`` limit each question.  ``on_progress`` gets the progress many times a second, unless
    a question has its own listener; it may call ``stop``.

    When time runs out, or any thread calls ``stop``, the answer is what is known so far.  An
    engine's memory is freed with the last reference to it.
    """

    def __init__(
        self,
        game: Game,
        settings: Settings | None = None,
        *,
        on_progress: Listener | None = None,
        is_misere: bool = False,
    ) -> None:
        self.game = game
        self.settings = settings or Settings()
        self.on_progress = on_progress
        self._lock = threading.Lock()
        self._is_closed = False
        self._solver = Solver(game, replace(self.settings, seconds=None), is_misere=is_misere)

    def choose(
        self,
        position: Position,
        level: int = HIGHEST_LEVEL,
        *,
        clock: Clock | None = None,
        limit: Limit = NO_LIMIT,
        rng: random.Random | None = None,
        on_progress: Listener | None = None,
        on_found: Callable[[Analysis], None] | None = None,
    ) -> int:
        """Return the cell that a level chooses in a position that is not over.

        With a ``clock`` it saves enough of the mover's time for the turns to come.  A ``limit``
        is for this question alone; of nodes and depth only the highest level takes heed.  What
        that level chooses by is handed to ``on_found``.
        """
        if not LOWEST_LEVEL <= level <= HIGHEST_LEVEL:
            raise RulebookError(f"there is no level {level}: {LOWEST_LEVEL} to {HIGHEST_LEVEL}")
        seconds = self.settings.seconds if limit.seconds is None else limit.seconds
        if clock:
            share = _share_of(clock, position.mover)
            seconds = min(levels.usual_seconds(level) if seconds is None else seconds, share)
        rng = rng or random.Random()
        with self._asking(position.game, on_progress):
            if level == HIGHEST_LEVEL and limit.is_counted:
                with self._solver.within(seconds):
                    return counted.choose(self._solver, position, limit, rng, on_found)
            return levels.choose(self._solver, position, level, rng, seconds, on_found)

    def analyse(
        self,
        position: Position,
        *,
        limit: Limit = NO_LIMIT,
        on_progress: Listener | None = None,
    ) -> Analysis:
        """Return what every action of a position is worth, as far as time allows."""
        with self._asking(position.game, on_progress) as tell:
            seconds = limit.seconds or self._seconds(ANALYSIS_SECONDS)
            return analyses.analyse(position, seconds, solver=self._solver, on_progress=tell)

    def hint(self, position: Position, *, on_progress: Listener | None = None) -> Hint:
        """Return a best cell of a position that is not over, and why it is best."""
        with self._asking(position.game, on_progress):
            analysis = analyses.analyse(
                position, self._seconds(HINT_SECONDS), solver=self._solver, with_lines=False
            )
        best = sentences.explicable(analysis)
        return Hint(best.cell, sentences.reason(analysis, best), analysis)

    def refute(self, position: Position, cell: int, *, on_progress: Listener | None = None) -> Line:
        """Return a cell that does not win, and how the other player wins after it.

        Where that takes long it is only the answer that wins, or nothing but the cell.
        """
        asking = self._asking(position.game, on_progress)
        with asking, self._solver.within(self._seconds(HINT_SECONDS)):
            try:
                return analyses.refutation(self._solver, position, cell)
            except LimitError:
                return (cell,)

    def review(self, record: Record, *, on_progress: Listener | None = None) -> Review:
        """Return where the players gave the game away, as far as time allows."""
        with self._asking(record.game, on_progress) as tell:
            return reviews.review(record, self._seconds(REVIEW_SECONDS), self._solver, tell)

    def wins(self, position: Position, *, on_progress: Listener | None = None) -> bool | None:
        """Tell whether the mover of a position wins; None if that takes too long."""
        asking = self._asking(position.game, on_progress)
        with asking, self._solver.within(self.settings.seconds):
            try:
                return self._solver.wins(position)
            except LimitError:
                return None

    def solve(self, position: Position, *, on_progress: Listener | None = None) -> Solution:
        """Return who wins, with which cells, and what else is known; no time limit by default."""
        asking = self._asking(position.game, on_progress)
        with asking, self._solver.within(self.settings.seconds):
            return solve(self._solver, position, self.settings.seconds)

    def stop(self) -> None:
        """End the current question, if any, with what is known so far."""
        self._solver.stop()

    def close(self) -> None:
        """End the current question; later ones raise ``LimitError``."""
        self._is_closed = True
        self._solver.stop()

    @property
    def progress(self) -> Progress:
        """The progress of all searches together."""
        return self._solver.progress

    @contextmanager
    def _asking(
        self, game: Game, on_progress: Listener | None
    ) -> Iterator[Callable[[Analysis | Review], None]]:
        """Answer one question at a time; yield the function that passes on partial answers."""
        if game != self.game:
            raise RulebookError(f"an engine of {self.game} cannot answer for {game}")
        listener = on_progress or self.on_progress or _ignore

        def tell(found: Analysis | Review) -> None:
            listener(replace(self._solver.progress, found=found))

        with self._lock, self._solver.watched_by(listener):
            self._solver.resume()
            if self._is_closed:  # asked after the resuming, so that no closing goes unnoticed
                self._solver.stop()
                raise LimitError(STOPPED)
            yield tell

    def _seconds(self, usual: float) -> float:
        return usual if self.settings.seconds is None else self.settings.seconds


def _ignore(_: Progress) -> None:
    """Ignore the progress."""


def _share_of(clock: Clock, mover: Player) -> float:
    """Return the seconds for one turn: a share of the time left, and part of the increment."""
    left = clock.left_at(mover, milliseconds())
    return min(left / _TURNS_TO_COME + clock.increment / 2, left / 2) / MILLISECONDS
