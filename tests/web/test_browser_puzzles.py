"""Puzzles in a real browser: what counts, what a reload leaves as it is, and who can use them."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from gridlock.puzzles.collection import daily_puzzle, puzzles_of
from gridlock.rulebooks.catalogue import RULEBOOKS
from tests.conftest import variants
from tests.web.browser import LEGAL, TAKEN, Person, in_both_schemes, in_every_window, serious

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator

    from gridlock.puzzles.puzzle import Puzzle

    Enter = Callable[..., Person]

KEYS = ((0, ("ArrowUp", "ArrowDown")), (1, ("ArrowLeft", "ArrowRight")))


def own_cells(puzzle: Puzzle) -> list[str]:
    """Return the cells that the solver of a puzzle has to find."""
    line = zip(puzzle.positions(), puzzle.line, strict=False)
    name = puzzle.position.game.name
    return [name(cell) for position, cell in line if position.mover is puzzle.solver]


def wrong_cell(puzzle: Puzzle) -> str:
    position = puzzle.position
    wrong = next(cell for cell in position.legal_cells() if cell != puzzle.line[0])
    return position.game.name(wrong)


def long_puzzle(game: str = "duel") -> Puzzle:
    return next(puzzle for puzzle in puzzles_of(game) if len(own_cells(puzzle)) > 1)


def figure(person: Person, name: str) -> Locator:
    return person.page.locator(f"[data-figure={name}]")


def find(person: Person, cell: str) -> None:
    """Take a right cell, and wait until it is told that it is one."""
    person.take(cell)
    expect(person.cell(cell)).to_have_class(TAKEN)


def solve(person: Person, puzzle: Puzzle) -> None:
    for cell in own_cells(puzzle):
        find(person, cell)
    expect(person.page.get_by_role("button", name="Share")).to_be_visible()


def fail(person: Person, puzzle: Puzzle) -> None:
    person.take(wrong_cell(puzzle))
    expect(person.verdict).to_contain_text("does not win")


def today(person: Person) -> date:
    return date.fromisoformat(person.page.evaluate("new Date().toLocaleDateString('sv')"))


@pytest.mark.parametrize("game", variants(*RULEBOOKS, quick=2))
def test_a_puzzle_is_solved_and_rated(enter: Enter, game: str) -> None:
    ann, puzzle = enter(), long_puzzle(game)
    ann.go(f"/puzzle/{puzzle.id}")
    expect(figure(ann, "rating")).to_have_text("–")
    expect(ann.page.locator("#task")).to_contain_text(f"{len(own_cells(puzzle))} to find.")
    solve(ann, puzzle)
    expect(ann.verdict).to_have_text("Solved!")
    expect(ann.page.locator("#standing")).to_contain_text("Your puzzle rating: ")
    expect(ann.page.locator("#standing")).to_contain_text("(+")
    expect(figure(ann, "solved")).to_have_text("1 of 1")
    expect(figure(ann, "streak")).to_have_text("1")
    expect(ann.legal).to_have_count(0)


def test_a_puzzle_by_keyboard_alone(enter: Enter) -> None:
    ann, puzzle = enter(), long_puzzle()
    ann.go(f"/puzzle/{puzzle.id}")
    expect(ann.legal.first).to_be_visible()
    press_until(ann, "[role=gridcell]")
    for cell in own_cells(puzzle):
        expect(ann.cell(cell)).to_have_class(LEGAL)
        here = ann.page.evaluate("document.activeElement.dataset.cell").split(",")
        for axis, keys in KEYS:
            steps = int(cell.split(",")[axis]) - int(here[axis])
            for _ in range(abs(steps)):
                ann.page.keyboard.press(keys[steps > 0])
        ann.page.keyboard.press("Enter")
        expect(ann.cell(cell)).to_have_class(TAKEN)
    expect(ann.page.locator("#announcer")).to_contain_text("Solved!")
    press_until(ann, "#wishes button")
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_url(lambda url: not url.endswith(f"/{puzzle.id}"))
    expect(ann.legal.first).to_be_visible()


def press_until(person: Person, selector: str) -> None:
    """Press Tab until something has the focus."""
    for _ in range(60):
        person.page.keyboard.press("Tab")
        if person.page.evaluate(f"document.activeElement.matches({selector!r})"):
            return
    raise AssertionError(f"Tab does not lead to {selector}")


def test_a_wrong_try_is_refuted_and_costs_points(enter: Enter) -> None:
    ann, puzzle = enter(), long_puzzle()
    ann.go(f"/puzzle/{puzzle.id}")
    fail(ann, puzzle)
    expect(ann.page.locator("#announcer")).to_contain_text("does not win")
    expect(ann.page.locator("#standing")).to_contain_text("(-")
    expect(figure(ann, "solved")).to_have_text("0 of 1")
    rating = figure(ann, "rating").inner_text()
    before = ann.marks()
    steps = ann.page.locator("#line li")
    for _ in range(steps.count()):
        ann.press("Forward")
    expect(steps.last.locator("button")).to_have_attribute("aria-current", "step")
    assert len([mark for mark in ann.marks() if mark]) > len([mark for mark in before if mark])
    expect(ann.legal).to_have_count(0)
    ann.page.keyboard.press("[")
    expect(steps.last.locator("button")).not_to_have_attribute("aria-current", "step")
    ann.cell(wrong_cell(puzzle)).click()  # back to the puzzle, where nothing has changed
    assert ann.marks() == before
    solve(ann, puzzle)
    expect(ann.verdict).to_have_text("Solved, after 1 wrong try.")
    expect(figure(ann, "rating")).to_have_text(rating)
    expect(figure(ann, "solved")).to_have_text("0 of 1")


def test_a_reload_undoes_no_wrong_try_and_loses_no_right_one(enter: Enter) -> None:
    ann, puzzle = enter(), long_puzzle()
    first, *rest = own_cells(puzzle)
    ann.go(f"/puzzle/{puzzle.id}")
    ann.page.route("**/rating?*", lambda route: route.abort())  # a reload comes before the answer
    fail(ann, puzzle)
    expect(figure(ann, "rating")).to_have_text("–")
    ann.page.unroute_all(behavior="ignoreErrors")
    ann.page.reload()
    expect(figure(ann, "rating")).to_have_text(re.compile(r"^1[0-4]\d\d\??$"))  # it has fallen
    expect(figure(ann, "solved")).to_have_text("0 of 1")
    find(ann, first)
    ann.page.reload()
    expect(ann.cell(first)).to_have_class(TAKEN)
    for cell in rest:
        find(ann, cell)
    expect(ann.verdict).to_have_text("Solved, after 1 wrong try.")
    ann.page.reload()
    expect(ann.verdict).to_have_text("Solved.")
    expect(figure(ann, "solved")).to_have_text("0 of 1")
    ann.troubles.clear()  # the browser's own words about the request that was lost


def test_the_solution_is_a_wrong_try_and_can_be_played_through(enter: Enter) -> None:
    ann, puzzle = enter(), long_puzzle()
    ann.go(f"/puzzle/{puzzle.id}")
    ann.press("Hint")
    expect(ann.page.locator("#clue")).not_to_be_empty()
    ann.press("Show the solution")
    expect(ann.verdict).to_contain_text("The solution: ")
    expect(ann.page.locator("#line li")).to_have_count(len(puzzle.line))
    expect(ann.page.locator("#standing")).to_contain_text("(-")
    ann.page.locator("#line li button").last.click()
    expect(ann.cell(own_cells(puzzle)[-1])).to_have_class(re.compile("last"))
    ann.press("Try again")
    solve(ann, puzzle)
    expect(ann.verdict).to_have_text("Solved, after 1 wrong try.")


def test_the_daily_puzzle_is_that_of_the_visitors_day(enter: Enter) -> None:
    ann = enter(is_new=True, timezone_id="Pacific/Kiritimati")
    ann.go("/daily")
    puzzle = daily_puzzle(today(ann))
    expect(ann.page.locator("#terms")).to_contain_text(puzzle.id)
    solve(ann, puzzle)
    expect(figure(ann, "days")).to_have_text("1")
    ann.page.reload()
    expect(ann.verdict).to_have_text("Solved.")
    expect(figure(ann, "days")).to_have_text("1")
    ann.page.clock.install()
    ann.page.clock.fast_forward("24:00:00")
    other = daily_puzzle(today(ann))
    ann.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(ann.page.locator("#terms")).to_contain_text(other.id)
    expect(figure(ann, "days")).to_have_text("1")  # until yesterday
    ann.page.clock.resume()
    fail(ann, other)
    expect(figure(ann, "days")).to_have_text("0")


def test_a_result_is_shared_with_a_link(enter: Enter) -> None:
    ann, puzzle = enter(is_new=True), long_puzzle()
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.go(f"/puzzle/{puzzle.id}")
    fail(ann, puzzle)
    solve(ann, puzzle)
    ann.press("Share")
    expect(ann.page.get_by_role("button", name="Copied")).to_be_visible()
    text, link = ann.page.evaluate("navigator.clipboard.readText()").split("\n")
    assert text.startswith(f"GridLock puzzle {puzzle.id} · ")
    assert text.endswith("✗✓")
    assert link == f"{ann.url}/puzzle/{puzzle.id}"


def test_a_result_is_shared_where_there_is_no_clipboard(enter: Enter) -> None:
    ann, puzzle = enter(is_new=True), long_puzzle()
    ann.context.add_init_script("delete Navigator.prototype.clipboard")
    ann.go(f"/puzzle/{puzzle.id}")
    solve(ann, puzzle)
    ann.page.evaluate(
        "document.addEventListener('copy', () => (window.copied = document.activeElement.value))"
    )
    ann.press("Share")
    expect(ann.page.get_by_role("button", name="Copied")).to_be_visible()
    assert f"/puzzle/{puzzle.id}" in ann.page.evaluate("window.copied")


def test_puzzles_of_a_game_come_one_after_the_other(enter: Enter) -> None:
    ann = enter()
    ann.go("/puzzles?game=race")
    ann.page.wait_for_url("**/puzzle/race-*")
    first = ann.page.url
    expect(ann.legal.first).to_be_visible()
    ann.press("Next puzzle")
    ann.page.wait_for_url(lambda url: "/puzzle/race-" in url and url != first)
    expect(ann.legal.first).to_be_visible()
    ann.page.go_back()
    expect(ann.page.locator("#title")).to_have_text(f"Puzzle {first.rpartition('/')[2]}")
    ann.page.get_by_label("Game").select_option("occupation")
    theme = ann.page.get_by_label("About").locator("option").nth(1).get_attribute("value")
    ann.page.get_by_label("About").select_option(str(theme))
    ann.press("Next puzzle")
    ann.page.wait_for_url("**/puzzle/occupation-*")
    found = ann.page.url.rpartition("/")[2]
    (puzzle,) = (puzzle for puzzle in puzzles_of("occupation") if puzzle.id == found)
    assert theme in puzzle.themes


def test_two_tabs_count_a_puzzle_once(enter: Enter) -> None:
    ann, puzzle = enter(), long_puzzle()
    ann.go(f"/puzzle/{puzzle.id}")
    first = ann.page
    ann.new_tab()
    ann.go(f"/puzzle/{puzzle.id}")
    fail(ann, puzzle)
    expect(figure(ann, "solved")).to_have_text("0 of 1")
    rating = figure(ann, "rating").inner_text()
    ann.page = first
    expect(figure(ann, "rating")).to_have_text(rating)  # heard from the other tab
    solve(ann, puzzle)
    expect(ann.verdict).to_have_text("Solved, after 1 wrong try.")
    expect(figure(ann, "solved")).to_have_text("0 of 1")
    expect(figure(ann, "rating")).to_have_text(rating)


def test_damaged_progress_is_put_aside(enter: Enter) -> None:
    ann, puzzle = enter(), long_puzzle()
    ann.go("/healthz")
    ann.page.evaluate("localStorage.setItem('gridlock.puzzles', '{\"version\": 1')")
    ann.go(f"/puzzle/{puzzle.id}")
    solve(ann, puzzle)
    expect(figure(ann, "solved")).to_have_text("1 of 1")
    kept = ann.page.evaluate("localStorage.getItem('gridlock.puzzles.damaged-1')")
    assert kept == '{"version": 1'


def test_a_closed_cell_is_explained_and_is_no_try(enter: Enter) -> None:
    ann, puzzle = enter(), long_puzzle()
    ann.go(f"/puzzle/{puzzle.id}")
    expect(ann.legal.first).to_be_visible()
    ann.page.locator("grid-board .cell.closed").first.click()
    expect(ann.page.locator("#alarm")).to_contain_text("is closed")
    expect(figure(ann, "solved")).to_have_text("0 of 0")
    ann.troubles.clear()  # the browser's own words about an answer of 409


def test_the_first_page_leads_to_puzzles(enter: Enter) -> None:
    ann = enter()
    ann.go("/")
    ann.page.get_by_role("main").get_by_role("link", name="Daily puzzle").click()
    expect(ann.page.get_by_role("heading", level=1)).to_contain_text("Daily puzzle, ")
    ann.go("/")
    ann.page.get_by_role("main").get_by_role("link", name="Puzzles", exact=True).click()
    expect(ann.legal.first).to_be_visible()


@in_every_window
def test_puzzles_fit_their_window_and_keep_nobody_out(enter: Enter, size: tuple[int, int]) -> None:
    ann, puzzle = enter(size=size), long_puzzle()

    def check(what: str) -> None:
        for scheme in in_both_schemes(ann.page):
            assert serious(ann.page) == [], (what, scheme)
        assert ann.page.evaluate("document.documentElement.scrollWidth") <= size[0], what

    ann.go(f"/puzzle/{puzzle.id}")
    expect(ann.legal.first).to_be_visible()
    check("begun")
    fail(ann, puzzle)
    expect(ann.page.locator("#standing")).not_to_be_empty()
    check("wrong")
    solve(ann, puzzle)
    check("solved")
    ann.go("/daily")
    ann.press("Show the solution")
    expect(ann.page.locator("#line li").first).to_be_visible()
    check("daily")
