"""Other programs as players: any that speaks UGI, named ``engine:COMMAND``."""

from __future__ import annotations

import contextlib
import json
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from gridlock.bridges.process import (
    GarbageError,
    NoAnswerError,
    Process,
    ProcessEndedError,
    read_command,
)
from gridlock.clock import MILLISECONDS, milliseconds
from gridlock.errors import FaultError, NotationError, quote
from gridlock.model import Player
from gridlock.players import Bot
from gridlock.record import CLOCK, CRASH, HANG, ILLEGAL, custom_tags
from gridlock.search.settings import Limit
from gridlock.search.solver import Progress
from gridlock.store import default_store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gridlock.clock import Clock
    from gridlock.model import Game, Position
    from gridlock.players import Seat

PATIENCE = 10.0
"""The seconds that a program has to get ready, and to move where nobody says how long."""

COUNTED_PATIENCE = 600.0
"""The seconds that it has where only nodes, or actions ahead, are counted."""

CLOCK_PATIENCE, TURN_PATIENCE = 0.1, 1.0
"""The seconds after its time on a clock, or for a turn, in which a program is still heard."""

_USUAL = Limit(seconds=1.0)
_LISTEN_SECONDS = 0.1  # between two looks whether anybody wants something else
_LOG = "engine.log"


def make_program(argument: str, seat: Seat) -> Program:
    """Return the player ``engine:COMMAND``; the program starts when it is needed."""
    return Program(read_command(argument), seat)


