"""Draw the pictures of the web app that the documents show: ``python -m tests.web.draw``."""

from __future__ import annotations

import tempfile
from pathlib import Path

import httpx
from playwright.sync_api import expect

from tests.web.browser import NARROW, Person, close, launch
from tests.web.services import Json, Server, bearer

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
DESKTOP = (1080, 760)


def main() -> None:
    """Draw each."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder) / "log", "--database", f"{folder}/web.db", is_fresh=True) as server,
    ):
        browser = launch()
        ann, bob = friends(server)
        friend = Person(browser, server.url)
        friend.go(bob)
        for name, scheme, size, path in (
            ("web-home", "light", DESKTOP, "/"),
            ("web-room", "light", DESKTOP, ann),
            ("web-study", "dark", DESKTOP, "/study?game=duel&moves=3,3+1,1"),
            ("web-phone", "light", NARROW, race(server)),
        ):
            person = Person(browser, server.url, size, color_scheme=scheme)
            person.go(path)
            expect(person.page.locator(".cell").first).to_be_visible()
            person.page.wait_for_load_state("networkidle")
            person.page.wait_for_timeout(500)  # until nothing moves
            person.page.screenshot(path=PICTURES / f"{name}.png")
            person.close()
        friend.close()
        close()


def friends(server: Server) -> tuple[str, str]:
    """Make a room in which Ann is to move against Bob, and return their addresses."""
    wishes = {
        "game": "occupation", "opponent": "friend", "name": "Ann",
        "clock": {"base": 300, "increment": 3},
    }  # fmt: skip
    made = httpx.post(f"{server.url}/api/rooms", json=wishes).json()
    path = f"{server.url}/api/rooms/{made['state']['room']}"
    joined = httpx.post(f"{path}/join", json={"invite": made["invite"], "name": "Bob"}).json()
    play(path, (made["token"], joined["token"]), ["3,3", "1,5", "5,5", "5,1"])
    return seat(made), seat(joined)


def race(server: Server) -> str:
    """Make a race on one screen."""
    wishes = {"game": "race", "opponent": "self"}
    made = httpx.post(f"{server.url}/api/rooms", json=wishes).json()
    path = f"{server.url}/api/rooms/{made['state']['room']}"
    play(path, (made["token"], made["token"]), ["0,1", "1,1", "3,2", "2,2"])
    return seat(made)


def play(path: str, tokens: tuple[str, str], cells: list[str]) -> None:
    for ply, cell in enumerate(cells):
        mover = httpx.get(path).json()["view"]["board"]["mover"]
        act = {"id": cell, "ply": ply, "do": "play", "cell": cell}
        answer = httpx.post(f"{path}/actions", json=act, headers=bearer(tokens[mover - 1]))
        answer.raise_for_status()


def seat(made: Json) -> str:
    return f"/room/{made['state']['room']}#seat={made['token']}"


if __name__ == "__main__":
    main()
