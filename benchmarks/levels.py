"""How the levels of the computer do against each other, and the lowest against random play.

    python -m benchmarks.levels                                  all neighbours, on every board
    python -m benchmarks.levels --only race trail-4x4            on these boards
    python -m benchmarks.levels --pairs 1:0 8:7 --games 200      these pairs; 0 is random play

Openings are random, of 1 or 2 turns, and none is won or lost at once.  On small boards they go on
until something is at stake: until the mover can win, but by no more than half of the cells.  From
an opening that decides everything levels would not differ at all.  Each is played twice with seats
changed, so that who has it better cancels out.  Every level thinks as long as it does in a game
without a clock.

The goals: each level scores 60 to 75 % against the one below it, and level 1 at least 55 % against
random play.  A goal is met or missed by the score itself; beside it stands the interval that holds
the true score with 95 % confidence, as few games cannot tell 58 % from 62 %.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.goals import Goals
from benchmarks.strength import (
    ATTEMPTS,
    Board,
    Crew,
    is_open,
    random_turns,
    read_board,
    wilson,
)
from gridlock import RULEBOOKS, Engine, Player, Record, Settings, Solver
from gridlock.match import Match, play_match
from gridlock.players import LEVELS, RANDOM, Bot, Seat, make

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock import Position
    from gridlock.clock import Clock

BOARDS = (
    Board("occupation", 5),
    Board("occupation", 8),
    Board("occupation", 10),
    Board("duel", 5),
    Board("duel", 9),
    Board("claim", 5),
    Board("claim", 8),
    Board("claim", 10),
    Board("trail", 4),
    Board("trail", 8),
    Board("race", 4),
    Board("race", 7),
    Board("race", 9),
)

RANDOM_PLAY = 0
"""Where a level is asked for: none."""

MOST_TURNS = 2
"""Turns of an opening, unless nothing is at stake by then."""

EASY_CELLS = 25
"""Cells of a board on which the value of every position is known at once."""

LEAST, MOST = 0.60, 0.75
"""What a level is to score against the one below it."""

LEAST_AGAINST_RANDOM = 0.55
"""What the lowest level is to score against random play."""

Pair = tuple[int, int]
"""A level, and a lower one."""


@dataclass(frozen=True, slots=True)
class Task:
    """A game to be played; ``seat`` is that of the higher level."""

    board: Board
    pair: Pair
    number: int
    opening: Record
    seat: Player
    seed: int

    def rng(self, level: int) -> random.Random:
        """Return chance for a level that depends on nothing but which game it is."""
        return random.Random(
            f"{self.seed} {self.board.name} {self.pair} {self.number} {self.seat} {level}"
        )


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played, and the longest that an answer of a level took in it."""

    board: Board
    pair: Pair
    is_won: bool
    seconds: dict[int, float]


