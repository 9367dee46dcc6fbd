"""The page of one's own games: the lists, the results, and the way to another device."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx
import pytest
import zxingcpp
from playwright.sync_api import expect

from tests.web.browser import NARROW, Person, in_both_schemes, in_every_window, meet, serious
from tests.web.services import Json, Server, bearer, finished_room

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator

    Enter = Callable[..., Person]

DAY = 86_400_000  # milliseconds
THEN = 1_791_201_600_000  # noon of a day in October 2026
NOWHERE = "nowhere"


def make(server: Server, **wishes: object) -> Json:
    """Make a room on a board so small that the maker wins by the only action."""
    asked = {"game": "trail", "size": "1x1", "opponent": "computer", "level": 4, **wishes}
    return dict(httpx.post(f"{server.url}/api/rooms", json=asked).json())


def play(server: Server, made: Json, cell: str = "1,1") -> None:
    path = f"{server.url}/api/rooms/{made['state']['room']}/actions"
    act = {"id": cell, "ply": 0, "do": "play", "cell": cell}
    httpx.post(path, json=act, headers=bearer(made["token"])).raise_for_status()


def seat(made: Json) -> str:
    return f"/room/{made['state']['room']}#seat={made['token']}"


def entry(place: int, **changes: object) -> Json:
    """Return a finished game against the computer, as a list keeps it, that is gone."""
    return {
        "room": f"{NOWHERE}{place}", "game": "duel", "size": "5x5", "you": [1], "stage": "You won",
        "against": "against the computer, level 4", "at": THEN + place * DAY, "isOver": True,
        "isGone": True, "games": 1, "level": 4, "won": [True], **changes,
    }  # fmt: skip


def keep(person: Person, *rooms: Json) -> None:
    """Let a browser have had games."""
    person.go("/healthz")
    person.page.evaluate(
        """rooms => {
            localStorage.setItem("gridlock.rooms", JSON.stringify(rooms));
            for (const { room } of rooms) {
                localStorage.setItem(`gridlock.seat.${room}`, `of-${room}`);
            }
        }""",
        list(rooms),
    )


def listed(person: Person, section: str) -> Locator:
    """Return the rooms of a section: your turn, unfinished or finished."""
    return person.page.get_by_role("region", name=section, exact=True).locator("li")


def test_games_are_listed_by_what_is_to_be_done_and_how_they_ended(
    enter: Enter, server: Server
) -> None:
    ann, bob = enter(), enter()
    won = make(server)
    ann.go(seat(won))
    ann.take("1,1")
    expect(ann.verdict).to_have_text("You win!")
    both = make(server, opponent="self")
    ann.go(seat(both))
    ann.take("1,1")
    expect(ann.status).to_contain_text("cannot move")
    meet(ann, bob, "duel")
    ann.take("3,3")
    expect(bob.legal.first).to_be_visible()
    ann.begin("claim", "Computer")
    expect(ann.legal.first).to_be_visible()
    ann.go("/")
    expect(ann.page.locator("#kept li")).to_have_count(2)  # finished games are elsewhere
    ann.page.get_by_role("link", name="Your games").click()
    expect(listed(ann, "Your turn")).to_contain_text(["Claim 5 × 5 against the computer, level 3"])
    expect(listed(ann, "Unfinished")).to_contain_text(["Duel 5 × 5 against BobBob to move"])
    day = r" · \d+ \w+ \d{4}Review×$"
    expect(listed(ann, "Finished")).to_have_text(
        [
            re.compile(rf"^Trail 1 × 1 on one screenX won{day}"),
            re.compile(rf"^Trail 1 × 1 against the computer, level 4You won{day}"),
        ]
    )
    ann.page.get_by_label("Show the games of").select_option("Duel (1)")
    expect(listed(ann, "Unfinished")).to_have_count(1)
    expect(ann.page.get_by_role("region", name="Finished", exact=True)).to_be_hidden()
    bob.take("1,1")
    expect(bob.page.locator("move-list li")).to_have_count(2)
    ann.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(listed(ann, "Your turn")).to_contain_text(["Duel 5 × 5 against BobYour turn"])


def test_a_finished_game_leads_to_its_room_and_its_review(enter: Enter, server: Server) -> None:
    ann = enter()
    keep(ann, entry(1, room=finished_room(server), isGone=False))
    ann.go("/games")
    game = listed(ann, "Finished")
    review = game.get_by_role("link", name="Review Duel 5 × 5 on one screen")
    expect(review).to_have_attribute("href", re.compile(r"/study\?room=\S+&number=1&review=1$"))
    review.click()
    expect(ann.page.locator("game-timeline button").first).to_be_visible()
    ann.page.go_back()
    game.get_by_role("link").first.click()
    expect(ann.page.locator("grid-board#board")).to_be_visible()


def test_rooms_that_are_gone_are_said_to_be(enter: Enter) -> None:
    ann = enter()
    keep(ann, entry(1, isGone=False), entry(2, isGone=False, isOver=False, stage="Bob to move"))
    ann.go("/games")
    gone = "Gone: the server has deleted this room."
    expect(listed(ann, "Finished")).to_contain_text(
        [re.compile(rf"Not finished · .*{gone}"), re.compile(rf"You won · .*{gone}")]
    )
    expect(listed(ann, "Finished").get_by_role("link")).to_have_count(0)
    ann.go("/")
    expect(ann.page.get_by_role("radio", name="Duel")).to_be_visible()
    expect(ann.page.locator("#kept")).to_be_hidden()
    ann.troubles.clear()  # the browser's own words about answers of 404


def test_a_server_that_does_not_answer_is_said_and_the_list_is_shown(enter: Enter) -> None:
    ann = enter()
    keep(ann, entry(1, isGone=False, isOver=False, stage="Bob to move"))
    ann.page.route("**/api/**", lambda route: route.abort())
    ann.go("/games")
    expect(listed(ann, "Unfinished")).to_contain_text(["Bob to move"])
    expect(ann.page.get_by_text("The server could not be asked about every game")).to_be_visible()
    ann.troubles.clear()  # the browser's own words about the answers


def test_a_game_is_taken_off_the_list_once_it_is_said_what_that_means(enter: Enter) -> None:
    ann = enter()
    keep(ann, entry(1), entry(2, game="claim"))
    ann.go("/games")
    take_off = "Take Claim 5 × 5 against the computer, level 4 off the list"
    ann.page.get_by_role("button", name=take_off).click()
    dialog = ann.page.get_by_role("dialog", name=f"{take_off}?")
    expect(dialog).to_contain_text("This browser's list forgets the game and its result.")
    dialog.get_by_role("button", name="Keep it").click()
    expect(listed(ann, "Finished")).to_have_count(2)
    ann.page.get_by_role("button", name=take_off).press("Enter")
    ann.page.keyboard.press("Tab")
    ann.page.keyboard.press("Enter")
    expect(listed(ann, "Finished")).to_have_count(1)
    expect(ann.page.get_by_role("heading", level=1)).to_be_focused()
    ann.page.reload()
    expect(listed(ann, "Finished")).to_contain_text(["Duel 5 × 5"])


def test_many_finished_games_are_shown_when_asked_for(enter: Enter) -> None:
    ann = enter()
    keep(ann, *(entry(place) for place in range(25)))
    ann.go("/games")
    expect(listed(ann, "Finished")).to_have_count(20)
    ann.press("Show all 25")
    expect(listed(ann, "Finished")).to_have_count(25)
    expect(listed(ann, "Finished").nth(20).get_by_role("button")).to_be_focused()


def test_results_are_drawn_told_and_answered_with_a_level_to_try(enter: Enter) -> None:
    ann = enter()
    lost = [entry(place, level=3, won=[False]) for place in (1, 2)]
    between_people = entry(6)
    del between_people["level"], between_people["won"]
    keep(ann, *lost, *(entry(place) for place in (3, 4, 5)), between_people)
    ann.go("/games")
    card = ann.page.get_by_role("article")
    expect(card.get_by_role("heading")).to_have_text("Duel 5 × 5: 5 games, 3 won")
    expect(card).to_contain_text("You won 3 of 3 at level 4, 0 of 2 at level 3.")
    expect(card).to_contain_text("You won 3 of the last 3 games at level 4: try level 5.")
    picture = card.get_by_role("img", name="The last 5 games, from 6 Oct 2026 to 10 Oct 2026")
    expect(picture.locator("circle.won")).to_have_count(3)
    expect(picture.locator("circle.lost")).to_have_count(2)
    card.get_by_text("Every game as a table").click()
    rows = card.get_by_role("row")
    expect(rows).to_have_count(6)
    expect(rows.nth(1)).to_have_text("10 Oct 20264won")
    expect(rows.nth(5)).to_have_text("6 Oct 20263lost")


def test_the_first_page_proposes_a_level_and_plays_at_ones_own(enter: Enter) -> None:
    ann = enter()
    keep(ann, *(entry(place) for place in (1, 2, 3)))
    ann.go("/?game=duel")
    advice = ann.page.locator("#advice")
    expect(advice).to_contain_text("You won 3 of the last 3 games at level 4: try level 5.")
    ann.press("Take level 5")
    expect(ann.page.get_by_role("radio", name="5", exact=True)).to_be_checked()
    expect(advice).to_be_empty()
    ann.page.get_by_label("One row more").click()
    ann.page.get_by_label("Your level").check()
    expect(advice).to_have_text("Your level is 3.")  # on a board that is new to Ann
    ann.page.get_by_label("One row fewer").click()
    expect(advice).to_contain_text("Your level is 5.")
    ann.page.get_by_label("Same screen").check()
    expect(advice).to_be_empty()
    ann.page.get_by_label("Computer", exact=True).check()
    ann.page.locator("#setup button[type=submit]").click()
    expect(ann.page.locator("player-bar#far")).to_contain_text("level 5")
    ann.go("/")
    expect(ann.page.get_by_label("Your level")).to_be_checked()


def link_of(person: Person) -> str:
    """Return the link that takes a person's games elsewhere."""
    person.go("/games")
    person.press("Show the link")
    return person.page.get_by_label("Link to all your games").input_value()


