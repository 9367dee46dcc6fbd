"""What a person wants to play: the game, against whom, who begins, by which clock, how long."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from gridlock.clock import TimeControl, read_time_control
from gridlock.grid import Grid
from gridlock.match import Score, Terms, scores_of
from gridlock.model import Game, Player
from gridlock.notation import read_size
from gridlock.players import AUTO, COMPUTER, HUMAN, LEVELS, check_person, is_program
from gridlock.rulebooks import custom
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.sentences import describe_player

OPPONENTS = (HUMAN, *(f"{COMPUTER}:{level}" for level in LEVELS), AUTO)
BEGINNERS = ("1", "2", "toss")
LENGTHS: tuple[tuple[int | None, int | None], ...] = (
    (None, None), (3, None), (5, None), (10, None), (None, 3), (None, 5), (None, 10),
)  # fmt: skip
"""The rounds, or the target, of a series; the first is a single game."""
CLOCKS = (
    None, TimeControl(60), TimeControl(120, 2), TimeControl(300, 3), TimeControl(600, 5),
    TimeControl(1800, 20),
)  # fmt: skip
"""The clocks to choose from; None is to play without one."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A game to be played: ``rulebook`` is an id, or the path of a rule file."""

    rulebook: str = "occupation"
    size: str | None = None
    opponent: str = f"{COMPUTER}:3"
    first: str = "1"
    rounds: int | None = None
    target: int | None = None
    score: str = Score.WINS
    names: tuple[str, str] = ("", "")
    """What two people at one keyboard are called, '' where they have not said so."""
    clock: str = ""
    """The time control as it is written, '' for none."""

    @property
    def players(self) -> tuple[str, str]:
        """The players by their names."""
        if self.opponent != HUMAN:
            return HUMAN, self.opponent
        one, two = self.names
        return one or HUMAN, two or HUMAN

    def game(self) -> Game:
        """Return the game, or raise ``GridlockError``."""
        if self.rulebook in RULEBOOKS:
            rulebook = RULEBOOKS[self.rulebook]
        else:
            rulebook = custom.load(self.rulebook).rulebook
        return Game(rulebook, read_size(self.size) if self.size else rulebook.size)

    @property
    def terms(self) -> Terms | None:
        """The terms of the series, None for a single game."""
        if self.rounds is None and self.target is None:
            return None
        return Terms(self.rounds, self.target, Score(self.score))

    @property
    def time_control(self) -> TimeControl | None:
        """How much time there is, None for a game without a clock."""
        return read_time_control(self.clock)

    @property
    def first_player(self) -> Player | None:
        """Who begins, or None for a toss."""
        return Player(int(self.first)) if self.first.isdigit() else None

    def describe(self) -> str:
        """Return the setup in a few words."""
        name = Path(self.rulebook).stem
        words = [
            f"{name} {self.size}" if self.size else name,
            describe_opponent(self.opponent, self.names),
        ]
        if self.terms:
            words.append(describe_length(self.rounds, self.target))
        if self.time_control:
            words.append(self.time_control.in_words())
        return ", ".join(words)


def describe_opponent(opponent: str, names: tuple[str, str]) -> str:
    """Return an opponent in words, and people by their names."""
    if opponent != HUMAN or not any(names):
        return describe_player(opponent)
    one, two = (name or describe_player(HUMAN) for name in names)
    return f"{one} against {two}"


def describe_length(rounds: int | None, target: int | None) -> str:
    """Return the length of a series in words."""
    if target:
        return f"to {target} points"
    return f"{rounds} games" if rounds else "one game"


def describe_clock(control: TimeControl | None) -> str:
    """Return a time control in words."""
    if control is None:
        return "no clock"
    return f"{control.in_words()} a turn" if control.increment else control.in_words()


def read_setup(kept: Any) -> Setup:
    """Return a setup that was kept.

    Raises ``GridlockError``, ``ValueError`` or ``TypeError`` where it makes no sense.
    """
    names = {field.name for field in fields(Setup)}
    setup = Setup(**{name: value for name, value in dict(kept).items() if name in names})
    one, two = (check_person(str(name)) for name in setup.names)
    setup = replace(setup, names=(one, two))
    if (
        not (setup.opponent in OPPONENTS or is_program(setup.opponent))
        or setup.first not in BEGINNERS
        or repr((setup.rounds, setup.target)) not in map(repr, LENGTHS)  # 3.0 is no length
        or setup.score not in tuple(Score)
        or setup.clock not in ("", *map(str, filter(None, CLOCKS)))
    ):
        raise ValueError
    if Score(setup.score) not in scores_of(setup.game().rulebook):
        setup = replace(setup, score=Score.WINS)
    return setup


def sized(game: Game, rows: int, columns: int) -> str | None:
    """Return a size as a setup keeps it: None for the rulebook's own."""
    grid = Grid(rows, columns)
    return None if grid == game.rulebook.size else str(grid)
