"""The HTTP interface, which the page and programs use alike."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from functools import partial
from typing import Annotated, Any, Literal

from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import ResponseHeader
from litestar.di import NamedDependency, Provide
from litestar.params import HeaderParameter, JSONBody, PathParameter, QueryParameter
from litestar.response import Stream
from litestar.status_codes import HTTP_200_OK

from gridlock.clock import milliseconds
from gridlock.lesson import lesson_of
from gridlock.match import MOST_GAMES, scores_of
from gridlock.record import Record, record_of
from gridlock.rulebooks import catalogue
from gridlock.web import study
from gridlock.web.event import Act
from gridlock.web.exchange import (
    TEXT_LENGTH,
    Acted,
    AnalysisReport,
    Hint,
    Joined,
    Joining,
    LessonReport,
    MadeRoom,
    NewRoom,
    ReviewReport,
    RulebookInfo,
)
from gridlock.web.lessons import report_lesson
from gridlock.web.limiter import address_of
from gridlock.web.metrics import Metrics
from gridlock.web.name import read_name
from gridlock.web.new_room import make_settings
from gridlock.web.presence import Presence
from gridlock.web.problems import StaleError
from gridlock.web.responses import answers, refusals
from gridlock.web.room import RefusedError
from gridlock.web.rooms import Rooms
from gridlock.web.searches import Searches
from gridlock.web.settings import Opponent, new_secret
from gridlock.web.study import Question
from gridlock.web.waiting import while_connected
from gridlock.web.wire import Board, State, show_board, show_phases, show_state

STREAM = "/stream"
"""How the paths end where an answer is sent as it is found; nothing may hold its lines back."""

_LINES = "application/x-ndjson"
_UNBUFFERED = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}

TheRooms = NamedDependency[Rooms]
TheSearches = NamedDependency[Searches]
TheMetrics = NamedDependency[Metrics]
TheReader = NamedDependency[Callable[[], Question]]
TheRequest = Request[Any, Any, Any]
ThePresence = NamedDependency[Presence]
RoomId = Annotated[str, PathParameter(description="The id of a room.")]
Number = Annotated[
    int | None, QueryParameter(description="Which game of the room.", ge=1, le=MOST_GAMES)
]
Authorization = Annotated[
    str | None,
    HeaderParameter(name="Authorization", include_in_schema=False),
]


SEAT = "seat"
"""What the interface calls the proof that a seat is one's own: its token."""

_WITH_SEAT: list[dict[str, list[str]]] = [{SEAT: []}]
_WITH_OR_WITHOUT_SEAT = [{}, *_WITH_SEAT]


@get("/api/games", responses=refusals(400), sync_to_thread=False)
def games() -> list[RulebookInfo]:
    """Return every rulebook, in the order in which people see them."""
    return [
        RulebookInfo(
            id=rulebook.id,
            title=rulebook.title,
            about=rulebook.about,
            size=str(rulebook.size),
            counting=rulebook.counting,
            symbols=rulebook.symbols,
            least_cells=rulebook.least_cells,
            actions_per_turn=rulebook.actions_per_turn,
            phases=show_phases(rulebook),
            detail=rulebook.detail,
            has_tokens=rulebook.has_tokens,
            scores=scores_of(rulebook),
            rules=rulebook.rules,
            sample=show_board(rulebook.sample_position()),
            has_lesson=lesson_of(rulebook) is not None,
        )
        for rulebook in catalogue.RULEBOOKS.values()
    ]


LessonId = Annotated[str, PathParameter(description="The id of a rulebook.")]


@get("/api/lessons/{game:str}", responses=refusals(400, 404), sync_to_thread=False)
def show_lesson(game: LessonId) -> LessonReport:
    """Return a guided first game, with the answer to whatever a learner may try."""
    return report_lesson(catalogue.RULEBOOKS.get(game))


GameId = Annotated[str, QueryParameter(description="The id of a rulebook.", max_length=20)]
Size = Annotated[str | None, QueryParameter(description="The board, rows x columns.")]


PositionText = Annotated[
    str | None, QueryParameter(description="A position text.", max_length=TEXT_LENGTH)
]


@get("/api/start", responses=refusals(400), sync_to_thread=True)
def show_start(game: GameId, size: Size = None, position: PositionText = None) -> Board:
    """Return where a game begins: on the rulebook's own board, any other, or at a position."""
    return show_board(study.read_question(game, size, 1, None, position).position)


