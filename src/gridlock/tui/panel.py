"""What stands beside the board of a game: the players and their time, whose turn it is, the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from gridlock.clock import LOW_TIME, write_left
from gridlock.model import Player
from gridlock.sentences import ending, seated, series_result, verdict
from gridlock.tui.glyphs import glyphs_for
from gridlock.tui.screen import COLOURS

if TYPE_CHECKING:
    from gridlock.clock import Clock
    from gridlock.match import Match, Series
    from gridlock.model import Position
    from gridlock.tui.screen import BoardScreen

_PLAYER_WIDTH = 32  # characters of a player and their time


def players_of(screen: BoardScreen, match: Match, clock: Clock | None, now: int) -> Content:
    """Return a line for each player, with what they have left where there is a clock."""
    lines = []
    for player in Player:
        is_mover = match.position.mover is player and match.winner is None
        sign = glyphs_for(screen).right if is_mover else " "
        who = seated(match.record.players, player)
        line = Content.assemble(f"{sign} ", screen.coloured(player), f"  {who}")
        if clock:
            line += _time_of(clock, player, now, _PLAYER_WIDTH - line.cell_length)
        lines.append(line)
    return Content("\n").join(lines)


def _time_of(clock: Clock, player: Player, now: int, width: int) -> Content:
    """Return what a player has left, on the right of so many characters; a low time stands out.

    Nobody need see colours: it has tenths of seconds, and a mark.
    """
    left = clock.left_at(player, now)
    text = f"! {write_left(left)}" if left < LOW_TIME else write_left(left)
    style = "bold reverse $error" if left < LOW_TIME else "bold"
    gap = " " * max(1, width - len(text))
    return Content.assemble(gap, Content.styled(text, style if clock.running is player else ""))


def task_of(position: Position) -> Content:
    """Return what a person has to do, and in which part of a turn they are, if it has several."""
    mover, rulebook = position.mover, position.game.rulebook
    task = Content.styled(
        f"{rulebook.symbol(mover)}: {position.upcoming.task}.", f"bold {COLOURS[mover]}"
    )
    if len(rulebook.phases) == 1:
        return task
    parts = [
        Content.styled(f" {number} {phase.name.upper()} ", "reverse bold")
        if phase is position.upcoming
        else Content.styled(f" {number} {phase.name} ", "$quiet")
        for number, phase in enumerate(rulebook.phases, start=1)
    ]
    return Content.assemble(*parts, "\n", task)


def program_of(position: Position, *, is_thinking: bool) -> Content:
    """Return what the program does that is to move."""
    doing = "is thinking..." if is_thinking else "has not moved. Enter: try again"
    symbol = position.game.rulebook.symbol(position.mover)
    return Content.styled(f"{symbol} {doing}", f"bold {COLOURS[position.mover]}")


def result_of(series: Series, winner: Player, advice: str) -> Content:
    """Return how the last game of a series ended, and what there is to do next."""
    match, symbol = series.match(), series.game.rulebook.symbol
    lines = [ending(match.position, winner, match.record.termination)]
    if said := verdict(match.record.players, winner):
        lines.insert(0, said)
    if series.terms and series.is_over:
        lines.append(f"{series_result(series.tally, symbol)}.")
    if advice:
        lines.append(advice)
    what = "a new game"
    if series.terms:
        what = "a new series" if series.is_over else "the next game"
    lines.append(f"n: {what}, v: review")
    return Content.styled("\n".join(lines), f"bold {COLOURS[winner]}")
