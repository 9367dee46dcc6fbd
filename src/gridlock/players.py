"""Who may sit at the board, and how those choose who need no person."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from gridlock.errors import NotationError, quote, suggest
from gridlock.search import HIGHEST_LEVEL, LOWEST_LEVEL

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from gridlock.model import Position
    from gridlock.search.solver import Progress, Solver

    Watch = Callable[[Progress], None]

HUMAN = "human"
COMPUTER = "computer"
RANDOM = "random"

MEMORY = 1 << 28
"""The bytes that one player, or one hint, may use to look ahead."""

KINDS = (
    HUMAN,
    COMPUTER,
    *(f"{COMPUTER}:{level}" for level in range(LOWEST_LEVEL, HIGHEST_LEVEL + 1)),
    RANDOM,
)
"""Every kind of player that can be asked for."""

_COMPUTER = re.compile(rf"{COMPUTER}(?::([{LOWEST_LEVEL}-{HIGHEST_LEVEL}]))?")


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


class ComputerPlayer:
    """Chooses as a level does; what it has found out about a game it remembers.

    ``watch`` is handed the progress while it thinks, and may raise an error to end that.
    """

    def __init__(self, level: int, dice: random.Random, watch: Watch | None = None) -> None:
        self._level = level
        self._dice = dice
        self._watch = watch
        self._solver: Solver | None = None

    def choose(self, position: Position) -> int:
        """Return a legal cell of a position that is not over."""
        from gridlock.search.levels import choose
        from gridlock.search.solver import Limits, Solver

        if self._solver is None or self._solver.game != position.game:
            self._solver = Solver(position.game, Limits(memory=MEMORY), watch=self._watch)
        return choose(self._solver, position, self._level, self._dice)


def check_kind(who: str) -> str:
    """Return the kind of player that was asked for, or raise ``NotationError``."""
    who = who.lower()
    if who in KINDS:
        return who
    meant = suggest(who, KINDS) if ":" not in who else None
    choices = (
        f"choose {HUMAN}, {COMPUTER}, {COMPUTER}:{LOWEST_LEVEL} to {COMPUTER}:{HIGHEST_LEVEL}, "
        f"or {RANDOM}"
    )
    way_out = f"did you mean {meant}?" if meant else choices
    raise NotationError(f"there is no player {quote(who)}: {way_out}")


def seat(who: str, dice: random.Random, watch: Watch | None = None) -> Chooser | None:
    """Return the player of this kind, or None for a person; every unknown name is a person's."""
    if who == RANDOM:
        return RandomPlayer(dice)
    if match := _COMPUTER.fullmatch(who):
        return ComputerPlayer(int(match[1] or HIGHEST_LEVEL), dice, watch)
    return None
