"""The page plays, analyses, reviews and sets up rulebooks of a third kind.

See ``toy`` and ``toy_tokens``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser import Person, meet
from tests.web.services import Server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DECLARED = """
from gridlock.rulebooks.catalogue import RULEBOOKS
from tests.toy import DOMINO
from tests.toy_tokens import HUNT
RULEBOOKS.update({rulebook.id: rulebook for rulebook in (DOMINO, HUNT)})
"""


@pytest.fixture
def domino(tmp_path: Path) -> Iterator[Server]:
    """A server whose catalogue has two more."""
    with Server(
        tmp_path / "log", "--database", str(tmp_path / "web.db"), before=DECLARED
    ) as server:
        yield server


def test_two_people_play_it_and_look_back(domino: Server, browser: Browser) -> None:
    ann, bob = Person(browser, domino.url), Person(browser, domino.url)
    room = meet(ann, bob, "domino")
    expect(ann.status).to_contain_text("take a cell beside a free one")
    cells = [f"{row},{column}" for row in range(1, 4) for column in range(1, 5)]
    for number, cell in enumerate(cells):
        mover = bob if number // 2 % 2 else ann
        mover.take(cell)
        expect(mover.cell(cell)).to_have_class(re.compile("one|two"))
    expect(bob.verdict).to_have_text("You win!")
    assert ann.moves()[0].split() == ["1.", "X", "1,1/1,2"]
    ann.go(f"/study?room={room}&number=1&review=1")
    expect(ann.page.locator("#review .summary li").first).to_contain_text("X: 3 moves")
    for person in (ann, bob):
        person.close()
        assert person.troubles == []


def test_it_has_no_lesson_and_nothing_leads_to_one(domino: Server, browser: Browser) -> None:
    ann = Person(browser, domino.url)
    ann.go("/")
    ann.page.get_by_role("radio", name="Duel").check()
    expect(ann.page.get_by_role("link", name="Learn it")).to_be_visible()
    ann.page.get_by_role("radio", name="Domino").check()
    expect(ann.page.get_by_role("link", name="Learn it")).to_be_hidden()
    ann.go("/rules/domino")
    expect(ann.page.get_by_role("link", name="Play it")).to_be_visible()
    expect(ann.page.get_by_role("link", name="Learn it")).to_be_hidden()
    ann.go("/learn")
    links = ann.page.get_by_role("navigation", name="Games").get_by_role("link")
    expect(links).to_have_text(["Occupation", "Duel", "Claim", "Trail", "Race"])
    assert httpx.get(f"{domino.url}/learn/domino").status_code == 404
    assert httpx.get(f"{domino.url}/api/lessons/domino").status_code == 404
    ann.close()
    assert ann.troubles == []


def test_the_computer_plays_it_and_gives_hints(domino: Server, browser: Browser) -> None:
    ann = Person(browser, domino.url)
    ann.begin("domino", "Computer")
    ann.press("Hint")
    expect(ann.status).to_contain_text("Hint: ")
    ann.take("1,1")
    ann.take("1,2")
    expect(ann.page.locator("grid-board#board .cell.two")).to_have_count(2)
    expect(ann.legal.first).to_be_visible()
    ann.close()
    assert ann.troubles == []


def test_the_middle_of_a_turn_is_set_up_and_analysed(domino: Server, browser: Browser) -> None:
    ann = Person(browser, domino.url)
    ann.go("/study?game=domino&size=2x4")
    expect(ann.cell("1,1")).to_have_attribute("aria-label", re.compile("loses in"))
    ann.press("Set up a position")
    ann.page.locator("#editor input[name=brush][value='1']").check()
    ann.cell("1,1").click()
    detail = ann.page.locator("#editor [data-for=detail] select")
    expect(detail.locator("option")).to_have_count(2)  # none, and the one cell of X's
    detail.select_option("1,1")
    ann.press("Analyse it")
    expect(ann.cell("1,2")).to_have_attribute("aria-label", re.compile("loses in|wins in"))
    expect(ann.legal).to_have_count(2)
    ann.close()
    assert ann.troubles == []


def test_programs_learn_what_it_is(domino: Server) -> None:
    games = {game["id"]: game for game in httpx.get(f"{domino.url}/api/games").json()}
    game = games["domino"]
    assert [phase["name"] for phase in game["phases"]] == ["first", "second"]
    assert (game["detail"], game["has_tokens"]) == ("own-cell", False)
    assert game["sample"]["phase"] == "first"


def test_tokens_are_chosen_and_set_up_by_the_text(domino: Server, browser: Browser) -> None:
    ann = Person(browser, domino.url)
    ann.begin("hunt", "Same screen")
    expect(ann.legal).to_have_count(2)
    ann.cell("0,1").click()
    expect(ann.status).to_have_text("0,1 is not a token of yours.")
    for cell in ("0,0", "1,0", "0,0", "2,0", "2,1", "2,2", "1,0", "2,0"):
        ann.take(cell)
    expect(ann.status).to_have_text("Fox has crossed the board and wins!")
    ann.go("/study?game=hunt&size=3x3")
    expect(ann.cell("0,0")).to_have_attribute("aria-label", re.compile("loses in"))
    ann.take("0,0")
    expect(ann.legal).to_have_count(2)
    ann.press("Set up a position")
    expect(ann.page.locator("#editor [data-for=detail]")).to_be_hidden()
    ann.page.get_by_label("The position as text").fill("1.1/.#./2.2 2 to@2,2")
    ann.press("Analyse it")
    expect(ann.legal).to_have_count(2)
    ann.close()
    assert ann.troubles == []
