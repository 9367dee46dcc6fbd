"""Our engine as a program that speaks UGI, the Universal Game Interface.

The protocol is described at github.com/kz04px/ugi.  It leaves to each game how positions and moves
are written: here they are position texts and cells, as in records.  In a game whose turn is several
actions every action is a move of its own, so ``query p1turn`` may be true twice in a row.
"""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gridlock import __version__
from gridlock.bridges.ugi_search import Report, look_endlessly, read_limits
from gridlock.engine import Engine
from gridlock.errors import GridlockError, NotationError, blame_ourselves, quote, suggest
from gridlock.log import log_failure
from gridlock.model import Game, Player
from gridlock.notation import board_of, read_number, read_size
from gridlock.record import read_moves
from gridlock.rulebooks import custom
from gridlock.rulebooks.catalogue import RULEBOOKS, find_rulebook
from gridlock.search import HIGHEST_LEVEL, LOWEST_LEVEL
from gridlock.search.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gridlock.grid import Grid
    from gridlock.model import Position, Rulebook

_MOST_THREADS = 256
_MOST_HASH = 1 << 16
_MEBIBYTE = 1 << 20
_WHILE_SEARCHING = ("isready", "stop", "quit")


@dataclass(frozen=True, slots=True)
class _Spin:
    """An option that is a whole number."""

    default: int
    least: int
    most: int

    def __str__(self) -> str:
        return f"type spin default {self.default} min {self.least} max {self.most}"

    def read(self, name: str, text: str) -> int:
        number = read_number(text)
        if number is None or not self.least <= number <= self.most:
            raise NotationError(
                f"{name} is a number from {self.least} to {self.most}, not {quote(text)}"
            )
        return number


_SPINS = {
    "Level": _Spin(HIGHEST_LEVEL, LOWEST_LEVEL, HIGHEST_LEVEL),
    "Threads": _Spin(1, 1, _MOST_THREADS),
    "Hash": _Spin(256, 1, _MOST_HASH),
}
_NAMES = ("Game", "Size", "Rules", *_SPINS)
_OWN_SIZE = "own"  # the rulebook's


