from __future__ import annotations

import random
import re
import threading
from typing import TYPE_CHECKING, Any

import pytest

import gridlock
from gridlock import RULEBOOKS, Player, Position
from gridlock.engine import Engine
from gridlock.errors import LimitError, StoreError
from gridlock.grid import Grid
from gridlock.record import read_record
from gridlock.saving import Keeper
from gridlock.search import levels
from gridlock.tui.board import Board
from gridlock.tui.celebration import ripple
from gridlock.tui.drawing import Look, Square
from tests.conftest import variants

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.record import Record
    from gridlock.store import Store
    from tests.tui.conftest import Drive, Driver


def random_game(name: str, size: str | None = None) -> list[str]:
    """Return the cells of a whole game, as people write them."""
    game = gridlock.game(name, size)
    rng = random.Random(name)
    position, names = game.start(), []
    while position.winner is None:
        cell = rng.choice(position.legal_cells())
        names.append(game.name(cell))
        position = position.play(cell)
    return names


def winner_of(name: str, names: list[str], size: str | None = None) -> Player:
    game = gridlock.game(name, size)
    position: Position = game.start()
    for written in names:
        position = position.play(game.cell(written))
    assert position.winner is not None
    return position.winner


async def move_cursor(driver: Driver, name: str) -> None:
    """Go to a cell with the arrow keys, or where it lies to the right with vim's."""
    grid = driver.board.game.grid
    row, column = grid.place(driver.board.cursor)
    goal_row, goal_column = grid.place(driver.board.game.cell(name))
    down, right = goal_row - row, goal_column - column
    await driver.press(*(["down" if down > 0 else "k"] * abs(down)))
    await driver.press(*(["l" if right > 0 else "left"] * abs(right)))
    await driver.press("enter")


async def type_cell(driver: Driver, name: str) -> None:
    await driver.type(name)
    await driver.press("enter")


async def click(driver: Driver, name: str) -> None:
    await driver.click_cell(name)


@pytest.mark.parametrize(
    "by", variants(move_cursor, type_cell, click), ids=["keys", "typed", "mouse"]
)
@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_whole_game_is_played_and_kept(name: str, by, drive: Drive, store: Store) -> None:  # type: ignore[no-untyped-def]
    size = "3x4"
    names = random_game(name, size)
    winner = winner_of(name, names, size)

    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        for number, written in enumerate(names):
            assert "wins" not in driver.text("#status")
            await by(driver, written)
            record = read_record(store.path(store.unfinished()[0]).read_text())
            assert len(record.moves) == number + 1
        assert re.search(rf"\b{RULEBOOKS[name].symbol(winner)}\b.* wins!", driver.text("#status"))
        await driver.press("escape")

    drive(scenario, rulebook=name, size=size, opponent="human")
    (file,) = store.finished_folder.iterdir()
    record = read_record(file.read_text())
    assert [record.game.name(cell) for cell in record.moves] == names
    assert record.result is winner
    assert store.unfinished() == []


