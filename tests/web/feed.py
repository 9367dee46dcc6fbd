"""What a server streams to the page, a line at a time, as a test wants it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.web.browser import Person
    from tests.web.services import Json

_TRIES, _PAUSE_MS = 600, 50


class Feed:
    """Streams of analyses, or of what else comes line by line, that say what a test lets them."""

    def __init__(self, person: Person, path: str = "/analysis/stream") -> None:
        self._page = person.page
        self._page.add_init_script(
            f"const followed = {json.dumps(path)};"
            """
            const reallyFetch = window.fetch;
            window.streams = [];
            window.signals = [];
            window.fetch = async (path, options) => {
              if (!String(path).includes(followed)) return reallyFetch(path, options);
              signals.push(options.signal);
              const body = new ReadableStream({ start: (stream) => {
                streams.push(stream);
                options.signal.addEventListener("abort", () => stream.error(options.signal.reason));
              } });
              return new Response(body.pipeThrough(new TextEncoderStream()));
            };
            """
        )

    def wait(self, count: int) -> None:
        """Wait until so many streams were asked for in all."""
        for _ in range(_TRIES):
            if self._page.evaluate("streams.length") >= count:
                return
            self._page.wait_for_timeout(_PAUSE_MS)
        raise AssertionError(f"no stream {count} was asked for")

    def say(self, text: str) -> None:
        """Let the newest stream go on."""
        self._page.evaluate("text => streams.at(-1).enqueue(text)", text)

    def tell(self, analysis: Json, known: int | None = None) -> None:
        """Tell an analysis, or as much of it as is known when so many cells are."""
        self.say(self.line(analysis, known))

    @staticmethod
    def line(analysis: Json, known: int | None = None) -> str:
        if known is None:
            return json.dumps(analysis) + "\n"
        unknown: Json = {"value": "unknown", "distance": None, "label": "?", "line": []}
        actions = analysis["actions"]
        told = [*actions[:known], *({**action, **unknown} for action in actions[known:])]
        value = analysis["value"] if known else "unknown"
        return json.dumps(analysis | {"actions": told, "complete": False, "value": value}) + "\n"
