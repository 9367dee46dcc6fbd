"""The characters to draw with: all that a terminal may show, or ASCII alone."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.widget import Widget


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters for lines, shades and signs."""

    corners: str
    """The nine crossings of lines, row by row."""
    across: str
    down: str
    cursor: str
    """The frame of the cursor: its corners from the top left, across, down."""
    closed: str
    blocked: str
    open: str
    steps: str
    """Arrows up, down, left and right."""
    block: str
    goal: str
    hint: str
    left: str
    right: str
    here: str
    mistake: str
    doubt: str
    wrong: str
    """A try that was wrong: not what a block looks like."""


UNICODE = Glyphs(
    corners="┌┬┐├┼┤└┴┘", across="─", down="│", cursor="┏┓┗┛━┃", closed="░", blocked="▓", open="·",
    steps="↑↓←→", block="×", goal="⚑", hint="★", left="◂", right="▸", here="▲", mistake="✗",
    doubt="?", wrong="✗",
)  # fmt: skip
ASCII = Glyphs(
    corners="+++++++++", across="-", down="|", cursor="****=!", closed=":", blocked="#", open=".",
    steps="^v<>", block="x", goal="G", hint="*", left="<", right=">", here="^", mistake="x",
    doubt="?", wrong="-",
)  # fmt: skip

ASCII_CLASS = "-ascii"
"""The class that the app has while it draws with ASCII alone."""


def glyphs_for(widget: Widget) -> Glyphs:
    """Return the characters that a widget may draw with now."""
    return ASCII if widget.app.has_class(ASCII_CLASS) else UNICODE


def has_unicode() -> bool:
    """Tell whether the terminal shows more than ASCII, as far as the environment says so."""
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    return "utf" in next(filter(None, names), "utf").lower()
