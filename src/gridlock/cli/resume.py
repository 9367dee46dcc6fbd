"""``gridlock resume``: go on with what was left unfinished."""

from __future__ import annotations

import json
import os
import random
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import note
from gridlock.cli.options import TIME_PER_MOVE
from gridlock.cli.session import play_session
from gridlock.cli.table import print_table
from gridlock.errors import GridlockError, StoreError, quote
from gridlock.history import LAST
from gridlock.players import check_programs
from gridlock.saving import Copy, Keeper, read_games
from gridlock.store import KeptGame, Store, default_store

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from gridlock.match import Series


def _complete_name(_: object, __: object, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    names = [name for name in default_store().unfinished() if name.startswith(incomplete)]
    return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="file")]


@click.command(short_help="Continue an unfinished game.", epilog="Example: gridlock resume --list")
@click.argument("name", required=False, shell_complete=_complete_name)
@click.option("--list", "is_list", is_flag=True, help="List the unfinished games, newest first.")
@click.option("--json", "is_json", is_flag=True, help="With --list: print JSON.")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write the games to FILE.",
)
@TIME_PER_MOVE
def resume(
    name: str | None,
    is_list: bool,
    is_json: bool,
    record: Path | None,
    seconds: float | None,
) -> None:
    """Continue the newest unfinished game or series.

    NAME picks another one: a name from --list or from gridlock history, last for the newest, or a
    file that save or --record wrote.
    """
    if is_json and not is_list:
        raise click.UsageError("--json needs --list")
    if is_list and (name or record or seconds):
        raise click.UsageError("--list goes with no other option than --json")
    store = default_store()
    if is_list:
        _print_list(store, is_json=is_json)
    elif name in (None, LAST):
        resume_newest(store, record, seconds)
    elif kept_name := _kept_name(store, name):
        with store.open(kept_name) as kept:
            _resume(kept.path, kept, record, seconds)
    else:
        _resume_file(store, name, record, seconds)


def _kept_name(store: Store, name: str) -> str | None:
    """Return the name of the unfinished game that is meant, by its name or by its file."""
    return name if name in store.unfinished() else store.name_of(name)


def resume_newest(store: Store, copy: Path | None = None, seconds: float | None = None) -> None:
    """Resume the newest game that can be; say what is wrong with newer ones."""
    other = ""
    for name in store.unfinished():
        with ExitStack() as stack:
            try:
                kept = stack.enter_context(store.open(name))
                series = read_games(kept.path)
            except GridlockError as error:
                note(f"gridlock: {error}")
                other = "other "
                continue
            if not series.is_over:
                _resume(kept.path, kept, copy, seconds)
                return
            kept.finish()  # a process ended between the last move and this
    raise StoreError(f"there is no {other}unfinished game to resume; gridlock play GAME starts one")


def _resume_file(store: Store, name: str, copy: Path | None, seconds: float | None) -> None:
    """Go on with a game from a file, which itself is left as it is."""
    if store.find(name):
        raise StoreError(f"the game {name} is over: gridlock replay {name} shows it")
    path = Path(name)
    if not os.path.lexists(path) or not name:
        raise StoreError(
            f"there is no unfinished game and no file {quote(name)}: "
            "gridlock resume --list shows the games"
        )
    with store.create(read_games(path).game.rulebook.id, datetime.now()) as kept:
        _resume(path, kept, copy, seconds)


def _resume(path: Path, kept: KeptGame, copy: Path | None, seconds: float | None) -> None:
    """Play on what a file holds."""
    record = Copy(copy) if copy else None
    series = read_games(path, Keeper(kept, record))
    if series.is_over:
        if path == kept.path:
            path = kept.finish()
        raise StoreError(f"the game in {quote(path)} is over; see gridlock replay --help")
    check_programs(series.players, is_own=path == kept.path)
    if record:
        record.check(series.records)
    number = f", game {_number(series)}," if series.terms else ""
    note(f"Resuming {series.game.rulebook.id} {series.game.grid}{number} {_where(series)}.")
    play_session(series, kept, random.Random(), seconds, resumed=True)


def _print_list(store: Store, *, is_json: bool) -> None:
    """Print the unfinished games, newest first, and what is wrong with damaged ones."""
    games: dict[str, Series] = {}
    for name in store.unfinished():
        try:
            series = read_games(store.path(name))
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
        "round": len(series.records) + series.is_between_games,
        "score": series.tally,
        "moves": 0 if series.is_between_games else len(series.records[-1].moves),
        "date": series.records[-1].date,
    }


def _row(name: str, series: Series) -> tuple[str, ...]:
    one, two = series.tally
    return (
        name,
        str(series.game.grid),
        " and ".join(series.players),
        _number(series),
        f"{one} to {two}" if series.terms else "",
        str(_turns(series)),
    )


def _number(series: Series) -> str:
    """Return which game of a series is the one to be played on."""
    number = len(series.records) + series.is_between_games
    rounds = series.terms.rounds if series.terms else None
    return f"{number} of {rounds}" if rounds else f"{number}"


def _turns(series: Series) -> int:
    """Return how many turns the game to be played on has had, the last perhaps unfinished."""
    return 0 if series.is_between_games else series.records[-1].turn_count


def _where(series: Series) -> str:
    """Return where the game to be played on stands."""
    turns = _turns(series)
    if not turns:
        return "at the start"
    is_begun = series.match().position.actions_made > 0
    return f"in the middle of move {turns}" if is_begun else f"after move {turns}"
