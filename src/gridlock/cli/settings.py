"""Options that also come from the environment, from a TOML file, or from a file of their own.

A command of the class ``SettingsCommand`` takes each of its options from the command line, from the
environment (``--keep-days`` from ``GRIDLOCK_KEEP_DAYS``), from the file that ``--config`` names
(the key ``keep-days``), or by default, in this order.  There is one file for all such commands, so
each of them lets the others' keys stand.

An option that ends in ``-file`` names a file that holds a secret: whether ``--database`` or
``--database-file`` is given, the command is handed the database alone.
"""

from __future__ import annotations

import json
import os
import tomllib
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from gridlock.cli.kinds import Bytes
from gridlock.errors import DEBUG_VARIABLE, StoreError, quote, suggest
from gridlock.files import read_text, typed_path
from gridlock.store import FOLDER_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX = "GRIDLOCK_"

WORKER_VARIABLE = "_GRIDLOCK_WORKER"
"""By which a server tells the processes that it starts which of them each one is."""

_OTHER_VARIABLES = {
    DEBUG_VARIABLE, FOLDER_VARIABLE, "GRIDLOCK_INTERPRETED", "GRIDLOCK_REQUIRE_COMPILED"
}  # fmt: skip
"""Variables that are read elsewhere; the last two by the searches, and when it is installed."""

_ACTIONS = {"help", "config", "show_config"}
"""Options that say what to do now: they are no settings."""

_FILE_SUFFIX = "_file"
_ARGUMENTS = f"{__name__}.arguments"
_FILE = f"{__name__}.file"
_SECRETS = f"{__name__}.secrets"

_TYPES = {bool: "true or false", int: "a whole number", float: "a number", str: "a text in quotes"}


