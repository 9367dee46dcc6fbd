"""Settings that few operators touch: limits, searches, connections to the database and time-outs.

They are the fields of the parts of ``Config``, each a hidden option: ``limits.requests.burst`` is
``burst`` of ``[limits.requests]`` in a file, ``GRIDLOCK_LIMITS_REQUESTS_BURST`` in the environment.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import click

from gridlock.cli.kinds import Bytes, Number, Whole
from gridlock.web import config
from gridlock.web.config import GateLimits, Pool, Rate, SearchLimits, Timeouts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _typeshed import DataclassInstance

_TABLES: dict[str, DataclassInstance] = {
    "limits": GateLimits(),
    "searches": SearchLimits(),
    "pool": Pool(),
    "timeouts": Timeouts(),
}


class Tuning(click.Option):
    """A hidden option that stands in a table of a file."""

    def __init__(self, path: tuple[str, ...], kind: click.ParamType[Any], default: object) -> None:
        super().__init__([f"--{'-'.join(path)}"], type=kind, default=default, hidden=True)
        self.path = path


def tuning_options() -> list[click.Parameter]:
    """Return all of these options."""
    return [option for name, table in _TABLES.items() for option in _options(table, (name,))]


def tuned(values: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of ``Config`` that the values of these options make."""
    return {name: _build(table, name, values) for name, table in _TABLES.items()}


def _options(table: DataclassInstance, outer: tuple[str, ...]) -> Iterator[Tuning]:
    hints = get_type_hints(type(table), include_extras=True)
    for field in fields(table):
        path = (*outer, field.name.replace("_", "-"))
        default = getattr(table, field.name)
        if isinstance(default, Rate):
            yield from _options(default, path)
        else:
            yield Tuning(path, _kind(hints[field.name]), default)


def _build(table: DataclassInstance, name: str, values: dict[str, Any]) -> Any:
    made = {}
    for field in fields(table):
        default, inner = getattr(table, field.name), f"{name}_{field.name}"
        made[field.name] = (
            _build(default, inner, values) if isinstance(default, Rate) else values[inner]
        )
    return type(table)(**made)


def _kind(hint: Any) -> click.ParamType[Any]:
    """Return what a field takes; one without bounds takes any amount."""
    if hint is config.Bytes:
        return Bytes()
    kind, bounds = get_args(hint) or (hint, config.Bounds(0, config.MANY))
    return (Whole if kind is int else Number)(bounds.least, bounds.most)
