"""Two clients who act at any time, lose answers, send again and reconnect: one true game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from gridlock.record import read_record
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.web.event import Act, Command, Event, EventType
from gridlock.web.room import RefusedError, Room
from gridlock.web.settings import ClockTerms
from gridlock.web.wire import show_state
from tests.conftest import examples
from tests.web import rooms
from tests.web.rooms import ANN, BOB, Session

if TYPE_CHECKING:
    from gridlock.web.settings import Settings

_SIZES = {"occupation": "3x4", "duel": "4x4", "claim": "3x4", "trail": "3x3", "race": "3x3"}


@dataclass
class Client:
    """What one player has seen, and what they have sent without hearing of it."""

    secret: str
    terms: Settings
    events: list[Event]
    unanswered: list[Act] = field(default_factory=list)
    sent: int = 0

    @property
    def ply(self) -> int:
        """The ply that the player has seen last."""
        return Room("room", self.terms, self.events).ply


Step = tuple[str, int, int]
_steps = st.lists(
    st.tuples(
        st.sampled_from(["play", "play", "play", "resend", "hear", "reconnect", "late", *Command]),
        st.integers(0, 1),
        st.integers(0, 50),
    ),
    max_size=60,
)


@examples(150)
@given(st.sampled_from(sorted(RULEBOOKS)), _steps, st.booleans(), st.sampled_from([None, 2]))
def test_any_interleaving_leaves_one_game_that_both_have_seen(
    game: str, steps: list[Step], has_clock: bool, rounds: int | None
) -> None:
    clock = ClockTerms(30, 1) if has_clock else None
    terms = rooms.settings(game=game, size=_SIZES[game], clock=clock, rounds=rounds)
    session = Session(terms)
    clients = [Client(secret, terms, list(session.events)) for secret in (ANN, BOB)]
    for step in steps:
        take(step, session, clients)
        check(session)
    for client in clients:
        reconnect(client, session)
        assert client.events == session.events
        for act in client.unanswered:  # whatever was done before is not done again
            send(client, act, session)
            version = session.room.version
            if session.room.done(session.room.held_by(client.secret), act):
                send(client, act, session)
                assert session.room.version == version


def take(step: Step, session: Session, clients: list[Client]) -> None:
    """Let a client do something, or let time pass."""
    kind, which, number = step
    client = clients[which]
    session.now += 100 * number
    session.happen(session.room.overdue(session.now))
    if kind == "hear":
        client.events = session.events[: max(len(client.events), number)]
    elif kind == "reconnect":
        reconnect(client, session)
    elif kind == "resend":
        for act in list(client.unanswered):
            send(client, act, session)
    else:
        command = Command(kind) if kind in tuple(Command) else Command.PLAY
        ply = client.ply if kind == "late" else session.room.ply
        legal = session.room.position.legal_cells() or (0,)
        cell = session.room.game.name(legal[number % len(legal)])
        client.sent += 1
        act = Act(f"{client.sent}", ply, command, cell if command is Command.PLAY else None)
        client.unanswered.append(act)
        send(client, act, session)


def send(client: Client, act: Act, session: Session) -> None:
    """Send an act; its answer may be lost, so it stays unanswered until the client reconnects."""
    room = session.room
    held = room.held_by(client.secret)
    before = room.done(held, act)
    try:
        happened = session.happen(room.answer(held, act, session.now))
    except RefusedError:
        return
    assert len(happened) == (0 if before else 1)
    assert room.done(held, act) == (happened[-1] if happened else before)


def reconnect(client: Client, session: Session) -> None:
    """Hear of everything since the last version, as the server tells it."""
    since = client.events[-1].version
    client.events += [event for event in session.events if event.version > since]
    heard = {event.id for event in client.events if event.id}
    client.unanswered = [act for act in client.unanswered if act.id not in heard]


def check(session: Session) -> None:
    """Whatever has happened: events count up, no act counts twice, and they tell all."""
    room, events = session.room, session.events
    assert [event.version for event in events] == list(range(1, len(events) + 1))
    assert [event.at for event in events] == sorted(event.at for event in events)
    acts = [(event.by or event.player, event.id) for event in events if event.id]
    assert len(acts) == len(set(acts))
    again = Room("room", room.settings, events)
    assert msgspec.json.encode(show_state(again, None, 0)) == msgspec.json.encode(
        show_state(room, None, 0)
    )
    record = room.match.record
    assert read_record(str(record)).moves == record.moves
    plays = sum(event.type is EventType.PLAYED for event in events)
    assert plays >= len(record.moves)
