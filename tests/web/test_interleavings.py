"""Two clients who act at any time, lose answers, send again and reconnect: one true game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from gridlock.record import read_record
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.web.event import Act, Deed, Event, Happening
from gridlock.web.room import RefusedError, Room
from gridlock.web.settings import ClockTerms
from gridlock.web.wire import show_state
from tests.web import rooms
from tests.web.rooms import ANN, BOB, Sitting

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
        st.sampled_from(["play", "play", "play", "resend", "hear", "reconnect", "late", *Deed]),
        st.integers(0, 1),
        st.integers(0, 50),
    ),
    max_size=60,
)


@settings(max_examples=150)
@given(st.sampled_from(sorted(RULEBOOKS)), _steps, st.booleans(), st.sampled_from([None, 2]))
def test_any_interleaving_leaves_one_game_that_both_have_seen(
    game: str, steps: list[Step], has_clock: bool, rounds: int | None
) -> None:
    clock = ClockTerms(30, 1) if has_clock else None
    terms = rooms.settings(game=game, size=_SIZES[game], clock=clock, rounds=rounds)
    sitting = Sitting(terms)
    clients = [Client(secret, terms, list(sitting.events)) for secret in (ANN, BOB)]
    for step in steps:
        take(step, sitting, clients)
        check(sitting)
    for client in clients:
        reconnect(client, sitting)
        assert client.events == sitting.events
        for act in client.unanswered:  # whatever was done before is not done again
            send(client, act, sitting)
            version = sitting.room.version
            if sitting.room.done(sitting.room.held_by(client.secret), act):
                send(client, act, sitting)
                assert sitting.room.version == version


def take(step: Step, sitting: Sitting, clients: list[Client]) -> None:
    """Let a client do something, or let time pass."""
    kind, which, number = step
    client = clients[which]
    sitting.now += 100 * number
    sitting.happen(sitting.room.overdue(sitting.now))
    if kind == "hear":
        client.events = sitting.events[: max(len(client.events), number)]
    elif kind == "reconnect":
        reconnect(client, sitting)
    elif kind == "resend":
        for act in list(client.unanswered):
            send(client, act, sitting)
    else:
        deed = Deed(kind) if kind in tuple(Deed) else Deed.PLAY
        ply = client.ply if kind == "late" else sitting.room.ply
        legal = sitting.room.position.legal_cells() or (0,)
        cell = sitting.room.game.name(legal[number % len(legal)])
        client.sent += 1
        act = Act(f"{client.sent}", ply, deed, cell if deed is Deed.PLAY else None)
        client.unanswered.append(act)
        send(client, act, sitting)


def send(client: Client, act: Act, sitting: Sitting) -> None:
    """Send an act; its answer may be lost, so it stays unanswered until the client reconnects."""
    room = sitting.room
    held = room.held_by(client.secret)
    before = room.done(held, act)
    try:
        happened = sitting.happen(room.answer(held, act, sitting.now))
    except RefusedError:
        return
    assert len(happened) == (0 if before else 1)
    assert room.done(held, act) == (happened[-1] if happened else before)


def reconnect(client: Client, sitting: Sitting) -> None:
    """Hear of everything since the last version, as the server tells it."""
    since = client.events[-1].version
    client.events += [event for event in sitting.events if event.version > since]
    heard = {event.id for event in client.events if event.id}
    client.unanswered = [act for act in client.unanswered if act.id not in heard]


def check(sitting: Sitting) -> None:
    """Whatever has happened: events count up, no act counts twice, and they tell all."""
    room, events = sitting.room, sitting.events
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
    plays = sum(event.type is Happening.PLAYED for event in events)
    assert plays >= len(record.moves)
