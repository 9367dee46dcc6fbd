"""What a room is made for: what was asked for is checked, and becomes the settings of the room."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from gridlock.errors import NotationError
from gridlock.match import check_score
from gridlock.model import Player
from gridlock.players import COMPUTER
from gridlock.rulebooks import catalogue
from gridlock.web.name import read_name
from gridlock.web.settings import Opponent, Seat, Settings, hashed
from gridlock.web.study import read_question

if TYPE_CHECKING:
    from gridlock.model import Position
    from gridlock.web.exchange import NewRoom, PlayerOrToss

_TOSS = "toss"


def make_settings(wanted: NewRoom, token: str, invite: str | None) -> Settings:
    """Return the settings of a room that somebody wants, who holds a seat there by a token.

    Raises an error that says what is wrong with it.  A large position takes a while to read.
    """
    setup = _read_setup(wanted)
    game = setup.game if setup else catalogue.game(wanted.game, wanted.size)
    check_score(game.rulebook, wanted.score)
    if wanted.rounds and wanted.target:
        raise NotationError("a series has rounds or a target, not both")
    seats = _seats(wanted, hashed(token))
    return Settings(
        game=wanted.game,
        size=str(game.grid),
        opponent=wanted.opponent,
        seats=seats if _player(wanted.seat) is Player.ONE else (seats[1], seats[0]),
        first=str(setup) if setup else _player_or_toss(wanted.first),
        clock=wanted.clock,
        rounds=wanted.rounds,
        target=wanted.target,
        score=wanted.score,
        starter=wanted.starter,
        invite=hashed(invite) if invite else None,
    )


def _read_setup(wanted: NewRoom) -> Position | None:
    """Return where the games begin, None for the start of the game."""
    if wanted.position is None and wanted.moves is None:
        if wanted.seat not in (1, "1"):
            raise NotationError("seat goes with a position: from the start the maker is player 1")
        return None
    first = _player_or_toss(wanted.first)
    if first is None and wanted.position is None:
        raise NotationError("moves need first 1 or 2: it says who has moved")
    asked = read_question(
        wanted.game, wanted.size, first or Player.ONE, wanted.moves, wanted.position
    )
    if asked.position.winner is not None:
        raise NotationError("the game is over there: nobody can play on")
    return asked.position


def _seats(wanted: NewRoom, holder: str) -> tuple[Seat, Seat]:
    """Return the seats of the maker and of the opponent."""
    maker = Seat(read_name(wanted.name), holder)
    if wanted.opponent is Opponent.COMPUTER:
        return maker, Seat(COMPUTER, level=wanted.level)
    return maker, Seat("", holder if wanted.opponent is Opponent.SELF else None)


def _player_or_toss(told: PlayerOrToss) -> Player | None:
    return None if told == _TOSS else Player(int(told))


def _player(told: PlayerOrToss) -> Player:
    return _player_or_toss(told) or secrets.choice(tuple(Player))
