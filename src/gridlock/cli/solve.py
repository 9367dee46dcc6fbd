"""``gridlock solve``: who wins a game from its start."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import Console
from gridlock.cli.dialogues import dialogue_of
from gridlock.cli.options import GAME, JSON, MEMORY, SIZE, THREADS, make_game, time_option
from gridlock.cli.progress import in_words, watching
from gridlock.errors import LimitError
from gridlock.notation import write_count
from gridlock.rulebooks.placement import PlacementRulebook

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from gridlock.grid import Grid
    from gridlock.model import Position, Rulebook
    from gridlock.search.solver import Solver
    from gridlock.search.theorems import Theorem

_PROOFS = {"mirror": "mirror play", "matching": "matching the cells in pairs"}
_NOT_SOLVED = 1  # the exit code where it is not known who wins


@dataclass
class _Found:
    """What is known so far; None is not known."""

    won: bool | None = None
    theorem: Theorem | None = None
    winning: tuple[int, ...] = ()
    unsolved: tuple[int, ...] = ()
    nimber: int | None = None
    number: tuple[Fraction, bool] | None = None
    limit: str | None = None

    @contextlib.contextmanager
    def within_limits(self) -> Iterator[None]:
        """Find something out, or note which limit was met."""
        try:
            yield
        except LimitError as error:
            self.limit = self.limit or str(error)


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

    Boards with more than 64 cells cannot be searched, but a theorem may prove who wins there. What
    could not be worked out is said. The exit code is 0 if it is known who wins, and 1 if not.
    """
    from gridlock.search.solver import Limits, Solver

    game = make_game(rulebook, size)
    if misere and not isinstance(rulebook, PlacementRulebook):
        raise click.UsageError(f"--misere is for placement games, and {rulebook.id} is not one")
    with watching("solving") as watch:
        solver = Solver(game, Limits(seconds, memory, threads), is_misere=misere, watch=watch)
        found = _find(solver, game.start(), is_misere=misere)
    if is_json:
        click.echo(json.dumps(_as_json(solver, found, is_misere=misere), indent=1))
    else:
        _show(solver, found, is_misere=misere)
    if found.won is None:
        raise click.exceptions.Exit(_NOT_SOLVED)


def _find(solver: Solver, start: Position, *, is_misere: bool) -> _Found:
    """Find out one thing after the other, each as far as the limits allow."""
    from gridlock.search import theorems
    from gridlock.search.analysis import Value, find_values

    found = _Found()
    with found.within_limits():
        found.theorem = solver.theorem(start)
        found.won = solver.wins(start)
    values = find_values(start, solver, solver.limits.seconds)
    found.limit = values.limit or found.limit
    found.winning = tuple(sorted(values.winning_cells()))
    found.unsolved = tuple(a.cell for a in values.actions if a.value is Value.UNKNOWN)
    if values.value is not Value.UNKNOWN:  # some cell may be proved to win though the start is not
        found.won = values.value is Value.WIN
    rulebook = start.game.rulebook
    if not is_misere and theorems.is_impartial(rulebook):
        with found.within_limits():
            found.nimber = solver.nimber(start)
    if not is_misere and theorems.has_numbers(rulebook):
        with found.within_limits():
            found.number = solver.number(start)
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
        "theorem": _theorem(found),
        "winning": [game.name(cell) for cell in found.winning],
        "unsolved": [game.name(cell) for cell in found.unsolved],
        "grundy": found.nimber,
        "number": found.number and write_number(found.number),
        "limit": found.limit,
        "nodes": progress.nodes,
        "seconds": round(progress.seconds, 3),
    }


def _theorem(found: _Found) -> str | None:
    """Return the name of the theorem that proves who wins."""
    return found.theorem.name.lower() if found.theorem and found.theorem.name else None


def _show(solver: Solver, found: _Found, *, is_misere: bool) -> None:
    from gridlock.search import words

    console = Console()
    game = solver.game
    what = f"{game.rulebook.id} {game.grid}{' misere' if is_misere else ''}"
    start = game.start()
    if found.won is None:
        console.say(f"{what}: {found.limit}.")
    else:
        winner = start.mover if found.won else start.mover.opponent
        role = "first" if found.won else "second"
        name = dialogue_of(game, console).name(winner)
        console.say(f"{what}: {name}, who moves {role}, wins.")
        if theorem := _theorem(found):
            console.say(f"Proved by {_PROOFS[theorem]}.")
        if found.winning:
            console.say(f"Winning first cells: {' '.join(map(game.name, found.winning))}")
        if found.nimber is not None:
            console.say(f"Grundy value: {found.nimber}")
        if found.number is not None:
            console.say(f"Value: {write_number(found.number)}")
        if missing := _missing(solver, found, is_misere=is_misere):
            console.say(f"{words.not_known(missing, found.limit)}.")
    if solver.progress.nodes:
        console.say(in_words(solver.progress))


def _missing(solver: Solver, found: _Found, *, is_misere: bool) -> str:
    """Return what could not be found out, although it is known who wins."""
    from gridlock.search import theorems

    missing = []
    if found.unsolved:
        missing.append(write_count(len(found.unsolved), "first cell"))
    rulebook = solver.game.rulebook
    if not is_misere and found.nimber is None and theorems.is_impartial(rulebook):
        missing.append("the Grundy value")
    if not is_misere and found.number is None and theorems.has_numbers(rulebook):
        missing.append("the value as a number")
    text = " and ".join(missing)
    return text[:1].upper() + text[1:]
