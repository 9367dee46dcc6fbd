"""What is drawn on the cells of a position."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gridlock.grid import cells_of
from gridlock.model import Effect, Player
from gridlock.tui.drawing import Look, Square

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.model import Position
    from gridlock.search.analysis import Action, Analysis
    from gridlock.tui.glyphs import Glyphs

_PLAYERS = {Player.ONE: Look.ONE, Player.TWO: Look.TWO}
_VALUES = {
    "win": (Look.WIN, Look.SLOW_WIN),
    "loss": (Look.LOSS, Look.QUICK_LOSS),
    "unknown": (Look.UNKNOWN, Look.UNKNOWN),
}
"""How an action of each value looks: the best of that value, and the others."""
_ESTIMATES = (Look.LIKELIEST, Look.ESTIMATE)
"""How an action looks of which there is but an estimate: like no value."""


def squares_of(
    position: Position,
    glyphs: Glyphs,
    *,
    last: int | None = None,
    analysis: Analysis | None = None,
    hinted: Sequence[int] = (),
) -> list[Square]:
    """Return what is drawn on each cell.

    The ``last`` action is marked; legal cells carry their values where an ``analysis`` is
        given, and a sign where they are ``hinted``.
    """
    game = position.game
    squares = [Square("", Look.APART)] * game.grid.cell_count
    for cell in cells_of(position.closed):
        squares[cell] = Square("", Look.CLOSED, glyphs.closed)
    if (goal := position.goal(position.mover)) is not None:
        squares[goal] = Square(glyphs.goal, Look.APART)
    for cell in cells_of(position.blocked):
        squares[cell] = Square("", Look.BLOCKED, glyphs.blocked)
    signs = _signs(position, glyphs)
    for cell, sign in signs.items():
        squares[cell] = Square(f"{sign}{squares[cell].text}", Look.OPEN)
    for player in Player:
        for cell in cells_of(position.marks(player)):
            symbol = game.rulebook.symbol(player)
            text = f"{signs.get(cell, '')}{symbol}"  # one's own may have to be chosen
            squares[cell] = Square(text, _PLAYERS[player], short=symbol[-1])
    if last is not None:
        squares[last] = replace(squares[last], is_last=True)
    best: dict[str, str] = {}
    for action in analysis.actions if analysis else ():  # the best of each value comes first
        is_best = best.setdefault(action.value, action.label) == action.label
        squares[action.cell] = _worth(action, is_best=is_best)
    for cell in hinted:
        text = squares[cell].text if analysis else ""
        squares[cell] = Square(f"{glyphs.hint}{text}", Look.HINT)
    return squares


def _worth(action: Action, *, is_best: bool) -> Square:
    """Return what says what an action is worth; where there is no room, a chance in tenths."""
    if action.estimate is None:
        return Square(action.label, _VALUES[action.value][not is_best])
    label = action.label
    tenths = f"{label.removeprefix('~'):>02}"[0]
    return Square(label, _ESTIMATES[not is_best], short=tenths)


def _signs(position: Position, glyphs: Glyphs) -> dict[int, str]:
    """Return a sign for each legal cell; a step beside the token is an arrow, a block a cross."""
    effect = position.upcoming.effect
    if effect is not Effect.STEP or not position.game.rulebook.has_tokens:
        sign = glyphs.block if effect is Effect.BLOCK else glyphs.open
        return dict.fromkeys(position.legal_cells(), sign)
    grid = position.game.grid
    (token,) = cells_of(position.marks(position.mover))
    steps = (-grid.columns, grid.columns, -1, 1)[: 2 if grid.columns == 1 else 4]
    arrows = dict(zip(steps, glyphs.steps, strict=False))
    return {cell: arrows.get(cell - token, glyphs.open) for cell in position.legal_cells()}
