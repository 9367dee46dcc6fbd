"""``gridlock review``: who gave a won position away, and how, or who probably did."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import Console, note
from gridlock.cli.dialogues import dialogue_of
from gridlock.cli.options import JSON, MEMORY, THREADS, time_option
from gridlock.cli.progress import watching
from gridlock.cli.recorded import NUMBER, SOURCE, chosen_numbers, read_source
from gridlock.errors import StoreError
from gridlock.model import Player
from gridlock.record import write_line
from gridlock.search import REVIEW_SECONDS
from gridlock.store import default_store

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gridlock.search.review import Review, ReviewedAction


@click.command(
    short_help="Find the moves that gave a won game away.",
    epilog="Example: gridlock review last",
)
@SOURCE
@NUMBER
@time_option(REVIEW_SECONDS, "the review of each game")
@THREADS
@MEMORY
@JSON
def review(
    source: str, number: int | None, seconds: float, threads: int, memory: int, is_json: bool
) -> None:
    """Find every move of a game that gave a won position away.

    GAME-OR-FILE is a name from gridlock history, last for the game played last, or a file. For each
    such move, show the cells that would have won, and the line by which the other player then
    wins. These are facts. Moves that were not solved in time are estimated: those that were
    probably mistakes are listed apart.
    """
    from gridlock.engine import Engine
    from gridlock.puzzles.sentences import KEPT
    from gridlock.search.report import report_review
    from gridlock.search.settings import Settings

    records = read_source(source)
    numbers = chosen_numbers(records, number)
    reviews = {}
    with watching("reviewing") as watch:
        engine: Engine | None = None
        for which in numbers:
            record = records[which - 1]
            if engine is None or engine.game != record.game:
                engine = Engine(record.game, Settings(seconds, memory, threads))
            reviews[which] = engine.review(record, on_progress=watch)
    are_kept = _keep_mistakes(reviews.values())
    if is_json:
        games = [report_review(found) for found in reviews.values()]
        click.echo(json.dumps({"games": games}, indent=1))
        return
    console = Console()
    for which, found in reviews.items():
        if len(records) > 1:
            console.say(f"Game {which} of {len(records)}")
        _show(found, console)
    if are_kept:
        console.say(f"{KEPT}: gridlock puzzle --mistakes")


def _keep_mistakes(reviews: Iterable[Review]) -> bool:
    """Let mistakes come back as puzzles; a review is no worse where they cannot be kept."""
    from gridlock.preferences import default_preferences
    from gridlock.puzzles.progress import ProgressFile

    name = default_preferences().read().name
    try:
        return ProgressFile(default_store().folder).keep_mistakes(reviews, date.today(), name)
    except StoreError as error:
        note(f"gridlock: {error}")
        return False


def _show(review: Review, console: Console) -> None:
    from gridlock.search import sentences

    record = review.record
    dialogue = dialogue_of(record.game, console)
    for action in review.mistakes():
        console.say(sentences.mistake(action, dialogue.name))
        if action.punishment is not None:
            console.say(f"    It loses to {_refutation(action)}.")
    if not review.mistakes():
        solved = "" if review.is_complete else ", as far as the moves could be solved"
        console.say(f"No won position was given away{solved}.")
    if doubtful := review.doubtful():
        console.say("By estimates, not facts:")
    for action in doubtful:
        console.say(f"    {sentences.doubt(action, dialogue.name)}")
    for player in Player:
        console.say(sentences.summary(review, player, dialogue.name))


def _refutation(action: ReviewedAction) -> str:
    """Return the line that punishes a mistake; where its turn goes on, that stands before it."""
    after = action.position.play(action.cell)
    line = action.punishment or ()
    if after.mover is action.player:
        return write_line(action.position, (action.cell, *line))
    return write_line(after, line)
