"""GridLock: five lock-out grid games to play, save, solve and program."""

from typing import TYPE_CHECKING

from gridlock.errors import (
    FaultError,
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
from gridlock.model import Detail, Effect, Game, Phase, Player, Position, Reason, Refusal, Rulebook
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
    from gridlock.engine import Engine, Hint
    from gridlock.search.analysis import Action, Analysis, Value, analyse
    from gridlock.search.review import Review, ReviewedAction, review
    from gridlock.search.settings import Limit, Settings
    from gridlock.search.solution import Solution
    from gridlock.search.solver import Progress, Solver
    from gridlock.search.theorems import Theorem

__version__ = "0.4.0"

_LAZY = {
    "engine": ("Engine", "Hint"),
    "search.analysis": ("Action", "Analysis", "Value", "analyse"),
    "search.review": ("Review", "ReviewedAction", "review"),
    "search.settings": ("Limit", "Settings"),
    "search.solution": ("Solution",),
    "search.solver": ("Progress", "Solver"),
    "search.theorems": ("Theorem",),
}
"""Names imported on first use, so that games start sooner."""

__all__ = [
    "RULEBOOKS",
    "Action",
    "Analysis",
    "Detail",
    "Effect",
    "Engine",
    "FaultError",
    "Game",
    "Grid",
    "GridlockError",
    "Hint",
    "IllegalMoveError",
    "Limit",
    "LimitError",
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
    "Settings",
    "SizeError",
    "Solution",
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
    for module, names in _LAZY.items():
        if name in names:
            from importlib import import_module

            found: object = getattr(import_module(f"gridlock.{module}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
