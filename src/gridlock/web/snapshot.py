"""A whole copy of a SQLite file, even of one that a server is writing to.

A plain copy of the file would miss what is still in the log beside it, and mix two moments.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from gridlock.errors import StoreError, quote
from gridlock.files import drafted
from gridlock.web.database import BUSY_SECONDS

Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""

_PAGES = 1000  # copied between two reports of progress: 4 MB
_PRIVATE = 0o600  # only the owner reads names, and the hashes of secrets


def ignore_progress(_done: int, _total: int) -> None:
    """Tell nobody."""


@contextlib.contextmanager
def opened(file: Path) -> Iterator[sqlite3.Connection]:
    """Open a file that is a SQLite database already, or raise ``StoreError``."""
    try:
        connection = sqlite3.connect(
            f"{file.absolute().as_uri()}?mode=rw",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
        )
        with contextlib.closing(connection):
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
            yield connection
    except sqlite3.Error as error:
        if not file.exists():
            raise StoreError(f"there is no database {quote(file)}") from None
        raise StoreError(f"cannot use the database {quote(file)}: {error}") from error


@contextlib.contextmanager
def private_draft(target: Path) -> Iterator[Path]:
    """Hand out a new, empty file that only its owner may read; it becomes ``target`` at the end."""
    with drafted(target) as draft:
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, _PRIVATE))
        yield draft


def copy(source: Path, target: Path, on_progress: Progress = ignore_progress) -> dict[str, int]:
    """Make ``target`` what ``source`` is at this moment; return the rows of each table.

    Others may go on writing.  The copy is one file, has been read back, and is there whole or not
    at all; raises ``StoreError``.
    """
    with private_draft(target) as draft:
        with opened(source) as origin:
            origin.execute("BEGIN")
            rows = count(origin)  # from this read on the connection sees this one moment
            overwrite(draft, origin, on_progress)
        verify(draft, rows, source)
    return rows


def overwrite(target: Path, origin: sqlite3.Connection, on_progress: Progress) -> None:
    """Put all that a connection sees into the place of all that a file holds, or change nothing."""

    def report(_status: int, left: int, total: int) -> None:
        on_progress(total - left, total)

    with opened(target) as connection:
        connection.execute("BEGIN EXCLUSIVE")  # wait for others here: ``backup`` would for ever
        connection.execute("ROLLBACK")
        origin.backup(connection, pages=_PAGES, progress=report)


def verify(draft: Path, rows: dict[str, int], source: Path) -> None:
    """Raise ``StoreError`` unless a draft can be read back and has all rows; make it one file."""
    with opened(draft) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        (fault,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if orphan := connection.execute("PRAGMA foreign_key_check").fetchone():
            fault = f"a row of {orphan[0]} without its {orphan[2]}"
        if fault != "ok":
            raise StoreError(f"{quote(source)} is damaged: {fault}")
        if count(connection) != rows:
            raise StoreError(f"what was copied of {quote(source)} is not what was read: try again")


def count(connection: sqlite3.Connection) -> dict[str, int]:
    """Return how many rows each table has."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall()
    return {
        name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608 - ours
        for (name,) in names
    }
