"""What a room is made for: the game, who sits there, the clock and the length."""

from __future__ import annotations

import hashlib
import secrets
from enum import StrEnum
from typing import Annotated

import msgspec

from gridlock.match import Score, Starter, Terms
from gridlock.model import Player
from gridlock.players import COMPUTER

_ROOM_BYTES = 9  # of an id: 72 bits, 12 characters
_SECRET_BYTES = 24
_LONGEST = 24 * 60 * 60  # seconds


class ClockTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much time a player has for a game, and gets back for each turn, in seconds."""

    base: Annotated[int, msgspec.Meta(ge=1, le=_LONGEST)]
    increment: Annotated[int, msgspec.Meta(ge=0, le=_LONGEST)] = 0


class Opponent(StrEnum):
    """Whom the maker of a room plays: a computer, a friend by link, or somebody beside them."""

    COMPUTER = "computer"
    FRIEND = "friend"
    SELF = "self"


class Seat(msgspec.Struct, frozen=True):
    """Who sits on one side: a person by the hash of their secret, or a computer by its level.

    A person's name may be empty: then they go by the number of the side they sit on, which
    a rematch changes.
    """

    name: str
    holder: str | None = None
    level: int | None = None

    def who(self, player: Player) -> str:
        """Return the player as records name them."""
        if self.level is not None:
            return f"{COMPUTER}:{self.level}"
        return self.name or f"Player {player}"


class Settings(msgspec.Struct, frozen=True):
    """All that is decided when a room is made; ``invite`` is the hash of the friend's link."""

    game: str
    size: str
    opponent: Opponent
    seats: tuple[Seat, Seat]
    first: Player | str | None
    """Who begins, None for a toss; or the text of the position in which every game begins.

    A release that knows no such rooms cannot read this.  In a field of its own it would overlook
    the position, and write moves to the room that no other process could follow.
    """
    clock: ClockTerms | None = None
    rounds: int | None = None
    target: int | None = None
    score: Score = Score.WINS
    starter: Starter = Starter.ALTERNATE
    invite: str | None = None

    def terms(self) -> Terms | None:
        """Return the terms of the series, None for a single game."""
        if self.rounds is None and self.target is None:
            return None
        return Terms(self.rounds, self.target, self.score, self.starter)


def new_room() -> str:
    """Return an id that cannot be guessed, nor taken for an option of a command."""
    while (id_ := secrets.token_urlsafe(_ROOM_BYTES)).startswith("-"):
        pass
    return id_


def new_secret() -> str:
    """Return what holds a seat, or invites to one."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def hashed(secret: str) -> str:
    """Return what is stored of a secret; it is random and long, so one plain hash hides it."""
    return hashlib.sha256(secret.encode()).hexdigest()
