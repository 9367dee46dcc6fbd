"""A small local chat endpoint for trials of the trial: one of our own players behind it.

It reads the prompts that come along as a model would: it knows the game by its rules, and the
position by its picture.  So it also shows that the prompts say all that is needed.
"""

from __future__ import annotations

import json
import random
import re
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import TYPE_CHECKING, Any

import gridlock
from gridlock.engine import Engine
from gridlock.errors import GridlockError, NotationError
from gridlock.grid import Grid
from gridlock.lab.eval.view import Disguise, View
from gridlock.model import Detail, Game
from gridlock.players import Seat, make
from gridlock.search.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gridlock.model import Position

OWN = "gridlock-"
"""How the names of our own players begin, as this endpoint gives them."""

LOOPBACK = "127.0.0.1"
_LARGEST_BODY = 4 << 20  # bytes
_MEMORY = 1 << 26  # bytes for the searches of each game
_MOVER = re.compile(r"^You (?:play|are) (\S+)\.", re.MULTILINE)
_LAST = re.compile(r"(?:taken last|just before) is (\S+)\.")
_HOMES = re.compile(r"set out from ([a-z]+[0-9]+), and \S+ from ([a-z]+[0-9]+)\.")
_PLAYERS = re.compile(r"\((\S+) and (\S+) are the (?:players'|rivals),")


def read_prompt(text: str) -> tuple[Position, dict[int, str]]:
    """Return the position that a prompt shows, and how each cell is written there.

    Raises ``NotationError`` for what is no prompt that comes along.
    """
    picture = _read_picture(text)
    mover, players = _MOVER.search(text), _PLAYERS.search(text)
    if picture is None or mover is None or players is None or mover[1] not in players.groups():
        raise NotationError("this endpoint reads only the prompts that come with GridLock")
    columns, rows = picture
    grid = Grid(len(rows), len(columns))
    view = _view_of(text, grid)
    if isinstance(view, Disguise):
        labels = [f"{column}{row[0]}" for row in rows for column in columns]
    else:
        labels = [f"{row[0]},{column}" for row in rows for column in columns]
    squares = {players[1]: "1", players[2]: "2", view.words.free: ".", view.words.blocked: "#"}
    shown = [squares.get(symbol, "#") for row in rows for symbol in row[1:]]
    # In disguise a board may be turned; the corners where tokens began say how it was.
    places: Sequence[int] = range(grid.cell_count)
    if homes := _HOMES.search(text):
        ends = (labels.index(homes[1]), labels.index(homes[2]))
        turns = grid.symmetries()
        places = next(turn for turn in turns if (turn[0], turn[grid.cell_count - 1]) == ends)
    cells = [shown[place] for place in places]
    lines = ["".join(cells[n : n + grid.columns]) for n in range(0, len(cells), grid.columns)]
    last = _LAST.search(text)
    game = view.game
    detail = "-"
    if game.rulebook.detail is Detail.PHASE:
        number = next(n for n, task in enumerate(view.words.tasks) if task in text)
        detail = game.rulebook.phases[number].name
    elif last:
        detail = game.name(labels.index(last[1]))
    player = 1 if mover[1] == players[1] else 2
    position = game.position(f"{'/'.join(lines)} {player} {detail}")
    return position, {cell: labels[place] for cell, place in enumerate(places)}


def _read_picture(text: str) -> tuple[list[str], list[list[str]]] | None:
    """Return the names of the columns, and the rows with their names; the last picture counts."""
    found = None
    lines = [line.split() for line in text.splitlines()]
    for number, columns in enumerate(lines):
        rows: list[list[str]] = []
        for row in lines[number + 1 :]:
            if len(row) != len(columns) + 1 or not row[0].isdigit():
                break
            rows.append(row)
        if columns and rows and columns[0] in ("0", "1", "a"):
            found = columns, rows
    return found


def _view_of(text: str, grid: Grid) -> View:
    """Return how the game of a prompt is shown: its rules say which it is."""
    for rulebook in gridlock.RULEBOOKS.values():
        if grid.cell_count < rulebook.least_cells:
            continue
        game = Game(rulebook, grid)
        plain, disguise = View(game), Disguise(game, 0)
        if plain.rules(game.start()).split("\n\n")[0] in text:
            return plain
        if disguise.rules(game.start()).split("\n\n")[-1] in text:
            return disguise
    raise NotationError("this endpoint knows no game with the rules of the prompt")


class LevelServer(ThreadingHTTPServer):
    """Answers chat requests as a player of the registry would."""

    daemon_threads = True

    def __init__(self, who: str, port: int) -> None:
        make(who).close()
        self.who = who
        self._engines: dict[Game, Engine] = {}
        self._lock = Lock()
        super().__init__((LOOPBACK, port), _Handler)

    @property
    def url(self) -> str:
        """The address for ``--base-url``."""
        return f"http://{LOOPBACK}:{self.server_address[1]}/v1"

    def answer(self, messages: list[dict[str, str]], seed: int) -> str:
        """Return what the player says to a conversation, or raise ``NotationError``."""
        position, labels = read_prompt(messages[0]["content"])
        if position.winner is not None:
            raise NotationError("the game in the prompt is over")
        with self._lock:
            engine = self._engines.setdefault(
                position.game, Engine(position.game, Settings(memory=_MEMORY))
            )
        bot = make(self.who, Seat(random.Random(seed), engine))
        try:
            return labels[bot.choose(position)]
        finally:
            bot.close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: LevelServer

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > _LARGEST_BODY:
            self.close_connection = True
            self._send(400, {"error": {"message": "send a JSON body of a known length"}})
            return
        content = self.rfile.read(int(length))
        try:
            body = json.loads(content)
            text = self.server.answer(body["messages"], int(body.get("seed") or 0))
        except (GridlockError, ValueError, LookupError, TypeError, AttributeError) as error:
            self._send(400, {"error": {"message": str(error)}})
            return
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
        name = f"{OWN}{self.server.who}"
        self._send(
            200, {"object": "chat.completion", "model": name, "choices": [choice], "usage": usage}
        )

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep quiet: whoever asks keeps a journal."""

    def _send(self, status: int, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def serving(who: str, port: int = 0) -> Iterator[LevelServer]:
    """Serve a player of the registry until the end of the block, on a thread of its own."""
    from threading import Thread

    with LevelServer(who, port) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
