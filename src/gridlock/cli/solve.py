"""``gridlock solve``: who wins a game from its start."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import Console
from gridlock.cli.dialogues import dialogue_of
from gridlock.cli.options import GAME, JSON, MEMORY, SIZE, THREADS, make_game, time_option
from gridlock.cli.progress import in_words, watching
from gridlock.notation import write_count

if TYPE_CHECKING:
    from fractions import Fraction

    from gridlock.engine import Engine
    from gridlock.grid import Grid
    from gridlock.model import Rulebook
    from gridlock.search.solution import Solution

_PROOFS = {"mirror": "mirror play", "matching": "matching the cells in pairs"}
_NOT_SOLVED = 1  # the exit code where it is not known who wins


@click.command(
    short_help="Find out who wins from the start.",
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
    """Find out who wins GAME from the start, and with which first cells.

    Also shows the Grundy value, for duel and games of your own in which both players may always
    take the same cells, or the combinatorial value (a number or a number + *), for claim and games
    of your own that close other cells only to the player who took one.

    Most boards of more than 64 cells cannot be searched, but a theorem may prove who wins. The exit
    code is 0 if the winner is known, and 1 if not.
    """
    from gridlock.engine import Engine
    from gridlock.search.backends import backend_of
    from gridlock.search.settings import Settings

    game = make_game(rulebook, size)
    if misere and not backend_of(game).can_be_misere:
        raise click.UsageError(f"--misere is for placement games, and {rulebook.id} is not one")
    engine = Engine(game, Settings(seconds, memory, threads), is_misere=misere)
    with watching("solving") as watch:
        solution = engine.solve(game.start(), on_progress=watch)
    if is_json:
        click.echo(json.dumps(_as_json(engine, solution, is_misere=misere), indent=1))
    else:
        _show(engine, solution, is_misere=misere)
    if solution.is_won is None:
        raise click.exceptions.Exit(_NOT_SOLVED)


def write_number(number: tuple[Fraction, bool]) -> str:
    """Return ``0``, ``*``, ``1/2`` or ``1/2 + *``."""
    value, has_star = number
    if not has_star:
        return str(value)
    return f"{value} + *" if value else "*"


def _as_json(engine: Engine, solution: Solution, *, is_misere: bool) -> dict[str, object]:
    game, progress = engine.game, engine.progress
    return {
        "game": game.rulebook.id,
        "size": str(game.grid),
        "misere": is_misere,
        "value": "unknown" if solution.is_won is None else "win" if solution.is_won else "loss",
        "theorem": _theorem(solution),
        "winning": [game.name(cell) for cell in solution.winning],
        "unsolved": [game.name(cell) for cell in solution.unsolved],
        "grundy": solution.nimber,
        "number": solution.number and write_number(solution.number),
        "limit": solution.limit,
        "nodes": progress.nodes,
        "seconds": round(progress.seconds, 3),
    }


def _theorem(solution: Solution) -> str | None:
    """Return the name of the theorem that proves who wins."""
    return solution.theorem.name.lower() if solution.theorem and solution.theorem.name else None


def _show(engine: Engine, solution: Solution, *, is_misere: bool) -> None:
    from gridlock.search import sentences

    console = Console()
    game = engine.game
    what = f"{game.rulebook.id} {game.grid}{' misere' if is_misere else ''}"
    start = game.start()
    if solution.is_won is None:
        console.say(f"{what}: {solution.limit}.")
    else:
        winner = start.mover if solution.is_won else start.mover.opponent
        role = "first" if solution.is_won else "second"
        name = dialogue_of(game, console).name(winner)
        console.say(f"{what}: {name}, who moves {role}, wins.")
        if theorem := _theorem(solution):
            console.say(f"Proved by {_PROOFS[theorem]}.")
        if solution.winning:
            console.say(f"Winning first cells: {' '.join(map(game.name, solution.winning))}")
        if solution.nimber is not None:
            console.say(f"Grundy value: {solution.nimber}")
        if solution.number is not None:
            console.say(f"Value: {write_number(solution.number)}")
        if missing := _missing(engine, solution, is_misere=is_misere):
            console.say(f"{sentences.not_known(missing, solution.limit)}.")
    if engine.progress.nodes:
        console.say(in_words(engine.progress))


def _missing(engine: Engine, solution: Solution, *, is_misere: bool) -> str:
    """Return what could not be found out, although it is known who wins."""
    from gridlock.search.backends import backend_of

    backend = backend_of(engine.game)
    missing = []
    if solution.unsolved:
        missing.append(write_count(len(solution.unsolved), "first cell"))
    if not is_misere and solution.nimber is None and backend.is_impartial:
        missing.append("the Grundy value")
    if not is_misere and solution.number is None and backend.has_numbers:
        missing.append("the value as a number")
    text = " and ".join(missing)
    return text[:1].upper() + text[1:]
