"""A plain UCT player, written in C: UCB1 in the tree, random play below it, and no more.

    python -m benchmarks.peers.uct --check   play its rules against GridLock's own
    python -m benchmarks.peers.uct --speed   print its playouts a second

It knows the rules and nothing about good play.  ``uct.c`` beside this file is compiled when it is
first needed, by ``$CC`` or else ``cc``, into the user's cache folder.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import os
import random
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from gridlock import RULEBOOKS, Engine, Game, Grid, Player, Position, Settings
from gridlock.grid import cells_of
from gridlock.players import Bot
from gridlock.rulebooks.placement import PlacementPosition
from gridlock.rulebooks.race import BLOCK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gridlock.clock import Clock

SOURCE = Path(__file__).with_name("uct.c")
FLAGS = ("-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-shared", "-fPIC")

BOOKS = ("occupation", "duel", "claim", "trail", "race")
"""The rulebooks that it knows, in the order of ``uct.c``."""

MOST_SIDE = 19
MOST_CELLS = MOST_SIDE**2
MOST_ACTIONS = 2 * MOST_CELLS
NO_CELL = -1
ONE, TWO, HOLE = 1, 2, 3

EXPLORATION = 1.4
"""The constant of UCB1, near the square root of two that its theory asks for."""

MEMORY = 1 << 28
"""Bytes for the tree; it stops growing when they are used up."""


class _Limits(ctypes.Structure):
    _fields_ = (
        ("seconds", ctypes.c_double),
        ("playouts", ctypes.c_int64),
        ("exploration", ctypes.c_double),
        ("seed", ctypes.c_uint64),
        ("memory", ctypes.c_uint64),
    )


class _Found(ctypes.Structure):
    _fields_ = (
        ("cell", ctypes.c_int32),
        ("is_out_of_memory", ctypes.c_int32),
        ("playouts", ctypes.c_int64),
        ("share", ctypes.c_double),
    )

    cell: int
    is_out_of_memory: int
    playouts: int
    share: float


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search ends, by time or by playouts or both, and how it goes about it."""

    seconds: float | None = None
    playouts: int | None = None
    exploration: float = EXPLORATION
    memory: int = MEMORY


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has found: a cell, and the share of the playouts with it that were won."""

    cell: int
    share: float
    playouts: int
    is_out_of_memory: bool


def choose(
    position: Position,
    seconds: float | None = None,
    seed: int = 0,
    *,
    playouts: int | None = None,
) -> int:
    """Return the cell that is chosen after some seconds or playouts."""
    return search(position, Limits(seconds, playouts), seed).cell


def search(position: Position, limits: Limits, seed: int = 0) -> Found:
    """Search a position that is not over; with a limit of playouts alone the same is found again.

    Where there is only one legal cell nothing is searched.  Other threads go on meanwhile.
    """
    if not limits.seconds and not limits.playouts:
        raise ValueError("a search needs a limit")
    asked = _Limits(
        limits.seconds or 0, limits.playouts or 0, limits.exploration, seed, limits.memory
    )
    with _handle(position) as handle:
        found: _Found = _library().uct_search(handle, ctypes.byref(asked))
    if found.cell == NO_CELL:
        raise ValueError("the game is over, or there is no memory")
    return Found(found.cell, found.share, found.playouts, bool(found.is_out_of_memory))


class UctPlayer(Bot):
    """A bot that searches as long for every action; ``playouts`` counts those of all of them."""

    def __init__(self, limits: Limits, rng: random.Random) -> None:
        self._limits = limits
        self._rng = rng
        self.playouts = 0

    def choose(self, position: Position, clock: Clock | None = None) -> int:  # noqa: ARG002
        """Return a legal cell of a position that is not over."""
        found = search(position, self._limits, self._rng.getrandbits(64))
        self.playouts += found.playouts
        return found.cell


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(_compiled()))
    integer, pointer = ctypes.c_int, ctypes.c_void_p
    library.uct_new.argtypes = (integer, integer, integer, ctypes.c_char_p) + (integer,) * 3
    library.uct_new.restype = pointer
    library.uct_free.argtypes = (pointer,)
    library.uct_free.restype = None
    library.uct_mover.argtypes = (pointer,)
    library.uct_legal.argtypes = (pointer, ctypes.c_char_p)
    library.uct_play.argtypes = (pointer, integer)
    library.uct_play.restype = None
    library.uct_play_out.argtypes = (pointer, ctypes.c_uint64, pointer)
    library.uct_search.argtypes = (pointer, pointer)
    library.uct_search.restype = _Found
    return library


def _compiled() -> Path:
    """Return the compiled source, compiling it first where that was not done before."""
    compiler = os.environ.get("CC", "cc")
    made_of = repr((compiler, FLAGS)).encode() + SOURCE.read_bytes()
    folder = platformdirs.user_cache_path("gridlock-benchmarks")
    path = folder / f"uct-{hashlib.sha256(made_of).hexdigest()[:16]}.so"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as workshop:
            made = Path(workshop) / path.name
            subprocess.run([compiler, *FLAGS, "-o", made, SOURCE, "-lm"], check=True)
            made.replace(path)  # another process may be compiling, too
    return path


@contextmanager
def _handle(position: Position) -> Iterator[int]:
    """Hand a position to the library, and take it back."""
    rulebook, grid = position.game.rulebook, position.game.grid
    if rulebook != RULEBOOKS.get(rulebook.id) or max(grid.rows, grid.columns) > MOST_SIDE:
        raise ValueError(f"{rulebook.id} {grid} is not a game that UCT knows")
    cells = bytearray(grid.cell_count)
    contents = {
        ONE: position.marks(Player.ONE),
        TWO: position.marks(Player.TWO),
        HOLE: position.blocked,
    }
    for content, mask in contents.items():
        for cell in cells_of(mask):
            cells[cell] = content
    last = position.last if isinstance(position, PlacementPosition) else None
    handle = _library().uct_new(
        BOOKS.index(rulebook.id),
        grid.rows,
        grid.columns,
        bytes(cells),
        position.mover - 1,
        NO_CELL if last is None else last,
        int(position.phase == BLOCK),
    )
    if not handle:
        raise MemoryError
    try:
        yield handle
    finally:
        _library().uct_free(handle)


# What follows checks the rules, and measures the speed.


class RulesError(Exception):
    """The two implementations of the rules disagree."""


def check_position(position: Position, handle: int) -> None:
    """Check that a position of the library's is this one, as far as play goes."""
    is_legal = ctypes.create_string_buffer(position.game.grid.cell_count)
    count = _library().uct_legal(handle, is_legal)
    cells = tuple(cell for cell, value in enumerate(is_legal.raw) if value != 0)
    mover = _library().uct_mover(handle) + 1
    if cells != position.legal_cells() or count != len(cells) or mover != position.mover:
        raise RulesError(f"{position.game.rulebook.id} {position}: player {mover} may {cells}")


