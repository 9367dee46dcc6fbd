"""What options of the web app take: numbers, amounts of memory, addresses, names."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import click

from gridlock.cli.options import read_memory
from gridlock.errors import NotationError, quote
from gridlock.web.address import (
    check_database,
    check_redis,
    read_host_name,
    read_origin,
    read_proxy,
)

if TYPE_CHECKING:
    from collections.abc import Callable


class Whole(click.IntRange):
    """A whole number within bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or raise ``BadParameter``, which says what would be right."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            wanted = f"a whole number from {self.min} to {self.max}"
            self.fail(f"{quote(str(value))} is not {wanted}", param, ctx)


class Number(click.FloatRange):
    """A number within bounds, to which nan does not belong."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number, or raise ``BadParameter``, which says what would be right."""
        try:
            number = super().convert(value, param, ctx)
        except click.BadParameter:
            number = math.nan
        if math.isnan(number):
            wanted = f"a number from {self.min:.10g} to {self.max:.10g}"
            self.fail(f"{quote(str(value))} is not {wanted}", param, ctx)
        return number


class Bytes(click.ParamType[int]):
    """An amount of memory."""

    name = "bytes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return how many bytes it is, or raise ``BadParameter``."""
        try:
            return read_memory(str(value))
        except NotationError as error:
            self.fail(str(error), param, ctx)

    def show(self, value: int) -> str | int:
        """Return an amount as people write it."""
        return f"{value >> 20}M" if value % (1 << 20) == 0 else value


class _Address(click.ParamType[str]):
    """A text that a function reads; of several, the environment has a list."""

    def __init__(self, name: str, read: Callable[[str], str]) -> None:
        self.name = name
        self._read = read

    def split_envvar_value(self, rv: str) -> list[str]:
        """Return the texts of a list, which are separated by commas or spaces."""
        return [text for text in re.split(r"[,\s]+", rv) if text]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return what was read, or raise ``BadParameter``."""
        try:
            return self._read(value)
        except NotationError as error:
            self.fail(str(error), param, ctx)


DATABASE = _Address("file or url", check_database)
HOST_NAME = _Address("name", read_host_name)
ORIGIN = _Address("url", read_origin)
PROXY = _Address("address", read_proxy)
REDIS = _Address("url", check_redis)
