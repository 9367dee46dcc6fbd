"""A short game between two friends, and a puzzle: the documents of the interface show them."""

from __future__ import annotations

from typing import NamedTuple

from gridlock.model import Player
from gridlock.puzzles import sentences
from gridlock.puzzles.collection import find_puzzle
from gridlock.puzzles.puzzle import Attempt
from gridlock.web import puzzle_view as view
from gridlock.web.event import Act, Command, Event
from gridlock.web.exchange import Acted, Joined, Joining, MadeRoom, NewRoom
from gridlock.web.room import Room
from gridlock.web.settings import ClockTerms, Opponent, Seat, Settings, hashed
from gridlock.web.wire import show_state

ROOM = "q3hV0x7eLw2a"
NOW = 1_800_000_000_000  # milliseconds: a day in January 2027
ANN, _INVITE, _BOB = (f"{name}'s-long-and-random-secret" for name in ("Ann", "invite", "Bob"))


class Example(NamedTuple):
    """What is asked and answered from the first request to the first action."""

    new: NewRoom
    made: MadeRoom
    joining: Joining
    joined: Joined
    act: Act
    acted: Acted
    event: Event
    """What came of the act."""
    room: Room
    """The room after it."""


def play_example() -> Example:
    """Let Ann invite Bob, and choose a cell."""
    new = NewRoom("duel", "3x3", Opponent.FRIEND, name="Ann", clock=ClockTerms(300, 3))
    settings = Settings(
        new.game,
        "3x3",
        new.opponent,
        (Seat(new.name, hashed(ANN)), Seat("")),
        Player.ONE,
        new.clock,
        invite=hashed(_INVITE),
    )
    room = Room(ROOM, settings)
    made = MadeRoom(ANN, _INVITE, show_state(room, (Player.ONE,), NOW))
    for event in room.join(_INVITE, "Bob", _BOB, NOW):
        room.apply(event)
    joined = Joined(_BOB, show_state(room, (Player.TWO,), NOW))
    act = Act("8b1d9a52", 0, Command.PLAY, "2,2", 1)
    (played,) = room.answer((Player.ONE,), act, NOW + 4_000)
    room.apply(played)
    acted = Acted(show_state(room, (Player.ONE,), NOW + 4_000))
    return Example(new, made, Joining(_INVITE, "Bob"), joined, act, acted, played, room)


PUZZLE = "duel-1"
DAY = "2027-01-15"


class PuzzleExample(NamedTuple):
    """What is asked and answered about a puzzle until its first cell is found."""

    puzzle: view.PuzzleInfo
    tried: view.Try
    answer: view.Tried
    found: list[str]
    solution: view.SolutionInfo
    share: view.ShareText
    result: view.PuzzleResult
    rated: view.Rated


class MistakeExample(NamedTuple):
    """What is asked and answered about a mistake until something better is found."""

    puzzle: view.PuzzleInfo
    tried: view.Try
    answer: view.Tried
    solution: view.SolutionInfo


def mend_example() -> MistakeExample:
    """Let somebody find a cell that wins where they gave a game away."""
    mistake = view.read_mistake("duel", "... 1 -", "1,2")
    before = Attempt.at(mistake)
    answer = view.show_right(before, before.try_(mistake.line[0]))
    return MistakeExample(
        view.show_mistake(mistake), view.Try("1,2"), answer, view.show_solution(before)
    )


def solve_example() -> PuzzleExample:
    """Let somebody find the first cell of a puzzle, and be shown the others."""
    puzzle = find_puzzle(PUZZLE)
    before = Attempt.at(puzzle)
    after = before.try_(puzzle.line[0])
    answer = view.show_right(before, after)
    result = view.PuzzleResult(False, view.PuzzleRating(1500.0, 350.0, 0.06), 2)
    return PuzzleExample(
        view.show_puzzle(before),
        view.Try(answer.steps[0].cell),
        answer,
        list(answer.attempt.found),
        view.show_solution(after),
        view.ShareText(sentences.to_share(after)),
        result,
        view.rate(puzzle, result),
    )
