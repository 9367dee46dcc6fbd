"""An agent learns duel by playing against itself, and is measured against the exact truth.

It keeps a table with one number for each set of open cells: how well whoever moves there does, from
-1 to 1.  Positions that are turned or flipped share a number.  It knows nothing else but the rules:

    python examples/self_play.py                        # prints its regret as it learns
    python examples/self_play.py --plot regret.svg      # and draws it

Regret is the part of won positions that a player gives away.  It is exact: the solver knows which.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gridlock import players
from gridlock.bridges.batch import Batch, random_states
from gridlock.bridges.values import regret
from gridlock.search.solver import Solver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

GAMES = 64  # played side by side
LEARNING_RATE = 0.2
EXPLORATION = 0.3  # how often a cell is chosen at random while learning
POSITIONS = 1000  # on which a player is measured
MEASURED_EVERY = 25  # rounds
LEVELS = (1, 3, 5, 6)

Point = tuple[int, float]
"""After how many games, and the regret then."""


class Table:
    """What the agent has learnt: how well the mover does, for each set of open cells."""

    def __init__(self, cells: int) -> None:
        self.worth = np.zeros(1 << cells, np.float32)  # memory is taken only where it is written

    def keys(self, batch: Batch) -> NDArray[np.int64]:
        """Return where each game stands in the table: the smallest of its eight images."""
        board = batch.observe()[:, batch.planes.index("own_open")].astype(np.int64)
        powers = 1 << np.arange(board[0].size)
        images = [
            np.rot90(flipped, turns, axes=(1, 2)).reshape(len(batch), -1) @ powers
            for flipped in (board, board[:, :, ::-1])
            for turns in range(4 if board.shape[1] == board.shape[2] else 1)
        ]
        smallest: NDArray[np.int64] = np.minimum.reduce(images)
        return smallest

    def look_ahead(self, batch: Batch) -> NDArray[np.float64]:
        """Return what each legal action seems worth to the mover; -2 for the illegal ones."""
        after, parents, cells = batch.children()
        worth = np.where(after.over, -1.0, self.worth[self.keys(after)])
        actions = np.full(batch.legal.shape, -2.0)
        actions[parents, cells] = -worth  # what is good for the other player is bad for the mover
        return actions

    def choose(self, batch: Batch) -> NDArray[np.int64]:
        """Return the action that seems best in each game: the policy that is measured."""
        best: NDArray[np.int64] = self.look_ahead(batch).argmax(axis=1)
        return best


def learn(size: str, rounds: int, seed: int = 0) -> Iterator[Point]:
    """Play against itself; yield the regret now and then."""
    batch = Batch("duel", GAMES, size=size, first="random", seed=seed)
    table = Table(batch.game.grid.cell_count)
    solver, test = Solver(batch.game), random_states("duel", POSITIONS, size=size, seed=seed + 1)
    rng = np.random.default_rng(seed)
    games = 0
    for number in range(rounds + 1):
        if number % MEASURED_EVERY == 0:
            yield games, regret(table.choose, test, solver).rate
        keys, actions = table.keys(batch), table.look_ahead(batch)
        best = actions.max(axis=1)
        table.worth[keys] += LEARNING_RATE * (best - table.worth[keys])
        explored = rng.random(GAMES) < EXPLORATION
        winners = batch.step(np.where(explored, batch.sample(), actions.argmax(axis=1)))
        games += int((winners != 0).sum())


def measure(who: str, size: str, seed: int = 0) -> float:
    """Return the regret of a player of the registry on the same positions."""
    test = random_states("duel", POSITIONS, size=size, seed=seed + 1)
    bot = players.make(who, players.Seat(random.Random(seed)))
    found = regret(lambda games: [bot.choose(games.position(n)) for n in range(len(games))], test)
    bot.close()
    return found.rate


def draw(points: list[Point], levels: dict[str, float]) -> str:
    """Return the regret over training as a picture (SVG), with lines for the levels."""
    width, height, margin, most = 640, 360, 48, 0.5
    last = max(games for games, _ in points) or 1

    def x(games: float) -> float:
        return margin + (width - 3 * margin) * games / last

    def y(rate: float) -> float:
        return height - margin - (height - 2 * margin) * min(rate, most) / most

    curve = " ".join(f"{x(games):.1f},{y(rate):.1f}" for games, rate in points)
    marks = [
        f'<line x1="{x(0):.1f}" x2="{x(last):.1f}" y1="{y(rate):.1f}" y2="{y(rate):.1f}" '
        f'stroke="#999" stroke-dasharray="4 4"/>'
        f'<text x="{x(last) + 6:.1f}" y="{y(rate) + 4:.1f}">{name}</text>'
        for name, rate in levels.items()
    ]
    scale = [
        f'<text x="{margin - 8}" y="{y(rate) + 4:.1f}" text-anchor="end">{rate:.0%}</text>'
        for rate in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            'font-family="sans-serif" font-size="12" fill="#333">',
            f'<rect width="{width}" height="{height}" fill="#fff"/>',
            f'<text x="{margin}" y="24">Won positions given away, by games of self-play</text>',
            *scale,
            *marks,
            f'<path d="M{margin} {y(most)} V{y(0)} H{x(last)}" fill="none" stroke="#333"/>',
            f'<polyline points="{curve}" fill="none" stroke="#2468b2" stroke-width="2"/>',
            f'<text x="{x(last):.1f}" y="{y(0) + 20:.1f}" text-anchor="end">{last:,} games</text>',
            "</svg>\n",
        ]
    )


def main(arguments: list[str] | None = None) -> None:
    """Learn, print the regret as it falls, and draw it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", default="5x5", help="the board, of 25 cells at most")
    parser.add_argument("--rounds", type=int, default=2000, help="steps of all games")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", type=Path, help="a picture to draw, such as regret.svg")
    options = parser.parse_args(arguments)
    levels = {
        f"level {level}": measure(f"computer:{level}", options.size, options.seed)
        for level in LEVELS
    }
    for name, rate in levels.items():
        print(f"{name:>13}: {rate:6.1%} of won positions given away")
    points = []
    for games, rate in learn(options.size, options.rounds, options.seed):
        points.append((games, rate))
        print(f"{games:>7,} games: {rate:6.1%}", flush=True)
    if options.plot:
        options.plot.write_text(draw(points, levels), "utf-8")


if __name__ == "__main__":
    main()
