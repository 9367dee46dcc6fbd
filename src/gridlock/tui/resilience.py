"""Lets the app go on after a failure: what failed is said and written down, and that is all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message_pump import MessagePump

if TYPE_CHECKING:
    from textual.message import Message


class Resilient(MessagePump):
    """Takes further messages after one that could not be handled; put first among the bases.

    Textual hands what a handler raises to the app, and whoever raised it is deaf from then on: a
    widget, a screen, or the whole app.
    """

    async def _dispatch_message(self, message: Message) -> None:
        """Handle a message: Textual's own step from the queue to the handlers, an internal."""
        try:
            await super()._dispatch_message(message)
        except Exception as error:  # noqa: BLE001 - the last resort, which says and logs it
            self.app._handle_exception(error)