class SettingsCommand(click.Command):
    """A command whose options are settings."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.params.append(
            click.Option(
                ["--config"],
                metavar="FILE",
                is_eager=True,
                expose_value=False,
                callback=_take_file,
                envvar=f"{PREFIX}CONFIG",
                help="A TOML file with settings (keep-days = 90). Environment variables "
                "(GRIDLOCK_KEEP_DAYS) override it, and the command line overrides both.",
            )
        )
        for option in settings_of(self):
            option.envvar = variable_of(option)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read all options, wherever they are; an error says where the bad one is."""
        ctx.meta[_ARGUMENTS] = tuple(args)
        try:
            rest = super().parse_args(ctx, args)
            if not ctx.resilient_parsing:
                ctx.meta[_SECRETS] = dict(_read_secrets(ctx))
        except click.BadParameter as error:
            if isinstance(error.param, click.Option):
                error.param_hint = _place(ctx, error.param)
            raise
        if not ctx.resilient_parsing and WORKER_VARIABLE not in os.environ:
            _warn_of_strangers()
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, or show what it would be told."""
        if ctx.params.pop("show_config", False):
            click.echo(_show(ctx))
            return None
        secrets: dict[str, str | None] = ctx.meta[_SECRETS]
        for name, secret in secrets.items():
            del ctx.params[name + _FILE_SUFFIX]
            ctx.params[name] = secret
        return super().invoke(ctx)


class SettingsGroup(click.Group):
    """A group of commands whose options are settings."""

    command_class = SettingsCommand


def arguments_of(ctx: click.Context) -> tuple[str, ...]:
    """Return what stands behind the name of the command on its command line."""
    found: tuple[str, ...] = ctx.meta[_ARGUMENTS]
    return found


def settings_of(command: click.Command) -> Iterator[click.Option]:
    """Yield the options of a command that have a key and a variable."""
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.name not in _ACTIONS:
            yield parameter


def goes_before(ctx: click.Context, name: str, *others: str) -> bool:
    """Tell whether an option is to be taken, and not others that say the same in another way.

    That which is found first counts: on the command line, in the environment, in the file.  Two at
    one of these raise ``UsageError``.
    """
    ranks = {one: ctx.get_parameter_source(one) or 0 for one in (name, *others)}
    other = min(others, key=lambda one: ranks[one])
    if ranks[name] == ranks[other] != ParameterSource.DEFAULT:
        options = {option.name: option for option in settings_of(ctx.command)}
        named = [_place(ctx, options[one]) or options[one].opts[0] for one in (other, name)]
        raise click.UsageError(f"{named[0]} and {named[1]} say the same: one is enough", ctx)
    return ranks[name] < ranks[other]


def path_of(option: click.Option) -> tuple[str, ...]:
    """Return the key of an option in a file: the tables that it is in, and its own name."""
    path: tuple[str, ...] = getattr(option, "path", (option.opts[0].removeprefix("--"),))
    return path


def variable_of(option: click.Option) -> str:
    """Return the name of an option in the environment."""
    return PREFIX + "_".join(path_of(option)).replace("-", "_").upper()


def all_settings() -> dict[str, click.Option]:
    """Return the settings of all commands by their keys, which have dots where tables begin."""
    from gridlock.cli.db import db
    from gridlock.cli.serve import serve

    commands = (serve, *db.commands.values())
    return {
        ".".join(path_of(option)): option for command in commands for option in settings_of(command)
    }


def _take_file(ctx: click.Context, _: click.Parameter, name: str | None) -> None:
    """Let the settings of a file be the defaults."""
    if name is None or ctx.resilient_parsing:
        return
    file = typed_path(name)
    try:
        table = tomllib.loads(read_text(file))
    except tomllib.TOMLDecodeError as error:
        raise click.UsageError(f"{quote(file)} is not TOML: {error}", ctx) from None
    known = all_settings()
    found = {}
    for key, value in _flatten(table):
        if key not in known:
            meant = suggest(key, known)
            hint = f": did you mean {meant}?" if meant else ""
            raise click.UsageError(f"{quote(file)}: there is no setting {quote(key)}{hint}", ctx)
        _check_type(known[key], value, ctx, f"{quote(file)}: {key}")
        found[known[key].name] = value
    ctx.meta[_FILE] = file
    ctx.default_map = found


def _flatten(table: dict[str, Any], outer: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value below a table, with its whole key."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{outer}{name}.")
        else:
            yield f"{outer}{name}", value


def _check_type(option: click.Option, value: object, ctx: click.Context, place: str) -> None:
    """Raise ``UsageError`` unless a value in a file has a type that its setting takes.

    That goes before what click makes of it, to whom true is 1, and 8.5 is 8.
    """
    if option.multiple:
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return
        wanted = 'a list of texts, such as ["one", "two"]'
    else:
        types = _types(option)
        if type(value) in types:
            return
        wanted = _TYPES[types[-1]]
    raise click.UsageError(f"{place} is {_as_toml(value)}: it must be {wanted}", ctx)


def _types(option: click.Option) -> tuple[type, ...]:
    """Return the types that the value of an option can have in a file."""
    if option.is_flag:
        return (bool,)
    if isinstance(option.type, click.types.FloatParamType):
        return (int, float)
    if isinstance(option.type, click.types.IntParamType):
        return (int,)
    return (int, str) if isinstance(option.type, Bytes) else (str,)


def _read_secrets(ctx: click.Context) -> Iterator[tuple[str, str | None]]:
    """Yield the settings that may stand in a file of their own, with what they are.

    Of the two ways to give one, that which goes before the other is taken, and the other emptied.
    """
    for option in settings_of(ctx.command):
        name = option.name.removesuffix(_FILE_SUFFIX)
        if name == option.name:
            continue
        if name in ctx.params and not goes_before(ctx, option.name, name):
            ctx.params[option.name] = None
            yield name, ctx.params[name]
        elif ctx.params[option.name] is None:
            yield name, None
        else:
            if name in ctx.params:
                ctx.params[name] = None
            yield name, _read_secret(ctx, option)


def _read_secret(ctx: click.Context, option: click.Option) -> str:
    """Return what is in the file that an option names, without the spaces around it."""
    file = typed_path(ctx.params[option.name])
    try:
        secret = read_text(file).strip()
    except StoreError as error:
        raise click.BadParameter(str(error), ctx, option) from None
    if not secret:
        raise click.BadParameter(f"{quote(file)} is empty", ctx, option)
    for direct in settings_of(ctx.command):
        if direct.name + _FILE_SUFFIX == option.name:
            return str(direct.type(secret, option, ctx))
    return secret


def _warn_of_strangers() -> None:
    """Say which variables look like settings, and are none."""
    known = {variable_of(option) for option in all_settings().values()} | {f"{PREFIX}CONFIG"}
    names = [name.removeprefix(PREFIX).lower() for name in known]
    for stranger in sorted(os.environ.keys() - known - _OTHER_VARIABLES):
        if stranger.startswith(PREFIX):
            meant = suggest(stranger.removeprefix(PREFIX), names)
            hint = f": did you mean {PREFIX}{meant.upper()}?" if meant else ", and is ignored"
            click.echo(f"gridlock: the variable {stranger} is no setting{hint}", err=True)


def _place(ctx: click.Context, option: click.Option) -> str | None:
    """Return where the value of an option stands, None for the command line."""
    source = ctx.get_parameter_source(option.name)
    if source is ParameterSource.ENVIRONMENT:
        return variable_of(option)
    if source is ParameterSource.DEFAULT_MAP:
        return f"{'.'.join(path_of(option))} in {quote(ctx.meta[_FILE])}"
    return None


def _show(ctx: click.Context) -> str:
    """Return all settings as they are in force, as TOML, and where each comes from."""
    from gridlock.web.address import mask

    lines: list[str] = []
    shown_table = ""
    for option in sorted(settings_of(ctx.command), key=lambda option: len(path_of(option)) > 1):
        *tables, name = path_of(option)
        if tables and tables[0] != shown_table:
            shown_table = tables[0]
            lines += ["", f"[{shown_table}]"]
        key = ".".join((*tables[1:], name))
        value = ctx.params[option.name]
        if value is None:
            lines.append(f"# {key} is not set")
            continue
        if isinstance(option.type, Bytes):
            value = option.type.show(value)
        shown = _as_toml(mask(value) if isinstance(value, str) else value)
        lines.append(f"{key} = {shown}  # {_source(ctx, option)}")
    return "\n".join(lines)


def _source(ctx: click.Context, option: click.Option) -> str:
    """Return where the value of an option comes from."""
    source = ctx.get_parameter_source(option.name)
    if source is ParameterSource.DEFAULT_MAP:
        return str(ctx.meta[_FILE])
    if source is ParameterSource.COMMANDLINE:
        return f"--{'-'.join(path_of(option))}"
    return _place(ctx, option) or "default"


def _as_toml(value: object) -> str:
    """Return a value as it stands in a file."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_as_toml, value))}]"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return json.dumps(value, ensure_ascii=False, default=str)
