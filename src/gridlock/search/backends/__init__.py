"""The searches of all kinds of rulebooks; a kind without one of its own is searched plainly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.rulebooks.placement import PlacementRulebook
from gridlock.rulebooks.race import RaceRulebook
from gridlock.search.backends.placement import PlacementBackend
from gridlock.search.backends.plain import PlainBackend
from gridlock.search.backends.race import RaceBackend
from gridlock.search.theorems import ALL, Theorem

if TYPE_CHECKING:
    from gridlock.model import Game, Rulebook
    from gridlock.search.backends.base import Backend

BACKENDS: dict[type[Rulebook], type[Backend]] = {
    PlacementRulebook: PlacementBackend,
    RaceRulebook: RaceBackend,
}
"""The search of each kind of rulebook, by its class."""


def backend_of(game: Game, use: Theorem = ALL, *, is_misere: bool = False) -> Backend:
    """Return a new backend for a game; it belongs to one solver."""
    kinds = type(game.rulebook).__mro__
    backend = next((BACKENDS[kind] for kind in kinds if kind in BACKENDS), PlainBackend)
    return backend(game, use, is_misere=is_misere)
