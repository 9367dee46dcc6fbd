"""How a person has done against the computer: by game and level, over time, and what to try next.

What counts are games of one person against the computer that somebody has won, from the start of
the game: a position that was set up may be lost before the first move.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from gridlock.errors import StoreError
from gridlock.history import Choice, Entry, person_among, read_history
from gridlock.notation import write_count
from gridlock.players import AUTO, COMPUTER, LEVELS, level_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from gridlock.history import Complain
    from gridlock.model import Game
    from gridlock.record import Record
    from gridlock.store import Store

FIRST_LEVEL = 3
"""The level for somebody who has not played a game yet."""

_LATEST = 10  # games that say how strong somebody is now
_FEWEST = 3  # games that say anything
_UP, _DOWN = 0.7, 0.3  # the share of games won above, and below, which another level fits better


@dataclass(frozen=True, slots=True)
class Result:
    """A game of a person against the computer."""

    played: datetime
    rulebook: str
    size: str
    level: int
    is_won: bool


@dataclass(frozen=True, slots=True)
class Proposal:
    """A level to try, and the latest results that speak for it."""

    level: int
    won: int
    games: int
    played_level: int

    def __str__(self) -> str:
        latest = f"{self.won} of the last {self.games} games"
        return f"You won {latest} at level {self.played_level}: try level {self.level}."


def propose(played: Sequence[tuple[int, bool]]) -> Proposal | None:
    """Return which level to try next, None to stay where one is.

    ``played`` are the levels of the games played and whether each was won, the last game first.
    What counts are the latest games at the level of the last one, since the level was changed.
    """
    if not played:
        return None
    level = played[0][0]
    latest = [is_won for _, is_won in takewhile(lambda one: one[0] == level, played)][:_LATEST]
    if len(latest) < _FEWEST:
        return None
    won, games = sum(latest), len(latest)
    step = (won >= _UP * games) - (won <= _DOWN * games)
    if not step or level + step not in LEVELS:
        return None
    return Proposal(level + step, won, games, level)


def fitting_level(played: Sequence[tuple[int, bool]]) -> int:
    """Return the level that fits somebody's results, the last game first."""
    if proposal := propose(played):
        return proposal.level
    return played[0][0] if played else FIRST_LEVEL


def read_results(
    store: Store, choice: Choice | None = None, complain: Complain = lambda _: None
) -> list[Result]:
    """Return the results that are meant, the oldest first, or raise ``StoreError``."""
    found = [result for entry in read_history(store, choice, complain) for result in _of(entry)]
    return found[::-1]


def latest_results(store: Store, game: Game) -> list[tuple[int, bool]]:
    """Return the latest results of a game, as ``propose`` takes them, or raise ``StoreError``."""
    choice = Choice(rulebook=game.rulebook.id, size=str(game.grid))
    latest: list[tuple[int, bool]] = []
    for entry in read_history(store, choice, prefix=f"{game.rulebook.id}-"):
        latest += [(result.level, result.is_won) for result in _of(entry)]
        if len(latest) >= _LATEST:
            break
    return latest


def proposal_after(store: Store, record: Record) -> Proposal | None:
    """Return which level to try after a game against the computer, which is kept already.

    None where there is nothing to propose, or no looking at the results.
    """
    seat = person_among(record.players)
    if seat is None or level_of(record.players[seat.opponent - 1]) is None:
        return None
    with contextlib.suppress(StoreError):
        return propose(latest_results(store, record.game))
    return None


def seat_levels(store: Store, game: Game, players: tuple[str, str]) -> tuple[str, str]:
    """Return the players of a game that begins, the computer at the level that fits.

    Raises ``StoreError`` if there is no looking at the results.
    """
    if AUTO not in players:
        return players
    fitting = f"{COMPUTER}:{fitting_level(latest_results(store, game))}"
    one, two = (fitting if who == AUTO else who for who in players)
    return one, two


def _of(entry: Entry) -> Iterator[Result]:
    """Yield the results in a game, or in a series, the last game first."""
    for game in reversed(entry.games):
        seat = person_among(game.players)
        level = level_of(game.players[seat.opponent - 1]) if seat else None
        if seat and level and game.result and "Position" not in game.tags:
            is_won = game.result is seat
            yield Result(entry.played, game.rulebook, game.size, level, is_won)


@dataclass(frozen=True, slots=True)
class Standing:
    """All results of one game, the oldest first."""

    rulebook: str
    size: str
    results: tuple[Result, ...]

    @property
    def won(self) -> int:
        """How many games were won."""
        return sum(result.is_won for result in self.results)

    @property
    def proposal(self) -> Proposal | None:
        """The level to try next, None to stay."""
        return propose([(result.level, result.is_won) for result in reversed(self.results)])

    def levels(self) -> dict[int, list[Result]]:
        """Return the results at each level that was played, the highest first."""
        levels = sorted({result.level for result in self.results}, reverse=True)
        return {
            level: [result for result in self.results if result.level == level] for level in levels
        }

    def __str__(self) -> str:
        games = write_count(len(self.results), "game")
        return f"{self.rulebook} {self.size}: {games}, {self.won:,} won"


def standings(results: Iterable[Result]) -> list[Standing]:
    """Return the results of each game, the one played last first."""
    games: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        games.setdefault((result.rulebook, result.size), []).append(result)
    found = [Standing(rulebook, size, tuple(all_)) for (rulebook, size), all_ in games.items()]
    return sorted(found, key=lambda standing: standing.results[-1].played, reverse=True)


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters that a picture is drawn with."""

    won: str
    lost: str
    down: str
    corner: str
    across: str

    @property
    def legend(self) -> str:
        """What the signs mean."""
        return f"{self.won} won  {self.lost} lost, the latest on the right"


UNICODE = Signs("●", "○", "│", "└", "─")
ASCII = Signs("#", ".", "|", "+", "-")

_MARGIN = len("level 8 | ")


def picture(standing: Standing, width: int, signs: Signs) -> list[str]:
    """Return a picture of the latest results over time: one column per game, one row per level."""
    latest = standing.results[-max(width - _MARGIN, 1) :]
    levels = [result.level for result in latest]
    lines = []
    for level in range(max(levels), min(levels) - 1, -1):
        marks = [
            (signs.won if result.is_won else signs.lost) if result.level == level else " "
            for result in latest
        ]
        label = f"level {level}" if level == max(levels) else str(level)
        lines.append(f"{label:>7} {signs.down} {''.join(marks)}".rstrip())
    begin, end = (f"{result.played:%d %b %Y}" for result in (latest[0], latest[-1]))
    gap = len(latest) - len(begin) - len(end)
    dates = f"{begin}{' ' * gap}{end}" if gap > 0 else begin
    if gap <= 0 and begin != end:
        dates = f"{begin} to {end}"
    length = max(len(latest), len(dates)) + 1
    return [*lines, f"{'':>7} {signs.corner}{signs.across * length}", f"{'':>7}   {dates}"]
