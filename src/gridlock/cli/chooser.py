"""A small chooser of rulebook and opponent, for ``gridlock`` alone in a terminal."""

from __future__ import annotations

import random

import click

from gridlock.cli.console import Console, EndOfInput
from gridlock.cli.play import start
from gridlock.cli.resume import resume_newest
from gridlock.model import Game, Player
from gridlock.notation import read_number
from gridlock.players import COMPUTER, HUMAN
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.store import default_store

_OPPONENTS = {
    "another person at this keyboard": HUMAN,
    "the computer, as a beginner": f"{COMPUTER}:2",
    "the computer, as a good player": f"{COMPUTER}:5",
    "the computer, at its best": COMPUTER,
}


def choose_and_play() -> None:
    """Ask what to play and against whom, and start; q or the end of the input leaves."""
    console = Console()
    books = list(RULEBOOKS.values())
    games = [f"{book.id:<12}{book.size}   {book.about}" for book in books]
    store = default_store()
    if unfinished := store.unfinished():
        games.append(f"go on with the unfinished game of {unfinished[0].split('-')[0]}")
    try:
        click.secho("GridLock", bold=True)
        console.say("Close the grid: whoever cannot move loses.\n")
        which = _choose(console, "Game", games)
        if which == len(books):
            resume_newest(store)
            return
        opponent = _OPPONENTS[list(_OPPONENTS)[_choose(console, "Opponent", list(_OPPONENTS))]]
    except EndOfInput:
        return
    console.say("\nType help at any prompt to see what else you can type.")
    game = Game(books[which], books[which].size)
    start(game, (HUMAN, opponent), None, Player.ONE, None, random.Random())


def _choose(console: Console, what: str, choices: list[str]) -> int:
    """Return the index of the choice that a person makes; an empty line is the first."""
    words = [choice.split()[0] for choice in choices]
    for number, choice in enumerate(choices, start=1):
        console.say(f"  {number}  {choice}")
    while True:
        line = console.ask(f"{what} (1-{len(choices)}, Enter for 1): ").strip().lower()
        if line in ("q", "quit"):
            raise EndOfInput
        chosen = words.index(line) + 1 if line in words else read_number(line or "1")
        if chosen is not None and 1 <= chosen <= len(choices):
            return chosen - 1
        console.say(f"Please type a number from 1 to {len(choices)}, or q to leave.")
