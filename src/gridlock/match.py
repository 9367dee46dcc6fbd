"""Games in play: one (a match) or several (a series), with their records and score."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from gridlock.clock import milliseconds, read_time_control
from gridlock.errors import FaultError, IllegalMoveError, NotationError, RecordError, quote
from gridlock.model import Effect, Player, Reason
from gridlock.notation import read_number
from gridlock.record import (
    ABANDONMENT,
    ABORTED,
    CLOCK,
    ILLEGAL,
    RESIGNATION,
    UNKNOWN_DATE,
    Record,
    read_records,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Mapping

    from gridlock.clock import Clock, TimeControl
    from gridlock.model import Game, Position, Rulebook
    from gridlock.players import Bot

    _MakeMatch = Callable[[Record, Callable[[Record], None]], "Match"]

_Choice = TypeVar("_Choice", bound=StrEnum)

_TIME_CONTROL = "TimeControl"

MOST_GAMES = 1000
"""The longest series, and the highest target."""


class Score(StrEnum):
    """What a game in a series scores: a point for its winner, or each player's marks."""

    WINS = "wins"
    CELLS = "cells"


def scores_of(rulebook: Rulebook) -> tuple[Score, ...]:
    """Return the ways to score a series of this rulebook."""
    has_marks = any(phase.effect is Effect.MARK for phase in rulebook.phases)
    return tuple(Score) if has_marks else (Score.WINS,)


def check_score(rulebook: Rulebook, score: Score) -> None:
    """Raise ``NotationError`` if the rulebook cannot be scored this way."""
    if score not in scores_of(rulebook):
        raise NotationError(
            f"{rulebook.id} cannot be scored by cells, since it is played with tokens: "
            f"score {Score.WINS.value}"
        )


class Starter(StrEnum):
    """Who begins the next game of a series."""

    ALTERNATE = "alternate"
    SAME = "same"
    TOSS = "toss"


class Match:
    """One game in play.

    Every change goes to ``keep`` first and counts only when that returns, so that a confirmed move
    is never lost.
    """

    def __init__(self, record: Record, keep: Callable[[Record], None]) -> None:
        self.record = record
        self._positions = record.positions()
        self._keep = keep
        self._undone: list[tuple[int, ...]] = []

    @property
    def position(self) -> Position:
        """The current position."""
        return self._positions[-1]

    @property
    def winner(self) -> Player | None:
        """The player who has won, or None while the game goes on."""
        return self.record.result

    @property
    def movers(self) -> list[Player]:
        """Who chose each action."""
        return [position.mover for position in self._positions[:-1]]

    def play(self, cell: int) -> None:
        """Choose a cell for the mover, or raise ``IllegalMoveError``."""
        self._check_going_on()
        position = self.position.play(cell)
        moves = (*self.record.moves, cell)
        self._change(moves, position.winner)
        self._positions.append(position)
        self._undone.clear()

    def resign(self, player: Player | None = None) -> None:
        """Resign for a player, by default the mover.

        Raises ``IllegalMoveError`` after the end.
        """
        self._end((player or self.position.mover).opponent, RESIGNATION)

    def run_out_of_time(self) -> None:
        """End the game: the mover's time is up.  Raises ``IllegalMoveError`` after the end."""
        self._end(self.position.mover.opponent, CLOCK)

    def abandon(self) -> None:
        """End the game: the mover has left.  Raises ``IllegalMoveError`` after the end."""
        self._end(self.position.mover.opponent, ABANDONMENT)

    def forfeit(self, termination: str) -> None:
        """End the game: the mover, a program, has broken down in the way that is said.

        Raises ``IllegalMoveError`` after the end.
        """
        self._end(self.position.mover.opponent, termination)

    def abort(self) -> None:
        """End the game without a winner, or raise ``IllegalMoveError`` after the end."""
        self._end(None, ABORTED)

    def undo(self, player: Player | None = None) -> bool:
        """Take back a player's last turn, by default the mover's; return whether there was one.

        A resignation is taken back before any turn.
        """
        moves = self.record.moves
        if self.record.termination == RESIGNATION:
            self._change(moves, None)
            return True
        player = player or self.position.mover
        for length in range(len(moves) - 1, -1, -1):
            begins_turn = length == 0 or self._positions[length - 1].mover is not player
            if self._positions[length].mover is player and begins_turn:
                self._change(moves[:length], None)
                self._undone.append(moves[length:])
                del self._positions[length + 1 :]
                return True
        return False

    def redo(self) -> bool:
        """Replay what was last taken back; return whether there was anything."""
        if not self._undone:
            return False
        moves = (*self.record.moves, *self._undone[-1])
        positions = replace(self.record, moves=moves).positions()
        self._change(moves, positions[-1].winner)
        self._positions = positions
        self._undone.pop()
        return True

    def swap_seats(self) -> None:
        """Swap the two players; the board stays as it is."""
        record = replace(self.record, players=(self.record.players[1], self.record.players[0]))
        self._keep(record)
        self.record = record

    def run_clock(self) -> None:
        """Let the clock run for whom it should run now, where there is one."""

    def stop_clock(self) -> None:
        """Stop the clock of a game that is left, where there is one, and keep what is on it.

        Raises ``StoreError``.
        """

    def _end(self, winner: Player | None, termination: str) -> None:
        self._check_going_on()
        self._change(self.record.moves, winner, termination)
        self._undone.clear()

    def _check_going_on(self) -> None:
        if self.record.is_over:
            raise IllegalMoveError(Reason.OVER, "the game is over", self.position)

    def _change(
        self, moves: tuple[int, ...], result: Player | None, termination: str | None = None
    ) -> None:
        tags = self._tags(moves)
        record = replace(
            self.record, moves=moves, result=result, termination=termination, tags=tags
        )
        self._keep(record)
        self.record = record

    def _tags(self, moves: tuple[int, ...]) -> tuple[tuple[str, str], ...]:  # noqa: ARG002
        """Return the further tags of the record after some moves."""
        return self.record.tags


