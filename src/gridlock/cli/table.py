"""Tables in a terminal or a pipe."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_WIDTH_IN_A_PIPE = 240  # characters; nothing is wrapped where a program reads


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]], gap: int = 3) -> None:
    """Print a table that fits the terminal, or whole lines where there is none.

    The first column holds names that a person may want to copy, so it is never wrapped.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="bold")
    for number, heading in enumerate(headings):
        table.add_column(heading, overflow="fold", no_wrap=number == 0)
    for row in rows:
        table.add_row(*map(Text, row))
    console = Console(width=None if sys.stdout.isatty() else _WIDTH_IN_A_PIPE)
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():
        sys.stdout.write(f"{line.rstrip()}\n")
