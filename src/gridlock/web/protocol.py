"""What is ours in how requests and live connections are spoken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from gridlock.web.close_code import BAD_TEXT, BY_CLIENT, REASONS, RESTART
from gridlock.web.config import Timeouts

if TYPE_CHECKING:
    import asyncio

    from websockets.frames import Frame


class PatientProtocol(HttpToolsProtocol):
    """Hangs up on whoever connects and says nothing, or says it too slowly: connections are few."""

    patience = Timeouts.request  # seconds within which a request must have come
    _hang_up: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def on_message_begin(self) -> None:
        """Begin to take a request."""
        self._wait()
        super().on_message_begin()

    def on_message_complete(self) -> None:
        """Have taken a whole request."""
        self._stop_waiting()
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Have nobody to wait for."""
        self._stop_waiting()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Become a live connection, which has its own limits."""
        self._stop_waiting()
        super().handle_websocket_upgrade()

    def _wait(self) -> None:
        self._stop_waiting()
        self._hang_up = self.loop.call_later(self.patience, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._hang_up:
            self._hang_up.cancel()


def patient(seconds: float) -> type[PatientProtocol]:
    """Return a protocol that waits so long for a request."""
    return type(PatientProtocol.__name__, (PatientProtocol,), {"patience": seconds})


class LiveProtocol(WebSocketsSansIOProtocol):
    """Says why it closes a connection, and notes whether it was the client who did."""

    def shutdown(self) -> None:
        """Close a connection because the server does."""
        if self.handshake_complete and self.conn.state is State.OPEN:
            self.stop_keepalive()
            self._close(RESTART)
        else:
            super().shutdown()

    def handle_close(self, event: Frame) -> None:
        """Take notice that the client closes the connection, or agrees that it is closed."""
        self.scope[BY_CLIENT] = True  # type: ignore[literal-required] # apps may add any
        super().handle_close(event)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on, unless it is no text: that is the client's mistake, not an error."""
        if self.curr_msg_data_type == "text" and not self.close_sent and not _is_text(self.frames):
            self.frames = []
            self._close(BAD_TEXT)
        else:
            super().send_receive_event_to_app()

    def handle_parser_exception(self) -> None:
        """Close a connection because what the client sends cannot be read, as the app is told."""
        super().handle_parser_exception()
        self.disconnected = True  # whatever the app says from now on goes nowhere, and is no error

    def _close(self, code: int) -> None:
        self.conn.send_close(code, REASONS[code])
        self.handle_parser_exception()


def _is_text(frames: list[bytes]) -> bool:
    try:
        b"".join(frames).decode()
    except UnicodeDecodeError:
        return False
    return True
