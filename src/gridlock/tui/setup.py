"""What a person wants to play, and what the app remembers from one time to the next."""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridlock.errors import GridlockError
from gridlock.files import read_text, write_atomically
from gridlock.grid import Grid
from gridlock.match import Score, Terms, scores_of
from gridlock.model import Game, Player
from gridlock.notation import read_size
from gridlock.players import AUTO, COMPUTER, HUMAN, LEVELS, check_person
from gridlock.rulebooks import custom
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.sentences import describe_player

if TYPE_CHECKING:
    from gridlock.store import Store

OPPONENTS = (HUMAN, *(f"{COMPUTER}:{level}" for level in LEVELS), AUTO)
BEGINNERS = ("1", "2", "toss")
THEME_NAMES = ("dark", "light", "contrast")
LENGTHS: tuple[tuple[int | None, int | None], ...] = (
    (None, None), (3, None), (5, None), (10, None), (None, 3), (None, 5), (None, 10),
)  # fmt: skip
"""The rounds, or the target, of a series; the first is a single game."""


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


@dataclass(frozen=True, slots=True)
class Preferences:
    """What is remembered: the look of the app, what was played last, and who is no newcomer.

    Somebody ``is_welcomed`` who has begun a lesson, or does not want to hear of them.
    """

    theme: str = "dark"
    is_ascii: bool = False
    setup: Setup = field(default_factory=Setup)
    has_played: bool = False
    is_welcomed: bool = False


def load_preferences(store: Store) -> Preferences:
    """Return what is remembered; each part that cannot be read is as at the beginning."""
    try:
        kept = json.loads(read_text(_path(store)))
    except (GridlockError, ValueError, RecursionError):
        kept = None
    kept = kept if isinstance(kept, dict) else {}
    preferences = Preferences()
    if kept.get("theme") in THEME_NAMES:
        preferences = replace(preferences, theme=kept["theme"])
    if isinstance(kept.get("is_ascii"), bool):
        preferences = replace(preferences, is_ascii=kept["is_ascii"])
    if isinstance(kept.get("is_welcomed"), bool):
        preferences = replace(preferences, is_welcomed=kept["is_welcomed"])
    with contextlib.suppress(GridlockError, ValueError, TypeError):
        setup = _read_setup(kept.get("setup"))
        has_played = kept.get("has_played") is True
        preferences = replace(preferences, setup=setup, has_played=has_played)
    return preferences


def save_preferences(store: Store, preferences: Preferences) -> None:
    """Remember the preferences, as far as the disk lets us: no game depends on them."""
    with contextlib.suppress(GridlockError, OSError):
        store.folder.mkdir(parents=True, exist_ok=True)
        write_atomically(_path(store), json.dumps(asdict(preferences), indent=1) + "\n")


def _path(store: Store) -> Path:
    return store.folder / "preferences.json"


def _read_setup(kept: Any) -> Setup:
    """Return a setup that was kept, or raise an error where it makes no sense."""
    names = {field.name for field in fields(Setup)}
    setup = Setup(**{name: value for name, value in dict(kept).items() if name in names})
    one, two = (check_person(str(name)) for name in setup.names)
    setup = replace(setup, names=(one, two))
    if (
        setup.opponent not in OPPONENTS
        or setup.first not in BEGINNERS
        or repr((setup.rounds, setup.target)) not in map(repr, LENGTHS)  # 3.0 is no length
        or setup.score not in tuple(Score)
    ):
        raise ValueError
    if Score(setup.score) not in scores_of(setup.game().rulebook):
        setup = replace(setup, score=Score.WINS)
    return setup


def sized(game: Game, rows: int, columns: int) -> str | None:
    """Return a size as a setup keeps it: None for the rulebook's own."""
    grid = Grid(rows, columns)
    return None if grid == game.rulebook.size else str(grid)
