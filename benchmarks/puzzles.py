"""Whether the ratings of the puzzles rise with how hard they are.

    python -m benchmarks.puzzles             all puzzles, three tries by each solver: some minutes
    python -m benchmarks.puzzles --sample 20 so many of each rulebook

The solvers are those that the ratings come from, with other random numbers.  Printed is Pearson's
correlation between the rating of a puzzle and how often its whole line was found: -1 would be
perfect.
"""

from __future__ import annotations

import argparse
import random
import statistics
from functools import lru_cache
from typing import TYPE_CHECKING

from gridlock import RULEBOOKS, Settings, Solver
from gridlock.lab.difficulty import SOLVERS, measure
from gridlock.puzzles.collection import puzzles_of

if TYPE_CHECKING:
    from gridlock.model import Game

_TRIES = 3


@lru_cache
def _solver(game: Game) -> Solver:
    return Solver(game, Settings(threads=1))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--sample", type=int, help="puzzles of each rulebook")
    sample = parser.parse_args().sample
    ratings: list[int] = []
    found: list[float] = []
    most = _TRIES * len(SOLVERS)
    for game_id in RULEBOOKS:
        puzzles = list(puzzles_of(game_id))
        if sample:
            puzzles = random.Random(game_id).sample(puzzles, min(sample, len(puzzles)))
        these = [puzzle.rating for puzzle in puzzles]
        solved = [
            sum(measure(_solver(one.position.game), one, _TRIES, seed="anew").values())
            for one in puzzles
        ]
        ratings += these
        found += solved
        r, share = statistics.correlation(these, solved), statistics.mean(solved) / most
        print(f"{game_id}: {len(puzzles)} puzzles, {share:.0%} found, r = {r:.2f}", flush=True)
    print(f"all: {len(ratings)} puzzles, r = {statistics.correlation(ratings, found):.2f}")


if __name__ == "__main__":
    main()
