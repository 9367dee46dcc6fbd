"""``gridlock play``: the line-by-line game that the rulebooks describe."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gridlock.cli.options import GAME, SIZE, Choice, make_game, reading
from gridlock.cli.session import play_session
from gridlock.errors import NotationError
from gridlock.match import Score, Series, Starter, Terms, check_score, read_count
from gridlock.model import Player
from gridlock.players import COMPUTER, HUMAN, RANDOM, check_name, names
from gridlock.saving import Copy, Keeper
from gridlock.search import HIGHEST_LEVEL, LOWEST_LEVEL
from gridlock.store import default_store

if TYPE_CHECKING:
    from gridlock.grid import Grid
    from gridlock.model import Game, Rulebook

_TOSS = "toss"

_Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def _complete_player(_: object, __: object, incomplete: str) -> list[str]:
    return [name for name in names() if name.startswith(incomplete)]


def _seat_option(player: int) -> _Decorator:
    return click.option(
        f"--p{player}",
        callback=reading(check_name),
        default=HUMAN,
        metavar="WHO",
        shell_complete=_complete_player,
        help=f"Player {player}: {HUMAN} (default), {COMPUTER}, {COMPUTER}:LEVEL or {RANDOM}. "
        f"Levels go from {LOWEST_LEVEL} to {HIGHEST_LEVEL}; {COMPUTER} alone is {HIGHEST_LEVEL}.",
    )


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
    default="1",
    help="Who begins.",
    show_default=True,
)
@_seat_option(1)
@_seat_option(2)
@_count_option("--rounds", "Play a series of N games.")
@_count_option("--target", "Play a series to N points.")
@click.option(
    "--score",
    type=Choice([score.value for score in Score], case_sensitive=False),
    help="What counts in a series: games won (default), or marks on the board at the end; "
    "in race only games.",
)
@click.option(
    "--no-alternate", is_flag=True, help="In a series, let --first decide every game, not just one."
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write the games to a new file.",
)
@click.option(
    "--seed", type=int, metavar="N", help="Make tosses, random players and the computer repeatable."
)
def play(
    rulebook: Rulebook,
    size: Grid | None,
    first: str,
    p1: str,
    p2: str,
    rounds: int | None,
    target: int | None,
    score: str | None,
    no_alternate: bool,
    record: Path | None,
    seed: int | None,
) -> None:
    """Play GAME in the words of its rulebook.

    GAME is one that gridlock games lists, or a rule file such as ./knights.toml. At any prompt
    type help to see what else you can type. Every move is kept: gridlock resume goes on where
    you left off.
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
    start(
        make_game(rulebook, size),
        (p1, p2),
        Terms(rounds, target, counted, starter) if rounds or target else None,
        None if first == _TOSS else Player(int(first)),
        record,
        random.Random(seed),
    )


def start(
    game: Game,
    players: tuple[str, str],
    terms: Terms | None,
    first: Player | None,
    copy: Path | None,
    rng: random.Random,
) -> None:
    """Play a new game or series; a coin toss decides where ``first`` is None."""
    record = Copy(copy) if copy else None
    if record:
        record.check([])
    with default_store().create(game.rulebook.id, datetime.now()) as kept:
        series = Series(game, players, terms, first, Keeper(kept, record))
        play_session(series, kept, rng, resumed=False)
