"""How command lines name a position: by the moves that lead there, or by its text."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import click

from gridlock.cli.options import make_game
from gridlock.errors import GridlockError, NotationError
from gridlock.notation import board_of
from gridlock.record import read_moves

if TYPE_CHECKING:
    from gridlock.grid import Grid
    from gridlock.model import Position, Rulebook

    Ends = tuple[Position, Position]
    """Where a game began, and where it stands."""

MOVES = click.option("--moves", metavar="MOVES", help='The moves so far, for example "3,3 1,1".')
POSITION = click.option(
    "--position", metavar="TEXT", help="A position text: rows, mover and last field."
)


def set_up(
    rulebook: Rulebook, size: Grid | None, first: int, moves: str | None, text: str | None
) -> tuple[Ends, tuple[int, ...]]:
    """Return where a game began and where it stands, and the moves between.

    A position text says by itself how large its board is.  Raises ``click.BadParameter``.
    """
    if text is not None and size is None:
        with contextlib.suppress(NotationError):  # said when it is read
            size = board_of(text)
    game = make_game(rulebook, size)
    try:
        if text is not None:
            present = game.position(text)
            return (present, present), ()
        played = read_moves(game, moves or "")
        positions = game.replay(first, played)
    except GridlockError as error:
        option = "--moves" if text is None else "--position"
        raise click.BadParameter(str(error), param_hint=f"'{option}'") from None
    return (positions[0], positions[-1]), played
