"""How each rulebook speaks with the people who play it; no rule is decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.cli.dialogues.claim import ClaimDialogue
from gridlock.cli.dialogues.dialogue import Dialogue
from gridlock.cli.dialogues.duel import DuelDialogue
from gridlock.cli.dialogues.occupation import OccupationDialogue
from gridlock.cli.dialogues.plain import PlainDialogue
from gridlock.cli.dialogues.race import RaceDialogue
from gridlock.cli.dialogues.trail import TrailDialogue

if TYPE_CHECKING:
    from gridlock.cli.console import Console
    from gridlock.model import Game

__all__ = ["DIALOGUES", "Dialogue", "dialogue_of"]

DIALOGUES: dict[str, type[Dialogue]] = {
    "occupation": OccupationDialogue,
    "duel": DuelDialogue,
    "claim": ClaimDialogue,
    "trail": TrailDialogue,
    "race": RaceDialogue,
}
"""The rulebooks that have words of their own; every other game speaks plainly."""


def dialogue_of(game: Game, console: Console) -> Dialogue:
    """Return the dialogue of a game."""
    return DIALOGUES.get(game.rulebook.id, PlainDialogue)(game, console)
