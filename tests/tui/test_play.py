from __future__ import annotations

import random
import threading
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock import RULEBOOKS, Player, Position
from gridlock.errors import StoreError
from gridlock.record import read_record
from gridlock.saving import Keeper
from gridlock.search import levels

if TYPE_CHECKING:
    from gridlock.store import Store
    from tests.tui.conftest import Drive, Driver


def random_game(name: str, size: str | None = None) -> list[str]:
    """Return the cells of a whole game, as people write them."""
    game = gridlock.game(name, size)
    dice = random.Random(name)
    position, names = game.start(), []
    while position.winner is None:
        cell = dice.choice(position.legal_cells())
        names.append(game.name(cell))
        position = position.play(cell)
    return names


def winner_of(name: str, names: list[str]) -> Player:
    game = gridlock.game(name)
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


@pytest.mark.parametrize("by", [move_cursor, type_cell, click], ids=["keys", "typed", "mouse"])
@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_whole_game_is_played_and_kept(name: str, by, drive: Drive, store: Store) -> None:  # type: ignore[no-untyped-def]
    names = random_game(name)
    winner = winner_of(name, names)

    async def scenario(driver: Driver) -> None:
        await driver.press("p")
        for number, written in enumerate(names):
            assert "wins" not in driver.text("#status")
            await by(driver, written)
            record = read_record(store.path(store.unfinished()[0]).read_text())
            assert len(record.moves) == number + 1
        assert f"{RULEBOOKS[name].symbol(winner)} wins!" in driver.text(
            "#status"
        ) or "wins!" in driver.text("#status")
        await driver.press("escape")

    drive(scenario, rulebook=name, opponent="human")
    (file,) = store.finished()
    record = read_record(file.read_text())
    assert [record.game.name(cell) for cell in record.moves] == names
    assert record.result is winner
    assert store.unfinished() == []