def play_match(match: Match, bots: tuple[Bot, Bot], clock: Clock | None = None) -> Player:
    """Play a game between two bots to its end, and return the winner.

    With a ``clock``, whoever runs out of time loses; so does whoever chooses an illegal cell, or
    breaks down with a ``FaultError``.  Any other exception from a bot leaves the game unfinished.
    """
    for bot in bots:
        bot.new_game(match.record.game)
    if clock:
        clock.reset()
    while match.winner is None:
        mover = match.position.mover
        if clock:
            clock.run(mover, milliseconds())
        try:
            cell = bots[mover - 1].choose(match.position, clock)
        except FaultError as fault:
            match.forfeit(fault.termination)
            continue
        if clock and clock.is_up(milliseconds()):
            match.run_out_of_time()
            continue
        if not match.position.is_legal(cell):
            match.forfeit(ILLEGAL)
            continue
        match.play(cell)
        if clock:
            clock.press(mover, match.position.mover, milliseconds())
    return match.winner


def play_series(
    series: Series,
    bots: tuple[Bot, Bot],
    rng: random.Random,
    *,
    clock: Clock | None = None,
    date: str = UNKNOWN_DATE,
) -> None:
    """Play the remaining games of a series between two bots."""
    while not series.is_over:
        if series.is_between_games:
            series.begin_next(date, lambda: rng.choice(list(Player)))
        play_match(series.match(), bots, clock)


@dataclass(frozen=True, slots=True)
class Terms:
    """The length and scoring of a series: ``rounds`` games, or to ``target`` points."""

    rounds: int | None = None
    target: int | None = None
    score: Score = Score.WINS
    starter: Starter = Starter.ALTERNATE

    def __post_init__(self) -> None:
        if (self.rounds is None) == (self.target is None):
            raise RecordError("a series has either a number of rounds or a target")

    def tags(self, number: int) -> tuple[tuple[str, str], ...]:
        """Return the tags of game ``number`` of the series."""
        length = ("Rounds", self.rounds) if self.rounds else ("Target", self.target)
        tags = (("Round", number), length, ("Score", self.score), ("Starter", self.starter))
        return tuple((name, str(value)) for name, value in tags)


def read_terms(tags: Mapping[str, str]) -> Terms | None:
    """Return the terms in a record's tags, None for a single game, or raise ``RecordError``."""
    if "Rounds" not in tags and "Target" not in tags:
        return None
    return Terms(
        rounds=_read_count(tags, "Rounds"),
        target=_read_count(tags, "Target"),
        score=_read_choice(tags, "Score", Score, Score.WINS),
        starter=_read_choice(tags, "Starter", Starter, Starter.ALTERNATE),
    )


def _read_count(tags: Mapping[str, str], name: str) -> int | None:
    try:
        return read_count(tags[name]) if name in tags else None
    except NotationError as error:
        raise RecordError(f"the tag {name}: {error}") from None


def read_count(text: str) -> int:
    """Return a number of games or points, or raise ``NotationError``."""
    count = read_number(text)
    if count is None or not 1 <= count <= MOST_GAMES:
        raise NotationError(f"{quote(text)} is not a number from 1 to {MOST_GAMES}")
    return count


def _read_choice(
    tags: Mapping[str, str], name: str, choices: type[_Choice], default: _Choice
) -> _Choice:
    try:
        return choices(tags.get(name, default))
    except ValueError:
        raise RecordError(
            f"the tag {name} is {quote(tags[name])}, not {' or '.join(choices)}"
        ) from None


