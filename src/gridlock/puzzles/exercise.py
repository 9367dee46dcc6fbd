"""Puzzles as they are set to somebody: what a first try changes, and which one comes next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

from gridlock.errors import PuzzleError
from gridlock.puzzles import sentences
from gridlock.puzzles.collection import daily_puzzle, next_puzzle

if TYPE_CHECKING:
    import random
    from datetime import date

    from gridlock.puzzles.progress import Mistake, Progress
    from gridlock.puzzles.puzzle import Attempt, Puzzle


class Exercise(Protocol):
    """A puzzle, and why it is set."""

    @property
    def puzzle(self) -> Puzzle:
        """What is to be solved."""

    @property
    def title(self) -> str:
        """What it is called."""

    def is_old(self, progress: Progress) -> bool:
        """Tell whether it was tried before, so that another try changes nothing."""

    def after(self, progress: Progress, *, solved: bool) -> Progress:
        """Return the progress after a first try."""

    def to_share(self, attempt: Attempt, progress: Progress) -> str:
        """Return the result as a text for friends, '' if it is nothing to them."""

    def next(self, progress: Progress, rng: random.Random) -> Exercise:
        """Return the one that comes after it, or raise ``PuzzleError``."""


@dataclass(frozen=True, slots=True)
class RatedExercise:
    """A puzzle of the collection; more come of the same game and theme."""

    puzzle: Puzzle
    game_id: str | None = None
    theme: str | None = None

    @classmethod
    def choose(
        cls,
        progress: Progress,
        rng: random.Random,
        game_id: str | None = None,
        theme: str | None = None,
        *,
        but: str = "",
    ) -> Self:
        """Return one that suits a rating, and is not the one ``but``, or raise ``PuzzleError``."""
        rating, seen = progress.rating.rating, {*progress.seen, but}
        found = next_puzzle(rating, rng, game_id=game_id, theme=theme, seen=seen)
        return cls(found, game_id, theme)

    @property
    def title(self) -> str:
        """What it is called."""
        return sentences.title(self.puzzle)

    def is_old(self, progress: Progress) -> bool:
        """Tell whether it was tried before."""
        return self.puzzle.id in progress.seen

    def after(self, progress: Progress, *, solved: bool) -> Progress:
        """Return the progress after a first try, which is rated."""
        return progress.after(self.puzzle, solved=solved)

    def to_share(self, attempt: Attempt, _: Progress) -> str:
        """Return the result as a text for friends."""
        return sentences.to_share(attempt)

    def next(self, progress: Progress, rng: random.Random) -> RatedExercise:
        """Return another one, also when this one was not tried."""
        return self.choose(progress, rng, self.game_id, self.theme, but=self.puzzle.id)


@dataclass(frozen=True, slots=True)
class DailyExercise:
    """The puzzle of a day."""

    day: date

    @property
    def puzzle(self) -> Puzzle:
        """What is to be solved."""
        return daily_puzzle(self.day)

    @property
    def title(self) -> str:
        """What it is called."""
        return f"Daily {self.day.isoformat()}: {sentences.title(self.puzzle)}"

    def is_old(self, progress: Progress) -> bool:
        """Tell whether it was tried before, on its day."""
        return self.day.isoformat() in progress.days

    def after(self, progress: Progress, *, solved: bool) -> Progress:
        """Return the progress after a first try, which is rated and counts for the day."""
        rated = progress.after(self.puzzle, solved=solved)
        return rated.after_daily(self.day, solved=solved)

    def to_share(self, attempt: Attempt, progress: Progress) -> str:
        """Return the result as a text for friends."""
        return sentences.to_share(attempt, self.day, progress.daily_streak(self.day))

    def next(self, progress: Progress, rng: random.Random) -> RatedExercise:
        """Return one of all the others: a day has one puzzle only."""
        return RatedExercise.choose(progress, rng, but=self.puzzle.id)


@dataclass(frozen=True, slots=True)
class MistakeExercise:
    """A mistake of somebody's own that has come back."""

    mistake: Mistake
    day: date

    @classmethod
    def choose(cls, progress: Progress, day: date) -> Self:
        """Return the one that has waited longest, or raise ``PuzzleError``."""
        due = progress.due(day)
        if not due:
            raise PuzzleError("no mistake of yours is due: the review of a game finds them")
        return cls(due[0], day)

    @property
    def puzzle(self) -> Puzzle:
        """What is to be solved."""
        return self.mistake.puzzle()

    @property
    def title(self) -> str:
        """What it is called."""
        return sentences.title_of_mistake(self.puzzle)

    def is_old(self, progress: Progress) -> bool:
        """Tell whether it is due no more."""
        return self.mistake not in progress.mistakes

    def after(self, progress: Progress, *, solved: bool) -> Progress:
        """Return the progress after a first try, which says when it comes back."""
        return progress.after_mistake(self.mistake, self.day, solved=solved)

    def to_share(self, _: Attempt, __: Progress) -> str:
        """Return nothing: it is nobody else's business."""
        return ""

    def next(self, progress: Progress, _: random.Random) -> MistakeExercise:
        """Return the next one that is due, or raise ``PuzzleError``; after the last the first."""
        due = progress.due(self.day)
        later = due[due.index(self.mistake) + 1 :] if self.mistake in due else due
        return MistakeExercise(later[0], self.day) if later else self.choose(progress, self.day)