def code_of(person: Person) -> str:
    """Return what a phone reads that looks at the page."""
    shown = person.page.locator("svg.code")
    dark = shown.evaluate(
        """code => {
            const side = code.viewBox.baseVal.width;
            const drawn = code.querySelector("path").getAttribute("d");
            const dark = drawn.matchAll(/M(\\d+) (\\d+)h/g);
            return [side, Array.from(dark, ([, x, y]) => y * side + Number(x))];
        }"""
    )
    side, places = int(dark[0]), set(dark[1])
    pixels = bytes(0 if place in places else 255 for place in range(side * side))
    wide = b"".join(
        b"".join(pixels[row * side + column :][:1] * 2 for column in range(side)) * 2
        for row in range(side)
    )
    (found,) = zxingcpp.read_barcodes(memoryview(wide).cast("B", (2 * side, 2 * side)))
    return found.text


def test_games_move_to_another_device_by_a_link_or_its_code(enter: Enter, server: Server) -> None:
    ann, bob, phone = enter(), enter(), enter(size=NARROW)
    meet(ann, bob, "duel")
    ann.begin("trail", "Friend by link")
    expect(ann.page.get_by_label("Invitation")).to_be_visible()
    invitation = ann.page.get_by_label("Invitation").input_value()
    link = link_of(ann)
    assert code_of(ann) == link
    expect(ann.page.get_by_text("whoever has it can play in your place")).to_be_visible()
    phone.go(link)
    dialog = phone.page.get_by_role("dialog", name="Add 2 games to this browser?")
    expect(dialog).to_be_visible()
    assert "#" not in phone.page.url  # the secrets do not stay in the address bar
    dialog.get_by_role("button", name="Do not add").click()
    expect(phone.page.get_by_text("Nothing has changed.")).to_be_visible()
    assert phone.page.evaluate("Object.keys(localStorage)") == []
    phone.page.evaluate("link => location.assign(link)", link)  # the page is open already
    phone.press("Add")
    expect(phone.page.get_by_text("2 games added.")).to_be_visible()
    listed(phone, "Your turn").get_by_role("link", name="Duel 5 × 5 against Bob").click()
    phone.take("3,3")
    expect(bob.cell("3,3")).to_have_class(re.compile("one"))
    phone.go("/games")
    listed(phone, "Unfinished").get_by_role("link", name="Trail 4 × 4 against a friend").click()
    expect(phone.page.get_by_label("Invitation")).to_have_value(invitation)
    phone.go("/")
    expect(phone.page.get_by_label("Your name")).to_have_value("Ann")
    phone.go(link)
    expect(phone.page.get_by_text("There is nothing new in this link")).to_be_visible()


