"""``gridlock review``: who gave a won position away, and how."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import Console
from gridlock.cli.dialogues import dialogue_of
from gridlock.cli.options import JSON, MEMORY, THREADS, time_option
from gridlock.cli.progress import watching
from gridlock.cli.recorded import FILE, NUMBER, chosen_numbers, read_file
from gridlock.model import Player
from gridlock.record import write_line
from gridlock.search import REVIEW_SECONDS

if TYPE_CHECKING:
    from pathlib import Path

    from gridlock.search.review import Review, ReviewedAction


@click.command(
    short_help="Tell which moves gave a won game away.",
    epilog="Example: gridlock review game.txt",
)
@FILE
@NUMBER
@time_option(REVIEW_SECONDS, "the review of each game")
@THREADS
@MEMORY
@JSON
def review(
    file: Path, number: int | None, seconds: float, threads: int, memory: int, is_json: bool
) -> None:
    """Review the games in FILE: every move that gave a won position away.

    For each it says which cells would have won, and the line by which the other player then wins.
    These are facts, not estimates; a move that could not be solved in the time is not judged.
    """
    from gridlock.engine import Engine
    from gridlock.search.report import report_review
    from gridlock.search.settings import Settings

    records = read_file(file)
    numbers = chosen_numbers(records, number)
    reviews = {}
    with watching("reviewing") as watch:
        engine: Engine | None = None
        for which in numbers:
            record = records[which - 1]
            if engine is None or engine.game != record.game:
                engine = Engine(record.game, Settings(seconds, memory, threads))
            reviews[which] = engine.review(record, on_progress=watch)
    if is_json:
        games = [report_review(found) for found in reviews.values()]
        click.echo(json.dumps({"games": games}, indent=1))
        return
    console = Console()
    for which, found in reviews.items():
        if len(records) > 1:
            console.say(f"Game {which} of {len(records)}")
        _show(found, console)


def _show(review: Review, console: Console) -> None:
    from gridlock.search import sentences

    record = review.record
    dialogue = dialogue_of(record.game, console)
    for action in review.mistakes():
        console.say(sentences.mistake(action, dialogue.name))
        if action.punishment is not None:
            console.say(f"    It loses to {_refutation(action)}.")
    if not review.mistakes():
        judged = "" if review.is_complete else ", as far as the moves could be judged"
        console.say(f"No won position was given away{judged}.")
    for player in Player:
        console.say(sentences.summary(review, player, dialogue.name))


def _refutation(action: ReviewedAction) -> str:
    """Return the line that punishes a mistake; where its turn goes on, that stands before it."""
    after = action.position.play(action.cell)
    line = action.punishment or ()
    if after.mover is action.player:
        return write_line(action.position, (action.cell, *line))
    return write_line(after, line)
