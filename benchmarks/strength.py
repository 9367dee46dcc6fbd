"""How strong a level is on boards that nobody can solve: matches with equal time for every move.

    python -m benchmarks.strength                             against UCT, on every board
    python -m benchmarks.strength --only race-7x7 claim       on this board, and those of claim
    python -m benchmarks.strength --opponent random           against random play
    python -m benchmarks.strength --opponent openspiel        against OpenSpiel's MCTS bot

UCT is ``benchmarks/peers/uct.py``: it knows the rules and nothing else, but plays a million games
a second at random.  Both sides may think as long for every action (in race a turn is two), on one
core, and one at a time.  Openings are random, of 0 to 4 turns; none is won or lost at once.  Each
is played twice with seats changed, so that what an opening decides cancels out.

Against random play every game begins at the start: random turns would decide some boards beforehand
(on trail 5x5 the first cell does, and then nearly every way to go on keeps the win).
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import gridlock
from benchmarks.goals import Goals
from benchmarks.peers.uct import EXPLORATION, Limits, UctPlayer
from gridlock import Engine, Game, LimitError, Player, Position, Record, Settings, Solver
from gridlock.clock import Clock
from gridlock.match import Match, play_match
from gridlock.players import Bot, RandomPlayer, Seat, make

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeVar

    _Task = TypeVar("_Task")
    _Done = TypeVar("_Done")


@dataclass(frozen=True, slots=True)
class Board:
    """A board, and the shares of games that are to be won on it.

    Where ``proved`` is set, every game is to be won in which our solver proves that our side of the
    opening wins.
    """

    rulebook: str
    side: int
    share: float | None = None
    share_as_one: float | None = None
    proved: bool = False

    @property
    def name(self) -> str:
        return f"{self.rulebook}-{self.side}x{self.side}"

    @property
    def game(self) -> Game:
        return gridlock.game(self.rulebook, f"{self.side}x{self.side}")


AGAINST_UCT = (
    Board("race", 7, 0.55, share_as_one=0.90),
    Board("race", 9, 0.75),
    Board("race", 11, 0.75),
    Board("occupation", 8, proved=True),
    Board("occupation", 10, 0.70),
    Board("claim", 8, 0.60),
    Board("claim", 10, 0.80),
    Board("duel", 9, 0.80),
    Board("duel", 11, 0.85),
)

SIDES = (5, 7, 9, 11, 13, 16, 19)
AGAINST_RANDOM = tuple(Board(rulebook, side) for rulebook in gridlock.RULEBOOKS for side in SIDES)
SHARE_AGAINST_RANDOM = 0.99
"""Of the games of a rulebook on boards of all sizes together: of one board they are too few."""

SHARE_AGAINST_OPENSPIEL = 0.95
"""Of the games on all boards together, likewise."""

MOST_TURNS = 4
"""Turns of the longest opening."""

PATIENCE = 30
"""How many times its seconds a level believes to have on the clock: it plans for as many turns."""

ATTEMPTS = 2000
"""How many random openings are tried before too few are said to be found."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How all games are played."""

    opponent: str
    level: int
    seconds: float
    exploration: float
    seed: int


@dataclass(frozen=True, slots=True)
class Task:
    """A game to be played."""

    board: Board
    terms: Terms
    number: int
    opening: Record
    ours: Player

    def rng(self, who: str) -> random.Random:
        """Return chance for a side that depends on nothing but which game it is."""
        return random.Random(f"{self.terms.seed} {self.board.name} {self.number} {self.ours} {who}")