class Timed(Bot):
    """A bot, and the longest that an answer of it took."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.longest = 0.0

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        """Return what the bot chooses."""
        began = time.perf_counter()
        cell = self._bot.choose(position, clock)
        self.longest = max(self.longest, time.perf_counter() - began)
        return cell


def make_bot(level: int, task: Task) -> Timed:
    """Return a level with an engine of its own, which remembers one game; or random play."""
    if level == RANDOM_PLAY:
        return Timed(make(RANDOM, Seat(task.rng(level))))
    engine = Engine(task.opening.game, Settings(threads=1))
    return Timed(make(f"computer:{level}", Seat(task.rng(level), engine)))


def play(task: Task) -> Played:
    """Play a game."""
    high, low = (make_bot(level, task) for level in task.pair)
    match = Match(task.opening, lambda _: None)
    winner = play_match(match, (high, low) if task.seat is Player.ONE else (low, high))
    seconds = dict(zip(task.pair, (high.longest, low.longest), strict=True))
    return Played(task.board, task.pair, winner is task.seat, seconds)


def find_openings(board: Board, count: int, seed: int) -> list[Record]:
    """Return distinct openings, as many as are wanted or can be found."""
    rng = random.Random(f"{seed} {board.name}")
    solver = Solver(board.game)
    openings: dict[Position, Record] = {}
    for attempt in range(ATTEMPTS):
        if len(openings) == count:
            break
        moves = list(random_turns(board.game, 1 + attempt % MOST_TURNS, rng))
        position = Record(board.game, Player.ONE, tuple(moves)).positions()[-1]
        while position.winner is None and not is_fair(solver, position):
            moves.append(rng.choice(position.legal_cells()))
            position = position.play(moves[-1])
        if position.winner is None:
            openings.setdefault(position, Record(board.game, Player.ONE, tuple(moves)))
    return list(openings.values())


def is_fair(solver: Solver, position: Position) -> bool:
    """Tell whether a turn begins, nothing is decided at once, and something is at stake."""
    return not position.actions_made and is_open(position) and is_at_stake(solver, position)


def is_at_stake(solver: Solver, position: Position) -> bool:
    """Tell whether the mover can win, but by no more than half of the cells; or nobody knows."""
    if position.game.grid.cell_count > EASY_CELLS:
        return True
    wins = [solver.wins_by(position, cell) for cell in position.legal_cells()]
    return 0 < sum(wins) <= len(wins) / 2


def tasks_of(board: Board, pair: Pair, games: int, seed: int) -> list[Task]:
    """Return the games of a pair on a board: every opening from both sides."""
    openings = find_openings(board, -(-games // 2), seed)
    return [
        Task(board, pair, number, opening, seat, seed)
        for number, opening in enumerate(openings)
        for seat in Player
    ]


def check(games: Sequence[Played], goals: Goals) -> str:
    """Check what a pair scored on a board, and return it for the table."""
    board, (high, low) = games[0].board, games[0].pair
    wins = sum(game.is_won for game in games)
    share = wins / len(games)
    least, most = wilson(wins, len(games))
    reached = f"{wins} of {len(games)}, {share:.0%} (95 %: {least:.0%} to {most:.0%})"
    if low == RANDOM_PLAY:
        goal = f"{board.name}: level {high} scores {LEAST_AGAINST_RANDOM:.0%} against random play"
        goals.check(goal, reached, is_met=share >= LEAST_AGAINST_RANDOM)
    elif high == low + 1:
        goal = f"{board.name}: level {high} scores {LEAST:.0%} to {MOST:.0%} against {low}"
        goals.check(goal, reached, is_met=LEAST <= share <= MOST)
    else:
        print(f"          {board.name}: level {high} against {low}: {reached}")
    return f"{share:.0%}"


def print_table(shares: dict[tuple[Board, Pair], str], pairs: Sequence[Pair]) -> None:
    """Print what every pair scored on every board, as the documentation has it."""
    names = [f"{high}:{low}" if low else f"{high}:{RANDOM}" for high, low in pairs]
    print("| board | " + " | ".join(names) + " |")
    print("|---" * (1 + len(pairs)) + "|")
    for board in dict.fromkeys(board for board, _ in shares):
        row = [shares.get((board, pair), "") for pair in pairs]
        print(f"| {board.rulebook} {board.side}x{board.side} | " + " | ".join(row) + " |")


def chosen_boards(only: Sequence[str]) -> list[Board]:
    """Return the boards that were asked for: all, those of some rulebooks, or any others."""
    if not only:
        return list(BOARDS)
    chosen = [board for board in BOARDS if board.rulebook in only]
    return chosen + [read_board(name) for name in only if name not in RULEBOOKS]


def read_pair(text: str) -> Pair:
    """Return two levels, the higher one first: ``8:7``."""
    high, _, low = text.partition(":")
    return int(high), int(low)


def measure(arguments: argparse.Namespace, goals: Goals) -> None:
    """Let every pair play on every board, and report."""
    pairs = [read_pair(text) for text in arguments.pairs] or [
        (level, level - 1) for level in LEVELS
    ]
    crew = Crew(arguments.processes)
    shares: dict[tuple[Board, Pair], str] = {}
    longest: defaultdict[int, float] = defaultdict(float)
    for board in chosen_boards(arguments.only):
        tasks = [
            task
            for pair in pairs
            for task in tasks_of(board, pair, arguments.games, arguments.seed)
        ]
        played: defaultdict[Pair, list[Played]] = defaultdict(list)
        for done, game in enumerate(crew.do(play, tasks), start=1):
            played[game.pair].append(game)
            for level, seconds in game.seconds.items():
                longest[level] = max(longest[level], seconds)
            print(f"{board.name}: {done} of {len(tasks)}", end="\r", file=sys.stderr, flush=True)
        for pair in pairs:
            shares[board, pair] = check(played[pair], goals)
    print_table(shares, pairs)
    slowest = ", ".join(f"{level}: {longest[level]:.2f} s" for level in sorted(longest) if level)
    print(f"the longest answer of a level: {slowest}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", default=[], help="boards or rulebooks")
    parser.add_argument("--pairs", nargs="+", default=[], help="levels such as 8:7; 0 is random")
    parser.add_argument("--games", type=int, default=40, help="of each pair on each board")
    parser.add_argument("--processes", type=int, default=1, help="games at a time")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    goals = Goals()
    measure(arguments, goals)
    goals.conclude()


if __name__ == "__main__":
    main()
