"""What the page says while the server's Redis is away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect
from sqlalchemy.engine import make_url

from tests.web.browser import TAKEN, Person, meet
from tests.web.cable import Cable
from tests.web.services import Server

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

SLOW = "The server is slow at the moment: moves may arrive a second or two late."


def test_while_redis_is_away_the_page_says_that_moves_may_be_late(
    browser: Browser, redis: str, tmp_path: Path
) -> None:
    cable = Cable(make_url(redis).port or 0)
    options = ("--database", str(tmp_path / "web.db"), "--no-limits")
    try:
        with Server(
            tmp_path / "log", *options, "--redis", f"redis://127.0.0.1:{cable.port}/0"
        ) as server:
            ann, bob = Person(browser, server.url), Person(browser, server.url)
            meet(ann, bob, "duel")
            expect(ann.banner).to_be_hidden()
            cable.cut()
            for person in (ann, bob):
                expect(person.banner).to_have_text(SLOW)
            bob.page.reload()
            expect(bob.banner).to_have_text(SLOW)
            ann.cell("3,3").click()
            expect(bob.cell("3,3")).to_have_class(TAKEN)
            cable.mend()
            for person in (ann, bob):
                expect(person.banner).to_be_hidden()
                person.close()
                assert person.troubles == []
    finally:
        cable.close()
