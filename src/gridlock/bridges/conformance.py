"""A conformance test of UGI: tries a program step by step, and tells what holds.

Every step has a process of its own, so that one that fails does not spoil the next.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gridlock.bridges.process import read_command
from gridlock.bridges.trial import BRIEF, Failure, Trial
from gridlock.errors import GridlockError, quote
from gridlock.model import Player

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from gridlock.model import Game, Position

PATIENCE = 10.0
"""The seconds in which a program has to get ready, and to answer a short search."""

SOON = 1.0
"""The seconds for what has to be done at once: to stop, to end, to be ready during a search."""

_CLOCK = 1000  # milliseconds
_MOVETIME = 200  # likewise
_GRACE = 0.5  # seconds that a movetime may be overdrawn
_GAMES = 3
_LONG_LINE = 10_000  # characters
_NONSENSE = (
    "", "   ", "xyzzy", "ugi ugi ugi", "setoption", "setoption name", "setoption name None value 1",
    "position", "position nowhere", "position fen", "position fen ? ? ?", "moves ?", "query",
    "query nothing", "stop", "\t\x01\x02 é", "x" * _LONG_LINE,
)  # fmt: skip
"""What no program should stumble over; nothing of it starts a search."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was tried: ``reason`` says why it does not hold, '' where it does.

    What is optional is no part of the protocol's duties, and may fail.
    """

    name: str
    reason: str
    transcript: tuple[str, ...]
    is_optional: bool = False
    is_tried: bool = True

    @property
    def holds(self) -> bool:
        """Whether the program does as it should."""
        return not self.reason


def check(
    command: str,
    game: Game,
    *,
    patience: float = PATIENCE,
    only: Collection[str] | None = None,
) -> list[Step]:
    """Return what a program does as UGI wants it, step by step, for one game.

    With ``only`` just these steps are tried.  Raises ``NotationError`` for a command that cannot
    be run.
    """
    words = read_command(command)
    steps: list[Step] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, try_out in STEPS.items():
            if only is not None and name not in only:
                continue
            is_optional = name in OPTIONAL
            if steps and steps[0].name == _FIRST and not steps[0].holds:
                reason = "not tried, as there is no handshake"
                steps.append(Step(name, reason, (), is_optional, is_tried=False))
                continue
            trial = Trial(words, game, Path(folder) / "log", patience)
            steps.append(Step(name, trial.run(try_out), tuple(trial.transcript), is_optional))
    return steps


def _startpos(game: Game, cells: Sequence[int]) -> str:
    moves = " ".join(map(game.name, cells))
    return f"position startpos moves {moves}" if moves else "position startpos"


def _random_cells(trial: Trial, most: int | None = None) -> tuple[list[int], Position]:
    """Return the moves of a random game, and where they lead."""
    position: Position = trial.game.start()
    cells: list[int] = []
    while position.winner is None and (most is None or len(cells) < most):
        cells.append(trial.rng.choice(position.legal_cells()))
        position = position.play(cells[-1])
    if most is not None and position.winner is not None:
        return [], trial.game.start()
    return cells, position


# ---------------------------------------------------------------------- the steps


def _handshake(trial: Trial) -> None:
    """Have ``ugi`` answered with a name, an author, options and ``ugiok``; nothing before it."""
    trial.send("ugi")
    seen: set[str] = set()
    deadline = time.monotonic() + trial.patience
    try:
        while (line := trial.process.read(deadline)) != "ugiok":
            words = line.split()
            seen.add(" ".join(words[:2]))
            if "id name" not in seen:
                raise Failure(f"the first line is {quote(line)}, not id name NAME")
            if words[:1] == ["option"] and (words[1:2] != ["name"] or "type" not in words):
                raise Failure(f"{quote(line)} is not option name NAME type TYPE default VALUE")
    except GridlockError as error:
        raise Failure(f"no ugiok within {trial.patience:g} s: {error}") from None
    if "id author" not in seen:
        raise Failure("there is no id author before ugiok")


def _readiness(trial: Trial) -> None:
    trial.begin()
    trial.ready()
    trial.new_game()


def _options(trial: Trial) -> None:
    """Every option takes its own default, and an unknown one does no harm."""
    trial.begin()
    for name, default in trial.options.items():
        if default and not default.startswith("<"):
            trial.send(f"setoption name {name} value {default}")
            trial.ready()


def _bad_input(trial: Trial) -> None:
    trial.begin()
    for line in _NONSENSE:
        trial.send(line)
        try:
            trial.ready()
        except (Failure, GridlockError) as failure:
            raise Failure(f"after {quote(line)}: {failure}") from None
    trial.new_game()
    trial.set_up("position startpos")
    trial.think(trial.game.start())


def _start(trial: Trial) -> None:
    trial.begin()
    trial.new_game()
    trial.set_up("position startpos")
    trial.ask_all(trial.game.start())
    trial.think(trial.game.start())


def _move_list(trial: Trial) -> None:
    """Send a random game move by move, each time from the start, and ask about it."""
    trial.begin()
    trial.new_game()
    cells, _ = _random_cells(trial)
    position = trial.game.start()
    for number, cell in enumerate(cells, start=1):
        position = position.play(cell)
        trial.set_up(_startpos(trial.game, cells[:number]))
        trial.ask_all(position)


def _position_text(trial: Trial) -> None:
    """Send positions as texts, also with moves after them and with player 2 to move."""
    trial.begin()
    trial.new_game()
    for actions in (0, 1, 3):
        _, position = _random_cells(trial, actions)
        trial.set_up(f"position fen {position}")
        trial.ask_all(position)
        trial.think(position)
        cell = trial.rng.choice(position.legal_cells())
        trial.set_up(f"position fen {position} moves {trial.game.name(cell)}")
        trial.ask_all(position.play(cell))
    start = trial.game.start(Player.TWO)
    trial.set_up(f"position fen {start}")
    trial.ask_all(start)


def _single_moves(trial: Trial) -> None:
    """Send ``moves X``, which goes on from the position before, as cutergames does."""
    trial.begin()
    trial.new_game()
    trial.set_up("position startpos")
    position = trial.game.start()
    for _ in range(2):
        if position.winner is not None:
            break
        cell = trial.rng.choice(position.legal_cells())
        position = position.play(cell)
        trial.set_up(f"moves {trial.game.name(cell)}")
        trial.ask_all(position)


def _limits(trial: Trial) -> None:
    trial.begin()
    trial.new_game()
    start = trial.game.start()
    for limits in ("depth 1", "nodes 100", f"movetime {_MOVETIME}"):
        trial.set_up("position startpos")
        try:
            trial.think(start, limits)
        except Failure as failure:
            raise Failure(f"go {limits}: {failure}") from None


def _clocks(trial: Trial) -> None:
    """No more time is taken than there is, on a clock or for a move."""
    trial.begin()
    trial.new_game()
    start = trial.game.start()
    clock = f"p1time {_CLOCK} p2time {_CLOCK} p1inc 0 p2inc 0"
    for limits, milliseconds in ((clock, _CLOCK), (f"movetime {_MOVETIME}", _MOVETIME)):
        trial.set_up("position startpos")
        began = time.monotonic()
        trial.think(start, limits)
        taken = time.monotonic() - began
        allowed = milliseconds / 1000 + (0 if limits is clock else _GRACE)
        if taken > allowed:
            raise Failure(f"go {limits} took {taken * 1000:.0f} ms")


def _last_info(trial: Trial) -> None:
    """Look for nodes, time and nps in the last line before ``bestmove``."""
    trial.begin()
    trial.new_game()
    trial.set_up("position startpos")
    trial.send(f"go movetime {BRIEF}")
    last: list[str] = []
    deadline = time.monotonic() + trial.patience
    while (words := trial.process.read(deadline).split())[:1] != ["bestmove"]:
        last = words
    missing = [word for word in ("nodes", "time", "nps") if word not in last]
    if last[:1] != ["info"] or missing:
        raise Failure(f"the last line before bestmove is no info with {', '.join(missing)}")


def _stop(trial: Trial) -> None:
    """Have ``isready`` and ``stop`` answered within a second, during an endless search."""
    trial.begin()
    trial.new_game()
    trial.set_up("position startpos")
    start = trial.game.start()
    trial.send("go infinite", "isready", "stop")
    deadline = time.monotonic() + SOON
    pending = {"readyok", "bestmove"}
    while pending:
        try:
            line = trial.process.read(deadline)
        except GridlockError as error:
            raise Failure(f"no {' and no '.join(sorted(pending))} in 1 s: {error}") from None
        words = line.split()
        pending -= set(words[:1])
        if words[:1] == ["bestmove"] and (len(words) != 2 or words[1] not in _legal(start)):
            raise Failure(f"{quote(line)} is not bestmove and a legal move")
    trial.ready()


def _legal(position: Position) -> tuple[str, ...]:
    return position.game.names(position.legal)


def _whole_games(trial: Trial) -> None:
    """Let the program play both sides of several games; it has to know how each ends."""
    trial.begin()
    for _ in range(_GAMES):
        trial.new_game()
        position: Position = trial.game.start()
        cells: list[int] = []
        while position.winner is None:
            trial.set_up(_startpos(trial.game, cells))
            trial.ask_all(position)
            cells.append(trial.think(position))
            position = position.play(cells[-1])
        trial.set_up(_startpos(trial.game, cells))
        trial.ask_all(position)


def _quit(trial: Trial) -> None:
    trial.begin()
    trial.send("quit")
    if not trial.process.ends_within(SOON):
        raise Failure("it has not ended a second after quit")


def _quit_searching(trial: Trial) -> None:
    trial.begin()
    trial.new_game()
    trial.set_up("position startpos")
    trial.send("go infinite", "quit")
    if not trial.process.ends_within(SOON):
        raise Failure("it has not ended a second after quit during a search")


def _end_of_input(trial: Trial) -> None:
    trial.begin()
    trial.process.end_input()
    if not trial.process.ends_within(SOON):
        raise Failure("it has not ended a second after the end of its input")


_FIRST = "handshake"  # without which nothing else is tried

STEPS: dict[str, Callable[[Trial], None]] = {
    _FIRST: _handshake,
    "ready": _readiness,
    "options": _options,
    "bad input": _bad_input,
    "start position": _start,
    "lists of moves": _move_list,
    "position texts": _position_text,
    "depth, nodes and time": _limits,
    "clocks kept": _clocks,
    "stop within a second": _stop,
    "several games in a row": _whole_games,
    "quit": _quit,
    "quit during a search": _quit_searching,
    "end of input": _end_of_input,
    "last line of info": _last_info,
    "single moves": _single_moves,
}
OPTIONAL = ("last line of info", "single moves")
"""What the protocol only recommends, and what one runner wants beyond it."""
