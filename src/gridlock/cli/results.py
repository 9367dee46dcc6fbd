"""What ``gridlock history --results`` prints: a table, and a picture of each game over time."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING

import click

from gridlock.cli.table import print_table
from gridlock.results import ASCII, UNICODE, picture, standings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gridlock.results import Result, Signs, Standing

_LATEST = 10  # results that a row of the table shows
_WIDEST = 100  # characters of a picture
_HEADINGS = ("game", "size", "level", "games", "won", "lost", "share", "last ten")


def show_results(results: Iterable[Result], *, is_json: bool) -> None:
    """Print how a person did, the game played last first."""
    found = standings(results)
    if is_json:
        click.echo(json.dumps([_summary(standing) for standing in found], indent=1))
    elif not found:
        click.echo("There is no finished game against the computer to show.")
    else:
        _print(found, UNICODE if _has_unicode() else ASCII)


def _print(found: list[Standing], signs: Signs) -> None:
    print_table(_HEADINGS, [row for standing in found for row in _rows(standing, signs)])
    click.echo(f"\n{signs.legend}")
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    for standing in found:
        click.echo(f"\n{standing}\n")
        click.echo("\n".join(picture(standing, width, signs)))
        if proposal := standing.proposal:
            click.echo(f"\n{proposal}")


def _rows(standing: Standing, signs: Signs) -> list[tuple[str, ...]]:
    rows = []
    for level, results in standing.levels().items():
        games, won = len(results), sum(result.is_won for result in results)
        latest = "".join(
            signs.won if result.is_won else signs.lost for result in results[-_LATEST:]
        )
        numbers = (str(number) for number in (level, games, won, games - won))
        rows.append((standing.rulebook, standing.size, *numbers, f"{won / games:.0%}", latest))
    return rows


def _summary(standing: Standing) -> dict[str, object]:
    proposal = standing.proposal
    return {
        "game": standing.rulebook,
        "size": standing.size,
        "levels": [
            {"level": level, "games": len(results), "won": sum(one.is_won for one in results)}
            for level, results in standing.levels().items()
        ],
        "proposed_level": proposal.level if proposal else None,
        "results": [
            {
                "played": result.played.astimezone().isoformat(timespec="seconds"),
                "level": result.level,
                "won": result.is_won,
            }
            for result in standing.results
        ],
    }


def _has_unicode() -> bool:
    return "utf" in (sys.stdout.encoding or "").lower()
