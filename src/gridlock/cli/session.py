"""A game or a series at a console: whose turn it is, the words that are no moves, the score."""

from __future__ import annotations

from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from gridlock.cli.console import Console, EndOfInput, TimeUp, note
from gridlock.cli.dialogues import dialogue_of
from gridlock.cli.progress import hurrying, watching
from gridlock.clock import MILLISECONDS, milliseconds, write_left
from gridlock.errors import FaultError, GridlockError, quote
from gridlock.files import typed_path
from gridlock.model import Player
from gridlock.players import HUMAN, Seat, bot_of
from gridlock.record import CLOCK, RESIGNATION, write_line, write_records
from gridlock.results import proposal_after
from gridlock.saving import Copy
from gridlock.search.settings import Limit, Settings
from gridlock.sentences import as_sentence, place_in_series, series_result, verdict
from gridlock.store import default_store
from gridlock.timing import put_on_clock

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from gridlock.engine import Engine
    from gridlock.match import Match, Series
    from gridlock.model import Position
    from gridlock.players import Bot
    from gridlock.search.solver import Progress
    from gridlock.store import KeptGame

_STANDARD_OUTPUT = "-"
_HOW_IT_ENDED = {RESIGNATION: "resigns", CLOCK: "has no time left"}

_HELP = """\
{how_to}
You can also type
  help       for this list
  hint       for the best cell, and why
  moves      for the moves so far, the cells that you may choose, and the position
  undo       to go back to your own last turn
  save FILE  to write the game so far to a file, or with - to see it
  rules      for the rules of the game
  resign     to give the game up
  quit       to leave; gridlock resume goes on from here"""


class Quit(Exception):  # noqa: N818 - an event, not an error
    """Somebody wants to leave."""


class _Again(Exception):  # noqa: N818 - an event, not an error
    """A command was carried out, so the turn is asked for again."""


