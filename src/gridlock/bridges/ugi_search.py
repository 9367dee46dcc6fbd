"""What a UGI search may take, and what it tells while it lasts."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from gridlock.clock import MILLISECONDS, Clock
from gridlock.errors import NotationError, quote
from gridlock.notation import read_number
from gridlock.search.analysis import Analysis, Value
from gridlock.search.settings import Limit

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterator

    from gridlock.engine import Engine
    from gridlock.model import Player, Position
    from gridlock.search.analysis import Action
    from gridlock.search.solver import Progress

PROVED = 10_000
"""The score, in centipoints, of a win that is proved and of which the length is not known."""

_INFO_SECONDS = 0.1  # between two lines about a search
_MARGIN, _MARGIN_SHARE = 0.01, 0.3  # seconds for saying the answer, and the part that is at most
_FIRST_LOOK = 1.0  # seconds: each further look of an endless search takes twice as long
_TIMES = ("p1time", "p2time", "p1inc", "p2inc")
_COUNTS = ("movetime", "depth", "nodes")


class Report:
    """Tells about a search ten times a second at most, and ends it when it is to stop."""

    def __init__(
        self, engine: Engine, stopping: threading.Event, say: Callable[[str], None]
    ) -> None:
        self._engine = engine
        self._stopping = stopping
        self._say = say
        self._start = self._told = time.monotonic()
        self._nodes = engine.progress.nodes
        self._found: Analysis | None = None

    def hear(self, progress: Progress) -> None:
        """Take note of the progress of the search."""
        if self._stopping.is_set():
            self._engine.stop()
        if isinstance(progress.found, Analysis):
            self._found = progress.found
        now = time.monotonic()
        if now - self._told >= _INFO_SECONDS:
            self._told = now
            self._tell(progress.nodes, self._found.actions[0] if self._found else None)

    def take(self, found: Analysis) -> None:
        """Take note of what was found out."""
        self._found = found

    def finish(self, cell: int) -> None:
        """Tell how the search ended."""
        action = self._found.action(cell) if self._found else None
        self._tell(self._engine.progress.nodes, action)

    def _tell(self, all_nodes: int, action: Action | None) -> None:
        seconds = time.monotonic() - self._start
        nodes = all_nodes - self._nodes
        words = [f"nodes {nodes} nps {round(nodes / max(seconds, 1e-3))}"]
        words.append(f"time {round(seconds * MILLISECONDS)}")
        words += scored(action) if action else ()
        if action and self._found:
            name = self._found.position.game.name
            words.append(f"pv {' '.join(map(name, action.line))}")
        self._say(f"info {' '.join(words)}")


def scored(action: Action) -> Iterator[str]:
    """Return the score of an action: its length where that is known, else centipoints."""
    sign = -1 if action.value is Value.LOSS else 1
    if action.value is Value.UNKNOWN:
        if action.estimate is not None:
            chance = min(0.999, max(0.001, action.estimate))
            yield f"score cp {round(100 * math.log(chance / (1 - chance)))}"
    elif action.distance is None:
        yield f"score cp {sign * PROVED}"
    else:
        yield f"score mate {sign * action.distance}"


def look_endlessly(
    engine: Engine, position: Position, stopping: threading.Event, report: Report
) -> int:
    """Return the best cell when all is known, or somebody says stop; each look takes longer."""
    seconds = _FIRST_LOOK
    while True:
        limit = Limit(seconds=seconds)
        analysis = engine.analyse(position, limit=limit, on_progress=report.hear)
        report.take(analysis)
        if stopping.is_set() or analysis.limit is None:
            return analysis.actions[0].cell
        seconds *= 2


def read_limits(words: list[str], mover: Player) -> tuple[Limit, Clock | None, bool]:
    """Return the limit of a search, the clock, and whether it goes on until it is stopped."""
    if words == ["infinite"]:
        return Limit(), None, True
    numbers: dict[str, int] = {}
    for name, text in zip(words[::2], [*words[1::2], ""], strict=False):
        number = read_number(text)
        if name not in (*_TIMES, *_COUNTS) or number is None or number < 0:
            raise NotationError(
                f"{quote(' '.join([name, text]))} is no limit: write go with "
                f"{', '.join(_COUNTS)}, {' '.join(_TIMES)}, or infinite"
            )
        numbers[name] = number
    seconds = None
    if "movetime" in numbers:
        given = numbers["movetime"] / MILLISECONDS
        seconds = max(given - _MARGIN, (1 - _MARGIN_SHARE) * given)
    clock = None
    if f"p{mover}time" in numbers:
        clock = Clock(0, numbers.get(f"p{mover}inc", 0) / MILLISECONDS)
        clock.left[mover - 1] = max(0, numbers[f"p{mover}time"] - round(_MARGIN * MILLISECONDS))
    return Limit(seconds, numbers.get("nodes"), numbers.get("depth")), clock, False
