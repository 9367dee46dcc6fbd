"""The journal of a trial: every request and answer as a line of JSON, on disk before it counts."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from typing import IO, TYPE_CHECKING, Any

from gridlock.errors import StoreError, quote
from gridlock.files import locked, reason

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Event = dict[str, Any]
"""A line of a journal; ``kind`` says what it is."""


def read_journal(path: Path) -> list[Event]:
    """Return the events of a journal, or raise ``StoreError``.

    A last line that was never finished does not count: its writer was killed.
    """
    events = []
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.endswith(b"\n"):
                    events.append(_read_line(path, number, line))
    except OSError as error:
        raise StoreError(f"cannot read {quote(path)}: {reason(error)}") from None
    if not events or events[0].get("kind") != "plan":
        raise StoreError(f"{quote(path)} is not the journal of a trial")
    return events


def _read_line(path: Path, number: int, line: bytes) -> Event:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict) or "kind" not in event:
        raise StoreError(f"line {number} of {quote(path)} is damaged")
    return event


class Journal:
    """A journal that is being written, by several threads."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file = file
        self._path = path
        self._lock = threading.Lock()

    def write(self, kind: str, **fields: Any) -> Event:
        """Put an event on the disk and return it, or raise ``StoreError``."""
        event = {"kind": kind, **fields}
        line = json.dumps(event, ensure_ascii=True) + "\n"
        try:
            with self._lock:
                self._file.write(line.encode())
                self._file.flush()
                os.fsync(self._file.fileno())
        except (OSError, ValueError) as error:
            raise StoreError(f"cannot write {quote(self._path)}: {reason(error)}") from None
        return event


@contextlib.contextmanager
def open_journal(path: Path, *, is_new: bool) -> Iterator[Journal]:
    """Hand out a journal to write to, which no other program may write to meanwhile.

    Raises ``StoreError``.
    """
    with locked(path, 0):
        try:
            file = path.open("xb" if is_new else "r+b")
        except FileExistsError:
            raise StoreError(
                f"{quote(path)} is there already: choose another with --journal, "
                f"or go on with --resume {path}"
            ) from None
        except (OSError, ValueError) as error:
            raise StoreError(f"cannot write {quote(path)}: {reason(error)}") from None
        with file:
            if is_new:
                _sync_folder(path)
            else:
                _drop_torn_line(file)
            yield Journal(file, path)


def _drop_torn_line(file: IO[bytes]) -> None:
    """Cut off a line that was never finished, and go to the end."""
    end = 0
    for line in file:
        if line.endswith(b"\n"):
            end += len(line)
    file.truncate(end)
    file.seek(end)


def _sync_folder(path: Path) -> None:
    """Put the name of a new file on the disk."""
    if hasattr(os, "O_DIRECTORY"):  # pragma: no branch - where a folder can be opened
        descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
