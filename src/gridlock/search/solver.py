"""Exact answers about the positions of a game, within limits."""

from __future__ import annotations

import contextlib
import mmap
import os
import threading
import time
from array import array
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from gridlock.errors import LimitError, RulebookError, SizeError
from gridlock.grid import cells_of
from gridlock.model import Phase, Player
from gridlock.rulebooks.placement import PlacementPosition, PlacementRulebook
from gridlock.rulebooks.race import RacePosition
from gridlock.search import theorems
from gridlock.search.kernel.bits import BUSY, CELLS, ENTRY, UNIT
from gridlock.search.kernel.placement import Placement
from gridlock.search.kernel.race import Race
from gridlock.search.layout import pack, placement_layout, race_layout
from gridlock.search.matching import missable
from gridlock.search.theorems import ALL, Theorem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gridlock.model import Game, Position

_Answer = TypeVar("_Answer")

LEAST_MEMORY = 1 << 16
DEFAULT_MEMORY = 1 << 30
TOO_LARGE = f"not solved: more than {CELLS} cells are open"
STOPPED = "stopped"
_WORD = 8  # bytes
_PAGE = 4096  # bytes
_QUICKLY_CLEARED = 1 << 20  # bytes: to clear so many takes less time than to map them page by page
_THREADS_PER_CORE = 4


