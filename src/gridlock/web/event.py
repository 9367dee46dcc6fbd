"""What happens in a room, one event after the other, and what a player can do about it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

from gridlock.model import Player


class Command(StrEnum):
    """What a player can do."""

    PLAY = "play"
    RESIGN = "resign"
    UNDO = "undo"
    REMATCH = "rematch"
    AGREE = "agree"
    DECLINE = "decline"
    NEXT = "next"
    ABORT = "abort"
    CLAIM = "claim"


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that a player does: ``ply`` is the number of actions that they have seen.

    ``id`` is any text that the player uses once; sent again, it is answered again, not done again.
    ``number`` is the game of the room that is meant: with it nothing comes too late for its game.
    """

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    ply: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    do: Command
    cell: Annotated[str, msgspec.Meta(max_length=20)] | None = None
    number: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None


class EventType(StrEnum):
    """The kinds of events."""

    JOINED = "joined"
    BEGUN = "begun"
    PLAYED = "played"
    UNDONE = "undone"
    RESIGNED = "resigned"
    FLAGGED = "flagged"
    OFFERED = "offered"
    DECLINED = "declined"
    REMATCHED = "rematched"
    ABORTED = "aborted"
    CLAIMED = "claimed"
    AWAY = "away"
    BACK = "back"


class Offer(StrEnum):
    """What needs the other player's consent."""

    UNDO = "undo"
    REMATCH = "rematch"


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """A change of a room; a room is nothing but its settings and its events.

    ``version`` counts them from 1, ``at`` is the server's time in milliseconds.
    """

    version: int
    at: int
    type: EventType
    player: Player | None = None
    """Who did it, lost by the clock, or is away; or whose turn comes back."""
    cell: str | None = None
    id: str | None = None
    """The act that brought it about."""
    ply: int | None = None
    """That of the act, where the game was at another: one may resign at any."""
    by: Player | None = None
    """Who acted, where that is not ``player``."""
    what: Offer | None = None
    name: str | None = None
    """Of the player who joined."""
    room: str | None = None
    """Where the rematch is."""
    first: Player | None = None
    """Who begins the game."""
    holder: str | None = None
    """The hashed secret of the seat that was taken; never shown."""

    def public(self) -> Event:
        """Return what everybody may see of it."""
        return msgspec.structs.replace(self, holder=None) if self.holder else self