@post("/api/rooms", responses=refusals(400, 413, 415))
async def make_room(data: JSONBody[NewRoom], rooms: TheRooms, request: TheRequest) -> MadeRoom:
    """Make a room, and take a seat in it: that of player 1, unless it begins at a position."""
    token = new_secret()
    invite = new_secret() if data.opponent is Opponent.FRIEND else None
    settings = await asyncio.to_thread(make_settings, data, token, invite)
    room = await rooms.create(settings, address_of(request.scope))
    return MadeRoom(token, invite, show_state(room, room.held_by(token), milliseconds()))


@get("/api/rooms/{room_id:str}", responses=refusals(400, 404), security=_WITH_OR_WITHOUT_SEAT)
async def show_room(
    room_id: RoomId, rooms: TheRooms, presence: ThePresence, authorization: Authorization = None
) -> State:
    """Return a room as the holder of a token, or anybody, sees it."""
    room = await rooms.room(room_id)
    held = room.held_by(_token(authorization))
    room = await presence.greet(room, held)
    return show_state(room, held, milliseconds())


@post(
    "/api/rooms/{room_id:str}/join",
    status_code=HTTP_200_OK,
    responses=refusals(400, 403, 404, 413, 415),
)
async def join(
    room_id: RoomId, data: JSONBody[Joining], rooms: TheRooms, presence: ThePresence
) -> Joined:
    """Take the open seat of a room by its invitation, which is good for once."""
    token = data.token or new_secret()
    room = await rooms.join(room_id, data.invite, read_name(data.name), token)
    held = room.held_by(token)
    room = await presence.greet(room, held)
    return Joined(token, show_state(room, held, milliseconds()))


@post(
    "/api/rooms/{room_id:str}/actions",
    status_code=HTTP_200_OK,
    responses=refusals(400, 403, 404, 409, 413, 415),
    security=_WITH_SEAT,
)
async def act(
    room_id: RoomId,
    data: JSONBody[Act],
    rooms: TheRooms,
    request: TheRequest,
    presence: ThePresence,
    metrics: TheMetrics,
    authorization: Authorization = None,
) -> Acted:
    """Play, resign, ask to take back or for a rematch, agree, decline, begin the next game."""
    token = _token(authorization)
    try:
        await metrics.act(rooms.act(room_id, token, data, address_of(request.scope)))
    except RefusedError as refusal:
        if refusal.code != "stale":
            raise
        room = await rooms.room(room_id)
        state = show_state(room, room.held_by(token), milliseconds())
        raise StaleError(refusal, state) from None
    room = await rooms.room(room_id)
    held = room.held_by(token)
    room = await presence.greet(room, held)
    return Acted(show_state(room, held, milliseconds()))


@post(
    "/api/rooms/{room_id:str}/hint",
    status_code=HTTP_200_OK,
    responses=refusals(400, 403, 404, 409, 415),
    security=_WITH_SEAT,
)
async def hint(
    room_id: RoomId,
    rooms: TheRooms,
    searches: TheSearches,
    request: TheRequest,
    authorization: Authorization = None,
) -> Hint:
    """Return the best cell and why; not against a friend."""
    position = await rooms.hinted(room_id, _token(authorization))
    asked = study.answer_hint(searches, address_of(request.scope), position)
    return await while_connected(request, asked)


@get(
    "/api/rooms/{room_id:str}/record",
    media_type="text/plain",
    responses=refusals(400, 404, 409),
    response_headers=[ResponseHeader(name="Content-Disposition", documentation_only=True)],
)
async def record(room_id: RoomId, rooms: TheRooms, number: Number = None) -> Response[str]:
    """Return a game of a room, by default the last, as its record."""
    found = await _find_record(rooms, room_id, number)
    return Response(
        str(found),
        media_type="text/plain",
        headers={"Content-Disposition": f'inline; filename="gridlock-{room_id}.txt"'},
    )