def check_play_out(position: Position, handle: int, seed: int) -> None:
    """Check that random play of the library's is legal, and ends when and as it should."""
    buffer = (ctypes.c_int16 * (MOST_ACTIONS + 1))()
    winner = _library().uct_play_out(handle, seed, buffer) + 1
    for cell in buffer:
        if cell == NO_CELL:
            break
        position = position.play(cell)
    if position.winner != winner:
        raise RulesError(f"{position.game.rulebook.id} {position}: no win of player {winner}")


def check_game(game: Game, rng: random.Random) -> int:
    """Play a game at random on both sides, compare, and return how many positions it had."""
    position = _with_holes(game, rng)
    count = 1
    with _handle(position) as handle:
        check_position(position, handle)
        while position.winner is None:
            check_play_out(position, handle, rng.getrandbits(64))
            cell = rng.choice(position.legal_cells())
            position = position.play(cell)
            _library().uct_play(handle, cell)
            check_position(position, handle)
            with _handle(position) as set_up:
                check_position(position, set_up)
            count += 1
    return count


def _with_holes(game: Game, rng: random.Random) -> Position:
    """Return the start of a game, now and then with some cells missing."""
    start = game.start(rng.choice((1, 2)))
    if rng.random() < 0.8 or game.grid.cell_count < 5:
        return start
    board, mover, detail = str(start).split()
    holes = rng.randrange(game.grid.cell_count // 4)
    for place in rng.sample([place for place, what in enumerate(board) if what == "."], holes):
        board = f"{board[:place]}#{board[place + 1 :]}"
    return game.position(f"{board} {mover} {detail}")


def check_rules(games: int, rng: random.Random) -> None:
    """Play games of every rulebook on boards of all sizes, mostly small ones."""
    for name in BOOKS:
        rulebook, positions = RULEBOOKS[name], 0
        for number in range(games):
            largest = (5, 8, 8, 12)[number % 4] if number % 25 else MOST_SIDE
            grid = Grid(rng.randint(1, largest), rng.randint(1, largest))
            if number == 0:
                grid = Grid(MOST_SIDE, MOST_SIDE)
            if grid.cell_count >= rulebook.least_cells:
                positions += check_game(Game(rulebook, grid), rng)
        print(f"  {name:<12}{games:>6,} games, {positions:>8,} positions: alike", flush=True)


def check_choices(count: int, playouts: int, rng: random.Random) -> None:
    """Print how often it finds a win, in positions of small boards in which not every cell wins."""
    for name in BOOKS:
        rulebook = RULEBOOKS[name]
        game = Game(rulebook, rulebook.size)
        engine = Engine(game, Settings(seconds=5))
        good = number = 0
        while number < count:
            position = game.start()
            for _ in range(rng.randint(1, 6)):
                if position.winner is None:
                    position = position.play(rng.choice(position.legal_cells()))
            winning = engine.solve(position).winning
            if winning and len(winning) < len(position.legal_cells()):
                number += 1
                good += choose(position, seed=number, playouts=playouts) in winning
        print(f"  {name:<12}{game.grid}: {good} of {count} wins found", flush=True)


def measure_speed(seconds: float) -> None:
    """Print the playouts a second of the processor from the start, the tree included."""
    sizes = [Grid(side, side) for side in (5, 6, 7, 8, 9, 10, 11, 13, 15, 19)]
    print(f"{'':<12}" + "".join(f"{size!s:>11}" for size in sizes))
    for name in BOOKS:
        row = ""
        for size in sizes:
            began = time.process_time()
            found = search(Game(RULEBOOKS[name], size).start(), Limits(seconds=seconds))
            rate = found.playouts / (time.process_time() - began)
            row += f"{rate:>10,.0f}{'*' if found.is_out_of_memory else ' '}"
        print(f"{name:<12}{row}", flush=True)
    print("* the tree has stopped growing: its memory is used up")


def main() -> None:
    """Check, or measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="check the rules")
    parser.add_argument("--games", type=int, default=2000, help="to check, of each rulebook")
    parser.add_argument("--speed", action="store_true", help="print playouts a second")
    parser.add_argument("--seconds", type=float, default=1, help="to measure, for each board")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.check:
        rng = random.Random(arguments.seed)
        print("rules: legal cells, mover and winner, and random play to the end")
        check_rules(arguments.games, rng)
        print("choices: 20,000 playouts, where some cells win and others lose")
        check_choices(50, 20_000, rng)
    if arguments.speed:
        measure_speed(arguments.seconds)


if __name__ == "__main__":
    main()
