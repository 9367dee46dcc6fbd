"""The screen on which a game or a series is played."""

from __future__ import annotations

import contextlib
import random
import time
from datetime import date, datetime
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Static

from gridlock.clock import LOW_TIME, milliseconds, unhurried
from gridlock.errors import FaultError, GridlockError
from gridlock.match import Series
from gridlock.model import Player
from gridlock.players import AUTO, HUMAN, Seat, bot_of, check_programs, level_of
from gridlock.record import CLOCK
from gridlock.results import proposal_after, seat_levels
from gridlock.saving import Keeper
from gridlock.sentences import as_sentence, place_in_series, why_refused
from gridlock.timing import put_on_clock
from gridlock.tui.copying import excerpts
from gridlock.tui.glyphs import glyphs_for
from gridlock.tui.pages import Question
from gridlock.tui.panel import players_of, program_of, result_of, task_of
from gridlock.tui.screen import BoardScreen
from gridlock.tui.squares import squares_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.content import Content

    from gridlock.clock import TimeControl
    from gridlock.engine import Hint
    from gridlock.match import Match, Terms
    from gridlock.model import Game, Position
    from gridlock.players import Bot
    from gridlock.record import Record
    from gridlock.store import KeptGame, Store
    from gridlock.tui.copying import Excerpt
    from gridlock.tui.drawing import Square

_RNG = random.Random()
_TICK = 0.1  # seconds between two looks at the clock


