"""The HTTP interface, which the page and programs use alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.datastructures import ResponseHeader
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK

from gridlock.errors import NotationError, RecordError
from gridlock.match import MOST_GAMES, Score, check_score
from gridlock.model import Player, Position
from gridlock.phrases import describe_player, why_refused
from gridlock.record import Record, read_moves
from gridlock.rulebooks import catalogue
from gridlock.search import words
from gridlock.search.report import report_analysis, report_review
from gridlock.web.event import Act
from gridlock.web.exchange import (
    Acted,
    AnalysisReport,
    Hint,
    Joined,
    Joining,
    MadeRoom,
    NewRoom,
    ReviewReport,
    RulebookInfo,
)
from gridlock.web.hall import Hall, milliseconds
from gridlock.web.name import read_name
from gridlock.web.presence import Presence
from gridlock.web.problems import PROBLEM, Problem, StaleError
from gridlock.web.room import RefusedError
from gridlock.web.searches import Searches
from gridlock.web.settings import Opponent, Seat, Settings, hashed, new_secret
from gridlock.web.wire import State, show_board, show_state

_TEXT_LENGTH = 60_000  # characters: all moves of the largest board

TheHall = NamedDependency[Hall]
TheSearches = NamedDependency[Searches]
ThePresence = NamedDependency[Presence]
RoomId = Annotated[str, PathParameter(description="The id of a room.")]
Number = Annotated[
    int | None, QueryParameter(description="Which game of the room.", ge=1, le=MOST_GAMES)
]
Authorization = Annotated[
    str | None,
    HeaderParameter(name="Authorization", description="`Bearer` and the token of a seat."),
]


def _problems(*statuses: int) -> dict[int, ResponseSpec]:
    described = {
        400: "The request makes no sense.",
        403: "The seat, or the invitation, is not yours.",
        404: "There is no such room.",
        409: "It cannot be done now; a stale act comes with the state.",
        413: "The request is too large.",
        429: "Too many requests.",
        503: "The server is busy.",
    }
    return {
        status: ResponseSpec(Problem, description=described[status], media_type=PROBLEM)
        for status in (*statuses, 429, 503)
    }


@get("/api/games", responses=_problems(400), sync_to_thread=False)
def games() -> list[RulebookInfo]:
    """Return every rulebook, in the order in which people see them."""
    found = []
    for rulebook in catalogue.RULEBOOKS.values():
        small = catalogue.game(rulebook, catalogue.SAMPLE_SIZE)
        found.append(
            RulebookInfo(
                id=rulebook.id,
                title=rulebook.title,
                about=rulebook.about,
                size=str(rulebook.size),
                counting=rulebook.counting,
                symbols=rulebook.symbols,
                least_cells=rulebook.least_cells,
                actions_per_turn=rulebook.actions_per_turn,
                scores=tuple(Score) if rulebook.counts_cells else (Score.WINS,),
                rules=rulebook.rules,
                sample=show_board(small.position(catalogue.SAMPLES[rulebook.id])),
            )
        )
    return found


@post("/api/rooms", responses=_problems(400, 413))
async def make_room(data: JSONBody[NewRoom], hall: TheHall) -> MadeRoom:
    """Make a room, and take the seat of player 1 in it."""
    game = catalogue.game(data.game, data.size)
    check_score(game.rulebook, data.score)
    if data.rounds and data.target:
        raise NotationError("a series has rounds or a target, not both")
    token, invite = new_secret(), None
    holder = hashed(token)
    maker = Seat(read_name(data.name, "Player 1"), holder)
    if data.opponent is Opponent.COMPUTER:
        other = Seat("computer", level=data.level)
    elif data.opponent is Opponent.SELF:
        other = Seat("Player 2", holder)
    else:
        other = Seat("Player 2")
        invite = new_secret()
    settings = Settings(
        game=data.game,
        size=str(game.grid),
        opponent=data.opponent,
        seats=(maker, other),
        first=None if data.first == "toss" else Player(int(data.first)),
        clock=data.clock,
        rounds=data.rounds,
        target=data.target,
        score=data.score,
        starter=data.starter,
        invite=hashed(invite) if invite else None,
    )
    room = await hall.create(settings)
    return MadeRoom(token, invite, show_state(room, room.held_by(token), milliseconds()))


@get("/api/rooms/{room_id:str}", responses=_problems(400, 404))
async def show_room(
    room_id: RoomId, hall: TheHall, presence: ThePresence, authorization: Authorization = None
) -> State:
    """Return a room as the holder of a token, or anybody, sees it."""
    room = await hall.room(room_id)
    held = room.held_by(_token(authorization))
    room = await presence.greet(room, held)
    return show_state(room, held, milliseconds())


@post(
    "/api/rooms/{room_id:str}/join",
    status_code=HTTP_200_OK,
    responses=_problems(400, 403, 404, 413),
)
async def join(
    room_id: RoomId, data: JSONBody[Joining], hall: TheHall, presence: ThePresence
) -> Joined:
    """Take the open seat of a room by its invitation, which is good for once."""
    token = data.token or new_secret()
    room = await hall.join(room_id, data.invite, read_name(data.name, "Player 2"), token)
    held = room.held_by(token)
    room = await presence.greet(room, held)
    return Joined(token, show_state(room, held, milliseconds()))


@post(
    "/api/rooms/{room_id:str}/actions",
    status_code=HTTP_200_OK,
    responses=_problems(400, 403, 404, 409, 413),
)
async def act(
    room_id: RoomId,
    data: JSONBody[Act],
    hall: TheHall,
    presence: ThePresence,
    authorization: Authorization = None,
) -> Acted:
    """Play, resign, ask to take back or for a rematch, agree, decline, begin the next game."""
    token = _token(authorization)
    try:
        await hall.act(room_id, token, data)
    except RefusedError as refusal:
        if refusal.code != "stale":
            raise
        room = await hall.room(room_id)
        state = show_state(room, room.held_by(token), milliseconds())
        raise StaleError(refusal, state) from None
    room = await hall.room(room_id)
    held = room.held_by(token)
    room = await presence.greet(room, held)
    return Acted(show_state(room, held, milliseconds()))


@post(
    "/api/rooms/{room_id:str}/hint",
    status_code=HTTP_200_OK,
    responses=_problems(400, 403, 404, 409),
)
async def hint(
    room_id: RoomId, hall: TheHall, searches: TheSearches, authorization: Authorization = None
) -> Hint:
    """Return the best cell and why; not against a friend."""
    analysis = await searches.analyse(await hall.hinted(room_id, _token(authorization)))
    best = words.explicable(analysis)
    return Hint(analysis.position.game.name(best.cell), words.hint(analysis))


@get(
    "/api/rooms/{room_id:str}/record",
    media_type="text/plain",
    responses=_problems(400, 404, 409),
    response_headers=[ResponseHeader(name="Content-Disposition", documentation_only=True)],
)
async def record(room_id: RoomId, hall: TheHall, number: Number = None) -> Response[str]:
    """Return a game of a room, by default the last, as its record."""
    written = str(await _find_record(hall, room_id, number))
    return Response(
        written,
        media_type="text/plain",
        headers={"Content-Disposition": f'inline; filename="gridlock-{room_id}.txt"'},
    )


@get("/api/rooms/{room_id:str}/review", responses=_problems(400, 404, 409))
async def review(
    room_id: RoomId, hall: TheHall, searches: TheSearches, number: Number = None
) -> ReviewReport:
    """Return where a finished game of a room, by default the last, was given away."""
    found = await _find_record(hall, room_id, number)
    if found.result is None:
        raise RefusedError("unfinished", "the game is not over yet")
    reviewed = await searches.review(found)
    name = found.game.rulebook.symbol
    report = report_review(reviewed)
    texts = [
        words.mistake(action, name) if action.is_mistake else None for action in reviewed.actions
    ]
    actions = [
        {**action, "text": text} for action, text in zip(report["actions"], texts, strict=True)
    ]
    extra = {
        "players": [describe_player(who) for who in found.players],
        "actions": actions,
        "summary": [words.summary(reviewed, player, name) for player in Player],
    }
    return msgspec.convert({**report, **extra}, ReviewReport)


@get("/api/analysis", responses=_problems(400))
async def analyse(
    searches: TheSearches,
    game: Annotated[str, QueryParameter(description="The id of a rulebook.", max_length=20)],
    size: Annotated[str | None, QueryParameter(description="The board, rows x columns.")] = None,
    first: Annotated[Literal["1", "2"], QueryParameter(description="Who began.")] = "1",
    moves: Annotated[
        str | None, QueryParameter(description="The moves so far.", max_length=_TEXT_LENGTH)
    ] = None,
    position: Annotated[
        str | None, QueryParameter(description="A position text.", max_length=_TEXT_LENGTH)
    ] = None,
) -> AnalysisReport:
    """Return what every cell of a position is worth: after moves from the start, or from another.

    Where a position is given, its text says who is to move, and the moves are played from there.
    """
    board = catalogue.game(game, size)
    start = board.start(int(first)) if position is None else board.position(position)
    played = read_moves(board, moves or "")
    present = _play_all(start, played)
    analysis = await searches.analyse(present)
    report = report_analysis(analysis, start.mover, played)
    labels = [{"label": action.label} for action in analysis.actions]
    actions = [{**action, **label} for action, label in zip(report["actions"], labels, strict=True)]
    extra = {
        "board": show_board(present),
        "sentence": words.sentence(analysis, board.rulebook.symbol),
        "actions": actions,
    }
    return msgspec.convert({**report, **extra}, AnalysisReport)


def _play_all(position: Position, moves: Iterable[int]) -> Position:
    """Return the position after some moves, or raise ``RecordError`` for the first illegal one."""
    for number, cell in enumerate(moves, start=1):
        if why := why_refused(position, cell):
            raise RecordError(f"move {number}: {why}")
        position = position.play(cell)
    return position


def _token(authorization: str | None) -> str | None:
    """Return the token of an ``Authorization`` header."""
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


async def _find_record(hall: Hall, room_id: str, number: int | None) -> Record:
    room = await hall.room(room_id)
    records = room.series.records
    if not records or (number or 1) > len(records):
        raise RefusedError("unfinished", "that game has not been played yet")
    return records[number - 1 if number else -1]


ROUTES: list[Any] = [games, make_room, show_room, join, act, hint, record, review, analyse]
