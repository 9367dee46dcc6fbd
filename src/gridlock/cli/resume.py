"""``gridlock resume``: go on with what was left unfinished."""

from __future__ import annotations

import json
import random
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import note
from gridlock.cli.saving import Keeper, check_free
from gridlock.cli.sitting import sit_down
from gridlock.cli.table import print_table
from gridlock.errors import GridlockError, RecordError, StoreError, quote
from gridlock.files import read_text
from gridlock.match import Series, read_series
from gridlock.store import KeptGame, Store, default_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.record import Record


@click.command(
    short_help="Go on with an unfinished game.", epilog="Example: gridlock resume --list"
)
@click.argument("name", required=False)
@click.option("--list", "is_list", is_flag=True, help="List the unfinished games, newest first.")
@click.option("--json", "is_json", is_flag=True, help="With --list: print JSON.")
@click.option(
    "--record", type=click.Path(path_type=Path), metavar="FILE", help="Also write the games here."
)
def resume(
    name: str | None,
    is_list: bool,
    is_json: bool,
    record: Path | None,
) -> None:
    """Go on with the newest unfinished game or series.

    NAME chooses another one: a name from --list, or a file that save or --record wrote.
    """
    if is_json and not is_list:
        raise click.UsageError("--json needs --list")
    store = default_store()
    if is_list:
        _print_list(store, is_json=is_json)
    elif name is None:
        _resume_newest(store, record)
    elif name in store.unfinished():
        with store.open(name) as kept:
            _resume(kept.path, kept, record)
    else:
        _resume_file(store, Path(name), record)


def _resume_newest(store: Store, copy: Path | None) -> None:
    """Resume the newest game that can be; say what is wrong with newer ones."""
    for name in store.unfinished():
        with ExitStack() as stack:
            try:
                kept = stack.enter_context(store.open(name))
                series = _read(kept.path)
            except GridlockError as error:
                note(f"gridlock: {error}")
                continue
            if not series.is_over:
                _resume(kept.path, kept, copy)
                return
            kept.finish()  # a process ended between the last move and this
    raise StoreError("there is no unfinished game to resume; gridlock play GAME starts one")


def _resume_file(store: Store, path: Path, copy: Path | None) -> None:
    """Go on with a game from a file, which itself is left as it is."""
    if not path.exists():
        raise StoreError(
            f"{quote(path)} is no unfinished game and no file; see gridlock resume --list"
        )
    with store.create(_read(path).game.rulebook.id, datetime.now()) as kept:
        _resume(path, kept, copy)


def _resume(path: Path, kept: KeptGame, copy: Path | None) -> None:
    """Play on what a file holds."""
    series = _read(path, Keeper(kept, copy))
    if series.is_over:
        raise StoreError(f"the game in {quote(path)} is over; see gridlock replay --help")
    if copy:
        check_free(copy, series.records)
    moves = len(series.records[-1].moves)
    note(f"Resuming {series.game.rulebook.id} {series.game.grid} after move {moves}.")
    sit_down(series, kept, random.Random(), resumed=True)


def _read(path: Path, keep: Callable[[list[Record]], None] = lambda _: None) -> Series:
    """Return what a file holds; a damaged one is named and left as it is."""
    try:
        return read_series(read_text(path), keep)
    except RecordError as error:
        raise RecordError(f"{quote(path)} is damaged: {error}; it is left as it is") from None


def _print_list(store: Store, *, is_json: bool) -> None:
    """Print the unfinished games, newest first, and what is wrong with damaged ones."""
    games: dict[str, Series] = {}
    for name in store.unfinished():
        try:
            series = _read(store.path(name))
        except GridlockError as error:
            note(f"gridlock: {error}")
        else:
            if not series.is_over:
                games[name] = series
    if is_json:
        click.echo(json.dumps([_summary(*item) for item in games.items()], indent=1))
    elif not games:
        click.echo("There is no unfinished game.")
    else:
        headings = ("name", "size", "players", "game", "score", "moves")
        print_table(headings, [_row(*item) for item in games.items()])


def _summary(name: str, series: Series) -> dict[str, object]:
    return {
        "name": name,
        "game": series.game.rulebook.id,
        "size": str(series.game.grid),
        "players": series.players,
        "round": len(series.records),
        "score": series.tally,
        "moves": len(series.records[-1].moves),
        "date": series.records[-1].date,
    }


def _row(name: str, series: Series) -> tuple[str, ...]:
    number = str(len(series.records))
    if series.terms and series.terms.rounds:
        number += f" of {series.terms.rounds}"
    one, two = series.tally
    return (
        name,
        str(series.game.grid),
        " and ".join(series.players),
        number,
        f"{one} to {two}" if series.terms else "",
        str(len(series.records[-1].moves)),
    )
