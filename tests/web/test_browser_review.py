"""A review in a real browser: mistakes as they are found, and to do better."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import expect

from tests.web.browser import serious
from tests.web.feed import Feed
from tests.web.services import Json, Server, bearer, finished_room

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator

    from tests.web.browser import Person

    Enter = Callable[..., Person]


def verdict(person: Person) -> Locator:
    return person.page.locator("#verdict")


def friendly_game(server: Server) -> tuple[str, dict[int, str]]:
    """Play a game of duel in which both make mistakes, and return its room and the tokens."""
    client = httpx.Client(base_url=server.url)
    made = client.post("/api/rooms", json={"game": "duel", "opponent": "friend"}).json()
    path = f"/api/rooms/{made['state']['room']}"
    joined = client.post(f"{path}/join", json={"invite": made["invite"]}).json()
    tokens = {1: made["token"], 2: joined["token"]}
    view = joined["state"]["view"]
    while view["status"] == "playing":
        cell = view["board"]["legal"][0]
        act = {"id": cell, "ply": view["ply"], "do": "play", "cell": cell}
        token = tokens[view["board"]["mover"]]
        view = client.post(f"{path}/actions", json=act, headers=bearer(token)).json()["state"][
            "view"
        ]
    client.close()
    return made["state"]["room"], tokens


def test_a_review_opens_at_the_first_mistake_and_hides_its_solution(
    enter: Enter, server: Server
) -> None:
    ann = enter()
    ann.go(f"/study?room={finished_room(server)}&number=1&review=1")
    expect(verdict(ann)).to_have_text(
        "Move 3: A gave the win away with 1,5. A to move: find a cell that wins."
    )
    expect(ann.cell("1,5")).to_contain_text("✗")
    expect(ann.page.locator("#board .win, #board .loss")).to_have_count(0)
    expect(ann.page.locator("#best")).to_be_hidden()
    expect(ann.page.get_by_text("would have won")).to_have_count(0)
    ann.take("1,5")
    expect(verdict(ann)).to_have_text("1,5 does not win. Look again.")
    ann.take("3,3")
    expect(verdict(ann)).to_contain_text("Right: 3,3 wins.")
    solution = ann.page.get_by_text("Move 3: A gave the win away with 1,5: 3,3 would have won.")
    expect(solution).to_be_visible()
    expect(ann.cell("3,3")).to_contain_text("W")
    ann.page.get_by_role("button", name="Try again").first.click()
    expect(solution).to_have_count(0)
    expect(ann.cell("3,3")).not_to_contain_text("W")


def test_a_game_that_was_given_up_at_once_contradicts_itself_nowhere(
    enter: Enter, server: Server
) -> None:
    with httpx.Client(base_url=server.url) as client:
        made = client.post("/api/rooms", json={"game": "duel", "opponent": "self"}).json()
        room = made["state"]["room"]
        given_up = {"id": "1", "ply": 0, "do": "resign"}
        path = f"/api/rooms/{room}/actions"
        client.post(path, json=given_up, headers=bearer(made["token"])).raise_for_status()
    ann = enter()
    ann.go(f"/study?room={room}&number=1&review=1")
    panel = ann.page.locator("#review")
    expect(panel).to_contain_text("resigned in a won position")
    expect(panel.locator(".none")).to_have_text("No move gave a won position away.")


def test_the_answer_to_a_mistake_is_shown_to_whoever_asks(enter: Enter, server: Server) -> None:
    ann = enter()
    ann.go(f"/study?room={finished_room(server)}&number=1&review=1")
    ann.press("Show the answer")
    expect(ann.cell("3,3")).to_contain_text("W")
    expect(ann.page.get_by_text("3,3 would have won.")).to_be_visible()
    ann.page.keyboard.press("m")  # the next mistake is still hidden
    expect(verdict(ann)).to_contain_text("Move 4: B gave the win away with 2,2. B to move")
    expect(ann.page.locator("#board .win, #board .loss")).to_have_count(0)


def test_a_mistake_that_was_solved_stays_the_present_one(enter: Enter, server: Server) -> None:
    """Also where the move before it was a mistake as well."""
    ann = enter()
    ann.go(f"/study?room={finished_room(server)}&number=1&review=1")
    expect(verdict(ann)).to_contain_text("Move 3: A")
    ann.page.keyboard.press("m")
    expect(verdict(ann)).to_contain_text("Move 4: B")
    present = ann.page.locator("#review .present")
    expect(present).to_contain_text("Move 4: B")
    ann.press("Show the answer")
    expect(ann.page.locator("#board .win")).not_to_have_count(0)
    expect(present).to_contain_text("Move 4: B")
    expect(verdict(ann)).to_contain_text("Move 4: B gave the win away with 2,2. B wins")
    ann.page.keyboard.press("ArrowLeft")
    expect(present).to_contain_text("Move 3: A")


@pytest.mark.parametrize(("player", "number"), [(1, 3), (2, 4)])
def test_a_review_opens_at_ones_own_first_mistake(
    enter: Enter, server: Server, player: int, number: int
) -> None:
    room, tokens = friendly_game(server)
    ann = enter()
    ann.go(f"/room/{room}#seat={tokens[player]}")
    expect(ann.page.get_by_text("You are watching")).to_be_hidden()
    ann.go(f"/study?room={room}&number=1&review=1")
    expect(verdict(ann)).to_contain_text(f"Move {number}: {'AB'[player - 1]}")


def test_a_place_of_a_review_that_was_passed_on_is_opened_as_it_is(
    enter: Enter, server: Server
) -> None:
    ann = enter()
    ann.go(f"/study?room={finished_room(server)}&number=1&ply=6&review=1")
    expect(verdict(ann)).to_contain_text("Move 6: B gave the win away with 3,1. A wins")
    expect(ann.page.locator("#moves [aria-current]")).to_have_text(re.compile("3,1"))


def test_a_mistake_is_done_better_by_keyboard_alone(enter: Enter, server: Server) -> None:
    ann = enter()
    ann.go(f"/study?room={finished_room(server)}&number=1&review=1")
    expect(verdict(ann)).to_contain_text("find a cell that wins")
    ann.page.locator("#board [tabindex='0']").focus()
    ann.page.keyboard.press("Home")
    while (row := int(ann.page.evaluate("document.activeElement.dataset.cell.split(',')[0]"))) != 3:
        ann.page.keyboard.press("ArrowDown" if row < 3 else "ArrowUp")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        ann.page.keyboard.press(key)
    expect(verdict(ann)).to_contain_text("Right: 3,3 wins.")


def so_far(review: Json, judged: int) -> Json:
    """Return a review when only so many of the last actions have been looked at."""
    unknown: Json = {"before": "unknown", "after": "unknown", "mistake": False, "better": []}
    unknown |= {"punishment": None, "fault": None, "text": None}
    actions = review["actions"]
    kept = len(actions) - judged
    told = [*({**action, **unknown} for action in actions[:kept]), *actions[kept:]]
    return review | {"actions": told, "summary": ["", ""], "complete": False}


def test_mistakes_are_shown_as_they_are_found(enter: Enter, server: Server) -> None:
    room = finished_room(server)
    known = httpx.get(f"{server.url}/api/rooms/{room}/review").json()
    count = len(known["actions"])
    ann = enter(is_new=True)
    feed = Feed(ann, "/review/stream")
    ann.go(f"/study?room={room}&number=1&review=1")
    feed.wait(1)
    panel, bars = ann.page.locator("#review"), ann.page.locator("game-timeline .bar")
    found = panel.locator(".mistakes li")
    feed.tell(so_far(known, 0))
    expect(panel).to_contain_text(f"Looking for mistakes… 0 of {count} moves judged")
    expect(bars).to_have_count(count)
    feed.tell(so_far(known, count - 3))
    expect(panel).to_contain_text(f"{count - 3} of {count} moves judged")
    some = sum(action["mistake"] for action in known["actions"][3:])
    expect(found).to_have_count(some)
    expect(panel.locator(".summary li")).to_have_count(0)
    bars.last.focus()
    feed.tell(so_far(known, count - 2))
    expect(panel).to_contain_text(f"{count - 2} of {count} moves judged")
    expect(bars.last).to_be_focused()
    feed.tell(known)
    expect(panel).not_to_contain_text("Looking for mistakes")
    expect(panel.locator(".summary li")).to_have_text(known["summary"])
    expect(verdict(ann)).to_contain_text("Move 3: A gave the win away")


def test_what_was_probably_a_mistake_stands_apart_from_mistakes(
    enter: Enter, server: Server
) -> None:
    room = finished_room(server)
    known = httpx.get(f"{server.url}/api/rooms/{room}/review").json()
    doubt: Json = {"before": "unknown", "after": "unknown", "mistake": False, "better": []}
    doubt |= {"estimate_before": 0.7, "estimate_after": 0.2, "doubtful": True, "punishment": None}
    doubt |= {"fault": "Move 3 was probably a mistake.", "text": "Move 3 was probably a mistake."}
    actions = [*known["actions"]]
    assert actions[2]["mistake"]
    actions[2] = {**actions[2], **doubt}
    guess = {"before": "unknown", "after": "unknown", "estimate_before": 0.4, "estimate_after": 0.4}
    actions[0] = {**actions[0], **guess}
    ann = enter(is_new=True)
    feed = Feed(ann, "/review/stream")
    ann.go(f"/study?room={room}&number=1&review=1&ply=3")
    feed.wait(1)
    feed.tell(known | {"actions": actions, "complete": False, "summary": ["", ""]})
    panel, bars = ann.page.locator("#review"), ann.page.locator("game-timeline .bar")
    count = len(known["actions"])
    expect(panel).to_contain_text(f"{count - 2} of {count} moves judged, 2 estimated")
    facts = sum(action["mistake"] for action in actions)
    expect(panel.locator(".mistakes li")).to_have_count(facts)
    doubts = panel.locator(".doubts li")
    expect(doubts).to_have_text(["Move 3 was probably a mistake."])
    expect(panel.get_by_role("heading", name="Probably mistakes")).to_be_visible()
    expect(bars.nth(2)).to_have_class("bar estimate down doubtful")
    expect(bars.nth(2)).to_have_accessible_name(
        re.compile("B estimated at about 80 per cent, probably a mistake$")
    )
    expect(bars.nth(0)).to_have_class("bar estimate down")
    expect(ann.page.get_by_role("img", name="probably a mistake")).to_have_text("?")
    doubts.get_by_role("button").click()  # it is no riddle: nobody knows what is right
    expect(verdict(ann)).to_contain_text("Move 3 was probably a mistake.")
    expect(ann.page.locator("#riddle")).to_be_hidden()
    assert serious(ann.page) == []
    feed.tell(known)  # it was one
    expect(panel.locator(".mistakes li")).to_have_count(facts + 1)
    expect(panel.get_by_role("heading", name="Probably mistakes")).to_be_hidden()


def test_a_review_that_breaks_off_is_begun_again_and_keeps_what_it_found(
    enter: Enter, server: Server
) -> None:
    room = finished_room(server)
    known = httpx.get(f"{server.url}/api/rooms/{room}/review").json()
    count = len(known["actions"])
    ann = enter(is_new=True)
    feed = Feed(ann, "/review/stream")
    ann.go(f"/study?room={room}&number=1&review=1")
    feed.wait(1)
    feed.tell(so_far(known, count - 2))
    panel = ann.page.locator("#review")
    expect(panel).to_contain_text(f"{count - 2} of {count} moves judged")
    ann.page.evaluate("streams.at(-1).close()")
    expect(ann.page.locator("#alarm")).to_have_text("The connection was lost. Trying again…")
    feed.wait(2)
    feed.tell(so_far(known, 1))
    feed.tell(so_far(known, count - 1))
    expect(panel).to_contain_text(f"{count - 1} of {count} moves judged")
    expect(ann.page.locator("#alarm")).to_be_hidden()
    feed.tell(known)
    expect(panel.locator(".summary li")).to_have_count(2)


def test_a_review_that_nobody_waits_for_is_called_off(enter: Enter, server: Server) -> None:
    ann = enter(is_new=True)
    feed = Feed(ann, "/review/stream")
    ann.go(f"/study?room={finished_room(server)}&number=1&review=1")
    feed.wait(1)
    expect(ann.page.locator("#review")).to_contain_text("Looking for mistakes…")
    ann.press("Set up a position")
    ann.press("Analyse it")
    expect(ann.page.locator("#review")).to_be_hidden()
    assert ann.page.evaluate("signals.at(-1).aborted")