class Program(Bot):
    """A program that speaks UGI; when it breaks down, it is started anew for the next game."""

    def __init__(self, command: Sequence[str], seat: Seat) -> None:
        self._command = command
        self._seat = seat
        self._process: Process | None = None
        self._options: set[str] = set()
        self._game: Game | None = None
        self._rules: Path | None = None
        self._lock = threading.Lock()
        self._is_closed = False
        self._stopping = threading.Event()

    def new_game(self, game: Game) -> None:
        """Prepare for a game that begins; what goes wrong shows when the program is to choose."""
        with self._lock, contextlib.suppress(FaultError), self._judged():
            self._prepare(game)

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        """Return the program's cell, or raise ``FaultError``."""
        with self._lock, self._judged():
            self._stopping.clear()
            if self._process is None or self._game != position.game:
                self._prepare(position.game)
            return self._choose(self._process_of(), position, clock)

    def stop(self) -> None:
        """Have the choice under way made soon."""
        self._stopping.set()

    def close(self) -> None:
        """End the program with all that it has started."""
        self._is_closed = True
        if not self._lock.acquire(blocking=False):
            if process := self._process:  # it may end this moment, which does no harm
                process.kill()
            self._lock.acquire()
        try:
            self._end(politely=True)
        finally:
            self._lock.release()

    def _process_of(self) -> Process:
        if self._process is None:
            raise ProcessEndedError("it has ended")
        return self._process

    @contextlib.contextmanager
    def _judged(self) -> Iterator[None]:
        """Make a fault of all that goes wrong, and end a program that cannot be trusted."""
        try:
            yield
        except ProcessEndedError as error:
            self._end(politely=False)
            raise FaultError(CRASH, f"{self._name}: {error}") from None
        except NoAnswerError as error:
            self._end(politely=False)
            raise FaultError(HANG, f"{self._name}: {error}") from None
        except GarbageError as error:
            self._end(politely=False)
            raise FaultError(ILLEGAL, f"{self._name}: {error}") from None
        except FaultError:
            self._end(politely=False)
            raise

    @property
    def _name(self) -> str:
        return quote(" ".join(self._command))

    def _end(self, *, politely: bool) -> None:
        process, self._process, self._game = self._process, None, None
        if process:
            process.close(politely=politely)
        if self._rules:
            self._rules.unlink(missing_ok=True)
            self._rules = None

    # ------------------------------------------------------------------ talking

    def _prepare(self, game: Game) -> None:
        """Have the program ready for a new game."""
        if self._is_closed:
            raise ProcessEndedError("it was closed")
        if self._process is None:
            log = self._seat.log or default_store().folder / _LOG
            self._process = Process(self._command, log)
            self._process.send("ugi")
            for words in self._answers(PATIENCE, "ugiok"):
                if words[:2] == ["option", "name"] and len(words) > 2:
                    self._options.add(words[2])
        if self._game != game:
            for name, value in self._settings(game):
                if name in self._options:
                    self._process.send(f"setoption name {name} value {value}")
            self._game = game
        self._process.send("uginewgame")
        self._wait_ready()

    def _settings(self, game: Game) -> Iterator[tuple[str, str]]:
        """Return the options that tell a program which game is played."""
        if tags := custom_tags(game):
            if "Rules" in self._options:
                self._rules = _write_rules(game, tags)
                yield "Rules", str(self._rules)
        else:
            yield "Game", game.rulebook.id
        yield "Size", str(game.grid)

    def _wait_ready(self) -> None:
        self._process_of().send("isready")
        for _ in self._answers(PATIENCE, "readyok"):
            pass

    def _answers(self, seconds: float, last: str) -> Iterator[list[str]]:
        """Return the words of each line until the last."""
        deadline = time.monotonic() + seconds
        while (line := self._process_of().read(deadline)) != last:
            yield line.split()

    def _choose(self, process: Process, position: Position, clock: Clock | None) -> int:
        process.send(f"position fen {position}")
        self._wait_ready()
        limit, patience = self._seat.limit or _USUAL, PATIENCE
        if clock:
            patience = clock.left_at(position.mover, milliseconds()) / MILLISECONDS + CLOCK_PATIENCE
        elif limit.is_counted:
            patience = COUNTED_PATIENCE
        elif self._seat.limit:
            patience = (limit.seconds or 0.0) + TURN_PATIENCE
        process.send(f"go {_limits(limit, clock)}")
        try:
            words = self._wait_for_move(process, time.monotonic() + patience)
        except NoAnswerError:
            if clock or (self._seat.limit and not limit.is_counted):
                raise FaultError(CLOCK, f"{self._name}: its time is up") from None
            raise
        return self._read_cell(position, words)

    def _wait_for_move(self, process: Process, deadline: float) -> list[str]:
        """Return the answer, and meanwhile listen to those who want something else."""
        start = time.monotonic()
        nodes = 0
        is_stopped = False
        while True:
            now = time.monotonic()
            if self._seat.on_progress:
                self._seat.on_progress(Progress(nodes, now - start, 0.0))
            if self._stopping.is_set() and not is_stopped:
                is_stopped = True
                process.send("stop")
                deadline = min(deadline, now + PATIENCE)
            try:
                words = process.read(min(deadline, now + _LISTEN_SECONDS)).split()
            except NoAnswerError:
                if time.monotonic() >= deadline:
                    raise
                continue
            if words[:1] == ["bestmove"]:
                return words
            if words[:1] == ["info"] and "nodes" in words[:-1]:
                told = words[words.index("nodes") + 1]
                nodes = int(told) if told.isdecimal() else nodes

    def _read_cell(self, position: Position, words: list[str]) -> int:
        answer = " ".join(words)
        try:
            cell = position.game.cell(words[1]) if len(words) == 2 else -1
        except NotationError:
            cell = -1
        if not position.is_legal(cell):
            raise FaultError(ILLEGAL, f"{self._name}: {quote(answer)} is no legal move")
        return cell


def _limits(limit: Limit, clock: Clock | None) -> str:
    """Return how far a program may look, as UGI writes it."""
    if clock:
        now = milliseconds()
        one, two = (max(1, clock.left_at(player, now)) for player in Player)
        return f"p1time {one} p2time {two} p1inc {clock.increment} p2inc {clock.increment}"
    if limit.nodes is not None:
        return f"nodes {limit.nodes}"
    if limit.depth is not None:
        return f"depth {limit.depth}"
    return f"movetime {max(1, round((limit.seconds or 1.0) * MILLISECONDS))}"


def _write_rules(game: Game, tags: dict[str, str]) -> Path:
    """Return a rule file of a game of one's own."""
    keys: dict[str, object] = {name.lower(): value for name, value in tags.items()}
    keys |= {
        "id": game.rulebook.id,
        "counting": game.rulebook.counting,
        "symbols": list(game.rulebook.symbols),
        "size": str(game.grid),
    }
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in keys.items()]
    with tempfile.NamedTemporaryFile("w", suffix=".toml", delete=False, encoding="utf-8") as file:
        file.writelines(lines)
    return Path(file.name)
