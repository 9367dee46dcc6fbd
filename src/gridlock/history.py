"""The games that a person has played: found, described in a line, and chosen among.

Only the tags of the records are read, newest first, so that thousands of games are listed in a
moment; their moves are checked when a game is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gridlock.errors import GridlockError, RecordError, StoreError, quote, suggest
from gridlock.files import read_text
from gridlock.model import Player
from gridlock.players import HUMAN, is_program
from gridlock.record import outline
from gridlock.rulebooks.catalogue import RULEBOOKS

if TYPE_CHECKING:
    from datetime import date, datetime
    from pathlib import Path

    from gridlock.record import Outline
    from gridlock.store import Store

LAST = "last"
"""What the game that was played last is called, besides its own name."""

_DAYS_WITHOUT_YEAR = 300  # days for which the day and the month say enough

WON, LOST = OUTCOMES = "won", "lost"


@dataclass(frozen=True, slots=True)
class Entry:
    """A kept game, or a series of them, in the file of its name."""

    path: Path
    played: datetime
    """When it was played last."""
    games: tuple[Outline, ...]
    is_over: bool

    @property
    def name(self) -> str:
        """What the game is called."""
        return self.path.stem

    @property
    def last(self) -> Outline:
        """The last game of the series, or the only one."""
        return self.games[-1]

    @property
    def is_between_programs(self) -> bool:
        """Whether no person has played."""
        return all(map(is_program, self.last.players))

    @property
    def seat(self) -> Player | None:
        """The player that is a person, None where both are, or none."""
        return person_among(self.last.players)

    @property
    def opponents(self) -> tuple[str, ...]:
        """Who was played against: the program, or both players where it is not one of each."""
        if self.seat is None:
            return self.last.players
        return (self.last.players[self.seat.opponent - 1],)

    @property
    def tally(self) -> tuple[int, int]:
        """How many games players 1 and 2 have won."""
        results = [game.result for game in self.games]
        return results.count(Player.ONE), results.count(Player.TWO)

    @property
    def outcome(self) -> str | None:
        """Whether a person has won or lost against a program; None where it is neither."""
        one, two = self.tally
        if self.seat is None or not self.is_over or one == two:
            return None
        return WON if (one > two) == (self.seat is Player.ONE) else LOST

    def describe_opponent(self) -> str:
        """Return who was played against, in a few words."""
        if set(self.opponents) == {HUMAN}:
            return HUMAN
        return " and ".join(self.opponents)

    def describe_result(self) -> str:
        """Return how it ended, in a few words."""
        one, two = self.tally
        if self.last.is_in_series:
            return f"{one} to {two}" if self.is_over else f"{one} to {two} so far"
        if not self.is_over:
            return "unfinished"
        if self.outcome:
            return f"you {self.outcome}"
        if self.last.result is None:
            return self.last.termination or "nobody won"
        who = self.last.players[self.last.result - 1]
        is_named = len(set(self.last.players)) > 1 and who != HUMAN
        return f"{who if is_named else self._symbol(self.last.result)} won"

    def _symbol(self, player: Player) -> str:
        rulebook = RULEBOOKS.get(self.last.rulebook)
        return rulebook.symbol(player) if rulebook else f"player {player}"


def write_time(played: datetime, now: datetime) -> str:
    """Return when a game was played, in a few characters: with the time, unless it is long ago."""
    if played.date() == now.date():
        return f"today {played:%H:%M}"
    is_long_ago = abs((now - played).days) > _DAYS_WITHOUT_YEAR
    return f"{played:%Y-%m-%d}" if is_long_ago else f"{played:%d %b %H:%M}"


def person_among(players: tuple[str, str]) -> Player | None:
    """Return the player that is a person, None where both are, or none."""
    people = [player for player in Player if not is_program(players[player - 1])]
    return people[0] if len(people) == 1 else None


@dataclass(frozen=True, slots=True)
class Choice:
    """Which games are meant; what is None does not matter."""

    rulebook: str | None = None
    size: str | None = None
    opponent: str | None = None
    """A player's name, a kind of program, or a person's name."""
    outcome: str | None = None
    is_over: bool | None = None
    since: date | None = None
    has_programs: bool = False
    """Whether games between programs are meant, too."""

    def has(self, entry: Entry) -> bool:
        """Tell whether a game is among those that are meant."""
        return (
            self.rulebook in (None, entry.last.rulebook)
            and self.size in (None, entry.last.size)
            and self.outcome in (None, entry.outcome)
            and self.is_over in (None, entry.is_over)
            and (self.since is None or entry.played.date() >= self.since)
            and (self.has_programs or not entry.is_between_programs)
            and (self.opponent is None or self._is_against(entry, self.opponent.casefold()))
        )

    def _is_against(self, entry: Entry, wanted: str) -> bool:
        players = set(entry.opponents) | ({*entry.last.players} - {HUMAN})
        names = {name.casefold() for name in players}
        return wanted in names or wanted in {name.partition(":")[0] for name in names}


Complain = Callable[[GridlockError], None]


def read_history(
    store: Store,
    choice: Choice | None = None,
    complain: Complain = lambda _: None,
    *,
    prefix: str = "",
) -> Iterator[Entry]:
    """Yield the games that are meant, the one played last first.

    Files are read as they are asked for, and only those whose names begin with ``prefix``;
    ``complain`` gets an error for each that is damaged.  Raises ``StoreError`` where there is
    no looking into the folder.
    """
    choice = choice or Choice()
    for played, path in store.files():
        if not path.name.startswith(prefix):
            continue
        try:
            entry = read_entry(store, played, path)
        except GridlockError as error:
            if path.exists():  # not finished, or deleted, a moment ago
                complain(error)
            continue
        if choice.has(entry):
            yield entry


def read_entry(store: Store, played: datetime, path: Path) -> Entry:
    """Return what a file of a kept game holds, or raise an error that names it."""
    try:
        games = tuple(outline(read_text(path)))
    except RecordError as error:
        raise RecordError(f"{quote(path)} is damaged: {error}; it is left as it is") from None
    is_finished = path.parent == store.finished_folder
    return Entry(
        path, played, games, is_finished or (games[-1].is_over and not games[-1].is_in_series)
    )


def find_game(store: Store, name: str) -> Path:
    """Return the file of a game by its name, or of the last one, or raise ``StoreError``."""
    if name == LAST:
        last = next(read_history(store), None)
        if last is None:
            raise StoreError("there is no last game: nothing has been played yet")
        return last.path
    if path := store.find(name):
        return path
    meant = suggest(name, [path.stem for _, path in store.files()])
    way_out = f"did you mean {meant}?" if meant else "gridlock history lists the games"
    raise StoreError(f"there is no game {quote(name)}: {way_out}")
