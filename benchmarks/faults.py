"""What the computer must never do, counted over many random positions and games.

    python -m benchmarks.faults given-away    level 8 gives a won position away that can be solved
    python -m benchmarks.faults lost-wins     level 8 loses a game that it has proved to be won
    python -m benchmarks.faults blunders      a level above 1 misses a win of its next turn, or
                                              lets the other player win with theirs without need

Values come from a solver of their own, wins and losses that are near from the rules alone.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

import gridlock
from benchmarks.goals import Goals
from benchmarks.strength import can_win_at_once, random_turns
from gridlock import Engine, Game, LimitError, Position, Settings, Solver

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SOLVED = tuple(f"{name}-{size}" for size in ("7x7", "8x8") for name in gridlock.RULEBOOKS)
SMALL = tuple(f"{name}-{size}" for name in gridlock.RULEBOOKS for size in ("4x4", "4x5", "5x5"))
ANY = tuple(
    f"{name}-{size}"
    for name in gridlock.RULEBOOKS
    for size in ("3x3", "4x4", "5x5", "3x8", "8x8", "9x9", "11x11", "19x19")
)
PROOF_SECONDS = 2.0
"""What takes longer to solve does not count as solved."""

EASY_CELLS = 36
"""A board of so many cells can be solved whole."""

ATTEMPTS = 20
"""How many random positions are looked at for one that counts."""


def read_game(board: str) -> Game:
    """Return the game of a board, by its name: ``duel-7x7``."""
    name, _, size = board.partition("-")
    return gridlock.game(name, size)


def random_position(game: Game, rng: random.Random) -> Position | None:
    """Return a position after some random turns, None where the game is over by then.

    On a board that cannot be solved whole these are many.
    """
    most = longest(game)
    least = most // 2 if game.grid.cell_count > EASY_CELLS else 0
    position = game.start().replay(random_turns(game, rng.randint(least, most), rng))[-1]
    return position if position.winner is None else None


@lru_cache
def longest(game: Game) -> int:
    """Return how many turns random games of a board have, at least about."""
    rng = random.Random(1)
    lengths = [len(random_turns(game, game.grid.cell_count, rng)) for _ in range(5)]
    return min(lengths) // game.rulebook.actions_per_turn


# ---------------------------------------------------------------------- won positions given away


def won_position(game: Game, rng: random.Random, solver: Solver) -> Position | None:
    """Return a random position that its mover wins, as the solver can tell soon."""
    for _ in range(ATTEMPTS):
        position = random_position(game, rng)
        if position is None:
            continue
        try:
            with solver.within(PROOF_SECONDS):
                if solver.wins(position):
                    return position
        except LimitError:
            continue
    return None


def count_given_away(board: str, count: int, seed: int) -> Counter[str]:
    """Let level 8 choose in won positions, and count those that are lost afterwards."""
    game, rng, found = read_game(board), random.Random(f"{seed} {board}"), Counter[str]()
    judge = Solver(game)
    for _ in range(count):
        position = won_position(game, rng, judge)
        if position is None:
            continue
        engine = Engine(game, Settings(threads=1))
        began = time.monotonic()
        cell = engine.choose(position, rng=random.Random(rng.getrandbits(31)))
        found["slow"] += time.monotonic() - began > 1
        found["positions"] += 1
        if not judge.wins_by(position, cell):
            found["given away"] += 1
            print(f"  given away: {board} {position} by {game.name(cell)}", flush=True)
    return found


# ---------------------------------------------------------------------- proved wins that are lost


def choose_at_random(position: Position, rng: random.Random, _: Solver) -> int:
    """Return any legal cell."""
    return rng.choice(position.legal_cells())


def choose_greedily(position: Position, rng: random.Random, _: Solver) -> int:
    """Return a legal cell that leaves the other player fewest legal cells."""
    cells = list(position.legal_cells())
    rng.shuffle(cells)
    return min(cells, key=lambda cell: position.play(cell).legal.bit_count())


def choose_longest(position: Position, rng: random.Random, solver: Solver) -> int:
    """Return a legal cell that wins, or else one that resists longest."""
    cells = list(position.legal_cells())
    rng.shuffle(cells)

    def worth(cell: int) -> tuple[bool, int]:
        return solver.wins_by(position, cell), solver.distance(position.play(cell))

    return max(cells, key=worth)


OPPONENTS = {
    "random": choose_at_random,
    "greedy": choose_greedily,
    "searching": choose_longest,
}


def count_lost_wins(board: str, count: int, seed: int) -> Counter[str]:
    """Let level 8 play on in positions that it has proved to win, and count what it loses."""
    game, rng, found = read_game(board), random.Random(f"{seed} {board}"), Counter[str]()
    solver = Solver(game)
    engine = Engine(game, Settings(threads=1))
    names = list(OPPONENTS)
    for number in range(count):
        position = won_position(game, rng, solver)
        if position is None:
            continue
        ours, opponent = position.mover, OPPONENTS[names[number % len(names)]]
        moves = []
        while position.winner is None:
            if position.mover is ours:
                cell = engine.choose(position, rng=random.Random(rng.getrandbits(31)))
            else:
                cell = opponent(position, rng, solver)
            moves.append(game.name(cell))
            position = position.play(cell)
        found["games"] += 1
        if position.winner is not ours:
            found["lost"] += 1
            print(f"  lost: {board} against {names[number % len(names)]}: {moves}", flush=True)
    return found


# ---------------------------------------------------------------------- near wins and losses


def is_safe(position: Position, cell: int) -> bool:
    """Tell whether after choosing a cell the other player cannot win with their next turn."""
    after = position.play(cell)
    if after.winner is not None:
        return after.winner is position.mover
    if after.mover is position.mover:
        return any(is_safe(after, follower) for follower in after.legal_cells())
    return not can_win_at_once(after)


def wins_now(position: Position, cell: int) -> bool:
    """Tell whether choosing a cell wins with this turn, or can."""
    after = position.play(cell)
    if after.winner is not None:
        return after.winner is position.mover
    return after.mover is position.mover and can_win_at_once(after)


def late_position(game: Game, rng: random.Random) -> Position:
    """Return a position a few turns before the end of a random game."""
    moves = random_turns(game, 2 * game.grid.cell_count, rng)
    left = 1 + rng.randrange(6 * game.rulebook.actions_per_turn)
    return game.start().replay(moves[: max(0, len(moves) - left)])[-1]


def count_blunders(board: str, count: int, seed: int) -> Counter[str]:
    """Let every level above 1 choose near the end of games, and count what it overlooks."""
    game, rng, found = read_game(board), random.Random(f"{seed} {board}"), Counter[str]()
    engine = Engine(game, Settings(seconds=0.3, threads=1))
    for number in range(count):
        position = late_position(game, rng)
        level = 2 + number % 7
        cell = engine.choose(position, level, rng=random.Random(rng.getrandbits(31)))
        cells = position.legal_cells()
        found["positions"] += 1
        if any(wins_now(position, other) for other in cells):
            is_blunder = not wins_now(position, cell)
            found["wins of one turn"] += 1
        else:
            is_blunder = not is_safe(position, cell) and any(
                is_safe(position, other) for other in cells
            )
            found["with a threat"] += not all(is_safe(position, other) for other in cells)
        if is_blunder:
            found["blunders"] += 1
            print(f"  level {level}: {board} {position} by {game.name(cell)}", flush=True)
    return found


FAULTS: dict[str, tuple[Callable[[str, int, int], Counter[str]], Sequence[str], str]] = {
    "given-away": (count_given_away, SOLVED, "given away"),
    "lost-wins": (count_lost_wins, SMALL, "lost"),
    "blunders": (count_blunders, ANY, "blunders"),
}


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("fault", choices=FAULTS)
    parser.add_argument("--count", type=int, default=200, help="positions, or games, on each board")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=[], help="boards such as race-7x7")
    arguments = parser.parse_args()
    count, boards, fault = FAULTS[arguments.fault]
    total: Counter[str] = Counter()
    for board in arguments.only or boards:
        began = time.monotonic()
        found = count(board, arguments.count, arguments.seed)
        total += found
        seconds = time.monotonic() - began
        what = ", ".join(f"{number} {name}" for name, number in found.items() if number)
        print(f"{board}: {what}; {seconds:.0f} s", flush=True)
    print("all:", ", ".join(f"{number:,} {name}" for name, number in total.items()))
    goals = Goals()
    goals.check(f"none {fault}", f"{total[fault]:,}", is_met=total[fault] == 0)
    goals.conclude()
    sys.exit(total[fault] > 0)


if __name__ == "__main__":
    main()
