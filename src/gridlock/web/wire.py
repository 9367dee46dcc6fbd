"""What the server says about rooms and positions, as it goes over the wire."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

import msgspec

from gridlock.grid import cells_of
from gridlock.match import Score, Starter
from gridlock.model import Effect, Player
from gridlock.sentences import (
    as_sentence,
    describe_player,
    ending,
    place_in_series,
    series_result,
)
from gridlock.web.event import Event, EventType, Offer
from gridlock.web.room import Room, Status
from gridlock.web.settings import ClockTerms, Opponent

if TYPE_CHECKING:
    from gridlock.grid import Grid
    from gridlock.model import Position, Rulebook
    from gridlock.record import Record


class Board(msgspec.Struct, frozen=True):
    """A position as there is to draw; ``cells`` has a character for each, in reading order.

    ``.`` is empty, ``1`` and ``2`` are the players', ``#`` is blocked.  ``legal`` are the cells
    that the mover may choose, ``effect`` is what that does to the cell, and ``closed`` are the
    free ones that are closed to the mover for good.
    ``closed_to`` has a character for each cell too: to whom a free one is closed for good, to
    player ``1`` or ``2``, to both ``*``, or to nobody ``.``.
    """

    position: str
    rows: int
    columns: int
    cells: str
    mover: Player
    phase: str
    task: str
    effect: Effect
    legal: tuple[str, ...]
    closed: tuple[str, ...]
    closed_to: str
    goals: tuple[str | None, str | None]
    winner: Player | None


class ClockFace(msgspec.Struct, frozen=True):
    """The milliseconds that each player had left ``at`` a time, and whose time runs."""

    left: tuple[int, int]
    running: Player | None
    at: int


class OpenOffer(msgspec.Struct, frozen=True):
    """What a player has asked the other one for."""

    what: Offer
    player: Player


class View(msgspec.Struct, frozen=True):
    """All of a room that changes with its events, but for its list of moves.

    ``abort_at`` is from when the player who is not to move may abort the game, as the mover has
    yet to make a first move; ``claim_at`` is from when they may claim it, as the mover is away.
    ``changed_at`` is when the board last changed, or the game ended; null before the first game.
    All are the server's time in milliseconds, as ``now`` is, or null.  ``place`` is which game of
    a series it is, in words, and ``series`` how it has ended; each is empty where there is nothing
    to say.  ``undo`` are the players whose last turn can be taken back.
    """

    version: int
    number: int
    place: str
    ply: int
    status: Status
    board: Board
    last: tuple[str, ...]
    winner: Player | None
    termination: str | None
    ending: str | None
    tally: tuple[int, int]
    finished: bool
    series: str
    undo: tuple[Player, ...]
    clock: ClockFace | None
    now: int
    changed_at: int | None
    abort_at: int | None
    claim_at: int | None
    offer: OpenOffer | None
    rematch: str | None


class PhaseInfo(msgspec.Struct, frozen=True):
    """One of the actions of a turn.

    ``noun`` is what it is called, ``task`` what its player has to do, and ``effect`` what that does
    to the cell.
    """

    name: str
    noun: str
    task: str
    effect: Effect


class Rules(msgspec.Struct, frozen=True):
    """What there is to know of the rulebook of a room, or of a lesson."""

    id: str
    title: str
    symbols: tuple[str, str]
    counting: int
    actions_per_turn: int
    phases: tuple[PhaseInfo, ...]
    has_tokens: bool


class SeatView(msgspec.Struct, frozen=True):
    """Who sits there."""

    kind: Literal["person", "computer"]
    name: str
    level: int | None
    taken: bool


class SeriesTerms(msgspec.Struct, frozen=True):
    """The length of a series and what counts."""

    rounds: int | None
    target: int | None
    score: Score
    starter: Starter


class FinishedGame(msgspec.Struct, frozen=True):
    """A game that was played to its end."""

    first: Player
    moves: tuple[str, ...]
    winner: Player
    termination: str | None


class State(msgspec.Struct, frozen=True):
    """A whole room as somebody sees it who holds the seats of ``you``.

    In what is sent to everybody ``you`` is null: nothing has changed in it.  ``setup`` is the text
    of the position in which every game begins, null where that is the start of the game.
    """

    room: str
    rulebook: Rules
    size: str
    seats: tuple[SeatView, SeatView]
    you: tuple[Player, ...] | None
    opponent: Opponent
    clock: ClockTerms | None
    terms: SeriesTerms | None
    setup: str | None
    first: Player
    moves: tuple[str, ...]
    movers: tuple[Player, ...]
    games: tuple[FinishedGame, ...]
    view: View


def show_phases(rulebook: Rulebook) -> tuple[PhaseInfo, ...]:
    """Return the actions of a turn, in their order."""
    return tuple(
        PhaseInfo(phase.name, phase.noun, phase.task, phase.effect) for phase in rulebook.phases
    )


def show_rules(rulebook: Rulebook) -> Rules:
    """Return what there is to know of a rulebook whose name is known."""
    return Rules(
        rulebook.id,
        rulebook.title,
        rulebook.symbols,
        rulebook.counting,
        rulebook.actions_per_turn,
        show_phases(rulebook),
        rulebook.has_tokens,
    )


def show_board(position: Position) -> Board:
    """Return a position as there is to draw."""
    game = position.game
    marks = {"1": position.marks(Player.ONE), "2": position.marks(Player.TWO)}
    closed_to_one, closed_to_two = (position.closed_to(player) for player in Player)
    closed = {"1": closed_to_one, "2": closed_to_two, "*": closed_to_one & closed_to_two}
    one, two = (position.goal(player) for player in Player)
    return Board(
        position=str(position),
        rows=game.grid.rows,
        columns=game.grid.columns,
        cells=_characters(game.grid, {**marks, "#": position.blocked}),
        mover=position.mover,
        phase=position.phase,
        task=position.upcoming.task,
        effect=position.upcoming.effect,
        legal=game.names(position.legal),
        closed=game.names(position.closed),
        closed_to=_characters(game.grid, closed),
        goals=(None if one is None else game.name(one), None if two is None else game.name(two)),
        winner=position.winner,
    )


def _characters(grid: Grid, masks: dict[str, int]) -> str:
    """Return a character for each cell: that of the last mask that holds it, or ``.``."""
    characters = ["."] * grid.cell_count
    for character, mask in masks.items():
        for cell in cells_of(mask):
            characters[cell] = character
    return "".join(characters)


def show_view(room: Room, now: int) -> View:
    """Return what changes in a room."""
    position = room.position
    record = room.series.records[-1] if room.series.records else None
    winner = record.result if record else None
    clock = room.clock
    terms = room.series.terms
    number = max(1, len(room.series.records))
    return View(
        version=room.version,
        number=number,
        place=place_in_series(number, terms.rounds, terms.target) if terms else "",
        ply=room.ply,
        status=room.status,
        board=show_board(position),
        last=_last_turn(room),
        winner=winner,
        termination=record.termination if record else None,
        ending=ending(position, winner, record.termination) if record and record.is_over else None,
        tally=room.series.tally,
        finished=room.is_finished,
        series=_series_result(room),
        undo=room.undoable,
        clock=ClockFace((clock.left[0], clock.left[1]), clock.running, clock.since)
        if clock
        else None,
        now=now,
        changed_at=room.changed_at or None,
        abort_at=room.abort_at,
        claim_at=room.claim_at,
        offer=OpenOffer(*room.offer) if room.offer else None,
        rematch=room.rematch,
    )


def show_state(room: Room, you: tuple[Player, ...] | None, now: int) -> State:
    """Return a whole room as somebody sees it."""
    rulebook = room.game.rulebook
    records = room.series.records
    record = records[-1] if records else None
    terms = room.series.terms
    return State(
        room=room.id,
        rulebook=show_rules(rulebook),
        size=str(room.game.grid),
        seats=(_show_seat(room, Player.ONE), _show_seat(room, Player.TWO)),
        you=you,
        opponent=room.settings.opponent,
        clock=room.settings.clock,
        terms=SeriesTerms(terms.rounds, terms.target, terms.score, terms.starter)
        if terms
        else None,
        setup=str(room.setup) if room.setup else None,
        first=record.first if record else room.position.mover,
        moves=_names(record) if record else (),
        movers=tuple(room.match.movers) if record else (),
        games=tuple(
            FinishedGame(record.first, _names(record), record.result, record.termination)
            for record in records
            if record.result
        ),
        view=show_view(room, now),
    )


def _series_result(room: Room) -> str:
    if not room.series.terms or not room.is_finished:
        return ""
    is_decided = room.series.records[-1].result is not None
    name = room.game.rulebook.symbol
    if room.settings.opponent is not Opponent.SELF:
        name = partial(_show_name, room)
    return as_sentence(series_result(room.series.tally, name, is_decided=is_decided))


def _show_name(room: Room, player: Player) -> str:
    who = room.seats[player - 1].who(player)
    return describe_player(who) if room.seats[player - 1].level is not None else who


def _show_seat(room: Room, player: Player) -> SeatView:
    seat = room.seats[player - 1]
    is_computer = seat.level is not None
    return SeatView(
        kind="computer" if is_computer else "person",
        name=_show_name(room, player),
        level=seat.level,
        taken=is_computer or seat.holder is not None,
    )


def _last_turn(room: Room) -> tuple[str, ...]:
    """Return the cells of the last turn, finished or not."""
    if not room.ply:
        return ()
    movers, moves = room.match.movers, room.match.record.moves
    begin = len(moves) - 1
    while begin > 0 and movers[begin - 1] is movers[-1]:
        begin -= 1
    return tuple(room.game.name(cell) for cell in moves[begin:])


def _names(record: Record) -> tuple[str, ...]:
    return tuple(record.game.name(cell) for cell in record.moves)


class StateMessage(msgspec.Struct, frozen=True, tag="state"):
    """The whole room, and the events since the version that was seen last."""

    state: State
    missed: tuple[Event, ...] = ()


class Move(msgspec.Struct, frozen=True):
    """An action of a game: the cell, and who chose it."""

    cell: str
    player: Player


class EventMessage(msgspec.Struct, frozen=True, tag="event"):
    """One event, and all that it changed: the view, and the move that the list of moves grows by.

    After an event that changes more, the whole state is told instead.
    """

    event: Event
    view: View
    move: Move | None


_SHOWN_WHOLE = {EventType.JOINED, EventType.BEGUN, EventType.UNDONE}


def show_event(room: Room, event: Event, now: int) -> StateMessage | EventMessage:
    """Return what everybody in a room is told of its last event."""
    if event.type in _SHOWN_WHOLE:
        return StateMessage(show_state(room, None, now), (event.public(),))
    move = None
    if event.type is EventType.PLAYED and event.cell and event.player:
        move = Move(event.cell, event.player)
    return EventMessage(event.public(), show_view(room, now), move)


class RefusedMessage(msgspec.Struct, frozen=True, tag="refused"):
    """Why an act was not done."""

    id: str | None
    code: str
    detail: str


class WatchingMessage(msgspec.Struct, frozen=True, tag="watching"):
    """Who is connected: how many without a seat, and whether players 1 and 2 are."""

    watchers: int
    here: tuple[bool, bool]


class PongMessage(msgspec.Struct, frozen=True, tag="pong"):
    """The answer to a ping: who has not seen this version has missed something."""

    version: int


class DelayMessage(msgspec.Struct, frozen=True, tag="delay"):
    """Whether moves may come a second or two late at the moment."""

    delayed: bool
