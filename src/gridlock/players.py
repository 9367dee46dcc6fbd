"""Who may sit at the board, and how those choose who need no person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from gridlock.errors import NotationError, quote

if TYPE_CHECKING:
    import random

    from gridlock.model import Position

HUMAN = "human"
RANDOM = "random"
KINDS = (HUMAN, RANDOM)


class Chooser(Protocol):
    """A player that finds its actions by itself."""

    def choose(self, position: Position) -> int:
        """Return a legal cell of a position that is not over."""


class RandomPlayer:
    """Chooses any legal cell, all alike."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def choose(self, position: Position) -> int:
        """Return a legal cell of a position that is not over."""
        return self._dice.choice(position.legal_cells())


def check_kind(who: str) -> str:
    """Return the kind of player that was asked for, or raise ``NotationError``."""
    who = who.lower()
    if who not in KINDS:
        raise NotationError(f"there is no player {quote(who)}: choose {' or '.join(KINDS)}")
    return who


def seat(who: str, dice: random.Random) -> Chooser | None:
    """Return the player of this kind, or None for a person; every unknown name is a person's."""
    return RandomPlayer(dice) if who == RANDOM else None
