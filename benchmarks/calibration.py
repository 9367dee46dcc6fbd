"""Whether estimates are honest: of positions estimated at 70 to 80 %, how many are won.

The computer plays itself from random openings, by estimates alone, on boards that it cannot solve.
Every position's estimate is compared with who won the game in the end.  Both sides play alike, so
that nobody's strength decides.  For each tenth of the scale it is printed how many estimates fell
there, what they were on average, and what part of them was won, with a 95 % interval.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass, field

from benchmarks.strength import wilson
from gridlock import RULEBOOKS, Game, Grid, Player, Position
from gridlock.search.estimating import Estimation, best_of, calibrated
from gridlock.search.solver import Solver

BOARDS = (
    "occupation-8x8", "occupation-10x10", "duel-9x9", "duel-11x11", "claim-8x8", "claim-10x10",
    "trail-8x8", "race-7x7", "race-9x9", "race-11x11",
)  # fmt: skip


@dataclass
class Bin:
    """The estimates of a tenth of the scale."""

    chances: list[float] = field(default_factory=list)
    won: int = 0

    def __str__(self) -> str:
        count = len(self.chances)
        low, high = wilson(self.won, count)
        mean = sum(self.chances) / count
        return (
            f"{count:6} estimates, {mean:4.0%} on average, {self.won / count:4.0%} won"
            f" ({low:.0%} to {high:.0%})"
        )


def play(game: Game, nodes: int, rng: random.Random) -> list[tuple[float, bool]]:
    """Play a game; return each estimate of the mover's chances, and whether they won."""
    solver = Solver(game)
    position = opening(game, rng)
    seen: list[tuple[float, Player]] = []
    while position.winner is None:
        estimation = Estimation(solver, position, rng.getrandbits(31))
        estimation.think(nodes=nodes)
        best = best_of(estimation.estimates().values())
        if not best.proof:
            seen.append((calibrated(best.chance, solver.backend.certainty), position.mover))
        position = position.play(best.cell)
    return [(chance, mover is position.winner) for chance, mover in seen]


def opening(game: Game, rng: random.Random) -> Position:
    """Return a position after up to two random turns of each player."""
    while True:
        position = game.start()
        for _ in range(rng.randrange(5) * game.rulebook.actions_per_turn):
            if position.winner is None:
                position = position.play(rng.choice(position.legal_cells()))
        if position.winner is None:
            return position


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="on each board")
    parser.add_argument("--nodes", type=int, default=5000, help="of each estimate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("boards", nargs="*", default=BOARDS, help="such as race-7x7")
    options = parser.parse_args()
    for board in options.boards:
        name, _, size = board.partition("-")
        game = Game(RULEBOOKS[name], Grid(*map(int, size.split("x"))))
        rng = random.Random(options.seed)
        bins = [Bin() for _ in range(10)]
        for number in range(options.games):
            print(f"{board}: game {number + 1}", end="\r", file=sys.stderr)
            for chance, is_won in play(game, options.nodes, rng):
                bins[min(9, int(10 * chance))].chances.append(chance)
                bins[min(9, int(10 * chance))].won += is_won
        print(f"{board}, {options.games} games, {options.nodes} nodes an estimate")
        for tenth, found in enumerate(bins):
            if found.chances:
                print(f"  {10 * tenth:3} to {10 * tenth + 10:3} %: {found}", flush=True)


if __name__ == "__main__":
    main()
