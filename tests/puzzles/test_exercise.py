from __future__ import annotations

import random
from dataclasses import replace
from datetime import date

import pytest

from gridlock.errors import PuzzleError
from gridlock.puzzles.collection import daily_puzzle, puzzles_of
from gridlock.puzzles.exercise import DailyExercise, MistakeExercise, RatedExercise
from gridlock.puzzles.progress import Mistake, Progress
from gridlock.puzzles.puzzle import Attempt

TODAY = date(2026, 11, 18)
RNG = random.Random(1)
MISTAKE = Mistake("duel", "...../...../...../...../..... 1 -", "3,3", TODAY.isoformat())


def test_a_rated_one_is_followed_by_another_of_the_same_kind() -> None:
    first = RatedExercise.choose(Progress(), RNG, "occupation", "split")
    for _ in range(20):
        following = first.next(Progress(), RNG)  # nobody has tried it, and yet it is another
        assert following.puzzle != first.puzzle
        assert following.puzzle.position.game.rulebook.id == "occupation"
        assert "split" in following.puzzle.themes


def test_a_rated_one_changes_the_rating_once() -> None:
    exercise = RatedExercise(puzzles_of("duel")[0])
    assert not exercise.is_old(Progress())
    after = exercise.after(Progress(), solved=True)
    assert after.rating.rating > 1500
    assert exercise.is_old(after)
    assert exercise.after(after, solved=False) == after


def test_the_daily_one_is_rated_and_counts_for_its_day() -> None:
    exercise = DailyExercise(TODAY)
    assert exercise.puzzle == daily_puzzle(TODAY)
    after = exercise.after(Progress(), solved=True)
    assert (after.daily_streak(TODAY), after.seen) == (1, {exercise.puzzle.id: True})
    assert exercise.is_old(after)
    assert not exercise.is_old(Progress(seen={exercise.puzzle.id: True}))
    text = exercise.to_share(Attempt.at(exercise.puzzle), after)
    assert text.startswith("GridLock daily 2026-11-18 · ")
    assert exercise.next(after, RNG).puzzle != exercise.puzzle


def test_mistakes_come_one_after_the_other_until_none_is_due() -> None:
    games = ("duel", "occupation", "claim")
    progress = Progress().with_mistakes(replace(MISTAKE, game=game) for game in games)
    first = MistakeExercise.choose(progress, TODAY)
    second = first.next(progress, RNG)
    third = second.next(progress, RNG)
    assert [one.mistake.game for one in (first, second, third)] == list(games)
    assert third.next(progress, RNG) == first  # which was passed over
    progress = second.after(progress, solved=True)
    assert second.is_old(progress)
    assert not first.is_old(progress)
    assert second.next(progress, RNG) == first
    progress = third.after(first.after(progress, solved=False), solved=True)
    with pytest.raises(PuzzleError, match="no mistake of yours is due"):
        third.next(progress, RNG)
    assert [mistake.solved for mistake in progress.mistakes] == [0, 1, 1]
    assert progress.rating == Progress().rating


def test_a_mistake_is_named_but_not_shared() -> None:
    exercise = MistakeExercise(MISTAKE, TODAY)
    assert exercise.title == "A mistake of yours: duel 5x5"
    assert exercise.to_share(Attempt.at(exercise.puzzle), Progress()) == ""
