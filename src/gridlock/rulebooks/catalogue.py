"""The five rulebooks. To add one, add it here; tests say what else it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.errors import UnknownGameError, quote, suggest
from gridlock.grid import KING, ORTHOGONAL, Grid
from gridlock.model import Game, Rulebook
from gridlock.notation import read_size
from gridlock.rulebooks.placement import PlacementRulebook
from gridlock.rulebooks.race import RaceRulebook

if TYPE_CHECKING:
    from collections.abc import Iterable

_NOTHING_MORE = frozenset[tuple[int, int]]()

OCCUPATION = PlacementRulebook(
    id="occupation",
    title="GridLock: A Strategic Grid Occupation Game",
    about="Keep away from the other's symbols, and shut them out",
    size=Grid(5, 5),
    counting=1,
    symbols=("A", "B"),
    own=_NOTHING_MORE,
    opponent=KING,
    sample="2..../...../..1../....2 1 -",
    rules="""\
The two players, A and B, take turns to put their symbol on an empty cell of
a 5x5 grid. A cell that touches one of the opponent's symbols, by a side or a
corner, may not be used; one's own symbols do not matter.

Whoever has no cell left on their turn loses.

Each symbol therefore closes up to nine cells to the opponent and only one to
its owner. Here B may use the cells marked with a dot; A may use every empty
cell but 1,2, 2,1 and 2,2.

    [B] [.] [.] [.] [.]
    [.] [ ] [ ] [ ] [.]
    [.] [ ] [A] [ ] [.]
    [.] [ ] [ ] [ ] [.]
    [.] [.] [.] [.] [.]

Rows and columns are counted from 1; a move is written row,column: 3,3.
""",
)

DUEL = PlacementRulebook(
    id="duel",
    title="Locked Grid Duel",
    about="Every marker locks its cross of cells for both players",
    size=Grid(5, 5),
    counting=1,
    symbols=("A", "B"),
    own=ORTHOGONAL,
    opponent=ORTHOGONAL,
    sample="1...2/...../..1../2.... 1 -",
    rules="""\
The two players, A and B, take turns to put their marker on a cell of a 5x5
grid that is neither marked nor locked. The marker locks its own cell and the
cells above, below, left and right of it, for both players and for good.

Whoever has no cell left on their turn loses, so the last to place a marker
wins. There are no draws.

Here A has marked 3,3 and then B 1,3; L is a locked cell.

       1   2   3   4   5
    1 [ ] [L] [B] [L] [ ]
    2 [ ] [ ] [L] [ ] [ ]
    3 [ ] [L] [A] [L] [ ]
    4 [ ] [ ] [L] [ ] [ ]
    5 [ ] [ ] [ ] [ ] [ ]

Over several games, count the games won, or the markers on the board at the
end of each.

Rows and columns are counted from 1; a move is written row,column: 3,3.
""",
)

CLAIM = PlacementRulebook(
    id="claim",
    title="Gridlock",
    about="Never touch your own cells: leave yourself room",
    size=Grid(5, 5),
    counting=0,
    symbols=("X", "O"),
    own=KING,
    opponent=_NOTHING_MORE,
    sample="1..2./..1../2..../...1. 2 -",
    rules="""\
The two players, X and O, take turns to claim an unclaimed cell of a 5x5 grid
that touches none of their own cells, by a side or a corner. The opponent's
cells may be touched freely.

Whoever has no cell left on their turn loses.

Each claim therefore closes up to nine cells to its owner and only one to the
opponent. Here X may claim the cells marked with a dot.

       0   1   2   3   4
    0 [O][.][.][.][.]
    1 [.][ ][ ][ ][.]
    2 [.][ ][X][ ][.]
    3 [.][ ][ ][ ][.]
    4 [.][.][.][.][.]

Rows and columns are counted from 0; a move is written row,column: 2,2.
""",
)

TRAIL = PlacementRulebook(
    id="trail",
    title="GridLock: A Two-Player Command-Line Strategy Game",
    about="One trail for both: step on from the cell just taken",
    size=Grid(4, 4),
    counting=1,
    symbols=("X", "O"),
    own=_NOTHING_MORE,
    opponent=_NOTHING_MORE,
    follow=ORTHOGONAL,
    sample=".12../.2.../.12../..1.. 2 4,3",
    rules="""\
The two players, X and O, draw one trail together on a 4x4 grid. The first
move may be anywhere; from then on each player takes an empty cell directly
above, below, left or right of the cell that was taken last.

Whoever finds no such cell on their turn loses.

Here X took 2,2, then O 2,3; X may go on at one of the dots.

    [ ][ ][.][ ]
    [ ][X][O][.]
    [ ][ ][.][ ]
    [ ][ ][ ][ ]

Rows and columns are counted from 1; a move is written row,column: 2,2.
""",
)

RACE = RaceRulebook(
    id="race",
    title="GridLock: A Two-Player Turn-Based Strategy Game",
    about="Step, block, and be first in the other player's corner",
    size=Grid(4, 4),
    counting=0,
    symbols=("P1", "P2"),
    sample="..#../.1#../..#2./..... 1 move",
    rules="""\
Token P1 starts in the top left corner of a 4x4 grid, P2 in the bottom right
one. A turn has two parts:

1. Move the token one cell up, down, left or right, to a free cell.
2. Block a free cell, any of the up to eight around the token. A blocked cell
   is closed to both players for good.

Whoever steps onto the cell where the other one started wins at once. Whoever
cannot move on their turn loses. An empty starting cell may be blocked too;
then nobody can win by reaching it.

Here player 1 has moved to 0,1 and blocked 1,0.

     . P1  .  .
     X  .  .  .
     .  .  .  .
     .  .  . P2

Rows and columns are counted from 0. In a record a turn is its two cells:
0,1/1,0. A step onto the goal has no block.
""",
)

RULEBOOKS: dict[str, Rulebook] = {
    rulebook.id: rulebook for rulebook in (OCCUPATION, DUEL, CLAIM, TRAIL, RACE)
}
"""Every rulebook by its id, in the order in which people see them."""


def find_rulebook(name: str) -> Rulebook:
    """Return the rulebook with this id, or raise ``UnknownGameError``."""
    try:
        return RULEBOOKS[name]
    except KeyError:
        raise unknown_game(name, RULEBOOKS) from None


def unknown_game(name: str, known: Iterable[str], others: str = "") -> UnknownGameError:
    """Return the error for a name that no game has.

    It says which of the known ones was probably meant, or else lists them, and ``others``.
    """
    known = list(known)
    meant = suggest(name, known)
    way_out = f"did you mean {meant}?" if meant else f"choose {', '.join(known)}{others}"
    return UnknownGameError(f"there is no game {quote(name)}: {way_out}")


def game(rulebook: str | Rulebook | Game, size: str | Grid | None = None) -> Game:
    """Return a game: a rulebook, or the id of one, on its own board or on one of another size.

    The rulebook may also be named by a game that is played by it.
    """
    if isinstance(rulebook, str):
        rulebook = find_rulebook(rulebook)
    elif isinstance(rulebook, Game):
        rulebook = rulebook.rulebook
    if isinstance(size, str):
        size = read_size(size)
    return Game(rulebook, size or rulebook.size)
