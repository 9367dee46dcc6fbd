"""``gridlock config``: what a person prefers, seen and set."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from gridlock.cli.options import JSON
from gridlock.cli.table import print_table
from gridlock.errors import NotationError, quote, suggest
from gridlock.preferences import PREFERENCES, Preferences, default_preferences

if TYPE_CHECKING:
    from gridlock.preferences import PreferencesFile

_NOTHING = "-"  # in a table


def _complete_name(_: object, __: object, incomplete: str) -> list[str]:
    return [name for name in PREFERENCES if name.startswith(incomplete)]


def _check_name(_: object, __: object, name: str | None) -> str | None:
    if name is None or name in PREFERENCES:
        return name
    meant = suggest(name, PREFERENCES)
    way_out = f"did you mean {meant}?" if meant else f"choose {', '.join(PREFERENCES)}"
    raise click.BadParameter(
        f"there is no preference {quote(name)}: {way_out}", param_hint="'NAME'"
    )


@click.command(
    short_help="Show and set your preferences.",
    epilog="Example: gridlock config opponent computer:5",
)
@click.argument("name", required=False, callback=_check_name, shell_complete=_complete_name)
@click.argument("value", required=False)
@click.option("--reset", "is_reset", is_flag=True, help="Set NAME as it was at the beginning.")
@JSON
def config(name: str | None, value: str | None, is_reset: bool, is_json: bool) -> None:
    """Show your preferences, and the file that keeps them.

    With NAME, show that one alone; with NAME and VALUE, set it. The app and the command line use
    the same preferences.
    """
    file = default_preferences()
    if is_reset and (name is None or value is not None):
        raise click.UsageError("--reset goes with a NAME and no VALUE")
    if is_json and (value is not None or is_reset):
        raise click.UsageError("--json shows preferences: it goes with no VALUE and no --reset")
    if name is None:
        _show(file, is_json=is_json)
        return
    if is_reset:
        _reset(file, name)
    elif value is not None:
        _set(file, name, value)
    described = _describe(file.read(), name)
    click.echo(json.dumps(described, indent=1) if is_json else f"{name}: {described['value']}")


def _show(file: PreferencesFile, *, is_json: bool) -> None:
    """Print the file, and all preferences."""
    preferences = file.read()
    described = {name: _describe(preferences, name) for name in PREFERENCES}
    if is_json:
        found = {"file": str(file.path), "preferences": described}
        click.echo(json.dumps(found, indent=1))
        return
    click.echo(f"Kept in {file.path}\n")
    keys = ("value", "default", "about")
    rows = [(name, *(one[key] or _NOTHING for key in keys)) for name, one in described.items()]
    print_table(("name", *keys), rows)


def _describe(preferences: Preferences, name: str) -> dict[str, str]:
    """Return what there is to know of a preference, in words."""
    preference = PREFERENCES[name]
    value, usual = (
        preference.write(getattr(kept, preference.field)) for kept in (preferences, Preferences())
    )
    return {"value": value, "default": usual, "about": preference.about}


def _set(file: PreferencesFile, name: str, text: str) -> None:
    preference = PREFERENCES[name]
    try:
        value = preference.read(text)
    except NotationError as error:
        raise click.BadParameter(str(error), param_hint=f"'{name}'") from None
    file.update(**{preference.field: value})


def _reset(file: PreferencesFile, name: str) -> None:
    usual, field = Preferences(), PREFERENCES[name].field
    changes = {field: getattr(usual, field)}
    if field == "setup":
        changes["has_played"] = usual.has_played
    file.update(**changes)
