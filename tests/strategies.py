"""Random games, boards and positions for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

import gridlock
from gridlock import RULEBOOKS, Game, Grid, Player, Position
from gridlock.rulebooks.placement import NAMED_REACHES

players = st.sampled_from(Player)
sides = st.integers(1, 7)
_offsets = st.tuples(st.integers(-3, 3), st.integers(-3, 3))
reaches = st.lists(st.one_of(st.sampled_from(list(NAMED_REACHES)), _offsets), max_size=3)


@st.composite
def rulebook_games(draw: st.DrawFn) -> Game:
    """One of the five rulebooks on a board of many sizes."""
    rulebook = draw(st.sampled_from(list(RULEBOOKS.values())))
    least = max(2, rulebook.least_cells)
    rows, columns = draw(st.tuples(sides, sides).filter(lambda side: side[0] * side[1] >= least))
    return Game(rulebook, Grid(rows, columns))


@st.composite
def custom_games(draw: st.DrawFn) -> Game:
    """A placement game of any three reaches."""
    return gridlock.placement(
        own=draw(reaches),
        opponent=draw(reaches),
        follow=draw(st.none() | reaches),
        size=f"{draw(sides)}x{draw(sides)}",
        counting=draw(st.integers(0, 1)),
    )


games = rulebook_games() | custom_games()


@st.composite
def lines_of_play(draw: st.DrawFn, of: st.SearchStrategy[Game] = games) -> list[Position]:
    """The positions of a random game from its start, which may stop anywhere."""
    positions = [draw(of).start(draw(players))]
    length = draw(st.integers(0, 60))
    while len(positions) <= length and positions[-1].winner is None:
        cell = draw(st.sampled_from(positions[-1].legal_cells()))
        positions.append(positions[-1].play(cell))
    return positions


positions = lines_of_play().map(lambda line: line[-1])
