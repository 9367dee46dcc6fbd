"""Analysis and review in a real browser: values as they are found, mistakes to do better."""

from __future__ import annotations

import itertools
import json
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import expect

from tests.web.browser import (
    LOW,
    NARROW,
    TAKEN,
    WIDE,
    Person,
    in_both_schemes,
    in_every_window,
    serious,
)
from tests.web.feed import Feed
from tests.web.services import PROBLEM, Json, Server, bearer, finished_room

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Route

    Enter = Callable[..., Person]

HARD = "/study?game=occupation&size=8x8"
STREAM = re.compile("/api/analysis/stream")
START = re.compile("/api/start")


def verdict(person: Person) -> Locator:
    return person.page.locator("#verdict")


def progress(person: Person) -> Locator:
    return person.page.locator("#progress")


def alarm(person: Person) -> Locator:
    return person.page.locator("#alarm")


def turns(person: Person, part: str = "#moves") -> list[str]:
    """Return a list of turns as it is read."""
    texts = person.page.locator(f"{part} li").all_inner_texts()
    return ["".join(text.split()) for text in texts]


def hold(person: Person, path: re.Pattern[str]) -> list[Route]:
    """Keep the server from answering; return what it was asked, in the order of asking."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    person.page.route(path, keep)
    return held


# What cells are worth


def test_an_analysis_shows_what_every_cell_is_worth_and_has_a_permanent_link(
    enter: Enter,
) -> None:
    ann, bob = enter(), enter(size=NARROW)
    ann.go("/study?game=occupation&moves=3,3")
    expect(verdict(ann)).to_have_text(
        "B loses in 14: every cell can be answered by its mirror image."
    )
    expect(ann.cell("1,2")).to_contain_text("L14")
    ann.cell("1,2").click()  # a side line
    expect(verdict(ann)).to_contain_text("A wins in 13")
    ann.page.get_by_role("button", name="Back", exact=True).click()
    expect(ann.cell("1,2")).to_contain_text("L14")
    ann.page.get_by_role("button", name="Best", exact=True).click()
    expect(verdict(ann)).to_contain_text("A wins in 13")
    bob.go(ann.page.url)
    expect(verdict(bob)).to_contain_text("A wins in 13")
    assert bob.marks() == ann.marks()


def test_stones_stand_at_once_while_the_search_goes_on(enter: Enter) -> None:
    ann = enter()
    ann.go(HARD)
    expect(progress(ann)).to_contain_text("Searching…")
    for cell, look in (("1,1", "one"), ("8,8", "two"), ("1,3", "one")):
        ann.cell(cell).click()
        expect(ann.cell(cell)).to_have_class(re.compile(look))
    expect(progress(ann)).to_contain_text("Searching…")  # nothing waits for its end
    assert turns(ann) == ["1.A1,1", "2.B8,8", "3.A1,3"]


def test_a_search_that_ran_out_of_time_says_what_is_not_known(
    browser: Browser, tmp_path: Path
) -> None:
    options = ("--database", str(tmp_path / "web.db"), "--searches-analysis-seconds", "1")
    with Server(tmp_path / "log", *options) as hurried:
        ann = Person(browser, hurried.url)
        ann.go(HARD)
        why = ann.page.get_by_text("could not be worked out within 1 s")  # who wins, or other cells
        expect(why).to_be_visible()
        expect(progress(ann)).not_to_contain_text("Searching…")
        ann.close()
        assert ann.troubles == []


def test_a_search_that_nobody_waits_for_is_called_off(enter: Enter) -> None:
    ann = enter()
    ann.go(HARD)
    expect(progress(ann)).to_contain_text("Searching…")
    with ann.page.expect_event("requestfailed", lambda asked: "stream" in asked.url):
        ann.cell("1,1").click()


def test_cells_chosen_before_the_first_answer_are_played_in_turn(enter: Enter) -> None:
    ann = enter()
    ann.go("/study?game=duel")
    expect(ann.cell("3,3")).to_contain_text("W")
    held = hold(ann, STREAM)
    for cell in ("3,3", "1,1", "5,5"):
        ann.cell(cell).click()
    expect(ann.cell("3,3")).to_have_class(re.compile("one"))  # before anybody has confirmed it
    expect(ann.cell("1,1")).to_have_class(re.compile("pending"))
    for route in held:
        route.continue_()
    ann.page.unroute(STREAM)
    expect(ann.cell("5,5")).to_have_class(re.compile("one"))
    assert turns(ann) == ["1.A3,3", "2.B1,1", "3.A5,5"]


def test_a_cell_that_may_not_be_chosen_is_explained_and_everything_stays(enter: Enter) -> None:
    ann = enter()
    ann.go("/study?game=duel&moves=3,3")
    expect(verdict(ann)).to_contain_text("B loses")
    ann.cell("3,2").click()
    expect(alarm(ann)).to_have_text("Move 2 is illegal: 3,2 is closed: next to A's 3,3.")
    expect(verdict(ann)).to_contain_text("B loses")
    assert turns(ann) == ["1.A3,3"]
    ann.troubles.clear()  # the browser notes that the server refused


def test_values_are_shown_as_they_are_found(enter: Enter, server: Server) -> None:
    ann = enter(is_new=True)
    feed = Feed(ann)
    known = httpx.get(f"{server.url}/api/analysis?game=duel").json()
    ann.go("/study?game=duel")
    feed.wait(1)
    feed.tell(known, 0)
    expect(progress(ann)).to_have_text("Searching… 0 of 25 known")
    expect(verdict(ann)).to_have_text("A to move.")
    expect(ann.legal).to_have_count(25)
    feed.tell(known, 1)
    expect(progress(ann)).to_have_text("Searching… 1 of 25 known")
    expect(ann.cell(known["actions"][0]["cell"])).to_contain_text("W")
    expect(ann.page.locator("#board .noted")).to_have_count(1)
    last = feed.line(known)
    feed.say(last[:1000])  # a line may come in parts
    feed.say(last[1000:])
    expect(progress(ann)).to_have_text("All 25 cells are solved.")
    expect(ann.page.locator("#board .noted")).to_have_count(25)


def guessed(analysis: Json, *chances: float, facts: int = 0) -> Json:
    """Return an analysis in which only some first cells are known, and the next ones estimated."""
    actions = [*analysis["actions"][:facts]]
    for action, chance in zip(analysis["actions"][facts:], chances, strict=False):
        guess: Json = {"value": "unknown", "distance": None, "estimate": chance, "line": []}
        actions.append({**action, **guess, "label": f"~{round(100 * chance)}"})
    best = {name: actions[0][name] for name in ("value", "distance", "estimate")}
    told: Json = {"actions": actions, "complete": False, "limit": None, "unsolved": ""}
    return analysis | best | told


def test_estimates_are_shown_apart_from_facts_and_grow_better(enter: Enter, server: Server) -> None:
    ann = enter(is_new=True)
    feed = Feed(ann)
    known = httpx.get(f"{server.url}/api/analysis?game=duel").json()
    best, other = (known["actions"][place]["cell"] for place in (0, 1))
    meter = ann.page.get_by_role("meter", name="A's chance of winning")
    legend = ann.page.locator("#legend")
    ann.go("/study?game=duel")
    feed.wait(1)
    feed.tell(guessed(known, 0.55, 0.3))
    expect(ann.cell(best)).to_have_text("~55")
    feed.tell(guessed(known, 0.63, 0.2) | {"sentence": "A probably wins."})
    expect(ann.cell(best)).to_have_text("~63")
    expect(ann.cell(best)).to_have_class(re.compile(r"\bestimate\b"))
    expect(ann.cell(best)).not_to_have_class(re.compile(r"\b(win|loss|unknown)\b"))
    expect(ann.cell(best)).to_have_attribute(
        "aria-label", f"{best}, free, estimated at about 63 per cent"
    )
    expect(meter).to_have_attribute("aria-valuetext", "estimated at about 63 per cent")
    expect(ann.page.locator("#chance")).to_contain_text("estimate ~63")
    expect(verdict(ann)).to_have_text("A probably wins.")  # the words are the server's
    expect(progress(ann)).to_have_text("Searching… 0 of 2 known, 2 estimated")
    expect(legend).to_contain_text("~63 is an estimate, not a fact")
    expect(legend.locator(".facts")).to_be_hidden()
    feed.tell(guessed(known, 0.4, facts=1))
    expect(ann.cell(best)).to_have_class(re.compile(r"\bwin\b"))
    expect(ann.cell(other)).to_have_text("~40")
    expect(meter).to_be_hidden()
    expect(legend.locator(".facts")).to_be_visible()
    feed.tell(guessed(known, 0.5, 0.1))  # as a search does that begins anew
    expect(ann.cell(other)).to_have_text("~10")
    expect(ann.cell(best)).to_have_class(re.compile(r"\bwin\b"))
    feed.tell(known)
    expect(legend.locator(".guesses")).to_be_hidden()
    expect(ann.page.locator("#board .estimate")).to_have_count(0)


def test_the_likeliest_cell_can_be_played_and_estimates_be_hidden(
    enter: Enter, server: Server
) -> None:
    ann = enter(is_new=True)
    feed = Feed(ann)
    known = httpx.get(f"{server.url}/api/analysis?game=duel").json()
    ann.go("/study?game=duel")
    feed.wait(1)
    feed.tell(guessed(known, 0.63, 0.2))
    expect(ann.page.locator("#chance")).to_be_visible()
    ann.press("Values")
    expect(ann.page.locator("#board .estimate")).to_have_count(0)
    expect(ann.page.locator("#chance")).to_be_hidden()
    expect(ann.page.locator("#legend")).to_be_hidden()
    ann.press("Best")
    feed.wait(2)
    best = known["actions"][0]["cell"]
    feed.tell(httpx.get(f"{server.url}/api/analysis?game=duel&moves={best}").json())
    expect(ann.cell(best)).to_have_class(TAKEN)


def test_an_estimate_fits_its_cell_on_a_large_board_too(enter: Enter) -> None:
    ann = enter(size=NARROW)
    ann.go("/study?game=duel&size=19x19&moves=1,1")
    expect(ann.page.locator("#board .estimate").first).to_be_visible()
    excess = ann.page.evaluate(
        """[...document.querySelectorAll("#board .estimate > .note")]
            .map((note) => note.offsetWidth - note.parentElement.offsetWidth)"""
    )
    assert max(excess) < 0


def test_a_stone_stands_before_the_server_answers_and_the_search_before_is_called_off(
    enter: Enter, server: Server
) -> None:
    ann = enter(is_new=True)
    feed = Feed(ann)
    ann.go("/study?game=duel")
    feed.wait(1)
    feed.tell(httpx.get(f"{server.url}/api/analysis?game=duel").json(), 1)
    expect(ann.legal).to_have_count(25)
    ann.cell("3,3").click()
    feed.wait(2)
    expect(ann.cell("3,3")).to_have_class(TAKEN)
    assert ann.page.evaluate("signals.map((signal) => signal.aborted)") == [True, False]


def test_only_some_positions_are_asked_about_where_steps_come_quickly(
    enter: Enter, server: Server
) -> None:
    ann = enter(is_new=True)
    feed = Feed(ann)
    ann.page.clock.install()
    ann.go("/study?game=duel&moves=3,3 1,1 5,5 1,5 5,1&ply=0")
    feed.wait(1)
    feed.tell(httpx.get(f"{server.url}/api/analysis?game=duel").json())
    expect(ann.legal).to_have_count(25)
    ann.page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    for _ in range(4):
        ann.page.keyboard.press("ArrowRight")
    assert ann.page.evaluate("streams.length") == 2  # the first step is asked about at once
    ann.page.clock.run_for(1000)
    assert ann.page.evaluate("streams.length") == 3
    asked = "game=duel&moves=3,3 1,1 5,5 1,5"
    feed.tell(httpx.get(f"{server.url}/api/analysis?{asked}").json())
    expect(ann.cell("1,5")).to_have_class(TAKEN)
    assert "ply=4" in ann.page.url
    ann.page.keyboard.press("Home")  # known already
    expect(ann.legal).to_have_count(25)
    ann.page.clock.run_for(1000)
    assert ann.page.evaluate("streams.length") == 3


def test_values_that_were_shown_do_not_disappear_when_one_comes_back(
    enter: Enter, server: Server
) -> None:
    ann = enter(is_new=True)
    feed = Feed(ann)
    known = httpx.get(f"{server.url}/api/analysis?game=duel").json()
    ann.go("/study?game=duel")
    feed.wait(1)
    feed.tell(known, 10)
    expect(ann.page.locator("#board .noted")).to_have_count(10)
    ann.cell("3,3").click()
    expect(ann.page.locator("#board .noted")).to_have_count(0)
    feed.wait(2)
    feed.tell(httpx.get(f"{server.url}/api/analysis?game=duel&moves=3,3").json(), 0)
    expect(ann.legal).to_have_count(20)
    ann.page.get_by_role("button", name="Back", exact=True).click()
    expect(ann.page.locator("#board .noted")).to_have_count(10)
    feed.wait(3)
    feed.tell(known, 2)  # a new search begins anew
    feed.tell(known, 11)
    expect(ann.page.locator("#board .noted")).to_have_count(11)


def test_a_search_that_breaks_off_is_begun_again(enter: Enter, server: Server) -> None:
    ann = enter(is_new=True)
    feed = Feed(ann)
    known = httpx.get(f"{server.url}/api/analysis?game=duel").json()
    ann.go("/study?game=duel")
    feed.wait(1)
    feed.tell(known, 10)
    ann.page.evaluate("streams.at(-1).close()")
    expect(alarm(ann)).to_have_text("The connection was lost. Trying again…")
    expect(ann.page.locator("#board .noted")).to_have_count(10)
    feed.wait(2)
    feed.tell(known)
    expect(alarm(ann)).to_be_hidden()
    expect(ann.page.locator("#board .noted")).to_have_count(25)


def test_race_lines_are_written_turn_by_turn(enter: Enter) -> None:
    ann = enter()
    ann.go("/study?game=race&moves=0,1/1,1+3,2")
    expect(verdict(ann)).to_contain_text("P2")
    assert turns(ann) == ["1.P10,1/1,1", "2.P23,2"]
    expect(ann.page.locator("#best li").nth(1)).to_be_visible()  # lines come after values
    best = turns(ann, "#best")
    assert re.fullmatch(r"2\.P2\d,\d", best[0])  # what is left of the turn
    assert re.fullmatch(r"3\.P1\d,\d/\d,\d", best[1])


@pytest.mark.parametrize(("cells", "kept"), [(25, 50), (10_000, 5)])
def test_what_was_learnt_is_remembered_as_far_as_there_is_space(
    enter: Enter, cells: int, kept: int
) -> None:
    ann = enter()
    ann.go("/")
    asked_again = ann.page.evaluate(
        """async ([cells, count]) => {
            const { Analyst } = await import("/static/script/study/analyst.js");
            const action = { value: "win", distance: 1, line: ["1,1"] };
            const line = JSON.stringify({ complete: true, actions: Array(cells).fill(action) });
            const asked = [];
            let seconds = 0;
            performance.now = () => 1000 * ++seconds; // nobody asks too soon after another question
            window.fetch = async (path) => {
              asked.push(path.split("=").at(-1));
              return new Response(`${line}\\n`);
            };
            const fail = (problem) => { throw problem; };
            const analyst = new Analyst({ learn() {}, fail });
            const ask = (number) => analyst.ask(new URLSearchParams({ number }));
            for (let number = 0; number < count; number++) await ask(number);
            asked.length = 0;
            for (let number = count - 1; number >= 0; number--) await ask(number);
            return asked;
        }""",
        [cells, 50],
    )
    assert asked_again == [str(number) for number in range(49 - kept, -1, -1)]


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("moves=0,1+1,1+3,2", "moves=0,1/1,1+3,2"),
        ("moves=0,1/1,1+3,2&ply=2", "moves=0,1/1,1+3,2&ply=2"),
        ("position=.1../..../..../...2+1+block&moves=1,1+3,2", "moves=1,1+3,2"),
    ],
)
def test_the_address_writes_a_turn_in_one_word_and_reads_single_cells(
    enter: Enter, asked: str, kept: str
) -> None:
    ann = enter()
    ann.go(f"/study?game=race&{asked}")
    expect(verdict(ann)).to_contain_text("wins in")
    expect(ann.page).to_have_url(re.compile(re.escape(f"&{kept}") + "$"))
    ann.page.reload()
    expect(verdict(ann)).to_contain_text("wins in")
    expect(ann.page).to_have_url(re.compile(re.escape(f"&{kept}") + "$"))


def test_the_side_line_of_a_race_is_written_as_in_records(enter: Enter, server: Server) -> None:
    wishes = {"game": "race", "opponent": "self"}
    made = httpx.post(f"{server.url}/api/rooms", json=wishes).json()
    path = f"{server.url}/api/rooms/{made['state']['room']}/actions"
    for ply, command in enumerate(({"do": "play", "cell": "0,1"}, {"do": "resign"})):
        act = {"id": f"{ply}", "ply": ply, **command}
        httpx.post(path, json=act, headers=bearer(made["token"])).raise_for_status()
    ann = enter()
    ann.go(f"/study?room={made['state']['room']}&number=1&ply=1&line=1,1+3,2+2,2")
    expect(verdict(ann)).to_contain_text("wins in")
    expect(ann.page).to_have_url(re.compile(r"&ply=1&line=1,1\+3,2/2,2$"))


def test_what_is_closed_to_the_other_player_can_be_shown(enter: Enter) -> None:
    ann = enter()
    ann.go("/study?game=occupation&moves=3,3")
    expect(ann.cell("2,2")).to_have_class(re.compile(r"\bclosed\b"))
    ann.go("/study?game=occupation&moves=3,3+1,5")
    expect(ann.cell("2,2")).not_to_have_class(re.compile("closed"))
    ann.page.get_by_label("Show what is closed to B").check()
    expect(ann.cell("2,2")).to_have_class(re.compile("closed-to-2"))
    expect(ann.cell("1,4")).to_have_class(re.compile(r"\bclosed\b"))
    expect(ann.cell("2,2")).to_contain_text("W")  # its value stays


@pytest.mark.long
def test_the_answer_of_a_large_board_is_in_sight(enter: Enter) -> None:
    ann = enter()
    ann.go("/study?game=duel&size=99x99")
    expect(verdict(ann)).to_contain_text("50,50")
    expect(progress(ann)).to_contain_text("The other cells")
    expect(ann.cell("50,50")).to_be_in_viewport(ratio=1)
    ann.page.keyboard.press("b")
    expect(ann.cell("50,50")).to_have_class(re.compile("one"))
    ann.page.locator("#board [tabindex='0']").focus()
    for key in ("Home", "End"):
        ann.page.keyboard.press(key)
    expect(ann.page.locator("#board :focus")).to_have_attribute("aria-colindex", "99")
    expect(ann.page.locator("#board :focus")).to_be_in_viewport(ratio=1)


# Addresses that lead nowhere, and servers that do not answer


@pytest.mark.parametrize(
    ("address", "why", "start"),
    [
        ("game=chess", "There is no game called chess", None),
        ("game=duel&size=0x5", "size '0x5'", "duel"),
        ("game=duel&moves=3,3+9,9", "Move 2: '9,9' is outside the board", "duel"),
        ("game=duel&first=7", "Player 7 cannot begin: first is 1 or 2", None),
        ("game=claim&position=nonsense", "nonsense", "claim"),
        ("room=nowhere", "no such room", None),
    ],
)
def test_an_address_that_leads_nowhere_says_why_and_shows_ways_back(
    enter: Enter, address: str, why: str, start: str | None
) -> None:
    ann = enter(size=NARROW)
    ann.go(f"/study?{address}")
    place = ann.page.locator("#dead-end")
    expect(place).to_contain_text(re.compile(re.escape(why), re.IGNORECASE))
    expect(ann.page.locator("#board")).to_be_hidden()
    assert serious(ann.page) == []
    expect(place.get_by_role("link", name="To the first page")).to_have_attribute("href", "/")
    back = place.get_by_role("link", name="from the start")
    if start is None:
        expect(back).to_be_hidden()
    else:
        back.click()
        expect(ann.page.get_by_role("heading", name=start)).to_be_visible()
        expect(ann.legal.first).to_be_visible()
    ann.troubles.clear()


@pytest.mark.parametrize("size", [NARROW, WIDE, LOW], ids=["narrow", "wide", "sideways"])
def test_why_nothing_is_shown_stands_below_its_heading(enter: Enter, size: tuple[int, int]) -> None:
    ann = enter(size=size)
    ann.go("/study?game=duel&position=nonsense")
    expect(ann.page.locator("#title")).to_have_text("This cannot be shown")
    places = [ann.page.locator(part).bounding_box() for part in ("#title", "#dead-end")]
    heading, why = (place for place in places if place)
    assert heading["y"] + heading["height"] <= why["y"]
    assert heading["x"] < why["x"] + why["width"] / 2
    ann.troubles.clear()  # the browser notes that the server refused


def test_the_way_back_from_a_bad_position_keeps_the_size(enter: Enter) -> None:
    ann = enter(size=NARROW)
    ann.go("/study?game=occupation&size=4x6&position=nonsense")
    back = ann.page.get_by_role("link", name="Analyse Occupation from the start")
    expect(back).to_have_attribute("href", "/study?game=occupation&size=4x6")
    assert int(back.evaluate("link => parseInt(getComputedStyle(link).paddingTop)")) > 0
    ann.troubles.clear()  # the browser notes that the server refused


def test_the_page_finds_out_within_seconds_that_the_server_is_back(enter: Enter) -> None:
    ann = enter(is_new=True)
    asked = itertools.count(1)

    def refuse(route: Route) -> None:
        problem = {"status": 503, "detail": f"answer {next(asked)}"}
        route.fulfill(status=503, content_type=PROBLEM, body=json.dumps(problem))

    ann.page.route(STREAM, refuse)
    ann.page.clock.install()
    ann.page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    ann.go("/study?game=duel")
    for count, pause in enumerate((1, 2, 4, 5, 5), start=1):
        expect(alarm(ann)).to_contain_text(f"Answer {count}.")
        ann.page.clock.run_for(1000 * pause)
    expect(alarm(ann)).to_contain_text("Answer 6.")
    ann.troubles.clear()  # the browser notes that the server refused


def test_a_game_that_a_room_has_not_played_is_not_shown(enter: Enter, server: Server) -> None:
    ann = enter()
    ann.go(f"/study?room={finished_room(server)}&number=7")
    expect(ann.page.get_by_text("There is no game 7 in this room.")).to_be_visible()


def busy(route: Route) -> None:
    problem = {"status": 503, "title": "", "detail": "the server is busy", "code": "busy"}
    headers = {"Retry-After": "1"}
    route.fulfill(status=503, body=json.dumps(problem), content_type=PROBLEM, headers=headers)


@pytest.mark.parametrize("path", ["**/api/games", "**/api/analysis/stream*"])
@pytest.mark.parametrize(
    ("refuse", "why"),
    [
        (busy, "The server is busy. Trying again…"),
        (lambda route: route.abort(), "The server cannot be reached. Trying again…"),
    ],
    ids=["busy", "unreachable"],
)
def test_a_server_that_does_not_answer_is_named_and_asked_again(
    enter: Enter, path: str, refuse: Callable[[Route], None], why: str
) -> None:
    ann = enter()
    ann.page.route(path, refuse)
    ann.go("/study?game=duel")
    expect(alarm(ann)).to_have_text(why)
    ann.page.unroute(path)
    expect(verdict(ann)).to_contain_text("A wins")
    expect(alarm(ann)).to_be_hidden()
    ann.troubles.clear()


# Positions set up by hand


def test_a_position_is_set_up_by_hand(enter: Enter) -> None:
    ann = enter()
    ann.go("/study?game=duel")
    ann.press("Set up a position")
    ann.cell("3,3").click()
    ann.page.locator("#editor input[name=brush][value='2']").check()
    ann.cell("1,1").click()
    ann.press("Analyse it")
    expect(verdict(ann)).to_contain_text("A wins in 9")
    assert "position=" in ann.page.url
    ann.page.reload()
    expect(verdict(ann)).to_contain_text("A wins in 9")


def test_a_position_that_cannot_be_stays_to_be_mended(enter: Enter) -> None:
    ann = enter()
    ann.go("/study?game=duel")
    ann.press("Set up a position")
    ann.page.get_by_label("The position as text").fill("nonsense")
    ann.press("Analyse it")
    expect(alarm(ann)).to_contain_text("nonsense")
    ann.press("Cancel")
    expect(verdict(ann)).to_contain_text("A wins")
    expect(alarm(ann)).to_be_hidden()
    ann.troubles.clear()


@pytest.mark.parametrize(
    ("game", "symbols", "asks", "choices"),
    [
        ("duel&moves=3,3", ["A", "B"], None, []),
        ("trail&moves=2,2+2,3", ["X", "O"], "The cell taken last", ["none", "2,3"]),
        ("race", ["P1", "P2"], "Phase", ["Step", "Block"]),
    ],
)
def test_setting_up_speaks_of_the_games_own_players_and_asks_what_it_has(
    enter: Enter, game: str, symbols: list[str], asks: str | None, choices: list[str]
) -> None:
    ann = enter()
    ann.go(f"/study?game={game}")
    ann.press("Set up a position")
    editor = ann.page.locator("#editor")
    expect(editor.locator(".sign")).to_have_text(symbols * 2)
    expect(editor.locator("[data-for=detail]")).to_be_visible(visible=asks is not None)
    if asks:
        expect(ann.page.get_by_label(asks).locator("option")).to_have_text(choices)


def text(person: Person) -> Locator:
    return person.page.get_by_label("The position as text")


def test_what_the_last_field_tells_follows_the_cells_and_the_mover(enter: Enter) -> None:
    ann = enter()
    ann.go("/study?game=trail&size=2x3&moves=1,1+1,2")
    ann.press("Set up a position")
    expect(text(ann)).to_have_value("12./... 1 1,2")
    ann.page.locator("#editor input[name=mover][value='2']").check()
    expect(text(ann)).to_have_value("12./... 2 -")  # the last cell was the other player's
    ann.page.get_by_label("The cell taken last").select_option("1,1")
    expect(text(ann)).to_have_value("12./... 2 1,1")
    ann.cell("1,1").click()
    expect(text(ann)).to_have_value(".2./... 2 -")


def test_tokens_are_moved_and_the_start_of_any_size_is_the_servers(enter: Enter) -> None:
    ann = enter()
    ann.go("/study?game=duel")
    ann.press("Set up a position")
    ann.page.get_by_label("Game", exact=True).select_option("race")
    expect(text(ann)).to_have_value("1.../..../..../...2 1 move")
    ann.page.get_by_label("Rows").fill("2")
    ann.page.get_by_label("Rows").blur()
    expect(text(ann)).to_have_value("1.../...2 1 move")
    expect(ann.page.locator("#board .goal")).to_have_count(2)
    ann.cell("0,2").click()
    expect(text(ann)).to_have_value("..1./...2 1 move")
    ann.page.get_by_label("Phase").select_option("Block")
    ann.press("Analyse it")
    expect(ann.page).to_have_url(re.compile(r"position=..1./...2\+1\+block"))
    expect(ann.legal).to_have_count(4)
    ann.cell("0,1").click()
    expect(verdict(ann)).to_contain_text("P2")
    assert turns(ann) == ["1.P10,1"]


def test_the_start_that_was_asked_for_last_counts_and_everything_stays_until_it_is_there(
    enter: Enter,
) -> None:
    ann = enter()
    ann.go("/study?game=duel&size=2x2&moves=1,1")
    ann.press("Set up a position")
    held = hold(ann, START)
    rows = ann.page.get_by_label("Rows")
    for count in ("3", "4"):
        with ann.page.expect_request(START):
            rows.fill(count)
            rows.blur()
    expect(text(ann)).to_have_value("1./.. 2 -")
    ann.press("Analyse it")  # it waits for the start
    for route in reversed(held):
        route.continue_()
    ann.page.unroute(START)
    expect(ann.page).to_have_url(re.compile(r"size=4x2&position=../../../..\+1\+-"))
    expect(ann.page.locator("#editor")).to_be_hidden()


def test_a_start_that_nobody_needs_any_more_does_not_come(enter: Enter) -> None:
    ann = enter()
    ann.go("/study?game=duel&size=2x2&moves=1,1")
    ann.press("Set up a position")
    hold(ann, START)
    rows = ann.page.get_by_label("Rows")
    with ann.page.expect_event("requestfailed", lambda asked: "start" in asked.url):
        with ann.page.expect_request(START):
            rows.fill("3")
            rows.blur()
        ann.cell("2,2").click()
    expect(text(ann)).to_have_value("1./.1 2 -")
    expect(rows).to_have_value("2")


def test_a_start_that_cannot_be_told_is_explained_or_asked_for_again(enter: Enter) -> None:
    ann = enter()
    ann.go("/study?game=race&size=2x1")
    ann.press("Set up a position")
    expect(text(ann)).to_have_value("1/2 1 move")
    rows = ann.page.get_by_label("Rows")
    rows.fill("1")
    rows.blur()
    expect(alarm(ann)).to_contain_text("needs a board of at least 2 cells")
    expect(text(ann)).to_have_value("1/2 1 move")
    ann.page.route(START, busy)
    rows.fill("3")
    rows.blur()
    expect(alarm(ann)).to_have_text("The server is busy. Trying again…")
    ann.page.unroute(START)
    expect(text(ann)).to_have_value("1/./2 1 move")
    expect(alarm(ann)).to_be_hidden()
    ann.troubles.clear()  # the browser notes that the server refused


def test_a_text_written_by_hand_is_kept_when_the_start_comes_late(enter: Enter) -> None:
    ann = enter()
    ann.go("/study?game=duel&size=2x2")
    ann.press("Set up a position")
    held = hold(ann, START)
    columns = ann.page.get_by_label("Columns")
    with ann.page.expect_request(START):
        columns.fill("3")
        columns.blur()
    text(ann).fill("1../..2 1 -")
    with ann.page.expect_response(START):
        held[0].continue_()
    ann.page.unroute(START)
    expect(ann.page.locator("#board [role=gridcell]")).to_have_count(6)
    expect(text(ann)).to_have_value("1../..2 1 -")
    ann.press("Analyse it")
    expect(ann.page).to_have_url(re.compile(r"size=2x3&position=1../..2\+1\+-"))


# How the pages look


def visit(person: Person, server: Server, page: str) -> None:
    """Open a page, which may be in some state, and wait until it is there."""
    if page == "review":
        person.go(f"/study?room={finished_room(server)}&number=1&review=1")
        expect(verdict(person)).to_contain_text("find a cell that wins")
        return
    games = {"race": "race", "estimates": "duel&size=11x11&moves=1,1"}
    person.go(f"/study?game={games.get(page, 'occupation&moves=3,3+1,1')}")
    value = ".estimate" if page == "estimates" else ".win"
    expect(person.page.locator(f"#board {value}").first).to_be_visible()
    if page == "other":
        person.page.get_by_label("Show what is closed to B").check()
    if page == "editor":
        person.press("Set up a position")


@in_every_window
def test_pages_fit_their_window_and_keep_nobody_out(
    enter: Enter, server: Server, size: tuple[int, int]
) -> None:
    ann = enter(size=size)
    for page in ("race", "estimates", "other", "editor", "review"):
        visit(ann, server, page)
        for scheme in in_both_schemes(ann.page):
            assert serious(ann.page, colours_only=scheme == "dark") == [], (page, scheme)
        assert ann.page.evaluate("document.documentElement.scrollWidth") <= size[0], page


def test_a_phone_on_its_side_shows_the_whole_board_and_the_steps(enter: Enter) -> None:
    ann = enter(size=LOW)
    ann.go("/study?game=occupation&moves=3,3")
    expect(verdict(ann)).to_contain_text("B loses")
    for part in (ann.cell("1,1"), ann.cell("5,5"), verdict(ann), ann.page.locator(".stepper")):
        expect(part).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("part", ["script/early.js", "script/study/store.js", "style/board.css"])
def test_a_page_whose_files_cannot_be_loaded_says_so(enter: Enter, part: str) -> None:
    ann = enter()
    ann.page.route(f"**/{part}*", lambda route: route.abort())
    ann.go("/study?game=duel")
    word = ann.page.locator(".last-resort, .without-script").filter(visible=True)
    expect(word).to_contain_text(re.compile("out of reach|cannot be reached"))
    ann.troubles.clear()


def test_without_scripts_a_page_says_that_it_needs_them(enter: Enter) -> None:
    ann = enter(java_script_enabled=False)
    ann.go("/study?game=duel")
    expect(ann.page.get_by_text("GridLock needs JavaScript")).to_be_visible()
