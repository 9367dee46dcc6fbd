"""The first page and the rules; and on every page, what is said when something fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import expect

from gridlock.rulebooks.catalogue import RULEBOOKS
from tests.web.browser import TAKEN, Person, meet, play_out
from tests.web.services import PROBLEM, Server

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Route

    Enter = Callable[..., Person]


def rooms(person: Person) -> Locator:
    """Return the rooms that the first page lists."""
    return person.page.locator("#kept li a")


def test_unfinished_rooms_say_how_far_they_are_and_whose_turn_it_is(
    enter: Enter, server: Server
) -> None:
    wishes = {"game": "trail", "size": "1x2", "opponent": "self", "rounds": 3}
    made = httpx.post(f"{server.url}/api/rooms", json=wishes).json()
    ann, bob = enter(), enter()
    meet(ann, bob, "duel")
    ann.go(f"/room/{made['state']['room']}#seat={made['token']}")
    play_out(ann)
    ann.press("Next game")
    expect(ann.legal.first).to_be_visible()
    ann.begin("claim", "Computer")
    expect(ann.legal.first).to_be_visible()
    ann.go("/")
    expect(rooms(ann)).to_have_text(
        [
            "Claim 5 × 5 against the computer, level 3Your turn",
            "Trail 1 × 2 on one screenGame 2 of 3, O to move",
            "Duel 5 × 5 against BobYour turn",
        ],
        use_inner_text=False,
    )


def test_the_list_of_rooms_is_as_the_rooms_are_now(enter: Enter) -> None:
    ann, bob = enter(), enter()
    meet(ann, bob, "duel")
    ann.take("3,3")
    expect(bob.legal.first).to_be_visible()
    ann.go("/")
    expect(rooms(ann)).to_contain_text("Bob to move")
    bob.take("1,1")
    expect(bob.cell("1,1")).to_have_class(TAKEN)
    ann.page.reload()
    expect(rooms(ann)).to_contain_text("Your turn")
    bob.press("Give up")
    bob.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(bob.verdict).to_have_text("You lose.")
    ann.page.reload()
    expect(rooms(ann)).to_contain_text("You won")


def test_a_series_of_races_is_scored_by_wins_alone(enter: Enter) -> None:
    ann = enter()
    ann.go("/")
    ann.page.get_by_label("Series").select_option("3 games")
    ann.page.get_by_role("radio", name="Duel").check()
    score = ann.page.get_by_label("What counts")
    score.select_option("Own cells at the end")
    ann.page.get_by_role("radio", name="Race").check()
    expect(score).to_have_value("wins")
    expect(score.locator("option:not(:disabled)")).to_have_text(["Games won"])
    ann.page.get_by_role("radio", name="Duel").check()
    expect(score.locator("option:not(:disabled)")).to_have_count(2)


@pytest.mark.parametrize("game", RULEBOOKS)
def test_rules_are_headed_by_the_name_that_a_game_goes_by(enter: Enter, game: str) -> None:
    ann = enter()
    ann.go(f"/rules/{game}")
    heading = ann.page.get_by_role("heading", level=1)
    expect(heading).to_have_text(game.capitalize())
    expect(ann.page.get_by_text(RULEBOOKS[game].title, exact=True)).to_be_visible()
    expect(ann.page).to_have_title(f"{game.capitalize()}: the rules – GridLock")


def refuse(route: Route) -> None:
    """Answer as a server that has too much to do."""
    detail = "that is too much at once: try again in a few seconds"
    problem = {"status": 429, "title": "Too many", "detail": detail, "code": "too-many-requests"}
    route.fulfill(status=429, content_type=PROBLEM, json=problem)


@pytest.mark.parametrize("path", ["/", "/rules/duel", "/learn/duel"])
@pytest.mark.parametrize("hinder", [refuse, lambda route: route.abort()], ids=["refused", "gone"])
def test_a_page_that_gets_no_answer_says_why_and_goes_on_later(
    enter: Enter, path: str, hinder: Callable[[Route], None]
) -> None:
    ann = enter()
    ann.page.route("**/api/games", hinder)
    ann.go(path)
    said = "too much at once" if hinder is refuse else "cannot be reached"
    expect(ann.page.get_by_role("alert").filter(has_text=said)).to_be_visible()
    ann.page.unroute("**/api/games")
    expect(ann.page.get_by_text("Duel").first).to_be_visible()
    expect(ann.page.get_by_text(said)).to_be_hidden()
    ann.troubles.clear()  # the browser's own words about the answers


@pytest.mark.parametrize(
    "path", ["/", "/games", "/room/any", "/rules/duel", "/learn/duel", "/study"]
)
def test_a_script_that_breaks_or_is_missing_is_said_in_words(enter: Enter, path: str) -> None:
    ann = enter()
    ann.page.route("**/element.js*", lambda route: route.abort())
    ann.go(path)
    expect(ann.page.get_by_role("alert")).to_contain_text("could not be loaded")
    ann.page.unroute("**/element.js*")
    broken = "export const element = () => { throw new Error('a cog is missing'); };"
    ann.page.route(
        "**/text.js*", lambda route: route.fulfill(content_type="text/javascript", body=broken)
    )
    ann.page.get_by_role("link", name="Load it again").click()
    expect(ann.page.get_by_role("alert")).to_contain_text("Something went wrong on this page")
    ann.page.unroute("**/text.js*")
    ann.page.get_by_role("link", name="Load it again").click()
    expect(ann.page.locator(".last-resort")).to_have_count(0)
    ann.troubles.clear()  # what went wrong was meant to
