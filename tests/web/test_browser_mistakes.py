"""Mistakes that reviews find, as puzzles in a real browser: whose, when, and what counts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from gridlock.puzzles import sentences
from tests.web.browser import TAKEN, in_both_schemes, in_every_window, serious
from tests.web.test_browser_review import friendly_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.browser import Person
    from tests.web.services import Server

    Enter = Callable[..., Person]

MISTAKE = {
    "game": "duel",
    "position": "... 1 -",
    "winning": "1,2",
    "due": "2026-01-01",
    "solved": 0,
}
OTHER = {**MISTAKE, "position": "...../...../...../...../..... 1 -", "winning": "3,3"}


def keep(person: Person, *mistakes: dict[str, Any]) -> None:
    """Let a browser have mistakes."""
    nothing: dict[str, Any] = {
        "version": 1, "rating": None, "shown": "", "seen": {}, "days": {}, "streak": 0,
        "longest": 0, "unrated": [], "attempts": [], "mistakes": mistakes,
    }  # fmt: skip
    person.go("/healthz")
    person.page.evaluate(
        "text => localStorage.setItem('gridlock.puzzles', text)", json.dumps(nothing)
    )


def kept(person: Person) -> list[dict[str, Any]]:
    text = person.page.evaluate("localStorage.getItem('gridlock.puzzles')")
    return list(json.loads(text)["mistakes"]) if text else []


def days_ahead(person: Person, mistake: dict[str, Any]) -> int:
    script = "due => (Date.parse(due) - Date.parse(new Date().toLocaleDateString('sv'))) / 864e5"
    return int(person.page.evaluate(script, mistake["due"]))


def choice(person: Person) -> Any:
    return person.page.locator("[data-do=mistakes]")


@pytest.mark.parametrize("seat", [1, 2, None], ids=["one", "two", "watcher"])
def test_a_review_keeps_the_mistakes_of_this_browsers_seat(
    enter: Enter, server: Server, seat: int | None
) -> None:
    room, tokens = friendly_game(server)
    ann = enter()
    ann.go(f"/room/{room}{f'#seat={tokens[seat]}' if seat else ''}")
    ann.page.get_by_role("link", name="Review").click()
    expect(ann.page.locator("#review .summary li")).to_have_count(2)
    review = ann.page.request.get(f"{server.url}/api/rooms/{room}/review").json()
    own = [one for one in review["actions"] if one["player"] == seat and one["position"]]
    assert [one["position"] for one in kept(ann)] == [one["position"] for one in own]
    link = ann.page.get_by_role("link", name=sentences.KEPT)
    expect(link).to_be_visible(visible=bool(own))
    if own:
        ann.page.reload()
        expect(link).to_be_visible()
        assert len(kept(ann)) == len(own)  # there but once
        link.click()
        expect(ann.page.locator("#title")).to_have_text("A mistake of yours: duel 5x5")


def test_a_mistake_is_chosen_solved_and_comes_back_another_day(enter: Enter) -> None:
    ann = enter()
    keep(ann, MISTAKE, OTHER)
    ann.go("/puzzles")
    expect(choice(ann)).to_have_text("Your mistakes: 2 due")
    choice(ann).focus()
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#task")).to_contain_text("and can win: find how.")
    ann.take("1,2")
    expect(ann.verdict).to_have_text("Solved!")
    expect(ann.cell("1,2")).to_have_class(TAKEN)
    expect(ann.page.locator("#standing")).to_have_text("It comes back tomorrow.")
    expect(choice(ann)).to_have_text("Your mistakes: 1 due")
    expect(ann.page.get_by_role("button", name="Share")).to_be_hidden()
    first, second = kept(ann)
    assert (first["solved"], days_ahead(ann, first), second) == (1, 1, OTHER)
    expect(ann.page.locator("[data-figure=rating]")).to_have_text("–")  # it is not rated
    choice(ann).click()
    expect(ann.page.locator("#board [role=gridcell]")).to_have_count(25)
    ann.page.go_back()
    expect(ann.page.locator("#board [role=gridcell]")).to_have_count(3)


def test_a_wrong_try_is_refuted_and_no_reload_undoes_it(enter: Enter) -> None:
    ann = enter()
    keep(ann, {**MISTAKE, "solved": 2})
    ann.go("/mistakes")
    ann.take("1,1")
    expect(ann.verdict).to_have_text("1,1 does not win: it loses to 1,3.")
    expect(ann.page.locator("#line li")).to_have_count(2)
    (mistake,) = kept(ann)
    assert (mistake["solved"], days_ahead(ann, mistake)) == (0, 1)
    ann.take("1,2")
    expect(ann.verdict).to_have_text("Solved, after 1 wrong try.")
    ann.page.reload()
    expect(ann.page.locator("#standing")).to_contain_text("only the first try counts")
    ann.take("1,2")
    expect(ann.verdict).to_have_text("Solved!")
    assert kept(ann) == [mistake]


def test_the_third_time_a_mistake_is_learnt(enter: Enter) -> None:
    ann = enter()
    keep(ann, {**MISTAKE, "solved": 2})
    ann.go("/mistakes")
    ann.take("1,2")
    expect(ann.page.locator("#standing")).to_have_text(
        "You have learnt from it: it does not come back."
    )
    expect(ann.page.locator("[data-figure=learnt]")).to_have_text("1 of 1")
    expect(choice(ann)).to_be_hidden()


def test_the_solution_is_a_wrong_try(enter: Enter) -> None:
    ann = enter()
    keep(ann, MISTAKE)
    ann.go("/mistakes")
    expect(ann.legal.first).to_be_visible()
    ann.press("Show the solution")
    expect(ann.verdict).to_have_text("The solution: 1,2.")
    (mistake,) = kept(ann)
    assert (mistake["solved"], days_ahead(ann, mistake)) == (0, 1)


def test_where_none_is_due_other_puzzles_are_set(enter: Enter) -> None:
    ann = enter()
    ann.go("/mistakes")
    ann.page.wait_for_url("**/puzzle/*")
    note = ann.page.locator("#mistakes .none")
    expect(note).to_have_text("Mistakes that reviews of your games find come back here.")
    expect(choice(ann)).to_be_hidden()
    keep(ann, {**MISTAKE, "solved": 3})
    ann.go("/puzzles")
    expect(note).to_have_text("No mistake of yours is due today.")


@in_every_window
def test_mistakes_fit_their_window_and_keep_nobody_out(enter: Enter, size: tuple[int, int]) -> None:
    ann = enter(size=size)
    keep(ann, MISTAKE, OTHER)
    ann.go("/mistakes")
    ann.take("1,1")
    expect(ann.page.locator("#standing")).not_to_be_empty()
    for scheme in in_both_schemes(ann.page):
        assert serious(ann.page, colours_only=scheme == "dark") == [], scheme
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= size[0]
