"""GridLock: five lock-out grid games, to play, to keep and to program."""

from gridlock.errors import (
    GridlockError,
    IllegalMoveError,
    NotationError,
    OutsideError,
    RecordError,
    RulebookError,
    StoreError,
    UnknownGameError,
)
from gridlock.grid import Grid
from gridlock.model import Game, Phase, Player, Position, Reason, Refusal, Rulebook
from gridlock.record import (
    Record,
    read_moves,
    read_record,
    read_records,
    write_moves,
    write_records,
)
from gridlock.rulebooks.catalogue import RULEBOOKS, game
from gridlock.rulebooks.custom import load, placement

__version__ = "0.1.0"

__all__ = [
    "RULEBOOKS",
    "Game",
    "Grid",
    "GridlockError",
    "IllegalMoveError",
    "NotationError",
    "OutsideError",
    "Phase",
    "Player",
    "Position",
    "Reason",
    "Record",
    "RecordError",
    "Refusal",
    "Rulebook",
    "RulebookError",
    "StoreError",
    "UnknownGameError",
    "__version__",
    "game",
    "load",
    "placement",
    "read_moves",
    "read_record",
    "read_records",
    "write_moves",
    "write_records",
]
