"""Copying a position, moves and a record in a real browser, and pasting a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import expect

from gridlock.record import read_record
from tests.web.browser import in_both_schemes, in_every_window, serious
from tests.web.services import Server, finished_room

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.browser import Person

    Enter = Callable[..., Person]


def copy(person: Person, what: str) -> str:
    """Copy one of the texts that a dialog shows, and return what the clipboard has then."""
    person.page.get_by_role("button", name=f"Copy the {what}").click()
    expect(person.page.locator("dialog [role=status]")).to_contain_text(f"The {what}")
    return str(person.page.evaluate("navigator.clipboard.readText()"))


@pytest.fixture
def ann(enter: Enter) -> Person:
    person = enter(is_new=True)
    person.context.grant_permissions(["clipboard-read", "clipboard-write"])
    return person


def test_a_room_copies_its_position_moves_and_record(ann: Person, server: Server) -> None:
    room = ann.begin("race", "Same screen")
    for cell in ("0,1", "1,1", "2,3"):
        ann.take(cell)
        expect(ann.page.locator(f'#board .last[data-cell="{cell}"]')).to_be_visible()
    ann.press("Copy")
    board = httpx.get(f"{server.url}/api/rooms/{room}").json()["view"]["board"]
    assert copy(ann, "position") == board["position"]
    assert copy(ann, "moves") == "0,1/1,1 2,3"
    expect(ann.page.locator("dialog [role=status]")).to_have_text("The moves are copied.")
    assert copy(ann, "record") == httpx.get(f"{server.url}/api/rooms/{room}/record").text
    ann.press("Done")
    expect(ann.page.get_by_role("dialog")).to_have_count(0)


def test_an_analysis_copies_what_is_shown_as_a_record_of_its_own(ann: Person) -> None:
    ann.go("/study?game=duel&position=1../... 2 -&moves=2,2+1,3")
    ann.press("Back")
    expect(ann.page.locator("#moves [aria-current]")).to_have_text("2,2")
    ann.press("Copy")
    assert copy(ann, "position") == "1../.2. 1 -"
    assert copy(ann, "moves") == "2,2"
    record = read_record(copy(ann, "record"))
    assert (str(record.setup), str(record.positions()[-1])) == ("1../... 2 -", "1../.2. 1 -")


def test_the_analysis_of_a_room_copies_its_record_and_a_side_line_its_own(
    ann: Person, server: Server
) -> None:
    room = finished_room(server)
    ann.go(f"/study?room={room}&number=1&ply=1")
    expect(ann.legal.first).to_be_visible()
    ann.press("Copy")
    assert copy(ann, "record") == httpx.get(f"{server.url}/api/rooms/{room}/record").text
    ann.press("Done")
    ann.cell("3,3").click()
    expect(ann.page.locator("#side-line")).to_be_visible()
    expect(ann.legal.first).to_be_visible()
    ann.press("Copy")
    assert read_record(copy(ann, "record")).players == ("?", "?")
    assert copy(ann, "moves") == "1,1 3,3"


def test_a_position_is_pasted_on_a_board_of_its_own_size(ann: Person) -> None:
    ann.go("/study?game=duel")
    ann.press("Set up a position")
    ann.page.evaluate("navigator.clipboard.writeText(' 1.../...2 1 - ')")
    ann.press("Paste")
    expect(ann.page.locator("#board [role=gridcell]")).to_have_count(8)
    expect(ann.page.get_by_label("Rows")).to_have_value("2")
    expect(ann.page.locator("#board .cell.two")).to_have_count(1)
    ann.press("Analyse it")
    ann.page.wait_for_url("**size=2x4&position=1.../...2+1+-")
    expect(ann.page.locator("#board .win, #board .loss").first).to_be_visible()


def test_a_text_that_is_typed_is_drawn_when_it_is_whole(ann: Person) -> None:
    ann.go("/study?game=trail")
    ann.press("Set up a position")
    ann.page.get_by_label("The position as text").fill(".1 2 1,2")
    ann.page.get_by_label("The position as text").blur()
    expect(ann.page.locator("#board [role=gridcell]")).to_have_count(2)
    expect(ann.page.get_by_label("The cell taken last")).to_have_value("1,2")


def test_where_the_clipboard_cannot_be_read_the_field_is_shown(enter: Enter) -> None:
    bob = enter(is_new=True)
    bob.context.add_init_script("delete Navigator.prototype.clipboard")
    bob.go("/study?game=duel")
    bob.press("Set up a position")
    bob.press("Paste")
    expect(bob.page.locator("#alarm")).to_contain_text("paste into the field")
    expect(bob.page.get_by_label("The position as text")).to_be_focused()


@in_every_window
def test_the_texts_fit_their_window_and_keep_nobody_out(
    enter: Enter, size: tuple[int, int]
) -> None:
    ann = enter(size=size)
    ann.go("/study?game=duel&moves=3,3")
    expect(ann.legal.first).to_be_visible()
    ann.press("Copy")
    expect(ann.page.get_by_label("Record", exact=True)).to_be_visible()
    for scheme in in_both_schemes(ann.page):
        assert serious(ann.page, colours_only=scheme == "dark") == [], scheme
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= size[0]