class Series:
    """Consecutive games, the last perhaps unfinished.

    A single game is a series without terms.  ``first`` begins the first game; None means a coin
    toss.  With ``setup`` every game begins there, and with its mover.  ``keep`` gets all records
    before a change counts.  The records name the ``time_control``, which is for ``timing`` to put
    into practice.
    """

    def __init__(
        self,
        game: Game,
        players: tuple[str, str],
        terms: Terms | None,
        first: Player | None,
        keep: Callable[[list[Record]], None],
        *,
        records: Iterable[Record] = (),
        setup: Position | None = None,
        time_control: TimeControl | None = None,
    ) -> None:
        self.game = game
        self.players = players
        self.terms = terms
        self.records = list(records)
        self.has_toss = False
        """Whether a toss decided who began the last game."""
        self.setup = setup
        self.time_control = time_control
        self._make_match: _MakeMatch = Match
        self._first = first
        self._keep = keep
        self._match: Match | None = None

    @property
    def tally(self) -> tuple[int, int]:
        """The points of players 1 and 2 in finished games."""
        score = self.terms.score if self.terms else Score.WINS
        points = [points_of(record, score) for record in self.records if record.result]
        return sum(one for one, _ in points), sum(two for _, two in points)

    @property
    def is_between_games(self) -> bool:
        """Whether no game is in progress."""
        return not self.records or self.records[-1].is_over

    @property
    def is_over(self) -> bool:
        """Whether the series is finished, or a game was aborted."""
        if not self.records or not self.is_between_games:
            return False
        if self.records[-1].result is None:
            return True
        if self.terms and self.terms.target:
            return max(self.tally) >= self.terms.target
        return len(self.records) >= (self.terms.rounds if self.terms and self.terms.rounds else 1)

    @property
    def winner(self) -> Player | None:
        """The player who leads, or None for a tie."""
        one, two = self.tally
        return None if one == two else Player.ONE if one > two else Player.TWO

    def match(self) -> Match:
        """Return the last game, always as the same object."""
        if self._match is None or self._match.record is not self.records[-1]:
            self._match = self._make_match(self.records[-1], self._keep_last)
        return self._match

    def play_as(self, make_match: _MakeMatch) -> None:
        """Let the games be matches of another kind, also the one that goes on."""
        self._make_match = make_match
        self._match = None

    def begin_next(self, date: str, toss: Callable[[], Player]) -> None:
        """Begin the next game.

        It is kept with its first action, or at once if a toss was made, which must stand, or if the
        board is so small that nobody can move.
        """
        decided = self.next_first()
        first = decided or toss()
        record = Record(
            self.game,
            first,
            players=self.players,
            date=date,
            result=(self.setup or self.game.start(first)).winner,
            tags=self._tags(len(self.records) + 1),
            setup=self.setup,
        )
        records = [*self.records, record]
        if record.result or not decided:
            self._keep(records)
        self.records = records
        self.has_toss = not decided

    def _tags(self, number: int) -> tuple[tuple[str, str], ...]:
        """Return the further tags of a game, from 1."""
        tags = self.terms.tags(number) if self.terms else ()
        return (*tags, (_TIME_CONTROL, str(self.time_control))) if self.time_control else tags

    def next_first(self) -> Player | None:
        """Return who begins the next game, or None for a toss."""
        if self.setup:
            return self.setup.mover
        if not self.records:
            return self._first
        if self.terms and self.terms.starter is Starter.TOSS:
            return None
        last = self.records[-1].first
        return last if self.terms and self.terms.starter is Starter.SAME else last.opponent

    def _keep_last(self, record: Record) -> None:
        records = [*self.records[:-1], record]
        self._keep(records)
        self.records = records


@lru_cache(maxsize=MOST_GAMES)
def points_of(record: Record, score: Score) -> tuple[int, int]:
    """Return the points of players 1 and 2 in a finished game."""
    if score is Score.WINS:
        return int(record.result is Player.ONE), int(record.result is Player.TWO)
    last = record.positions()[-1]
    return last.marks(Player.ONE).bit_count(), last.marks(Player.TWO).bit_count()


def read_series(text: str, keep: Callable[[list[Record]], None]) -> Series:
    """Return the series, or the single game, in a text of records.

    Raises ``RecordError``, also for records that are not one series.
    """
    records = read_records(text)
    last = records[-1]
    terms = read_terms(dict(last.tags))
    if terms is None and len(records) > 1:
        raise RecordError("there are several games in it that are no series")
    for number, record in enumerate(records[:-1], start=1):
        if record.result is None or record.game != last.game:
            raise RecordError(f"game {number} of the series is unfinished, or another game")
        if read_terms(dict(record.tags)) != terms:
            raise RecordError(f"game {number} of the series has other terms than the last")
    return Series(
        last.game, last.players, terms, last.first, keep, records=records, setup=last.setup,
        time_control=read_time_control(dict(last.tags).get(_TIME_CONTROL, "")),
    )  # fmt: skip
