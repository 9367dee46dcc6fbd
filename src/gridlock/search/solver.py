"""Exact answers about the positions of a game, within limits."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from gridlock.errors import LimitError, RulebookError, SizeError
from gridlock.search.backends import backend_of
from gridlock.search.kernel.bits import CELLS, ENTRY
from gridlock.search.memory import WORD, new_shared
from gridlock.search.settings import ESTIMATES_SHARE, LEAST_MEMORY, Settings
from gridlock.search.team import Team
from gridlock.search.theorems import ALL, Theorem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    from gridlock.model import Game, Position
    from gridlock.search.analysis import Analysis
    from gridlock.search.backends.base import Board, Estimator, Evaluation, Search
    from gridlock.search.memory import Shared
    from gridlock.search.review import Review

_Answer = TypeVar("_Answer")

STOPPED = "stopped"
_PAGE = 4096  # bytes
_THREADS_PER_CORE = 4
_LARGE_BOARDS = 4
"""For how many large tables there is memory, where positions are searched in parts."""


@dataclass(frozen=True, slots=True)
class _Desk:
    """A board, a table for what is found out about it, and the searches that share these."""

    board: Board
    size: int
    """The bytes of the table."""
    shared: Shared
    searches: list[Search]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come: ``fill`` is the part of its table that is in use.

    ``found`` is what is known so far of an analysis or a review, whenever that is more than before.
    """

    nodes: int
    seconds: float
    fill: float
    found: Analysis | Review | None = None


