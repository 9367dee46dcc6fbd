"""Where a server listens: at an address of this machine, or at a Unix socket."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import stat
from typing import TYPE_CHECKING

from gridlock.errors import StoreError, quote
from gridlock.files import reason

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ADVICE = {
    errno.EADDRINUSE: "try another --port, such as 0",
    errno.EACCES: "try a --port above 1023",
    errno.EADDRNOTAVAIL: "--host is an address of this machine, or 0.0.0.0 for all of them",
}


def bind(host: str, port: int) -> socket.socket:
    """Return a socket at an address, or raise ``StoreError`` where that is not possible."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise StoreError(
            f"cannot serve at {quote(host)}: there is no such host; {_ADVICE[errno.EADDRNOTAVAIL]}"
        ) from None
    family, kind, protocol, _, address = min(found)  # a name's address of IPv4, if it has one
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
    except OSError as error:
        listener.close()
        advice = _ADVICE.get(error.errno or 0, "try another --host or --port")
        raise StoreError(f"cannot serve at {host} port {port}: {reason(error)}; {advice}") from None
    return listener


@contextlib.contextmanager
def listening_at(path: Path) -> Iterator[socket.socket]:
    """Listen at a Unix socket, which is removed at the end.

    One that a dead server has left is replaced.  Raises ``StoreError`` for any other file, for a
    socket at which somebody listens, and where there can be none.
    """
    try:
        _remove_stale(path)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    except OSError as error:
        raise StoreError(f"cannot serve at {quote(path)}: {reason(error)}") from None
    with listener:
        try:
            listener.bind(str(path))
            own = path.stat()
            listener.listen()  # from now on nobody takes it for one that was left
        except OSError as error:
            raise StoreError(f"cannot serve at {quote(path)}: {reason(error)}") from None
        try:
            yield listener
        finally:
            with contextlib.suppress(OSError):
                if os.path.samestat(path.stat(), own):  # and not another server's by now
                    path.unlink()


def _remove_stale(path: Path) -> None:
    """Remove a socket at which nobody listens."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise OSError(errno.EEXIST, "there is a file, which is no socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)  # whoever is too busy to answer does listen
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
        except BlockingIOError:
            pass
    raise OSError(errno.EADDRINUSE, "another server listens there")
