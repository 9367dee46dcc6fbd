"""Trials in this process, with models that are functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gridlock.lab.eval.journal import open_journal, read_journal
from gridlock.lab.eval.model import Model, Question, Reply
from gridlock.lab.eval.plan import Plan, read_plan
from gridlock.lab.eval.prompt import read_template
from gridlock.lab.eval.trial import Budget, Trial

if TYPE_CHECKING:
    from collections import Counter
    from pathlib import Path

    from gridlock.lab.eval.journal import Event

Answer = Callable[[Question], str]


class Told(Model):
    """A model that says what a function returns, and keeps what it was asked."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.asked: list[Question] = []
        self.is_closed = False

    def ask(self, question: Question) -> Reply:
        self.asked.append(question)
        return Reply(self._answer(question), tokens=10)

    def close(self) -> None:
        self.is_closed = True


def make_plan(**fields: Any) -> Plan:
    listed = {"command": "-", "prompt": "listed", "template": read_template("listed").text}
    return Plan(**{**listed, "games": ("duel:1x3",), "count": 2, "wait": 0.0, **fields})


def begin(path: Path, plan: Plan) -> None:
    with open_journal(path, is_new=True) as journal:
        journal.write("plan", **plan.write())


def go_on(
    path: Path,
    model: Model,
    *,
    opponents: dict[str, Model] | None = None,
    at_once: int = 1,
    budget: Budget | None = None,
) -> Counter[str]:
    """Run what a journal has left."""
    with open_journal(path, is_new=False) as journal:
        events = read_journal(path)
        trial = Trial(read_plan(events[0]), journal, events, budget or Budget(), model)
        return trial.run(opponents or {}, at_once)


def events_of(path: Path, kind: str) -> list[Event]:
    return [event for event in read_journal(path) if event["kind"] == kind]


def legal_of(question: Question) -> list[str]:
    """Return the legal moves that a prompt lists."""
    (line,) = [
        line
        for line in question.messages[0]["content"].splitlines()
        if line.startswith("Your legal moves: ")
    ]
    return line.removeprefix("Your legal moves: ").split()


def first_legal(question: Question) -> str:
    return legal_of(question)[0]
