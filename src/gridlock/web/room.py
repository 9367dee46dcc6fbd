"""A room: two seats at one board, for a game or a series.

This is the one authority on what happens there.  It decides what an act brings about, as events,
and it is changed by events alone; it knows no network, no disk and no time of day.
"""

from __future__ import annotations

import hmac
import secrets
from collections import Counter
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from gridlock.clock import MILLISECONDS, Clock
from gridlock.errors import GridlockError, NotationError
from gridlock.match import Series
from gridlock.model import Player
from gridlock.record import CLOCK, RESIGNATION
from gridlock.rulebooks import catalogue
from gridlock.sentences import why_refused
from gridlock.web.event import Act, Command, Event, EventType, Offer
from gridlock.web.settings import Opponent, Settings, hashed, new_room

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gridlock.match import Match
    from gridlock.model import Position


class RefusedError(GridlockError):
    """Something that cannot be done, and why; the code says it to programs."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Status(StrEnum):
    """Whether the game shown has yet to begin, goes on, or is finished."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


_MOST_EVENTS = 50_000
"""More than any series needs; taking turns back and playing them again could go on for ever."""

_MOST_REQUESTS = 3
"""So often a player may ask for the same thing in a game without getting it."""

_ABORT_AFTER = 60 * MILLISECONDS
"""For so long somebody who has yet to make a first move is waited for."""

_CLAIM_AFTER = 120 * MILLISECONDS
"""For so long a mover who is away is waited for where there is a clock."""

_CLAIM_AFTER_WITHOUT_CLOCK = 15 * 60 * MILLISECONDS
"""And where there is none: people who play without one may well be slow."""


class _Answered(NamedTuple):
    """What came of an act, the game in which it was done, and the ply that it answered."""

    event: Event
    number: int
    ply: int


