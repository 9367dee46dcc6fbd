"""``gridlock tournament``: programs against programs, with ratings that can be trusted."""

from __future__ import annotations

import json
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gridlock.cli.console import note
from gridlock.cli.options import JSON, Choice
from gridlock.cli.table import print_table
from gridlock.errors import GridlockError, StoreError, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gridlock.lab.tournament.ledger import Ledger
    from gridlock.lab.tournament.plan import Plan
    from gridlock.lab.tournament.report import Row

_FORMATS = ("round-robin", "gauntlet", "swiss", "match")  # as ``Format`` has them
_FOLDER = "tournament"
_LIVE_SECONDS = 0.5
_HEADINGS = (
    "", "player", "Elo", "95 %", "games", "score", "LOS", "faults", "mistakes", "turn", "resists",
    "judged",
)  # fmt: skip
_GAP = 1  # so that a table fits a terminal of 80 characters


@click.command(
    short_help="Let programs play each other, and rate them.",
    epilog="Example: gridlock tournament --game duel -p computer:3 -p computer:5 --rounds 20",
)
@click.argument("file", required=False, metavar="[FILE]")
@click.option(
    "-p",
    "--player",
    "players",
    multiple=True,
    metavar="WHO",
    help="A player, such as computer:3, random, engine:COMMAND, or NAME=WHO to name it in the "
    "table. Give two or more.",
)
@click.option("--game", metavar="GAME", help="A game, or a rule file.  [default: duel]")
@click.option("--size", metavar="RxC", help="Board size, rows x columns.")
@click.option("--format", type=Choice(_FORMATS), help="Who meets whom.  [default: round-robin]")
@click.option(
    "--rounds",
    type=int,
    metavar="N",
    help="How often those who meet do so, or the rounds of swiss; each time they play the same "
    "opening from both sides.  [default: 1]",
)
@click.option(
    "--openings",
    metavar="WHICH",
    help="start; random:N, after N random actions; fair:N, likewise, won by player 1 and player 2 "
    "by turns, as proved; or a file with a position or moves in each line.  [default: random:2]",
)
@click.option("--clock", metavar="S+S", help="Seconds for a game and each turn, such as 10+0.1.")
@click.option("--time-per-move", "seconds", type=float, metavar="SECONDS", help="Seconds per move.")
@click.option("--nodes", type=int, metavar="N", help="Nodes per move.")
@click.option("--concurrency", type=int, metavar="N", help="Games at once.  [default: 1]")
@click.option("--seed", type=int, metavar="N", help="For openings and chance.  [default: 1]")
@click.option(
    "--sprt",
    metavar="ELO0,ELO1",
    help="Stop a match when it is decided which of two strengths, in normalised Elo, is right.",
)
@click.option("--alpha", type=float, help="How often elo1 may be wrong.  [default: 0.05]")
@click.option("--beta", type=float, help="How often elo0 may be wrong.  [default: 0.05]")
@click.option(
    "--quality",
    type=float,
    metavar="SECONDS",
    help="How long the solver may judge each game; 0: not at all.  [default: 1]",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help=f"A new folder for everything.  [default: {_FOLDER}]",
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Go on with a tournament that was stopped, or show its table again.",
)
@JSON
def tournament(
    file: str | None, folder: Path | None, resume: Path | None, is_json: bool, **options: Any
) -> None:
    """Let programs play each other, and rate them.

    FILE is a TOML file with the same keys as the options, with players as a list; ladder is one
    that comes along, with all levels of the computer. Options count more than the file.

    Every finished game is on disk at once: after Ctrl-C, or anything worse, --resume goes on. The
    folder gets the table (table.json, table.csv, table.svg) and the records (games.txt).

    LOS is how likely a player is stronger than the next one in the table. The solver judges the
    games as far as it reaches. mistakes: of 100 won positions, how many were
    given away; turn: when, on average; resists: how many actions a lost game lasts; judged: the
    part of all actions that could be judged.
    """  # fmt: skip
    given = {
        key: value for key, value in options.items() if value is not None and value != ()
    }  # fmt: skip
    plan = None
    if resume is None:
        plan = _plan(file, given)
    elif file or folder or given:
        raise click.UsageError("--resume goes alone: the folder has the plan")
    _run(resume or folder or Path(_FOLDER), plan, is_json=is_json)


