"""``gridlock solve``: who wins a game from its start."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import Console
from gridlock.cli.dialogues import dialogue_of
from gridlock.cli.options import GAME, JSON, MEMORY, SIZE, THREADS, make_game, time_option
from gridlock.cli.progress import in_words, watching
from gridlock.errors import LimitError
from gridlock.rulebooks.placement import PlacementRulebook

if TYPE_CHECKING:
    from fractions import Fraction

    from gridlock.grid import Grid
    from gridlock.model import Position, Rulebook
    from gridlock.search.solver import Solver

_NOT_SOLVED = 1  # the exit code of a failure


@dataclass
class _Found:
    """What is known so far; None is not known."""

    won: bool | None = None
    winning: list[int] | None = None
    nimber: int | None = None
    number: tuple[Fraction, bool] | None = None
    limit: str | None = None


@click.command(
    short_help="Tell who wins a game from its start.",
    epilog="Example: gridlock solve duel --size 7x8 --threads 2",
)
@GAME
@SIZE
@click.option("--misere", is_flag=True, help="Whoever cannot move wins (placement games only).")
@time_option(None, "the search")
@THREADS
@MEMORY
@JSON
def solve(
    rulebook: Rulebook,
    size: Grid | None,
    misere: bool,
    seconds: float | None,
    threads: int,
    memory: int,
    is_json: bool,
) -> None:
    """Tell who wins GAME from its start, and with which first cells.

    For duel, and every game of one's own in which both players may always take the same cells, also
    the Grundy value; for claim, and its like, the value as a number or a number + *.
    """
    from gridlock.search.solver import Limits, Solver

    game = make_game(rulebook, size)
    if misere and not isinstance(rulebook, PlacementRulebook):
        raise click.UsageError(f"--misere is for placement games, and {rulebook.id} is none")
    with watching("solving") as watch:
        solver = Solver(game, Limits(seconds, memory, threads), is_misere=misere, watch=watch)
        found = _find(solver, game.start(), is_misere=misere)
    if is_json:
        click.echo(json.dumps(_as_json(solver, found, is_misere=misere), indent=1))
    else:
        _show(solver, found, is_misere=misere)
    if found.limit:
        raise click.exceptions.Exit(_NOT_SOLVED)


def _find(solver: Solver, start: Position, *, is_misere: bool) -> _Found:
    """Find out one thing after the other, until all is known or a limit is met."""
    from gridlock.search import theorems

    found = _Found()
    try:
        found.won = solver.wins(start)
        found.winning = []
        if not is_misere and theorems.is_impartial(start.game.rulebook):
            found.nimber = solver.nimber(start)
        if not is_misere and theorems.has_numbers(start.game.rulebook):
            found.number = solver.number(start)
        for cell in start.legal_cells() if found.won else ():
            if solver.wins_by(start, cell):
                found.winning.append(cell)
    except LimitError as error:
        found.limit = str(error)
    return found


def write_number(number: tuple[Fraction, bool]) -> str:
    """Return ``0``, ``*``, ``1/2`` or ``1/2 + *``."""
    value, has_star = number
    if not has_star:
        return str(value)
    return f"{value} + *" if value else "*"


def _as_json(solver: Solver, found: _Found, *, is_misere: bool) -> dict[str, object]:
    game, progress = solver.game, solver.progress
    return {
        "game": game.rulebook.id,
        "size": str(game.grid),
        "misere": is_misere,
        "value": "unknown" if found.won is None else "win" if found.won else "loss",
        "winning": None if found.winning is None else [game.name(cell) for cell in found.winning],
        "grundy": found.nimber,
        "number": found.number and write_number(found.number),
        "limit": found.limit,
        "nodes": progress.nodes,
        "seconds": round(progress.seconds, 3),
    }


def _show(solver: Solver, found: _Found, *, is_misere: bool) -> None:
    console = Console()
    game = solver.game
    what = f"{game.rulebook.id} {game.grid}{' misere' if is_misere else ''}"
    dialogue = dialogue_of(game, console)
    start = game.start()
    if found.won is None:
        console.say(f"{what}: {found.limit}.")
    else:
        winner = start.mover if found.won else start.mover.opponent
        role = "first" if found.won else "second"
        console.say(f"{what}: {dialogue.name(winner)}, who moves {role}, wins.")
        if found.winning:
            so_far = " so far" if found.limit else ""
            console.say(f"Winning first cells{so_far}: {' '.join(map(game.name, found.winning))}")
        if found.nimber is not None:
            console.say(f"Grundy value: {found.nimber}")
        if found.number is not None:
            console.say(f"Value: {write_number(found.number)}")
        if found.limit:
            console.say(f"The rest was {found.limit}.")
    console.say(f"{in_words(solver.progress)}")
