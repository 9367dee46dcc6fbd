"""The pages, the files that they need, and what browsers and crawlers ask for by themselves."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import MediaType, Request, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, PathParameter
from litestar.status_codes import HTTP_200_OK, HTTP_304_NOT_MODIFIED, HTTP_404_NOT_FOUND

from gridlock.lesson import lesson_of
from gridlock.puzzles.collection import find_puzzle
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.web.assets import ASSETS, Asset
from gridlock.web.problems import NoPageError
from gridlock.web.rooms import NoRoomError, Rooms

_Request = Request[Any, Any, Any]
_Page = Response[bytes]


def _send(request: _Request, asset: Asset, status: int = HTTP_200_OK) -> _Page:
    """Return a file, or that it is still the one which a browser has."""
    tag = f'W/"{asset.tag}"'  # weak: it may be sent compressed
    headers = {"Cache-Control": asset.caching, "ETag": tag}
    known = [one.strip() for one in request.headers.get("If-None-Match", "").split(",")]
    if status == HTTP_200_OK and (tag in known or "*" in known):
        return Response(b"", status_code=HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(asset.content, status_code=status, headers=headers, media_type=asset.media_type)


@get("/", media_type=MediaType.HTML, include_in_schema=False)
async def home(request: _Request) -> _Page:
    """Return the first page."""
    return _send(request, ASSETS.page("home"))


@get("/study", media_type=MediaType.HTML, include_in_schema=False)
async def study(request: _Request) -> _Page:
    """Return the page on which games are analysed; it finds by its address which."""
    return _send(request, ASSETS.page("study"))


@get("/games", media_type=MediaType.HTML, include_in_schema=False)
async def own_games(request: _Request) -> _Page:
    """Return the page that lists somebody's games; their browser alone knows which."""
    return _send(request, ASSETS.page("games"))


@get("/room/{room_id:str}", media_type=MediaType.HTML, include_in_schema=False)
async def room(request: _Request, room_id: FromPath[str], rooms: NamedDependency[Rooms]) -> _Page:
    """Return the page of a room, which says so itself where there is no such room."""
    try:
        await rooms.room(room_id)
    except NoRoomError:
        if MediaType.HTML not in request.headers.get("Accept", ""):
            raise
        return _send(request, ASSETS.page("room"), HTTP_404_NOT_FOUND)
    return _send(request, ASSETS.page("room"))


@get("/rules", media_type=MediaType.HTML, include_in_schema=False)
async def first_rules(request: _Request) -> _Page:
    """Return the page of the first game's rules."""
    return _send(request, ASSETS.page("rules"))


@get("/rules/{game:str}", media_type=MediaType.HTML, include_in_schema=False)
async def rules(request: _Request, game: FromPath[str]) -> _Page:
    """Return the page of a game's rules."""
    if game not in RULEBOOKS:
        raise NoPageError("there is no such game")
    return _send(request, ASSETS.page("rules"))


@get("/learn", media_type=MediaType.HTML, include_in_schema=False)
async def first_lesson(request: _Request) -> _Page:
    """Return the page of the first lesson."""
    return _send(request, ASSETS.page("learn"))


@get("/learn/{game:str}", media_type=MediaType.HTML, include_in_schema=False)
async def lesson(request: _Request, game: FromPath[str]) -> _Page:
    """Return the page of a game's lesson."""
    if game not in RULEBOOKS or lesson_of(RULEBOOKS[game]) is None:
        raise NoPageError("there is no such lesson")
    return _send(request, ASSETS.page("learn"))


@get(["/puzzles", "/daily", "/mistakes"], media_type=MediaType.HTML, include_in_schema=False)
async def puzzles(request: _Request) -> _Page:
    """Return the page on which puzzles are solved: a next one, that of the day, or one's own."""
    return _send(request, ASSETS.page("puzzle"))


@get("/puzzle/{puzzle_id:str}", media_type=MediaType.HTML, include_in_schema=False)
async def puzzle(request: _Request, puzzle_id: FromPath[str]) -> _Page:
    """Return the page of one puzzle."""
    await asyncio.to_thread(find_puzzle, puzzle_id)  # the first one of a game reads its file
    return _send(request, ASSETS.page("puzzle"))


@get("/static/{path:path}", include_in_schema=False)
async def static(request: _Request, path: Annotated[str, PathParameter()]) -> _Page:
    """Return a file that the pages need."""
    return _send(request, _find(path))


@get("/favicon.ico", include_in_schema=False)
async def favicon(request: _Request) -> _Page:
    """Return the icon, which the pages themselves find elsewhere."""
    return _send(request, _find("icon.svg"))


@get("/robots.txt", include_in_schema=False)
async def robots(request: _Request) -> _Page:
    """Return what crawlers may look at."""
    return _send(request, _find("robots.txt"))


def _find(path: str) -> Asset:
    asset = ASSETS.find(path)
    if asset is None:
        raise NoPageError("there is no such file")
    return asset


ROUTES: list[Any] = [
    home,
    study,
    own_games,
    room,
    first_rules,
    rules,
    first_lesson,
    lesson,
    puzzles,
    puzzle,
    static,
    favicon,
    robots,
]
