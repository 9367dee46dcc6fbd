"""The AsyncAPI document of live connections, made of the very types that go over the wire."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import get

from gridlock import __version__
from gridlock.web import live, wire
from gridlock.web.close_code import REASONS
from gridlock.web.example import ANN, NOW, play_example

_SCHEMAS = "#/components/schemas/{name}"

_SAID = (live.Hello, live.ActMessage, live.Ping)
"""What whoever connects may say."""

_HEARD = (
    wire.StateMessage,
    wire.EventMessage,
    wire.RefusedMessage,
    wire.WatchingMessage,
    wire.PongMessage,
    wire.DelayMessage,
)
"""What the server says."""


def document() -> dict[str, Any]:
    """Return the document."""
    _, schemas = msgspec.json.schema_components((*_SAID, *_HEARD), ref_template=_SCHEMAS)
    names = [_name(message) for message in (*_SAID, *_HEARD)]
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "GridLock, live",
            "version": __version__,
            "description": "What is said over a live connection to a room. "
            "The rest of the interface is described by the OpenAPI document at /schema.",
        },
        "defaultContentType": "application/json",
        "channels": {
            "room": {
                "address": "/api/rooms/{room}/live",
                "title": "A live connection to a room",
                "description": "A WebSocket; every message is one text of JSON. The first is a "
                "hello, within ten seconds.",
                "parameters": {"room": {"description": "The id of a room."}},
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
                "bindings": {"ws": {"method": "GET"}},
                "x-close-codes": {str(code): why for code, why in REASONS.items()},
            }
        },
        "operations": {
            "listen": _operation("receive", "The server takes what players do.", _SAID),
            "tell": _operation("send", "The server tells what happens in the room.", _HEARD),
        },
        "components": {
            "messages": {_name(type(one)): _describe(type(one), one) for one in _examples()},
            "schemas": schemas,
        },
    }


def _examples() -> list[msgspec.Struct]:
    """Return an example of each message."""
    played = play_example()
    return [
        live.Hello(ANN, since=0),
        live.ActMessage(**msgspec.structs.asdict(played.act)),
        live.Ping(),
        wire.StateMessage(played.acted.state, (played.event,)),
        wire.show_event(played.room, played.event, NOW),
        wire.RefusedMessage(played.act.id, "taken", "2,2 is taken"),
        wire.WatchingMessage(2, here=(True, True)),
        wire.PongMessage(played.event.version),
        wire.DelayMessage(True),
    ]


def _operation(action: str, summary: str, messages: tuple[type[msgspec.Struct], ...]) -> Any:
    return {
        "action": action,
        "summary": summary,
        "channel": {"$ref": "#/channels/room"},
        "messages": [
            {"$ref": f"#/channels/room/messages/{_name(message)}"} for message in messages
        ],
    }


def _describe(message: type[msgspec.Struct], example: msgspec.Struct) -> dict[str, Any]:
    return {
        "name": _name(message),
        "summary": (message.__doc__ or "").partition("\n")[0],
        "payload": {"$ref": _SCHEMAS.format(name=message.__name__)},
        "examples": [{"payload": msgspec.to_builtins(example)}],
    }


def _name(message: type[msgspec.Struct]) -> str:
    """Return what a message calls itself: its ``type``."""
    return str(message.__struct_config__.tag)


_DOCUMENT = msgspec.json.encode(document())


@get("/schema/asyncapi", include_in_schema=False)
async def asyncapi() -> msgspec.Raw:
    """Return the document."""
    return msgspec.Raw(_DOCUMENT)
