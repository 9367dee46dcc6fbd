"""What is asked and answered over HTTP, beside the state of a room."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from gridlock.match import MOST_GAMES, Score, Starter
from gridlock.model import Detail, Player
from gridlock.search import HIGHEST_LEVEL, LOWEST_LEVEL
from gridlock.search.analysis import Value
from gridlock.web.settings import ClockTerms, Opponent
from gridlock.web.wire import Board, PhaseInfo, Rules, State

_NAME_LENGTH = 30
TEXT_LENGTH = 60_000  # characters: all moves of the largest board

Name = Annotated[str, msgspec.Meta(max_length=_NAME_LENGTH)]
Secret = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Count = Annotated[int, msgspec.Meta(ge=1, le=MOST_GAMES)]
PlayerOrToss = Literal[1, 2, "1", "2", "toss"]
Chance = Annotated[float, msgspec.Meta(ge=0, le=1)]
"""An estimate of how likely a player wins."""


class RulebookInfo(msgspec.Struct, frozen=True):
    """One of the games that can be played."""

    id: str
    title: str
    about: str
    size: str
    counting: int
    symbols: tuple[str, str]
    least_cells: int
    actions_per_turn: int
    phases: tuple[PhaseInfo, ...]
    """The actions of a turn, in their order."""
    detail: Detail
    """What the last field of a position text tells."""
    has_tokens: bool
    """Whether each player has one token that moves, instead of marks that stay."""
    scores: tuple[Score, ...]
    """In what ways a series can be scored."""
    rules: str
    sample: Board
    has_lesson: bool
    """Whether there is a guided first game."""


class LessonStep(msgspec.Struct, frozen=True):
    """A step of a lesson: a position, what there is to know about it, and what to do.

    Of a step that asks for a ``cell``, ``refusals`` are the sentences that say why each cell is not
    the one, in reading order; that of the cell itself is empty.  A step that is only read has no
    ``task``, no ``cell`` and no ``refusals``.
    """

    board: Board
    last: tuple[str, ...]
    text: str
    task: str
    cell: str | None
    refusals: tuple[str, ...]


class LessonReport(msgspec.Struct, frozen=True):
    """A guided first game on a small board, which player 1, the learner, wins in the last step."""

    rulebook: Rules
    size: str
    steps: tuple[LessonStep, ...]


class NewRoom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a room is made for; its maker is player 1.  A series has rounds or a target.

    With ``position``, ``moves`` or both, every game begins there: at a position text, which says by
    itself who is to move and how large the board is, and after moves from it or from the start.
    ``seat`` is then which player the maker is.
    """

    game: Annotated[str, msgspec.Meta(max_length=20)]
    size: Annotated[str, msgspec.Meta(max_length=10)] | None = None
    opponent: Opponent = Opponent.COMPUTER
    level: Annotated[int, msgspec.Meta(ge=LOWEST_LEVEL, le=HIGHEST_LEVEL)] = HIGHEST_LEVEL
    name: Name = ""
    first: PlayerOrToss = 1
    clock: ClockTerms | None = None
    rounds: Count | None = None
    target: Count | None = None
    score: Score = Score.WINS
    starter: Starter = Starter.ALTERNATE
    position: Annotated[str, msgspec.Meta(max_length=TEXT_LENGTH)] | None = None
    moves: Annotated[str, msgspec.Meta(max_length=TEXT_LENGTH)] | None = None
    seat: PlayerOrToss = 1


class MadeRoom(msgspec.Struct, frozen=True):
    """A new room: the token holds the maker's seat, the invitation is for a friend."""

    token: str
    invite: str | None
    state: State


class Joining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who takes the open seat by an invitation.

    The token is their own if they bring one, which they can send again should the answer be lost.
    """

    invite: Secret
    name: Name = ""
    token: Annotated[str, msgspec.Meta(min_length=24, max_length=100)] | None = None


class Joined(msgspec.Struct, frozen=True):
    """The seat that was taken."""

    token: str
    state: State


class Acted(msgspec.Struct, frozen=True):
    """The room after an act."""

    state: State


class Hint(msgspec.Struct, frozen=True):
    """The best cell and why.

    ``estimate`` is a guess, from 0 to 1, of how likely it wins; null where that is known.
    """

    cell: str
    text: str
    estimate: Chance | None


class ActionReport(msgspec.Struct, frozen=True):
    """What an action is worth: ``line`` is the best continuation, the action itself first.

    It is empty where the value is not known.  There ``estimate`` is a guess, from 0 to 1, of how
    likely the mover wins by it: no fact, and null where nobody has looked yet.
    """

    cell: str
    value: Value
    distance: int | None
    estimate: Chance | None
    label: str
    line: tuple[str, ...]


class AnalysisReport(msgspec.Struct, frozen=True):
    """What every action of a position is worth to the mover, the best first.

    Until it is ``complete`` more may become known, and estimates get better.  ``estimate`` is a
    guess of how likely the mover wins, where the value is unknown.  ``sentence`` says what the
    position is worth, and ``unsolved`` what is not known though that is, if anything.
    """

    game: str
    size: str
    first: Player
    moves: tuple[str, ...]
    begun: int
    """How many actions of the first turn were made before the first of the moves."""
    position: str
    board: Board
    mover: Player
    phase: str
    winner: Player | None
    value: Value
    distance: int | None
    estimate: Chance | None
    limit: str | None
    sentence: str
    unsolved: str
    actions: tuple[ActionReport, ...]
    complete: bool


class ReviewedReport(msgspec.Struct, frozen=True):
    """An action of a game: its player's values before and after it, and what was better.

    Of a mistake, ``fault`` says in words what it was, and ``text`` also what would have been right.
    ``estimate_before`` and ``estimate_after`` guess how likely its player wins, from 0 to 1, where
    a value is unknown.  An action that is ``doubtful`` was probably a mistake, by these
    estimates; ``fault`` and ``text`` then say so.  ``position`` is where a mistake was made for
    which something better is known: a puzzle.
    """

    number: int
    turn: int
    player: Player
    cell: str
    before: Value
    after: Value
    estimate_before: Chance | None
    estimate_after: Chance | None
    mistake: bool
    doubtful: bool
    better: tuple[str, ...]
    punishment: tuple[str, ...] | None
    fault: str | None
    text: str | None
    position: str | None


class ReviewReport(msgspec.Struct, frozen=True):
    """A game, and where it was given away.

    Until it is ``complete`` more may become known, and ``summary`` is empty.  ``limit`` is why not
    every value is known in the end, if there is a reason.
    """

    game: str
    size: str
    first: Player
    players: tuple[str, str]
    result: Player | None
    limit: str | None
    complete: bool
    actions: tuple[ReviewedReport, ...]
    summary: tuple[str, str]
