"""Plays the games of a tournament that are left, several at once."""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from gridlock.errors import FaultError
from gridlock.lab.tournament.ledger import Result
from gridlock.lab.tournament.schedule import MEETING, Pairing, Standing, bye_of, rounds
from gridlock.match import Match, play_match
from gridlock.players import Bot, Seat, make
from gridlock.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gridlock.clock import Clock
    from gridlock.lab.tournament.ledger import Ledger
    from gridlock.lab.tournament.opening import Openings
    from gridlock.lab.tournament.plan import Plan
    from gridlock.model import Game, Position

_LOOK_SECONDS = 0.1  # between two looks at what the threads have done
_LOG = "{}.log"


class _Interrupted(Exception):  # noqa: N818 - an event, not an error
    """The tournament is to stop: the game under way does not count."""


class _Watched(Bot):
    """A bot whose time is taken, and whose last fault is remembered."""

    def __init__(self, bot: Bot, seat: Seat, stopping: threading.Event) -> None:
        self._bot = bot
        self._seat = seat
        self._stopping = stopping
        self.seconds = 0.0
        self.fault = ""

    def begin(self, seed: str) -> None:
        """Forget the game before; chance is the same for the same game, whoever plays it."""
        self.seconds, self.fault = 0.0, ""
        self._seat.rng.seed(seed)

    def new_game(self, game: Game) -> None:
        """Prepare for a game that begins."""
        self._bot.new_game(game)

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        """Return the bot's cell."""
        if self._stopping.is_set():
            raise _Interrupted
        start = time.perf_counter()
        try:
            return self._bot.choose(position, clock)
        except FaultError as fault:
            if self._stopping.is_set():  # it was stopped by us
                raise _Interrupted from None
            self.fault = str(fault)
            raise
        finally:
            self.seconds += time.perf_counter() - start

    def stop(self) -> None:
        """Have the choice under way made soon."""
        self._bot.stop()

    def close(self) -> None:
        """Release all resources."""
        self._bot.close()


class _Table:
    """Where one game at a time is played: its players stay for the next one."""

    def __init__(self, ledger: Ledger, openings: Openings, stopping: threading.Event) -> None:
        self._plan = ledger.plan
        self._folder = ledger.folder
        self._openings = openings
        self._stopping = stopping
        self._entrants = ledger.plan.entrants()
        self._bots: dict[int, _Watched] = {}

    def _bot(self, player: int) -> _Watched:
        if player not in self._bots:
            entrant = self._entrants[player]
            log = self._folder / _LOG.format(f"player-{player + 1}")
            seat = Seat(random.Random(), limit=self._plan.limit(), log=log)
            self._bots[player] = _Watched(make(entrant.who, seat), seat, self._stopping)
        return self._bots[player]

    def _label(self, player: int) -> str:
        return self._entrants[player].label

    def play(self, pairing: Pairing) -> Result:
        """Play a game to its end."""
        start = self._openings.position(pairing.round)
        game = start.game
        one, two = bots = self._bot(pairing.players[0]), self._bot(pairing.players[1])
        for seat, bot in enumerate(bots):
            bot.begin(f"{self._plan.seed}:{pairing.number}:{seat}")
        record = Record(
            game, start.mover, date=f"{date.today():%Y.%m.%d}",
            players=(self._label(pairing.players[0]), self._label(pairing.players[1])),
            setup=None if start == game.start(start.mover) else start,
        )  # fmt: skip
        match = Match(record, lambda _: None)
        winner = play_match(match, bots, self._plan.new_clock())
        record = match.record
        if fault := one.fault or two.fault:
            record = replace(record, tags=(("Fault", fault),))
        return Result(
            pairing.number, pairing.round, pairing.players, int(winner), record.termination,
            str(record), (round(one.seconds * 1000), round(two.seconds * 1000)),
        )  # fmt: skip

    def stop(self) -> None:
        """End the game under way: other programs may not listen, and are ended at once."""
        for bot in list(self._bots.values()):
            bot.stop()
            bot.close()

    def close(self) -> None:
        """Release all players."""
        for bot in self._bots.values():
            bot.close()


