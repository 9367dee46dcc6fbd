"""Who may sit at the board: persons, and the programs that a registry makes by their names."""

from __future__ import annotations

import contextlib
import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from gridlock.errors import NotationError, quote, suggest
from gridlock.search import HIGHEST_LEVEL, LOWEST_LEVEL

if TYPE_CHECKING:
    from gridlock.clock import Clock
    from gridlock.engine import Engine
    from gridlock.model import Game, Position
    from gridlock.search.solver import Progress

HUMAN = "human"
COMPUTER = "computer"
RANDOM = "random"

ENTRY_POINTS = "gridlock.players"
"""The group of entry points by which other distributions add players."""

LEVELS = range(LOWEST_LEVEL, HIGHEST_LEVEL + 1)


class Bot(ABC):
    """A player that finds its actions by itself; it lives for one game or several."""

    def new_game(self, game: Game) -> None:  # noqa: B027 - many need not know
        """Be told that a game begins."""

    @abstractmethod
    def choose(self, position: Position, clock: Clock | None = None) -> int:
        """Return a legal cell of a position that is not over."""

    def close(self) -> None:  # noqa: B027 - many have nothing to give back
        """Give everything back; nothing is asked any more."""


@dataclass(frozen=True, slots=True)
class Seat:
    """What a bot is given when it sits down: chance, and an engine that others may share."""

    rng: random.Random = field(default_factory=random.Random)
    engine: Engine | None = None
    on_progress: Callable[[Progress], None] | None = None
    """Is handed the progress while a bot thinks, if it can tell."""


Maker = Callable[[str, Seat], Bot]
"""Makes a bot of what stands after the colon of its name, '' for nothing.

It raises ``NotationError`` where that makes no sense.
"""


class RandomPlayer(Bot):
    """Chooses any legal cell, all alike."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, position: Position, clock: Clock | None = None) -> int:  # noqa: ARG002
        """Return a legal cell of a position that is not over."""
        return self._rng.choice(position.legal_cells())


class ComputerPlayer(Bot):
    """Chooses as a level does, by the engine of its seat or by one of its own."""

    def __init__(self, level: int, seat: Seat) -> None:
        self._level = level
        self._seat = seat
        self._engine = seat.engine

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        """Return a legal cell of a position that is not over."""
        from gridlock.engine import Engine

        if self._engine is None or self._engine.game != position.game:
            self._engine = Engine(position.game)
        return self._engine.choose(
            position,
            self._level,
            clock=clock,
            rng=self._seat.rng,
            on_progress=self._seat.on_progress,
        )

    def close(self) -> None:
        """Let go of the engine, which others may use."""
        self._engine = None


def _make_random(argument: str, seat: Seat) -> Bot:
    if argument:
        raise _no_player(f"{RANDOM}:{argument}")
    return RandomPlayer(seat.rng)


def _make_computer(argument: str, seat: Seat) -> Bot:
    levels = {"": HIGHEST_LEVEL} | {str(level): level for level in LEVELS}
    if argument not in levels:
        raise _no_player(f"{COMPUTER}:{argument}")
    return ComputerPlayer(levels[argument], seat)


_MAKERS: dict[str, Maker] = {COMPUTER: _make_computer, RANDOM: _make_random}


def register(kind: str, maker: Maker) -> None:
    """Let players of a kind be asked for by name: ``kind``, or ``kind:argument``."""
    if not kind.isidentifier() or kind == HUMAN or kind in _makers():
        raise NotationError(f"{quote(kind)} cannot be the name of a kind of players")
    _MAKERS[kind] = maker


def kinds() -> tuple[str, ...]:
    """Return every kind of player: what stands before the colon of a name."""
    return (HUMAN, *_makers())


def names() -> tuple[str, ...]:
    """Return the names by which players can be asked for, the levels of the computer among them."""
    levels = [f"{COMPUTER}:{level}" for level in LEVELS]
    return tuple(name for kind in kinds() for name in (kind, *(levels if kind == COMPUTER else ())))


def check_name(who: str) -> str:
    """Return the name of a player that can be made, or of a person; or raise ``NotationError``."""
    who = who.strip()
    kind, colon, argument = who.partition(":")
    who = f"{kind.lower()}{colon}{argument}"
    if who != HUMAN:
        make(who).close()
    return who


def make(who: str, seat: Seat | None = None) -> Bot:
    """Return the bot that has a name, or raise ``NotationError``."""
    return _maker_of(who)(who.partition(":")[2], seat or Seat())


def bot_of(who: str, seat: Seat) -> Bot | None:
    """Return the bot that has a name, or None: every other name is a person's."""
    with contextlib.suppress(NotationError):
        return make(who, seat)
    return None


def _maker_of(who: str) -> Maker:
    kind = who.partition(":")[0]
    maker = _MAKERS.get(kind) or _plugged_in().get(kind)  # plug-ins take a while to look for
    if maker is None:
        raise _no_player(who)
    return maker


def _no_player(who: str) -> NotationError:
    """Return the error for a name that no player has; it says what would be right."""
    levels = f"{COMPUTER}:{LOWEST_LEVEL} to {COMPUTER}:{HIGHEST_LEVEL}"
    *others, last = (f"{kind}, {levels}" if kind == COMPUTER else kind for kind in kinds())
    meant = suggest(who, names()) if ":" not in who else None
    way_out = f"did you mean {meant}?" if meant else f"choose {', '.join(others)}, or {last}"
    return NotationError(f"there is no player {quote(who)}: {way_out}")


def _makers() -> dict[str, Maker]:
    return {**_MAKERS, **_plugged_in()}


@lru_cache(maxsize=1)
def _plugged_in() -> dict[str, Maker]:
    """Return the makers that other distributions bring."""
    from importlib.metadata import entry_points

    return {point.name: _lazily(point.load) for point in entry_points(group=ENTRY_POINTS)}


def _lazily(load: Callable[[], Maker]) -> Maker:
    """Return a maker that is loaded when it is first needed."""

    def make_bot(argument: str, seat: Seat) -> Bot:
        try:
            maker = load()
        except (ImportError, AttributeError) as error:
            raise NotationError(f"this player cannot be loaded: {error}") from error
        return maker(argument, seat)

    return make_bot
