"""What the faces of the product say in words about positions and players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.grid import KING
from gridlock.model import Player, Reason
from gridlock.players import AUTO, COMPUTER, HUMAN, is_program
from gridlock.record import ABANDONMENT, CLOCK, CRASH, HANG, ILLEGAL, RESIGNATION
from gridlock.search import HIGHEST_LEVEL

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.model import Position

_LONGEST_PLAYER = 26  # characters; a command's last ones tell most
_ENDINGS = {
    RESIGNATION: "{} gives up",
    CLOCK: "{} has no time left",
    ABANDONMENT: "{} has left the game",
    CRASH: "{}'s program has crashed",
    HANG: "{}'s program does not answer",
    ILLEGAL: "{}'s program has made an illegal move",
}
"""How the loser lost, if not by the rules."""


def as_sentence(text: object) -> str:
    """Return the text of an error, or of a reason, as a sentence."""
    words = str(text)
    return f"{words[:1].upper()}{words[1:]}."


def ending(position: Position, winner: Player | None, termination: str | None = None) -> str:
    """Return how a game ended; one without a winner was aborted."""
    symbol = position.game.rulebook.symbol
    if winner is None:
        return "The game was aborted: nobody wins."
    loser = symbol(winner.opponent)
    if termination in _ENDINGS:
        return f"{_ENDINGS[termination].format(loser)}: {symbol(winner)} wins!"
    if position.feat:
        return f"{symbol(winner)} has {position.feat} and wins!"
    return f"{loser} cannot move: {symbol(winner)} wins!"


def place_in_series(number: int, rounds: int | None, target: int | None) -> str:
    """Return which game of a series one is: ``game 2 of 3``, or ``game 2 (played to 5 points)``."""
    if rounds:
        return f"game {number} of {rounds}"
    return f"game {number} (played to {target} points)" if target else f"game {number}"


def series_result(
    tally: tuple[int, int], name: Callable[[Player], str], *, is_decided: bool = True
) -> str:
    """Return who has won a series, ``A wins the series, 2 to 1``, or that it is a tie.

    One that is not decided was cut short, and the points stand.
    """
    points = f"{max(tally)} to {min(tally)}"
    leader = name(Player.ONE if tally[0] > tally[1] else Player.TWO)
    is_level = tally[0] == tally[1]
    if not is_decided:
        who = "it is level" if is_level else f"{leader} leads"
        return f"The series ends here: {who}, {points}"
    if is_level:
        return f"The series is a tie, {points}"
    return f"{leader} wins the series, {points}"


def verdict(players: tuple[str, str], winner: Player) -> str | None:
    """Return ``You win!`` or ``You lose.`` where one person plays against a program."""
    people = [not is_program(who) for who in players]
    if sum(people) != 1:
        return None
    return "You win!" if people[winner - 1] else "You lose."


def describe_player(who: str) -> str:
    """Return a kind of player in words; anything else is a person's name."""
    if who == AUTO:
        return "computer, your level"
    kind, _, level = who.partition(":")
    if kind == COMPUTER:
        return f"computer, level {level or HIGHEST_LEVEL}"
    if who == HUMAN:
        return "a person"
    return who if len(who) <= _LONGEST_PLAYER else f"…{who[1 - _LONGEST_PLAYER :]}"


def seated(players: tuple[str, str], player: Player) -> str:
    """Return who plays: ``you`` where only one seat is a person's."""
    who = players[player - 1]
    if who == HUMAN and is_program(players[player.opponent - 1]):
        return "you"
    return describe_player(who)


def why_refused(position: Position, cell: int) -> str:
    """Return why the mover may not choose a cell, in the players' own symbols; '' if they may."""
    refusal = position.refusal(cell)
    if refusal is None:
        return ""
    game = position.game
    name = game.name(cell)
    if refusal.words:
        return f"{name} {refusal.words}"
    mover, opponent = (
        game.rulebook.symbol(player) for player in (position.mover, position.mover.opponent)
    )
    blame = "" if refusal.blame is None else game.name(refusal.blame)
    is_beside = refusal.blame is not None and game.grid.around(KING)[refusal.blame] >> cell & 1 == 1
    by = "next to" if is_beside else "in reach of"
    return {
        Reason.OUTSIDE: f"{name} is outside the board",
        Reason.OVER: "the game is over",
        Reason.TAKEN: f"{name} is taken",
        Reason.BLOCKED: f"{name} is blocked",
        Reason.APART: f"{name} is not beside {blame}",
        Reason.CLOSED: f"{name} is closed",
        Reason.CLOSED_BY_OPPONENT: f"{name} is closed: {by} {opponent}'s {blame}",
        Reason.CLOSED_BY_OWN: f"{name} is closed: {by} {mover}'s own {blame}",
    }[refusal.reason]
