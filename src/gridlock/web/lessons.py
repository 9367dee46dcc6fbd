"""Guided first games as they go over the wire: with all that the page must know to answer tries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.lesson import Step, lesson_of
from gridlock.web.exchange import LessonReport, LessonStep
from gridlock.web.problems import NoPageError
from gridlock.web.wire import show_board, show_rules

if TYPE_CHECKING:
    from gridlock.model import Rulebook


def report_lesson(rulebook: Rulebook | None) -> LessonReport:
    """Return the lesson of a rulebook, or raise ``NoPageError`` where there is none."""
    lesson = lesson_of(rulebook) if rulebook else None
    if lesson is None:
        raise NoPageError("there is no lesson for such a game")
    return LessonReport(
        rulebook=show_rules(lesson.game.rulebook),
        size=str(lesson.game.grid),
        steps=tuple(map(_report_step, lesson.steps)),
    )


def _report_step(step: Step) -> LessonStep:
    game = step.position.game
    is_asked = step.cell is not None
    return LessonStep(
        board=show_board(step.position),
        last=tuple(map(game.name, step.last)),
        text=step.text,
        task=step.task,
        cell=None if step.cell is None else game.name(step.cell),
        refusals=tuple(map(step.why_not, range(game.grid.cell_count))) if is_asked else (),
    )
