"""``gridlock history``: the games that were played, to be listed, shown, exported and deleted."""

from __future__ import annotations

import json
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import Console, EndOfInput, note
from gridlock.cli.options import JSON, SIZE, Choice, own_rulebooks, reading
from gridlock.cli.recorded import complete_game, read_file
from gridlock.cli.replay import Viewer, as_json
from gridlock.cli.results import show_results
from gridlock.cli.table import print_table
from gridlock.errors import GridlockError, NotationError, StoreError, quote
from gridlock.history import OUTCOMES, find_game, read_history, write_time
from gridlock.history import Choice as Chosen
from gridlock.notation import read_number, write_count
from gridlock.record import write_records
from gridlock.results import read_results
from gridlock.rulebooks.catalogue import RULEBOOKS, unknown_game
from gridlock.saving import Copy
from gridlock.store import default_store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gridlock.grid import Grid
    from gridlock.history import Entry
    from gridlock.record import Record
    from gridlock.store import Store

_LISTED = 20  # games, where nobody says how many
_STANDARD_OUTPUT = "-"
_HEADINGS = ("name", "size", "opponent", "result", "moves", "played")


def _read_rulebook(text: str) -> str:
    """Return the id of a rulebook; of one's own, games may be left when its file is gone."""
    name = text.lower()
    known = [*RULEBOOKS, *own_rulebooks()]
    if name not in known and not any(
        path.stem.startswith(f"{name}-") for _, path in default_store().files()
    ):
        raise unknown_game(text, known)
    return name


def _read_date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise NotationError(f"{quote(text)} is not a date such as 2026-11-18") from None


def _read_limit(text: str) -> int:
    limit = read_number(text)
    if limit is None or limit < 1:
        raise NotationError(f"{quote(text)} is not a number of games such as 50")
    return limit


@click.command(
    short_help="List, show, export and delete the games you played.",
    epilog="Example: gridlock history --rulebook duel --opponent computer:4 --result won",
)
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=complete_game)
@click.option(
    "--rulebook", callback=reading(_read_rulebook), metavar="GAME",
    help="Only games of one rulebook, such as duel.",
)  # fmt: skip
@SIZE
@click.option(
    "--opponent",
    metavar="WHO",
    help="Only games against WHO: computer, computer:4, random, human or a person's name.",
)
@click.option(
    "--result", type=Choice(OUTCOMES), help="Only games that you won, or lost, against a program."
)
@click.option(
    "--finished/--unfinished", "is_over", default=None,
    help="Only finished, or only unfinished games.",
)  # fmt: skip
@click.option(
    "--since", callback=reading(_read_date), metavar="DATE",
    help="Only games played on DATE, such as 2026-11-18, or later.",
)  # fmt: skip
@click.option(
    "--limit", callback=reading(_read_limit), metavar="N",
    help=f"Only the newest N.  [default: {_LISTED} in a list, otherwise all]",
)  # fmt: skip
@click.option("--computers", is_flag=True, help="Also games in which only programs played.")
@click.option(
    "--export", metavar="FILE",
    help="Write the games as records to FILE, which must be new, or to - to print them.",
)  # fmt: skip
@click.option(
    "--results", "has_results", is_flag=True,
    help="Show how you did against the computer, by game and level, and over time.",
)  # fmt: skip
@click.option("--delete", "is_deleting", is_flag=True, help="Delete the games, after asking.")
@click.option("--yes", is_flag=True, help="With --delete: do not ask.")
@JSON
def history(
    names: tuple[str, ...],
    rulebook: str | None,
    size: Grid | None,
    opponent: str | None,
    result: str | None,
    is_over: bool | None,
    since: date | None,
    limit: int | None,
    computers: bool,
    export: str | None,
    has_results: bool,
    is_deleting: bool,
    yes: bool,
    is_json: bool,
) -> None:
    """List the games you played, finished or not, newest first.

    With a NAME from the list, or last, show that game with its moves; otherwise options choose
    which games to list. Games in which only programs played are left out. replay, review, resume
    and analyse --record take the same names.
    """
    chosen = Chosen(
        rulebook, str(size) if size else None, opponent, result,
        is_over, since, computers,
    )  # fmt: skip
    is_choosing = limit is not None or chosen != Chosen()
    uses = sum((export is not None, is_deleting, is_json or has_results))
    for is_wrong, message in (
        (names and is_choosing, "names and options that choose games exclude each other"),
        (uses > 1, "--export and --delete each go alone, without --results or --json"),
        (has_results and (names or limit), "--results goes with no NAME and no --limit"),
        (yes and not is_deleting, "--yes needs --delete"),
        (
            is_deleting and not (names or is_choosing),
            "--delete needs a NAME, or options that choose games",
        ),
    ):
        if is_wrong:
            raise click.UsageError(message)
    store = default_store()
    if has_results:
        show_results(read_results(store, chosen, _complain), is_json=is_json)
    elif export is not None:
        _export(_paths(store, names, chosen, limit), export)
    elif is_deleting:
        _delete(store, _paths(store, names, chosen, limit), yes=yes)
    elif names:
        _show([find_game(store, name) for name in names], is_json=is_json)
    else:
        _list(read_history(store, chosen, _complain), limit, chosen, is_json=is_json)


