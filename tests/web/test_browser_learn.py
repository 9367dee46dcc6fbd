"""Guided first games in a browser, and how newcomers find them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from gridlock.lesson import Lesson, lesson_of
from gridlock.rulebooks.catalogue import RULEBOOKS
from tests.conftest import variants
from tests.web.browser import LEGAL, NARROW, Person, in_both_schemes, in_every_window, serious

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator

    Enter = Callable[..., Person]


def lesson(game: str) -> Lesson:
    found = lesson_of(RULEBOOKS[game])
    assert found
    return found


def text(person: Person) -> Locator:
    """Return what there is to know."""
    return person.page.locator("#text")


def answer(person: Person) -> Locator:
    """Return what is said of a wrong cell."""
    return person.page.locator("#answer")


def welcome(person: Person) -> Locator:
    return person.page.get_by_role("complementary", name="For newcomers")


def walk_to(person: Person, cell: str) -> None:
    """Go with the arrow keys from the cell with the focus to another."""
    here = person.page.evaluate("document.activeElement.dataset.cell").split(",")
    for axis, keys in ((0, ("ArrowUp", "ArrowDown")), (1, ("ArrowLeft", "ArrowRight"))):
        steps = int(cell.split(",")[axis]) - int(here[axis])
        for _ in range(abs(steps)):
            person.page.keyboard.press(keys[steps > 0])


@pytest.mark.parametrize("game", variants(*RULEBOOKS, quick=2))
def test_a_lesson_is_finished_with_the_keyboard_alone(enter: Enter, game: str) -> None:
    ann = enter()
    ann.go(f"/learn/{game}")
    expect(text(ann)).to_have_text(lesson(game).steps[0].text)
    has_focus = False
    for number, step in enumerate(lesson(game).steps, start=1):
        expect(ann.page.get_by_text(f"Step {number} of {len(lesson(game).steps)}")).to_be_visible()
        expect(text(ann)).to_have_text(step.text)
        if number > 1:
            expect(ann.page.locator("#announcer")).to_have_text(f"{step.text} {step.task}".strip())
        if step.position.winner:
            break
        wanted = "[role=gridcell]" if step.task else "#next"
        while not has_focus:
            ann.page.keyboard.press("Tab")
            has_focus = ann.page.evaluate(f"document.activeElement.matches({wanted!r})")
        expect(ann.page.locator(f"{wanted}:focus")).to_have_count(1)
        if step.cell is not None:
            walk_to(ann, lesson(game).game.name(step.cell))
        ann.page.keyboard.press("Enter")
    expect(ann.page.get_by_role("link", name="Play it")).to_be_focused()
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_url(f"**/?game={game}")
    expect(ann.page.get_by_role("radio", name=game.capitalize())).to_be_checked()


def test_wrong_cells_are_answered_with_the_reason(enter: Enter) -> None:
    ann = enter(size=NARROW)
    ann.go("/learn/occupation")
    ann.cell("3,3").click()
    expect(answer(ann)).to_contain_text("You could begin there")
    ann.take("1,2")
    expect(answer(ann)).to_be_hidden()
    ann.cell("3,4").click()  # it is B's turn, and there is something to read
    expect(text(ann)).to_contain_text("No symbol may touch")
    ann.press("Next")
    ann.cell("3,3").click()
    expect(answer(ann)).to_have_text("3,3 is closed: next to B's 3,2.")
    expect(ann.page.locator("#announcer")).to_have_text("3,3 is closed: next to B's 3,2.")
    expect(ann.page.locator(".cell.hint")).to_have_count(0)
    ann.cell("2,2").click()
    expect(ann.cell("1,1")).to_have_class(re.compile("hint"))  # whoever is stuck sees it
    ann.take("1,1")
    expect(answer(ann)).to_be_hidden()
    ann.press("Back")
    expect(ann.cell("1,1")).to_have_class(LEGAL)


def test_a_lesson_leads_to_the_next(enter: Enter) -> None:
    ann = enter()
    ann.go("/learn/trail")
    ann.take("1,1")
    ann.press("Next")
    ann.take("2,2")
    ann.press("Next")
    ann.take("1,3")
    expect(text(ann)).to_contain_text("you win!")
    ann.page.get_by_role("link", name="Learn race").click()
    expect(ann.page).to_have_title("Learn race – GridLock")
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Race")


@in_every_window
def test_lessons_fit_their_window_and_keep_nobody_out(enter: Enter, size: tuple[int, int]) -> None:
    ann = enter(size=size)
    ann.go("/learn/race")
    acts: list[Callable[[], None]] = [
        lambda: ann.press("Next"),
        lambda: ann.cell("1,2").click(),
        lambda: ann.take("0,1"),
        lambda: ann.take("1,1"),
        lambda: ann.press("Next"),
        lambda: ann.take("2,3"),
        lambda: ann.take("2,2"),
        lambda: ann.take("3,3"),
    ]
    for number, act in enumerate(acts):
        expect(text(ann)).to_be_visible()
        if number in (0, 1, 2, 4):
            fits_and_is_open(ann, size[0])
        act()
    expect(text(ann)).to_contain_text("you win!")
    fits_and_is_open(ann, size[0])


def fits_and_is_open(person: Person, width: int) -> None:
    for scheme in in_both_schemes(person.page):
        assert serious(person.page) == [], scheme
    assert person.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("game", RULEBOOKS)
def test_a_phone_shows_the_board_and_the_task_at_once(enter: Enter, game: str) -> None:
    ann = enter(size=NARROW)
    ann.go(f"/learn/{game}")
    expect(text(ann)).to_have_text(lesson(game).steps[0].text)
    last = "#task" if lesson(game).steps[0].task else "#next"
    box = ann.page.locator(last).bounding_box()
    assert box
    assert box["y"] + box["height"] <= NARROW[1]


def test_newcomers_are_led_to_lessons_until_they_have_begun_one(enter: Enter) -> None:
    ann = enter()
    ann.go("/")
    expect(welcome(ann)).to_be_visible()
    assert serious(ann.page) == []
    ann.page.reload()
    welcome(ann).get_by_role("link").click()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Occupation")
    ann.go("/")
    expect(ann.page.get_by_role("radio", name="Duel")).to_be_visible()
    expect(welcome(ann)).to_be_hidden()


def test_who_does_not_want_lessons_says_so_once(enter: Enter) -> None:
    ann = enter(size=NARROW)
    ann.go("/")
    ann.press("Do not show this again")
    expect(welcome(ann)).to_be_hidden()
    expect(ann.page.get_by_role("heading", level=1)).to_be_focused()
    ann.page.reload()
    expect(ann.page.get_by_role("radio", name="Duel")).to_be_visible()
    expect(welcome(ann)).to_be_hidden()
    expect(ann.page.get_by_role("link", name="Learn", exact=True)).to_be_visible()
