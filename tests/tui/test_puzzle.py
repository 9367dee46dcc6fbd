from __future__ import annotations

import shutil
import threading
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, cast

import pytest

import gridlock
from gridlock.engine import Engine
from gridlock.errors import LimitError
from gridlock.puzzles import sentences
from gridlock.puzzles.exercise import DailyExercise, Exercise, MistakeExercise, RatedExercise
from gridlock.puzzles.progress import Mistake, Progress, ProgressFile
from gridlock.puzzles.puzzle import Attempt, Puzzle
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.tui.puzzle import PuzzleScreen
from tests.tui.conftest import LARGE, SMALL

if TYPE_CHECKING:
    from gridlock import Position
    from gridlock.store import Store
    from tests.tui.conftest import Drive, Driver

WRONG = "5,4"
"""A cell of the puzzle of duel that does not win."""
REFUTED = "5,4 does not win: it loses to 2,1 1,6 3,6 4,1 5,2."


def own_cells(puzzle: Puzzle) -> list[str]:
    """Return the cells that somebody chooses who solves a puzzle at once."""
    moves = zip(puzzle.positions(), puzzle.line, strict=False)
    cells = [cell for position, cell in moves if position.mover is puzzle.solver]
    return [puzzle.position.game.name(cell) for cell in cells]


async def set_(driver: Driver, exercise: Exercise) -> None:
    await driver.app.push_screen(PuzzleScreen(exercise))
    await driver.idle()


async def choose(driver: Driver, cell: str) -> None:
    await driver.type(cell)
    await driver.press("enter")


async def go_to(driver: Driver, cell: str) -> None:
    """Move the cursor with the arrow keys alone."""
    board = driver.board
    grid = board.game.grid
    for (now, then), keys in zip(
        zip(grid.place(board.cursor), grid.place(board.game.cell(cell)), strict=True),
        (("up", "down"), ("left", "right")),
        strict=True,
    ):
        await driver.press(*[keys[then > now]] * abs(then - now))
    assert board.cursor == board.game.cell(cell)


@pytest.fixture
def duel(puzzles: dict[str, Puzzle]) -> Puzzle:
    return puzzles["duel"]


@pytest.fixture
def file(store: Store) -> ProgressFile:
    return ProgressFile(store.folder)


@pytest.mark.parametrize(
    ("game_id", "terminal"), [*((game_id, SMALL) for game_id in RULEBOOKS), ("duel", LARGE)]
)
def test_a_puzzle_is_solved_with_the_arrow_keys(
    game_id: str,
    terminal: tuple[int, int],
    drive: Drive,
    puzzles: dict[str, Puzzle],
    file: ProgressFile,
) -> None:
    puzzle = puzzles[game_id]

    async def scenario(driver: Driver) -> None:
        await set_(driver, RatedExercise(puzzle))
        assert sentences.title(puzzle) in driver.text("#top")
        assert driver.text("#status") == sentences.task(Attempt.at(puzzle))
        assert "Your rating 1500? In a row 0 Daily in a row 0" in driver.text("#standing")
        attempt = Attempt.at(puzzle)
        for cell in own_cells(puzzle):
            assert driver.text("#status") == sentences.task(attempt)
            await go_to(driver, cell)
            await driver.press("enter")
            attempt = attempt.try_(puzzle.position.game.cell(cell))
            if not attempt.is_solved:
                assert driver.text("#message") == sentences.answer(attempt)
        assert driver.text("#status") == "Solved!"
        progress = file.read()
        assert progress.seen == {puzzle.id: True}
        gain = f"{progress.rating} ({progress.rating.rating - 1500:+.0f})"
        assert driver.text("#standing").startswith(f"Your rating {gain} In a row 1")
        assert gain in driver.screen_text

    drive(scenario, terminal=terminal)


