"""Pictures of the app that depend on nothing but what it shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridlock.tui.app import GridlockApp


def picture(app: GridlockApp) -> str:
    """Return the screen as SVG, with the reader's own font."""
    svg = app.export_screenshot()
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+-", "terminal-", svg)
    return svg.replace("Fira Code, monospace", "monospace")
