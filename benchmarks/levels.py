"""How the levels of the computer do against each other on the rulebooks' boards.

Every pair of neighbouring levels (with --all every pair) plays from random openings, each twice
with seats changed, so that what an opening decides cancels out.  Openings are picked for having
something at stake: play is random for a turn, and then on until the mover can both win and lose,
but not win at once.  From all openings levels would differ less: on trail 4x4, where at first
nothing can be lost, not at all.  The goal: each level scores above 60 % against the one below it.
"""

from __future__ import annotations

import argparse
import random
import time
from itertools import combinations

from gridlock import RULEBOOKS, Game, Player, Position
from gridlock.search import HIGHEST_LEVEL, LOWEST_LEVEL
from gridlock.search.levels import choose
from gridlock.search.solver import Solver


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--openings", type=int, default=50, help="openings for each pair")
    parser.add_argument("--all", action="store_true", help="every pair, not neighbours only")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("games", nargs="*", help="rulebooks, all if none is named")
    arguments = parser.parse_args()
    names = arguments.games or list(RULEBOOKS)
    levels = range(LOWEST_LEVEL, HIGHEST_LEVEL + 1)
    pairs = [
        (low, high) for low, high in combinations(levels, 2) if arguments.all or high == low + 1
    ]
    dice = random.Random(arguments.seed)
    print(f"{2 * arguments.openings} games a pair; the score of the higher level")
    print("pair   " + "".join(f"{name:>12}" for name in names) + f"{'together':>12}")
    slowest = 0.0
    solvers = {name: Solver(Game(RULEBOOKS[name], RULEBOOKS[name].size)) for name in names}
    for low, high in pairs:
        scores = []
        for name in names:
            wins = 0
            for _ in range(arguments.openings):
                opening = random_opening(solvers[name], dice)
                for seats in ((low, high), (high, low)):
                    winner, longest = play(solvers[name], opening, seats, dice)
                    slowest = max(slowest, longest)
                    wins += seats[winner - 1] == high
            scores.append(wins / (2 * arguments.openings))
        together = sum(scores) / len(scores)
        row = "".join(f"{score:>12.0%}" for score in [*scores, together])
        print(f"{high} : {low}  {row}", flush=True)
    print(f"slowest answer: {slowest:.2f} s")


def random_opening(solver: Solver, dice: random.Random) -> Position:
    """Return a position after random play, the first after one turn with something at stake."""
    while True:
        position = solver.game.start()
        for _ in range(solver.game.rulebook.actions_per_turn):
            position = position.play(dice.choice(position.legal_cells()))
        while position.winner is None:
            if is_at_stake(solver, position):
                return position
            position = position.play(dice.choice(position.legal_cells()))


def is_at_stake(solver: Solver, position: Position) -> bool:
    """Tell whether the mover wins by some cells and loses by others, but does not win at once."""
    cells = position.legal_cells()
    outcomes = {solver.wins_by(position, cell) for cell in cells}
    return len(outcomes) == 2 and all(position.play(cell).winner is None for cell in cells)


def play(
    solver: Solver, position: Position, seats: tuple[int, int], dice: random.Random
) -> tuple[Player, float]:
    """Return who wins a game between two levels, and the longest that an answer took."""
    longest = 0.0
    while position.winner is None:
        began = time.perf_counter()
        position = position.play(choose(solver, position, seats[position.mover - 1], dice))
        longest = max(longest, time.perf_counter() - began)
    return position.winner, longest


if __name__ == "__main__":
    main()
