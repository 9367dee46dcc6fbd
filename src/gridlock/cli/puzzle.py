"""``gridlock puzzle``: find the only cell that wins, again and again."""

from __future__ import annotations

import contextlib
import random
from datetime import date
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import Console, EndOfInput
from gridlock.cli.picture import draw_board
from gridlock.engine import Engine
from gridlock.errors import IllegalMoveError, NotationError, PuzzleError
from gridlock.puzzles import sentences
from gridlock.puzzles.collection import THEMES, find_puzzle
from gridlock.puzzles.exercise import DailyExercise, MistakeExercise, RatedExercise
from gridlock.puzzles.progress import ProgressFile
from gridlock.puzzles.puzzle import Attempt
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.sentences import as_sentence
from gridlock.store import default_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.puzzles.exercise import Exercise
    from gridlock.puzzles.puzzle import Puzzle

_QUIT = ("quit", "q")
_HELP = "Type one of the cells with a dot as its row and column, or: hint, solution, quit."


@click.command(
    short_help="Solve puzzles: find the only cell that wins.",
    epilog="Example: gridlock puzzle duel",
)
@click.argument("which", required=False, metavar="[GAME|PUZZLE]")
@click.option("--daily", "is_daily", is_flag=True, help="The puzzle of the day.")
@click.option("--mistakes", "is_own", is_flag=True, help="Won positions that you gave away.")
@click.option("--theme", type=click.Choice(list(THEMES)), help="Only puzzles with this theme.")
@click.option("--progress", "is_report", is_flag=True, help="Show your rating and streaks.")
def puzzle(
    which: str | None, is_daily: bool, is_own: bool, theme: str | None, is_report: bool
) -> None:
    """Solve puzzles: at each of your turns exactly one cell wins.

    GAME is one of the five rulebooks, PUZZLE a single puzzle such as duel-17. Puzzles match your
    rating, which only first tries change. The puzzle of the day is the same for everybody.

    With --mistakes, you get won positions that you gave away, as found by reviews of your games. A
    solved one comes back after one day, then after three, until you have solved it three times.
    """
    if sum((bool(which), is_daily, is_own)) > 1:
        raise click.UsageError("a game or a puzzle, --daily and --mistakes exclude each other")
    if theme and (is_daily or is_own or (which and which not in RULEBOOKS)):
        raise click.UsageError("--theme goes with a game, or alone")
    session = _Session(Console())
    with contextlib.suppress(EndOfInput):
        if is_report:
            session.report()
        elif is_daily:
            session.solve(DailyExercise(date.today()))
        elif is_own:
            session.solve_mistakes(date.today())
        elif which and which not in RULEBOOKS:
            session.solve(RatedExercise(find_puzzle(which)))
        else:
            session.solve_on_and_on(which, theme)


class _Session:
    """Somebody at a terminal, and what they have done so far."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._file = ProgressFile(default_store().folder)

    def report(self) -> None:
        """Say how somebody gets on."""
        found = sentences.report(self._file.read(), date.today())
        for name, value in found.items():
            self._console.say(f"{name + ':':<23} {value}")

    def solve_on_and_on(self, game_id: str | None, theme: str | None) -> None:
        """Set one puzzle after the other, until nobody wants more."""
        rng = random.Random()
        exercise = RatedExercise.choose(self._file.read(), rng, game_id, theme)
        while True:
            self.solve(exercise)
            answer = self._console.ask("Another one? (Y/n) ").strip().lower()
            if answer in ("n", "no", *_QUIT):
                return
            exercise = exercise.next(self._file.read(), rng)

    def solve_mistakes(self, today: date) -> None:
        """Set the mistakes that are due, one after the other."""
        due = self._file.read().due(today)
        if not due:
            raise PuzzleError("no mistake of yours is due: gridlock review finds those of a game")
        for mistake in due:
            self.solve(MistakeExercise(mistake, today))

    def solve(self, exercise: Exercise) -> None:
        """Set a puzzle; only the first try at it counts."""

        def score(is_right: bool) -> None:
            before = self._file.read()
            after = self._file.update(lambda now: exercise.after(now, solved=is_right))
            if after.rating != before.rating:
                self._console.say(sentences.standing(before, after))

        self._console.say(exercise.title)
        attempt = self._solve(exercise.puzzle, score)
        self._console.say(sentences.play_on(attempt))
        if text := exercise.to_share(attempt, self._file.read()):
            self._console.say(text)

    def _solve(self, puzzle: Puzzle, score: Callable[[bool], None]) -> Attempt:
        """Let somebody try a puzzle until it is solved or given up.

        ``score`` hears how the first try went, as soon as that is known: nobody undoes a wrong one
        by going away.
        """
        attempt = Attempt.at(puzzle)
        self._show(attempt)
        self._console.say(_HELP)
        while not attempt.is_solved:
            match self._console.ask("Your move: ").strip().lower():
                case "quit" | "q":
                    raise EndOfInput
                case "hint":
                    self._console.say(sentences.clue(puzzle))
                case "solution":
                    self._console.say(sentences.solution(attempt))
                    if not attempt.mistakes:
                        score(False)
                    return attempt.give_up()
                case typed:
                    attempt = self._try(attempt, typed, score)
        return attempt

    def _try(self, attempt: Attempt, typed: str, score: Callable[[bool], None]) -> Attempt:
        """Let somebody choose a cell, and say whether it wins."""
        game = attempt.position.game
        try:
            cell = game.cell(typed)
            after = attempt.try_(cell)
        except (NotationError, IllegalMoveError) as error:
            self._console.say(as_sentence(error))
            return attempt
        if after.mistakes > attempt.mistakes:
            line = Engine(game).refute(attempt.position, cell)
            self._console.say(sentences.wrong(attempt, line))
            if not attempt.mistakes:
                score(False)
        elif after.is_solved:
            self._console.say(sentences.solved(after))
            if not after.mistakes:
                score(True)
        else:
            self._console.say(sentences.answer(after))
            self._show(after)
        return after

    def _show(self, attempt: Attempt) -> None:
        """Show the board, with dots on the cells to choose from, and say what is to be found."""
        position = attempt.position
        shades = [(position.game.grid.full, "-"), (position.legal, ".")]
        rows = draw_board(position, self._console, shades, {})
        self._console.say("\n".join([*rows, "", sentences.task(attempt)]))
