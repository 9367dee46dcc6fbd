"""Commands that look things up: ``games``, ``rules``, ``doctor``, ``help`` and ``version``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from gridlock import __version__
from gridlock.cli.console import note
from gridlock.cli.options import GAME, JSON
from gridlock.cli.table import print_table
from gridlock.errors import StoreError
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.rulebooks.custom import find_rule_files
from gridlock.store import FOLDER_VARIABLE, default_store

if TYPE_CHECKING:
    from pathlib import Path

    from gridlock.model import Rulebook
    from gridlock.store import Store

_LIBRARIES = ("click", "rich", "textual", "platformdirs", "filelock")
_WEB_LIBRARIES = ("litestar", "uvicorn", "sqlalchemy", "asyncpg", "redis")


@click.command(short_help="List the games.", epilog="Example: gridlock games --json")
@JSON
def games(is_json: bool) -> None:
    """List the five rulebooks and the games of your own rule files.

    Rule files are found in the current folder, and in the folder rules of the data folder, which
    gridlock doctor names.
    """
    own, errors = find_rule_files(default_store().rules_folder)
    found: list[tuple[Rulebook, Path | None]] = [(book, None) for book in RULEBOOKS.values()]
    found += [(book, path) for path, book in own.items()]
    keys = ("id", "title", "board", "about", "file")
    rows = [
        (book.id, book.title, str(book.size), book.about, str(path) if path else None)
        for book, path in found
    ]
    for error in errors:
        note(f"gridlock: {error}")
    if is_json:
        click.echo(json.dumps([dict(zip(keys, row, strict=True)) for row in rows], indent=1))
        return
    columns = len(keys) if own else len(keys) - 1  # where there are only rulebooks, no files
    print_table(keys[:columns], [[part or "" for part in row[:columns]] for row in rows])


@click.command(short_help="Show the rules of a game.", epilog="Example: gridlock rules trail")
@GAME
def rules(rulebook: Rulebook) -> None:
    """Show the rules of GAME: one from gridlock games, or a rule file such as ./knights.toml."""
    click.echo(f"{rulebook.title}\n\n{rulebook.rules}", nl=False)


@click.command(
    short_help="Show versions and folders, and whether the core is compiled.",
    epilog="Example: gridlock doctor --json",
)
@JSON
def doctor(is_json: bool) -> None:
    """Show versions, whether the core is compiled, and where games and the log are kept."""
    facts = _facts()
    if is_json:
        click.echo(json.dumps(facts, indent=1))
    else:
        for name, value in facts.items():
            shown = "unknown" if value is None else value
            if isinstance(value, bool):
                shown = "yes" if value else f"no; set {FOLDER_VARIABLE} to another folder"
            click.echo(f"{name.replace('_', ' ') + ':':<18} {shown}")


def _complete_command(context: click.Context, _: object, incomplete: str) -> list[str]:
    root = context.find_root()
    names = root.command.list_commands(root) if isinstance(root.command, click.Group) else []
    return [name for name in names if name.startswith(incomplete)]


@click.command(short_help="Show help for a command.", epilog="Example: gridlock help play")
@click.argument("words", nargs=-1, metavar="[COMMAND]", shell_complete=_complete_command)
@click.pass_context
def help(context: click.Context, words: tuple[str, ...]) -> None:  # noqa: A001 - the command's name
    """Show help for COMMAND, or list all commands; same as --help."""
    root = context.find_root()
    root.command.main([*words, "--help"], root.info_name, standalone_mode=False)


@click.command(short_help="Show the version.", epilog="Example: gridlock version")
def version() -> None:
    """Show the version; same as --version. gridlock doctor shows more."""
    click.echo(f"gridlock {__version__}")


def _facts() -> dict[str, object]:
    import platform

    from gridlock.log import log_path
    from gridlock.preferences import default_preferences
    from gridlock.search.kernel import why_interpreted

    store = default_store()
    return {
        "gridlock": __version__,
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        "system": platform.platform(),
        "core": "interpreted" if why_interpreted else "compiled",
        **({"why_interpreted": why_interpreted} if why_interpreted else {}),
        **{library: _version_of(library) for library in (*_LIBRARIES, *_WEB_LIBRARIES)},
        "data_folder": str(store.folder),
        "can_be_written": store.can_be_written(),
        "unfinished_games": _count_unfinished(store),
        "preferences": str(default_preferences().path),
        "log": str(log_path()),
    }


def _version_of(library: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"


def _count_unfinished(store: Store) -> int | None:
    try:
        return len(store.unfinished())
    except StoreError:
        return None
