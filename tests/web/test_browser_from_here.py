"""Playing on from any position in a real browser: where it is offered, set up and played."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import expect

from gridlock.puzzles.collection import puzzles_of
from gridlock.record import read_record
from tests.web.browser import in_both_schemes, in_every_window, play_out, serious

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.browser import Person
    from tests.web.services import Server

    Enter = Callable[..., Person]

HERE = "1.../..../..../.... 2 -"
"""B is to answer a mark in the corner of duel."""

ADDRESS = "/?game=duel&position=1.../..../..../....+2+-"


def begin(person: Person, opponent: str = "Same screen") -> str:
    """Make a room from the position that the first page shows, and return its id."""
    expect(person.page.locator("#from-here")).to_be_visible()
    person.page.get_by_label(opponent, exact=True).check()
    person.page.locator("#setup button[type=submit]").click()
    person.page.wait_for_url("**/room/*")
    return person.room


def test_an_analysed_position_is_played_on_by_keyboard_alone(enter: Enter, server: Server) -> None:
    ann = enter()
    ann.go("/study?game=duel&size=4x4&moves=1,1")
    link = ann.page.get_by_role("link", name="Play from here")
    link.focus()
    ann.page.keyboard.press("Enter")
    expect(ann.page.get_by_role("heading", name="Duel 4 × 4")).to_be_visible()
    assert ann.page.url.endswith(ADDRESS)
    expect(ann.page.locator("#from-here")).to_contain_text("B to move: take a cell.")
    expect(ann.page.locator("#from-here .cell.one")).to_have_count(1)
    for gone in (".shelf", "#size", "#kept", "#welcome"):
        expect(ann.page.locator(gone)).to_be_hidden()
    ann.page.locator("#name").focus()
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_url("**/room/*")
    expect(ann.page.locator("#terms")).to_have_text("4 × 4, from a position")
    expect(ann.status).to_have_text("Your turn: take a cell")
    state = httpx.get(f"{server.url}/api/rooms/{ann.room}").json()
    assert (state["setup"], state["view"]["board"]["mover"]) == (HERE, 2)
    assert [seat["kind"] for seat in state["seats"]] == ["computer", "person"]


def test_the_computer_moves_first_where_somebody_takes_the_other_side(enter: Enter) -> None:
    ann = enter()
    ann.go(ADDRESS)
    expect(ann.page.get_by_text("Who plays B, and moves first")).to_be_visible()
    ann.page.get_by_label("The computer", exact=True).check()
    begin(ann, "Computer")
    expect(ann.page.locator("move-list li")).to_have_count(1)
    expect(ann.status).to_have_text("Your turn: take a cell")


def test_a_friend_is_invited_to_a_position_and_a_rematch_changes_the_sides(
    enter: Enter, server: Server
) -> None:
    ann, bob = enter(), enter()
    ann.go("/?game=duel&position=1...+2+-")
    ann.page.get_by_label("Your name").fill("Ann")
    room = begin(ann, "Friend by link")
    bob.go(ann.page.get_by_label("Invitation").input_value())
    expect(bob.page.get_by_role("heading", name="Ann invites you to play")).to_be_visible()
    expect(bob.page.locator("#board .cell.one")).to_have_count(1)
    bob.press("Take the seat")
    expect(ann.status).to_have_text("Your turn: take a cell")
    play_out(ann, bob)
    record = read_record(httpx.get(f"{server.url}/api/rooms/{room}/record").text)
    assert (str(record.setup), record.players[1]) == ("1... 2 -", "Ann")
    ann.press("Rematch")
    bob.press("Agree")
    bob.page.wait_for_url(lambda url: room not in url)
    expect(bob.status).to_have_text("Your turn: take a cell")
    expect(bob.page.locator("#board .cell.one")).to_have_count(1)


def test_a_game_from_a_position_is_analysed_and_reviewed_as_it_was_played(enter: Enter) -> None:
    ann = enter()
    ann.go(ADDRESS)
    begin(ann)
    play_out(ann)
    marks = ann.marks()
    ann.page.get_by_role("link", name="Analyse", exact=True).last.click()
    expect(ann.page.locator("#moves li").first).to_contain_text("B")
    assert ann.marks() == marks
    ann.press("To the beginning")
    expect(ann.page.locator("#board .cell.one")).to_have_count(1)
    ann.press("Review the game")
    expect(ann.page.locator("#review .summary li")).to_have_count(2)


def test_a_position_can_be_dropped_for_the_start_of_the_game(enter: Enter) -> None:
    ann = enter()
    ann.begin("claim", "Same screen")
    ann.go(ADDRESS)
    ann.press("From the start")
    expect(ann.page.locator("#from-here")).to_be_hidden()
    expect(ann.page.get_by_role("radio", name="Duel")).to_be_focused()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text(re.compile("Close the grid"))
    assert ann.page.url.endswith("/?game=duel")
    expect(ann.page.locator("#size")).to_be_visible()
    ann.page.locator("#setup button[type=submit]").click()
    expect(ann.page.locator("#terms")).to_have_text("5 × 5")


def test_what_a_position_was_played_on_is_not_chosen_for_the_next_game(enter: Enter) -> None:
    ann = enter()
    ann.go("/?game=claim")
    ann.page.locator("[name=rows]").fill("3")
    ann.page.locator("#setup button[type=submit]").click()
    ann.page.wait_for_url("**/room/*")
    ann.go(ADDRESS)
    begin(ann, "Same screen")
    ann.go("/")
    expect(ann.page.get_by_role("radio", name="Claim")).to_be_checked()
    expect(ann.page.locator("[name=rows]")).to_have_value("3")
    expect(ann.page.get_by_label("Same screen", exact=True)).to_be_checked()


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("/?game=duel&position=nonsense", "is not rows, mover and a last field"),
        ("/?game=chess&position=..+1+-", "There is no game 'chess'"),
    ],
)
def test_a_position_that_is_none_is_explained_and_games_are_offered(
    enter: Enter, address: str, reason: str
) -> None:
    ann = enter()
    ann.go(address)
    expect(ann.page.locator("#refused")).to_contain_text(reason)
    expect(ann.page.get_by_role("radio", name="Duel")).to_be_visible()
    ann.troubles.clear()  # the browser notes that the server refused


def test_a_position_in_which_the_game_is_over_is_refused_in_one_line(enter: Enter) -> None:
    ann = enter()
    ann.go("/study?game=duel&size=1x1&moves=1,1")
    expect(ann.page.locator("#verdict")).to_contain_text("A has won")
    expect(ann.page.locator("#play-on")).to_be_hidden()
    ann.go("/?game=duel&position=1+2+-")
    ann.page.locator("#setup button[type=submit]").click()
    expect(ann.page.locator(".go .trouble")).to_have_text(
        "The game is over there: nobody can play on."
    )
    ann.troubles.clear()


def test_a_finished_puzzle_is_played_on(enter: Enter) -> None:
    ann, puzzle = enter(), puzzles_of("duel")[0]
    ann.go(f"/puzzle/{puzzle.id}")
    expect(ann.legal.first).to_be_visible()
    expect(ann.page.locator("#play-on")).to_be_hidden()
    ann.press("Show the solution")
    expect(ann.page.locator("#line li").first).to_be_visible()
    ann.page.get_by_role("link", name="Play from here").click()
    expect(ann.page.get_by_role("heading", name="Duel")).to_be_visible()
    begin(ann)
    expect(ann.legal.first).to_be_visible()
    state = httpx.get(f"{ann.url}/api/rooms/{ann.room}").json()
    assert state["setup"] == str(puzzle.position)


@in_every_window
def test_a_position_fits_its_window_and_keeps_nobody_out(
    enter: Enter, size: tuple[int, int]
) -> None:
    ann = enter(size=size)
    ann.go("/?game=race&position=1.../..%23./..../...2+1+move")
    expect(ann.page.locator("#from-here")).to_be_visible()
    for scheme in in_both_schemes(ann.page):
        assert serious(ann.page, colours_only=scheme == "dark") == [], scheme
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= size[0]
