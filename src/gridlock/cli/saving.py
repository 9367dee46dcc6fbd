"""Records in files that a person names, and the promise that no file of theirs is overwritten."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gridlock.errors import GridlockError, StoreError, quote
from gridlock.files import read_text, reason, write_atomically
from gridlock.record import read_records, write_records

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gridlock.record import Record
    from gridlock.store import KeptGame


class Keeper:
    """Puts every state of a series on disk: in the store, and in the file asked for."""

    def __init__(self, kept: KeptGame, copy: Path | None) -> None:
        self._kept = kept
        self._copy = copy

    def __call__(self, records: list[Record]) -> None:
        """Keep the records, or raise ``StoreError``."""
        try:
            if self._copy:
                keep_copy(self._copy, records)
            self._kept.write(write_records(records))
        except StoreError as error:
            raise StoreError(f"{error}; this was not carried out, all before it is kept") from None


def keep_copy(path: Path, records: Sequence[Record]) -> None:
    """Write the records to a file, or raise ``StoreError``."""
    write_atomically(path, write_records(records))


def check_free(path: Path, records: Sequence[Record]) -> None:
    """Raise ``StoreError`` unless a file is new, or holds these very games so far."""
    try:
        is_new = not path.exists() and not path.is_symlink()
    except (OSError, ValueError) as error:
        raise StoreError(f"cannot write {quote(path)}: {reason(error)}") from None
    if is_new:
        return
    try:
        found = read_records(read_text(path))
    except GridlockError:
        found = []
    if not _is_earlier(found, records):
        raise StoreError(f"{quote(path)} exists already; choose another name")


def _is_earlier(found: Sequence[Record], records: Sequence[Record]) -> bool:
    """Tell whether some records are an earlier state of the others, or the same."""
    if not 0 < len(found) <= len(records):
        return False
    last = records[len(found) - 1]
    cut_short = replace(
        last, moves=last.moves[: len(found[-1].moves)], result=None, termination=None
    )
    return [*found[:-1]] == [*records[: len(found) - 1]] and found[-1] in (last, cut_short)
