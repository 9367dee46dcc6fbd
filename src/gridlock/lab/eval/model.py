"""Models: behind an OpenAI-compatible chat endpoint, or a command that reads a prompt."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import threading
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gridlock.errors import GridlockError, NotationError, quote

if TYPE_CHECKING:
    import httpx

MESSAGE = dict[str, str]
"""One message of a conversation: ``role`` and ``content``."""

LONGEST_REPLY = 4 << 20  # bytes
_EXCERPT = 300  # characters of what an endpoint said with an error
_HIDDEN = "[key]"
_SHORTEST_KEY = 8  # characters; a shorter one would be found in any text
_RATE_LIMIT = 429
_PASSING = frozenset({408, 409, 425, _RATE_LIMIT})  # errors of the 400s that may pass


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked."""

    messages: tuple[MESSAGE, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, and the tokens that it took, where that is told."""

    text: str
    tokens: int = 0
    is_refused: bool = False
    is_cut_off: bool = False
    by: str = ""
    """Who answered, by its own account."""


class FailureError(GridlockError):
    """No answer came; ``kind`` says why, ``wait`` how long to wait, if that was told.

    Unless it ``may_pass``, asking again would not help.
    """

    def __init__(
        self, kind: str, text: str, *, wait: float | None = None, may_pass: bool = True
    ) -> None:
        super().__init__(text)
        self.kind = kind
        self.wait = wait
        self.may_pass = may_pass


class Model(ABC):
    """Something that answers; several threads may ask at once."""

    @abstractmethod
    def ask(self, question: Question) -> Reply:
        """Return the answer to a question, or raise ``FailureError``."""

    @abstractmethod
    def close(self) -> None:
        """End what is under way; nothing is asked any more."""


class Secret:
    """A key from the environment, which is in no text that this has cleaned."""

    def __init__(self, variable: str | None) -> None:
        self._key = os.environ.get(variable, "").strip() if variable else ""
        if not (self._key.isascii() and self._key.isprintable()):
            raise NotationError(f"the key in {variable} has characters that no key has")

    def clean(self, text: str) -> str:
        """Return a text without the key."""
        return text.replace(self._key, _HIDDEN) if len(self._key) >= _SHORTEST_KEY else text

    def headers(self) -> dict[str, str]:
        """Return the headers of a request that has the key."""
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}


class ChatModel(Model):
    """A model behind an endpoint that speaks OpenAI's chat completions."""

    def __init__(
        self,
        base_url: str,
        name: str,
        secret: Secret,
        *,
        seconds: float,
        temperature: float | None = None,
        most_tokens: int | None = None,
    ) -> None:
        try:
            import httpx
        except ImportError:
            raise GridlockError(
                "endpoints need httpx: pip install 'gridlock-games[eval]'"
            ) from None
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._secret = secret
        self._seconds = seconds
        self._body: dict[str, Any] = {"model": name}
        if temperature is not None:
            self._body["temperature"] = temperature
        if most_tokens is not None:
            self._body["max_tokens"] = most_tokens
        self._client = httpx.Client(
            headers=secret.headers(), timeout=seconds, limits=httpx.Limits(max_connections=None)
        )

    def ask(self, question: Question) -> Reply:
        """Return the answer to a question, or raise ``FailureError``."""
        import httpx

        body = {**self._body, "messages": list(question.messages), "seed": question.seed}
        try:
            with self._client.stream("POST", self._url, json=body) as response:
                content = self._read(response)
        except httpx.TimeoutException:
            raise FailureError("timeout", f"no answer within {self._seconds:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL, RuntimeError) as error:  # closed meanwhile
            text = self._secret.clean(str(error)) or type(error).__name__
            raise FailureError("connection", text) from None
        if response.status_code != httpx.codes.OK:
            raise self._failure(response, content)
        return self._reply(content)

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _read(self, response: httpx.Response) -> str:
        """Return what comes, as long as it is neither too long nor too slow."""
        end = time.monotonic() + self._seconds
        content = b""
        for part in response.iter_bytes():
            content += part
            if len(content) > LONGEST_REPLY:
                raise FailureError("nonsense", f"more than {LONGEST_REPLY} bytes came")
            if time.monotonic() > end:
                raise FailureError("timeout", f"no whole answer within {self._seconds:g} s")
        return content.decode("utf-8", "replace")

    def _failure(self, response: httpx.Response, content: str) -> FailureError:
        status = response.status_code
        is_passing = status in _PASSING or status >= 500
        kind = "rate limit" if status == _RATE_LIMIT else f"HTTP {status}"
        said = " ".join(self._secret.clean(content).split())[:_EXCERPT]
        wait = None
        with contextlib.suppress(ValueError):
            wait = float(response.headers.get("Retry-After", ""))
        return FailureError(kind, f"HTTP {status}: {said}", wait=wait, may_pass=is_passing)

    def _reply(self, content: str) -> Reply:
        try:
            body = json.loads(content)
            choice = body["choices"][0]
            message = choice["message"]
            text = message.get("content") or ""
            if isinstance(text, list):
                text = "".join(part.get("text", "") for part in text)
            ending = choice.get("finish_reason")
            tokens = (body.get("usage") or {}).get("total_tokens") or 0
            refusal = message.get("refusal")
            return Reply(
                self._secret.clean(str(text or refusal or "")),
                int(tokens),
                is_refused=ending == "content_filter" or bool(refusal and not text),
                is_cut_off=ending == "length",
                by=self._secret.clean(str(body.get("model") or ""))[:_EXCERPT],
            )
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            said = " ".join(self._secret.clean(content).split())[:_EXCERPT]
            raise FailureError("nonsense", f"not a chat completion: {quote(said)}") from None


class CommandModel(Model):
    """A command that reads the conversation from its input and prints an answer."""

    def __init__(self, command: str, secret: Secret, *, seconds: float) -> None:
        self._arguments = split_command(command)
        self._secret = secret
        self._seconds = seconds
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._is_closed = False

    def ask(self, question: Question) -> Reply:
        """Return what the command prints, or raise ``FailureError``."""
        text = "\n\n".join(message["content"] for message in question.messages)
        try:
            process = self._start()
        except OSError as error:
            reason = error.strerror or str(error)
            raise FailureError("command", reason, may_pass=False) from None
        try:
            out, err = process.communicate(text.encode(), timeout=self._seconds)
        except subprocess.TimeoutExpired:
            raise FailureError("timeout", f"no answer within {self._seconds:g} s") from None
        finally:
            _kill(process)
            process.wait()
            for stream in filter(None, (process.stdin, process.stdout, process.stderr)):
                with contextlib.suppress(OSError):  # what it was told it may never have read
                    stream.close()
            with self._lock:
                self._running.discard(process)
        if process.returncode:
            lines = err.decode("utf-8", "replace").split("\n")
            said = self._secret.clean(next((line for line in lines[::-1] if line.strip()), ""))
            raise FailureError("command", f"exit code {process.returncode}: {said[:_EXCERPT]}")
        return Reply(self._secret.clean(out[:LONGEST_REPLY].decode("utf-8", "replace")))

    def close(self) -> None:
        """End the commands that still run."""
        with self._lock:
            self._is_closed = True
            for process in self._running:
                _kill(process)

    def _start(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._is_closed:
                raise FailureError("connection", "stopped")
            process = subprocess.Popen(  # noqa: S603 - what a person asked for
                self._arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that what it starts ends with it
            )
            self._running.add(process)
            return process


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a command, and whatever it has started that is still there."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:  # pragma: no cover - Windows
            process.kill()


def split_command(command: str) -> list[str]:
    """Return the words of a command, or raise ``NotationError``."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise NotationError(f"{quote(command)} is not a command: {error}") from None
    if not words:
        raise NotationError("the command is empty")
    return words
