"""Where the games of a tournament begin.

``start`` is the start of the game; ``random:N`` is after N random actions; ``fair:N`` likewise, but
by turns one that is proved to be won by player 1 and one by player 2, so that over two rounds no
seat is better than the other; anything else is a file with a position text, or written moves, in
each line; a line that begins with ; is a comment.
"""

from __future__ import annotations

import random
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from gridlock.errors import GridlockError, NotationError, RecordError, quote
from gridlock.files import read_text
from gridlock.model import Player
from gridlock.notation import read_number
from gridlock.record import read_moves

if TYPE_CHECKING:
    from gridlock.engine import Engine
    from gridlock.model import Game, Position

START, RANDOM, FAIR = "start", "random", "fair"

_USUAL_ACTIONS = 2
_MOST_TRIES = 200
_PROOF_SECONDS = 2.0
_COMMENT = ";"


class Openings:
    """The openings of a tournament by their numbers; each number always has the same one."""

    def __init__(self, game: Game, text: str, seed: int) -> None:
        self._game = game
        self._seed = seed
        kind, _, number = text.partition(":")
        self._kind = kind if kind in (START, RANDOM, FAIR) else ""
        self._actions = _USUAL_ACTIONS
        self._lines: list[Position] = []
        self._engine: Engine | None = None
        if not self._kind:
            self._lines = _read_file(game, Path(text))
        elif number:
            actions = read_number(number)
            if kind == START or actions is None or not 0 <= actions <= 1000:
                raise NotationError(f"openings cannot be {quote(text)}: write {RANDOM}:4")
            self._actions = actions
        self.position = lru_cache(maxsize=None)(self._position)

    def _position(self, number: int) -> Position:
        """Return the opening of a round, from 0, or raise ``GridlockError``."""
        if self._lines:
            return self._lines[number % len(self._lines)]
        rng = random.Random(f"{self._seed}:{number}")
        if self._kind == RANDOM:
            return self._random(rng)
        return self._fair(rng, Player(1 + number % 2)) if self._kind == FAIR else self._game.start()

    def _random(self, rng: random.Random) -> Position:
        """Return a position after random actions in which the game goes on."""
        for _ in range(_MOST_TRIES):
            position: Position = self._game.start()
            for _ in range(self._actions):
                if position.winner is None:
                    position = position.play(rng.choice(position.legal_cells()))
            if position.winner is None:
                return position
        raise NotationError(f"after {self._actions} actions no game goes on: take fewer")

    def _fair(self, rng: random.Random, winner: Player) -> Position:
        """Return a random position that a player is proved to win."""
        from gridlock.engine import Engine
        from gridlock.search.settings import Settings

        if self._engine is None:
            self._engine = Engine(self._game, Settings(seconds=_PROOF_SECONDS))
        unsolved = 0
        for _ in range(_MOST_TRIES):
            position = self._random(rng)
            is_won = self._engine.wins(position)
            if is_won is not None and (position.mover is winner) == is_won:
                return position
            unsolved += is_won is None
            if unsolved * 4 >= _MOST_TRIES:
                break
        why = "they cannot be solved" if unsolved else f"none is won by player {winner}"
        raise NotationError(
            f"there are no fair openings after {self._actions} actions: {why}; "
            f"take another number, such as {FAIR}:{self._actions + 1}"
        )


def _read_file(game: Game, path: Path) -> list[Position]:
    """Return the positions in a file, or raise ``GridlockError``, which names the line."""
    found: list[Position] = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        text = line.strip()
        if not text or text.startswith(_COMMENT):
            continue
        try:
            if "/" in text.split()[0] and len(text.split()) == 3:
                position = game.position(text)
            else:
                position = game.start().replay(read_moves(game, text))[-1]
        except GridlockError as error:
            raise RecordError(f"{path}, line {number}: {error}") from None
        if position.winner is not None:
            raise RecordError(f"{path}, line {number}: the game is over there")
        found.append(position)
    if not found:
        raise RecordError(f"there is no opening in {quote(path)}")
    return found
