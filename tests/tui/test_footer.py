"""The keys at the bottom: those of the screen, made anew when they change and only then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets._footer import FooterKey

if TYPE_CHECKING:
    from tests.tui.conftest import Drive, Driver


def test_keys_that_stay_are_not_made_anew(drive: Drive) -> None:
    async def scenario(driver: Driver) -> None:
        before, focused = list(driver.app.screen.query(FooterKey)), driver.app.focused
        assert [key.description for key in before][:2] == ["Play", "Again"]
        await driver.press("down")
        assert driver.app.focused is not focused
        assert list(driver.app.screen.query(FooterKey)) == before

    drive(scenario)
