"""A chat endpoint that answers as a test tells it to, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Says:
    """An answer as a model gives it."""

    text: str | None
    tokens: int = 0
    more: dict[str, Any] = field(default_factory=dict)
    """Further fields of the message."""
    finish: str = "stop"

    @property
    def body(self) -> bytes:
        message = {"role": "assistant", "content": self.text, **self.more}
        choice = {"message": message, "finish_reason": self.finish}
        usage = {"total_tokens": self.tokens}
        return json.dumps({"model": "scripted", "choices": [choice], "usage": usage}).encode()


@dataclass(frozen=True)
class Raw:
    """Any other answer; with ``lacks`` it is cut off so many bytes before its end."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    lacks: int = 0


@dataclass(frozen=True)
class Never:
    """No answer at all; ``drips`` sends a byte now and then, so that something always comes."""

    drips: bool = False


Behaviour = Says | Raw | Never


class Scripted:
    """An endpoint on a port of its own; ``behave`` says what it does with a request."""

    def __init__(self, behave: Callable[[int, dict[str, Any]], Behaviour]) -> None:
        self._behave = behave
        self._lock = threading.Lock()
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.ended = threading.Event()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                endpoint.answer(self)

            def log_message(self, *_: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    @classmethod
    def in_turn(cls, *behaviours: Behaviour) -> Scripted:
        """Return one that does one thing after the other."""
        return cls(lambda number, _: behaviours[number])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        with self._lock:
            number = len(self.asked)
            self.asked.append(body)
            self.headers.append(dict(handler.headers))
        does = self._behave(number, body)
        if isinstance(does, Never):
            handler.send_response(200)
            handler.end_headers()
            while not self.ended.wait(0.05):
                if does.drips:
                    handler.wfile.write(b" ")
            return
        raw = does if isinstance(does, Raw) else Raw(does.body)
        handler.send_response(raw.status)
        for name, value in raw.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(raw.body) + raw.lacks))
        handler.end_headers()
        handler.wfile.write(raw.body)
