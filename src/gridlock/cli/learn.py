"""``gridlock learn``: a guided first game."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import Console, EndOfInput, note
from gridlock.cli.dialogues import dialogue_of
from gridlock.cli.options import OPTIONAL_GAME
from gridlock.cli.picture import draw_cells
from gridlock.errors import NotationError
from gridlock.lesson import Learner, lesson_of
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.sentences import as_sentence

if TYPE_CHECKING:
    from gridlock.lesson import Lesson
    from gridlock.model import Player, Position, Rulebook

_MOST_COLUMNS = 78  # longer lines are hard to read
_OPEN = "*"
_INTRODUCTION = (
    "A first game of {game}, in {count} steps. The cells with a * may be chosen. "
    "Type help to see what you can type, or quit to leave."
)
_HELP = """\
Type a cell as its row and column: {cell}.
You can also type
  help   for this list
  back   to go a step back
  rules  for the rules of the game
  quit   to leave"""


@click.command(
    short_help="Learn a game, step by step.", epilog="Example: gridlock learn occupation"
)
@OPTIONAL_GAME
def learn(rulebook: Rulebook | None) -> None:
    """Play a guided first game of GAME, in two minutes and without knowing the rules.

    Without GAME, list the games that can be learned. Type help at any prompt for a list of
    commands.
    """
    if rulebook is None:
        _list()
        return
    lesson = lesson_of(rulebook)
    if lesson is None:
        raise click.UsageError(f"there is no lesson for {rulebook.id}: gridlock rules explains it")
    try:
        _Teacher(lesson, Console()).run()
    except EndOfInput:
        note(f"To begin again: gridlock learn {rulebook.id}")


def _list() -> None:
    from gridlock.cli.table import print_table

    books = [book for book in RULEBOOKS.values() if lesson_of(book)]
    print_table(("id", "about"), [(book.id, book.about) for book in books])
    click.echo(f"\nBegin with one: gridlock learn {books[0].id}")


class _Teacher:
    """Leads somebody through a lesson."""

    def __init__(self, lesson: Lesson, console: Console) -> None:
        self._learner = Learner(lesson)
        self._game = lesson.game
        self._console = console
        self._dialogue = dialogue_of(lesson.game, console)

    def run(self) -> None:
        """Show step after step; raises ``EndOfInput`` where somebody leaves."""
        game, count = self._game.rulebook.id, len(self._learner.lesson.steps)
        self._say(_INTRODUCTION.format(game=game, count=count))
        while not self._learner.is_finished:
            self._show()
            while not self._ask():
                pass
        self._show()
        self._console.say()
        self._say(f"Now play it: gridlock play {game} --p2 computer:1", "green")

    def _show(self) -> None:
        """Show where the lesson stands."""
        learner, step = self._learner, self._learner.step
        number = f"Step {learner.at + 1} of {len(learner.lesson.steps)}"
        self._console.say(f"\n{number}\n\n{self._draw(step.position)}\n")
        self._say(step.text)
        if step.task:
            self._say(step.task, "green")

    def _say(self, text: str, colour: str | None = None) -> None:
        width = min(self._console.width, _MOST_COLUMNS)
        self._console.say(self._console.colour(textwrap.fill(text, width), colour))

    def _ask(self) -> bool:
        """Do what is typed; tell whether there is something else to show than before."""
        learner = self._learner
        line = self._console.ask("Cell: " if learner.is_asked else "Enter goes on: ").strip()
        commands = {
            "": learner.go_on,
            "help": self._say_help,
            "back": learner.go_back,
            "rules": self._say_rules,
            "quit": self._quit,
        }
        if not line and learner.is_asked:
            self._say(
                f"Type the cell, for example {self._game.name(0)}, and press Enter.", "yellow"
            )
            return False
        if line.lower() in commands:
            commands[line.lower()]()
            return True
        reason = self._try(line)
        if reason:
            self._say(reason, "yellow")
        if learner.shown is not None:
            self._say(f"Type {self._game.name(learner.shown)}.", "green")
        return not reason

    def _try(self, line: str) -> str:
        """Choose the cell that a line names, or return the sentence that says why not."""
        try:
            return self._learner.choose(
                self._dialogue.understand(self._learner.step.position, line)
            )
        except NotationError as error:
            return as_sentence(error)

    def _say_help(self) -> None:
        self._console.say(_HELP.format(cell=self._game.name(0)))

    def _say_rules(self) -> None:
        rulebook = self._game.rulebook
        self._console.say(f"{rulebook.title}\n\n{rulebook.rules}".rstrip())

    def _quit(self) -> None:
        raise EndOfInput

    def _draw(self, position: Position) -> str:
        """Return the rulebook's picture with numbers, and with what the mover may choose."""
        game, console = self._game, self._console
        columns, counting = game.grid.columns, game.rulebook.counting
        width = max(map(len, game.rulebook.symbols))

        def square(text: str, player: Player | None) -> str:
            padded = text.rjust(width)
            if player:
                return f"[{console.paint(padded, player)}]"
            return f"[{console.colour(padded, 'green' if text == _OPEN else None)}]"

        shades = [*self._dialogue.shades(position), (position.legal, _OPEN)]
        squares = draw_cells(position, shades, square)
        numbers = " ".join(f" {number + counting:>{width}} " for number in range(columns))
        rows = [
            f"{row + counting} {' '.join(squares[row * columns : (row + 1) * columns])}"
            for row in range(game.grid.rows)
        ]
        return "\n".join([f"  {numbers}".rstrip(), *rows])
