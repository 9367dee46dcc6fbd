"""Pages and their files: what browsers keep, and what people see who went astray."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

import gridlock.web
from gridlock.web.assets import Assets
from tests.web.services import check_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.services import Server

STATIC = Path(gridlock.web.__file__).parent / "static"
PEOPLE = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
PAGES = [
    "/",
    "/study",
    "/games",
    "/rules/duel",
    "/learn",
    "/learn/duel",
    "/puzzles",
    "/daily",
    "/puzzle/duel-1",
]
FILES = ["/favicon.ico", "/robots.txt", "/static/icon.svg"]


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=30, headers=PEOPLE) as opened:
        yield opened


def addresses(page: str) -> list[str]:
    """Return the addresses of all files that a page names."""
    return re.findall(r'(?:src|href)="(/static/[^"]+)"', page)


@pytest.mark.parametrize("path", [*PAGES, *FILES])
def test_what_has_not_changed_is_not_sent_again(client: httpx.Client, path: str) -> None:
    first = client.get(path)
    assert first.status_code == 200
    assert first.headers["Cache-Control"] == "no-cache"
    tag = first.headers["ETag"]
    for known in (tag, f'"x", {tag}', "*"):
        again = client.get(path, headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["ETag"] == tag
    assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize("path", PAGES)
def test_browsers_keep_every_file_of_a_page_for_good(client: httpx.Client, path: str) -> None:
    named = addresses(client.get(path).text)
    assert len(named) > 10
    for address in named:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        for imported in re.findall(r'from "(\.[^"]+)"', answer.text):
            assert client.get(str(answer.url.join(imported))).status_code == 200, imported


def test_a_file_of_another_version_is_not_kept(client: httpx.Client) -> None:
    address = addresses(client.get("/").text)[0]
    other = re.sub(r"/static/\w{12}/", "/static/0123456789ab/", address)
    assert other != address
    answer = client.get(other)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-cache")


def test_a_file_that_changes_changes_its_address(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("1")
    (tmp_path / "home.html").write_text('<script src="/static/a.js">')
    before = Assets(tmp_path)
    (tmp_path / "a.js").write_text("2")
    after = Assets(tmp_path)
    assert before.version != after.version
    assert after.page("home").content.decode() == f'<script src="/static/{after.version}/a.js">'
    found = after.find(f"/{after.version}/a.js")
    assert found
    assert (found.content, found.media_type) == (b"2", "text/javascript")


@pytest.mark.parametrize("path", [*PAGES, *FILES, "/foo", "/api/games", "/healthz", "/schema"])
def test_head_is_answered_as_get_is_without_the_body(client: httpx.Client, path: str) -> None:
    got, head = client.get(path), client.head(path)
    assert head.status_code == got.status_code
    assert head.content == b""
    for name in ("Content-Type", "Content-Security-Policy", "ETag"):
        assert head.headers.get(name) == got.headers.get(name)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/foo", "There is nothing at this address."),
        ("/foo/bar", "There is nothing at this address."),
        ("/rules/chess", "There is no such game."),
        ("/learn/chess", "There is no such lesson."),
        ("/static/nothing.js", "There is no such file."),
        ("/puzzle", "There is nothing at this address."),
    ],
)
def test_people_who_went_astray_get_a_page_with_a_way_back(
    client: httpx.Client, path: str, said: str
) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert f"<p>{said}</p>" in answer.text
    assert 'href="/"' in answer.text
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    for address in addresses(answer.text):
        assert client.get(address).status_code == 200
    check_problem(client.get(path, headers={"Accept": "*/*"}), 404, "not-found")


def test_a_room_that_is_gone_is_not_found_and_its_page_says_so(client: httpx.Client) -> None:
    gone = client.get("/room/nowhere")
    assert gone.status_code == 404
    assert "room/page.js" in gone.text
    asked = client.get("/room/nowhere", headers={"Accept": "application/json"})
    check_problem(asked, 404, "room")
    made = client.post("/api/rooms", json={"game": "duel"}).json()
    assert client.get(f"/room/{made['state']['room']}").status_code == 200


def test_a_puzzle_that_there_is_none_of_has_no_page(client: httpx.Client) -> None:
    gone = client.get("/puzzle/duel-0")
    assert gone.status_code == 404
    assert "There is no puzzle &#x27;duel-0&#x27;" in gone.text
    check_problem(client.get("/puzzle/duel-0", headers={"Accept": "*/*"}), 404, "puzzle")


@pytest.mark.parametrize(
    "path",
    [
        "/static/%00", "/static/" + "x" * 300, "/static/", "/static/script", "/static/home.html",
        "/static//etc/passwd", "/static/0123456789ab/..%2f..%2fapp.py", "/static/%ff",
    ],
    ids=lambda path: path[:30],
)  # fmt: skip
def test_no_file_that_is_none_is_served_and_no_path_is_shown(
    client: httpx.Client, path: str
) -> None:
    answer = client.get(path, headers={"Accept": "*/*"})
    check_problem(answer, 404, "not-found")
    assert "gridlock/" not in answer.text
    assert "/src" not in answer.text


def test_light_and_dark_pages_differ_in_colours_alone() -> None:
    """So what is no matter of colours need be looked for in one of them only."""
    files = [path for path in STATIC.rglob("*") if path.suffix in (".css", ".js")]
    text = "\n".join(path.read_text() for path in files)
    assert "light-dark(" in text
    assert "prefers-color-scheme" not in text
    themed = re.findall(r"\[data-theme[^{]*\{([^}]*)\}", text)
    assert {rule.strip() for rule in themed} == {"color-scheme: light;", "color-scheme: dark;"}
