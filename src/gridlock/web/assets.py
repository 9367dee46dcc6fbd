"""The files of the page, read once when the server starts.

Pages name each file by an address that holds a version, which is made of what is in the files:
under that address a browser keeps it for good and never asks again.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

_PREFIX = "/static/"
_VERSION = re.compile(r"[0-9a-f]{12}")
_PAGE = ".html"
_MEDIA_TYPES = {
    ".css": "text/css",
    _PAGE: "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}
_FOREVER = "public, max-age=31536000, immutable"
_ASK = "no-cache"  # a browser may keep it, and asks each time whether it has changed


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is sent; ``tag`` tells one content from another."""

    content: bytes
    media_type: str
    tag: str
    caching: str = _ASK


class Assets:
    """All files of a folder."""

    def __init__(self, folder: Path) -> None:
        contents = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.suffix in _MEDIA_TYPES
        }
        self.version = _digest(b"".join(name.encode() + text for name, text in contents.items()))
        prefix = f"{_PREFIX}{self.version}/".encode()
        self._pages, self._files = {}, {}
        for name, content in contents.items():
            media_type = _MEDIA_TYPES[Path(name).suffix]
            if name.endswith(_PAGE):
                text = content.replace(_PREFIX.encode(), prefix)
                self._pages[name.removesuffix(_PAGE)] = Asset(text, media_type, _digest(text))
            else:
                self._files[name] = Asset(content, media_type, _digest(content))

    def page(self, name: str) -> Asset:
        """Return a page, in which every file is named with its version."""
        return self._pages[name]

    def find(self, path: str) -> Asset | None:
        """Return the file at a path below ``/static/``, None where there is none.

        With another version than the present one it is that of a page which was opened before an
        update, or comes from another process: it may not be kept under that name.
        """
        version, _, name = path.strip("/").partition("/")
        if not _VERSION.fullmatch(version):
            return self._files.get(path.strip("/"))
        found = self._files.get(name)
        if found is None or version != self.version:
            return found
        return Asset(found.content, found.media_type, found.tag, _FOREVER)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


ASSETS = Assets(Path(__file__).parent / "static")
