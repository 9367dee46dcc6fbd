"""``gridlock analyse``: what every cell of a position is worth."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import Console
from gridlock.cli.dialogues import dialogue_of
from gridlock.cli.options import GAME, JSON, MEMORY, SIZE, THREADS, make_game, time_option
from gridlock.cli.progress import watching
from gridlock.cli.recorded import read_file
from gridlock.errors import GridlockError, NotationError, quote
from gridlock.grid import Grid, cells_of
from gridlock.model import Player
from gridlock.record import read_moves, write_line
from gridlock.search import ANALYSIS_SECONDS

if TYPE_CHECKING:
    from gridlock.model import Game, Position, Rulebook
    from gridlock.search.analysis import Analysis

_COLOURS = {"win": "green", "loss": "red"}


@click.command(
    short_help="Tell what every cell is worth.",
    epilog='Example: gridlock analyse occupation --moves "3,3 1,1" --json',
)
@GAME
@SIZE
@click.option("--first", type=click.Choice(["1", "2"]), help="Who began.  [default: 1]")
@click.option("--moves", metavar="MOVES", help='The moves so far, for example "3,3 1,1".')
@click.option("--position", metavar="TEXT", help="A position text: rows, mover and last field.")
@click.option(
    "--record", type=click.Path(path_type=Path), metavar="FILE", help="The end of a recorded game."
)
@time_option(ANALYSIS_SECONDS, "the analysis")
@THREADS
@MEMORY
@JSON
def analyse(
    rulebook: Rulebook,
    size: Grid | None,
    first: str | None,
    moves: str | None,
    position: str | None,
    record: Path | None,
    seconds: float,
    threads: int,
    memory: int,
    is_json: bool,
) -> None:
    """Tell what every cell of a position of GAME is worth, the best line, and why.

    The position is the start, or what --moves, --position or --record says. W5 wins in five
    actions, L6 loses in six, under perfect play; all that is said is exact, and ? could not be
    solved in the time.
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
        if position is not None and size is None:
            size = _size_of(position)
        positions, played = _set_up(make_game(rulebook, size), int(first or 1), moves, position)
    start, present = positions
    with watching("analysing") as watch:
        engine = Engine(present.game, Settings(seconds, memory, threads))
        analysis = engine.analyse(present, on_progress=watch)
    if is_json:
        click.echo(json.dumps(report_analysis(analysis, start.mover, played), indent=1))
    else:
        _show(analysis)


_Ends = tuple["Position", "Position"]


def _size_of(text: str) -> Grid | None:
    """Return the board on which a position text lies, or None for a text that makes no sense."""
    rows = text.split(" ", maxsplit=1)[0].split("/")
    try:
        return Grid(len(rows), len(rows[0]))
    except NotationError:
        return None


def _set_up(
    game: Game, first: int, moves: str | None, text: str | None
) -> tuple[_Ends, tuple[int, ...]]:
    """Return where a game began and where it stands, and the moves between."""
    try:
        if text is not None:
            present = game.position(text)
            return (present, present), ()
        played = read_moves(game, moves or "")
        positions = game.replay(first, played)
    except GridlockError as error:
        option = "--moves" if text is None else "--position"
        raise click.BadParameter(str(error), param_hint=f"'{option}'") from None
    return (positions[0], positions[-1]), played


def _read_end(rulebook: Rulebook, size: Grid | None, file: Path) -> tuple[_Ends, tuple[int, ...]]:
    """Return where the last game of a file began and where it ends, and its moves."""
    record = read_file(file)[-1]
    game = record.game
    if game.rulebook.id != rulebook.id or (size and game.grid != size):
        command = f"gridlock analyse {game.rulebook.id} --record {shlex.quote(str(file))}"
        raise click.BadParameter(
            f"{quote(file)} is not a game of {rulebook.id}{f' {size}' if size else ''} but of "
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
    console.say(sentences.sentence(analysis, dialogue.name))
    if analysis.actions and analysis.distance is not None:
        console.say(f"Best line: {write_line(position, analysis.actions[0].line)}")
    if unsolved := sentences.unsolved(analysis):
        console.say(unsolved)


def _rows(analysis: Analysis, console: Console) -> list[str]:
    """Return the board: symbols, the values of legal cells, dots on cells closed to the mover."""
    position = analysis.position
    game = position.game
    grid, counting = game.grid, game.rulebook.counting
    labels = ["#" if position.blocked >> cell & 1 else "." for cell in range(grid.cell_count)]
    for player in Player:
        for cell in cells_of(position.marks(player)):
            labels[cell] = game.rulebook.symbol(player)
    for action in analysis.actions:
        labels[action.cell] = action.label
    numbers = [str(number + counting) for number in range(max(grid.rows, grid.columns))]
    width = max(map(len, [*labels, *numbers]))
    margin = len(numbers[grid.rows - 1])
    painted = [label.rjust(width) for label in labels]
    for player in Player:
        for cell in cells_of(position.marks(player)):
            painted[cell] = console.paint(painted[cell], player)
    for action in analysis.actions:
        painted[action.cell] = console.colour(painted[action.cell], _COLOURS.get(action.value))
    step = max(1, (console.width - margin) // (width + 2))
    rows = []
    for left in range(0, grid.columns, step):  # as many columns as fit, then the next ones below
        right = min(left + step, grid.columns)
        header = (number.rjust(width) for number in numbers[left:right])
        rows += ["", f"{'':>{margin}}  {'  '.join(header)}"]
        for row in range(grid.rows):
            cells = painted[row * grid.columns + left : row * grid.columns + right]
            rows.append(f"{numbers[row]:>{margin}}  {'  '.join(cells)}")
    return rows
