"""A program that is being tried out: what is said to it, what it answers, and what was expected."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from gridlock.bridges.process import Process
from gridlock.errors import GridlockError, NotationError, quote
from gridlock.model import Player
from gridlock.record import custom_tags

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from gridlock.model import Game, Position

BRIEF = 20
"""The milliseconds of a search of which only the move matters."""

_LONGEST_NOTE = 200  # characters of a line in a transcript


class Failure(Exception):  # noqa: N818 - of a step, not an error
    """What does not hold, in words."""


class Trial:
    """A process, and what is said to it and by it."""

    def __init__(self, command: Sequence[str], game: Game, log: Path, patience: float) -> None:
        self.command = command
        self.game = game
        self.log = log
        self.patience = patience
        self.rng = random.Random(1)  # every program gets the same games
        self.transcript: list[str] = []
        self.options: dict[str, str] = {}
        self._process: Process | None = None

    def run(self, try_out: Callable[[Trial], None]) -> str:
        """Try something out in a new process, and return why it does not hold, '' if it does."""
        try:
            try_out(self)
        except (Failure, GridlockError) as failure:
            return str(failure)
        finally:
            if self._process:
                self._process.close()
        return ""

    @property
    def process(self) -> Process:
        """The program, started when it is needed."""
        if self._process is None:
            self._process = Process(self.command, self.log, self._note)
        return self._process

    def _note(self, sign: str, line: str) -> None:
        shown = line if len(line) <= _LONGEST_NOTE else f"{line[:_LONGEST_NOTE]}…"
        self.transcript.append(f"{sign} {shown}")

    def send(self, *lines: str) -> None:
        """Send some lines."""
        for line in lines:
            self.process.send(line)

    def wait_for(self, word: str, seconds: float | None = None) -> str:
        """Return the first line that begins with a word."""
        seconds = self.patience if seconds is None else seconds
        deadline = time.monotonic() + seconds
        try:
            while (line := self.process.read(deadline)).split()[:1] != [word]:
                pass
        except GridlockError as error:
            raise Failure(f"no {word} within {seconds:g} s: {error}") from None
        return line

    def begin(self) -> None:
        """Get through the handshake, and tell the program which game it is, if it asks."""
        self.send("ugi")
        deadline = time.monotonic() + self.patience
        while (line := self.process.read(deadline)) != "ugiok":
            words = line.split()
            if words[:2] == ["option", "name"] and "type" in words:
                name = " ".join(words[2 : words.index("type")])
                at = words.index("default") + 1 if "default" in words else len(words)
                self.options[name] = " ".join(words[at : at + 1])
        if not custom_tags(self.game):
            self._set("Game", self.game.rulebook.id)
        self._set("Size", str(self.game.grid))
        self.ready()

    def _set(self, name: str, value: str) -> None:
        if name in self.options:
            self.send(f"setoption name {name} value {value}")

    def ready(self, seconds: float | None = None) -> None:
        """Ask whether it is ready."""
        self.send("isready")
        line = self.wait_for("readyok", seconds)
        if line != "readyok":
            raise Failure(f"{quote(line)} is not readyok")

    def new_game(self) -> None:
        """Begin a game."""
        self.send("uginewgame")
        self.ready()

    def set_up(self, command: str) -> None:
        """Send a position."""
        self.send(command)
        self.ready()

    def ask(self, what: str, expected: str) -> None:
        """Ask about the position."""
        self.send(f"query {what}")
        line = self.wait_for("response")
        if line != f"response {expected}":
            raise Failure(f"query {what}: {quote(line)} where it is response {expected}")

    def ask_all(self, position: Position) -> None:
        """Ask everything that can be asked about a position."""
        winner = position.winner
        self.ask("gameover", "false" if winner is None else "true")
        self.ask("result", "none" if winner is None else f"p{winner}win")
        if winner is None:
            self.ask("p1turn", "true" if position.mover is Player.ONE else "false")

    def read_move(self, position: Position, seconds: float | None = None) -> int:
        """Return the cell that the program answers with."""
        line = self.wait_for("bestmove", seconds)
        words = line.split()
        if len(words) != 2:
            raise Failure(f"{quote(line)} is not bestmove and one move")
        try:
            cell = position.game.cell(words[1])
        except NotationError as error:
            raise Failure(f"{quote(line)}: {error}") from None
        if not position.is_legal(cell):
            raise Failure(f"{quote(line)} is illegal in {position}")
        return cell

    def think(self, position: Position, limits: str = f"movetime {BRIEF}") -> int:
        """Return what the program chooses."""
        self.send(f"go {limits}")
        return self.read_move(position)
