"""Players: people, and bots that a registry makes by name."""

from __future__ import annotations

import contextlib
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from gridlock.errors import NotationError, quote, suggest
from gridlock.search import HIGHEST_LEVEL, LOWEST_LEVEL

if TYPE_CHECKING:
    from pathlib import Path

    from gridlock.clock import Clock
    from gridlock.engine import Engine
    from gridlock.model import Game, Position
    from gridlock.search.settings import Limit
    from gridlock.search.solver import Progress

HUMAN = "human"
COMPUTER = "computer"
RANDOM = "random"
ENGINE = "engine"

AUTO = f"{COMPUTER}:auto"
"""The computer at the level that fits a person's results, which is found when a game begins."""

ENTRY_POINTS = "gridlock.players"
"""The entry point group in which other distributions add players."""

LONGEST_NAME = 20
"""The characters of the longest name of a person."""

LEVELS = range(LOWEST_LEVEL, HIGHEST_LEVEL + 1)


class Bot(ABC):
    """A program that plays, for one game or several."""

    def new_game(self, game: Game) -> None:  # noqa: B027 - many need not know
        """Prepare for a game that begins."""

    @abstractmethod
    def choose(self, position: Position, clock: Clock | None = None) -> int:
        """Return a legal cell of a position that is not over.

        Raises ``FaultError`` where the bot has broken down, which loses the game.
        """

    def stop(self) -> None:  # noqa: B027 - many have chosen by then
        """Have the choice under way made soon; any thread may call this."""

    def close(self) -> None:  # noqa: B027 - many have nothing to give back
        """Release all resources; the bot is not used again."""


@dataclass(frozen=True, slots=True)
class Seat:
    """What a bot gets when it sits down: a source of chance, and an engine that it may share.

    ``limit`` is how far it may look for each action, and ``log`` where another program's standard
    error goes; None is what is usual.
    """

    rng: random.Random = field(default_factory=random.Random)
    engine: Engine | None = None
    on_progress: Callable[[Progress], None] | None = None
    """Gets the progress while a bot thinks, if the bot reports any."""
    limit: Limit | None = None
    log: Path | None = None


Maker = Callable[[str, Seat], Bot]
"""Makes a bot from the argument after the colon of its name, '' if there is none.

It raises ``NotationError`` for an argument that makes no sense.
"""


class RandomPlayer(Bot):
    """Chooses a legal cell at random, uniformly."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, position: Position, clock: Clock | None = None) -> int:  # noqa: ARG002
        """Return a legal cell of a position that is not over."""
        return self._rng.choice(position.legal_cells())


class ComputerPlayer(Bot):
    """Plays at a level, with the engine of its seat or its own."""

    def __init__(self, level: int, seat: Seat) -> None:
        self._level = level
        self._seat = seat
        self._engine = seat.engine

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        """Return a legal cell of a position that is not over."""
        from gridlock.engine import Engine
        from gridlock.search.settings import NO_LIMIT

        if self._engine is None or self._engine.game != position.game:
            self._engine = Engine(position.game)
        return self._engine.choose(
            position,
            self._level,
            clock=clock,
            limit=self._seat.limit or NO_LIMIT,
            rng=self._seat.rng,
            on_progress=self._seat.on_progress,
        )

    def stop(self) -> None:
        """Have the choice under way made soon."""
        if self._engine:
            self._engine.stop()

    def close(self) -> None:
        """Release the engine, which others may still use."""
        self._engine = None


def _make_random(argument: str, seat: Seat) -> Bot:
    if argument:
        raise _no_player(f"{RANDOM}:{argument}")
    return RandomPlayer(seat.rng)


def _make_computer(argument: str, seat: Seat) -> Bot:
    who = f"{COMPUTER}:{argument}"
    level = level_of(who)
    if level is None:
        raise _no_player(who)
    return ComputerPlayer(level, seat)


_MAKERS: dict[str, Maker] = {COMPUTER: _make_computer, RANDOM: _make_random}


def register(kind: str, maker: Maker) -> None:
    """Register a kind of player, named ``kind`` or ``kind:argument``."""
    if not kind.isidentifier() or kind == HUMAN or kind in _makers():
        raise NotationError(f"{quote(kind)} cannot be the name of a kind of players")
    _MAKERS[kind] = maker


def kinds() -> tuple[str, ...]:
    """Return every kind of player: the part of a name before the colon."""
    return (HUMAN, *_makers())


def names() -> tuple[str, ...]:
    """Return the names of all players, including the levels of the computer."""
    levels = [f"{COMPUTER}:{level}" for level in LEVELS]
    return tuple(name for kind in kinds() for name in (kind, *(levels if kind == COMPUTER else ())))


def is_program(who: str) -> bool:
    """Tell whether a program has this name: any other name is a person's."""
    return who != HUMAN and who.partition(":")[0] in kinds()


