"""Reading and writing whole text files, so that nothing is lost and every failure is one line."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from gridlock.errors import StoreError, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_FILE = 16 * 1024 * 1024  # bytes; a record of the largest board takes some 60 kB

DRAFT_SUFFIX = ".tmp"
"""How the names of files end that are being written; a killed process may leave one."""


def typed_path(name: str) -> Path:
    """Return the file that a person means by a name, which may begin with ``~``."""
    path = Path(name)
    with contextlib.suppress(RuntimeError):  # ~somebody without a home
        path = path.expanduser()
    return path


def read_text(path: Path) -> str:
    """Return the text of a file, or raise ``StoreError``."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise StoreError(f"cannot read {quote(path)}: {reason(error)}") from None
    if len(content) > LARGEST_FILE:
        raise StoreError(f"cannot read {quote(path)}: it is larger than {LARGEST_FILE} bytes")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise StoreError(f"cannot read {quote(path)}: it is not a text in UTF-8") from None


def write_atomically(path: Path, text: str) -> None:
    """Put a text on disk, whole or not at all, whatever happens meanwhile.

    It is on the disk, not only on its way there, when this returns; raises ``StoreError``.
    """
    with drafted(path) as draft, draft.open("x", encoding="utf-8", newline="\n") as file:
        file.write(text)


@contextlib.contextmanager
def drafted(path: Path) -> Iterator[Path]:
    """Hand out the name of a new file, which takes the place of ``path`` when it is written.

    It does so whole or not at all, and is on the disk, not only on its way there, when this ends;
    raises ``StoreError``.
    """
    try:
        if path.is_char_device() or path.is_block_device() or path.is_fifo():
            raise StoreError(f"cannot write {quote(path)}: it is a device, not a file")
        draft = path.with_name(f".{path.name}.{os.urandom(4).hex()}{DRAFT_SUFFIX}")
        try:
            yield draft
            _sync(draft, os.O_RDWR)
            draft.replace(path)
        except BaseException:
            with contextlib.suppress(OSError, ValueError):
                draft.unlink(missing_ok=True)
            raise
        if hasattr(os, "O_DIRECTORY"):  # pragma: no branch - where a folder can be opened
            _sync(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    except (OSError, ValueError) as error:
        raise StoreError(f"cannot write {quote(path)}: {reason(error)}") from None


@contextlib.contextmanager
def locked(path: Path, patience: float) -> Iterator[None]:
    """Let no other program change a file meanwhile; one that does is waited for so many seconds.

    The folder is made if there is none.  Raises ``StoreError``.
    """
    from filelock import FileLock, Timeout

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock"), timeout=patience):
            yield
    except Timeout:
        raise StoreError(f"another program holds {quote(path)}") from None
    except OSError as error:
        raise StoreError(f"cannot write {quote(path)}: {reason(error)}") from None


def put_aside(path: Path) -> None:
    """Keep a file that cannot be read under another name: somebody may be able to mend it."""
    number = 1
    while (aside := path.with_suffix(f".damaged-{number}{path.suffix}")).exists():
        number += 1
    path.rename(aside)


def can_write_in(folder: Path) -> bool:
    """Tell whether files can be put into a folder, or into the one where it would be made.

    It is really tried, since permissions do not tell all: a disk can be full, or mounted to be
    read only.  Nothing is left behind.
    """
    import tempfile

    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"?")
    except (OSError, ValueError):
        return False
    return True


def _sync(path: Path, flags: int) -> None:
    """Put a file, or the names in a folder, on the disk."""
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def reason(error: OSError | ValueError) -> str:
    """Return why the system refused, without the name of the file."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
