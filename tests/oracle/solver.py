"""Positions solved by trying everything: a slow, obvious reference to test against.

Every function is the textbook's definition written down: plain recursion over ``legal_cells`` and
``play``, which remembers its answers and knows no bound, no symmetry, no theorem. What it says is
right because it is short; keep it to small boards.

The last part is the theory of partizan games. There a *form* is what the textbooks call a game:
what Left (player 1) may move to, and what Right (player 2) may move to, whoever the mover is.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache, wraps
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from gridlock import Player
from gridlock.rulebooks.placement import PlacementPosition, PlacementRulebook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from gridlock import Game, Position

Solution = tuple[bool, int]
"""Whether the mover wins, and the actions left when the winner hurries and the loser delays."""

Answer = TypeVar("Answer")


def remembered(question: Callable[[Position], Answer]) -> Callable[[Position], Answer]:
    """Ask every position only once.

    There is one memo a game, since positions of different games with the same marks hash alike.
    """
    memos: dict[Game, dict[Position, Answer]] = {}

    @wraps(question)
    def ask(position: Position) -> Answer:
        memo = memos.setdefault(position.game, {})
        if position not in memo:
            memo[position] = question(position)
        return memo[position]

    return ask


@remembered
def solve(position: Position) -> Solution:
    """Return whether the mover wins, and the distance; (False, 0) once the game is over."""
    if position.winner is not None:
        return position.winner == position.mover, 0
    outcomes = [solve_action(position, cell) for cell in position.legal_cells()]
    wins = [distance for won, distance in outcomes if won]
    if wins:
        return True, min(wins)
    return False, max(distance for _, distance in outcomes)


def solve_action(position: Position, cell: int) -> Solution:
    """Return whether the mover wins by choosing a cell, and the distance, this action included.

    In race the same player may be the mover again.
    """
    after = position.play(cell)
    won, distance = solve(after)
    return (won if after.mover == position.mover else not won), distance + 1


def best_line_is_right(position: Position, line: Sequence[int]) -> bool:
    """Tell whether a line is legal, as long as the distance, and optimal at every action."""
    if len(line) != solve(position)[1]:
        return False
    for cell in line:
        if cell not in position.legal_cells() or solve_action(position, cell) != solve(position):
            return False
        position = position.play(cell)
    return True


@remembered
def misere_wins(position: Position) -> bool:
    """Tell whether the mover wins a placement game if the player who cannot move wins."""
    turned(position, position.mover)  # refuses race, where the turn does not always pass
    if not position.legal_cells():
        return True
    return any(not misere_wins(position.play(cell)) for cell in position.legal_cells())


@remembered
def grundy(position: Position) -> int:
    """Return the mex of the options of a placement game with the same cells for both players."""
    if turned(position, position.mover.opponent).legal_cells() != position.legal_cells():
        raise ValueError(f"not impartial: {position}")
    options = {grundy(position.play(cell)) for cell in position.legal_cells()}
    return min(set(range(len(options) + 1)) - options)


def turned(position: Position, mover: Player) -> PlacementPosition:
    """Return the same board of a placement game with this player to move."""
    if not isinstance(position, PlacementPosition):
        raise TypeError(f"{position.game} is not a placement game")
    return replace(position, mover=mover)


class Form(NamedTuple):
    """What Left may move to, and what Right may move to; made by ``form``."""

    left: frozenset[Form]
    right: frozenset[Form]


KNOWN: dict[Form, Form] = {}


def form(left: Iterable[Form] = (), right: Iterable[Form] = ()) -> Form:
    """Return the form with these options: always the same object, which is quick to compare."""
    new = Form(frozenset(left), frozenset(right))
    return KNOWN.setdefault(new, new)


ZERO = form()
STAR = form([ZERO], [ZERO])


@cache
def le(g: Form, h: Form) -> bool:
    """Tell whether g <= h: no Left option of g is >= h, and no Right option of h is <= g."""
    return not any(le(h, option) for option in g.left) and not any(
        le(option, g) for option in h.right
    )


@cache
def negate(g: Form) -> Form:
    """Return -g, the form with the players exchanged."""
    return form(map(negate, g.right), map(negate, g.left))


@cache
def add(g: Form, h: Form) -> Form:
    """Return g + h: a move is a move in one of the two."""
    return form(
        [add(option, h) for option in g.left] + [add(g, option) for option in h.left],
        [add(option, h) for option in g.right] + [add(g, option) for option in h.right],
    )


def equal(g: Form, h: Form) -> bool:
    """Tell whether g = h, which is to say that whoever moves first in g - h loses."""
    difference = add(g, negate(h))
    return le(difference, ZERO) and le(ZERO, difference)


@cache
def number(x: Fraction) -> Form:
    """Return the canonical form of a dyadic number."""
    if x.denominator > 1:
        step = Fraction(1, x.denominator)
        return form([number(x - step)], [number(x + step)])
    return form([number(x - 1)] if x > 0 else (), [number(x + 1)] if x < 0 else ())


@cache
def depth(g: Form) -> int:
    """Return the length of the longest play, of any two players who need not alternate."""
    return max((depth(option) + 1 for option in g.left | g.right), default=0)


@remembered
def form_of(position: Position) -> Form:
    """Return the form of a position of a placement game without follow, whoever its mover is."""
    rulebook = position.game.rulebook
    if isinstance(rulebook, PlacementRulebook) and rulebook.follow is not None:
        raise ValueError(f"in {position.game} the next move must follow the last")
    left, right = (turned(position, player) for player in Player)
    if position != left:
        return form_of(left)
    return form(
        [form_of(left.play(cell)) for cell in left.legal_cells()],
        [form_of(right.play(cell)) for cell in right.legal_cells()],
    )


def value_of(position: Position) -> tuple[Fraction, bool]:
    """Return x, and whether a star is added: the position is proved to equal x or x + *.

    Tries 0, then ever less simple numbers on the side where the value is. One try for each move
    that can still be made is enough, as no value is less simple than its form. Raises
    ``ValueError`` for a position that has another value; in claim, which is Col, none has.
    """
    g = form_of(position)
    below: Fraction | None = None
    above: Fraction | None = None
    x = Fraction(0)
    for _ in range(depth(g) + 1):
        if equal(g, number(x)):
            return x, False
        if equal(g, add(number(x), STAR)):
            return x, True
        if le(g, number(x)):
            above = x
            x = x - 1 if below is None else (below + x) / 2
        elif le(number(x), g):
            below = x
            x = x + 1 if above is None else (x + above) / 2
        else:
            break
    raise ValueError(f"neither a number nor a number and a star: {position}")
