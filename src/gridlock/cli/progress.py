"""What a person sees while a search takes long."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gridlock.search.solver import Progress

_INTERVAL = 0.25  # seconds between two looks
_PATIENCE = 0.5  # seconds before the first


@contextmanager
def watching(what: str) -> Iterator[Callable[[Progress], None]]:
    """Show how far a search has come, on a terminal; Ctrl-C ends it with a summary."""
    shown_at = time.monotonic() + _PATIENCE - _INTERVAL
    seen: list[Progress] = []
    is_seen = sys.stderr.isatty()

    def watch(progress: Progress) -> None:
        nonlocal shown_at
        seen[:] = [progress]
        now = time.monotonic()
        if is_seen and now - shown_at >= _INTERVAL:
            shown_at = now
            click.echo(f"\r\x1b[K{what}: {in_words(progress)}", nl=False, err=True)

    try:
        yield watch
    except KeyboardInterrupt:
        _clear(is_seen)
        so_far = f" after {in_words(seen[0])}" if seen else ""
        note(f"gridlock: stopped {what}{so_far}")
        raise
    _clear(is_seen)


def _clear(is_seen: bool) -> None:
    if is_seen:
        click.echo("\r\x1b[K", nl=False, err=True)


def in_words(progress: Progress) -> str:
    """Return nodes, speed, table and time."""
    speed = progress.nodes / max(progress.seconds, 1e-9)
    return (
        f"{progress.nodes:,} node{'' if progress.nodes == 1 else 's'}, {speed:,.0f} nodes/s, "
        f"table {progress.fill:.0%} full, {progress.seconds:.1f} s"
    )
