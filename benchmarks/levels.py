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
from typing import TYPE_CHECKING

from gridlock import RULEBOOKS, Engine, Game, Player, Position, Record, Value
from gridlock.match import Match, play_match
from gridlock.players import LEVELS, Bot, Seat, make

if TYPE_CHECKING:
    from gridlock.clock import Clock


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--openings", type=int, default=50, help="openings for each pair")
    parser.add_argument("--all", action="store_true", help="every pair, not neighbours only")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("games", nargs="*", help="rulebooks, all if none is named")
    arguments = parser.parse_args()
    names = arguments.games or list(RULEBOOKS)
    pairs = [
        (low, high) for low, high in combinations(LEVELS, 2) if arguments.all or high == low + 1
    ]
    rng = random.Random(arguments.seed)
    print(f"{2 * arguments.openings} games a pair; the score of the higher level")
    print("pair   " + "".join(f"{name:>12}" for name in names) + f"{'together':>12}")
    engines = {name: Engine(Game(RULEBOOKS[name], RULEBOOKS[name].size)) for name in names}
    bots = {
        (name, level): Timed(make(f"computer:{level}", Seat(rng, engines[name])))
        for name in names
        for level in LEVELS
    }
    for low, high in pairs:
        scores = []
        for name in names:
            wins = 0
            for _ in range(arguments.openings):
                opening = random_opening(engines[name], rng)
                for seats in ((low, high), (high, low)):
                    match = Match(opening, lambda _: None)
                    players = bots[name, seats[0]], bots[name, seats[1]]
                    wins += seats[play_match(match, players) - 1] == high
            scores.append(wins / (2 * arguments.openings))
        together = sum(scores) / len(scores)
        row = "".join(f"{score:>12.0%}" for score in [*scores, together])
        print(f"{high} : {low}  {row}", flush=True)
    print(f"slowest answer: {max(bot.longest for bot in bots.values()):.2f} s")


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


def random_opening(engine: Engine, rng: random.Random) -> Record:
    """Return a game of random play up to the first position with something at stake."""
    while True:
        position, moves = engine.game.start(), list[int]()
        while position.winner is None:
            if len(moves) >= engine.game.rulebook.actions_per_turn and is_at_stake(
                engine, position
            ):
                return Record(engine.game, Player.ONE, tuple(moves))
            moves.append(rng.choice(position.legal_cells()))
            position = position.play(moves[-1])


def is_at_stake(engine: Engine, position: Position) -> bool:
    """Tell whether the mover wins by some cells and loses by others, but does not win at once."""
    actions = engine.analyse(position).actions
    outcomes = {action.value for action in actions}
    can_win_at_once = any(action.distance == 1 for action in actions if action.value is Value.WIN)
    return len(outcomes) == 2 and not can_win_at_once


if __name__ == "__main__":
    main()