@dataclass(frozen=True, slots=True)
class Effort:
    """What a side has spent on a game."""

    actions: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    nodes: int = 0
    """Nodes, or playouts."""

    def __add__(self, other: Effort) -> Effort:
        return Effort(
            self.actions + other.actions,
            self.seconds + other.seconds,
            max(self.longest, other.longest),
            self.nodes + other.nodes,
        )

    def describe(self, what: str) -> str:
        """Return what an action took."""
        actions = max(1, self.actions)
        nodes = f", {self.nodes / actions:,.0f} {what}" if self.nodes else ""
        return f"{self.seconds / actions:.2f} s a move ({self.longest:.2f} at most){nodes}"


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played."""

    board: Board
    number: int
    ours: Player
    winner: Player
    turns: int
    our_effort: Effort
    their_effort: Effort

    @property
    def is_won(self) -> bool:
        return self.winner is self.ours


class Timed(Bot):
    """A bot, and what it has spent; ``count`` tells its nodes or playouts so far."""

    def __init__(self, bot: Bot, count: Callable[[], int]) -> None:
        self._bot = bot
        self._count = count
        self.effort = Effort()

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        """Return what the bot chooses."""
        before, began = self._count(), time.perf_counter()
        cell = self._bot.choose(position, clock)
        taken = time.perf_counter() - began
        self.effort += Effort(1, taken, taken, self._count() - before)
        return cell


class Paced(Bot):
    """A bot that has a clock for every action, by which it takes some seconds at most."""

    def __init__(self, bot: Bot, seconds: float) -> None:
        self._bot = bot
        self._seconds = seconds

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        """Return what the bot chooses."""
        return self._bot.choose(position, clock or Clock(PATIENCE * self._seconds))


def make_ours(game: Game, terms: Terms, rng: random.Random) -> Timed:
    """Return the level, with an engine that remembers one game."""
    engine = Engine(game, Settings(seconds=terms.seconds))
    bot = make(f"computer:{terms.level}", Seat(rng, engine))
    return Timed(Paced(bot, terms.seconds), lambda: engine.progress.nodes)


def make_theirs(terms: Terms, rng: random.Random) -> Timed:
    """Return the opponent."""
    if terms.opponent == "random":
        return Timed(RandomPlayer(rng), lambda: 0)
    if terms.opponent == "openspiel":
        from benchmarks.peers.openspiel import MctsPlayer

        peer = MctsPlayer(terms.seconds, rng)
        return Timed(peer, lambda: peer.playouts)
    uct = UctPlayer(Limits(seconds=terms.seconds, exploration=terms.exploration), rng)
    return Timed(uct, lambda: uct.playouts)


def play(task: Task) -> Played:
    """Play a game."""
    ours = make_ours(task.opening.game, task.terms, task.rng("ours"))
    theirs = make_theirs(task.terms, task.rng("theirs"))
    match = Match(task.opening, lambda _: None)
    winner = play_match(match, (ours, theirs) if task.ours is Player.ONE else (theirs, ours))
    turns = match.record.positions()[0].turn_number(len(match.record.moves))
    return Played(task.board, task.number, task.ours, winner, turns, ours.effort, theirs.effort)


def openings_for(board: Board, count: int, terms: Terms) -> list[Record]:
    """Return what games begin with, which is nothing at all where the opponent is random enough."""
    if terms.opponent == "random":
        return [Record(board.game)] * count
    return find_openings(board, count, terms.seed)


def find_openings(board: Board, count: int, seed: int) -> list[Record]:
    """Return distinct openings, as many as are wanted or can be found; the first is the start."""
    rng = random.Random(f"{seed} {board.name}")
    openings: dict[Position, Record] = {}
    for attempt in range(ATTEMPTS):
        if len(openings) == count:
            break
        moves = random_turns(board.game, attempt % (MOST_TURNS + 1), rng)
        record = Record(board.game, Player.ONE, moves)
        position = record.positions()[-1]
        if is_open(position):
            openings.setdefault(position, record)
    return list(openings.values())


def random_turns(game: Game, turns: int, rng: random.Random) -> tuple[int, ...]:
    """Return the actions of some turns of random play, fewer where the game ends before."""
    position, moves = game.start(), list[int]()
    while position.winner is None and len(moves) < turns * game.rulebook.actions_per_turn:
        moves.append(rng.choice(position.legal_cells()))
        position = position.play(moves[-1])
    return tuple(moves)


def is_open(position: Position) -> bool:
    """Tell whether nobody has won, nor wins with the next turn, or whatever that is, the second."""
    return position.winner is None and not can_win_at_once(position) and can_survive(position)


def can_win_at_once(position: Position) -> bool:
    """Tell whether the mover can win with this turn."""
    children = map(position.play, position.legal_cells())
    return any(
        child.winner is position.mover or (child.mover is position.mover and can_win_at_once(child))
        for child in children
    )


def can_survive(position: Position) -> bool:
    """Tell whether after some turn of the mover's the other player cannot win at once."""
    children = map(position.play, position.legal_cells())
    return any(
        can_survive(child) if child.mover is position.mover else not can_win_at_once(child)
        for child in children
    )