class Session:
    """One game or series, played until it is over or somebody leaves."""

    def __init__(
        self, series: Series, console: Console, rng: random.Random, seconds: float | None
    ) -> None:
        self._series = series
        self._console = console
        self._say = console.say
        self._rng = rng
        self._seconds = seconds
        self._listener: Callable[[Progress], None] | None = None
        self._game = series.game
        self._dialogue = dialogue_of(series.game, console)
        self._bots = [self._bot(who) for who in series.players]
        self._commands = {
            "help": self._help,
            "hint": self._hint,
            "moves": self._moves,
            "undo": self._undo,
            "rules": self._rules,
            "resign": self._resign,
            "quit": self._quit,
        }
        self._clock = put_on_clock(series)
        self._copies: dict[Path, Copy] = {}
        self._match: Match

    @cached_property
    def _engine(self) -> Engine:
        """What the computer and the hints share; loaded only where somebody needs it."""
        from gridlock.engine import Engine

        return Engine(self._game, Settings(self._seconds))

    def close(self) -> None:
        """End the programs that play."""
        for bot in filter(None, self._bots):
            bot.close()

    def _bot(self, who: str) -> Bot | None:
        limit = Limit(self._seconds) if self._seconds else None
        seat = Seat(self._rng, self._engine, self._listen, limit)
        return None if who == HUMAN else bot_of(who, seat)

    def _listen(self, progress: Progress) -> None:
        if self._listener:
            self._listener(progress)

    def run(self, *, resumed: bool) -> None:
        """Play all games that are left; raises ``Quit``, ``EndOfInput`` or ``StoreError``."""
        series = self._series
        while not series.is_over:
            if series.is_between_games:
                series.begin_next(f"{date.today():%Y.%m.%d}", self._toss)
                resumed = False
            self._match = series.match()
            self._say_number()
            try:
                self._play(resumed=resumed)
            finally:
                self._match.stop_clock()
            self._say_tally()

    def _toss(self) -> Player:
        first = self._rng.choice(list(Player))
        self._say(f"The coin toss decides: {self._dialogue.name(first)} begins.")
        return first

    def _play(self, *, resumed: bool) -> None:
        """Play one game to its end."""
        dialogue, match = self._dialogue, self._match
        if not resumed:
            dialogue.open()
            for bot in filter(None, self._bots):
                bot.new_game(self._game)
        match.run_clock()
        again = resumed or match.record.setup is not None  # some rulebooks show no empty board
        while match.winner is None:
            try:
                cell = self._choose(again=again)
            except _Again:
                again = True
            except TimeUp:
                match.run_out_of_time()
            except FaultError as fault:
                match.forfeit(fault.termination)
                self._say(f"\n{as_sentence(fault)}")
            else:
                match.play(cell)
                dialogue.confirm(match.position, cell)
                again = False
        self._say_end(match.winner)

    def _say_end(self, winner: Player) -> None:
        """Say how the game has ended, and what that means to a person."""
        dialogue, match = self._dialogue, self._match
        if how := _HOW_IT_ENDED.get(match.record.termination or ""):
            self._say(f"\n{dialogue.name(winner.opponent)} {how}.")
        if match.record.termination:
            self._say(dialogue.victory(winner))
        else:
            dialogue.close(match.position)
        if words := verdict(self._series.players, winner):
            self._say(words)

    def _choose(self, *, again: bool) -> int:
        """Return the mover's cell; a program's moves are shown as if it had typed them."""
        position = self._match.position
        bot = self._bots[position.mover - 1]
        if bot is None:
            return self._dialogue.ask(position, self._read, again=again)
        lines: Iterator[str] | None = None

        def type_next(prompt: str) -> str:
            nonlocal lines
            if lines is None:
                lines = iter(self._dialogue.type(position, self._think(bot, position)))
            self._console.show(prompt)
            line = next(lines)
            self._say(line)
            return line

        return self._dialogue.ask(position, type_next, again=again)

    def _think(self, bot: Bot, position: Position) -> int:
        """Return the cell that a program chooses; a person sees it think, and can hurry it."""
        self._console.flush()
        has_person = None in self._bots  # where nobody is asked, Ctrl-C is the only way to leave
        thinking = hurrying(bot, "move") if has_person else watching("thinking")
        with thinking as self._listener:
            cell = bot.choose(position, self._clock)
        self._listener = None
        self._check_clock()
        return cell

    def _say_number(self) -> None:
        if terms := self._series.terms:
            number = len(self._series.records)
            self._say(as_sentence(place_in_series(number, terms.rounds, terms.target)))

    def _say_tally(self) -> None:
        series, name = self._series, self._dialogue.name
        if series.terms is None:
            return
        one, two = series.tally
        self._say(f"\nScore: {name(Player.ONE)} {one}, {name(Player.TWO)} {two}.")
        result = series_result(series.tally, name)
        self._say(f"{result}{'!' if series.winner else '.'}" if series.is_over else "")

    def _read(self, prompt: str) -> str:
        """Return what a person types, unless it is a command: that is carried out."""
        self._say_time()
        line = self._console.ask(prompt, self._seconds_left())
        self._check_clock()
        words = line.split(maxsplit=1)
        word = words[0].lower() if words else ""
        if word == "save":
            self._save(words[1].strip() if len(words) > 1 else "")
        elif word in self._commands and len(words) == 1:
            self._commands[word]()
        else:
            return line
        raise _Again

    def _say_time(self) -> None:
        if self._clock:
            now, name = milliseconds(), self._dialogue.name
            left = [f"{name(who)} {write_left(self._clock.left_at(who, now))}" for who in Player]
            self._say(f"Time left: {', '.join(left)}.")

    def _seconds_left(self) -> float | None:
        """Return how long a person may think, None where no clock runs."""
        deadline = self._clock.deadline if self._clock else None
        return None if deadline is None else (deadline - milliseconds()) / MILLISECONDS

    def _check_clock(self) -> None:
        if self._clock and self._clock.is_up(milliseconds()):
            raise TimeUp

    def _help(self) -> None:
        self._say(_HELP.format(how_to=self._dialogue.how_to))

    def _hint(self) -> None:
        with hurrying(self._engine, "hint") as watch:
            hint = self._engine.hint(self._match.position, on_progress=watch)
        self._say(f"Hint: {hint}.")

    def _moves(self) -> None:
        self._say(f"Moves: {self._written() or 'none yet'}")
        names = self._game.names(self._match.position.legal)
        self._say(f"You may choose {', '.join(f'({name})' for name in names)}.")
        self._say(f"Position: {self._match.position}")

    def _written(self) -> str:
        record = self._match.record
        return write_line(record.start(), record.moves)

    def _undo(self) -> None:
        if self._match.undo():
            self._say("Back to your last turn.")
        else:
            self._say("You have no turn to take back yet.")

    def _save(self, name: str) -> None:
        if not name:
            self._say("Type save and the name of a file, for example save game.txt.")
            return
        if name == _STANDARD_OUTPUT:
            self._say(write_records(self._series.records).rstrip())
            return
        path = typed_path(name)
        try:
            self._copies.setdefault(path, Copy(path)).write(self._series.records)
        except GridlockError as error:
            self._say(f"Not saved: {error}.")
        else:
            self._say(f"Saved in {quote(path)}.")

    def _rules(self) -> None:
        self._say(f"{self._game.rulebook.title}\n\n{self._game.rulebook.rules}".rstrip())

    def _resign(self) -> None:
        self._match.resign()

    def _quit(self) -> None:
        raise Quit


def play_session(
    series: Series,
    kept: KeptGame,
    rng: random.Random,
    seconds: float | None = None,
    *,
    resumed: bool,
) -> None:
    """Play a series until it is over or somebody leaves, and say how it can go on.

    The computer may think for so many seconds about a move, or for as long as usual.
    """
    console = Console()
    session = Session(series, console, rng, seconds)
    try:
        session.run(resumed=resumed)
    except (Quit, EndOfInput, KeyboardInterrupt) as end:
        if kept.path.exists():
            note("The game is kept. To go on: gridlock resume")
        if isinstance(end, KeyboardInterrupt):
            raise
    finally:
        session.close()
        if series.is_over:
            place = kept.finish()
            if proposal := proposal_after(default_store(), series.records[-1]):
                console.say(str(proposal))
            if console.is_terminal:
                note(f"To see it again: gridlock replay {place.stem}")
