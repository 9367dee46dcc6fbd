"""The games of a tournament on disk, as they are played: nothing is lost, nothing is played twice.

A folder has ``plan.json``, and ``games.jsonl`` with a line per finished game.  A line counts when
it is whole: what a killed process left half written is cut off when the tournament goes on.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from gridlock.errors import RecordError, StoreError, quote
from gridlock.files import locked, read_text, reason, write_atomically
from gridlock.lab.tournament.plan import Plan, build

if TYPE_CHECKING:
    from pathlib import Path

PLAN = "plan.json"
GAMES = "games.jsonl"
QUALITY = "quality.jsonl"

_SYNC_SECONDS = 1.0  # what is written survives our end at once, and a power failure after this


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game; ``winner`` is 1 or 2, the seat that won."""

    number: int
    round: int
    players: tuple[int, int]
    winner: int
    termination: str | None
    record: str
    milliseconds: tuple[int, int] = (0, 0)
    """How long the players of both seats have thought."""

    @property
    def winning(self) -> int:
        """The place of the player who won."""
        return self.players[self.winner - 1]

    @property
    def losing(self) -> int:
        """The place of the player who lost."""
        return self.players[2 - self.winner]


class Lines:
    """A file of JSON objects, a line each, that only grows."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._synced = time.monotonic()
        self.kept = self._read()
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        except OSError as error:
            raise StoreError(f"cannot write {quote(path)}: {reason(error)}") from None

    def _read(self) -> list[dict[str, Any]]:
        """Return what is whole, and cut off what is not."""
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreError(f"cannot read {quote(self._path)}: {reason(error)}") from None
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            try:
                os.truncate(self._path, len(whole))
            except OSError as error:
                raise StoreError(f"cannot write {quote(self._path)}: {reason(error)}") from None
        found = []
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                found.append(dict(json.loads(line)))
            except (ValueError, TypeError):
                raise StoreError(f"line {number} of {quote(self._path)} is damaged") from None
        return found

    def add(self, line: dict[str, Any]) -> None:
        """Add a line, or raise ``StoreError``; then none of it stays."""
        content = (json.dumps(line, ensure_ascii=False) + "\n").encode()
        with self._lock:
            length = os.fstat(self._file).st_size
            try:
                if os.write(self._file, content) != len(content):
                    raise OSError(28, "No space left on device")  # noqa: TRY301
            except OSError as error:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._file, length)
                raise StoreError(f"cannot write {quote(self._path)}: {reason(error)}") from None
            if time.monotonic() - self._synced >= _SYNC_SECONDS:
                os.fsync(self._file)
                self._synced = time.monotonic()

    def close(self) -> None:
        """Have everything on the disk."""
        with contextlib.suppress(OSError):
            os.fsync(self._file)
        os.close(self._file)


class Ledger:
    """A tournament's folder while it is in use: nobody else can use it meanwhile."""

    def __init__(self, folder: Path, plan: Plan | None) -> None:
        """Begin a tournament with a ``plan``, or go on with the one in the folder."""
        self.folder = folder
        self._closing = contextlib.ExitStack()
        self._closing.enter_context(locked(folder / GAMES, 0.1))
        try:
            self.plan = self._begin(plan) if plan else self._go_on()
            self._games = Lines(folder / GAMES)
            self._closing.callback(self._games.close)
            self._quality = Lines(folder / QUALITY)
            self._closing.callback(self._quality.close)
            self.results = {result.number: result for result in map(_read, self._games.kept)}
        except BaseException:
            self._closing.close()
            raise
        self.quality: dict[int, dict[str, Any]] = {
            line["number"]: line for line in self._quality.kept
        }

    def _begin(self, plan: Plan) -> Plan:
        if (self.folder / PLAN).exists():
            raise StoreError(
                f"there is a tournament in {quote(self.folder)} already: "
                f"go on with gridlock tournament --resume {self.folder}, or name another folder"
            )
        write_atomically(self.folder / PLAN, json.dumps(plan.as_keys(), indent=1) + "\n")
        return plan

    def _go_on(self) -> Plan:
        if not (self.folder / PLAN).is_file():
            raise StoreError(f"there is no tournament in {quote(self.folder)}")
        try:
            return build(json.loads(read_text(self.folder / PLAN)))
        except ValueError as error:
            raise RecordError(f"{self.folder / PLAN}: {error}") from None

    def add(self, result: Result) -> None:
        """Put a finished game on disk; it counts from then on."""
        self._games.add(
            {
                "number": result.number,
                "round": result.round,
                "players": result.players,
                "winner": result.winner,
                "termination": result.termination,
                "milliseconds": result.milliseconds,
                "record": result.record,
            }
        )
        self.results[result.number] = result

    def add_quality(self, line: dict[str, Any]) -> None:
        """Put on disk how well a game was played."""
        self._quality.add(line)
        self.quality[line["number"]] = line

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()


def _read(line: dict[str, Any]) -> Result:
    try:
        return Result(
            int(line["number"]), int(line["round"]), (line["players"][0], line["players"][1]),
            int(line["winner"]), line["termination"], line["record"],
            (line["milliseconds"][0], line["milliseconds"][1]),
        )  # fmt: skip
    except (KeyError, IndexError, TypeError, ValueError):
        raise StoreError("a line of the games is not a game's: was it changed by hand?") from None
