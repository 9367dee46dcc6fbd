"""The page in a real browser: whole games, players and watchers, breaks, keys, narrow windows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import Browser, Route, expect

from gridlock.rulebooks.catalogue import RULEBOOKS
from tests.conftest import variants
from tests.web.browser import (
    NARROW,
    Person,
    in_both_schemes,
    in_every_window,
    meet,
    play_out,
    serious,
)
from tests.web.services import Server, finished_room

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def state_of(server: Server, room: str) -> dict[str, object]:
    return dict(httpx.get(f"{server.url}/api/rooms/{room}").json())


@pytest.mark.parametrize("game", variants(*RULEBOOKS))
def test_two_browsers_play_a_whole_game_while_a_third_watches(
    enter: Callable[..., Person], server: Server, game: str
) -> None:
    ann, bob, eve = enter(), enter(size=NARROW), enter()
    room = meet(ann, bob, game)
    eve.go(f"/room/{room}")
    expect(eve.page.get_by_text("You are watching")).to_be_visible()
    play_out(ann, bob)
    for person in (ann, bob, eve):
        expect(person.status).to_contain_text("wins!")
    assert ann.marks() == bob.marks() == eve.marks()
    assert eve.moves() == ann.moves()
    assert eve.legal.count() == 0
    moves = state_of(server, room)["moves"]
    assert "".join(ann.moves()).count(",") == len(moves)  # type: ignore[arg-type]


def test_against_the_computer_with_hint_take_back_and_rematch(
    enter: Callable[..., Person],
) -> None:
    ann = enter()
    ann.begin("duel", "Computer")
    ann.press("Hint")
    expect(ann.status).to_contain_text("3,3 wins: after 3,3 every answer can be mirrored")
    ann.take("3,3")
    expect(ann.page.locator("move-list li")).to_have_count(2)  # the computer has answered
    ann.press("Take back")
    expect(ann.page.locator("move-list li")).to_have_count(0)
    play_out(ann)
    room = ann.room
    ann.press("Rematch")
    ann.page.wait_for_url(lambda url: "/room/" in url and room not in url)
    expect(ann.page.locator("move-list li")).to_have_count(1)  # the computer begins
    expect(ann.status).to_contain_text("Your turn")


def test_friends_agree_on_taking_back_and_on_a_rematch(enter: Callable[..., Person]) -> None:
    ann, bob = enter(), enter()
    room = meet(ann, bob, "claim")
    ann.take("2,2")
    expect(bob.legal.first).to_be_visible()
    ann.press("Take back")
    expect(bob.offer).to_contain_text("Ann asks to take a turn back")
    bob.press("Agree")
    expect(ann.cell("2,2")).to_have_class(re.compile("free"))
    expect(ann.status).to_contain_text("Your turn")
    ann.press("Give up")
    ann.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(bob.status).to_contain_text("X gives up: O wins!")
    bob.press("Rematch")
    expect(ann.offer).to_contain_text("Bob asks for a rematch")
    ann.press("Agree")
    for person in (ann, bob):
        person.page.wait_for_url(lambda url: room not in url)
    expect(bob.status).to_contain_text("Your turn")  # the sides are changed


def test_a_closed_cell_is_explained(enter: Callable[..., Person]) -> None:
    ann = enter()
    ann.begin("duel", "Same screen")
    ann.take("3,3")
    expect(ann.cell("3,2")).to_have_class(re.compile("closed"))
    ann.cell("3,2").click()
    expect(ann.status).to_have_text("3,2 is closed: next to A's 3,3.")
    expect(ann.cell("3,2")).to_have_class(re.compile("closed"))


def test_a_lost_connection_comes_back_by_itself_and_misses_nothing(
    browser: Browser, tmp_path: Path
) -> None:
    database = ("--database", str(tmp_path / "web.db"), "--no-limits")
    first = Server(tmp_path / "log", *database)
    ann, bob = Person(browser, first.url), Person(browser, first.url)
    room = meet(ann, bob, "duel")
    first.kill()
    expect(ann.page.get_by_text("The connection is lost.")).to_be_visible()
    ann.cell("3,3").click()  # sent when there is somebody to hear it
    expect(ann.status).to_have_text("Sending 3,3…")
    expect(ann.page.locator("#banner")).to_contain_text("Your move will be sent when")
    with Server(tmp_path / "log", *database, "--port", str(first.port)) as second:
        expect(bob.cell("3,3")).to_have_class(re.compile("one"))
        expect(ann.cell("3,3")).to_have_class(re.compile("one"))
        expect(bob.page.locator("#banner")).to_be_hidden()
        bob.take("1,1")
        expect(bob.cell("1,1")).to_have_class(re.compile("two"))
        expect(ann.cell("1,1")).to_have_class(re.compile("two"))
        assert state_of(second, room)["moves"] == ["3,3", "1,1"]
    for person in (ann, bob):
        person.close()


def test_a_reload_a_second_tab_and_another_device_go_on(enter: Callable[..., Person]) -> None:
    ann, phone = enter(), enter(size=NARROW)
    room = ann.begin("duel", "Same screen")
    ann.take("3,3")
    expect(ann.cell("3,3")).to_have_class(re.compile("one"))
    ann.page.reload()
    expect(ann.cell("3,3")).to_have_class(re.compile("one"))
    ann.press("Links")
    seat = ann.page.get_by_label("Your seat's link").input_value()
    ann.new_tab()
    ann.go(f"/room/{room}")
    ann.take("1,1")
    expect(ann.cell("1,1")).to_have_class(re.compile("two"))
    phone.go(seat)
    expect(phone.legal.first).to_be_visible()
    assert "#" not in phone.page.url  # the secret does not stay in the address bar
    phone.take("5,5")
    expect(ann.cell("5,5")).to_have_class(re.compile("one"))


def test_a_seat_whose_answer_is_lost_again_and_again_is_taken_all_the_same(
    enter: Callable[..., Person],
) -> None:
    ann, bob = enter(), enter()
    ann.begin("duel", "Friend by link")
    lost: list[int] = []

    def lose(route: Route) -> None:
        """Let the server hear everything, but the page nothing, five times."""
        if len(lost) == 5:
            route.continue_()
        else:
            lost.append(route.fetch().status)
            route.abort()

    bob.page.route("**/join", lose)
    bob.go(ann.page.get_by_label("Invitation").input_value())
    bob.press("Take the seat")
    expect(ann.legal.first).to_be_visible()
    while len(lost) < 5:
        bob.page.evaluate("dispatchEvent(new Event('online'))")  # no need to wait any longer
        bob.page.wait_for_timeout(20)
    assert set(lost) == {200}
    bob.page.evaluate("dispatchEvent(new Event('online'))")
    ann.cell("3,3").click()
    expect(bob.legal.first).to_be_visible()
    bob.troubles.clear()  # the browser's own words about the answers that were lost


def test_an_invitation_that_was_used_lets_one_watch(enter: Callable[..., Person]) -> None:
    ann, bob, eve = enter(), enter(), enter()
    ann.begin("trail", "Friend by link")
    link = ann.page.get_by_label("Invitation").input_value()
    bob.go(link)
    bob.press("Take the seat")
    expect(ann.legal.first).to_be_visible()
    eve.go(link)
    expect(eve.page.get_by_text("You are watching")).to_be_visible()
    eve.page.locator("grid-board#board [role=gridcell]").first.click()
    expect(eve.status).to_contain_text("the players choose")


def test_a_whole_game_by_keyboard_alone(enter: Callable[..., Person]) -> None:
    ann = enter()
    ann.go("/")
    ann.page.get_by_role("radio", name="Occupation").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight"):  # trail
        ann.page.keyboard.press(key)
    tab_to(ann, "input[name=opponent]")
    ann.page.keyboard.press("ArrowLeft")  # from the computer round to the same screen
    tab_to(ann, "button[type=submit]")
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_url("**/room/*")
    expect(ann.legal.first).to_be_visible()
    tab_to(ann, "[role=gridcell]")
    moves = 0
    while "over" not in str(ann.status.get_attribute("class")):
        go_to_first_legal(ann)
        ann.page.keyboard.press("Enter")
        moves += 1
        expect(ann.page.locator("move-list li")).to_have_count(moves)
    expect(ann.status).to_contain_text("cannot move")


def tab_to(person: Person, selector: str) -> None:
    """Press Tab until something has the focus."""
    for _ in range(40):
        person.page.keyboard.press("Tab")
        if person.page.evaluate(f"document.activeElement.matches({selector!r})"):
            return
    raise AssertionError(f"Tab does not lead to {selector}")


def go_to_first_legal(person: Person) -> None:
    """Go with the arrow keys from the cell with the focus to the first one that is offered."""
    here = person.page.evaluate("document.activeElement.dataset.cell").split(",")
    there = str(person.legal.first.get_attribute("data-cell")).split(",")
    for axis, keys in ((0, ("ArrowUp", "ArrowDown")), (1, ("ArrowLeft", "ArrowRight"))):
        steps = int(there[axis]) - int(here[axis])
        for _ in range(abs(steps)):
            person.page.keyboard.press(keys[steps > 0])


def test_each_move_is_announced_and_the_board_is_a_labelled_grid(
    enter: Callable[..., Person],
) -> None:
    ann = enter()
    ann.begin("duel", "Same screen")
    expect(ann.page.get_by_role("grid", name="duel, 5x5")).to_be_visible()
    ann.page.get_by_role("gridcell", name="3,3, free").click()
    expect(ann.page.get_by_role("gridcell", name="3,3, A's, last move")).to_be_visible()
    expect(ann.page.get_by_role("gridcell", name="3,2, closed")).to_be_visible()
    expect(ann.page.locator("#announcer")).to_contain_text("A takes 3,3")


def test_time_runs_out_before_everybodys_eyes(enter: Callable[..., Person], server: Server) -> None:
    wishes = {"game": "duel", "opponent": "self", "clock": {"base": 2}}
    made = httpx.post(f"{server.url}/api/rooms", json=wishes).json()
    ann = enter()
    ann.go(f"/room/{made['state']['room']}#seat={made['token']}")
    ann.cell("3,3").click()
    expect(ann.status).to_contain_text("B has no time left: A wins!")


def test_a_series_is_played_game_by_game(enter: Callable[..., Person], server: Server) -> None:
    wishes = {"game": "trail", "size": "1x2", "opponent": "self", "rounds": 2}
    made = httpx.post(f"{server.url}/api/rooms", json=wishes).json()
    ann = enter()
    ann.go(f"/room/{made['state']['room']}#seat={made['token']}")
    play_out(ann)
    ann.press("Next game")
    expect(ann.page.get_by_text("game 2 of 2")).to_be_visible()
    play_out(ann)
    expect(ann.status).to_contain_text("The series is a tie, 1 to 1.")


PAGES = ["/", "room", "waiting", "over", "/rules/claim", "/room/gone"]


@in_every_window
def test_pages_fit_their_window_and_keep_nobody_out(
    enter: Callable[..., Person], server: Server, size: tuple[int, int]
) -> None:
    ann = enter(size=size)
    for page in PAGES:
        visit(ann, server, page)
        for scheme in in_both_schemes(ann.page):
            assert serious(ann.page, colours_only=scheme == "dark") == [], (page, scheme)
            background = ann.page.evaluate("getComputedStyle(document.body).backgroundColor")
            red = int(re.findall(r"\d+", background)[0])
            assert (red < 128) == (scheme == "dark")
        width = ann.page.evaluate("document.documentElement.scrollWidth")
        assert width <= size[0], page


def visit(person: Person, server: Server, page: str) -> None:
    """Go to a page, which may be a room in some state, and wait until it is there."""
    if page == "room":
        person.begin("occupation", "Same screen")
        person.cell("3,3").click()
        expect(person.cell("2,2")).to_have_class(re.compile("closed"))
        return
    if page == "waiting":
        person.begin("claim", "Friend by link")
        expect(person.page.get_by_label("Invitation")).to_be_visible()
        return
    person.go(f"/room/{finished_room(server)}" if page == "over" else page)
    person.page.wait_for_load_state("networkidle")
    if page == "/room/gone":
        person.troubles.clear()  # the browser's own words about an answer of 404


def test_cells_can_be_hit_with_a_finger_on_a_narrow_phone(enter: Callable[..., Person]) -> None:
    ann = enter(size=NARROW)
    for game, rulebook in RULEBOOKS.items():
        ann.begin(game, "Same screen")
        expect(ann.legal.first).to_be_visible()
        box = ann.legal.first.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 40, (game, rulebook.size)


def test_the_first_page_is_light(enter: Callable[..., Person]) -> None:
    ann = enter(is_new=True)
    session = ann.context.new_cdp_session(ann.page)
    session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    ann.go("/")
    ann.page.wait_for_load_state("networkidle")
    assert 10_000 < sum(sizes) < 100_000


def test_colours_sounds_and_movement_are_remembered(enter: Callable[..., Person]) -> None:
    ann = enter(color_scheme="light")
    ann.go("/")
    ann.page.get_by_label("Settings").click()
    ann.page.get_by_role("radio", name="Dark").check()
    ann.page.get_by_role("switch", name="Movement").uncheck()
    ann.page.reload()
    root = ann.page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-motion", "off")


def test_script_in_a_name_stays_a_name(enter: Callable[..., Person]) -> None:
    ann, bob = enter(), enter()
    name = "<img src=x onerror=alert(1)>"
    ann.begin("duel", "Friend by link", **{"Your name": name})
    bob.go(ann.page.get_by_label("Invitation").input_value())
    expect(bob.page.get_by_text(f"{name} invites you to play")).to_be_visible()
    bob.press("Take the seat")
    expect(bob.page.get_by_text(name, exact=True)).to_be_visible()
