"""What a person prefers, and what is remembered of them: one file for app and command line."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gridlock.errors import GridlockError, NotationError, StoreError, quote
from gridlock.files import locked, put_aside, read_text, write_atomically
from gridlock.players import HUMAN, check_person, check_seat, is_program, level_of
from gridlock.setup import OPPONENTS, Setup, read_setup
from gridlock.store import FOLDER_VARIABLE, default_store

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

THEME_NAMES = ("dark", "light", "contrast")

_FILE = "preferences.json"
_PATIENCE = 2  # seconds, for another program to have done


@dataclass(frozen=True, slots=True)
class Preferences:
    """What is preferred: the look of the app, names, opponents; and what was played there last.

    Somebody ``is_welcomed`` who has begun a lesson, or does not want to hear of them.
    """

    theme: str = "dark"
    is_ascii: bool = False
    setup: Setup = field(default_factory=Setup)
    has_played: bool = False
    is_welcomed: bool = False
    name: str = ""
    """What a person is called in the records of games against programs, '' for ``human``."""
    opponent: str = HUMAN
    """Who has the second seat where a command line does not say who plays."""

    @property
    def opponents(self) -> tuple[str, ...]:
        """Who can be chosen in the app: people, levels, and another program that is preferred."""
        others = (who for who in (self.opponent, self.setup.opponent) if who not in OPPONENTS)
        programs = (who for who in others if is_program(who) and level_of(who) is None)
        return (*OPPONENTS, *dict.fromkeys(programs))

    def sign(self, players: tuple[str, str]) -> tuple[str, str]:
        """Return the players of a game, a person who plays against a program by their name."""
        if not self.name or sum(map(is_program, players)) != 1:
            return players
        one, two = (self.name if who == HUMAN else who for who in players)
        return one, two


@dataclass(frozen=True, slots=True)
class Preference:
    """A preference that a person can see and set by its name."""

    field: str
    """What it is called among the ``Preferences``."""
    about: str
    read: Callable[[str], object]
    """Returns the value of a text, or raises ``NotationError``."""
    write: Callable[[Any], str] = str


def _read_theme(text: str) -> str:
    if text.lower() not in THEME_NAMES:
        *others, last = THEME_NAMES
        raise NotationError(f"{quote(text)} is not {', '.join(others)} or {last}")
    return text.lower()


def _read_switch(text: str) -> bool:
    if text.lower() not in ("yes", "no"):
        raise NotationError(f"{quote(text)} is not yes or no")
    return text.lower() == "yes"


def _write_switch(is_on: bool) -> str:
    return "yes" if is_on else "no"


def _refuse_last(_: str) -> Setup:
    raise NotationError("playing in the app sets it; here it can only be reset")


PREFERENCES = {
    "name": Preference(
        "name", "your name in the records of games against programs", check_person
    ),
    "opponent": Preference(
        "opponent",
        "who plays against you in gridlock play, without --p1 and --p2; the app offers it, too",
        check_seat,
    ),
    "theme": Preference("theme", "the colours of the app: dark, light or contrast", _read_theme),
    "ascii": Preference(
        "is_ascii", "whether the app draws in ASCII only: yes or no", _read_switch, _write_switch
    ),
    "welcome": Preference(
        "is_welcomed",
        "whether the app tells newcomers of its lessons: yes or no",
        lambda text: not _read_switch(text),
        lambda is_welcomed: _write_switch(not is_welcomed),
    ),
    "last": Preference(
        "setup", "what the app offers first: the game that was played there last",
        _refuse_last, Setup.describe,
    ),
}  # fmt: skip
"""The preferences by their names."""


class PreferencesFile:
    """The file of a person's preferences.

    Where there is none yet, those of ``old`` hold, and are carried over with the first change.
    """

    def __init__(self, path: Path, old: Path | None = None) -> None:
        self.path = path
        self._old = old

    def read(self) -> Preferences:
        """Return what is kept; each part that cannot be read is as at the beginning."""
        try:
            return _interpret(_read(self._source()))
        except ValueError:
            return Preferences()

    def update(self, **changes: object) -> Preferences:
        """Change some preferences, and return all when they are on the disk.

        What other programs have changed meanwhile stays, and so does what only later versions
        know.  Raises ``StoreError``.
        """
        with locked(self.path, _PATIENCE):
            source = self._source()
            try:
                content = _read(source)
            except ValueError:
                content = {}
                if source == self.path:  # an old file is left as it is
                    put_aside(source)
                source = None
            for name, value in changes.items():
                content[name] = asdict(value) if isinstance(value, Setup) else value
            write_atomically(self.path, json.dumps(content, indent=1) + "\n")
            if source == self._old and self._old:
                with contextlib.suppress(OSError):  # nobody reads it any more
                    self._old.unlink()
        return _interpret(content)

    def _source(self) -> Path | None:
        """Return the file that holds now, None if there is none."""
        # Unlike a path's own method, this one never fails.
        return next((one for one in (self.path, self._old) if one and os.path.lexists(one)), None)


def default_preferences() -> PreferencesFile:
    """Return the user's own file, in the folder that the system sets aside for such files.

    Whoever names a folder for games has it there, as everybody had it once.
    """
    from platformdirs import user_config_path

    old = default_store().folder / _FILE
    if os.environ.get(FOLDER_VARIABLE):
        return PreferencesFile(old)
    return PreferencesFile(user_config_path("gridlock", appauthor=False) / _FILE, old)


def _read(path: Path | None) -> dict[str, Any]:
    """Return what a file says, nothing if there is none; raises ``ValueError``."""
    if path is None:
        return {}
    try:
        content = json.loads(read_text(path))
    except (StoreError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if not isinstance(content, dict):
        raise ValueError("it holds no preferences")  # noqa: TRY004 - a damaged file
    return content


def _interpret(content: Mapping[str, Any]) -> Preferences:
    """Return what a file's content means, part by part."""
    preferences = Preferences()
    for preference in PREFERENCES.values():
        value, usual = content.get(preference.field), getattr(preferences, preference.field)
        if type(value) is type(usual):
            with contextlib.suppress(GridlockError):
                known: Any = preference.read(preference.write(value))
                preferences = replace(preferences, **{preference.field: known})
    with contextlib.suppress(GridlockError, ValueError, TypeError):
        setup = read_setup(content.get("setup"))
        has_played = content.get("has_played") is True
        preferences = replace(preferences, setup=setup, has_played=has_played)
    return preferences
