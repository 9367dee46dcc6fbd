"""Live connections: a player, or somebody who watches, hears of every event as it happens."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import WebSocket, websocket
from litestar.channels import ChannelsPlugin
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from gridlock.clock import milliseconds
from gridlock.errors import GridlockError
from gridlock.web.close_code import BAD_MESSAGE, FAILED, NO_ROOM, REASONS, TOO_MANY, TRY_LATER
from gridlock.web.config import Timeouts
from gridlock.web.event import Act
from gridlock.web.follower import Follower
from gridlock.web.limiter import Bucket, Limiter, address_of
from gridlock.web.metrics import Metrics
from gridlock.web.presence import Presence
from gridlock.web.room import RefusedError
from gridlock.web.rooms import GONE, NoRoomError, Rooms
from gridlock.web.wire import (
    DelayMessage,
    PongMessage,
    RefusedMessage,
    StateMessage,
    show_state,
)

_log = logging.getLogger(__name__)

_LAST_VERSION = 2**31 - 1  # that a database can hold

_Socket = WebSocket[Any, Any, Any]


class Hello(msgspec.Struct, frozen=True, tag="hello", forbid_unknown_fields=True):
    """Who is there, and the last version that they have seen."""

    token: Annotated[str, msgspec.Meta(max_length=100)] | None = None
    since: Annotated[int, msgspec.Meta(ge=0, le=_LAST_VERSION)] | None = None


class ActMessage(Act, frozen=True, tag="action", forbid_unknown_fields=True):
    """Something that a player does."""


class Ping(msgspec.Struct, frozen=True, tag="ping", forbid_unknown_fields=True):
    """A question whether anybody is there."""


_decoder: msgspec.json.Decoder[Hello | ActMessage | Ping] = msgspec.json.Decoder(
    Hello | ActMessage | Ping
)


class Connection:
    """One live connection to a room; whoever it is counts as present in ``counted``."""

    def __init__(
        self,
        socket: _Socket,
        rooms: Rooms,
        room: str,
        presence: Presence,
        follower: Follower,
        limiter: Limiter,
        metrics: Metrics,
        timeouts: Timeouts,
        counted: contextlib.ExitStack,
    ) -> None:
        self._socket = socket
        self._rooms = rooms
        self._room = room
        self._presence = presence
        self._follower = follower
        self._limiter = limiter
        self._metrics = metrics
        self._address = address_of(socket.scope)
        self._counted = counted
        self._bucket = Bucket(limiter.limits.connection_messages)
        self._patience = timeouts.hello
        self._token: str | None = None

    async def greet(self) -> None:
        """Wait for the first message and answer it."""
        hello = await asyncio.wait_for(self._receive(), self._patience)
        if not isinstance(hello, Hello):
            raise msgspec.ValidationError("the first message is a hello")
        await self._welcome(hello)

    async def listen(self) -> None:
        """Answer every message until the other side goes."""
        while True:
            message = await self._receive()
            if isinstance(message, Ping):
                room = await self._rooms.room(self._room)
                room = await self._presence.greet(room, room.held_by(self._token))
                await self._say(PongMessage(room.version))
            elif isinstance(message, Hello):
                await self._welcome(message)
            else:
                await self._act(message)

    async def _welcome(self, hello: Hello) -> None:
        self._token = hello.token
        room = await self._rooms.room(self._room)
        held = room.held_by(self._token)
        room = await self._presence.greet(room, held)
        self._counted.close()
        self._counted.enter_context(self._presence.count(room, held))
        await self._say_state(hello.since)
        if self._follower.is_delayed:
            await self._say(DelayMessage(True))

    async def _act(self, act: Act) -> None:
        try:
            is_new = await self._metrics.act(
                self._rooms.act(self._room, self._token, act, self._address)
            )
        except NoRoomError:  # it was deleted while somebody was there
            raise
        except GridlockError as error:
            self._metrics.refused(error.code)
            await self._say(RefusedMessage(act.id, error.code, str(error)))
            if error.code == "stale":
                await self._say_state(None)
        else:
            if not is_new:  # what is new is told to everybody
                await self._say_again(act)

    async def _say_again(self, act: Act) -> None:
        """Answer an act that was done before."""
        room = await self._rooms.room(self._room)
        held = room.held_by(self._token)
        event = room.done(held, act)
        state = show_state(room, held, milliseconds())
        await self._say(StateMessage(state, (event.public(),) if event else ()))

    async def _receive(self) -> Hello | ActMessage | Ping:
        text = await self._socket.receive_text()
        if not self._bucket.take() or not self._limiter.take_message(self._address):
            raise RefusedError("too-many-requests", "too many messages")
        try:
            return _decoder.decode(text)
        except RecursionError:
            raise msgspec.DecodeError("this is nested too deeply") from None

    async def _say_state(self, since: int | None) -> None:
        seen = _LAST_VERSION if since is None else since
        room, missed = await self._rooms.snapshot(self._room, seen)
        state = show_state(room, room.held_by(self._token), milliseconds())
        await self._say(StateMessage(state, tuple(missed)))

    async def _say(self, message: msgspec.Struct) -> None:
        await _send(self._socket, msgspec.json.encode(message))


@websocket("/api/rooms/{room:str}/live")
async def live(
    socket: _Socket,
    room: FromPath[str],
    rooms: NamedDependency[Rooms],
    channels: NamedDependency[ChannelsPlugin],
    presence: NamedDependency[Presence],
    follower: NamedDependency[Follower],
    limiter: NamedDependency[Limiter],
    metrics: NamedDependency[Metrics],
    timeouts: NamedDependency[Timeouts],
) -> None:
    """Tell somebody what happens in a room, and let them act there if they hold a seat."""
    await socket.accept()
    try:
        await rooms.find(room)
        async with channels.start_subscription([room]) as subscriber:
            with contextlib.ExitStack() as counted:
                connection = Connection(
                    socket, rooms, room, presence, follower, limiter, metrics, timeouts, counted
                )
                await connection.greet()
                async with subscriber.run_in_background(partial(_pass_on, socket)):
                    await connection.listen()
    except WebSocketDisconnect:
        return
    except NoRoomError:
        await _close(socket, NO_ROOM)
    except RefusedError:
        await _close(socket, TOO_MANY)
    except GridlockError:  # the database does not answer, as the log says
        await _close(socket, TRY_LATER)
    except (msgspec.DecodeError, TimeoutError):
        await _close(socket, BAD_MESSAGE)
    except OSError:  # they have gone while they were told something
        return
    except Exception:  # noqa: BLE001 - whatever it is, it is a code that clients know
        _log.exception("a live connection failed", extra={"room": room})
        await _close(socket, FAILED)


async def _pass_on(socket: _Socket, message: bytes) -> None:
    """Tell somebody what a room is told."""
    if message == GONE:
        await _close(socket, NO_ROOM)
    else:
        await _send(socket, message)


async def _send(socket: _Socket, message: bytes) -> None:
    try:
        await socket.send_text(message.decode())
    except OSError:  # so servers say that the other side has gone
        raise WebSocketDisconnect(detail="the other side has gone") from None


async def _close(socket: _Socket, code: int) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        await socket.close(code=code, reason=REASONS[code])