def _paths(store: Store, names: Sequence[str], chosen: Chosen, limit: int | None) -> Sequence[Path]:
    """Return the files of the games that are meant, the newest first where options choose."""
    if names:
        return [find_game(store, name) for name in names]
    return [entry.path for entry in islice(read_history(store, chosen, _complain), limit)]


def _complain(error: GridlockError) -> None:
    note(f"gridlock: {error}")


def _list(entries: Iterator[Entry], limit: int | None, chosen: Chosen, *, is_json: bool) -> None:
    """Print games, a line each, and whether there are older ones."""
    if is_json:
        summaries = [_summary(entry) for entry in islice(entries, limit)]
        click.echo(json.dumps(summaries, indent=1))
        return
    now, most = datetime.now(), limit or _LISTED
    rows = [_row(entry, now) for entry in islice(entries, most)]
    if rows:
        print_table(_HEADINGS, rows, gap=2)
    elif chosen == Chosen():
        click.echo("No game has been played yet; gridlock play GAME starts one.")
    else:
        click.echo("There is no such game.")
    if next(entries, None):
        note(f"There are older games: --limit {10 * most} shows more of them.")


def _row(entry: Entry, now: datetime) -> tuple[str, ...]:
    return (
        entry.name,
        entry.last.size,
        entry.describe_opponent(),
        entry.describe_result(),
        str(entry.last.turn_count),
        write_time(entry.played, now),
    )


def _summary(entry: Entry) -> dict[str, object]:
    return {
        "name": entry.name,
        "file": str(entry.path),
        "game": entry.last.rulebook,
        "size": entry.last.size,
        "players": entry.last.players,
        "played": entry.played.astimezone().isoformat(timespec="seconds"),
        "finished": entry.is_over,
        "result": entry.outcome,
        "games": [
            {
                "date": game.date,
                "result": game.result,
                "termination": game.termination,
                "moves": game.turn_count,
            }
            for game in entry.games
        ],
    }


def _show(paths: Sequence[Path], *, is_json: bool) -> None:
    """Show games, each with its moves and how it ended."""
    found = {path: read_file(path) for path in paths}
    if is_json:
        games = [
            {"name": path.stem, "file": str(path), "games": [as_json(record) for record in records]}
            for path, records in found.items()
        ]
        click.echo(json.dumps(games, indent=1))
        return
    console = Console()
    for path, records in found.items():
        for number, record in enumerate(records, start=1):
            of = f", game {number} of {len(records)}" if len(records) > 1 else ""
            console.say(f"{path.stem}{of}")
            Viewer(record, console).sum_up()


def _export(paths: Sequence[Path], target: str) -> None:
    """Write games as records, one after the other; damaged ones are named and left out."""
    records: list[Record] = []
    exported = 0
    for path in reversed(paths):  # the oldest first, as in a series
        try:
            records += read_file(path)
            exported += 1
        except GridlockError as error:
            _complain(error)
    if not records:
        raise StoreError("there is no such game to export")
    if target == _STANDARD_OUTPUT:
        click.echo(write_records(records), nl=False)
        return
    copy = Copy(Path(target))
    copy.check([])  # it must be new, even if it holds these very games
    copy.write(records)
    note(f"{write_count(exported, 'game')} exported to {quote(Path(target))}.")


def _delete(store: Store, paths: Sequence[Path], *, yes: bool) -> None:
    """Delete games, after a question."""
    if not paths:
        raise StoreError("there is no such game to delete")
    what = paths[0].stem if len(paths) == 1 else f"{len(paths):,} games"
    if not yes and not _is_sure(what):
        raise StoreError("nothing is deleted")
    failures = 0
    for path in paths:
        try:
            store.delete(path)
        except GridlockError as error:
            _complain(error)
            failures += 1
    if failures:
        raise StoreError(f"{write_count(failures, 'game')} could not be deleted")
    note(f"Deleted {what}.")


def _is_sure(what: str) -> bool:
    try:
        answer = Console().ask(f"Delete {what} for good? [y/N] ")
    except EndOfInput:
        return False
    return answer.strip().lower() in ("y", "yes")
