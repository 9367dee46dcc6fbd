"""What is known of placement games before any search, each with its proof in a sentence.

The search layer asks here which theorems hold for a rulebook; each can be switched off, and the
tests compare all answers with and without it.
"""

from __future__ import annotations

from enum import Flag, auto
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from gridlock.grid import cells_of, mask_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.grid import Grid, Offsets
    from gridlock.model import Game
    from gridlock.rulebooks.placement import PlacementPosition, PlacementRulebook


class Theorem(Flag):
    """The theorems.

    One that always holds, and on which every search stands: of a placement position only which
    cells each player may still take matters (and the last cell, where moves follow it), because
    what is legal, and what an action closes, depends on nothing else.
    """

    SYMMETRY = auto()
    """Turning or flipping the board, or moving all open cells together, changes nothing as long as
    every reach goes along: the same actions then lead to like positions.  Exchanging the players
    changes nothing for the mover either, so positions are always seen from the mover's side."""

    MIRROR = auto()
    """A position in which the other player may take the image, under a symmetry of order two, of
    every cell that the mover may, and in which no such cell closes its image to the other player,
    is lost for the mover: the other player answers every cell with its image, and all this is true
    again."""

    REGIONS = auto()
    """Cells that cannot close each other, not even through others, form independent regions, whose
    sum is the game.  A lone cell open to one player only is a whole move in hand, the number 1; a
    lone cell open to both is the game * (star), and two stars cancel."""

    BOUNDS = auto()
    """A player takes at most one cell of each clique of cells that close each other to their owner;
    and, of a set in which no cell closes another to its owner, surely all cells that the other
    player cannot close, and half of those of which no action of the other player closes two, since
    both take turns at these, with the odd one for who begins.  If the player who moves second is
    sure of as many moves as the other one can ever make, or the player who begins of more, that
    player wins by making just those."""

    NIMBERS = auto()
    """Where both players may always take the same cells a region is worth a nim heap, the least
    number that none of its options is worth (Sprague and Grundy), and heaps add without carrying;
    so a region is compared with the sum of the others, and rarely needs to be known itself."""

    NUMBERS = auto()
    """Where taking a cell closes other cells only to the player who took it, and closing goes both
    ways, every region is worth a number x or x + * (Conway): with a star beside it, to have taken
    a cell is never better than to have the choice, as the other player can copy all that follows;
    and such values add."""

    MATCHING = auto()
    """Where moves follow each other and close nothing else, taking a cell wins just if some largest
    matching of the open cells leaves it out: the winner answers along the matching for ever, since
    an answer that could not be matched would make the matching larger."""


ALL = ~Theorem(0)


def is_impartial(rulebook: PlacementRulebook) -> bool:
    """Tell whether both players may always take the same cells."""
    return rulebook.follow is None and rulebook.own == rulebook.opponent


def has_numbers(rulebook: PlacementRulebook) -> bool:
    """Tell whether every region is worth a number, or a number and a star."""
    return rulebook.follow is None and not rulebook.opponent and _goes_both_ways(rulebook.own)


def has_matching(rulebook: PlacementRulebook) -> bool:
    """Tell whether a matching of the open cells says who wins."""
    return (
        rulebook.follow is not None
        and not rulebook.own
        and not rulebook.opponent
        and _goes_both_ways(rulebook.follow)
    )


def _goes_both_ways(offsets: Offsets) -> bool:
    return all((-down, -right) in offsets for down, right in offsets)


@lru_cache(maxsize=64)
def symmetries(game: Game) -> tuple[tuple[int, ...], ...]:
    """Return the symmetries of the board that take every reach along, the identity first."""
    rulebook = cast("PlacementRulebook", game.rulebook)
    reaches = {rulebook.own, rulebook.opponent, rulebook.follow or frozenset()}
    return tuple(
        symmetry
        for symmetry in game.grid.symmetries()
        if all(_takes_along(game.grid, symmetry, reach) for reach in reaches)
    )


def symmetries_of(position: PlacementPosition) -> list[tuple[int, ...]]:
    """Return the symmetries that change nothing of a position, the identity first."""
    return [
        symmetry
        for symmetry in symmetries(position.game)
        if all(image_of(symmetry, mask) == mask for mask in position.still_open)
        and (position.last is None or symmetry[position.last] == position.last)
    ]


