"""The page of a room: what each who looks at it sees, on any screen, and when things go wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import expect

from tests.web.browser import LOW, NARROW, Person, meet, play_out
from tests.web.services import Json, Server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    Enter = Callable[..., Person]

CLOSED = re.compile(r"\bclosed\b")
FREE = re.compile(r"\bfree\b")


def make(server: Server, **wishes: object) -> Json:
    return dict(httpx.post(f"{server.url}/api/rooms", json=wishes).json())


def seat(made: Json) -> str:
    """Return the address at which the maker of a room plays."""
    return f"/room/{made['state']['room']}#seat={made['token']}"


def below_the_window(page: Page) -> list[str]:
    """Return what somebody who plays needs and cannot see without scrolling."""
    return list(
        page.evaluate(
            """() => [...document.querySelectorAll(
                "grid-board .row, player-bar, #status, #verdict, .tools .buttons > *"
            )].filter((part) => part.checkVisibility()).filter((part) => {
                const { top, bottom, left, right } = part.getBoundingClientRect();
                return top < 0 || left < 0 || bottom > innerHeight || right > innerWidth;
            }).map((part) => `${part.tagName} ${part.className} ${part.textContent}`)"""
        )
    )


@pytest.mark.parametrize(
    ("game", "size"),
    [("race", "4x4"), ("trail", "5x5"), ("duel", "6x6"), ("claim", "7x7"), ("occupation", "8x8")],
)
def test_a_phone_on_its_side_shows_all_that_playing_needs(
    enter: Enter, server: Server, game: str, size: str
) -> None:
    ann = enter(size=LOW)
    ann.go(seat(make(server, game=game, size=size, opponent="self", clock={"base": 300})))
    ann.legal.first.click()
    expect(ann.page.locator("move-list li")).to_have_count(1)
    assert below_the_window(ann.page) == []
    box = ann.legal.first.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 32


def test_a_phone_on_its_side_shows_how_the_game_ended(enter: Enter) -> None:
    ann, bob = enter(size=LOW), enter(size=LOW)
    meet(ann, bob, "duel")
    play_out(ann, bob)
    for person in (ann, bob):
        expect(person.verdict).to_be_visible()
        assert below_the_window(person.page) == []


@pytest.mark.parametrize("size", [NARROW, LOW], ids=["narrow", "sideways"])
def test_a_long_name_takes_one_line(enter: Enter, server: Server, size: tuple[int, int]) -> None:
    name = "W" * 30
    made = make(server, game="duel", opponent="self", name=name, rounds=3, clock={"base": 300})
    ann = enter(size=size)
    ann.go(seat(made))
    shown, other = (ann.page.locator(f"player-bar{who}") for who in ("#far", "#near"))
    expect(shown.locator(".name")).to_have_attribute("title", name)
    boxes = [box for bar in (shown, other) if (box := bar.bounding_box())]
    assert boxes[0]["height"] == boxes[1]["height"]
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_room_that_is_gone_has_a_way_back_and_leaves_the_list(enter: Enter) -> None:
    ann = enter()
    kept = [{"room": "gone", "game": "duel", "size": "5x5", "against": "against Bob"}]
    ann.go("/rules/duel")
    ann.page.evaluate("kept => localStorage.setItem('gridlock.rooms', JSON.stringify(kept))", kept)
    ann.go("/room/gone")
    expect(ann.page.get_by_role("heading", name="There is no such room")).to_be_visible()
    expect(ann.page.locator("grid-board")).to_be_hidden()
    ann.page.get_by_role("link", name="To the first page").click()
    expect(ann.page.get_by_role("radio", name="Duel")).to_be_visible()
    expect(ann.page.get_by_text("Go on playing")).to_be_hidden()
    ann.troubles.clear()  # the browser's own words about an answer of 404


def test_closed_cells_are_ones_own_also_while_the_other_thinks(enter: Enter) -> None:
    ann, bob = enter(), enter()
    meet(ann, bob, "occupation")
    ann.take("3,3")
    expect(bob.cell("2,2")).to_have_class(CLOSED)
    expect(ann.cell("3,3")).to_have_class(re.compile("one"))
    expect(ann.cell("2,2")).to_have_class(FREE)  # Bob is to move, and Ann may still want it
    bob.take("1,1")
    expect(ann.cell("2,2")).to_have_class(CLOSED)
    expect(bob.cell("1,2")).to_have_class(FREE)
    expect(bob.cell("2,3")).to_have_class(CLOSED)


def test_on_one_screen_closed_cells_are_the_movers(enter: Enter) -> None:
    ann = enter()
    ann.begin("occupation", "Same screen")
    ann.take("3,3")
    expect(ann.cell("2,2")).to_have_class(CLOSED)
    ann.take("1,1")
    expect(ann.cell("2,3")).to_have_class(FREE)
    expect(ann.cell("1,2")).to_have_class(CLOSED)


def test_a_switch_shows_what_is_closed_to_the_other_and_is_remembered(enter: Enter) -> None:
    ann, bob = enter(), enter()
    meet(ann, bob, "occupation")
    ann.take("3,3")
    switch = ann.page.get_by_role("switch", name="Show what is closed to B")
    closed_to_bob = ann.page.get_by_role("gridcell", name="2,3, free, closed to B")
    expect(switch).not_to_be_checked()
    expect(closed_to_bob).to_have_count(0)
    switch.check()
    expect(closed_to_bob).to_have_class(re.compile("closed-to-2"))
    ann.page.reload()
    expect(switch).to_be_checked()
    expect(closed_to_bob).to_be_visible()


def seated(person: Person) -> list[str]:
    """Return the signs and names of the players, the far one first."""
    expect(person.page.locator("#status")).not_to_be_empty()
    bars = person.page.locator("player-bar").all_inner_texts()
    return [" ".join(bar.split()) for bar in bars]


def test_a_rematch_on_one_screen_names_the_players_by_their_sides(
    enter: Enter, server: Server
) -> None:
    ann = enter()
    ann.go(seat(make(server, game="race", opponent="self")))
    ann.press("Give up")
    ann.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    room = ann.room
    ann.press("Rematch")
    ann.page.wait_for_url(lambda url: "/room/" in url and room not in url)
    assert seated(ann) == ["P1 Player 1", "P2 Player 2"]


def test_names_and_symbols_go_along_when_friends_change_sides(enter: Enter) -> None:
    ann, bob = enter(), enter()
    room = meet(ann, bob, "claim")
    ann.press("Give up")
    ann.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    bob.press("Rematch")
    ann.press("Agree")
    for person, names in ((ann, ["X Bob", "O Ann you"]), (bob, ["O Ann", "X Bob you"])):
        person.page.wait_for_url(lambda url: room not in url)
        assert seated(person) == names


def test_moves_are_numbered_turn_by_turn(enter: Enter) -> None:
    ann = enter()
    ann.begin("race", "Same screen")
    for count, cell in enumerate(("0,1", "1,0", "3,2", "2,3", "0,2")):
        ann.take(cell)
        expect(ann.page.locator("move-list li")).to_have_count(count // 2 + 1)
        expect(ann.page.locator("move-list li").last).to_contain_text(cell)
    turns = [" ".join(text.split()) for text in ann.moves()]
    assert turns == ["1. P1 0,1/1,0", "2. P2 3,2/2,3", "3. P1 0,2"]


def test_each_is_told_in_their_own_words_who_has_won(enter: Enter) -> None:
    ann, bob, eve = enter(), enter(size=NARROW), enter()
    room = meet(ann, bob, "duel")
    eve.go(f"/room/{room}")
    expect(eve.page.get_by_text("You are watching")).to_be_visible()
    bob.press("Give up")
    bob.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(ann.verdict).to_have_text("You win!")
    expect(bob.verdict).to_have_text("You lose.")
    expect(eve.verdict).to_have_text("Ann wins!")
    expect(ann.page.locator("#announcer")).to_contain_text("You win! B gives up: A wins!")
    for person in (ann, bob, eve):
        expect(person.status).to_have_text("B gives up: A wins!")


def watch_for_delight(person: Person) -> None:
    """Note from now on whether anything flies over the board."""
    person.page.evaluate(
        """() => {
            window.delights = 0;
            new MutationObserver((changes) => {
                for (const { addedNodes } of changes) for (const node of addedNodes)
                    if (node.className === "celebration") window.delights += 1;
            }).observe(document.body, { childList: true, subtree: true });
        }"""
    )


def test_winning_is_a_moment_of_delight_for_the_winner_where_things_may_move(enter: Enter) -> None:
    ann, bob, eve = enter(), enter(), enter(reduced_motion="reduce")
    meet(ann, bob, "duel")
    eve.begin("duel", "Same screen")
    for person in (ann, bob, eve):
        watch_for_delight(person)
    play_out(ann, bob)
    play_out(eve)
    expect(eve.status).to_contain_text("wins!")
    winner, loser = (ann, bob) if ann.verdict.inner_text() == "You win!" else (bob, ann)
    assert winner.page.evaluate("window.delights") == 1
    assert loser.page.evaluate("window.delights") == 0
    assert eve.page.evaluate("window.delights") == 0
    expect(winner.page.locator(".celebration")).to_have_count(0)  # it is soon over


def test_a_move_made_offline_is_said_to_wait_and_is_sent_later(enter: Enter) -> None:
    ann, bob = enter(), enter()
    meet(ann, bob, "duel")
    ann.context.set_offline(True)
    ann.cell("3,3").click()
    expect(ann.status).to_have_text("Sending 3,3…")
    expect(ann.banner).to_have_text(
        "You are offline. Your move will be sent when the connection is back."
    )
    expect(bob.cell("3,3")).to_have_class(FREE)
    ann.context.set_offline(False)
    expect(bob.cell("3,3")).to_have_class(re.compile("one"))
    expect(ann.banner).to_be_hidden()
    expect(ann.status).to_have_text("Bob to move")
    ann.troubles.clear()  # the browser's own words about the missing network


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (1011, "The server cannot be reached."),
        (1013, "The server is busy."),
        (4403, "The server takes no connections from this address."),
        (4429, "There are too many connections from here."),
    ],
)
def test_a_room_says_why_there_is_no_connection(
    enter: Enter, server: Server, code: int, words: str
) -> None:
    ann = enter(is_new=True)
    ann.page.route_web_socket(re.compile("/live$"), lambda socket: socket.close(code=code))
    ann.go(seat(make(server, game="duel", opponent="self")))
    expect(ann.banner).to_contain_text(words)


IMPATIENT = """
from gridlock.web import rooms, presence, room
presence._NOTING_SECONDS = 0.1
presence.SEEN_MILLISECONDS = rooms.SEEN_MILLISECONDS = 500
room._ABORT_AFTER = room._CLAIM_AFTER = room._CLAIM_AFTER_WITHOUT_CLOCK = 1500
"""
"""A server that waits for nobody for long."""


@pytest.fixture
def friends(browser: Browser, tmp_path: Path) -> Iterator[tuple[Person, Person]]:
    """Ann and Bob at a game of duel on an impatient server."""
    database = ("--database", str(tmp_path / "web.db"), "--no-limits")
    with Server(tmp_path / "log", *database, before=IMPATIENT) as server:
        ann, bob = Person(browser, server.url), Person(browser, server.url)
        meet(ann, bob, "duel")
        yield ann, bob
        for person in (ann, bob):
            assert person.troubles == []
            person.close()


def test_a_game_that_the_other_never_begins_can_be_aborted(friends: tuple[Person, Person]) -> None:
    ann, bob = friends
    expect(bob.status).to_have_text("Ann has not moved yet: you may abort the game.")
    expect(ann.page.get_by_role("button", name="Abort the game")).to_be_hidden()
    bob.press("Abort the game")
    for person in friends:
        expect(person.status).to_have_text("The game was aborted: nobody wins.")
        expect(person.verdict).to_be_hidden()
        expect(person.page.get_by_role("link", name="Review")).to_be_hidden()


def test_an_aborted_game_ends_its_series_and_says_who_leads(
    friends: tuple[Person, Person],
) -> None:
    ann, bob = friends
    wishes = {"game": "trail", "size": "1x2", "opponent": "friend", "name": "Ann", "rounds": 3}
    made = httpx.post(f"{ann.url}/api/rooms", json=wishes).json()
    room = made["state"]["room"]
    joined = {"invite": made["invite"], "name": "Bob"}
    token = httpx.post(f"{ann.url}/api/rooms/{room}/join", json=joined).json()["token"]
    ann.go(seat(made))
    bob.go(f"/room/{room}#seat={token}")
    play_out(ann, bob)
    ann.press("Next game")
    expect(ann.status).to_have_text("Bob has not moved yet: you may abort the game.")
    ann.press("Abort the game")
    text = "The game was aborted: nobody wins. The series ends here: Bob leads, 1 to 0."
    for person in friends:
        expect(person.status).to_have_text(text)
        expect(person.page.locator("#announcer")).to_have_text(text)


def test_the_game_of_somebody_who_has_left_can_be_claimed(friends: tuple[Person, Person]) -> None:
    ann, bob = friends
    ann.take("3,3")
    bob.take("1,1")
    expect(ann.legal.first).to_be_visible()
    ann.page.goto("about:blank")
    expect(bob.status).to_have_text("Ann has been away for a while: you may claim the win.")
    bob.press("Claim the win")
    expect(bob.verdict).to_have_text("You win!")
    expect(bob.status).to_have_text("A has left the game: B wins!")