def test_a_puzzle_is_solved_with_the_mouse(drive: Drive, duel: Puzzle, file: ProgressFile) -> None:
    async def scenario(driver: Driver) -> None:
        await set_(driver, RatedExercise(duel))
        for cell in own_cells(duel):
            await driver.click_cell(cell)
        assert driver.text("#status") == "Solved!"
        assert file.read().seen == {duel.id: True}
        footer = driver.screen_text.splitlines()[-1]
        await driver.pilot.click(offset=(footer.index("Next"), SMALL[1] - 1))
        await driver.idle()
        assert sentences.title(duel) not in driver.text("#top")

    drive(scenario)


def test_a_wrong_try_counts_on_disk_before_it_is_answered(
    drive: Drive, duel: Puzzle, file: ProgressFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    searching, found = threading.Event(), threading.Event()
    refute = Engine.refute

    def wait(engine: Engine, position: Position, cell: int, **more: Any) -> tuple[int, ...]:
        searching.set()
        assert found.wait(60)
        return refute(engine, position, cell, **more)

    monkeypatch.setattr(Engine, "refute", wait)

    async def scenario(driver: Driver) -> None:
        await set_(driver, RatedExercise(duel))
        await driver.type(WRONG)
        await driver.pilot.press("enter")
        await driver.until(searching.is_set)
        assert file.read().seen == {duel.id: False}  # now nothing undoes it
        assert driver.text("#message") == "5,4 does not win."
        assert f"Your rating {file.read().rating} (-" in driver.text("#standing")
        await driver.pilot.press("up")  # keys are answered meanwhile
        assert driver.board.cursor == driver.board.game.cell("4,4")
        await driver.pilot.press("down")
        found.set()
        await driver.idle()
        assert driver.text("#message") == REFUTED

    drive(scenario)


def test_only_the_first_try_counts(drive: Drive, duel: Puzzle, file: ProgressFile) -> None:
    async def scenario(driver: Driver) -> None:
        await set_(driver, RatedExercise(duel))
        await choose(driver, WRONG)
        kept = file.read()
        await choose(driver, "5,3")
        for cell in own_cells(duel):
            await choose(driver, cell)
        assert driver.text("#status") == "Solved, after 2 wrong tries."
        assert file.read() == kept
        await choose(driver, WRONG)
        assert driver.text("#message") == "The puzzle is over. Press n for the next one."
        await set_(driver, RatedExercise(duel))
        assert driver.text("#message") == (
            "You have tried this one before: it does not count again."
        )

    drive(scenario)


def test_what_refutes_a_try_is_stepped_through_on_the_board(
    drive: Drive, duel: Puzzle, file: ProgressFile
) -> None:
    async def scenario(driver: Driver) -> None:
        await set_(driver, RatedExercise(duel))
        await choose(driver, WRONG)
        assert "✗" in driver.screen_text
        assert driver.text("#line") == "] shows it step by step"
        for _ in range(2):
            await driver.press("right_square_bracket")
        assert driver.moves == "1 5,4 2 2,1"
        assert "(A)" in driver.screen_text
        assert "✗" not in driver.screen_text
        kept = file.read()
        await choose(driver, "4,1")  # the right cell, but of another position
        assert driver.text("#message") == "Back at the puzzle: choose a cell."
        assert driver.text("#status") == sentences.task(Attempt.at(duel))
        assert file.read() == kept
        await driver.press("right_square_bracket", "left_square_bracket", "left_square_bracket")
        assert driver.text("#message") == "This is the beginning."
        assert "✗" in driver.screen_text

    drive(scenario)


def test_a_refutation_that_is_not_found_in_time_is_left_out(
    drive: Drive, duel: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(*_: object) -> tuple[int, ...]:
        raise LimitError("stopped")

    monkeypatch.setattr("gridlock.search.analysis.refutation", give_up)

    async def scenario(driver: Driver) -> None:
        await set_(driver, RatedExercise(duel))
        await choose(driver, WRONG)
        assert driver.text("#message") == "5,4 does not win."

    drive(scenario)


def test_a_cell_that_may_not_be_chosen_is_explained_and_no_mistake(
    drive: Drive, duel: Puzzle, file: ProgressFile
) -> None:
    async def scenario(driver: Driver) -> None:
        await set_(driver, RatedExercise(duel))
        await choose(driver, "3,3")
        assert driver.text("#message") == "3,3 is taken."
        await choose(driver, "9,9")
        assert "outside the board" in driver.text("#message")
        assert not file.path.exists()

    drive(scenario)


def test_a_hint_is_free_and_the_solution_is_not(
    drive: Drive, duel: Puzzle, file: ProgressFile
) -> None:
    async def scenario(driver: Driver) -> None:
        await set_(driver, RatedExercise(duel))
        await driver.press("t")
        assert driver.text("#message") == sentences.clue(duel)
        assert not file.path.exists()
        await driver.press("s")
        assert driver.text("#message") == "The solution: 4,1 1,6 3,6."
        assert driver.text("#status") == "Not solved."
        assert file.read().seen == {duel.id: False}
        assert "★" in driver.screen_text
        for _ in duel.line:
            await driver.press("right_square_bracket")
        assert driver.moves == "1 4,1 2 1,6 3 3,6"
        assert "★" not in driver.screen_text
        kept = file.read()
        await driver.press("s", "t")  # there is nothing to ask for any more
        assert file.read() == kept
        assert driver.text("#message") == "The solution: 4,1 1,6 3,6."

    drive(scenario)


def test_the_result_is_copied_once_there_is_one(drive: Drive, duel: Puzzle) -> None:
    async def scenario(driver: Driver) -> None:
        await set_(driver, RatedExercise(duel))
        await driver.press("y", "y")
        assert driver.app.clipboard == ""
        await driver.press("escape")
        await choose(driver, WRONG)
        for cell in own_cells(duel):
            await choose(driver, cell)
        await driver.press("y", "y")
        text = "GridLock puzzle duel-1 · duel 5x6, rated 1418 · ✗✓"
        assert driver.app.clipboard == text
        assert driver.text("#message") == f"Copied the result: {text}"
        await driver.press("z", "y", "enter")
        assert driver.screen_text.isascii()
        assert driver.app.clipboard == text

    drive(scenario)


def test_the_position_and_the_record_of_a_puzzle_are_copied(drive: Drive, duel: Puzzle) -> None:
    async def scenario(driver: Driver) -> None:
        await set_(driver, RatedExercise(duel))
        await driver.press("y", "p")
        assert driver.app.clipboard == str(duel.position)
        await driver.press("s", "right_square_bracket", "y", "m")
        assert driver.app.clipboard == "4,1"
        await driver.press("y", "r")
        record = gridlock.read_record(driver.app.clipboard)
        assert (record.setup, record.moves) == (duel.position, duel.line[:1])

    drive(scenario)


def test_a_puzzle_that_is_over_is_played_on(drive: Drive, duel: Puzzle) -> None:
    async def scenario(driver: Driver) -> None:
        await set_(driver, RatedExercise(duel))
        await driver.press("o")
        assert "play from here" not in driver.text("#top")  # that would give it away
        await driver.press("s")
        assert "o: play on from here" in driver.text("#line")
        await driver.press("right_square_bracket", "o")
        assert "duel 5x6 play from here" in driver.text("#top")
        assert driver.text("#status") == "A to move"
        await driver.press("escape")
        assert driver.text("#status") == "Not solved."

    drive(scenario)


def test_nothing_is_played_on_where_the_game_is_over(
    drive: Drive, puzzles: dict[str, Puzzle]
) -> None:
    async def scenario(driver: Driver) -> None:
        puzzle = puzzles["race"]
        await set_(driver, RatedExercise(puzzle))
        for cell in own_cells(puzzle):
            await choose(driver, cell)
        await driver.press("o")
        assert driver.text("#message") == "The game is over here: press [ to go back."
        await driver.press("left_square_bracket", "o")
        assert "play from here" in driver.text("#top")

    drive(scenario)


def test_the_daily_puzzle_makes_a_streak_and_is_shared_with_it(
    drive: Drive, puzzles: dict[str, Puzzle], file: ProgressFile
) -> None:
    today = date.today()
    file.update(lambda now: now.after_daily(today - timedelta(1), solved=True))

    async def scenario(driver: Driver) -> None:
        exercise = DailyExercise(today)
        await set_(driver, exercise)
        assert f"Daily {today}: " in driver.text("#top")
        assert "Daily in a row 1" in driver.text("#standing")
        for cell in own_cells(exercise.puzzle):
            await choose(driver, cell)
        assert "Daily in a row 2" in driver.text("#standing")
        assert file.read().days[today.isoformat()]
        await driver.press("y", "y")
        assert driver.app.clipboard.startswith(f"GridLock daily {today} · ")
        assert driver.app.clipboard.endswith(" · 2 days in a row")
        await driver.press("n")
        following = cast("PuzzleScreen", driver.app.screen)._exercise
        assert isinstance(following, RatedExercise)
        assert following.puzzle != exercise.puzzle

    drive(scenario)


def test_mistakes_come_until_none_is_due_and_any_winning_cell_solves_them(
    drive: Drive, file: ProgressFile
) -> None:
    today = date.today()
    mistakes = [
        Mistake(game, "...../...../..1../...../..... 2 -", winning, today.isoformat())
        for game, winning in (("duel", "1,2 2,4"), ("occupation", "1,1"))
    ]
    file.update(lambda now: now.with_mistakes(mistakes))

    async def scenario(driver: Driver) -> None:
        await set_(driver, MistakeExercise.choose(file.read(), today))
        assert "A mistake of yours: duel 5x5" in driver.text("#top")
        await choose(driver, "2,4")
        assert driver.text("#status") == "Solved!"
        assert driver.moves == "1 2,4"
        assert [mistake.solved for mistake in file.read().mistakes] == [1, 0]
        assert file.read().rating == Progress().rating
        await driver.press("y", "y", "escape")
        assert driver.app.clipboard == ""
        await driver.press("n")
        assert "A mistake of yours: occupation 5x5" in driver.text("#top")
        await driver.press("s")
        await driver.press("n")
        assert driver.text("#message").startswith("No mistake of yours is due")
        assert file.read().due(today) == []
        assert len(file.read().due(today + timedelta(1))) == 2

    drive(scenario)


def test_a_store_that_cannot_be_written_is_said_once_and_the_puzzle_goes_on(
    drive: Drive, duel: Puzzle, store: Store
) -> None:
    async def scenario(driver: Driver) -> None:
        shutil.rmtree(store.folder, ignore_errors=True)
        store.folder.touch()  # where the folder should be
        await set_(driver, RatedExercise(duel))
        await choose(driver, WRONG)
        await choose(driver, "5,3")
        (notification,) = driver.app._notifications
        assert notification.message.startswith("Cannot write ")
        assert notification.severity == "error"
        for cell in own_cells(duel):
            await choose(driver, cell)
        assert driver.text("#status") == "Solved, after 2 wrong tries."
        assert driver.text("#standing").startswith("Your rating 1500? In a row 0")
        assert len(driver.app._notifications) == 1

    drive(scenario)


def test_the_token_has_the_cursor(drive: Drive, puzzles: dict[str, Puzzle]) -> None:
    async def scenario(driver: Driver) -> None:
        await set_(driver, RatedExercise(puzzles["race"]))
        assert driver.board.game.name(driver.board.cursor) == "3,1"

    drive(scenario)


def test_the_cell_that_a_trail_goes_on_from_is_marked(
    drive: Drive, puzzles: dict[str, Puzzle]
) -> None:
    async def scenario(driver: Driver) -> None:
        await set_(driver, RatedExercise(puzzles["trail"]))
        assert "(O)" in driver.screen_text

    drive(scenario)
