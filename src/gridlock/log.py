"""The log of failures: where something went wrong of which a person is told in one line."""

from __future__ import annotations

import platform
import traceback
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from gridlock import __version__
from gridlock.store import default_store

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_LOG = 512 * 1024  # bytes; a full log is kept beside the new one, in place of the one before
_LARGEST_ENTRY = 64 * 1024  # characters; what a failure says of itself can be of any length


def log_path() -> Path:
    """Return the log file, in the folder of the kept games; it need not exist."""
    return default_store().folder / "gridlock.log"


def log_failure(error: BaseException) -> Path | None:
    """Add a failure to the log: when it was, in which version, and its traceback.

    Returns the file, or None where it cannot be written; never raises.
    """
    try:
        path = log_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size >= LARGEST_LOG:
            path.replace(path.with_suffix(".old.log"))
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(_entry(error))
    except Exception:  # noqa: BLE001 - the last resort has none itself
        return None
    return path


def _entry(error: BaseException) -> str:
    now = datetime.now(UTC).isoformat(sep=" ", timespec="seconds")
    trace = "".join(traceback.format_exception(error))
    if len(trace) > _LARGEST_ENTRY:
        trace = f"{trace[:_LARGEST_ENTRY]}\n(cut here)\n"
    return f"{now}  gridlock {__version__}, Python {platform.python_version()}\n{trace}\n"