class Room:
    """A room as its events have made it."""

    def __init__(self, id_: str, settings: Settings, events: Iterable[Event] = ()) -> None:
        self.id = id_
        self.settings = settings
        self.seats = list(settings.seats)
        self.game = catalogue.game(settings.game, settings.size)
        self.setup: Position | None = None
        """Where every game begins, None for the start of the game."""
        if isinstance(settings.first, str):
            self.setup = self.game.position(settings.first)
        terms = settings.clock
        self.clock = Clock(terms.base, terms.increment) if terms else None
        self.version = 0
        self.offer: tuple[Offer, Player] | None = None
        self.rematch: str | None = None
        self._at = 0
        self.changed_at = 0
        """When the board last changed or the game ended: since then the mover can act."""
        self._away_since: int | None = None
        """Since when the mover is known to be away."""
        self._answered: dict[tuple[Player | None, str], _Answered] = {}
        self._requests: Counter[tuple[Offer, Player]] = Counter()
        """How often a player has asked for something in the game shown and not got it."""
        self._series = self._new_series()
        for event in events:
            self.apply(event)

    # What there is to see

    @property
    def series(self) -> Series:
        """The games of the room."""
        return self._series

    @property
    def match(self) -> Match:
        """The game shown; there is none while the room is waiting."""
        return self._series.match()

    @property
    def position(self) -> Position:
        """The position to look at."""
        if self.status is Status.WAITING:
            return self.setup or self.game.start(self._first or Player.ONE)
        return self.match.position

    @property
    def ply(self) -> int:
        """How many actions the game shown has."""
        return len(self._series.records[-1].moves) if self._series.records else 0

    @property
    def status(self) -> Status:
        """Whether the game shown has yet to begin, goes on, or is finished."""
        if not self._series.records:
            return Status.WAITING
        return Status.OVER if self._series.is_between_games else Status.PLAYING

    @property
    def is_finished(self) -> bool:
        """Whether no further game is played here."""
        return self._series.is_over

    @property
    def awaits_computer(self) -> bool:
        """Whether a computer is to move."""
        is_playing = self.status is Status.PLAYING
        return is_playing and self.seats[self.position.mover - 1].level is not None

    @property
    def deadline(self) -> int | None:
        """When the mover's time runs out, in milliseconds."""
        return self.clock.deadline if self.clock else None

    @property
    def abort_at(self) -> int | None:
        """From when the player who is not to move may abort the game, in milliseconds.

        None unless two people play and the mover has yet to make a first move.
        """
        if not self.is_between_people or self.position.mover in self.match.movers:
            return None
        return self.changed_at + _ABORT_AFTER

    @property
    def claim_at(self) -> int | None:
        """From when the player who is not to move may claim the game, None while nobody is away."""
        if self._away_since is None:
            return None
        return self._away_since + (_CLAIM_AFTER if self.clock else _CLAIM_AFTER_WITHOUT_CLOCK)

    @property
    def undoable(self) -> tuple[Player, ...]:
        """Whose last turn can be taken back, or asked for; a resignation at any time."""
        if self.status is Status.WAITING or self.rematch:
            return ()
        termination = self.match.record.termination
        is_over = self.status is Status.OVER
        if is_over and (self.settings.opponent is Opponent.FRIEND or termination == CLOCK):
            return ()
        if termination == RESIGNATION:
            return tuple(Player)
        return tuple(player for player in Player if player in self.match.movers)

    @property
    def _first(self) -> Player | None:
        """Who begins the first game, None for a toss, or where the position says it."""
        first = self.settings.first
        return None if isinstance(first, str) else first

    @property
    def _open_seat(self) -> Player:
        """The player whose seat is, or was, for a friend; who made the room has the other one."""
        one, _ = self.settings.seats
        return Player.TWO if one.holder else Player.ONE

    @property
    def is_between_people(self) -> bool:
        """Whether two people, each somewhere else, are playing now."""
        return self.settings.opponent is Opponent.FRIEND and self.status is Status.PLAYING

    def held_by(self, secret: str | None) -> tuple[Player, ...]:
        """Return the players for whom the holder of a secret may act."""
        if not secret:
            return ()
        holder = hashed(secret)
        return tuple(
            player
            for player, seat in zip(Player, self.seats, strict=True)
            if seat.holder and hmac.compare_digest(seat.holder, holder)
        )

    # What is to happen

    def opening(self, now: int) -> list[Event]:
        """Return the first events: the game begins unless a friend is waited for."""
        return [] if self.settings.invite else [self._beginning(now)]

    def join(self, invite: str, name: str, secret: str, now: int) -> list[Event]:
        """Let the friend whose invitation it is take the open seat with a secret of their own.

        The same secret may come again: an answer may have been lost.
        """
        if not hmac.compare_digest(self.settings.invite or "", hashed(invite)):
            raise RefusedError("invite", "this invitation is not for this game")
        if self._open_seat in self.held_by(secret):  # the answer was lost
            return []
        if self.status is not Status.WAITING:
            raise RefusedError("invite", "the seat has been taken already: you can watch")
        joined = self._event(
            EventType.JOINED, now, player=self._open_seat, name=name, holder=hashed(secret)
        )
        begun = self._beginning(now)
        return [joined, msgspec.structs.replace(begun, version=joined.version + 1)]

    def answer(self, held: tuple[Player, ...], act: Act, now: int) -> list[Event]:
        """Return what an act brings about, nothing if it was done before.

        Raises ``RefusedError`` if it cannot be done.
        """
        _check_seat(held)
        if answered := self._find_answer(held, act):
            if not self._is_same(answered, act):
                raise RefusedError("id-reused", "this id was used for something else already")
            return []
        if self.version >= _MOST_EVENTS:
            raise RefusedError("full", "too much has happened here: go on in another room")
        if act.number is not None and act.number != len(self._series.records):
            raise RefusedError("stale", f"game {act.number} is not being played now")
        commands = {
            Command.PLAY: self._play,
            Command.RESIGN: self._resign,
            Command.UNDO: self._undo,
            Command.REMATCH: self._ask_for_rematch,
            Command.AGREE: self._agree,
            Command.DECLINE: self._decline,
            Command.NEXT: self._next,
            Command.ABORT: self._abort,
            Command.CLAIM: self._claim,
        }
        happened = commands[act.do](held, act, now)
        if act.ply == self.ply:
            return happened
        return [msgspec.structs.replace(event, ply=act.ply) for event in happened]

    def hinted(self, held: tuple[Player, ...]) -> Position:
        """Return the position of a player who may have a hint, or raise ``RefusedError``."""
        _check_seat(held)
        if self.settings.opponent is Opponent.FRIEND:
            raise RefusedError("hint", "there are no hints against a friend")
        self._check_playing()
        self._check_turn(held)
        return self.position

    def done(self, held: tuple[Player, ...], act: Act) -> Event | None:
        """Return the event that an act has brought about already."""
        answered = self._find_answer(held, act)
        return answered.event if answered else None

    def _find_answer(self, held: tuple[Player, ...], act: Act) -> _Answered | None:
        found = (self._answered.get((player, act.id)) for player in held)
        return next(filter(None, found), None)

    def _is_same(self, answered: _Answered, act: Act) -> bool:
        """Tell whether an act is the one that was answered, sent again."""
        return (
            act.do is self._command_of(answered.event)
            and act.number in (None, answered.number)
            and act.ply == answered.ply
            and (act.do is not Command.PLAY or self._reads_as(act.cell, answered.event.cell))
        )

    def _command_of(self, event: Event) -> Command:
        """Return what a player did that an event came of it."""
        is_agreed = event.by is not None or self.settings.opponent is Opponent.FRIEND
        if event.type is EventType.OFFERED:
            return Command.UNDO if event.what is Offer.UNDO else Command.REMATCH
        if event.type in (EventType.UNDONE, EventType.REMATCHED) and is_agreed:
            return Command.AGREE
        return _COMMANDS[event.type]

    def _reads_as(self, text: str | None, name: str | None) -> bool:
        """Tell whether a text, however it is written, names a cell."""
        try:
            return text is not None and self.game.name(self.game.cell(text)) == name
        except NotationError:
            return False

    def computer_plays(self, cell: int, now: int) -> list[Event]:
        """Return the event of a computer's choice."""
        mover = self.position.mover
        return [self._event(EventType.PLAYED, now, player=mover, cell=self.game.name(cell))]

    def overdue(self, now: int) -> list[Event]:
        """Return the event of the mover's time having run out, if it has."""
        deadline = self.deadline
        if deadline is None or now < deadline:
            return []
        return [self._event(EventType.FLAGGED, deadline, player=self.position.mover)]

    def leave(self, player: Player, now: int) -> list[Event]:
        """Return the event of a player being away, if they are the one who is waited for."""
        if not self._is_awaited(player) or self._away_since is not None:
            return []
        return [self._event(EventType.AWAY, now, player=player)]

    def come_back(self, player: Player, now: int) -> list[Event]:
        """Return the event of a player being back, if they were away."""
        if not self._is_awaited(player) or self._away_since is None:
            return []
        return [self._event(EventType.BACK, now, player=player)]

    def rematch_settings(self) -> Settings:
        """Return the settings of a rematch: the same, from the same position, sides changed."""
        one, two = self.seats
        return msgspec.structs.replace(self.settings, seats=(two, one), invite=None)

    def _play(self, held: tuple[Player, ...], act: Act, now: int) -> list[Event]:
        self._check_playing()
        self._check_ply(act)
        self._check_turn(held)
        position = self.position
        if act.cell is None:
            raise RefusedError("notation", "to play is to choose a cell: it is missing")
        try:
            cell = self.game.cell(act.cell)
        except NotationError as error:
            raise RefusedError(error.code, str(error)) from None
        if refusal := position.refusal(cell):
            raise RefusedError(refusal.reason, why_refused(position, cell))
        return [
            self._event(
                EventType.PLAYED, now, player=position.mover, cell=self.game.name(cell), id=act.id
            )
        ]

    def _resign(self, held: tuple[Player, ...], act: Act, now: int) -> list[Event]:
        self._check_playing()
        player = self._acting(held)
        return [self._event(EventType.RESIGNED, now, player=player, id=act.id)]

    def _undo(self, held: tuple[Player, ...], act: Act, now: int) -> list[Event]:
        if self.settings.opponent is Opponent.FRIEND:
            self._check_playing()
        elif self.rematch or self.match.record.termination == CLOCK:
            raise RefusedError("over", "the game is over")
        self._check_ply(act)
        movers = self.match.movers
        player = movers[-1] if len(held) > 1 and movers else held[0]
        if player not in self.undoable:
            raise RefusedError("undo", "there is nothing to take back")
        if self.settings.opponent is Opponent.FRIEND:
            return self._make_offer(Offer.UNDO, player, act, now)
        return [self._event(EventType.UNDONE, now, player=player, id=act.id)]

    def _ask_for_rematch(self, held: tuple[Player, ...], act: Act, now: int) -> list[Event]:
        if not self.is_finished:
            raise RefusedError("playing", "the game is not over yet")
        if self.rematch:
            raise RefusedError("over", "the rematch has begun")
        player = held[0]
        if self.settings.opponent is Opponent.FRIEND:
            return self._make_offer(Offer.REMATCH, player, act, now)
        return [self._event(EventType.REMATCHED, now, player=player, id=act.id, room=new_room())]

    def _make_offer(self, what: Offer, player: Player, act: Act, now: int) -> list[Event]:
        if self.offer:
            is_own = self.offer[1] is player
            told = "you have asked already: wait for the answer"
            raise RefusedError("offer", told if is_own else "you are asked yourself: answer first")
        if self._requests[what, player] >= _MOST_REQUESTS:
            raise RefusedError("asked-enough", "you have asked for that often enough in this game")
        return [self._event(EventType.OFFERED, now, player=player, id=act.id, what=what)]

    def _next(self, held: tuple[Player, ...], act: Act, now: int) -> list[Event]:
        if self.is_finished:
            raise RefusedError("over", "no further game is to be played here")
        if self.status is not Status.OVER:
            raise RefusedError("playing", "the game is not over yet")
        return [msgspec.structs.replace(self._beginning(now), player=held[0], id=act.id)]

    def _agree(self, held: tuple[Player, ...], act: Act, now: int) -> list[Event]:
        if not self.offer or self.offer[1] in held:
            raise RefusedError("offer", "nothing has been asked for")
        what, asker = self.offer
        if what is Offer.REMATCH:
            room = new_room()
            return [self._event(EventType.REMATCHED, now, player=held[0], id=act.id, room=room)]
        self._check_ply(act)
        return [self._event(EventType.UNDONE, now, player=asker, by=held[0], id=act.id)]

    def _decline(self, held: tuple[Player, ...], act: Act, now: int) -> list[Event]:
        if not self.offer:
            raise RefusedError("offer", "nothing has been asked for")
        what, _ = self.offer
        return [self._event(EventType.DECLINED, now, player=held[0], id=act.id, what=what)]

    def _abort(self, held: tuple[Player, ...], act: Act, now: int) -> list[Event]:
        if self.is_between_people and self.abort_at is None:
            raise RefusedError("abort", "both have moved: it is too late to abort the game")
        self._check_waiting(held, act, self.abort_at, now)
        return [self._event(EventType.ABORTED, now, player=held[0], id=act.id)]

    def _claim(self, held: tuple[Player, ...], act: Act, now: int) -> list[Event]:
        self._check_waiting(held, act, self.claim_at, now)
        return [self._event(EventType.CLAIMED, now, player=held[0], id=act.id)]

    def _check_waiting(
        self, held: tuple[Player, ...], act: Act, until: int | None, now: int
    ) -> None:
        """Raise ``RefusedError`` unless the other player was waited for long enough."""
        if self.settings.opponent is not Opponent.FRIEND:
            raise RefusedError("opponent", "this can be done only where two people play")
        self._check_playing()
        self._check_ply(act)
        if self.position.mover in held:
            raise RefusedError("turn", "it is your own turn")
        if until is None:
            raise RefusedError("early", "the other player is here")
        if now < until:
            seconds = -(-(until - now) // MILLISECONDS)
            raise RefusedError("early", f"wait for the other player: {seconds} seconds more")

    def _is_awaited(self, player: Player) -> bool:
        return self.is_between_people and self.position.mover is player

    def _acting(self, held: tuple[Player, ...]) -> Player:
        """Return for whom an act is: on one screen for the mover."""
        return held[0] if len(held) == 1 else self.position.mover

    def _check_playing(self) -> None:
        if self.status is Status.WAITING:
            raise RefusedError("waiting", "the other seat has not been taken yet")
        if self.status is Status.OVER:
            raise RefusedError("over", "the game is over")

    def _check_turn(self, held: tuple[Player, ...]) -> None:
        mover = self.position.mover
        if mover not in held:
            raise RefusedError("turn", f"it is {self.game.rulebook.symbol(mover)}'s turn")

    def _check_ply(self, act: Act) -> None:
        if act.ply != self.ply:
            raise RefusedError("stale", f"the game is at ply {self.ply}, not {act.ply}")

    def _beginning(self, now: int) -> Event:
        first = self._series.next_first() or Player(secrets.choice(tuple(Player)))
        return self._event(EventType.BEGUN, now, first=first)

    def _event(self, type_: EventType, now: int, **details: object) -> Event:
        return Event(self.version + 1, max(now, self._at), type_, **details)  # type: ignore[arg-type]

    # What has happened

    def apply(self, event: Event) -> None:
        """Let an event, which is the next one, change the room."""
        if event.id is not None:
            ply = self.ply if event.ply is None else event.ply
            answered = _Answered(event, len(self._series.records), ply)
            self._answered[event.by or event.player, event.id] = answered
        _CHANGES[event.type](self, event)
        self.version = event.version
        self._at = event.at

    def _apply_joined(self, event: Event) -> None:
        place = self._open_seat - 1
        seat = self.seats[place]
        self.seats[place] = msgspec.structs.replace(
            seat, name=event.name or seat.name, holder=event.holder
        )
        self._series = self._new_series()

    def _apply_begun(self, event: Event) -> None:
        first = event.first or Player.ONE
        date = datetime.fromtimestamp(event.at / MILLISECONDS, UTC).strftime("%Y.%m.%d")
        self._series.begin_next(date, lambda: first)
        self._requests.clear()
        self._end_turn(event)
        if self.clock:
            self.clock.reset()

    def _apply_played(self, event: Event) -> None:
        player = self.position.mover
        self.match.play(self.game.cell(event.cell or ""))
        self._end_turn(event)
        if self.clock:
            self.clock.press(player, self.position.mover, event.at)
        self._run_clock(event)

    def _apply_undone(self, event: Event) -> None:
        self.match.undo(event.player)
        if event.by and event.player:
            del self._requests[Offer.UNDO, event.player]
        self._end_turn(event)
        if self.clock:
            self.clock.rewind(self.ply, event.at)
        self._run_clock(event)

    def _apply_resigned(self, event: Event) -> None:
        self.match.resign(event.player)
        self._end_turn(event)
        self._run_clock(event)

    def _apply_flagged(self, event: Event) -> None:
        self.match.run_out_of_time()
        self._end_turn(event)
        self._run_clock(event)

    def _apply_aborted(self, event: Event) -> None:
        self.match.abort()
        self._end_turn(event)
        self._run_clock(event)

    def _apply_claimed(self, event: Event) -> None:
        self.match.abandon()
        self._end_turn(event)
        self._run_clock(event)

    def _apply_away(self, event: Event) -> None:
        self._away_since = event.at

    def _apply_back(self, event: Event) -> None:  # noqa: ARG002
        self._away_since = None

    def _apply_offered(self, event: Event) -> None:
        if event.what and event.player:
            self.offer = (event.what, event.player)
            self._requests[self.offer] += 1

    def _apply_declined(self, event: Event) -> None:  # noqa: ARG002
        self.offer = None

    def _apply_rematched(self, event: Event) -> None:
        self.rematch = event.room
        self.offer = None

    def _end_turn(self, event: Event) -> None:
        """Wait for the mover anew, and let nothing stand that was asked for or known before."""
        self.offer = None
        self.changed_at = event.at
        self._away_since = None

    def _run_clock(self, event: Event) -> None:
        """Let the clock run for the mover; before the first action and after the end for nobody."""
        if self.clock:
            is_running = self.status is Status.PLAYING and self.ply > 0
            self.clock.run(self.position.mover if is_running else None, event.at)

    def _new_series(self) -> Series:
        settings = self.settings
        one, two = self.seats
        players = (one.who(Player.ONE), two.who(Player.TWO))
        return Series(
            self.game, players, settings.terms(), self._first, _keep_nothing, setup=self.setup
        )


_CHANGES = {
    EventType.JOINED: Room._apply_joined,
    EventType.BEGUN: Room._apply_begun,
    EventType.PLAYED: Room._apply_played,
    EventType.UNDONE: Room._apply_undone,
    EventType.RESIGNED: Room._apply_resigned,
    EventType.FLAGGED: Room._apply_flagged,
    EventType.OFFERED: Room._apply_offered,
    EventType.DECLINED: Room._apply_declined,
    EventType.REMATCHED: Room._apply_rematched,
    EventType.ABORTED: Room._apply_aborted,
    EventType.CLAIMED: Room._apply_claimed,
    EventType.AWAY: Room._apply_away,
    EventType.BACK: Room._apply_back,
}

_COMMANDS = {
    EventType.BEGUN: Command.NEXT,
    EventType.PLAYED: Command.PLAY,
    EventType.UNDONE: Command.UNDO,
    EventType.RESIGNED: Command.RESIGN,
    EventType.DECLINED: Command.DECLINE,
    EventType.REMATCHED: Command.REMATCH,
    EventType.ABORTED: Command.ABORT,
    EventType.CLAIMED: Command.CLAIM,
}
"""What a player does that such an event comes of it, where nobody else has to agree."""


def _check_seat(held: tuple[Player, ...]) -> None:
    if not held:
        raise RefusedError("seat", "you are watching: only those who hold a seat can do this")


def _keep_nothing(_: object) -> None:
    """Do nothing: events are kept before they are applied, and records follow from them."""