@get(
    "/api/rooms/{room_id:str}/review",
    responses={**answers(ReviewReport), **refusals(400, 404, 409)},
)
async def review(
    room_id: RoomId,
    rooms: TheRooms,
    searches: TheSearches,
    request: TheRequest,
    number: Number = None,
) -> Response[bytes]:
    """Return where a finished game of a room, by default the last, was given away."""
    found = await _find_finished(rooms, room_id, number)
    asked = study.answer_review(searches, address_of(request.scope), found)
    return Response(await while_connected(request, asked), media_type=MediaType.JSON)


@get(
    f"/api/rooms/{{room_id:str}}/review{STREAM}",
    responses={**answers(ReviewReport, _LINES), **refusals(400, 404, 409)},
)
async def stream_review(
    room_id: RoomId,
    rooms: TheRooms,
    searches: TheSearches,
    request: TheRequest,
    number: Number = None,
) -> Stream:
    """Return a review again and again as more becomes known, a line of JSON each.

    The last line is complete.  Whoever closes the connection ends the search.
    """
    found = await _find_finished(rooms, room_id, number)
    return await _send(request, study.stream_review(searches, address_of(request.scope), found))


def read_question(
    game: GameId,
    size: Size = None,
    first: Annotated[Literal["1", "2"], QueryParameter(description="Who began.")] = "1",
    moves: Annotated[
        str | None, QueryParameter(description="The moves so far.", max_length=TEXT_LENGTH)
    ] = None,
    position: PositionText = None,
) -> Callable[[], Question]:
    """Return what reads the position that a request asks about, which may take a while."""
    return partial(study.read_question, game, size, int(first), moves, position)


@get(
    "/api/analysis",
    dependencies={"read": Provide(read_question, sync_to_thread=False)},
    responses={**answers(AnalysisReport), **refusals(400)},
)
async def analyse(searches: TheSearches, read: TheReader, request: TheRequest) -> Response[bytes]:
    """Return what every cell of a position is worth: after moves from the start, or from another.

    Where a position is given, its text says who is to move, and the moves are played from there.
    """
    asked = study.answer_analysis(searches, address_of(request.scope), read)
    return Response(await while_connected(request, asked), media_type=MediaType.JSON)


@get(
    f"/api/analysis{STREAM}",
    dependencies={"read": Provide(read_question, sync_to_thread=False)},
    responses={**answers(AnalysisReport, _LINES), **refusals(400)},
)
async def stream_analysis(searches: TheSearches, read: TheReader, request: TheRequest) -> Stream:
    """Return an analysis again and again as more becomes known, a line of JSON each.

    The last line is complete, unless the server closes first: then ask again.  Whoever closes the
    connection ends the search.
    """
    lines = study.stream_analysis(searches, address_of(request.scope), read)
    return await _send(request, lines)


@get(
    "/api/record",
    media_type="text/plain",
    dependencies={"read": Provide(read_question, sync_to_thread=False)},
    responses=refusals(400),
)
async def write_record(read: TheReader) -> str:
    """Return moves, from the start or from a position, as the record of a game."""
    question = await asyncio.to_thread(read)
    return str(record_of(question.start, question.moves, question.position))


async def _send(request: TheRequest, lines: AsyncGenerator[bytes]) -> Stream:
    """Return the answer that sends lines as they come, for as long as somebody reads them."""
    first = await while_connected(request, anext(lines))  # what is refused is refused here
    return Stream(_join(first, lines), media_type=_LINES, headers=_UNBUFFERED)


async def _join(first: bytes, lines: AsyncGenerator[bytes]) -> AsyncIterator[bytes]:
    async with contextlib.aclosing(lines):
        yield first
        async for line in lines:
            yield line


def _token(authorization: str | None) -> str | None:
    """Return the token of an ``Authorization`` header."""
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


async def _find_finished(rooms: Rooms, room_id: str, number: int | None) -> Record:
    found = await _find_record(rooms, room_id, number)
    if found.result is None:
        raise RefusedError("unfinished", "the game is not over yet")
    return found


async def _find_record(rooms: Rooms, room_id: str, number: int | None) -> Record:
    room = await rooms.room(room_id)
    records = room.series.records
    if not records or (number or 1) > len(records):
        raise RefusedError("unfinished", "that game has not been played yet")
    return records[number - 1 if number else -1]


ROUTES: list[Any] = [
    games,
    show_lesson,
    show_start,
    make_room,
    show_room,
    join,
    act,
    hint,
    record,
    review,
    stream_review,
    analyse,
    stream_analysis,
    write_record,
]