def test_a_code_that_would_be_too_fine_carries_the_unfinished_games_first(
    enter: Enter, server: Server
) -> None:
    ann, phone = enter(), enter(size=NARROW)
    made = make(server)
    ann.go(seat(made))
    expect(ann.legal.first).to_be_visible()
    kept = ann.page.evaluate("JSON.parse(localStorage.getItem('gridlock.rooms'))")
    keep(ann, *(entry(place) for place in range(60)), {**kept[0], "at": THEN})
    link = link_of(ann)
    said = ann.page.get_by_text(re.compile(r"A QR code with \d+ of the 61 games, unfinished ones"))
    expect(said).to_be_visible()
    code = code_of(ann)
    assert len(code) <= 1200 < len(link)
    phone.go(code)
    phone.press("Add")
    expect(listed(phone, "Your turn")).to_have_count(1)
    phone.go(link)
    phone.press("Add")
    phone.press("Show all 60")
    expect(listed(phone, "Finished")).to_have_count(60)


@pytest.mark.parametrize(
    "fragment", ["eJyrVkrLz1eyUkpKLFKqBQAdDwQu", "%00", "<script>", "x" * 9000]
)
def test_a_link_that_is_damaged_is_refused_and_changes_nothing(enter: Enter, fragment: str) -> None:
    ann = enter()
    keep(ann, entry(1))
    before = ann.page.evaluate("JSON.stringify(localStorage)")
    ann.go(f"/games#{fragment}")
    expect(ann.page.get_by_role("status").filter(has_text="This link is damaged")).to_be_visible()
    assert "#" not in ann.page.url
    assert ann.page.evaluate("JSON.stringify(localStorage)") == before


@in_every_window
def test_the_page_fits_its_window_and_keeps_nobody_out(enter: Enter, size: tuple[int, int]) -> None:
    ann = enter(size=size)
    ann.go("/games")
    expect(ann.page.get_by_text("There are none yet.")).to_be_visible()
    lost = [entry(place, won=[False], against=f"against {'W' * 30}") for place in (1, 2, 3)]
    keep(ann, *lost, entry(4, game="claim", isGone=False, isOver=False, isMine=True))
    link_of(ann)
    expect(ann.page.locator("svg.code")).to_be_visible()
    ann.page.get_by_text("Every game as a table").first.click()
    for scheme in in_both_schemes(ann.page):
        assert serious(ann.page, colours_only=scheme == "dark") == [], scheme
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    ann.troubles.clear()  # the browser's own words about answers of 404