class UgiEngine:
    """Answers the lines of a UGI program, by ``write``, a line at a time.

    One search at a time runs in a thread of its own, so that every line is answered at once.
    """

    def __init__(
        self, write: Callable[[str], None], rulebook: Rulebook, size: Grid | None = None
    ) -> None:
        self._write = write
        self._lock = threading.RLock()
        self._rulebook = rulebook
        self._size = size
        self._numbers = {name: spin.default for name, spin in _SPINS.items()}
        self._position: Position = self._game().start()
        self._engine: Engine | None = None
        self._search: threading.Thread | None = None
        self._is_searching = False
        self._stopping = threading.Event()
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "ugi": self._greet,
            "isready": self._say_ready,
            "setoption": self._set_option,
            "uginewgame": self._begin_game,
            "position": self._set_position,
            "moves": self._make_moves,
            "go": self._go,
            "stop": self._stop,
            "query": self._answer,
        }

    def run(self, lines: Iterable[str]) -> None:
        """Answer all lines until ``quit`` or the last; a search under way ends with its answer."""
        for line in lines:
            if line.split()[:1] == ["quit"]:
                break
            self.handle(line)
        self._stop([])
        if self._search:
            self._search.join()

    def handle(self, line: str) -> None:
        """Answer one line; nonsense gets an ``info string``."""
        words = line.split()
        if not words:
            return
        name, *rest = words
        command = self._commands.get(name)
        with self._lock:
            if command is None:
                meant = suggest(name, (*self._commands, "quit"))
                hint = f": did you mean {meant}?" if meant else ""
                self._explain(f"there is no command {quote(name)}{hint}")
            elif self._is_searching and name not in _WHILE_SEARCHING:
                self._explain(f"{name} is not for a search under way: send stop first")
            else:
                try:
                    command(rest)
                except (GridlockError, OSError) as error:
                    self._explain(str(error))

    def _say(self, line: str) -> None:
        with self._lock, contextlib.suppress(OSError):  # the end of the input ends it, not this
            self._write(line)

    def _explain(self, text: str) -> None:
        self._say(f"info string {' '.join(text.split())}")

    # ------------------------------------------------------------------ options

    def _greet(self, _: list[str]) -> None:
        self._say(f"id name GridLock {__version__}")
        self._say("id author The GridLock authors")
        games = " ".join(f"var {name}" for name in RULEBOOKS)
        self._say(f"option name Game type combo default {self._rulebook.id} {games}")
        self._say(f"option name Size type string default {self._size or _OWN_SIZE}")
        self._say("option name Rules type string default <empty>")
        for name, spin in _SPINS.items():
            self._say(f"option name {name} {spin}")
        self._say("ugiok")

    def _say_ready(self, _: list[str]) -> None:
        self._say("readyok")

    def _set_option(self, words: list[str]) -> None:
        if len(words) < 4 or words[0] != "name" or "value" not in words[2:]:
            raise NotationError("write setoption name NAME value VALUE")
        at = words.index("value", 2)
        typed, value = " ".join(words[1:at]), " ".join(words[at + 1 :])
        name = next((name for name in _NAMES if name.lower() == typed.lower()), None)
        if name is None:
            raise NotationError(f"there is no option {quote(typed)}, only {', '.join(_NAMES)}")
        if name in _SPINS:
            self._numbers[name] = _SPINS[name].read(name, value)
            self._engine = None if name in ("Threads", "Hash") else self._engine
            return
        before = self._rulebook, self._size
        try:
            if name == "Size":
                self._size = None if value.lower() == _OWN_SIZE else read_size(value)
            elif name == "Game":
                self._rulebook = find_rulebook(value.lower())
            else:
                self._rulebook = custom.load(value).rulebook
            self._position = self._game().start()
        except GridlockError:
            self._rulebook, self._size = before
            raise

    def _game(self) -> Game:
        return Game(self._rulebook, self._size or self._rulebook.size)

    def _begin_game(self, _: list[str]) -> None:
        self._engine = None  # with all that it remembers
        self._position = self._game().start()

    # ------------------------------------------------------------------ positions

    def _set_position(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        kind, *text = words[:at] or [""]
        if kind == "startpos" and not text:
            start = self._game().start()
        elif kind == "fen":
            written = " ".join(text)
            start = Game(self._rulebook, board_of(written)).position(written)
        else:
            raise NotationError("write position startpos or position fen TEXT, then moves CELLS")
        self._position = _after(start, words[at + 1 :])

    def _make_moves(self, words: list[str]) -> None:
        self._position = _after(self._position, words)

    def _answer(self, words: list[str]) -> None:
        winner = self._position.winner
        answers = {
            "p1turn": _truth(self._position.mover is Player.ONE),
            "gameover": _truth(winner is not None),
            "result": "none" if winner is None else f"p{winner}win",
        }
        what = " ".join(words)
        if what not in answers:
            raise NotationError(f"query one of {', '.join(answers)}, not {quote(what)}")
        self._say(f"response {answers[what]}")

    # ------------------------------------------------------------------ searches

    def _go(self, words: list[str]) -> None:
        limit, clock, is_endless = read_limits(words, self._position.mover)
        position = self._position
        if position.winner is not None:
            raise NotationError("the game is over: there is nothing to search")
        if self._search:
            self._search.join()  # it has answered
        if self._engine is None or self._engine.game != position.game:
            self._engine = Engine(
                position.game,
                Settings(
                    memory=self._numbers["Hash"] * _MEBIBYTE, threads=self._numbers["Threads"]
                ),
            )
        engine, level = self._engine, self._numbers["Level"]
        report = Report(engine, self._stopping, self._say)

        def choose() -> int:
            if is_endless and level == HIGHEST_LEVEL:
                return look_endlessly(engine, position, self._stopping, report)
            return engine.choose(
                position, level, clock=clock, limit=limit, on_progress=report.hear,
                on_found=report.take,
            )  # fmt: skip

        def search() -> None:
            try:
                cell = choose()
            except Exception as error:  # noqa: BLE001 - no bug may end the engine
                self._explain(blame_ourselves(error, log_failure(error)))
                cell = position.legal_cells()[0]
            with self._lock:  # whoever hears the answer may send anything again
                self._is_searching = False
                report.finish(cell)
                self._say(f"bestmove {position.game.name(cell)}")

        self._stopping.clear()
        self._is_searching = True
        self._search = threading.Thread(target=search, daemon=True)
        self._search.start()

    def _stop(self, _: list[str]) -> None:
        self._stopping.set()
        if self._is_searching and self._engine:
            self._engine.stop()  # what it misses because it has only begun, the report makes up for


def _after(position: Position, words: list[str]) -> Position:
    """Return the position after some moves, or raise an error that names the bad one."""
    return position.replay(read_moves(position.game, " ".join(words)))[-1]


def _truth(is_so: bool) -> str:
    return "true" if is_so else "false"