def level_of(who: str) -> int | None:
    """Return the level at which the computer of this name plays; None for any other player."""
    kind, _, level = who.partition(":")
    levels = {"": HIGHEST_LEVEL} | {str(level): level for level in LEVELS}
    return levels.get(level) if kind == COMPUTER else None


def check_person(name: str) -> str:
    """Return a person's name, tidied, or raise ``NotationError`` for what cannot be one."""
    name = " ".join(name.split())
    if len(name) > LONGEST_NAME:
        raise NotationError(f"{quote(name)} is longer than {LONGEST_NAME} characters")
    if not name.isprintable():
        raise NotationError(f"{quote(name)} has characters in it that cannot be shown")
    if is_program(name.lower()):
        raise NotationError(f"{quote(name)} is what a program is called")
    return name


def check_name(who: str) -> str:
    """Return the normalised name of a bot or a person, or raise ``NotationError``.

    ``human:Anna`` is the person Anna.
    """
    who = who.strip()
    kind, colon, argument = who.partition(":")
    if kind.lower() == HUMAN and argument.strip():
        return check_person(argument)
    who = f"{kind.lower()}{colon}{argument}"
    if who != HUMAN:
        make(who).close()
    return who


def check_seat(who: str) -> str:
    """Return whoever may take a seat, also the computer that adapts, or raise ``NotationError``."""
    return AUTO if who.strip().lower() == AUTO else check_name(who)


def check_programs(seated: Iterable[str], *, is_own: bool) -> None:
    """Raise ``NotationError`` if another program of those who are seated cannot be started.

    It may be gone; and unless the game is one's own, nobody has wanted to run it: a file that
    comes from elsewhere must not start programs.
    """
    for who in seated:
        kind, _, command = who.partition(":")
        if kind == ENGINE and not is_own:
            raise NotationError(f"a file cannot start a program, such as {quote(command)}")
        if kind == ENGINE:
            make(who).close()


def make(who: str, seat: Seat | None = None) -> Bot:
    """Return the bot with this name, or raise ``NotationError``."""
    return _maker_of(who)(who.partition(":")[2], seat or Seat())


def bot_of(who: str, seat: Seat) -> Bot | None:
    """Return the bot with this name, or None: any other name is a person's."""
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
    """Return the error for an unknown player; it says which names are right."""
    levels = f"{COMPUTER}:{LOWEST_LEVEL} to {COMPUTER}:{HIGHEST_LEVEL}"
    written = {COMPUTER: f"{COMPUTER}, {levels}", ENGINE: f"{ENGINE}:COMMAND"}
    *others, last = (written.get(kind, kind) for kind in kinds())
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
    """Return a maker that is loaded on first use."""

    def make_bot(argument: str, seat: Seat) -> Bot:
        try:
            maker = load()
        except (ImportError, AttributeError) as error:
            raise NotationError(f"this player cannot be loaded: {error}") from error
        return maker(argument, seat)

    return make_bot
