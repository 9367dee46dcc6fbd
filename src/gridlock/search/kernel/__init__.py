"""The core: whole searches in plain integers, one idea a module.

    bits      what is asked of a machine word  sets      sets of cells, in a row
    symmetry  images of sets of cells          ordering  the children of a node, sorted
    table     the transposition table          ticker    counting nodes, polling, stopping

Exact searches, of at most 64 cells; those of placement games are compiled a second time, in
``wide``, for 128:

    search    what they share                  canonical → nimbers → sums → placement
    regions   cells that depend on each other  bounds    on what a player can take
    race

Many games at once, for learners: batch

Estimating ones, on boards of any size:

    playouts → leaf, tree → uct                race_board → territory → race_turns → alphabeta

The C types of attributes stand in the ``.pxd`` beside each module.  Methods that run without the
GIL return several results by leaving them in attributes, named in their first line.

It is compiled as a whole, or runs interpreted as a whole, from the same source: ``why_interpreted``
says why, and ``GRIDLOCK_INTERPRETED=1`` asks for it.
"""

from importlib import import_module
from pathlib import Path

from gridlock.search.kernel import loader

why_interpreted = loader.load(__name__, Path(__file__).parent)
"""Why the core is not compiled, in one line; None if it is."""

is_compiled = why_interpreted is None

_wide = f"{__name__}.wide" if is_compiled else __name__  # interpreted, every word is wide enough
WidePlacement = import_module(f"{_wide}.placement").Placement
"""The search of placement games for boards of at most ``MOST_CELLS``; slower than ``Placement``."""

MOST_CELLS: int = import_module(f"{_wide}.sets").most_cells
"""The most cells that any search can take."""