class Runner:
    """Plays a tournament; ``on_change`` is called several times a second while it does."""

    def __init__(self, ledger: Ledger, on_change: Callable[[], None]) -> None:
        self._ledger = ledger
        self._plan: Plan = ledger.plan
        self._on_change = on_change
        self._openings = self._plan.starts()
        self._stopping = threading.Event()
        self._test = self._plan.test()
        self._tally = Tally(ledger.results.values())
        self._is_decided = False
        self._failures: list[BaseException] = []
        self._tables = [
            _Table(ledger, self._openings, self._stopping) for _ in range(self._plan.concurrency)
        ]

    def run(self) -> None:
        """Play all games that are left, or until the test of a match is decided.

        What a player raises that is not a fault of its own ends it all, as does Ctrl-C; what has
        been played by then stays.
        """
        plan = self._plan
        standing = standing_of(self._ledger)
        try:
            for part in rounds(plan.format, len(plan.players), plan.rounds, standing):
                left = [game for game in part if game.number not in self._ledger.results]
                self._check_decision()
                if not self._is_decided:
                    self._play(deque(left))
        finally:
            for table in self._tables:
                table.close()

    def _play(self, waiting: deque[Pairing]) -> None:
        threads = [
            threading.Thread(target=self._work, args=(table, waiting), daemon=True)
            for table in self._tables[: len(waiting)]
        ]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(_LOOK_SECONDS)
                    self._on_change()
        except BaseException:
            self._stop()
            for thread in threads:
                thread.join()
            raise
        if self._failures:
            raise self._failures[0]

    def _work(self, table: _Table, waiting: deque[Pairing]) -> None:
        try:
            with suppress(IndexError):
                while not self._stopping.is_set() and not self._is_decided:
                    result = table.play(waiting.popleft())
                    self._ledger.add(result)
                    if self._tally.add(result):
                        self._check_decision()
        except _Interrupted:
            pass
        except BaseException as failure:  # noqa: BLE001 - told by the thread that waits
            self._failures.append(failure)
            self._stop()

    def _stop(self) -> None:
        self._stopping.set()
        for table in self._tables:
            table.stop()

    def _check_decision(self) -> None:
        if self._test and self._test.decision(self._tally.counts):
            self._is_decided = True


class Tally:
    """How many meetings brought the first player 0 to 4 half points, as results come in."""

    def __init__(self, results: Iterable[Result] = ()) -> None:
        self.counts = [0] * 5
        self._halves: dict[int, bool] = {}
        self._lock = threading.Lock()
        for result in results:
            self.add(result)

    def add(self, result: Result) -> bool:
        """Count a game, and tell whether a meeting is complete by it."""
        meeting, is_won = result.number // MEETING, result.winning == 0
        with self._lock:
            if meeting not in self._halves:
                self._halves[meeting] = is_won
                return False
            self.counts[2 * (is_won + self._halves.pop(meeting))] += 1
            return True


def pair_counts(ledger: Ledger) -> list[int]:
    """Return how many meetings brought the first player 0 to 4 half points."""
    return Tally(list(ledger.results.values())).counts


def game_counts(ledger: Ledger) -> list[int]:
    """Return how many games the first player has lost, drawn (none can be) and won."""
    won = sum(result.winning == 0 for result in list(ledger.results.values()))
    return [len(ledger.results) - won, 0, won]


def standing_of(ledger: Ledger) -> Callable[[int], Standing]:
    """Return what tells where a tournament stands before a round.

    Whoever sat out has the points of a meeting that was won.
    """
    count = len(ledger.plan.players)

    def standing(round_: int) -> Standing:
        points, byes = [0.0] * count, set()
        pairs: dict[int, set[tuple[int, int]]] = {}
        for result in (result for result in ledger.results.values() if result.round < round_):
            points[result.winning] += 1
            one, two = sorted(result.players)
            pairs.setdefault(result.round, set()).add((one, two))
        for met in pairs.values():
            bye = bye_of(count, sorted(met))
            if bye is not None:
                byes.add(bye)
                points[bye] += MEETING
        met_before = frozenset(frozenset(pair) for met in pairs.values() for pair in met)
        return Standing(points, met_before, frozenset(byes))

    return standing
