"""What the server logs: lines of JSON, each with the request that it belongs to, none a flood.

Nothing that players enter or are given is logged: no names, tokens, invitations or hashes.  So
database errors are shown without their statements, as these hold all of that.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
import threading
import time
import traceback
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from gridlock.web.database import reason

if TYPE_CHECKING:
    from collections.abc import Iterator

REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The id of the request, or live connection, that is being answered."""

_GOOD_ID = re.compile(r"[\w.:-]{1,64}", re.ASCII)
_PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "ends"}
_SUM_SECONDS = 10.0

_Key = tuple[str, int, str, str]


def read_request_id(proposed: bytes | None) -> str:
    """Return the id by which a request is known: the proposed one if it is short and plain."""
    text = (proposed or b"").decode("latin-1")
    return text if _GOOD_ID.fullmatch(text) else secrets.token_hex(8)


class JsonFormatter(logging.Formatter):
    """One object of JSON on a line, with everything that a caller has added."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        entry = {
            "time": f"{when}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{key: value for key, value in vars(record).items() if key not in _PLAIN},
        }
        if request := REQUEST.get():
            entry.setdefault("request", request)
        if record.exc_info and record.exc_info[1]:
            entry["traceback"] = "".join(_show(record.exc_info[1]))
        return json.dumps(entry, default=str)


def _show(error: BaseException) -> Iterator[str]:
    """Return where an error, and whatever it came from, was raised; of each only the first line."""
    if cause := error.__cause__ or (None if error.__suppress_context__ else error.__context__):
        yield from _show(cause)
        yield "then\n"
    yield from traceback.format_tb(error.__traceback__)
    yield f"{type(error).__name__}: {reason(error)}\n"
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield from _show(one)


@dataclass(slots=True)
class _Repeated:
    """A warning that has been written, and how often it came again."""

    record: logging.LogRecord
    since: float
    recently: int = 0
    in_all: int = 1


class SummingHandler(logging.StreamHandler[TextIO]):
    """Writes a warning at once; when it comes again and again, only how often it did.

    While it does there is a line every ten seconds, and one when it does no more.  A record may say
    which warning has come to its end, by the text that was logged (``ends``): its sum goes before.
    """

    def __init__(self, stream: TextIO, seconds: float = _SUM_SECONDS) -> None:
        super().__init__(stream)
        self._seconds = seconds
        self._repeated: dict[_Key, _Repeated] = {}
        self._timer: threading.Timer | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or count it."""
        if record.levelno < logging.WARNING:
            super().emit(record)
            return
        key = _key(record)
        if repeated := self._repeated.get(key):
            repeated.recently += 1
            repeated.in_all += 1
            return
        self._repeated[key] = _Repeated(record, time.monotonic())
        self._end(getattr(record, "ends", None), record)
        super().emit(record)
        if self._timer is None:
            self._wait()

    def sum_up(self) -> None:
        """Write what has come again since the last time, and what has come to its end."""
        self.acquire()
        try:
            for key, repeated in list(self._repeated.items()):
                if repeated.recently:
                    self._tell(repeated, f"again {_times(repeated.recently)}")
                else:
                    del self._repeated[key]
                    if repeated.in_all > 1:
                        self._tell(repeated, f"no more, after {_times(repeated.in_all)}")
                repeated.recently = 0
            self._timer = None
            if self._repeated:
                self._wait()
        finally:
            self.release()

    def close(self) -> None:
        """Write what is left."""
        self.acquire()
        try:
            if self._timer:
                self._timer.cancel()
                self._timer = None
            for repeated in self._repeated.values():
                if repeated.recently:
                    self._tell(repeated, f"again {_times(repeated.recently)}")
            self._repeated.clear()
        finally:
            self.release()
        super().close()

    def _end(self, message: str | None, by: logging.LogRecord) -> None:
        """Write the sum of a warning of the same logger, which is over."""
        ended = self._repeated.get((by.name, by.levelno, message or "", ""))
        if ended:
            if ended.recently:
                self._tell(ended, f"again {_times(ended.recently)}")
            ended.recently, ended.in_all = 0, 1

    def _tell(self, repeated: _Repeated, told: str) -> None:
        first = repeated.record
        message = f"{first.getMessage()} - {told}"
        seconds = round(time.monotonic() - repeated.since, 1)
        extra = {"times": repeated.in_all, "seconds": seconds}
        plain = {"name": first.name, "levelno": first.levelno, "levelname": first.levelname}
        super().emit(logging.makeLogRecord({**plain, "msg": message, **extra}))

    def _wait(self) -> None:
        self._timer = threading.Timer(self._seconds, self.sum_up)
        self._timer.daemon = True
        self._timer.start()


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def _key(record: logging.LogRecord) -> _Key:
    """Return by what a warning is known again: where it comes from, whatever it is about."""
    kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
    return record.name, record.levelno, str(record.msg), kind


def log_to(stream_level: int) -> None:
    """Write logs of at least this level to standard error, as lines of JSON."""
    handler = SummingHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=stream_level, handlers=[handler], force=True)
    logging.getLogger("uvicorn").setLevel(max(stream_level, logging.WARNING))
    for noisy in ("alembic", "asyncio"):
        logging.getLogger(noisy).setLevel(max(stream_level, logging.WARNING))