@dataclass(frozen=True, slots=True)
class Limits:
    """How long (None for as long as it takes), with how much memory, on how many threads."""

    seconds: float | None = None
    memory: int = DEFAULT_MEMORY
    threads: int = 1

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds >= 0:
            raise LimitError(f"{self.seconds} is not a number of seconds")
        if self.memory < LEAST_MEMORY or self.threads < 1:
            raise LimitError(f"a search needs {LEAST_MEMORY} bytes and one thread at least")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come: ``fill`` is the part of its table that is in use."""

    nodes: int
    seconds: float
    fill: float


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
        limits: Limits | None = None,
        *,
        use: Theorem = ALL,
        is_misere: bool = False,
        watch: Callable[[Progress], None] | None = None,
    ) -> None:
        self.game = game
        self.limits = limits or Limits()
        self._use = use
        self._is_misere = is_misere
        self._watchers = [watch] if watch else []
        self._is_stopped = False
        self._lock = threading.RLock()
        self._board: Sequence[int] = ()
        self._searches: list[Placement | Race] = []
        self._signal = memoryview(array("q", [0]))
        self._matched: tuple[Position | None, frozenset[int]] = (None, frozenset())
        self._start = time.monotonic()
        self._seconds = self.limits.seconds
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
        question: a solver that was stopped answers nothing any more.
        """
        self._is_stopped = True  # before the signal, which a search that begins now takes back
        self._signal[0] = 1

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
        nodes = sum(search.nodes for search in self._searches)
        entries = sum(search.entries for search in self._searches)
        capacity = self._table_size() // (ENTRY * _WORD)
        return Progress(nodes, time.monotonic() - self._start, min(1.0, entries / capacity))

    def wins(self, position: Position) -> bool:
        """Tell whether the mover of a position wins."""
        self._check(position)
        if position.winner is not None:
            return self._is_misere
        if self._has_matching(position):
            return bool(self._good_cells(position))
        if self._can_mirror_only(position):
            if limit := self.limit:  # on a large board it takes a while even to look for a mirror
                raise LimitError(limit)
            mirrored = self._mirrored(position)
            if mirrored is not None:
                return mirrored
        return self._search(position)

    def _search(self, position: Position) -> bool:
        if isinstance(position, RacePosition) and position.phase is Phase.BLOCK:
            return any(self.wins_by(position, cell) for cell in position.legal_cells())
        with self._lock:
            if isinstance(position, RacePosition):
                tokens = self._seen_by_mover(position)
                return self._run(lambda search: cast("Race", search).wins(*tokens))
            masks = self._masks(position)
            return self._run(lambda search: cast("Placement", search).wins(*masks, 0))

    def theorem(self, position: Position) -> Theorem | None:
        """Return the theorem that proves who wins a position, where one does without a search."""
        self._check(position)
        if self._has_matching(position):
            return Theorem.MATCHING
        if self._may_mirror() and self._mirrored(position) is not None:
            return Theorem.MIRROR
        return None

    def wins_by(self, position: Position, cell: int) -> bool:
        """Tell whether the mover of a position wins by choosing a cell."""
        if self._has_matching(position):
            return cell in self._good_cells(position)
        after = position.play(cell)
        return self.wins(after) == (after.mover is position.mover)

    def forced_by(self, position: Position, cell: int, within: int) -> bool | None:
        """Tell whether the mover wins within so many actions by choosing a cell; None: not yet."""
        self.check(position)
        after = position.play(cell)
        result = self._forced(after, within - 1, ask=True)
        return result if result is None or after.mover is position.mover else not result

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
        step = 1 if isinstance(position, RacePosition) else 2
        within = 0 if step == 1 or not self.wins(position) else 1
        while self._forced(position, within, ask=True) is None:
            within += step
        return within

    def can_search(self, position: Position) -> bool:
        """Tell whether a position is small enough to be searched."""
        return len(self._needed(position)) <= CELLS

    def nimber(self, position: Position) -> int:
        """Return the Grundy value, where both players may always take the same cells."""
        self.check(position)
        if not theorems.is_impartial(position.game.rulebook):
            raise RulebookError(f"positions of {position.game.rulebook.id} have no Grundy value")
        if self._can_mirror_only(position) and theorems.mirror_of(position):
            return 0
        with self._lock:
            mine, _, _ = self._masks(position)
            return self._run(lambda search: cast("Placement", search).nimber(mine))

    def number(self, position: Position) -> tuple[Fraction, bool]:
        """Return the value of a position, for player 1: a number, and whether a star is with it.

        Numbers are tried from the simplest on; who wins their difference says where to go on.
        """
        self.check(position)
        if not theorems.has_numbers(position.game.rulebook):
            raise RulebookError(f"positions of {position.game.rulebook.id} are not all numbers")
        position = cast("PlacementPosition", position)
        one, two = position.still_open
        if self._can_mirror_only(position) and one == two and theorems.mirror_of(position):
            return Fraction(0), False
        with self._lock:
            self._prepare(position)
            return self._number(self._pack(one), self._pack(two))

    def _number(self, one: int, two: int) -> tuple[Fraction, bool]:
        """Return the value of what player 1 and player 2 may take."""

        def first_wins(mine: int, theirs: int, beside: int) -> bool:
            rest = 2 * beside
            return self._run(lambda search: cast("Placement", search).wins(mine, theirs, -1, rest))

        low, high = -(CELLS + 1) * UNIT, (CELLS + 1) * UNIT
        guess = 0
        while True:
            above = first_wins(one, two, -guess)
            below = first_wins(two, one, guess)
            if above == below:
                # Equal, or a star apart: nothing else is confused with a number here.
                return Fraction(guess, UNIT), above
            low, high = (guess, high) if above else (low, guess)
            guess = _simplest_between(low, high)

    # ------------------------------------------------------------------ asking the kernel

    def _forced(self, position: Position, within: int, *, ask: bool) -> bool | None:
        if position.winner is not None:
            return False
        within = max(0, min(within, 2 * CELLS))  # no game lasts longer
        if isinstance(position, RacePosition) and position.phase is Phase.BLOCK:
            return self._forced_by_block(position, within, ask=ask)
        with self._lock:
            if isinstance(position, RacePosition):
                tokens = self._seen_by_mover(position)
                result = self._run(lambda search: cast("Race", search).forced(*tokens, within, ask))
            else:
                masks = self._masks(position)
                result = self._run(
                    lambda search: cast("Placement", search).forced(*masks, within, ask)
                )
        return None if result == 0 else result > 0

    def _forced_by_block(self, position: Position, within: int, *, ask: bool) -> bool | None:
        if within <= 0:
            return None
        replies = {
            self._forced(position.play(cell), within - 1, ask=ask)
            for cell in position.legal_cells()
        }
        return True if False in replies else None if None in replies else False

    def _run(self, ask: Callable[[Placement | Race], _Answer]) -> _Answer:
        """Return what a search answers; where it takes long, let more threads search as well."""
        first = self._searches[0]
        team = _Team(ask, self._signal)

        def poll() -> None:
            self._tell_watchers()
            if self.limit:
                self._signal[0] = 1
            elif not team.helpers:
                most = _THREADS_PER_CORE * (os.cpu_count() or 1)  # more would only wait
                while len(self._searches) < min(self.limits.threads, most):
                    self._searches.append(self._new_search())
                team.call(self._searches)

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

    def _check_limit(self) -> None:
        if limit := self.limit:
            raise LimitError(limit)

    def _tell_watchers(self) -> None:
        if self._watchers:
            progress = self.progress
            for watch in tuple(self._watchers):
                watch(progress)

    def _prepare(self, position: Position) -> None:
        """Make sure that the kernel knows all open cells of a position."""
        needed = self._needed(position)
        if len(needed) > CELLS:
            raise SizeError(TOO_LARGE)
        if needed != self._board and not set(needed) <= set(self._board):
            self._board = needed
            self._searches = []
        if not self._searches:
            self._words = _new_table(self._table_size())
            self._busy = memoryview(array("Q", bytes(BUSY * _WORD)))
            self._searches = [self._new_search()]

    def _needed(self, position: Position) -> Sequence[int]:
        """Return the cells that the kernel must know, or any ``CELLS + 1`` where it cannot."""
        cells = self.game.grid.cell_count
        if cells <= CELLS:
            return range(cells)
        if isinstance(position, PlacementPosition):
            last = 0 if position.last is None else 1 << position.last
            mask = position.still_open[0] | position.still_open[1] | last
            if mask.bit_count() <= CELLS:
                return cells_of(mask)
        return range(CELLS + 1)

    def _table_size(self) -> int:
        """Return the bytes of the table: what a board can use, within the limit.

        A table that is larger than needed is slow: every page of it costs when it is first used.
        So these sizes are as small as measuring allows, above 30 cells and below.
        """
        cells = min(CELLS, self.game.grid.cell_count)
        is_placement = isinstance(self.game.rulebook, PlacementRulebook)
        doublings = (
            min(1 + cells * 2 // 3, 11 + cells // 3) if is_placement else 10 + cells * 3 // 5
        )
        return max(LEAST_MEMORY, min(self.limits.memory, 1 << doublings)) // _PAGE * _PAGE

    def _new_search(self) -> Placement | Race:
        if isinstance(self.game.rulebook, PlacementRulebook):
            layout = placement_layout(self.game, self._board, self._use, is_misere=self._is_misere)
            return Placement(self._words, self._busy, self._signal, layout)
        return Race(self._words, self._busy, self._signal, race_layout(self.game, self._use))

    # ------------------------------------------------------------------ positions for the kernel

    def _masks(self, position: Position) -> tuple[int, int, int]:
        """Return what the mover may take, what the other player may, and the last cell or -1."""
        self._prepare(position)
        position = cast("PlacementPosition", position)
        mine = position.still_open[position.mover - 1]
        theirs = position.still_open[position.mover.opponent - 1]
        last = -1 if position.last is None else self._board.index(position.last)
        return self._pack(mine), self._pack(theirs), last

    def _pack(self, mask: int) -> int:
        """Return a mask of the board's cells as one of those that the kernel knows."""
        return mask if isinstance(self._board, range) else pack(self._board, mask)

    def _seen_by_mover(self, position: RacePosition) -> tuple[int, int, int]:
        """Return both tokens and the blocked cells, turned so that the mover's goal is last."""
        self._prepare(position)
        one, two = position.tokens
        if position.mover is Player.ONE:
            return one, two, position.blocked
        last = self.game.grid.cell_count - 1
        turned = theorems.image_of(tuple(range(last, -1, -1)), position.blocked)
        return last - two, last - one, turned

    def _can_mirror_only(self, position: Position) -> bool:
        """Tell whether nothing but mirroring can answer for a position: it is too large."""
        return (
            self._may_mirror()
            and self.game.grid.cell_count > CELLS
            and not self.can_search(position)
        )

    def _may_mirror(self) -> bool:
        return Theorem.MIRROR in self._use and not self._is_misere

    def _mirrored(self, position: Position) -> bool | None:
        """Tell whether the mover of a position wins, if mirroring decides it."""
        if theorems.mirror_of(position):
            return False
        return True if theorems.mirror_cells(position) else None

    def check(self, position: Position) -> None:
        """Refuse a position of another game, and everything but ``wins`` where play is misere."""
        self._check(position)
        if self._is_misere:
            raise RulebookError("a misere solver tells who wins, and nothing else")

    def _check(self, position: Position) -> None:
        if position.game != self.game:
            raise RulebookError(f"a solver of {self.game} cannot answer for {position.game}")
        if self._is_stopped:
            raise LimitError(STOPPED)
        self._tell_watchers()  # what theorems answer takes no search, but may take long

    def _has_matching(self, position: Position) -> bool:
        return (
            Theorem.MATCHING in self._use
            and not self._is_misere
            and theorems.has_matching(position.game.rulebook)
        )

    def _good_cells(self, position: Position) -> frozenset[int]:
        """Return the legal cells that win by the theorem of the matching."""
        if self._matched[0] is not position:
            self._check_limit()
            position = cast("PlacementPosition", position)
            grid = self.game.grid
            follow = cast("PlacementRulebook", self.game.rulebook).follow or frozenset()
            is_open = [
                bit == "1" for bit in reversed(f"{position.still_open[0]:0{grid.cell_count}b}")
            ]
            neighbours = {}
            for cell in range(grid.cell_count):
                if is_open[cell]:
                    row, column = grid.place(cell)
                    neighbours[cell] = [
                        other
                        for down, right in follow
                        if grid.contains(row + down, column + right)
                        and is_open[other := grid.cell(row + down, column + right)]
                    ]
            good = missable(neighbours) & set(position.legal_cells())
            self._matched = position, frozenset(good)
        return self._matched[1]


def _new_table(size: int) -> memoryview:
    """Return empty words; of a large table memory is taken only as they are used."""
    if size <= _QUICKLY_CLEARED:
        return memoryview(bytearray(size)).cast("Q")
    try:
        # Shared pages: private ones are mapped twice, first to read and then to write, and the
        # second time every other thread has to be told.
        memory = mmap.mmap(-1, size)
    except OSError as error:
        raise LimitError(
            f"not solved: {size:,} bytes of memory could not be had ({error.strerror})"
        ) from None
    return memoryview(memory).cast("B").cast("Q")


class _Team(Generic[_Answer]):
    """Threads at one question, over one table: the first answer counts."""

    def __init__(self, ask: Callable[[Placement | Race], _Answer], signal: memoryview) -> None:
        self._ask = ask
        self._signal = signal
        self.answers: list[_Answer] = []
        self.helpers: list[threading.Thread] = []

    def search(self, search: Placement | Race) -> None:
        """Search in this thread, and tell the others to stop when there is an answer."""
        answer = self._ask(search)
        if not self._signal[0]:
            self.answers.append(answer)
            self._signal[0] = 1

    def call(self, searches: Sequence[Placement | Race]) -> None:
        """Let all but the first search in threads of their own."""
        for search in searches[1:]:
            helper = threading.Thread(target=self.search, args=(search,))
            with contextlib.suppress(RuntimeError):  # the system has no more threads
                helper.start()
                self.helpers.append(helper)
        for search in searches:
            search.is_shared = bool(self.helpers)

    def dismiss(self) -> None:
        """Wait until all threads have stopped."""
        for helper in self.helpers:
            helper.join()


def _simplest_between(low: int, high: int) -> int:
    """Return the simplest number between two, in units: 0, small integers, few halvings."""
    if low < 0 < high:
        return 0
    if high <= 0:
        return -_simplest_between(-high, -low)
    step = UNIT
    while low // step * step + step >= high:
        step //= 2
        if step == 0:
            raise LimitError(f"not solved: the value is finer than 1/{UNIT}")
    return low // step * step + step
