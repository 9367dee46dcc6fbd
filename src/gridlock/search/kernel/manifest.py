"""Which modules are compiled together, and from which source; ``setup.py`` runs this file too."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

INTERPRETED_VARIABLE = "GRIDLOCK_INTERPRETED"
"""Set when building, it leaves the compiled core out; set when running, it does without."""

MODULES = (
    "batch", "table", "sets", "symmetry", "ordering", "ticker", "search",
    "canonical", "regions", "bounds", "nimbers", "sums", "placement", "race",
    "race_board", "territory", "race_turns", "alphabeta",
    "playouts", "leaf", "tree", "uct",
)  # fmt: skip
"""Each one needs only those before it."""

WIDE = (
    "sets", "symmetry", "ordering", "search",
    "canonical", "regions", "bounds", "nimbers", "sums", "placement",
)  # fmt: skip
"""Those that are compiled a second time, in the folder ``wide``, for sets of two words.

Where a word is enough, sets of one are a fifth faster.
"""

COMPILED = (*MODULES, *(f"wide.{name}" for name in WIDE))
"""What is compiled, by name within the package."""

FAILURE = "not-compiled.txt"
"""The file that says why compiling failed, beside the modules."""


def fingerprint(folder: Path) -> int:
    """Return a number that changes with the source of any module."""
    number = 0
    for name in ("bits", *MODULES):
        for suffix in (".py", ".pxd"):
            number = zlib.crc32((folder / f"{name}{suffix}").read_bytes(), number)
    return number
