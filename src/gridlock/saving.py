"""Puts games on disk: in the store, and in files that a person names.

A file of somebody's is never written over: it must be new, or hold these very games.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gridlock.errors import GridlockError, RecordError, StoreError, quote
from gridlock.files import read_text, reason, write_atomically
from gridlock.match import read_series
from gridlock.record import read_records, write_records
from gridlock.timing import untimed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from gridlock.match import Series
    from gridlock.record import Record
    from gridlock.store import KeptGame


class Keeper:
    """Puts every state of a series into the store, and into a copy where one is asked for."""

    def __init__(self, kept: KeptGame, copy: Copy | None = None) -> None:
        self._kept = kept
        self._copy = copy

    def __call__(self, records: list[Record]) -> None:
        """Keep the records, or raise ``StoreError``."""
        try:
            self._kept.write(write_records(records))
        except StoreError as error:
            raise StoreError(f"{error}; this was not carried out, all before it is kept") from None
        if self._copy:
            try:
                self._copy.write(records)
            except StoreError as error:
                raise StoreError(f"{error}; the game itself is kept") from None


class Copy:
    """A file that a person named for a game."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._written: str | None = None

    def write(self, records: Sequence[Record]) -> None:
        """Write the games, or raise ``StoreError`` where the file holds anything else."""
        self.check(records)
        text = write_records(records)
        write_atomically(self._path, text)
        self._written = text

    def check(self, records: Sequence[Record]) -> None:
        """Raise ``StoreError`` unless the games could be written here."""
        path = self._path
        try:
            if not path.parent.is_dir():
                raise StoreError(f"cannot write {quote(path)}: there is no such folder")
            is_new = not path.exists() and not path.is_symlink()
            is_file = path.is_file()
        except (OSError, ValueError) as error:
            raise StoreError(f"cannot write {quote(path)}: {reason(error)}") from None
        if not is_new and not (is_file and self._is_ours(records)):
            raise StoreError(f"{quote(path)} exists already; choose another name")

    def _is_ours(self, records: Sequence[Record]) -> bool:
        try:
            text = read_text(self._path)
            return text == self._written or are_same_games(read_records(text), records)
        except GridlockError:
            return False


def read_games(path: Path, keep: Callable[[list[Record]], None] = lambda _: None) -> Series:
    """Return the game or series in a file, or raise an error that names the file."""
    try:
        return read_series(read_text(path), keep)
    except RecordError as error:
        raise RecordError(f"{quote(path)} is damaged: {error}; it is left as it is") from None


def are_same_games(some: Sequence[Record], others: Sequence[Record]) -> bool:
    """Tell whether one list of records is an earlier state of the other, or the same.

    The times on their clocks do not matter: a turn that was taken back has taken them along.
    """
    some, others = [untimed(record) for record in some], [untimed(record) for record in others]
    return _are_earlier(some, others) or _are_earlier(others, some)


def _are_earlier(early: Sequence[Record], late: Sequence[Record]) -> bool:
    if not 0 < len(early) <= len(late):
        return False
    last = late[len(early) - 1]
    moves = last.moves[: len(early[-1].moves)]
    unfinished = replace(last, moves=moves, result=None, termination=None)
    return list(early[:-1]) == list(late[: len(early) - 1]) and early[-1] in (last, unfinished)
