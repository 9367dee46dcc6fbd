"""``gridlock play``: the line-by-line game that the rulebooks describe."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gridlock.cli.console import note
from gridlock.cli.options import GAME, SIZE, TIME_PER_MOVE, Choice, make_game, reading
from gridlock.cli.position import MOVES, POSITION, set_up
from gridlock.cli.session import play_session
from gridlock.clock import read_time_control
from gridlock.errors import NotationError, quote
from gridlock.match import Score, Series, Starter, Terms, check_score, read_count
from gridlock.model import Player
from gridlock.players import AUTO, COMPUTER, ENGINE, HUMAN, RANDOM, check_seat, names
from gridlock.preferences import default_preferences
from gridlock.results import seat_levels
from gridlock.saving import Copy, Keeper
from gridlock.search import HIGHEST_LEVEL, LOWEST_LEVEL
from gridlock.sentences import describe_player
from gridlock.store import default_store

if TYPE_CHECKING:
    from gridlock.clock import TimeControl
    from gridlock.grid import Grid
    from gridlock.model import Game, Position, Rulebook

_TOSS = "toss"

_Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def _complete_player(_: object, __: object, incomplete: str) -> list[str]:
    return [name for name in (*names(), AUTO) if name.startswith(incomplete)]


def _seat_option(player: int) -> _Decorator:
    return click.option(
        f"--p{player}",
        callback=reading(check_seat),
        metavar="WHO",
        shell_complete=_complete_player,
        help=f"Player {player}: {HUMAN} (default), {HUMAN}:NAME, {COMPUTER}, {COMPUTER}:LEVEL, "
        f"{RANDOM}, or {ENGINE}:COMMAND, a program that speaks UGI. Levels go from {LOWEST_LEVEL} "
        f"to {HIGHEST_LEVEL}; {COMPUTER} alone is {HIGHEST_LEVEL}, and {AUTO} plays at the level "
        "that fits your results.",
    )


def _read_clock(text: str) -> TimeControl:
    control = read_time_control(text)
    if control is None:
        raise NotationError(
            f"{quote(text)} is not a clock such as 300+3: seconds a game, and for each turn"
        )
    return control


def _count_option(name: str, words: str) -> _Decorator:
    return click.option(name, callback=reading(read_count), metavar="N", help=words)


@click.command(
    short_help="Play a game.",
    epilog="Example: gridlock play duel --p2 computer:3 --rounds 3 --score cells",
)
@GAME
@SIZE
@click.option(
    "--first",
    type=Choice(["1", "2", _TOSS], case_sensitive=False),
    help="Who begins.  [default: 1]",
)
@MOVES
@POSITION
@_seat_option(1)
@_seat_option(2)
@_count_option("--rounds", "Play a series of N games.")
@_count_option("--target", "Play a series to N points.")
@click.option(
    "--score",
    type=Choice([score.value for score in Score], case_sensitive=False),
    help="What scores in a series: games won (default), or marks on the board at the end "
    "(not in race).",
)
@click.option("--no-alternate", is_flag=True, help="In a series, apply --first to every game.")
@click.option(
    "--clock",
    callback=reading(_read_clock),
    metavar="BASE+INCREMENT",
    help="Play by a clock: 300+3 gives each player 300 seconds a game, and 3 more for each turn.",
)
@TIME_PER_MOVE
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write the games to FILE, which must be new.",
)
@click.option(
    "--seed", type=int, metavar="N", help="Make tosses, random players and the computer repeatable."
)
def play(
    rulebook: Rulebook,
    size: Grid | None,
    first: str | None,
    moves: str | None,
    position: str | None,
    p1: str | None,
    p2: str | None,
    rounds: int | None,
    target: int | None,
    score: str | None,
    no_alternate: bool,
    clock: TimeControl | None,
    seconds: float | None,
    record: Path | None,
    seed: int | None,
) -> None:
    """Play GAME in the words of its rulebook.

    GAME is one from gridlock games, or a rule file such as ./knights.toml. Type help at any prompt
    for a list of commands. Every move is saved: gridlock resume continues where you left off.
    While the computer thinks, Ctrl-C makes it move at once. With --moves or --position the game, or
    every game of a series, begins there; its record says so.
    """
    if rounds and target:
        raise click.UsageError("--rounds and --target cannot both be given")
    if (score or no_alternate) and not (rounds or target):
        raise click.UsageError("--score and --no-alternate need a series: --rounds or --target")
    counted = Score(score or Score.WINS)
    try:
        check_score(rulebook, counted)
    except NotationError as error:
        raise click.BadParameter(str(error), param_hint="'--score'") from None
    starter = Starter.ALTERNATE
    if no_alternate:
        starter = Starter.TOSS if first == _TOSS else Starter.SAME
    setup = _begin(rulebook, size, first, moves, position)
    start(
        setup.game if setup else make_game(rulebook, size),
        _seat(p1, p2),
        Terms(rounds, target, counted, starter) if rounds or target else None,
        None if first == _TOSS else Player(int(first or 1)),
        record,
        random.Random(seed),
        seconds,
        setup,
        clock,
    )


def _seat(one: str | None, two: str | None) -> tuple[str, str]:
    """Return who plays: people, and where nobody is named whom this person prefers to play."""
    preferences = default_preferences().read()
    usual = preferences.opponent if one is None and two is None else HUMAN
    return preferences.sign((one or HUMAN, two or usual))


def _begin(
    rulebook: Rulebook, size: Grid | None, first: str | None, moves: str | None, text: str | None
) -> Position | None:
    """Return where the game begins, None for its start."""
    if moves is None and text is None:
        return None
    if moves is not None and text is not None:
        raise click.UsageError("--moves and --position exclude each other")
    if text is not None and first is not None:
        raise click.UsageError("--position says by itself who is to move")
    if first == _TOSS:
        raise click.UsageError("--moves needs --first 1 or --first 2: they say who has moved")
    (_, setup), _ = set_up(rulebook, size, int(first or 1), moves, text)
    if setup.winner is not None:
        option = "--position" if moves is None else "--moves"
        raise click.BadParameter("the game is over there", param_hint=f"'{option}'")
    return setup


def start(
    game: Game,
    players: tuple[str, str],
    terms: Terms | None,
    first: Player | None,
    copy: Path | None,
    rng: random.Random,
    seconds: float | None = None,
    setup: Position | None = None,
    clock: TimeControl | None = None,
) -> None:
    """Play a new game or series; a coin toss decides where ``first`` is None.

    With ``setup`` it begins there, and with ``clock`` time counts.
    """
    record = Copy(copy) if copy else None
    if record:
        record.check([])
    store = default_store()
    seated = seat_levels(store, game, players)
    for player in (player for player in Player if players[player - 1] == AUTO):
        note(f"Player {player} is the {describe_player(seated[player - 1])}.")
    with store.create(game.rulebook.id, datetime.now()) as kept:
        series = Series(
            game, seated, terms, first, Keeper(kept, record), setup=setup, time_control=clock
        )
        play_session(series, kept, rng, seconds, resumed=False)
