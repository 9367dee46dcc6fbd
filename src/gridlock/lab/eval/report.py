"""What comes out of a trial: counts, grades, and every game, as plain data."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gridlock.errors import GridlockError, StoreError
from gridlock.lab.eval.endpoint import OWN
from gridlock.lab.eval.grade import (
    ALL_LEVELS,
    Examiner,
    Faced,
    Grades,
    Share,
    find_likeness,
    grade,
    grade_random,
)
from gridlock.lab.eval.plan import Task, read_plan
from gridlock.lab.eval.prompt import Outcome
from gridlock.lab.eval.trial import BROKEN_OFF, FORFEIT, MODEL, PLAYED, UNFINISHED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gridlock.lab.eval.journal import Event
    from gridlock.lab.eval.plan import Plan
    from gridlock.model import Position

ALL = "all"
"""The group of everything."""


@dataclass(slots=True)
class Course:
    """How far a game, or a position of the suite, has come."""

    task: Task
    how: str = UNFINISHED
    result: str | None = None
    moves: list[int] = field(default_factory=list)
    answers: dict[int, list[Event]] = field(default_factory=lambda: defaultdict(list))
    """What the model said, by the number of the action."""

    @property
    def board(self) -> str:
        """The game and its board."""
        return f"{self.task.game.rulebook.id} {self.task.game.grid}"

    def positions(self) -> list[Position]:
        """Return every position, the start first."""
        return self.task.start.replay(self.moves)

    def choices(self) -> list[tuple[int, Position]]:
        """Return the actions that the model chose by itself, and where."""
        return [
            (number, position)
            for number, position in enumerate(self.positions()[:-1])
            if position.mover is self.task.seat
        ]


class Results:
    """A journal, read: what happened, before any grade."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.plan: Plan = read_plan(events[0])
        self.courses = {task.id: Course(task) for task in self.plan.tasks()}
        self.outcomes: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()
        self.requests = self.tokens = self.cut_off = 0
        self.served_by: Counter[str] = Counter()
        self._played: dict[str, dict[int, int]] = defaultdict(dict)
        try:
            for event in events[1:]:
                self._add(event)
            for name, moves in self._played.items():
                self.courses[name].moves = _gapless(moves)
                self.courses[name].positions()
        except (LookupError, TypeError, ValueError, GridlockError) as error:
            raise StoreError(f"the journal makes no sense: {error}") from None

    def _add(self, event: Event) -> None:
        kind, is_models = event["kind"], event.get("who") == MODEL
        course = self.courses[event["task"]]
        if kind == "request" and is_models:
            self.requests += 1
        elif kind == "failure" and is_models:
            self.failures[event["error"]] += 1
        elif kind == "answer":
            if is_models:
                self.outcomes[event["outcome"]] += 1
                self.tokens += event["tokens"]
                self.cut_off += bool(event.get("cut_off"))
                self.served_by[event.get("by", "")] += 1
                course.answers[event["action"]].append(event)
            if event["outcome"] == Outcome.LEGAL:
                self._played[course.task.id][event["action"]] = event["cell"]
        elif kind == "move":
            self._played[course.task.id][event["action"]] = event["cell"]
        elif kind == "end":
            course.how, course.result = event["how"], event["result"]

    @property
    def own_player(self) -> str | None:
        """The player of ours that answered in place of a model, if one did."""
        own = [name for name in self.served_by if name.startswith(OWN)]
        return own[0].removeprefix(OWN) if own else None

    @property
    def interrupted(self) -> int:
        """How many requests never got an answer, since the trial was stopped meanwhile."""
        return self.requests - sum(self.outcomes.values()) - sum(self.failures.values())

    def faced(self, examiner: Examiner) -> list[Faced]:
        """Return every position in which the model chose, and the truth about it."""
        return [
            Faced(
                course.task.id,
                examiner.analyse(position),
                course.moves[number],
                course.task.difficulty,
            )
            for course in self.courses.values()
            for number, position in course.choices()
        ]


def _gapless(moves: dict[int, int]) -> list[int]:
    """Return the moves of a game from its start on."""
    return [moves[number] for number in range(len(moves))]


def make_report(
    results: Results,
    examiner: Examiner,
    *,
    with_levels: bool = True,
    on_progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Return the whole report as an object of JSON."""
    on_progress("grading")
    faced = results.faced(examiner)
    known = [one for one in faced if one.is_known]
    chosen: dict[str, list[int]] = {"model": [one.cell for one in known]}
    for level in ALL_LEVELS if with_levels else ():
        on_progress(f"asking level {level}")
        chosen[f"level {level}"] = examiner.choices(level, known)

    def grades_of(who: str, numbers: list[int]) -> Grades:
        some = [known[number] for number in numbers]
        return (
            grade_random(some)
            if who == "random"
            else grade(some, [chosen[who][number] for number in numbers])
        )

    groups = {ALL: list(results.courses.values())}
    boards = dict.fromkeys(course.board for course in groups[ALL] if course.task.opponent)
    for board in boards if len(boards) > 1 else ():
        groups[board] = [one for one in groups[ALL] if one.board == board and one.task.opponent]
    return {
        "model": results.plan.name,
        "own_player": results.own_player,
        "plan": results.plan.write(),
        "requests": results.requests,
        "interrupted": results.interrupted,
        "tokens": results.tokens,
        "cut_off": results.cut_off,
        "answers": {outcome: results.outcomes[outcome] for outcome in Outcome},
        "failures": dict(results.failures),
        "legal": Share(results.outcomes[Outcome.LEGAL], sum(results.outcomes.values())).write(),
        "unknown": len(faced) - len(known),
        "groups": {
            name: _write_group(courses, known, grades_of, ["model", "random", *list(chosen)[1:]])
            for name, courses in groups.items()
        },
    }


def _write_group(
    courses: list[Course],
    known: list[Faced],
    grades_of: Callable[[str, list[int]], Grades],
    names: list[str],
) -> dict[str, Any]:
    """Return the grades of some games as an object of JSON."""
    tasks = {course.task.id for course in courses}
    numbers = [number for number, one in enumerate(known) if one.task in tasks]
    games = [course for course in courses if course.task.opponent]
    finished = [course for course in games if course.how in (PLAYED, FORFEIT)]
    grades = {name: grades_of(name, numbers) for name in names}
    shares = {name: _comparable(one) for name, one in grades.items()}
    likeness = find_likeness(
        shares["model"],
        {n: shares[name] for n, name in enumerate(names[1:])} if len(names) > 2 else {},
    )
    opponents = dict.fromkeys(course.task.opponent or "" for course in finished)
    return {
        "games": {
            how: sum(course.how == how for course in games)
            for how in (PLAYED, FORFEIT, BROKEN_OFF, UNFINISHED)
        },
        "wins": _wins(finished).write(),
        "wins_against": {
            who: _wins([c for c in finished if c.task.opponent == who]).write() for who in opponents
        },
        "plays_like": likeness
        and {"level": likeness.nearest, "alike": likeness.alike, "text": str(likeness)},
        "grades": {name: one.write() for name, one in grades.items()},
    }


def _wins(courses: list[Course]) -> Share:
    return Share(sum(course.result == "win" for course in courses), len(courses))


def _comparable(grades: Grades) -> Share:
    """Return by which share levels are compared: every won position that could be given away."""
    shares = [grades.telling_wins, *grades.suite.values()]
    return Share(
        sum(one.hits for one in shares),
        sum(one.total for one in shares),
        grades.telling_wins.is_exact,
    )
