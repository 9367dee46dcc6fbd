"""How somebody gets on with puzzles: rating, streaks, and their own mistakes, which come back.

It is kept in one file, which is read and written under a lock, so that two programs at once lose
nothing; a file that cannot be read is put aside, and never written over.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from gridlock.errors import StoreError
from gridlock.files import locked, put_aside, read_text, write_atomically
from gridlock.model import Player
from gridlock.players import HUMAN
from gridlock.puzzles.collection import game_of
from gridlock.puzzles.puzzle import Puzzle
from gridlock.puzzles.rating import Rating
from gridlock.rulebooks.catalogue import RULEBOOKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from gridlock.record import Record
    from gridlock.search.review import Review

_FILE = "puzzles.json"
_PUZZLE_DEVIATION = 60.0  # how surely the rating of a puzzle is known
_VERSION = 1
_PATIENCE = 10  # seconds, for another program to have done

PAUSES = (1, 3, 7)
"""Days until a mistake comes back, by how often it has been solved; after the last it is learnt."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A position that somebody won and gave away, to be won when it comes back."""

    game: str
    position: str
    winning: str
    """The cells that would have won, as they are written."""
    due: str
    """The day on which it comes back."""
    solved: int = 0

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from others: a position alone may be one of several games."""
        return self.game, self.position

    @property
    def is_learnt(self) -> bool:
        """Whether it has been solved often enough not to come back."""
        return self.solved >= len(PAUSES)

    def is_due(self, today: date) -> bool:
        """Tell whether it is to be shown; a day too far ahead was set by a clock that was wrong."""
        ahead = (date.fromisoformat(self.due) - today).days
        return not self.is_learnt and not 0 < ahead <= max(PAUSES)

    def after(self, today: date, *, solved: bool) -> Mistake:
        """Return it after somebody has tried it."""
        pause = PAUSES[min(self.solved, len(PAUSES) - 1)] if solved else PAUSES[0]
        due = (today + timedelta(pause)).isoformat()
        return replace(self, due=due, solved=self.solved + 1 if solved else 0)

    def puzzle(self) -> Puzzle:
        """Return it as a puzzle of one action."""
        game = game_of(self.game, self.position)
        cells = tuple(game.cell(name) for name in self.winning.split())
        return Puzzle(f"{self.game} mistake", game.position(self.position), cells[:1], 0, (), cells)


@dataclass(frozen=True, slots=True)
class Progress:
    """What somebody has done with puzzles so far."""

    rating: Rating = field(default_factory=Rating)
    seen: dict[str, bool] = field(default_factory=dict)
    """The puzzles that were tried, and whether the first try was right."""
    days: dict[str, bool] = field(default_factory=dict)
    """The days on which the daily puzzle was tried, and whether it was solved without a mistake."""
    streak: int = 0
    """How many rated puzzles in a row were solved without a mistake."""
    longest: int = 0
    mistakes: tuple[Mistake, ...] = ()

    def after(self, puzzle: Puzzle, *, solved: bool) -> Progress:
        """Return the progress after a first try at a puzzle; others change nothing."""
        if puzzle.id in self.seen:
            return self
        hardness = Rating(puzzle.rating, _PUZZLE_DEVIATION)
        streak = self.streak + 1 if solved else 0
        return replace(
            self,
            rating=self.rating.after((hardness, solved)),
            seen={**self.seen, puzzle.id: solved},
            streak=streak,
            longest=max(self.longest, streak),
        )

    def after_daily(self, day: date, *, solved: bool) -> Progress:
        """Return the progress after the puzzle of a day; only the first try of it counts."""
        return replace(self, days={day.isoformat(): solved} | self.days)

    def daily_streak(self, today: date) -> int:
        """Return for how many days in a row the daily puzzle was solved, today or until today."""
        day = today if today.isoformat() in self.days else today - timedelta(1)
        streak = 0
        while self.days.get(day.isoformat()):
            streak += 1
            day -= timedelta(1)
        return streak

    def due(self, today: date) -> list[Mistake]:
        """Return the mistakes that come back today, those that wait longest first."""
        return sorted((one for one in self.mistakes if one.is_due(today)), key=lambda one: one.due)

    def after_mistake(self, mistake: Mistake, today: date, *, solved: bool) -> Progress:
        """Return the progress after somebody has tried a mistake of theirs again."""
        return replace(
            self,
            mistakes=tuple(
                one.after(today, solved=solved) if one.key == mistake.key else one
                for one in self.mistakes
            ),
        )

    def with_mistakes(self, found: Iterable[Mistake]) -> Progress:
        """Return the progress with more mistakes to learn from; those that it has stay as is."""
        known = {one.key for one in self.mistakes}
        fresh = {one.key: one for one in found}
        added = tuple(one for key, one in fresh.items() if key not in known)
        return replace(self, mistakes=self.mistakes + added)


def mistakes_of(review: Review, players: Iterable[Player], today: date) -> list[Mistake]:
    """Return the mistakes of some players in a game by one of the rulebooks, due from today on."""
    rulebook = review.record.game.rulebook
    if RULEBOOKS.get(rulebook.id) != rulebook:
        return []
    return [
        Mistake(
            rulebook.id,
            str(action.position),
            " ".join(map(review.record.game.name, action.better)),
            today.isoformat(),
        )
        for player in players
        for action in review.mistakes(player)
        if action.better
    ]


class ProgressFile:
    """The file of somebody's progress."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / _FILE

    def read(self) -> Progress:
        """Return what is kept; nothing if there is no file, or a damaged one."""
        try:
            return _read(read_text(self.path)) if self.path.exists() else Progress()
        except (ValueError, OSError, StoreError):
            return Progress()

    def update(self, change: Callable[[Progress], Progress]) -> Progress:
        """Change what is kept, and return it when it is on the disk; raises ``StoreError``."""
        with locked(self.path, _PATIENCE):
            self._put_aside_if_damaged()
            progress = change(self.read())
            write_atomically(self.path, _write(progress))
            return progress

    def keep_mistakes(self, reviews: Iterable[Review], today: date, name: str = "") -> bool:
        """Let the mistakes of people in reviewed games come back, and tell whether there are any.

        Those of people without a name, and of the one of this ``name``: others do not learn here,
        nor does a computer.  Raises ``StoreError``.
        """
        found = [
            mistake
            for review in reviews
            for mistake in mistakes_of(review, _people(review.record, name), today)
        ]
        if found:
            self.update(lambda now: now.with_mistakes(found))
        return bool(found)

    def _put_aside_if_damaged(self) -> None:
        """Keep a file that cannot be read under another name."""
        try:
            if self.path.exists():
                _read(read_text(self.path))
        except (ValueError, StoreError):
            put_aside(self.path)


def _people(record: Record, name: str) -> list[Player]:
    return [player for player in Player if record.players[player - 1] in (HUMAN, name or HUMAN)]


def _write(progress: Progress) -> str:
    return json.dumps({"version": _VERSION, **asdict(progress)}, indent=1)


def _read(text: str) -> Progress:
    """Return what a file says, or raise ``ValueError``."""
    try:
        fields: dict[str, Any] = json.loads(text)
        if fields["version"] != _VERSION:
            raise ValueError(f"version {fields['version']} is not {_VERSION}")
        rating = Rating(**{name: float(value) for name, value in fields["rating"].items()})
        if not rating.is_plausible:
            raise ValueError(f"{rating} is no rating")
        mistakes = tuple(Mistake(**one) for one in fields["mistakes"])
        for one in mistakes:
            one.puzzle()
            one.is_due(date.today())
        return Progress(
            rating,
            {str(name): bool(solved) for name, solved in fields["seen"].items()},
            {date.fromisoformat(day).isoformat(): bool(won) for day, won in fields["days"].items()},
            int(fields["streak"]),
            int(fields["longest"]),
            mistakes,
        )
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"it is damaged: {error!r}") from None
