"""A cable to a service that a test can cut, freeze, slow down and mend."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator

_Result = TypeVar("_Result")

_PIECE = 65536  # bytes
_SLOW_SECONDS = 2.0


class Cable:
    """Passes every connection to its port on to another port of this machine."""

    def __init__(self, to_port: int) -> None:
        self._to_port = to_port
        self._loop = asyncio.new_event_loop()
        self._open: set[asyncio.StreamWriter] = set()
        self._is_cut = False
        self._delay = 0.0
        self._flows = asyncio.Event()
        self._flows.set()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._server = self._do(asyncio.start_server(self._pass_on, "127.0.0.1", 0))
        self.port = int(self._server.sockets[0].getsockname()[1])

    def cut(self) -> None:
        """Close every connection, and every further one at once."""
        self._do(self._set(is_cut=True, flows=True))

    def freeze(self) -> None:
        """Keep every connection, and let nothing through."""
        self._do(self._set(is_cut=False, flows=False))

    def slow(self) -> None:
        """Let everything through, each piece so late that nobody waits for it."""
        self._do(self._set(is_cut=False, flows=True, delay=_SLOW_SECONDS))

    def mend(self) -> None:
        """Let everything through."""
        self._do(self._set(is_cut=False, flows=True))

    def close(self) -> None:
        self.cut()
        self._server.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, work: Coroutine[object, object, _Result]) -> _Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _set(self, *, is_cut: bool, flows: bool, delay: float = 0.0) -> None:
        self._is_cut = is_cut
        self._delay = delay
        (self._flows.set if flows else self._flows.clear)()
        if is_cut:
            for writer in self._open:
                writer.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to_port)
        with self._kept(writer), self._kept(far_writer):
            await asyncio.wait(
                (
                    asyncio.create_task(self._copy(reader, far_writer)),
                    asyncio.create_task(self._copy(far_reader, writer)),
                ),
                return_when=asyncio.FIRST_COMPLETED,
            )

    @contextlib.contextmanager
    def _kept(self, writer: asyncio.StreamWriter) -> Iterator[None]:
        self._open.add(writer)
        try:
            yield
        finally:
            self._open.discard(writer)
            writer.transport.abort()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(_PIECE):
                await self._flows.wait()
                await asyncio.sleep(self._delay)
                writer.write(piece)
                await writer.drain()
