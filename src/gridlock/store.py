"""Where games are kept while they are played and after.

The folder has two parts: ``unfinished``, one file a game or series, and ``finished``, to which a
file moves when it is over.  (A third, ``rules``, is for a person's own rule files.)  The files are
records; a lock beside each unfinished one tells whether
somebody is playing it now, and goes with the process that holds it.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Self

from gridlock.errors import BusyError, StoreError, quote
from gridlock.files import DRAFT_SUFFIX, can_write_in, reason, write_atomically

if TYPE_CHECKING:
    from datetime import datetime

    from filelock import BaseFileLock

FOLDER_VARIABLE = "GRIDLOCK_DATA"
"""The environment variable that names another folder."""

_SUFFIX = ".txt"
_NANOSECONDS = 10**9  # of a second


class KeptGame:
    """The file of one game or series, held by this process until it is released."""

    def __init__(self, store: Store, name: str) -> None:
        self.name = name
        self.path = store.path(name)
        self._finished = store.finished_folder / self.path.name
        self._lock = _lock(store, name)
        for draft in store.unfinished_folder.glob(f".{self.path.name}.*{DRAFT_SUFFIX}"):
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)  # left by a process that was killed

    @property
    def is_new(self) -> bool:
        """Whether nothing has been kept under this name."""
        return not self.path.exists() and not self._finished.exists()

    def write(self, text: str) -> None:
        """Put the records on disk; they are there when this returns."""
        write_atomically(self.path, text)

    def finish(self) -> Path:
        """Move the file of a game that is over, and return its new place."""
        try:
            self.path.replace(self._finished)
        except OSError as error:
            raise StoreError(f"cannot move {quote(self.path)}: {reason(error)}") from None
        return self._finished

    def release(self) -> None:
        """Let another process play the game."""
        if not self.path.exists():
            with contextlib.suppress(OSError):
                Path(self._lock.lock_file).unlink()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class Store:
    """The folder of kept games."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.unfinished_folder = folder / "unfinished"
        self.finished_folder = folder / "finished"
        self.rules_folder = folder / "rules"

    def can_be_written(self) -> bool:
        """Tell whether games can be kept here; it is tried, and leaves nothing behind."""
        return all(map(can_write_in, (self.unfinished_folder, self.finished_folder)))

    def create(self, game_id: str, now: datetime) -> KeptGame:
        """Return a new place for a game, with nothing in it yet."""
        name = stem = f"{game_id}-{now:%Y%m%d-%H%M%S}"
        number = 1
        while True:
            with contextlib.suppress(BusyError):
                kept = KeptGame(self, name)
                if kept.is_new:
                    return kept
                kept.release()
            number += 1
            name = f"{stem}-{number}"

    def open(self, name: str) -> KeptGame:
        """Return the place of an unfinished game, or raise ``StoreError``."""
        if name in self.unfinished():
            kept = KeptGame(self, name)
            if kept.path.exists():
                return kept
            kept.release()  # somebody else has just finished it
        raise StoreError(f"there is no unfinished game {quote(name)}: see gridlock resume --list")

    def path(self, name: str) -> Path:
        """Return the file of an unfinished game."""
        return self.unfinished_folder / f"{name}{_SUFFIX}"

    def name_of(self, file: str | Path) -> str | None:
        """Return the name of the unfinished game that is kept in a file, however it is written."""
        names = {os.path.realpath(self.path(name)): name for name in self.unfinished()}
        return names.get(os.path.realpath(file))

    def unfinished(self) -> list[str]:
        """Return the names of the unfinished games, the one played last first."""
        return [path.stem for _, path in _newest_first(self.unfinished_folder)]

    def files(self) -> list[tuple[datetime, Path]]:
        """Return the files of all games and when each was played, the one played last first."""
        from datetime import datetime
        from heapq import merge

        folders = map(_newest_first, (self.unfinished_folder, self.finished_folder))
        return [
            (datetime.fromtimestamp(time / _NANOSECONDS), path)
            for time, path in merge(*folders, reverse=True)
        ]

    def find(self, name: str) -> Path | None:
        """Return the file of a game, finished or not, or None if there is none of this name."""
        if not name or "/" in name or os.sep in name:
            return None
        places = (self.path(name), self.finished_folder / f"{name}{_SUFFIX}")
        # Unlike a path's own method, this one takes any text, however long.
        return next((path for path in places if os.path.isfile(path)), None)  # noqa: PTH113

    def delete(self, path: Path) -> None:
        """Delete the file of a game, or raise ``StoreError``, as where it is being played."""
        if path.parent == self.unfinished_folder:
            with KeptGame(self, path.stem):  # whose lock goes with the file
                _unlink(path)
        else:
            _unlink(path)


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"cannot delete {quote(path)}: {reason(error)}") from None


def _newest_first(folder: Path) -> list[tuple[int, Path]]:
    """Return the files of games in a folder and their times, or raise ``StoreError``."""
    found = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(_SUFFIX) and entry.is_file():
                    with contextlib.suppress(FileNotFoundError):  # finished a moment ago
                        found.append((entry.stat().st_mtime_ns, entry.name))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"cannot read {quote(folder)}: {reason(error)}") from None
    return [(time, folder / name) for time, name in sorted(found, reverse=True)]


def default_store() -> Store:
    """Return the user's own store: ``GRIDLOCK_DATA``, or the place that the system sets aside."""
    from platformdirs import user_data_path

    chosen = os.environ.get(FOLDER_VARIABLE)
    return Store(Path(chosen).absolute() if chosen else user_data_path("gridlock", appauthor=False))


def _lock(store: Store, name: str) -> BaseFileLock:
    """Return the lock of a game, taken, or raise ``BusyError``."""
    from filelock import FileLock, Timeout

    try:
        store.unfinished_folder.mkdir(parents=True, exist_ok=True)
        store.finished_folder.mkdir(exist_ok=True)
        lock = FileLock(store.unfinished_folder / f".{name}.lock")
        lock.acquire(timeout=0)
    except Timeout:
        raise BusyError(f"the game {name} is being played elsewhere") from None
    except (OSError, ValueError) as error:
        raise StoreError(
            f"cannot keep games in {quote(store.folder)}: {reason(error)}; "
            f"set {FOLDER_VARIABLE} to a folder that can be written"
        ) from None
    return lock
