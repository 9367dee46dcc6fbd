"""GridLock: five lock-out grid games, to play, to keep, to solve and to program."""

from typing import TYPE_CHECKING

from gridlock.errors import (
    GridlockError,
    IllegalMoveError,
    LimitError,
    NotationError,
    OutsideError,
    RecordError,
    RulebookError,
    SizeError,
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

if TYPE_CHECKING:
    from gridlock.search.analysis import Action, Analysis, Value, analyse
    from gridlock.search.review import Review, ReviewedAction, review
    from gridlock.search.solver import Limits, Progress, Solver
    from gridlock.search.theorems import Theorem

__version__ = "0.4.0"

_SEARCH = {
    "analysis": ("Action", "Analysis", "Value", "analyse"),
    "review": ("Review", "ReviewedAction", "review"),
    "solver": ("Limits", "Progress", "Solver"),
    "theorems": ("Theorem",),
}
"""Names that are imported only when they are used: games start sooner without them."""

__all__ = [
    "RULEBOOKS",
    "Action",
    "Analysis",
    "Game",
    "Grid",
    "GridlockError",
    "IllegalMoveError",
    "LimitError",
    "Limits",
    "NotationError",
    "OutsideError",
    "Phase",
    "Player",
    "Position",
    "Progress",
    "Reason",
    "Record",
    "RecordError",
    "Refusal",
    "Review",
    "ReviewedAction",
    "Rulebook",
    "RulebookError",
    "SizeError",
    "Solver",
    "StoreError",
    "Theorem",
    "UnknownGameError",
    "Value",
    "__version__",
    "analyse",
    "game",
    "load",
    "placement",
    "read_moves",
    "read_record",
    "read_records",
    "review",
    "write_moves",
    "write_records",
]


def __getattr__(name: str) -> object:
    for module, names in _SEARCH.items():
        if name in names:
            from importlib import import_module

            found: object = getattr(import_module(f"gridlock.search.{module}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
