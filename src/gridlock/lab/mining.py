"""Finds puzzles: positions of games between levels and of random ones, on several boards.

    python -m gridlock.lab.mining FOLDER            looks for more, until it is interrupted
    python -m gridlock.lab.mining FOLDER --choose   writes the program's files from what it has

What is found is kept in the folder, a file a game and size, and is gone on with the next time.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import statistics
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from gridlock.errors import LimitError
from gridlock.files import write_atomically
from gridlock.grid import cells_of, mask_of
from gridlock.lab import difficulty
from gridlock.lab.themes import open_cells, themes_of
from gridlock.model import Game
from gridlock.notation import read_size
from gridlock.puzzles.collection import read_puzzle, write_puzzle
from gridlock.puzzles.puzzle import Puzzle, choices, find_line
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.search import levels
from gridlock.search.settings import Settings
from gridlock.search.solver import Solver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gridlock.model import Position

SIZES = {
    "occupation": ("5x5", "6x6", "7x7"),
    "duel": ("5x6", "6x6", "7x7"),
    "claim": ("5x5", "6x6", "7x7"),
    "race": ("4x4", "5x5", "6x6"),
    "trail": ("5x5", "6x6", "7x7"),
}
"""The boards on which to look."""

_ENOUGH = 80  # puzzles of a game and size, of which the best spread is chosen
_CHOSEN = 120  # of a game
_LEVELS = (None, 1, 3, 5)  # who plays the games; None is random play
_LEAST_CHOICES = 2  # with one choice it would be a question, not a puzzle
_SECONDS = 0.2  # for a position: one that takes longer is left
_MOST_OPEN = 28  # cells: with more of them nobody can see to the end
_BUCKET = 100  # points of rating, over which puzzles are spread
_TURN = 10.0  # seconds for a game and size, before it is the next one's turn


@dataclass(frozen=True, slots=True)
class Find:
    """A puzzle that was found, and how often each solver of ``difficulty`` has solved it."""

    puzzle: Puzzle
    solved: dict[str, int]

    def __str__(self) -> str:
        return json.dumps({**json.loads(write_puzzle(self.puzzle)), "solved": self.solved})


def read_find(line: str) -> Find:
    """Return what a line of a file in the folder says."""
    return Find(read_puzzle(line), json.loads(line)["solved"])


class Mine:
    """A game in which puzzles are looked for, and the file of those that were found."""

    def __init__(self, game: Game, folder: Path) -> None:
        self.game = game
        self._path = folder / f"{game.rulebook.id}-{game.grid}.jsonl"
        lines = self._path.read_text("utf-8").splitlines() if self._path.exists() else []
        self.finds = [read_find(line) for line in lines]
        self._seen = {_shape(find.puzzle.position) for find in self.finds}
        self._solver = Solver(game, Settings(threads=1))

    def dig(self, rng: random.Random) -> int:
        """Play games for a while, keep the puzzles in them, and return how many there are."""
        end = time.monotonic() + _TURN
        is_time_left = True
        try:
            while is_time_left:
                for position in _positions(self._solver, self.game, rng):
                    self._try(position)
                is_time_left = time.monotonic() < end
        finally:  # also what was found until Ctrl-C
            write_atomically(self._path, "".join(f"{find}\n" for find in self.finds))
        return len(self.finds)

    def _try(self, position: Position) -> None:
        if (shape := _shape(position)) not in self._seen:
            self._seen.add(shape)
            if find := self._look_at(position):
                self.finds.append(find)

    def _look_at(self, position: Position) -> Find | None:
        is_forced = position.legal.bit_count() == 1
        if is_forced or open_cells(position).bit_count() > _MOST_OPEN:
            return None
        with contextlib.suppress(LimitError), self._solver.within(_SECONDS):
            if line := find_line(self._solver, position):
                puzzle = Puzzle(f"{self.game.rulebook.id}-0", position, line, 0)
                if choices(puzzle) >= _LEAST_CHOICES:
                    puzzle = replace(puzzle, themes=themes_of(self._solver, puzzle))
                    return Find(puzzle, difficulty.measure(self._solver, puzzle))
        return None


def _positions(solver: Solver, game: Game, rng: random.Random) -> Iterator[Position]:
    """Yield the positions of a game."""
    position = game.start()
    level = rng.choice(_LEVELS)
    while position.winner is None:
        yield position
        if level is None or rng.random() < 0.5:
            cell = rng.choice(position.legal_cells())
        else:
            cell = levels.choose(solver, position, level, rng)
        position = position.play(cell)


def _shape(position: Position) -> tuple[object, ...]:
    """Return what is the same of positions that are turned or flipped, or change the players."""
    mover = position.mover
    masks = position.marks(mover), position.marks(mover.opponent), position.blocked
    symmetries = position.game.grid.symmetries()
    images = (
        tuple(mask_of(symmetry[cell] for cell in cells_of(mask)) for mask in masks)
        for symmetry in symmetries
    )
    return min(images), position.phase


def choose(finds: list[Find]) -> dict[str, list[Puzzle]]:
    """Return the puzzles for the program: of each game those that are best spread, rated."""
    ratings = difficulty.rate([find.solved for find in finds])
    buckets: dict[str, dict[tuple[int, int], list[Puzzle]]] = defaultdict(lambda: defaultdict(list))
    for find, rating in zip(finds, ratings, strict=True):
        puzzle = replace(find.puzzle, rating=rating)
        cells = puzzle.position.game.grid.cell_count
        game_id = puzzle.position.game.rulebook.id
        buckets[game_id][cells, rating // _BUCKET].append(puzzle)
    return {game_id: _spread(list(of_game.values())) for game_id, of_game in buckets.items()}


def _spread(buckets: list[list[Puzzle]]) -> list[Puzzle]:
    """Return some puzzles of each bucket, the longest lines first, as ids have it: by rating."""
    for bucket in buckets:
        bucket.sort(key=lambda puzzle: (len(puzzle.themes) == 0, -len(puzzle.line)))
    chosen: list[Puzzle] = []
    while len(chosen) < _CHOSEN and any(buckets):
        chosen += [bucket.pop(0) for bucket in buckets if bucket]
    chosen.sort(key=lambda puzzle: puzzle.rating)
    game_id = chosen[0].position.game.rulebook.id
    return [replace(puzzle, id=f"{game_id}-{n}") for n, puzzle in enumerate(chosen, 1)]


def main() -> None:
    """Look for puzzles, or write the files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--choose", action="store_true", help="write the program's files")
    parser.add_argument("--games", nargs="*", default=list(SIZES), help="such as duel")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    mines = [
        Mine(Game(RULEBOOKS[name], read_size(size)), options.folder)
        for name in options.games
        for size in SIZES[name]
    ]
    if options.choose:
        _write([find for mine in mines for find in mine.finds])
        return
    rng = random.Random(os.urandom(8))
    with contextlib.suppress(KeyboardInterrupt):
        while left := [mine for mine in mines if len(mine.finds) < _ENOUGH]:
            for mine in left:
                found = mine.dig(rng)
                print(f"{mine.game.rulebook.id} {mine.game.grid}: {found}", file=sys.stderr)


def _write(finds: list[Find]) -> None:
    """Write the files of the program, and print what is in them."""
    folder = Path(str(files("gridlock.puzzles") / "data"))
    for game_id, puzzles in choose(finds).items():
        write_atomically(
            folder / f"{game_id}.jsonl", "".join(f"{write_puzzle(p)}\n" for p in puzzles)
        )
        low, high = puzzles[0].rating, puzzles[-1].rating
        print(f"{game_id}: {len(puzzles)} puzzles, rated {low} to {high}")
    results = [find.solved for find in finds]
    by_levels, by_searches = (
        difficulty.rate(results, [name for name in difficulty.SOLVERS if word in name])
        for word in ("level", "nodes")
    )
    correlation = statistics.correlation(by_levels, by_searches)
    print(
        f"{len(finds)} found; ratings by levels alone and by searches alone: r = {correlation:.2f}"
    )


if __name__ == "__main__":
    main()
