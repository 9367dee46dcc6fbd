"""Guided first games: one for each rulebook that has a file in ``lessons``.

A lesson is a short game from the start to a win of player 1, whom the learner plays.  Each of its
steps is a position and a text; most ask for one cell, the others are only read.  A file has the
size of the board and these keys for each step:

- ``moves``: what the other player does before it, or both where the text skips turns;
- ``text``: what there is to see and to know;
- ``task``, ``cell`` and ``otherwise``: what to do, the cell that is meant, and what is said of any
  other legal one; all missing where nothing is asked;
- ``closed_to_1``, ``closed_to_2``, ``open_to_1``, ``open_to_2``, ``blocked`` and ``winner``: what
  the text claims.  Nobody is shown these: tests compare them with the rules.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridlock.model import Game
from gridlock.notation import read_size
from gridlock.sentences import as_sentence, why_refused

if TYPE_CHECKING:
    from gridlock.model import Position, Rulebook

FOLDER = Path(__file__).parent / "lessons"

_PATIENCE = 2  # wrong tries at a step, after which the cell is shown


@dataclass(frozen=True, slots=True)
class Step:
    """A position, what there is to know about it, and the cell that is asked for, if any.

    ``last`` are the actions of the turn that led here: the other player's, or else one's own.
    """

    position: Position
    last: tuple[int, ...]
    text: str
    task: str
    cell: int | None
    otherwise: str

    def why_not(self, cell: int) -> str:
        """Return the sentence that says why a cell is not the one asked for, '' if it is."""
        if cell == self.cell:
            return ""
        if self.cell is None:
            return "There is nothing to choose here: read, and go on."
        reason = why_refused(self.position, cell)
        return as_sentence(reason) if reason else self.otherwise


@dataclass(frozen=True, slots=True)
class Lesson:
    """A game to be learned, on a small board, and the steps of the lesson."""

    game: Game
    steps: tuple[Step, ...]


class Learner:
    """Somebody on the way through a lesson."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.at = 0
        self._wrong_tries = 0

    @property
    def step(self) -> Step:
        """The present step."""
        return self.lesson.steps[self.at]

    @property
    def is_finished(self) -> bool:
        """Whether this is the last step, at which the game is won."""
        return self.at == len(self.lesson.steps) - 1

    @property
    def is_asked(self) -> bool:
        """Whether the present step asks for a cell."""
        return self.step.cell is not None

    @property
    def shown(self) -> int | None:
        """The cell that is asked for, once somebody has tried others in vain."""
        return self.step.cell if self._wrong_tries >= _PATIENCE else None

    def choose(self, cell: int) -> str:
        """Go on if a cell is the one asked for, or return the sentence that says why it is not."""
        reason = self.step.why_not(cell)
        if reason:
            self._wrong_tries += 1
        else:
            self._go_to(self.at + 1)
        return reason

    def go_on(self) -> None:
        """Leave a step that is only read."""
        if not self.is_asked and not self.is_finished:
            self._go_to(self.at + 1)

    def go_back(self) -> None:
        """Return to the step before."""
        self._go_to(max(0, self.at - 1))

    def _go_to(self, at: int) -> None:
        self.at = at
        self._wrong_tries = 0


@lru_cache
def lesson_of(rulebook: Rulebook) -> Lesson | None:
    """Return the lesson of a rulebook, None for one that has none."""
    path = FOLDER / f"{rulebook.id}.toml"
    if not path.is_file():
        return None
    content = tomllib.loads(path.read_text("utf-8"))
    game = Game(rulebook, read_size(content["size"]))
    return Lesson(game, tuple(_read_steps(game, content["steps"])))


def _read_steps(game: Game, written: list[dict[str, Any]]) -> list[Step]:
    """Return the steps, each with the position that the cells before it lead to."""
    position = game.start()
    last: tuple[int, ...] = ()
    steps = []
    for keys in written:
        moves = tuple(map(game.cell, keys.get("moves", ())))
        position = position.replay(moves)[-1]
        cell = game.cell(keys["cell"]) if "cell" in keys else None
        task, otherwise = keys.get("task", ""), keys.get("otherwise", "")
        last = moves[-len(game.rulebook.phases) :] or last
        steps.append(Step(position, last, keys["text"], task, cell, otherwise))
        if cell is not None:
            position, last = position.play(cell), (cell,)
    return steps
