"""Every error that GridLock raises on purpose: one tree, each with a stable ``code``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from gridlock.model import Position

DEBUG_VARIABLE = "GRIDLOCK_DEBUG"
"""The environment variable that lets tracebacks be seen."""

_QUOTED = 60  # characters of a bad input that an error repeats


def quote(text: object) -> str:
    """Return ``text`` fit for one line of an error: printable, in quotes, never long.

    Anything else than a text, such as a path, is never cut.
    """
    shown = str(text)
    if isinstance(text, str) and len(text) > _QUOTED:
        shown = text[: _QUOTED - 1] + "…"
    return "'" + "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in shown) + "'"


def suggest(word: str, choices: Iterable[str]) -> str | None:
    """Return the choice that was probably meant by a mistyped word, or None."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word.lower(), choices, n=1)), None)


def blame_ourselves(error: BaseException, log: Path | None = None) -> str:
    """Return the one line that a person sees in place of the traceback of a bug.

    It names the log that holds the traceback, where there is one.
    """
    where = f"{DEBUG_VARIABLE}=1 shows where" if log is None else f"see {log}"
    what = ": ".join(filter(None, [type(error).__name__, str(error)]))
    return f"a bug in gridlock: {what} ({where})"


class GridlockError(Exception):
    """Something that a user can understand and mend; its text is one line."""

    code = "error"


class NotationError(GridlockError, ValueError):
    """A written cell, size, list of moves or position that cannot be read."""

    code = "notation"


class OutsideError(NotationError):
    """A written cell that is not on the board."""

    code = "outside"


class IllegalMoveError(GridlockError, ValueError):
    """An action that the rules refuse in ``position``: ``code`` is the reason."""

    def __init__(self, code: str, text: str, position: Position, cell: int | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.position = position
        self.cell = cell

    def __reduce__(self) -> tuple[type[IllegalMoveError], tuple[object, ...]]:
        return type(self), (self.code, str(self), self.position, self.cell)


class UnknownGameError(GridlockError, ValueError):
    """No rulebook has this id."""

    code = "unknown-game"


class RulebookError(GridlockError, ValueError):
    """A rulebook that does not make sense, or not for what was asked; the text says why."""

    code = "rulebook"


class RecordError(GridlockError, ValueError):
    """A record that is damaged, or whose moves break the rules."""

    code = "record"


class LimitError(GridlockError):
    """An answer that could not be found within the limits."""

    code = "limit"


class SizeError(LimitError):
    """An answer that cannot be found on so large a board, in any time."""

    code = "size"


class PuzzleError(GridlockError, ValueError):
    """A puzzle that there is none of."""

    code = "puzzle"


class StoreError(GridlockError):
    """A file that cannot be read or written."""

    code = "store"


class BusyError(StoreError):
    """Another process is playing the game."""

    code = "busy"


class FaultError(GridlockError):
    """A program that has broken down instead of choosing a cell, and so has lost.

    ``termination`` is what its record says of it.
    """

    code = "fault"

    def __init__(self, termination: str, text: str) -> None:
        super().__init__(text)
        self.termination = termination

    def __reduce__(self) -> tuple[type[FaultError], tuple[object, ...]]:
        return type(self), (self.termination, str(self))
