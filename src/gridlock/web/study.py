"""What is asked about positions and games, and the answers as they go over the wire.

Reading a question about a large board, and writing the answer, takes long enough to be noticed, so
both are part of the search: done in its thread, and shared out fairly with it.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from gridlock.model import Player, Position
from gridlock.notation import board_of
from gridlock.record import Record, read_moves
from gridlock.rulebooks import catalogue
from gridlock.search import sentences
from gridlock.search.analysis import Action, Analysis, Value
from gridlock.search.estimating import percent
from gridlock.search.report import report_analysis, report_review
from gridlock.search.review import Review, unreviewed
from gridlock.sentences import describe_player, why_refused
from gridlock.web.exchange import ActionReport, AnalysisReport, Hint, ReviewReport
from gridlock.web.searches import ANALYSIS, HINT, REVIEW, BusyError
from gridlock.web.wire import show_board

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from gridlock.search.review import ReviewedAction
    from gridlock.search.sentences import Names
    from gridlock.search.solver import Progress
    from gridlock.web.searches import EngineFor, Searches

_DIGITS = 3  # of an estimate: nobody can believe more


@dataclass(frozen=True, slots=True)
class Question:
    """A position, and the moves by which it came about."""

    start: Position
    moves: tuple[int, ...]
    position: Position


def read_question(
    game: str, size: str | None, first: int, moves: str | None, position: str | None
) -> Question:
    """Return what is asked about, or raise an error that says what is wrong with it.

    A position text says by itself how large its board is.
    """
    board = catalogue.game(game, board_of(position) if position and size is None else size)
    start = board.start(first) if position is None else board.position(position)
    played = read_moves(board, moves or "")
    return Question(start, played, start.replay(played, why_refused)[-1])


async def answer_analysis(searches: Searches, address: str, read: Callable[[], Question]) -> bytes:
    """Return the analysis of a position as JSON, as far as the time allows."""

    def work(engine_for: EngineFor) -> bytes:
        question = read()
        engine = engine_for(question.position.game)
        return _line(question, engine.analyse(question.position), is_complete=True)

    return await searches.ask(address, work)


def stream_analysis(
    searches: Searches, address: str, read: Callable[[], Question]
) -> AsyncGenerator[bytes]:
    """Yield the analysis of a position, each time that more is known, as ``_stream`` does."""

    def work(engine_for: EngineFor, tell: Callable[[bytes], None]) -> bytes:
        question = read()
        position = question.position
        engine = engine_for(position.game)

        def watch(progress: Progress) -> None:
            if isinstance(progress.found, Analysis):
                tell(_line(question, progress.found))

        if position.winner is None:
            tell(_line(question, _know_nothing(position)))
        return _line(question, engine.analyse(position, on_progress=watch), is_complete=True)

    return _stream(searches, address, work, ANALYSIS)


def stream_review(searches: Searches, address: str, record: Record) -> AsyncGenerator[bytes]:
    """Yield the review of a game, each time that more is known, as ``_stream`` does."""

    def work(engine_for: EngineFor, tell: Callable[[bytes], None]) -> bytes:
        engine = engine_for(record.game)

        def watch(progress: Progress) -> None:
            if isinstance(progress.found, Review):
                tell(_review_line(progress.found, is_complete=False))

        tell(_review_line(unreviewed(record), is_complete=False))
        return _review_line(engine.review(record, on_progress=watch), is_complete=True)

    return _stream(searches, address, work, REVIEW)


async def _stream(
    searches: Searches,
    address: str,
    work: Callable[[EngineFor, Callable[[bytes], None]], bytes],
    kind: str,
) -> AsyncGenerator[bytes]:
    """Yield what some work tells again and again, as lines of JSON, and in the end its result.

    What cannot be asked is refused before the first line.  The first line that is told is yielded
    in any case; while one is on its way newer ones replace each other.  The search ends when the
    iterator is closed.  If the server closes, no line is complete.
    """
    loop = asyncio.get_running_loop()
    first: asyncio.Future[bytes] = loop.create_future()
    has_news = asyncio.Event()
    latest = b""

    def hear(line: bytes) -> None:
        nonlocal latest
        if not first.done():
            first.set_result(line)
            return
        latest = line
        has_news.set()

    def tell(line: bytes) -> None:
        loop.call_soon_threadsafe(hear, line)

    asked = searches.ask(address, lambda engine_for: work(engine_for, tell), kind)
    searching = asyncio.create_task(asked)
    searching.add_done_callback(lambda _: has_news.set())
    try:
        await asyncio.wait((first, searching), return_when=asyncio.FIRST_COMPLETED)
        if not first.done():
            yield searching.result()
            return
        yield first.result()
        with contextlib.suppress(BusyError):
            while not searching.done():
                await has_news.wait()
                has_news.clear()
                if not searching.done():
                    yield latest
            yield searching.result()
    finally:
        searching.cancel()


async def answer_hint(searches: Searches, address: str, position: Position) -> Hint:
    """Return the best cell of a position, and why."""

    def work(engine_for: EngineFor) -> Hint:
        hint = engine_for(position.game).hint(position)
        chance = hint.analysis.action(hint.cell).estimate
        return Hint(position.game.name(hint.cell), str(hint), _rounded(chance))

    return await searches.ask(address, work, HINT)


async def answer_review(searches: Searches, address: str, record: Record) -> bytes:
    """Return the review of a game as JSON, as far as the time allows."""

    def work(engine_for: EngineFor) -> bytes:
        return _review_line(engine_for(record.game).review(record), is_complete=True)

    return await searches.ask(address, work, REVIEW)


def _know_nothing(position: Position) -> Analysis:
    """Return the analysis of a position before anything is known."""
    actions = [Action(cell, Value.UNKNOWN, None, ()) for cell in position.legal_cells()]
    return Analysis(position, Value.UNKNOWN, None, tuple(actions))


def _line(question: Question, analysis: Analysis, *, is_complete: bool = False) -> bytes:
    return msgspec.json.encode(_report(question, analysis, is_complete=is_complete)) + b"\n"


def _report(question: Question, analysis: Analysis, *, is_complete: bool) -> AnalysisReport:
    """Return an analysis as it goes over the wire; where nothing is known there is no line."""
    report = report_analysis(analysis, question.start.mover, question.moves)
    actions = [
        msgspec.convert({**_lean(told), "label": action.label}, ActionReport)
        for told, action in zip(report["actions"], analysis.actions, strict=True)
    ]
    symbol = question.position.game.rulebook.symbol
    extra = {
        "begun": question.start.actions_made,
        "board": show_board(question.position),
        "sentence": sentences.sentence(analysis, symbol),
        "unsolved": sentences.unsolved(analysis) if is_complete else "",
        "actions": tuple(actions),
        "complete": is_complete,
    }
    return msgspec.convert({**report, **extra}, AnalysisReport)


def _lean(action: dict[str, Any]) -> dict[str, Any]:
    return {**action, "line": ()} if action["value"] is Value.UNKNOWN else action


def _review_line(reviewed: Review, *, is_complete: bool) -> bytes:
    return msgspec.json.encode(_report_review(reviewed, is_complete=is_complete)) + b"\n"


def _report_review(reviewed: Review, *, is_complete: bool) -> ReviewReport:
    """Return a review as it goes over the wire; how the players did is said in the end."""
    record = reviewed.record
    name = record.game.rulebook.symbol
    report = report_review(reviewed)
    actions = [
        {**_NO_ESTIMATE, **told, **_explain(told, action, name), "position": _puzzle_in(action)}
        for told, action in zip(report["actions"], reviewed.actions, strict=True)
    ]
    extra = {
        "players": [describe_player(who) for who in record.players],
        "actions": actions,
        "summary": [
            sentences.summary(reviewed, player, name) if is_complete else "" for player in Player
        ],
        "complete": is_complete,
    }
    return msgspec.convert({**report, **extra}, ReviewReport)


_NO_ESTIMATE = {"estimate_before": None, "estimate_after": None, "doubtful": False}
"""What a report says of an action where nothing was estimated."""


def _explain(told: dict[str, Any], action: ReviewedAction, name: Names) -> dict[str, str | None]:
    """Return in words what was wrong with an action: surely, or probably."""
    if action.is_mistake:
        return {"fault": sentences.fault(action, name), "text": sentences.mistake(action, name)}
    doubt = _doubt(told, action, name) if told.get("doubtful") else None
    return {"fault": doubt, "text": doubt}


def _puzzle_in(action: ReviewedAction) -> str | None:
    """Return the position of a mistake for which something better is known, None for others."""
    return str(action.position) if action.is_mistake and action.better else None


def _doubt(told: dict[str, Any], action: ReviewedAction, name: Names) -> str:
    """Return why an action was probably a mistake; nobody must take it for a fact."""
    position = action.position
    text = f"Move {action.turn}: {name(action.player)} probably made a mistake "
    text += f"{position.upcoming.by} {position.game.name(action.cell)}"
    before, after = told.get("estimate_before"), told.get("estimate_after")
    if before is not None and after is not None:
        text += ": the chance of winning, as estimated, fell "
        text += f"from about {percent(before)} to {percent(after)} per cent"
    return f"{text}."


def _rounded(chance: float | None) -> float | None:
    return None if chance is None else round(chance, _DIGITS)
