"""What every face of the product says in words about puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridlock.notation import write_count
from gridlock.players import COMPUTER
from gridlock.puzzles.collection import THEMES
from gridlock.record import write_line

if TYPE_CHECKING:
    from datetime import date

    from gridlock.puzzles.progress import Progress
    from gridlock.puzzles.puzzle import Attempt, Puzzle

KEPT = "Your mistakes come back as puzzles"

_MOST_MARKS = 5


def title(puzzle: Puzzle) -> str:
    """Return what a puzzle is called: ``Puzzle duel-17, 6x6, rated 1480``."""
    rated = f", rated {puzzle.rating}" if puzzle.rating else ""
    return f"Puzzle {puzzle.id}, {puzzle.position.game.grid}{rated}"


def title_of_mistake(puzzle: Puzzle) -> str:
    """Return what a mistake of somebody's own is called."""
    game = puzzle.position.game
    return f"A mistake of yours: {game.rulebook.id} {game.grid}"


def task(attempt: Attempt) -> str:
    """Return what has to be found next."""
    puzzle = attempt.puzzle
    symbol = puzzle.position.game.rulebook.symbol(puzzle.solver)
    what = attempt.position.upcoming.task
    if puzzle.also:
        return f"{symbol} is to {what}, and can win: find how."
    return f"{symbol} is to {what}: exactly one wins. {_left(attempt)}"


def _left(attempt: Attempt) -> str:
    return "It is the last one." if attempt.left == 1 else f"{attempt.left} to find."


def clue(puzzle: Puzzle) -> str:
    """Return a hint that gives no cell away."""
    if not puzzle.themes:
        return "Look what each cell would close, and to whom."
    return f"Think of this: {', '.join(THEMES[theme] for theme in puzzle.themes)}."


def wrong(attempt: Attempt, line: tuple[int, ...]) -> str:
    """Return why the cell that a refutation begins with is wrong."""
    name = attempt.position.game.name(line[0])
    after = attempt.position.play(line[0])
    if after.winner is not None or len(line) == 1:
        return f"{name} does not win."
    if after.mover is attempt.position.mover:
        return f"{name} does not win: {write_line(attempt.position, line)}."
    return f"{name} does not win: it loses to {write_line(after, line[1:])}."


def solution(attempt: Attempt) -> str:
    """Return what would have been right."""
    line = attempt.puzzle.line[attempt.played :]
    return f"The solution: {write_line(attempt.position, line)}."


def answer(attempt: Attempt) -> str:
    """Return that an action was right, and what the other player has answered."""
    game = attempt.position.game
    cells = " and ".join(map(game.name, attempt.answer))
    if not cells:
        return "Right."
    return f"Right. {game.rulebook.symbol(attempt.puzzle.solver.opponent)} answers {cells}."


def solved(attempt: Attempt) -> str:
    """Return that a puzzle has been solved."""
    tries = "1 wrong try" if attempt.mistakes == 1 else f"{attempt.mistakes} wrong tries"
    return f"Solved, after {tries}." if attempt.mistakes else "Solved!"


def play_on(attempt: Attempt) -> str:
    """Return how to play on where a puzzle has ended, or from its beginning if the game is over."""
    puzzle = attempt.puzzle
    position = puzzle.position if attempt.position.winner is not None else attempt.position
    return (
        f"To play on: gridlock play {position.game.rulebook.id} "
        f'--position "{position}" --p{puzzle.solver.opponent} {COMPUTER}'
    )


def rating(before: Progress, after: Progress) -> str:
    """Return somebody's rating after a puzzle, and by how much it has changed, if it was rated."""
    change = round(after.rating.rating) - round(before.rating.rating)
    return str(after.rating) if after.rating == before.rating else f"{after.rating} ({change:+})"


def standing(before: Progress, after: Progress) -> str:
    """Return somebody's rating and streak after a puzzle as a sentence."""
    streak = f", {after.streak} in a row" if after.streak > 1 else ""
    return f"Your puzzle rating: {rating(before, after)}{streak}."


def report(progress: Progress, today: date) -> dict[str, str]:
    """Return how somebody gets on: names, and what they are followed by."""
    learnt = sum(mistake.is_learnt for mistake in progress.mistakes)
    return {
        "Puzzle rating": str(progress.rating),
        "Solved at first sight": f"{sum(progress.seen.values())} of {len(progress.seen)}",
        "In a row": f"{progress.streak}, at best {progress.longest}",
        "Daily puzzles in a row": str(progress.daily_streak(today)),
        "Mistakes learnt": f"{learnt} of {len(progress.mistakes)}",
    }


def due(progress: Progress, today: date) -> str:
    """Return how many mistakes have come back, '' if none has."""
    count = len(progress.due(today))
    return f"{write_count(count, 'mistake')} of yours to solve" if count else ""


def to_share(attempt: Attempt, day: date | None = None, streak: int = 0) -> str:
    """Return a result as a text for friends, which gives nothing away."""
    puzzle = attempt.puzzle
    what = f"daily {day.isoformat()}" if day else f"puzzle {puzzle.id}"
    marks = "✗" * min(attempt.mistakes, _MOST_MARKS) + ("✓" if attempt.is_solved else "")
    days = f" · {streak} days in a row" if streak > 1 else ""
    game = puzzle.position.game
    return (
        f"GridLock {what} · {game.rulebook.id} {game.grid}, rated {puzzle.rating} · {marks}{days}"
    )