def _takes_along(grid: Grid, symmetry: tuple[int, ...], reach: Offsets) -> bool:
    """Tell whether a symmetry sends every step of a reach to a step of it.

    It sends like steps to like ones, so each needs to be looked at in one place only.
    """
    for down, right in reach:
        row, column = max(0, -down), max(0, -right)
        if grid.contains(row, column) and grid.contains(row + down, column + right):
            start = grid.place(symmetry[grid.cell(row, column)])
            end = grid.place(symmetry[grid.cell(row + down, column + right)])
            if (end[0] - start[0], end[1] - start[1]) not in reach:
                return False
    return True


def image_of(symmetry: Sequence[int], mask: int) -> int:
    """Return the cells onto which a symmetry sends some cells."""
    # Written digit by digit, the highest first: to set bits of a long mask copies it each time.
    digits = bytearray(b"0") * len(symmetry)
    one = ord("1")
    for cell in cells_of(mask):
        digits[~symmetry[cell]] = one
    return int(digits, 2)


@lru_cache(maxsize=64)
def spoilt_cells(grid: Grid, symmetry: tuple[int, ...], opponent: Offsets) -> int:
    """Return the cells that close their image to the other player: all, if mirroring is wrong.

    Only a symmetry of order two can be mirrored by.
    """
    if any(symmetry[image] != cell for cell, image in enumerate(symmetry)):
        return grid.full
    spoilt = []
    for cell, image in enumerate(symmetry):
        row, column = grid.place(cell)
        image_row, image_column = grid.place(image)
        if image == cell or (image_row - row, image_column - column) in opponent:
            spoilt.append(cell)
    return mask_of(spoilt)


@lru_cache(maxsize=64)
def _mirrors(game: Game) -> list[tuple[tuple[int, ...], int]]:
    """Return the symmetries of a game, each with the cells that it is spoilt by."""
    opponent = cast("PlacementRulebook", game.rulebook).opponent
    return [
        (symmetry, spoilt_cells(game.grid, symmetry, opponent)) for symmetry in symmetries(game)
    ]


def mirror_of(position: PlacementPosition) -> tuple[int, ...] | None:
    """Return the symmetry by which the other player can answer every action, if there is one."""
    rulebook, grid = cast("PlacementRulebook", position.game.rulebook), position.game.grid
    if rulebook.follow is not None or position.winner is not None:
        return None
    mine = position.still_open[position.mover - 1]
    theirs = position.still_open[position.mover.opponent - 1]
    for symmetry, spoilt in _mirrors(position.game):
        # A mirror is its own inverse, so this asks whether each of my cells has its image among
        # theirs; on a large board fewer cells are closed than open.
        if not mine & spoilt and not mine & image_of(symmetry, grid.full & ~theirs):
            return symmetry
    return None


def mirror_cells(position: PlacementPosition) -> list[int]:
    """Return the cells of the centre by which the mover can mirror from then on."""
    grid = position.game.grid
    centre = [
        grid.cell(row, column)
        for row in sorted({(grid.rows - 1) // 2, grid.rows // 2})
        for column in sorted({(grid.columns - 1) // 2, grid.columns // 2})
    ]
    return [
        cell
        for cell in centre
        if position.is_legal(cell) and mirror_of(cast("PlacementPosition", position.play(cell)))
    ]


def following_cells(position: PlacementPosition) -> dict[int, list[int]]:
    """Return, for each open cell, the open ones that may follow it."""
    grid = position.game.grid
    follow = cast("PlacementRulebook", position.game.rulebook).follow or frozenset()
    is_open = [bit == "1" for bit in reversed(f"{position.still_open[0]:0{grid.cell_count}b}")]
    following = {}
    for cell in range(grid.cell_count):
        if is_open[cell]:
            row, column = grid.place(cell)
            following[cell] = [
                other
                for down, right in follow
                if grid.contains(row + down, column + right)
                and is_open[other := grid.cell(row + down, column + right)]
            ]
    return following
