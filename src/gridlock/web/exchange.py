"""What is asked and answered over HTTP, beside the state of a room."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from gridlock.match import MOST_GAMES, Score, Starter
from gridlock.model import Detail, Player
from gridlock.search import HIGHEST_LEVEL, LOWEST_LEVEL
from gridlock.search.analysis import Value
from gridlock.web.settings import ClockTerms, Opponent
from gridlock.web.wire import Board, PhaseInfo, State

_NAME_LENGTH = 30

Name = Annotated[str, msgspec.Meta(max_length=_NAME_LENGTH)]
Secret = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Count = Annotated[int, msgspec.Meta(ge=1, le=MOST_GAMES)]


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


class NewRoom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a room is made for; its maker is player 1.  A series has rounds or a target."""

    game: Annotated[str, msgspec.Meta(max_length=20)]
    size: Annotated[str, msgspec.Meta(max_length=10)] | None = None
    opponent: Opponent = Opponent.COMPUTER
    level: Annotated[int, msgspec.Meta(ge=LOWEST_LEVEL, le=HIGHEST_LEVEL)] = HIGHEST_LEVEL
    name: Name = ""
    first: Literal[1, 2, "1", "2", "toss"] = 1
    clock: ClockTerms | None = None
    rounds: Count | None = None
    target: Count | None = None
    score: Score = Score.WINS
    starter: Starter = Starter.ALTERNATE


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
    """The best cell and why."""

    cell: str
    text: str


class ActionReport(msgspec.Struct, frozen=True):
    """What an action is worth: ``line`` is the best continuation, the action itself first.

    It is empty where the value is not known.
    """

    cell: str
    value: Value
    distance: int | None
    label: str
    line: tuple[str, ...]


class AnalysisReport(msgspec.Struct, frozen=True):
    """What every action of a position is worth to the mover, the best first.

    Until it is ``complete`` more may become known.  ``sentence`` says what the position is worth,
    and ``unsolved`` what is not known though that is, if anything.
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
    limit: str | None
    sentence: str
    unsolved: str
    actions: tuple[ActionReport, ...]
    complete: bool


class ReviewedReport(msgspec.Struct, frozen=True):
    """An action of a game: its player's values before and after it, and what was better.

    Of a mistake, ``fault`` says in words what it was, and ``text`` also what would have been right.
    """

    number: int
    turn: int
    player: Player
    cell: str
    before: Value
    after: Value
    mistake: bool
    better: tuple[str, ...]
    punishment: tuple[str, ...] | None
    fault: str | None
    text: str | None


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
