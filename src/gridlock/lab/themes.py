"""What a puzzle is about, as far as its line and the board can tell."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from gridlock.search.analysis import best_line
from gridlock.search.backends.base import free_cells
from gridlock.search.regions import Links
from gridlock.search.theorems import Theorem

if TYPE_CHECKING:
    from gridlock.model import Player, Position
    from gridlock.puzzles.puzzle import Puzzle
    from gridlock.search.solver import Solver

_MOST_OPEN = 8  # cells, with which every continuation is looked at


def themes_of(solver: Solver, puzzle: Puzzle) -> tuple[str, ...]:
    """Return the themes of a puzzle, in the order of ``collection.THEMES``."""
    before, after, *_, last = puzzle.positions()
    if before.game.rulebook.has_tokens:
        return (_end_of_a_race(solver, puzzle),)
    is_over = last.winner is not None
    found = {
        "mirror": solver.theorem(after) is Theorem.MIRROR,
        "split": _regions(after) > max(1, _regions(before)),
        "reserve": _reserve(after, puzzle.solver) > 0,
        "parity": not is_over and _is_counted_out(last),
        "trap": is_over and bool(free_cells(last) & ~last.closed_to(puzzle.solver)),
    }
    return tuple(theme for theme, is_so in found.items() if is_so)


def _end_of_a_race(solver: Solver, puzzle: Puzzle) -> str:
    """Return how the winner of a race wins in the end."""
    position = puzzle.positions()[-1]
    position = position.replay(best_line(solver, position))[-1]
    goal = position.goal(puzzle.solver)
    is_home = goal is not None and position.marks(puzzle.solver) >> goal & 1
    return "dash" if is_home else "trap"


def _open_to(position: Position, player: Player) -> int:
    """Return the mask of the cells that a player may take, now or later."""
    return free_cells(position) & ~position.closed_to(player)


def open_cells(position: Position) -> int:
    """Return the mask of the cells that somebody may take, now or later."""
    return _open_to(position, position.mover) | _open_to(position, position.mover.opponent)


def _regions(position: Position) -> int:
    """Return into how many regions the open cells fall that both players may want."""
    one, two = (_open_to(position, player) for player in type(position.mover))
    cells = position.game.grid.cell_count
    regions = Links(position.game).regions(one, two, cells)
    return sum(bool(region.one and region.two) and region.size > 1 for region in regions)


def _reserve(position: Position, player: Player) -> int:
    """Return how many more cells are a player's alone than the other one's."""
    mine, theirs = _open_to(position, player), _open_to(position, player.opponent)
    return (mine & ~theirs).bit_count() - (theirs & ~mine).bit_count()


def _is_counted_out(position: Position) -> bool:
    """Tell whether nobody can change any more who makes the last action."""
    return open_cells(position).bit_count() <= _MOST_OPEN and len(_parities(position)) == 1


@lru_cache(maxsize=1 << 16)
def _parities(position: Position) -> frozenset[int]:
    """Return whether an even or an odd number of actions is left, or how it turns out either."""
    if position.winner is not None:
        return frozenset({0})
    found: set[int] = set()
    for cell in position.legal_cells():
        found |= {1 - parity for parity in _parities(position.play(cell))}
        if len(found) == 2:
            break
    return frozenset(found)