def test_a_cell_may_be_typed_with_a_blank_and_corrected(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p", "9")
        assert driver.text("#message") == "Cell: 9_"
        await driver.press("backspace", "2", "space", "4", "enter")
        assert "2,4" in driver.moves

    drive(scenario, opponent="human")


def test_what_is_typed_and_is_no_cell_is_refused(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await driver.type("9,9")
        await driver.press("enter")
        assert "'9,9' is outside the board" in driver.text("#message")
        assert driver.moves == ""
        await driver.type("3")
        await driver.press("escape")
        assert driver.app.screen.query("#moves")
        await driver.press("escape")
        assert not driver.app.screen.query("#moves")

    drive(scenario, opponent="human")


def test_a_closed_cell_says_why_when_it_is_pointed_at(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await type_cell(driver, "1,1")
        await driver.point_at("2,2")
        assert driver.text("#message") == "2,2 is closed: next to A's 1,1."
        await driver.point_at("1,1")
        assert driver.text("#message") == "1,1 is taken."
        await driver.point_at("4,4")
        assert driver.text("#message") == ""
        driver.board.move_to(driver.board.game.cell("1,2"))
        await driver.press("enter")
        assert driver.text("#message") == "1,2 is closed: next to A's 1,1."
        assert driver.text("#status").startswith("B: take")

    drive(scenario, opponent="human")


def test_undo_and_redo_between_persons_take_one_turn(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await type_cell(driver, "1,1")
        await type_cell(driver, "5,5")
        await driver.press("u")
        assert driver.moves == "1 1,1"
        await driver.press("u")
        assert driver.moves == ""
        await driver.press("u")
        assert driver.text("#message") == "There is no turn to take back."
        await driver.press("r", "r")
        assert driver.moves == "1 1,1 2 5,5"
        await driver.press("r")
        assert driver.text("#message") == "There is nothing to play again."

    drive(scenario, opponent="human")


def test_undo_against_the_computer_goes_back_to_ones_own_turn(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await type_cell(driver, "3,3")
        assert len(driver.moves.split()) == 4  # two turns with their numbers
        await driver.press("u")
        assert driver.moves == ""
        assert driver.text("#status") == "A: take a cell."

    drive(scenario, opponent="computer:2")


def test_the_computer_plays_and_may_begin(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        assert len(driver.moves.split()) == 2
        assert driver.text("#players") == "▸ A you B computer, level 8"

    drive(scenario, opponent="computer:8", first="2")


def test_a_hint_is_shown_on_the_board_with_its_words(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p", "t")
        assert driver.text("#message") == (
            "Hint: 3,3 wins: after 3,3 every answer can be mirrored through the centre."
        )
        assert driver.board.cursor == driver.board.game.cell("3,3")
        assert "★" in driver.screen_text
        await driver.press("enter")
        assert "★" not in driver.screen_text

    drive(scenario, opponent="human")


def test_a_hint_beyond_what_can_be_solved_is_an_estimate(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridlock.engine.HINT_SECONDS", 0.1)

    async def scenario(driver: Driver) -> None:
        await driver.press("p", "t")
        assert re.fullmatch(
            r"Hint: \d,\d looks best: an estimate gives it about \d+%\.", driver.text("#message")
        )

    drive(scenario, rulebook="claim", size="9x9", opponent="human")


def test_the_computer_moves_now_when_it_is_told_to(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = threading.Event()

    def choose(self: Engine, position: Position, *_: object, **options: Any) -> int:
        while not stopped.wait(0.002):  # it would think forever
            options["on_progress"](self.progress)
        return position.legal_cells()[-1]

    monkeypatch.setattr(Engine, "choose", choose)
    monkeypatch.setattr(Engine, "stop", lambda _: stopped.set())

    async def scenario(driver: Driver) -> None:
        def footer() -> str:
            return driver.screen_text.splitlines()[-1]

        await driver.press("p")
        assert "Move now" not in footer()
        await driver.press("m")
        assert driver.moves == ""
        await driver.pilot.press("3", "comma", "3", "enter")
        await driver.until(lambda: "m Move now" in footer())
        assert footer().endswith("? Keys")  # all of them are seen
        assert driver.text("#status") == "B is thinking..."
        await driver.press("m")
        assert driver.moves == "1 3,3 2 5,5"
        assert "Move now" not in footer()

    drive(scenario, opponent="computer:8")


def test_giving_up_is_asked_for_and_can_be_taken_back(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await type_cell(driver, "3,3")
        await driver.press("g", "n")
        assert driver.text("#status").startswith("B: take")
        await driver.press("t")
        assert driver.text("#message").startswith("Hint: ")
        await driver.press("g", "y")
        assert driver.text("#status").startswith("B gives up: A wins!")
        assert driver.text("#message") == ""
        await driver.press("u")
        assert driver.text("#status").startswith("B: take")
        await driver.press("g", "y", "escape")

    drive(scenario, opponent="human")
    assert read_record(store.files()[0][1].read_text()).termination == "resignation"


def test_swapped_seats_are_kept_and_the_computer_goes_on(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await type_cell(driver, "3,3")
        await driver.press("s")
        assert "A computer, level 1" in driver.text("#players")
        assert len(driver.moves.split()) == 6  # three turns with their numbers: A's is played
        await driver.press("escape")

    drive(scenario, opponent="computer:1")
    record = read_record(store.path(store.unfinished()[0]).read_text())
    assert record.players == ("computer:1", "human")


def test_a_series_is_tallied_to_its_end(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        assert "game 1 of 3 A 0 : 0 B" in driver.text("#top")
        await driver.press("s")
        assert "keeps their seat" in driver.text("#message")
        for number in (1, 2, 3):
            await type_cell(driver, "1,1")
            if number < 3:
                assert "n: the next game" in driver.text("#status")
                await driver.press("n")
                assert f"game {number + 1} of 3" in driver.text("#top")
        assert "A wins the series, 2 to 1." in driver.text("#status")
        await driver.press("n")
        assert "game 1 of 3 A 0 : 0 B" in driver.text("#top")

    drive(scenario, rulebook="duel", size="1x2", opponent="human", rounds=3)
    assert len([*store.finished_folder.iterdir()]) == 1


def test_race_shows_its_phases(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        assert driver.text("#status") == "1 MOVE 2 block P1: step to a cell beside your token."
        assert driver.board.cursor == 0
        await driver.press("right", "enter")
        assert driver.text("#status") == "1 move 2 BLOCK P1: block a cell around your token."
        assert driver.screen_text.count("×") == 5
        await driver.press("u")
        assert driver.text("#status").startswith("1 MOVE 2 block P1")

    drive(scenario, rulebook="race", opponent="human")


def test_a_game_goes_on_after_leaving(drive: Drive, store: Store) -> None:
    async def first(driver: Driver) -> None:
        await driver.press("p")
        await type_cell(driver, "3,3")
        await driver.press("ctrl+q")

    async def second(driver: Driver) -> None:
        assert "o: 1 unfinished game" in driver.text("#message")
        await driver.press("o", "enter")
        assert driver.moves == "1 3,3"
        await type_cell(driver, "1,1")

    drive(first, opponent="human")
    drive(second)
    assert len(read_record(store.path(store.unfinished()[0]).read_text()).moves) == 2


def test_a_resize_in_the_middle_of_a_game_changes_only_the_scale(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await type_cell(driver, "3,3")
        widths = {(140, 45): 15, (80, 24): 7, (90, 24): 7, (200, 60): 19}

        def is_fitted() -> bool:
            drawing = driver.board.drawing
            is_scaled = drawing.scale.width == widths[driver.app.screen.size]
            return is_scaled and driver.board.size == drawing.size

        for size in widths:
            await driver.resize(*size)
            await driver.until(is_fitted)
            await driver.idle()
            assert driver.board.size.width <= size[0] - 34
            await driver.click_cell("1,1")
            await driver.press("u")
            assert driver.moves == "1 3,3"

    drive(scenario, opponent="human")


def test_a_slow_search_blocks_no_key(drive: Drive, monkeypatch: pytest.MonkeyPatch) -> None:
    may_answer = threading.Event()

    def choose(solver: object, position: Position, *_: object) -> int:
        assert may_answer.wait(30)
        return position.legal_cells()[0]

    monkeypatch.setattr(levels, "choose", choose)

    async def scenario(driver: Driver) -> None:
        await driver.pilot.press("p", "3", "comma", "3", "enter")
        await driver.pilot.pause()
        assert driver.text("#status") == "B is thinking..."
        before = driver.board.cursor
        await driver.pilot.press("left", "enter")
        await driver.pilot.pause()
        assert driver.board.cursor == before - 1
        assert driver.text("#message") == "It is the computer's turn."
        await driver.pilot.press("question_mark")
        await driver.pilot.pause()
        assert "Swap seats" in driver.screen_text
        await driver.pilot.press("escape", "u")
        await driver.pilot.pause()
        assert driver.text("#status") == "A: take a cell."
        may_answer.set()
        await driver.idle()
        assert driver.moves == ""  # nobody waits for that answer any more

    drive(scenario, opponent="computer:5")


def test_a_move_that_cannot_be_kept_is_not_played(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Keeper, records: object) -> None:
        raise StoreError("cannot write 'game.txt': no space left on device")

    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await type_cell(driver, "3,3")
        with monkeypatch.context() as full:
            full.setattr(Keeper, "__call__", fail)
            await type_cell(driver, "1,1")
            assert driver.text("#message") == "Cannot write 'game.txt': no space left on device."
            assert driver.moves == "1 3,3"
            await driver.press("u")
            assert driver.moves == "1 3,3"

    drive(scenario, opponent="human")


def test_a_large_board_scrolls_with_the_cursor(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await driver.type("100,100")
        assert driver.text("#message") == "Cell: 100,100_"
        await driver.pilot.pause()
        numbers, *_, last, _, _ = driver.screen_text.splitlines()[1:]
        assert "100" in numbers
        assert last.startswith("100 ")
        await driver.press("enter")
        assert driver.moves == "1 100,100"

    drive(scenario, opponent="human", size="100x100")


@pytest.mark.parametrize(
    ("terminal", "size", "seen"),
    [
        ((80, 24), "5x45", range(1, 6)),
        ((80, 30), "25x25", range(1, 26)),
        ((80, 29), "25x25", range(1, 26)),  # the scroll bar is in the last line
        ((80, 24), "45x5", range(5, 26)),  # down to a row below the cursor
    ],
)
def test_a_board_that_scrolls_shows_all_rows_that_there_is_room_for(
    terminal: tuple[int, int], size: str, seen: range, drive: Drive
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        numbers = re.findall(r"^ *(\d+) +·", driver.screen_text, re.MULTILINE)
        assert list(map(int, numbers)) == list(seen)

    drive(scenario, terminal=terminal, opponent="human", size=size)


def test_a_person_with_a_name_takes_back_their_own_turn(drive: Drive, store: Store) -> None:
    async def begin(driver: Driver) -> None:
        await driver.press("p")
        await type_cell(driver, "3,3")

    async def scenario(driver: Driver) -> None:
        await driver.press("o", "enter")
        assert "Anna" in driver.text("#players")
        assert len(driver.moves.split()) == 4  # two turns with their numbers
        await driver.press("u")
        assert driver.moves == ""

    drive(begin, opponent="computer:1")
    file = store.path(store.unfinished()[0])
    file.write_text(file.read_text().replace('"human"', '"Anna"'))
    drive(scenario)


def test_a_toss_that_cannot_be_kept_begins_no_game(
    drive: Drive, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    def fail(self: Keeper, records: object) -> None:
        raise StoreError("no space left on device")

    monkeypatch.setattr(Keeper, "__call__", fail)

    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        assert driver.text("#message") == "No space left on device."
        await driver.press("left")

    drive(scenario, opponent="human", first="toss")
    assert list(store.unfinished_folder.iterdir()) == []


def test_a_toss_is_announced(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        mover = driver.text("#status")[0]
        assert driver.text("#message") == f"The toss decides: {mover} begins."

    drive(scenario, opponent="human", first="toss")


def test_a_new_game_that_cannot_be_kept_leaves_the_old_one(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await type_cell(driver, "3,3")

        def fail(self: Store, game_id: str, now: object) -> None:
            raise StoreError("cannot keep games")

        monkeypatch.setattr("gridlock.store.Store.create", fail)
        await driver.press("n")
        assert driver.text("#message") == "Cannot keep games."
        assert driver.moves == "1 3,3"

    drive(scenario, opponent="human")


def test_a_new_game_keeps_the_one_that_is_left(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await type_cell(driver, "3,3")
        await driver.press("n")
        assert driver.text("#message") == "The game before is kept among your games."
        await type_cell(driver, "1,1")

    drive(scenario, opponent="human")
    assert len(store.unfinished()) == 2


def test_the_computer_tries_again_when_its_choice_could_not_be_kept(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Keeper.__call__
    failures: list[bool] = []

    def fail_for_the_computer(self: Keeper, records: list[Record]) -> None:
        if len(records[-1].moves) == 2 and not failures:
            failures.append(True)
            raise StoreError("no space left on device")
        kept(self, records)

    monkeypatch.setattr(Keeper, "__call__", fail_for_the_computer)

    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await type_cell(driver, "3,3")
        assert driver.text("#message") == "No space left on device."
        assert driver.text("#status") == "B has not moved. Enter: try again"
        await driver.press("enter")
        assert len(driver.moves.split()) == 4  # two turns with their numbers

    drive(scenario, opponent="computer:1")


def test_a_game_that_was_just_won_is_not_called_unfinished(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await type_cell(driver, "1,1")
        assert "A wins!" in driver.text("#status")
        await driver.press("escape")
        assert "unfinished" not in driver.text("#message")

    drive(scenario, opponent="human", size="1x1")


def test_a_click_is_not_confused_by_what_was_typed(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await driver.type("1,")
        await driver.click_cell("4,4")
        assert driver.moves == "1 4,4"
        await driver.type("1,")
        await driver.press("left", "space")
        assert driver.text("#message").startswith("4,3 is closed")

    drive(scenario, opponent="human")


def test_keys_that_make_no_sense_after_the_end_say_so(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await type_cell(driver, "1,1")
        answers = {
            "t": "A hint is for your own turn.",
            "g": "The game is over already.",
            "s": "The game is over: the seats stay.",
        }
        for key, answer in answers.items():
            await driver.press(key)
            assert driver.text("#message") == answer
        await driver.press("enter")
        assert driver.text("#message").startswith("The game is over.")

    drive(scenario, opponent="computer:1", size="1x1")


def test_a_race_is_won_by_reaching_the_goal(drive: Drive) -> None:
    turns = "0,1/0,0 2,1/1,1 0,2/0,1 2,0/1,0 1,2/0,2 2,1/2,0 2,2"

    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        for name in turns.replace("/", " ").split():
            await type_cell(driver, name)
        assert driver.text("#status").startswith("P1 has reached the goal and wins!")
        assert driver.moves.endswith("2,2")

    drive(scenario, rulebook="race", size="3x3", opponent="human")


def test_an_error_of_a_search_is_said_and_the_game_goes_on(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise LimitError("not solved: no memory")

    monkeypatch.setattr("gridlock.search.analysis.analyse", fail)

    async def scenario(driver: Driver) -> None:
        await driver.press("p", "t")
        assert driver.text("#message") == "Not solved: no memory."
        await type_cell(driver, "3,3")
        assert driver.moves == "1 3,3"

    drive(scenario, opponent="human")


@pytest.mark.parametrize(
    ("opponent", "size", "first", "said"),
    [
        ("computer:1", "1x1", "1", "You win! B cannot move: A wins!"),
        ("computer:1", "1x1", "2", "You lose. A cannot move: B wins!"),
        ("human", "1x1", "1", "B cannot move: A wins!"),
    ],
)
def test_one_person_against_a_program_is_told_who_has_won(
    opponent: str, size: str, first: str, said: str, drive: Drive
) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        if first == "1":
            await type_cell(driver, "1,1")
        assert driver.text("#status") == f"{said} n: a new game, v: review"

    drive(scenario, opponent=opponent, size=size, first=first)


@pytest.mark.parametrize(
    ("opponent", "variable", "is_seen"),
    [
        ("computer:1", None, True),
        ("human", None, False),
        ("computer:1", "NO_COLOR", False),
    ],
)
def test_a_ripple_runs_over_the_board_of_a_person_who_has_won(
    opponent: str,
    variable: str | None,
    is_seen: bool,
    drive: Drive,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[set[Look]] = []
    show = Board.show

    def watched(board: Board, squares: Sequence[Square]) -> None:
        seen.append({square.look for square in squares})
        show(board, squares)

    async def scenario(driver: Driver) -> None:
        if variable:
            monkeypatch.setenv(variable, "1")
        await driver.press("p")
        monkeypatch.setattr(Board, "show", watched)
        await type_cell(driver, "1,2")
        await driver.until(lambda: bool(seen) and Look.HINT not in seen[-1])
        assert (len([looks for looks in seen if Look.HINT in looks]) >= 2) == is_seen
        assert "A wins!" in driver.text("#status")

    drive(scenario, opponent=opponent, size="1x3")


def test_a_ripple_leaves_its_cell_and_then_the_board() -> None:
    grid = Grid(1, 4)
    pictures = ripple(grid, [Square("", Look.APART)] * 4, 1)
    rings = [[at for at, s in enumerate(picture) if s.look is Look.HINT] for picture in pictures]
    assert rings == [[1], [0, 2], [3]]
    large = Grid(100, 100)
    assert len(ripple(large, [Square("", Look.APART)] * large.cell_count, 0)) <= 13


def test_a_large_board_is_scrolled_to_the_last_move(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        await driver.type("40,40")
        await driver.press("enter")
        board = driver.board
        x, y = board.drawing.place(board.game.cell("40,40"))
        assert board.scroll_offset.x <= x - board.drawing.margin < x < board.scroll_offset.x + 46
        assert board.scroll_offset.y < y < board.scroll_offset.y + board.size.height
        assert "A◂" in driver.screen_text
        await driver.pilot.press("a")  # nobody waits for the analysis
        await driver.until(lambda: "A◂" in driver.screen_text)

    drive(scenario, opponent="human", size="40x40")
