from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from textual import events

import gridlock
from gridlock import RULEBOOKS, Player, Record
from gridlock.preferences import Preferences
from gridlock.setup import Setup
from gridlock.tui.home import HomeScreen
from gridlock.tui.shelf import Card
from tests.conftest import load_preferences, save_preferences

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from gridlock.store import Store
    from tests.tui.conftest import Drive, Driver

KNIGHTS = 'opponent = "knight"\nsize = "3x4"\ntitle = "Knights"\nabout = "A jump away"\n'


def home(driver: Driver) -> HomeScreen:
    screen = driver.app.screen
    assert isinstance(screen, HomeScreen)
    return screen


def test_the_five_rulebooks_are_shown_each_with_one_line(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        assert [card.rulebook for card in driver.app.screen.query(Card)] == list(RULEBOOKS)
        for rulebook in RULEBOOKS.values():
            assert rulebook.id in driver.screen_text
            assert driver.text("#about") == f"{rulebook.title} {rulebook.about}."
            assert home(driver).setup().rulebook == rulebook.id
            assert home(driver).setup().size is None
            await driver.press("right")
        assert home(driver).setup().rulebook == "occupation"

    drive(scenario)


def test_everything_is_chosen_with_the_keyboard_alone(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("right", "right", "down")  # claim, then the opponent
        await driver.press("7", "down", "1", "2", "down", "right", "right", "down", "left")
        await driver.press("j", "5", "j", "l", "down", "right")
        assert home(driver).setup() == Setup(
            "claim", "12x7", "computer:7", "toss", rounds=3, score="cells", clock="300+3"
        )

    drive(scenario)


def test_everything_is_chosen_with_the_mouse_alone(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.pilot.click(list(driver.app.screen.query(Card))[4])
        await driver.pilot.click("#opponent", offset=(13, 0))  # back: level 2
        await driver.pilot.click("#rows", offset=(16, 0))  # on: 5 rows
        await driver.idle()
        assert home(driver).setup() == Setup("race", "5x4", "computer:2")

    drive(scenario)


def test_what_was_played_is_remembered_and_played_again_by_one_key(
    drive: Drive, store: Store
) -> None:
    async def first(driver: Driver) -> None:
        assert "again" not in driver.text("#message")
        await driver.press("right", "down", "left", "left", "left", "enter")
        assert "duel 5x5" in driver.text("#top")

    async def second(driver: Driver) -> None:
        assert "p: again duel, a person" in driver.text("#message")
        await driver.press("right", "right")
        await driver.press("p")
        assert "duel 5x5" in driver.text("#top")
        assert driver.text("#players") == "▸ A a person B a person"

    drive(first)
    assert load_preferences(store).setup == Setup("duel", opponent="human")
    drive(second)


def test_rule_files_of_ones_own_are_cards_too(drive: Drive, tmp_path: Path) -> None:
    (tmp_path / "knights.toml").write_text(KNIGHTS)
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "other.toml").write_text(KNIGHTS.replace("Knights", "Others"))

    async def scenario(driver: Driver) -> None:
        await driver.press("left")
        assert driver.text("#about") == "Knights A jump away."
        await driver.press("f")
        await driver.type("far/other.toml")
        await driver.press("enter")
        assert driver.text("#about") == "Others A jump away."
        await driver.press("enter")
        assert "other 3x4" in driver.text("#top")

    drive(scenario, opponent="human")


def test_a_rule_file_that_cannot_be_read_is_one_line(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("f")
        await driver.type("none.toml")
        await driver.press("enter")
        assert driver.text("#message").startswith("Cannot read ")
        await driver.press("f", "escape")
        assert driver.app.screen.query("#form")

    drive(scenario)


def test_a_remembered_rule_file_that_is_gone_is_forgotten(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        assert home(driver).setup() == Setup()

    drive(scenario, rulebook="/nowhere/gone.toml")


def test_a_board_that_is_too_small_for_the_game_is_refused(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("down", "down", "1", "down", "1", "enter")
        assert "Race needs a board of at least 2 cells" in driver.text("#message")
        await driver.press("a")
        assert "Race needs a board of at least 2 cells" in driver.text("#message")

    drive(scenario, rulebook="race")


def test_keys_typed_faster_than_they_are_seen_meet_the_rows_in_their_order(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        for key in ("right", "right", "down", "7", "down", "1", "2", "down", "down", "left"):
            driver.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await driver.idle()
        assert home(driver).setup() == Setup("claim", "12x5", "computer:7", "toss")

    drive(scenario)


def test_a_number_that_was_begun_is_forgotten_on_another_page(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("down", "down", "down", "1")
        assert "Columns      ◂ 1 ▸" in driver.screen_text
        await driver.press("enter", "escape", "4")
        assert "Columns      ◂ 4 ▸" in driver.screen_text
        await driver.press("right", "1", "4")
        assert "Columns      ◂ 14 ▸" in driver.screen_text

    drive(scenario, opponent="human")


def test_a_person_plays_by_the_name_that_they_prefer(drive: Drive, store: Store) -> None:
    save_preferences(store, Preferences(name="Anna"))

    async def scenario(driver: Driver) -> None:
        await driver.press("enter")
        assert driver.text("#players") == "▸ A Anna B computer, level 3"
        await driver.press("enter", "escape")

    drive(scenario)
    record = gridlock.read_record(store.path(store.unfinished()[0]).read_text())
    assert record.players == ("Anna", "computer:3")


def test_marks_are_no_points_in_race(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        assert "marks at the end of each game" in driver.screen_text
        await driver.press("left")  # from the first game to the last, race
        assert "games won, in a series" in driver.screen_text
        await driver.press("up", "right")  # the last row has one value only
        assert "games won, in a series" in driver.screen_text
        setup = home(driver).setup()
        assert (setup.rulebook, setup.score) == ("race", "wins")
        await driver.press("down", "right", "up", "right")
        assert "marks at the end of each game" in driver.screen_text

    drive(scenario, opponent="human", rounds=3, score="cells")


def test_a_remembered_score_that_makes_no_sense_falls_back(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        assert driver.app.preferences.setup == Setup("race", opponent="human", rounds=3)
        await driver.press("p")
        assert "P1 0 : 0 P2" in driver.text("#top")

    drive(scenario, rulebook="race", opponent="human", rounds=3, score="cells")


def test_a_number_goes_on_only_while_its_digits_follow_each_other(
    drive: Drive, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("gridlock.tui.dial.monotonic", lambda: now)

    async def scenario(driver: Driver) -> None:
        nonlocal now
        await driver.press("down", "down", "down", "5")
        now = 1.6
        await driver.press("1")
        now = 3.0
        await driver.press("5")
        assert "Columns      ◂ 15 ▸" in driver.screen_text
        now = 60.0
        await driver.press("4")
        assert "Columns      ◂ 4 ▸" in driver.screen_text
        await driver.press("5")
        assert "Columns      ◂ 45 ▸" in driver.screen_text

    drive(scenario)


def win(store: Store, count: int) -> None:
    """Win games of occupation on one cell against the computer, at its third level."""
    game = gridlock.game("occupation", "1x1")
    for day in range(count):
        record = Record(game, moves=(0,), players=("human", "computer:3"), result=Player.ONE)
        with store.create("occupation", datetime(2026, 11, day + 1)) as kept:
            kept.write(str(record))
            kept.finish()


def test_a_level_is_proposed_for_the_chosen_board(drive: Drive, store: Store) -> None:
    win(store, 3)

    async def scenario(driver: Driver) -> None:
        advice = "You won 3 of the last 3 games at level 3: try level 4."
        assert advice not in driver.text("#message")
        await driver.press("down", "down", "1", "down", "1")
        assert driver.text("#message").startswith(advice)

    drive(scenario)


def test_the_computer_that_adapts_plays_at_the_fitting_level(drive: Drive, store: Store) -> None:
    win(store, 2)

    async def scenario(driver: Driver) -> None:
        await driver.press("down", "left", "left", "left", "left")
        assert home(driver).setup().opponent == "computer:auto"
        assert "at level 3, until your results say otherwise" in driver.text("#message")
        await driver.press("down", "1", "down", "1", "enter")
        assert "computer, level 3" in driver.text("#players")
        await driver.press("enter")
        assert "You win! B cannot move: A wins! You won 3 of the last 3 games at level 3: try" in (
            driver.text("#status")
        )
        await driver.press("n")
        assert "computer, level 4" in driver.text("#players")
        await driver.press("escape")
        assert "at level 4: you won 3 of the last 3 games at level 3." in driver.text("#message")

    drive(scenario)
    assert load_preferences(store).setup.opponent == "computer:auto"


def test_results_that_cannot_be_read_leave_the_screen_as_it_is(drive: Drive, store: Store) -> None:
    store.folder.mkdir(parents=True, exist_ok=True)
    store.finished_folder.write_text("not a folder")

    async def scenario(driver: Driver) -> None:
        assert driver.text("#message") == ""

    drive(scenario)


def test_two_people_are_named_and_their_record_says_so(drive: Drive, store: Store) -> None:
    async def scenario(driver: Driver) -> None:
        assert driver.text("#message").startswith("n: names of the players")
        await driver.press("n")
        await driver.type("Anna")
        await driver.press("enter")
        await driver.type("random")
        await driver.press("enter")
        assert "'random' is what a program is called." in driver.text("#message")
        await driver.press("home", *["delete"] * 6)
        await driver.type("Ben")
        await driver.press("enter")
        assert "Anna against Ben" in driver.screen_text
        assert "First        ◂ Anna ▸" in driver.screen_text
        await driver.press("enter")
        assert driver.text("#players").endswith("A Anna B Ben")
        await driver.type("1,1")
        await driver.press("enter", "escape")
        assert "p: again occupation, Anna against Ben" in driver.text("#message")

    drive(scenario, opponent="human")
    assert gridlock.read_record(store.path(store.unfinished()[0]).read_text()).players == (
        "Anna", "Ben",
    )  # fmt: skip
    assert load_preferences(store).setup.names == ("Anna", "Ben")


def test_names_stay_as_they_are_where_one_thinks_better_of_it(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        await driver.press("n")
        await driver.type("Anna")
        await driver.press("down", "up", "escape")
        assert "a person" in driver.screen_text
        assert home(driver).setup().players == ("human", "human")
        await driver.press("down", "right", "n")
        assert driver.app.screen is home(driver)

    drive(scenario, opponent="human")