class PlayScreen(BoardScreen):
    """A game or a series being played; every accepted move is on disk before it is shown."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "Undo"),
        Binding("r", "redo", "Redo", show=False),
        Binding("m", "move_now", "Move now"),
        Binding("t", "hint", "Hint"),
        Binding("a", "analyse", "Analyse"),
        Binding("v", "review", "Review"),
        Binding("n", "next", "New game"),
        Binding("s", "swap", "Swap seats", show=False),
        Binding("g", "resign", "Give up", show=False),
    ]

    def __init__(self, series: Series, kept: KeptGame, *, is_adapting: bool = False) -> None:
        """Play a series; the computer may choose the level of the next one by the results."""
        super().__init__(series.game)
        self._is_adapting = is_adapting
        self._proposal: tuple[Record, str] | None = None
        self._series = series
        self._kept = kept
        self._clock = put_on_clock(series)
        self._warned: Player | None = None
        """Who has been told that there is little time left, until the other one moves."""
        self._hint: tuple[int, ...] = ()
        self._is_closed = False
        self._bots: dict[str, Bot | None] = {}

    @property
    def position(self) -> Position:
        """The position now."""
        return self._match.position

    @property
    def _match(self) -> Match:
        return self._series.match()

    def _bot(self, player: Player) -> Bot | None:
        """Return who chooses a player's actions, None for a person."""
        who = self._match.record.players[player - 1]
        if who == HUMAN:
            return None
        if who not in self._bots:
            self._bots[who] = bot_of(who, Seat(_RNG, self.engine(), self.thinker.watch))
        return self._bots[who]

    @property
    def _mover(self) -> Bot | None:
        """Who chooses the next action, None for a person."""
        return self._bot(self.position.mover)

    def open(self) -> None:
        """Begin, or go on."""
        if self._clock:
            self.set_interval(_TICK, self._tick)
        if self._series.is_between_games and not self._series.is_over:
            self._begin_game()
        else:
            if not self._match.record.moves and self._series.has_toss:
                self.message = self._tossed()
            self._go_on()

    def close(self) -> None:
        """Put the game where it belongs, and let others have it."""
        super().close()
        if self._is_closed:
            return
        self._is_closed = True
        for bot in filter(None, self._bots.values()):
            bot.close()
        self._bots.clear()  # they know the thinker, which knows the screen: a cycle
        with contextlib.suppress(GridlockError):  # then what was left after the last action holds
            self._match.stop_clock()
        if self._series.is_over:
            with contextlib.suppress(GridlockError):  # whoever resumes games next moves it
                self._kept.finish()
        self._kept.release()

    def action_leave(self) -> None:
        """Go back to the screen before, which finds the game in its place."""
        self.close()
        super().action_leave()

    def why_not(self, cell: int) -> str:
        """Return why a cell cannot be chosen, '' if it can or the game is over."""
        return "" if self._match.winner else why_refused(self.position, cell)

    def excerpts(self) -> list[Excerpt]:
        """Return the position, the moves and the record of the game."""
        record = self._match.record
        return excerpts(record, self.position, record.moves)

    def _begin_game(self) -> None:
        self.refresh_view()  # of the game before, which stays if this cannot be kept
        if self._carried_out(lambda: begin_next(self._series)):
            self.message = self._tossed() if self._series.has_toss else ""
            self._go_on()

    def _tossed(self) -> str:
        return f"The toss decides: {self.game.rulebook.symbol(self._match.record.first)} begins."

    def _go_on(self) -> None:
        """Show where the game is, and let the computer think if it is its turn."""
        self._hint = ()
        self.thinker.drop()
        self._match.run_clock()
        position, bot = self.position, self._mover
        if self._match.winner is None and bot is not None:
            self.thinker.ask(bot, lambda: self._choose_unhurried(bot, position), self._play)
        self.refresh_view()
        self.say(self.message)
        if bot is None:
            self.put_cursor_on_token(position)
        if self._match.record.moves:
            self.board.reveal(self._match.record.moves[-1])

    def _celebrate(self) -> None:
        """Let a ripple run over the board, where a person may want that."""
        winner, record = self._match.winner, self._match.record
        if winner is None or not record.moves:
            return
        if self._bot(winner) is not None or self._bot(winner.opponent) is None:
            return  # a program has won, or one of two persons
        self.celebrate(self._squares(), record.moves[-1], lambda: self._match.record is record)

    def _choose_unhurried(self, bot: Bot, position: Position) -> int:
        """Return the computer's choice, not before a person has seen what went before."""
        pace = unhurried(self.gridlock.pace, self._clock, milliseconds())
        due = time.monotonic() + pace
        cell = bot.choose(position, self._clock)
        time.sleep(max(0.0, due - time.monotonic()))
        return cell

    def search_failed(self, error: Exception) -> None:
        """Let a program that has broken down lose the game."""
        if not isinstance(error, FaultError):
            super().search_failed(error)
        elif self._carried_out(lambda: self._match.forfeit(error.termination)):
            self.message = as_sentence(error)
            self._go_on()

    def choose(self, cell: int) -> None:
        """Play a person's move."""
        if self._match.winner is not None:
            self.say("The game is over. Press n for a new one, or u to take a turn back.")
        elif self._mover is not None and self.thinker.is_busy:
            self.say("It is the computer's turn.")
        elif self._mover is not None:  # its last choice could not be kept
            self._go_on()
        elif reason := why_refused(self.position, cell):
            self.say(as_sentence(reason))
            self.app.bell()
        else:
            self._play(cell)

    def _play(self, cell: int) -> None:
        if self._is_out_of_time:
            self._end_by_clock()
            return
        try:
            self._match.play(cell)
        except GridlockError as error:
            self.refresh_view()
            self.complain(error)
            return
        self.message = ""
        self._go_on()
        self._celebrate()

    # ------------------------------------------------------------------ the clock

    @property
    def _is_out_of_time(self) -> bool:
        return self._clock is not None and self._clock.is_up(milliseconds())

    def _tick(self) -> None:
        """Show the time that is left, and end the game when there is none."""
        if self._is_closed or self._clock is None or self._clock.running is None:
            return
        if self._is_out_of_time:
            self._end_by_clock()
            return
        mover = self.position.mover
        if self._clock.left_at(mover, milliseconds()) >= LOW_TIME:
            self._warned = None
        elif self._warned is not mover and self._mover is None:
            self._warned = mover
            self.app.bell()
        self._show_players()

    def _end_by_clock(self) -> None:
        if self._carried_out(self._match.run_out_of_time):
            self.message = ""
            self._go_on()

    def _carried_out(self, change: Callable[[], object]) -> bool:
        """Make a change; where that fails say why, and tell so."""
        try:
            change()
        except GridlockError as error:
            self.complain(error)
            return False
        return True

    # ------------------------------------------------------------------ keys

    def action_undo(self) -> None:
        """Take back a turn: one's own last one, or the last one of two persons."""
        if self._match.record.termination == CLOCK:
            self.say("A game that was lost on time is over.")
            return
        persons = [player for player in Player if self._bot(player) is None]
        moves = self._match.record.moves
        player = persons[0] if len(persons) == 1 else self.position.mover
        if len(persons) != 1 and moves:
            player = self._match.record.positions()[len(moves) - 1].mover
        self._take(lambda: self._match.undo(player), "There is no turn to take back.")

    def action_redo(self) -> None:
        """Play again what was taken back."""
        self._take(self._match.redo, "There is nothing to play again.")

    def _take(self, change: Callable[[], bool], otherwise: str) -> None:
        try:
            is_done = change()
        except GridlockError as error:
            self.complain(error)
        else:
            self.message = "" if is_done else otherwise
            self._go_on()

    def action_hint(self) -> None:
        """Show the best cell, and say why."""
        if self._match.winner is not None or self._mover is not None:
            self.say("A hint is for your own turn.")
            return
        position = self.position
        self.say("Looking for the best cell...")
        engine = self.engine()
        self.thinker.ask(
            engine,
            lambda: engine.hint(position, on_progress=self.thinker.watch),
            self._show_hint,
        )

    def _show_hint(self, hint: Hint) -> None:
        self._hint = (hint.cell,)
        self.message = f"Hint: {hint}."
        self.refresh_view()
        self.board.move_to(hint.cell)
        self.say(self.message)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to hurry the computer while it thinks, and only then."""
        if action == "move_now":
            return self._is_thinking
        return super().check_action(action, parameters)

    @property
    def _is_thinking(self) -> bool:
        """Whether a program thinks about its move."""
        is_over = self._series.is_between_games or self._match.winner is not None
        return not is_over and self._mover is not None and self.thinker.is_busy

    def action_move_now(self) -> None:
        """Let the computer choose at once, by what it knows."""
        self.thinker.hurry()

    def action_resign(self) -> None:
        """Give the game up, after a question."""
        if self._match.winner is not None:
            self.say("The game is over already.")
        elif self._mover is not None:
            self.say("You can give up on your own turn.")
        else:
            symbol = self.game.rulebook.symbol(self.position.mover)

            def answered(yes: bool | None) -> None:
                if yes and self._carried_out(self._match.resign):
                    self.message = ""
                    self._go_on()

            self.app.push_screen(Question(f"{symbol} gives the game up?"), answered)

    def action_swap(self) -> None:
        """Let the players change seats, in a single game."""
        if self._series.terms:
            self.say("In a series everybody keeps their seat, so that the score is right.")
        elif self._match.winner is not None:
            self.say("The game is over: the seats stay.")
        elif self._carried_out(self._match.swap_seats):
            self.message = "The seats are swapped."
            self._go_on()

    def action_next(self) -> None:
        """Begin the next game of a series, or a new game with the same players."""
        if self._match.winner is not None and not self._series.is_over:
            self.message = ""
            self._begin_game()
            return
        old = self._series
        is_left = old.records[-1].result is None and old.records[-1].moves
        try:
            screen = open_series(
                self.gridlock.store, old.game, self._next_players(), old.terms,
                old.records[0].first, old.setup, old.time_control,
            )  # fmt: skip
        except GridlockError as error:
            self.complain(error)
            return
        if is_left:
            screen.message = "The game before is kept among your games."
        self.app.switch_screen(screen)

    def _next_players(self) -> tuple[str, str]:
        """Return who plays the next game: the same, the computer at the level that fits then."""
        one, two = self._series.records[-1].players
        if self._is_adapting:
            one, two = (AUTO if level_of(who) else who for who in (one, two))
        return one, two

    def action_analyse(self) -> None:
        """Look at the values of all cells."""
        self._study(is_review=False)

    def action_review(self) -> None:
        """Look back at the game, turn by turn."""
        self._study(is_review=True)

    def _study(self, *, is_review: bool) -> None:
        from gridlock.tui.study import StudyScreen

        self.app.push_screen(StudyScreen(self._series.records, self.engine(), is_review=is_review))

    # ------------------------------------------------------------------ what is shown

    def refresh_view(self) -> None:
        """Draw the board and the panel."""
        record = self._match.record
        self.board.show(self._squares())
        self._show_score()
        self._show_players()
        self.query_one("#status", Static).update(self._status())
        written = self.written(record.start(), record.moves)
        self.query_one("#moves", Static).update(written)
        self.refresh_bindings()

    def _squares(self) -> list[Square]:
        moves = self._match.record.moves
        last = moves[-1] if moves else None
        return squares_of(self.position, glyphs_for(self), last=last, hinted=self._hint)

    def _show_score(self) -> None:
        series = self._series
        if series.terms is None:
            self.heading()
            return
        one, two = series.tally
        terms = series.terms
        place = place_in_series(len(series.records), terms.rounds, terms.target)
        self.heading(
            f"{place}   ",
            self.coloured(Player.ONE), f" {one} : {two} ", self.coloured(Player.TWO),
        )  # fmt: skip

    def _show_players(self) -> None:
        shown = players_of(self, self._match, self._clock, milliseconds())
        self.query_one("#players", Static).update(shown)

    def _status(self) -> Content:
        if self._match.winner is not None:
            advice = self._advice(self._match.record) if self._series.is_over else ""
            return result_of(self._series, self._match.winner, advice)
        if self._mover is not None:
            return program_of(self.position, is_thinking=self.thinker.is_busy)
        return task_of(self.position)

    def _advice(self, record: Record) -> str:
        """Return which level to try after a game against the computer, '' where this one fits."""
        if self._proposal is None or self._proposal[0] is not record:  # it reads many files
            found = proposal_after(self.gridlock.store, record)
            self._proposal = record, str(found or "")
        return self._proposal[1]


def open_series(
    store: Store,
    game: Game,
    players: tuple[str, str],
    terms: Terms | None,
    first: Player | None,
    setup: Position | None = None,
    time_control: TimeControl | None = None,
) -> PlayScreen:
    """Return the screen of a new game or series, or raise ``GridlockError``.

    A computer that adapts to a person plays at the level that fits the results so far.  With
    ``setup`` the game begins there, and with ``time_control`` there is a clock.
    """
    seated_players = seat_levels(store, game, players)
    check_programs(seated_players, is_own=True)
    kept = store.create(game.rulebook.id, datetime.now())
    series = Series(
        game, seated_players, terms, first, Keeper(kept), setup=setup, time_control=time_control
    )
    try:
        begin_next(series)
    except GridlockError:
        kept.release()
        raise
    return PlayScreen(series, kept, is_adapting=AUTO in players)


def begin_next(series: Series) -> None:
    """Begin the next game of a series, or raise ``StoreError``."""
    series.begin_next(f"{date.today():%Y.%m.%d}", lambda: _RNG.choice(list(Player)))
