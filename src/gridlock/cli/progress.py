"""What a person sees while a search takes long."""

from __future__ import annotations

import signal
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import note
from gridlock.notation import write_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gridlock.engine import Engine
    from gridlock.players import Bot
    from gridlock.search.solver import Progress

_INTERVAL = 0.25  # seconds between two looks
_PATIENCE = 0.5  # seconds before the first


@contextmanager
def watching(what: str, way_out: str = "") -> Iterator[Callable[[Progress], None]]:
    """Show how far a search has come, on a terminal; Ctrl-C ends it with a summary.

    What a solver has done before it is watched does not count.  ``way_out`` says what a person may
    do meanwhile.
    """
    shown_at = time.monotonic() + _PATIENCE - _INTERVAL
    first: Progress | None = None
    latest: Progress | None = None
    is_seen = sys.stderr.isatty()

    def watch(progress: Progress) -> None:
        nonlocal first, latest, shown_at
        first = first or progress
        progress = latest = replace(
            progress,
            nodes=progress.nodes - first.nodes,
            seconds=progress.seconds - first.seconds,
        )
        now = time.monotonic()
        if is_seen and now - shown_at >= _INTERVAL:
            shown_at = now
            click.echo(f"\r\x1b[K{what}: {in_words(progress)}{way_out}", nl=False, err=True)

    try:
        yield watch
    except KeyboardInterrupt:
        _clear(is_seen)
        so_far = f" after {in_words(latest)}" if latest else ""
        note(f"gridlock: stopped {what}{so_far}")
        raise
    _clear(is_seen)


@contextmanager
def hurrying(engine: Engine | Bot, answer: str) -> Iterator[Callable[[Progress], None]]:
    """Show how far an engine or a player has come; the first Ctrl-C makes it answer at once.

    The second one ends it with a summary, as ``watching`` does.  ``answer`` says what comes next.
    """
    is_hurried = False
    usual = signal.getsignal(signal.SIGINT)
    is_heeded = usual is signal.default_int_handler  # not where somebody ignores Ctrl-C
    can_hurry = is_heeded and threading.current_thread() is threading.main_thread()

    def hurry(*_: object) -> None:
        nonlocal is_hurried
        is_hurried = True
        signal.signal(signal.SIGINT, usual)

    with watching("thinking", f"; Ctrl-C: {answer} now" if can_hurry else "") as watch:

        def listen(progress: Progress) -> None:
            if is_hurried:
                engine.stop()  # here, where a question is under way for sure
            watch(progress)

        if can_hurry:
            signal.signal(signal.SIGINT, hurry)
        try:
            yield listen
        finally:
            if can_hurry:
                signal.signal(signal.SIGINT, usual)


def _clear(is_seen: bool) -> None:
    if is_seen:
        click.echo("\r\x1b[K", nl=False, err=True)


def in_words(progress: Progress) -> str:
    """Return nodes, speed, table and time; the time alone where nothing was searched."""
    seconds = f"{progress.seconds:.1f} s"
    if not progress.nodes:
        return seconds
    speed = progress.nodes / max(progress.seconds, 1e-9)
    return (
        f"{write_count(progress.nodes, 'node')}, {speed:,.0f} nodes/s, "
        f"table {progress.fill:.0%} full, {seconds}"
    )