def prove(question: tuple[Record, float]) -> Player | None:
    """Return who wins an opening, or None where our solver cannot prove it in some seconds."""
    opening, seconds = question
    position = opening.positions()[-1]
    try:
        is_won = Solver(opening.game, Settings(seconds=seconds)).wins(position)
    except LimitError:
        return None
    return position.mover if is_won else position.mover.opponent


class Crew:
    """Does tasks in one process or in several, and hands back what is done as it comes."""

    def __init__(self, processes: int) -> None:
        self._processes = processes

    def do(self, work: Callable[[_Task], _Done], tasks: Sequence[_Task]) -> Iterator[_Done]:
        """Do the same to every task, in any order."""
        if self._processes == 1:
            yield from map(work, tasks)
            return
        with multiprocessing.get_context("spawn").Pool(self._processes) as pool:
            yield from pool.imap_unordered(work, tasks)

    def do_all(self, work: Callable[[_Task], _Done], tasks: Sequence[_Task]) -> list[_Done]:
        """Do the same to every task, and return what came of each in their order."""
        if self._processes == 1:
            return list(map(work, tasks))
        with multiprocessing.get_context("spawn").Pool(self._processes) as pool:
            return pool.map(work, tasks, chunksize=1)


def wilson(wins: int, games: int) -> tuple[float, float]:
    """Return the interval that holds the true share of wins with 95 % confidence."""
    z = 1.96
    share, square = wins / games, z * z / games
    centre = (share + square / 2) / (1 + square)
    margin = z * math.sqrt((share * (1 - share) + square / 4) / games) / (1 + square)
    return max(0.0, centre - margin), min(1.0, centre + margin)


def count_wins(games: Iterable[Played]) -> str:
    """Return how many games were won, in words."""
    won = [game.is_won for game in games]
    if not won:
        return "no games"
    low, high = wilson(sum(won), len(won))
    share = sum(won) / len(won)
    return f"{sum(won)} of {len(won)}, {share:.1%} (95 %: {low:.0%} to {high:.0%})"


def share_of(games: Sequence[Played]) -> float:
    """Return the share of games that were won."""
    return sum(game.is_won for game in games) / len(games)


def describe_openings(games: Sequence[Played]) -> str:
    """Return how the two games of each opening went together."""
    winners: dict[int, list[Played]] = {}
    for game in games:
        winners.setdefault(game.number, []).append(game)
    kinds = Counter(kind_of(pair) for pair in winners.values())
    return (
        f"{len(winners)} openings: {kinds['ours']} won by us both times, {kinds['theirs']} lost "
        f"both times, {kinds['one']} won by player 1 both times, {kinds['two']} by player 2"
    )


def kind_of(pair: Sequence[Played]) -> str:
    """Return who won both games of an opening."""
    if all(game.is_won for game in pair):
        return "ours"
    if not any(game.is_won for game in pair):
        return "theirs"
    return "one" if pair[0].winner is Player.ONE else "two"


def report(games: Sequence[Played], terms: Terms) -> None:
    """Print what happened on a board."""
    as_one = [game for game in games if game.ours is Player.ONE]
    as_two = [game for game in games if game.ours is Player.TWO]
    theirs = sum((game.their_effort for game in games), Effort())
    ours = sum((game.our_effort for game in games), Effort())
    turns = sum(game.turns for game in games) / len(games)
    print(f"{games[0].board.name}: level {terms.level} against {terms.opponent}")
    print(f"  won {count_wins(games)}; games of {turns:.0f} turns")
    print(f"  as player 1 {count_wins(as_one)}; as player 2 {count_wins(as_two)}")
    print(f"  {describe_openings(games)}")
    print(f"  level {terms.level}: {ours.describe('nodes')}")
    print(f"  {terms.opponent}: {theirs.describe('playouts')}", flush=True)


def check_shares(games: Sequence[Played], goals: Goals) -> None:
    """Check the shares that a board asks for."""
    board = games[0].board
    as_one = [game for game in games if game.ours is Player.ONE]
    for games_that_count, share, where in (
        (games, board.share, board.name),
        (as_one, board.share_as_one, f"{board.name} as player 1"),
    ):
        if share is not None and games_that_count:
            reached = count_wins(games_that_count)
            is_met = share_of(games_that_count) >= share
            goals.check(f"{where}: {share:.0%} of the games", reached, is_met=is_met)


