"""Rooms for tests, made without a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.match import Starter
from gridlock.model import Player
from gridlock.web.event import Act, Command, Event
from gridlock.web.room import Room
from gridlock.web.settings import Opponent, Seat, Settings, hashed

if TYPE_CHECKING:
    from gridlock.web.settings import ClockTerms

ANN, BOB, INVITE = "ann's secret", "bob's secret", "an invitation"


def settings(
    opponent: Opponent = Opponent.FRIEND,
    game: str = "duel",
    size: str = "5x5",
    *,
    first: Player | None = Player.ONE,
    clock: ClockTerms | None = None,
    rounds: int | None = None,
    starter: Starter = Starter.ALTERNATE,
    level: int = 8,
) -> Settings:
    """Return settings in which Ann plays Bob, a computer or herself."""
    other = {
        Opponent.FRIEND: Seat(""),
        Opponent.COMPUTER: Seat("computer", level=level),
        Opponent.SELF: Seat("", hashed(ANN)),
    }[opponent]
    return Settings(
        game,
        size,
        opponent,
        (Seat("Ann", hashed(ANN)), other),
        first,
        clock,
        rounds=rounds,
        starter=starter,
        invite=hashed(INVITE) if opponent is Opponent.FRIEND else None,
    )


class Session:
    """A room, its events, and a time of day that goes only where it is told."""

    def __init__(self, terms: Settings, *, has_joined: bool = True) -> None:
        self.room = Room("room", terms)
        self.events: list[Event] = []
        self.now = 1_000
        self.happen(self.room.opening(self.now))
        if terms.invite and has_joined:
            self.happen(self.room.join(INVITE, "Bob", BOB, self.now))

    def happen(self, events: list[Event]) -> list[Event]:
        for event in events:
            self.room.apply(event)
            self.events.append(event)
        return events

    def act(
        self,
        secret: str,
        do: Command,
        cell: str | None = None,
        *,
        ply: int | None = None,
        id: str | None = None,  # noqa: A002
    ) -> list[Event]:
        """Act, by default in answer to the present ply and with an id of its own."""
        ply = self.room.ply if ply is None else ply
        act = Act(id or f"{self.room.version} {secret}", ply, do, cell)
        held = self.room.held_by(secret)
        return self.happen(self.room.answer(held, act, self.now))

    def play(self, *cells: str) -> None:
        """Let the players take cells in turn."""
        for cell in cells:
            mover = self.room.position.mover
            secret = ANN if self.room.held_by(ANN) == (mover,) else BOB
            if len(self.room.held_by(ANN)) > 1:
                secret = ANN
            self.act(secret, Command.PLAY, cell)

    def play_out(self) -> None:
        """Play the game to its end, each time the first legal cell."""
        while self.room.status == "playing":
            self.play(self.room.game.name(self.room.position.legal_cells()[0]))
