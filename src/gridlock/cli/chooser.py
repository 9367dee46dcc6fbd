"""A small chooser of rulebook and opponent, for ``gridlock`` alone in a terminal."""

from __future__ import annotations

import random

import click

from gridlock.cli.console import Console, EndOfInput
from gridlock.cli.play import start
from gridlock.model import Game, Player
from gridlock.notation import read_number
from gridlock.players import HUMAN, RANDOM
from gridlock.rulebooks.catalogue import RULEBOOKS

_OPPONENTS = {"another person at this keyboard": HUMAN, "the computer, at random": RANDOM}


def choose_and_play() -> None:
    """Ask what to play and against whom, and start; the end of the input leaves."""
    console = Console()
    books = list(RULEBOOKS.values())
    try:
        click.secho("GridLock", bold=True)
        console.say("Close the grid: whoever cannot move loses.\n")
        which = _choose(console, "Game", [f"{b.id:<12}{b.size}   {b.about}" for b in books])
        against = _choose(console, "Opponent", list(_OPPONENTS))
    except EndOfInput:
        console.say()
        return
    console.say("\nType help at any prompt to see what else you can type.\n")
    rulebook, opponent = books[which], list(_OPPONENTS.values())[against]
    start(
        Game(rulebook, rulebook.size),
        (HUMAN, opponent),
        None,
        Player.ONE,
        None,
        random.Random(),
    )


def _choose(console: Console, what: str, choices: list[str]) -> int:
    """Return the index of the choice that a person makes; an empty line is the first."""
    for number, choice in enumerate(choices, start=1):
        console.say(f"  {number}  {choice}")
    while True:
        line = console.ask(f"{what} (1-{len(choices)}, Enter for 1): ").strip()
        chosen = read_number(line or "1")
        if chosen is not None and 1 <= chosen <= len(choices):
            return chosen - 1
        console.say(f"Please type a number from 1 to {len(choices)}.")