def check_proved(games: Sequence[Played], winners: Sequence[Player | None], goals: Goals) -> None:
    """Check that what our solver proves to be won was won."""
    board = games[0].board
    proved = [game for game in games if winners[game.number] is game.ours]
    unknown = sum(winner is None for winner in winners)
    won = sum(game.is_won for game in proved)
    goals.check(
        f"{board.name}: every opening proved won is won",
        f"{won} of {len(proved)}; {unknown} of {len(winners)} openings not proved",
        is_met=won == len(proved),
    )


def check_against_openspiel(games: Sequence[Played], goals: Goals) -> None:
    """Check the share of all games together."""
    is_met = share_of(games) >= SHARE_AGAINST_OPENSPIEL
    goal = f"OpenSpiel's MCTS bot: {SHARE_AGAINST_OPENSPIEL:.0%} of the games"
    goals.check(goal, count_wins(games), is_met=is_met)


def check_against_random(games: Sequence[Played], goals: Goals) -> None:
    """Check the share of each rulebook, on all of its boards together."""
    for rulebook in gridlock.RULEBOOKS:
        of_it = [game for game in games if game.board.rulebook == rulebook]
        if of_it:
            is_met = share_of(of_it) >= SHARE_AGAINST_RANDOM
            goal = f"{rulebook} against random play: {SHARE_AGAINST_RANDOM:.0%} of the games"
            goals.check(goal, count_wins(of_it), is_met=is_met)


def play_board(board: Board, openings: Sequence[Record], terms: Terms, crew: Crew) -> list[Played]:
    """Play every opening from both sides, with a line for each game."""
    tasks = [
        Task(board, terms, number, opening, ours)
        for number, opening in enumerate(openings)
        for ours in Player
    ]
    games = []
    for game in crew.do(play, tasks):
        games.append(game)
        result = "won" if game.is_won else "lost"
        print(
            f"{board.name} game {len(games)} of {len(tasks)}: opening {game.number + 1} "
            f"as player {game.ours} {result} in {game.turns} turns",
            file=sys.stderr,
            flush=True,
        )
    return games


def chosen_boards(opponent: str, only: Sequence[str]) -> list[Board]:
    """Return the boards that were asked for: whole rulebooks, those with goals, or any others."""
    boards = AGAINST_RANDOM if opponent == "random" else AGAINST_UCT
    chosen = [board for board in boards if not only or {board.name, board.rulebook} & set(only)]
    known = {name for board in boards for name in (board.name, board.rulebook)}
    return chosen + [read_board(name) for name in only if name not in known]


def read_board(name: str) -> Board:
    """Return a board without a goal, by its name: ``duel-7x7``."""
    rulebook, _, size = name.partition("-")
    rows, _, columns = size.partition("x")
    if rulebook not in gridlock.RULEBOOKS or rows != columns or not rows.isdigit():
        raise SystemExit(f"{name} is not a board such as race-7x7")
    return Board(rulebook, int(rows))


def measure(arguments: argparse.Namespace, goals: Goals) -> None:
    """Play on every board, and report."""
    terms = Terms(
        arguments.opponent,
        arguments.level,
        arguments.seconds,
        arguments.exploration,
        arguments.seed,
    )
    crew = Crew(arguments.processes)
    everything: list[Played] = []
    for board in chosen_boards(terms.opponent, arguments.only):
        openings = openings_for(board, -(-arguments.games // 2), terms)
        games = play_board(board, openings, terms, crew)
        everything += games
        report(games, terms)
        if board.proved and terms.opponent == "uct":
            questions = [(opening, arguments.proof_seconds) for opening in openings]
            check_proved(games, crew.do_all(prove, questions), goals)
        if terms.opponent == "uct":
            check_shares(games, goals)
        print(flush=True)
    if terms.opponent == "random":
        check_against_random(everything, goals)
    if terms.opponent == "openspiel":
        check_against_openspiel(everything, goals)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--opponent", choices=("uct", "random", "openspiel"), default="uct")
    parser.add_argument("--only", nargs="+", default=[], help="boards or rulebooks")
    parser.add_argument("--games", type=int, default=24, help="on each board")
    parser.add_argument("--seconds", type=float, default=1, help="for every action")
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--processes", type=int, default=1, help="games at a time")
    parser.add_argument("--proof-seconds", type=float, default=30, help="to prove an opening")
    parser.add_argument("--exploration", type=float, default=EXPLORATION, help="of UCT")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    goals = Goals()
    measure(arguments, goals)
    goals.conclude()


if __name__ == "__main__":
    main()