class Solver:
    """Answers about one game, who wins and how soon; what it has found out it remembers.

    Every answer is exact, or there is none: then ``LimitError`` says which limit was met.
    ``watch`` is handed the progress many times a second; what it raises ends the search.  With
    ``is_misere`` the player who cannot move wins.  ``use`` says which theorems may be used.

    The memory of a solver is given back with the last reference to it.
    """

    def __init__(
        self,
        game: Game,
        settings: Settings | None = None,
        *,
        use: Theorem = ALL,
        is_misere: bool = False,
        watch: Callable[[Progress], None] | None = None,
    ) -> None:
        self.game = game
        self.settings = settings or Settings()
        self.backend = backend_of(game, use, is_misere=is_misere)
        self._watchers = [watch] if watch else []
        self._is_stopped = False
        self._lock = threading.RLock()
        self._desks: list[_Desk] = []
        """One for each board that is kept, the one of use last first."""
        self._nodes = 0
        """The nodes of desks that are not kept any more, and of estimates."""
        self._estimator: Estimator | None = None
        self._estimated = 0
        """The nodes of the estimator at work when it began."""
        self._signal = memoryview(array("q", [0]))
        self._start = time.monotonic()
        self._seconds = self.settings.seconds
        self._deadline = None if self._seconds is None else self._start + self._seconds

    @contextlib.contextmanager
    def within(self, seconds: float | None) -> Iterator[None]:
        """Give the answers that are asked for meanwhile so much time at most, from now on."""
        outer = self._seconds, self._deadline
        if seconds is not None:
            deadline = time.monotonic() + seconds
            if self._deadline is None or deadline < self._deadline:
                self._seconds, self._deadline = seconds, deadline
        try:
            yield
        finally:
            self._seconds, self._deadline = outer

    @contextlib.contextmanager
    def watched_by(self, watch: Callable[[Progress], None]) -> Iterator[None]:
        """Hand the progress of the answers that are asked for meanwhile to one more watcher."""
        self._watchers.append(watch)
        try:
            yield
        finally:
            self._watchers.remove(watch)

    def stop(self) -> None:
        """End the search under way; any thread may call this.

        Whoever waits for an answer gets ``LimitError("stopped")`` at once, and so does every later
        question until ``resume``.
        """
        self._is_stopped = True  # before the signal, which a search that begins now takes back
        self._signal[0] = 1

    def resume(self) -> None:
        """Answer questions again after ``stop``."""
        self._is_stopped = False

    @property
    def limit(self) -> str | None:
        """Why nothing can be answered any more, None while there is time."""
        if self._is_stopped:
            return STOPPED
        if self._deadline is not None and time.monotonic() > self._deadline:
            return f"not solved within {self._seconds:g} s"
        return None

    @property
    def progress(self) -> Progress:
        """How far all searches together have come."""
        desks = self._desks
        searches = [search for desk in desks for search in desk.searches]
        nodes = self._nodes + sum(search.nodes for search in searches)
        if self._estimator is not None:
            nodes += self._estimator.nodes - self._estimated
        entries = sum(search.entries for search in searches)
        capacity = max(1, sum(desk.size for desk in desks) // (ENTRY * WORD))
        return Progress(nodes, time.monotonic() - self._start, min(1.0, entries / capacity))

    def wins(self, position: Position) -> bool:
        """Tell whether the mover of a position wins."""
        self._check(position)
        if position.winner is not None:
            return self.backend.is_misere
        self._check_limit()  # on a large board it takes a while even to look for a mirror
        known = self.backend.known(position)
        if known is not None:
            return known
        self.backend.check_size(position)
        with self._lock:
            return self.backend.wins(self._run, position)

    def probe(self, position: Position) -> bool | None:
        """Tell whether the mover of a position wins, where earlier answers say it.

        It takes hardly any search: None is said where that would take one.
        """
        self._check(position)
        if position.winner is not None:
            return self.backend.is_misere
        known = self.backend.known(position)
        if known is not None or not self.can_search(position):
            return known
        with self._lock:
            return self.backend.probe(self._run, position)

    def theorem(self, position: Position) -> Theorem | None:
        """Return the theorem that proves who wins a position, where one does without a search."""
        self._check(position)
        return self.backend.theorem(position)

    def wins_by(self, position: Position, cell: int) -> bool:
        """Tell whether the mover of a position wins by choosing a cell."""
        known = self.backend.known_by(position, cell)
        if known is not None:
            return known
        after = position.play(cell)
        return self.wins(after) == (after.mover is position.mover)

    def probe_by(self, position: Position, cell: int) -> bool | None:
        """Tell whether the mover of a position wins by choosing a cell, likewise."""
        known = self.backend.known_by(position, cell)
        if known is not None:
            return known
        after = position.play(cell)
        known = self.probe(after)
        return None if known is None else known == (after.mover is position.mover)

    def winning_cell(self, position: Position) -> int | None:
        """Return a cell by which the mover of a position wins, None if there is none.

        When ``wins`` has proved that there is one, its proof says which: that is found again in the
        table, and not searched once more.
        """
        if not self.wins(position):
            return None
        doubtful = []
        for cell in position.legal_cells():
            known = self.probe_by(position, cell)
            if known:
                return cell
            if known is None:
                doubtful.append(cell)
        for cell in doubtful:
            with contextlib.suppress(SizeError):  # a theorem may prove more than can be searched
                if self.wins_by(position, cell):
                    return cell
        raise AssertionError("some cell of a won position wins")  # pragma: no cover

    def forced_by(self, position: Position, cell: int, within: int) -> bool | None:
        """Tell whether the mover wins within so many actions by choosing a cell; None: not yet."""
        self.check(position)
        after = position.play(cell)
        result = self._forced(after, within - 1, ask=True)
        return result if result is None or after.mover is position.mover else not result

    def soon(self, position: Position, cell: int, within: int) -> bool | None:
        """Tell what ``forced_by`` does, quickly, for a few actions on a board of any size."""
        after = position.play(cell)
        if self.can_measure(after):
            is_won = self.forced(after, within - 1)
        else:
            result = self._try_out(after, within - 1)
            is_won = None if result == 0 else result > 0
        return is_won if is_won is None or after.mover is position.mover else not is_won

    def _try_out(self, position: Position, within: int) -> int:
        """Return 1 or -1 if the mover wins or loses within so many actions, by the rules alone."""
        if position.winner is not None:
            return -1
        if within == 0 or not self.backend.may_end(position, within):
            return 0
        self._check_limit()
        best = -1
        for cell in position.legal_cells():
            after = position.play(cell)
            result = self._try_out(after, within - 1)
            best = max(best, result if after.mover is position.mover else -result)
            if best > 0:
                break
        return best

    def forced(self, position: Position, within: int) -> bool | None:
        """Tell whether the mover wins within so many actions; None if it is not decided by then.

        Unlike ``distance`` this does not find out first who wins, and so is quick for a few actions
        on any board that the search can take.
        """
        self.check(position)
        return self._forced(position, within, ask=False)

    def distance(self, position: Position) -> int:
        """Return how many actions are left when the winner hurries and the loser delays."""
        self.check(position)
        step = self.backend.distance_step
        within = 0 if step == 1 or not self.wins(position) else 1
        while self._forced(position, within, ask=True) is None:
            within += step
        return within

    def evaluate(self, words: memoryview, *, distances: bool = False) -> Evaluation:
        """Return who wins many games of this one's rules and board, and if asked how soon.

        They are words of the batch kernel, eight for each game.
        """
        self._check_misere()
        with self._lock:
            return self.backend.evaluate(self._run, words, distances=distances)

    def can_search(self, position: Position) -> bool:
        """Tell whether a position is small enough to search who wins it."""
        return self.backend.can_search(position)

    def can_measure(self, position: Position) -> bool:
        """Tell whether a position is small enough to search how soon it is won."""
        return self.backend.can_measure(position)

    def nimber(self, position: Position) -> int:
        """Return the Grundy value, where both players may always take the same cells."""
        self.check(position)
        with self._lock:
            return self.backend.nimber(self._run, position)

    def number(self, position: Position) -> tuple[Fraction, bool]:
        """Return the value of a position, for player 1: a number, and whether a star is with it."""
        self.check(position)
        with self._lock:
            return self.backend.number(self._run, position)

    def check(self, position: Position) -> None:
        """Refuse a position of another game, and everything but ``wins`` where play is misere."""
        self._check(position)
        self._check_misere()

    def _check_misere(self) -> None:
        if self.backend.is_misere:
            raise RulebookError("a misere solver tells who wins, and nothing else")

    def _check(self, position: Position) -> None:
        if position.game != self.game:
            raise RulebookError(f"a solver of {self.game} cannot answer for {position.game}")
        if self._is_stopped:
            raise LimitError(STOPPED)
        self._tell_watchers()  # what theorems answer takes no search, but may take long

    def _check_limit(self) -> None:
        if limit := self.limit:
            raise LimitError(limit)

    def _tell_watchers(self) -> None:
        if self._watchers:
            progress = self.progress
            for watch in tuple(self._watchers):
                watch(progress)

    # ------------------------------------------------------------------ estimates

    @property
    def signal(self) -> memoryview:
        """Its one word is not zero when every search has to stop."""
        return self._signal

    @property
    def most_threads(self) -> int:
        """How many threads may search at once."""
        return self._most_threads()

    @contextlib.contextmanager
    def thinking(self, search: Estimator) -> Iterator[None]:
        """Let an estimating search think within the limits; none is raised when they are met."""

        def poll() -> None:
            self._tell_watchers()
            if self.limit:
                self._signal[0] = 1

        with self._lock:
            self._signal[0] = 1 if self.limit else 0
            self._estimator, self._estimated = search, search.nodes
            search.poll = poll
            try:
                yield
            finally:
                self._signal[0] = 1
                self._estimator = None
                self._nodes += search.nodes - self._estimated
                search.poll = None
                failure, search.failure = search.failure, None
            if failure is not None:
                try:
                    raise failure
                finally:
                    del failure

    # ------------------------------------------------------------------ asking the backend

    def _forced(self, position: Position, within: int, *, ask: bool) -> bool | None:
        if position.winner is not None:
            return False
        within = max(0, min(within, 2 * CELLS))  # no game lasts longer
        self.backend.check_size(position)
        with self._lock:
            result = self.backend.forced(self._run, position, within, ask=ask)
        return None if result == 0 else result > 0

    def _run(self, board: Board, ask: Callable[[Search], _Answer]) -> _Answer:
        """Return what a search of a board answers; where it takes long, let more threads search."""
        desk = self._prepare(board)
        first = desk.searches[0]
        team = Team(ask, self._signal)

        def poll() -> None:
            self._tell_watchers()
            if self.limit:
                self._signal[0] = 1
            elif not team.helpers:
                while len(desk.searches) < self._most_threads():
                    desk.searches.append(self.backend.new_search(desk.board, desk.shared))
                team.call(desk.searches)

        self._signal[0] = 0
        self._check_limit()  # now, as it could not be stopped a moment ago
        first.poll = poll
        try:
            team.search(first)
        finally:
            self._signal[0] = 1
            team.dismiss()
            # What holds the solver, or this frame, would keep the table until a cycle is found.
            first.poll = None
            failure, first.failure = first.failure, None
        if failure is not None:
            try:
                raise failure
            finally:
                del failure
        if not team.answers:
            raise LimitError(self.limit)
        return team.answers[0]

    def _most_threads(self) -> int:
        most = _THREADS_PER_CORE * (os.cpu_count() or 1)  # more would only wait
        return min(self.settings.threads, self.backend.most_threads or most, most)

    def _prepare(self, board: Board) -> _Desk:
        """Return a desk for a board: the one that there was, if it is still kept."""
        desk = next((desk for desk in self._desks if desk.board == board), None)
        if desk is None:
            size = self._table_size(board)
            self._make_room(size)
            shared = new_shared(size, self._signal)
            desk = _Desk(board, size, shared, [self.backend.new_search(board, shared)])
        self._desks = [desk, *(other for other in self._desks if other is not desk)]
        return desk

    def _make_room(self, size: int) -> None:
        """Give up what was of use least recently, until a new table of so many bytes fits in."""
        desks = self._desks[: self.backend.most_boards - 1]
        while desks and size + sum(desk.size for desk in desks) > self.settings.memory:
            desks.pop()
        for desk in self._desks[len(desks) :]:
            self._nodes += sum(search.nodes for search in desk.searches)
        self._desks = desks

    def _table_size(self, board: Board) -> int:
        """Return the bytes of a table: what a board can use, within the settings.

        A part of these is left to estimates.

        A table that is larger than needed is slow: every page of it costs when it is first used.
        """
        most = self.settings.memory - self.settings.memory // ESTIMATES_SHARE
        if self.backend.most_boards > 1:
            most //= _LARGE_BOARDS
        return max(LEAST_MEMORY, min(most, self.backend.memory(board))) // _PAGE * _PAGE
