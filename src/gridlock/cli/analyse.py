"""``gridlock analyse``: what every cell of a position is worth."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import Console
from gridlock.cli.dialogues import dialogue_of
from gridlock.cli.options import JSON, MEMORY, OPTIONAL_GAME, SIZE, THREADS, time_option
from gridlock.cli.picture import draw_board
from gridlock.cli.position import MOVES, POSITION, set_up
from gridlock.cli.progress import watching
from gridlock.cli.recorded import complete_game, read_source
from gridlock.errors import quote
from gridlock.record import write_line
from gridlock.search import ANALYSIS_SECONDS

if TYPE_CHECKING:
    from gridlock.cli.position import Ends
    from gridlock.grid import Grid
    from gridlock.model import Rulebook
    from gridlock.search.analysis import Action, Analysis

_COLOURS = {"win": "green", "loss": "red"}
_LIKELY, _UNLIKELY = "bright_blue", "blue"


@click.command(
    short_help="Show what every cell is worth.",
    epilog='Example: gridlock analyse occupation --moves "3,3 1,1" --json',
)
@OPTIONAL_GAME
@SIZE
@click.option("--first", type=click.Choice(["1", "2"]), help="Who began.  [default: 1]")
@MOVES
@POSITION
@click.option(
    "--record", metavar="GAME-OR-FILE", shell_complete=complete_game,
    help="The final position of a game you played (its name, or last) or of a file.",
)  # fmt: skip
@time_option(ANALYSIS_SECONDS, "the analysis")
@THREADS
@MEMORY
@JSON
def analyse(
    rulebook: Rulebook | None,
    size: Grid | None,
    first: str | None,
    moves: str | None,
    position: str | None,
    record: str | None,
    seconds: float,
    threads: int,
    memory: int,
    is_json: bool,
) -> None:
    """Show what every cell of a position of GAME is worth, the best line, and why.

    The position is the start, unless --moves, --position or --record says otherwise. With --record
    GAME may be left out: gridlock analyse --record last. W5 wins in five actions and L6 loses in
    six, under perfect play: these are exact. ~63 was not solved in time, and an estimate gives it
    about 63%; ? means that nothing is known.
    """
    from gridlock.engine import Engine
    from gridlock.search.report import report_analysis
    from gridlock.search.settings import Settings

    if sum(given is not None for given in (moves, position, record)) > 1:
        raise click.UsageError("--moves, --position and --record exclude each other")
    if first is not None and (position is not None or record is not None):
        raise click.UsageError("--position and --record say by themselves who is to move")
    if record is not None:
        positions, played = _read_end(rulebook, size, record)
    else:
        if rulebook is None:
            raise click.UsageError("name a GAME, or a played one by --record")
        positions, played = set_up(rulebook, size, int(first or 1), moves, position)
    start, present = positions
    with watching("analysing") as watch:
        engine = Engine(present.game, Settings(seconds, memory, threads))
        analysis = engine.analyse(present, on_progress=watch)
    if is_json:
        click.echo(json.dumps(report_analysis(analysis, start.mover, played), indent=1))
    else:
        _show(analysis)


def _read_end(
    rulebook: Rulebook | None, size: Grid | None, source: str
) -> tuple[Ends, tuple[int, ...]]:
    """Return where a game, the last one of a file, began and where it ends, and its moves."""
    record = read_source(source)[-1]
    game = record.game
    wanted = rulebook.id if rulebook else game.rulebook.id
    if game.rulebook.id != wanted or (size and game.grid != size):
        command = f"gridlock analyse {game.rulebook.id} --record {shlex.quote(source)}"
        raise click.BadParameter(
            f"{quote(Path(source))} is not a game of {wanted}{f' {size}' if size else ''} but of "
            f"{game.rulebook.id} {game.grid}: use {command}",
            param_hint="'--record'",
        )
    positions = record.positions()
    return (positions[0], positions[-1]), record.moves


def _show(analysis: Analysis) -> None:
    """Show the board with its values, the best line, and what they mean in words."""
    from gridlock.search import sentences

    console = Console()
    position = analysis.position
    game = position.game
    dialogue = dialogue_of(game, console)
    console.say(f"{game.rulebook.title}, {game.grid}")
    console.say("\n".join([*_rows(analysis, console), ""]))
    if guess := next((action for action in analysis.actions if action.estimate is not None), None):
        console.say(sentences.legend(guess))
    console.say(sentences.sentence(analysis, dialogue.name))
    if analysis.actions and analysis.distance is not None:
        console.say(f"Best line: {write_line(position, analysis.actions[0].line)}")
    if unsolved := sentences.unsolved(analysis):
        console.say(unsolved)


def _colour(action: Action) -> str | None:
    """Return the colour of a label: what is an estimate looks like no fact."""
    if action.estimate is not None:
        return _LIKELY if action.estimate >= 1 / 2 else _UNLIKELY
    return _COLOURS.get(action.value)


def _rows(analysis: Analysis, console: Console) -> list[str]:
    """Return the board: symbols, the values of legal cells, dots on cells closed to the mover."""
    labels = {action.cell: (action.label, _colour(action)) for action in analysis.actions}
    return draw_board(analysis.position, console, [(analysis.position.game.grid.full, ".")], labels)