def _plan(file: str | None, given: dict[str, Any]) -> Plan:
    """Return the plan of a file and options; what makes no sense is wrong use."""
    from gridlock.lab.tournament.plan import build, read_keys, shipped

    try:
        keys = read_keys(shipped(file) or Path(file)) if file else {}
        limits = ("clock", "seconds", "nodes")
        if any(name in given for name in limits):
            keys = {key: value for key, value in keys.items() if key not in limits}
        return build({**keys, **given})
    except StoreError:
        raise
    except GridlockError as error:
        raise click.UsageError(str(error)) from None


def _run(folder: Path, plan: Plan | None, *, is_json: bool) -> None:
    from gridlock.lab.tournament.ledger import Ledger
    from gridlock.lab.tournament.report import as_data, write_reports
    from gridlock.lab.tournament.runner import Runner

    with Ledger(folder, plan) as ledger:
        try:
            with _live(ledger) as show:
                Runner(ledger, show).run()
                _judge(ledger, show)
        except KeyboardInterrupt:
            note(f"The tournament is kept. To go on: gridlock tournament --resume {folder}")
            raise
        finally:
            if ledger.results:
                write_reports(ledger)
        if is_json:
            click.echo(json.dumps(as_data(ledger), indent=1))
        elif ledger.results:
            _show(ledger)


def _judge(ledger: Ledger, show: Callable[[], None]) -> None:
    """Have the solver judge the games that it has not judged yet."""
    from gridlock.engine import Engine
    from gridlock.lab.tournament.quality import judge
    from gridlock.search.settings import Settings

    if not ledger.plan.quality:
        return
    engine = Engine(ledger.plan.board(), Settings(seconds=ledger.plan.quality))
    for number, result in sorted(ledger.results.items()):
        if number not in ledger.quality:
            ledger.add_quality(judge(engine, result))
            show()


@contextmanager
def _live(ledger: Ledger) -> Iterator[Callable[[], None]]:
    """Show the table on a terminal while games are played."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.live import Live

    shown = 0.0
    with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:

        def show() -> None:
            nonlocal shown
            if ledger.results and time.monotonic() - shown >= _LIVE_SECONDS:
                shown = time.monotonic()
                live.update(_live_table(ledger), refresh=True)

        yield show


def _live_table(ledger: Ledger) -> Any:
    from rich.table import Table

    from gridlock.lab.tournament.report import rows_of

    judged = f", {len(ledger.quality)} judged" if ledger.quality else ""
    title = f"{len(ledger.results)} games{judged}; Ctrl-C stops, and --resume goes on"
    table = Table(
        *_HEADINGS, box=None, pad_edge=False, padding=(0, _GAP, 0, 0), title=title,
        title_justify="left",
    )  # fmt: skip
    for row in rows_of(ledger):
        table.add_row(*_cells(row))
    return table


def _show(ledger: Ledger) -> None:
    """Print the table, and what is to be said of it."""
    from gridlock.lab.tournament.report import ratings_of, rows_of, test_of

    rows = rows_of(ledger)
    print_table(_HEADINGS, [_cells(row) for row in rows], gap=_GAP)
    for row in rows:
        if row.faults:
            faults = ", ".join(f"{name} {count}" for name, count in sorted(row.faults.items()))
            click.echo(f"{row.label}: lost by {faults}")
    if ratings_of(ledger).is_regularised:
        click.echo(
            "Somebody has won or lost everything: each player is rated with a drawn game more."
        )
    if test := test_of(ledger):
        accepted = test["accepted"]
        verdict = f"{accepted} = {test[accepted]:g} is accepted" if accepted else "not decided yet"
        click.echo(
            f"SPRT of {test['elo0']:g} against {test['elo1']:g} (normalised Elo): "
            f"LLR {test['pentanomial']['ratio']:.2f} of pairs, "
            f"{test['trinomial']['ratio']:.2f} of games "
            f"({test['lower']:.2f}, {test['upper']:.2f}): {verdict}."
        )
    click.echo(f"The table and all games are in {quote(ledger.folder)}.")


def _cells(row: Row) -> list[str]:
    quality = row.quality

    def shown(value: float | None, form: str) -> str:
        return "-" if value is None else format(value, form)

    return [
        str(row.place), row.label, f"{row.elo:+.0f}", f"±{row.error:.0f}", str(row.games),
        f"{row.wins / max(1, row.games):.1%}", shown(row.superiority, ".1%"),
        str(sum(row.faults.values())), shown(quality.mistakes_per_100, ".1f"),
        shown(quality.mean_turn, ".1f"), shown(quality.resistance, ".1f"),
        shown(quality.part_judged, ".0%"),
    ]  # fmt: skip
