"""Tables are given back with their solver, and nobody waits for the collector to find them."""

from __future__ import annotations

import gc
import mmap
import os
import random
import threading
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock.errors import LimitError
from gridlock.record import Record
from gridlock.search.analysis import analyse
from gridlock.search.levels import choose
from gridlock.search.review import review
from gridlock.search.settings import Settings
from gridlock.search.solver import Progress, Solver
from gridlock.search.theorems import ALL, Theorem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HARD = gridlock.game("claim", "7x9")
"""Its start takes hours, and its table is as large as it may be."""

TABLE = 1 << 24  # bytes

STATM = Path("/proc/self/statm")


class ShockError(Exception):
    """What a watcher raises."""


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> Iterator[weakref.WeakSet[mmap.mmap]]:
    """The tables that are alive, while nothing collects what only a cycle keeps."""
    alive: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()

    class Table(mmap.mmap):
        def __init__(self, *_: object) -> None:
            alive.add(self)

    monkeypatch.setattr("gridlock.search.memory.mmap.mmap", Table)
    gc.collect()
    gc.disable()
    yield alive
    gc.enable()


def _solver(watch: Callable[[Progress], None] | None = None, threads: int = 1) -> Solver:
    settings = Settings(memory=TABLE, threads=threads)
    return Solver(HARD, settings, use=ALL & ~Theorem.MIRROR, watch=watch)


def _analyse_in_the_time(threads: int = 1) -> None:
    analyse(HARD.start(), 0.05, solver=_solver(threads=threads), on_progress=lambda _: None)


def _analyse_on_threads() -> None:
    _analyse_in_the_time(threads=3)


def _review_in_the_time() -> None:
    record = Record(HARD, moves=(0, 20, 40))
    review(record, 0.05, _solver(), on_progress=lambda _: None)


def _choose_at_the_highest_level() -> None:
    choose(_solver(), HARD.start().play(0), 8, random.Random(1), 0.02)


def _meet_the_limit() -> None:
    solver = _solver()
    with pytest.raises(LimitError), solver.within(0.05):
        solver.wins(HARD.start())


def _stop() -> None:
    def watch(progress: Progress) -> None:
        if progress.nodes and (searching := reference()):
            searching.stop()

    solver = _solver(watch)
    reference = weakref.ref(solver)
    with pytest.raises(LimitError, match="^stopped$"):
        solver.wins(HARD.start())


def _stop_from_another_thread() -> None:
    searching = threading.Event()
    solver = _solver(lambda _: searching.set(), threads=2)

    def stop() -> None:
        searching.wait()
        solver.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(LimitError, match="^stopped$"):
        solver.wins(HARD.start())
    thread.join()


def _fail_in_a_watcher(threads: int = 1) -> None:
    def watch(progress: Progress) -> None:
        if progress.nodes:
            raise ShockError

    for ask in (
        lambda solver: solver.wins(HARD.start()),
        lambda solver: analyse(HARD.start(), 5, solver=solver),
        lambda solver: review(Record(HARD, moves=(0, 20)), 5, solver),
        lambda solver: choose(solver, HARD.start(), 8, random.Random(1)),
    ):
        with pytest.raises(ShockError):
            ask(_solver(watch, threads))


def _fail_on_threads() -> None:
    _fail_in_a_watcher(threads=2)


def _fail_in_a_listener() -> None:
    def listen(_: object) -> None:
        raise ShockError

    game = gridlock.game("occupation", "5x7")
    with pytest.raises(ShockError):
        analyse(game.start(), 5, solver=Solver(game), on_progress=listen)


SEARCHES = [
    _analyse_in_the_time,
    _analyse_on_threads,
    _review_in_the_time,
    _choose_at_the_highest_level,
    _meet_the_limit,
    _stop,
    _stop_from_another_thread,
    _fail_in_a_watcher,
    _fail_on_threads,
    _fail_in_a_listener,
]


@pytest.mark.parametrize("search", SEARCHES)
def test_a_table_goes_with_its_solver(
    tables: weakref.WeakSet[mmap.mmap], search: Callable[[], None]
) -> None:
    search()
    assert len(tables) == 0


def test_a_solver_keeps_its_table(tables: weakref.WeakSet[mmap.mmap]) -> None:
    solver = _solver()
    with pytest.raises(LimitError), solver.within(0.05):
        solver.wins(HARD.start())
    assert len(tables) == 1


def _resident() -> int:
    """Return how many bytes of memory this process has."""
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


@pytest.mark.long
@pytest.mark.skipif(not STATM.exists(), reason="only Linux tells it so")
@pytest.mark.usefixtures("tables")
def test_a_process_does_not_grow_with_its_searches() -> None:
    for search in SEARCHES:
        search()
    before = _resident()
    for _ in range(3):
        for search in SEARCHES:
            search()
    assert _resident() - before < TABLE
