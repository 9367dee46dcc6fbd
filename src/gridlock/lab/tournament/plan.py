"""What a tournament is to be: who plays what, how often, from where, and in which time."""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridlock.clock import Clock
from gridlock.errors import NotationError, RecordError, quote
from gridlock.files import read_text
from gridlock.lab.tournament.opening import Openings
from gridlock.lab.tournament.sprt import ALPHA, BETA, Sprt, read_sprt
from gridlock.model import Game
from gridlock.notation import read_size
from gridlock.players import AUTO, HUMAN, check_name
from gridlock.rulebooks import custom
from gridlock.rulebooks.catalogue import RULEBOOKS, find_rulebook
from gridlock.search.settings import Limit

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_ROUNDS = 100_000
MOST_AT_ONCE = 256

_LABELLED = re.compile(r"([\w .+-]{1,30})=(.+)")
_CLOCK = re.compile(r"([0-9]{1,5}(?:\.[0-9]{1,3})?)(?:\+([0-9]{1,5}(?:\.[0-9]{1,3})?))?")


class Format(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    MATCH = "match"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player by the name that stands in the table, and the one by which it is made."""

    label: str
    who: str


def read_entrant(text: str) -> Entrant:
    """Return the player of ``WHO`` or ``LABEL=WHO``, or raise ``NotationError``."""
    match = _LABELLED.fullmatch(text.strip())
    label, who = (match[1].strip(), match[2]) if match else (text.strip(), text)
    if who.strip().lower() in (HUMAN, AUTO) or who.strip().lower().startswith(f"{HUMAN}:"):
        raise NotationError(f"{quote(who)} cannot play in a tournament: name a program")
    return Entrant(label, check_name(who))


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament, as options or a TOML file name it; the constructor refuses nonsense.

    In every round each two who meet play the same opening twice, from both sides.
    """

    players: tuple[str, ...]
    game: str = "duel"
    size: str = ""
    format: str = Format.ROUND_ROBIN
    rounds: int = 1
    openings: str = "random:2"
    clock: str = ""
    seconds: float = 0.0
    nodes: int = 0
    concurrency: int = 1
    seed: int = 1
    sprt: str = ""
    alpha: float = ALPHA
    beta: float = BETA
    quality: float = 1.0

    def __post_init__(self) -> None:
        self._check_values()
        self._check_players()
        if sum(map(bool, (self.clock, self.seconds, self.nodes))) > 1:
            raise NotationError("name a clock, seconds per turn or nodes: one of them")
        if self.sprt and len(self.players) != 2:
            raise NotationError("sprt is for two players")
        self.test()
        self.new_clock()
        self.starts()

    def _check_values(self) -> None:
        for field, kinds in _KINDS.items():
            value = getattr(self, field)
            if not isinstance(value, kinds) or isinstance(value, bool):
                raise NotationError(f"{field} cannot be {quote(str(value))}")
        if self.format not in tuple(Format):
            raise NotationError(f"format is {', '.join(Format)}, not {quote(self.format)}")
        for name, most in (("rounds", MOST_ROUNDS), ("concurrency", MOST_AT_ONCE)):
            if not 1 <= getattr(self, name) <= most:
                raise NotationError(f"{name} is from 1 to {most:,}, not {getattr(self, name)}")
        for name in ("seconds", "nodes", "quality"):
            if not 0 <= getattr(self, name) < math.inf:
                raise NotationError(f"{name} cannot be {getattr(self, name)}")

    def _check_players(self) -> None:
        entrants = self.entrants()
        labels = [entrant.label for entrant in entrants]
        for label in labels:
            if labels.count(label) > 1:
                raise NotationError(f"two players are called {quote(label)}: write LABEL=PLAYER")
        if len(labels) < 2:
            raise NotationError("a tournament needs two players at least")
        if self.format == Format.MATCH and len(labels) != 2:
            raise NotationError(f"a match is between two players, not {len(labels)}")

    def entrants(self) -> list[Entrant]:
        """Return the players in their order, or raise ``NotationError``."""
        return [read_entrant(text) for text in self.players]

    def board(self) -> Game:
        """Return the game that is played, or raise ``GridlockError``."""
        if self.game in RULEBOOKS or not self.game.lower().endswith(custom.RULE_SUFFIX):
            rulebook = find_rulebook(self.game)
        else:
            rulebook = custom.load(self.game).rulebook
        return Game(rulebook, read_size(self.size) if self.size else rulebook.size)

    def starts(self) -> Openings:
        """Return where the games begin, or raise ``GridlockError``."""
        return Openings(self.board(), self.openings, self.seed)

    def new_clock(self) -> Clock | None:
        """Return a clock for a game, None without one, or raise ``NotationError``."""
        if not self.clock:
            return None
        match = _CLOCK.fullmatch(self.clock)
        if match is None or not float(match[1]):
            raise NotationError(
                f"clock is seconds for a game and for each turn, such as 10+0.1, not "
                f"{quote(self.clock)}"
            )
        return Clock(float(match[1]), float(match[2] or 0))

    def limit(self) -> Limit | None:
        """Return how far each action may be thought about, None for what is usual."""
        if not (self.seconds or self.nodes):
            return None
        return Limit(self.seconds or None, self.nodes or None)

    def test(self) -> Sprt | None:
        """Return the test that ends a match, None without one, or raise ``NotationError``."""
        return read_sprt(self.sprt, self.alpha, self.beta) if self.sprt else None

    def as_keys(self) -> dict[str, Any]:
        """Return the plan as a file has it, whole."""
        return {**asdict(self), "players": list(self.players)}


_KINDS: dict[str, tuple[type, ...]] = {
    field.name: (tuple,) if field.name == "players"
    else (int, float) if isinstance(field.default, float)
    else (type(field.default),) if not isinstance(field.default, StrEnum)
    else (str,)
    for field in fields(Plan)
}  # fmt: skip


def build(keys: Mapping[str, Any]) -> Plan:
    """Return the plan that some keys describe, or raise ``NotationError``."""
    names = [field.name for field in fields(Plan)]
    for key in keys:
        if key not in names:
            raise NotationError(f"there is no key {quote(key)}, only {', '.join(names)}")
    players = keys.get("players", ())
    if not isinstance(players, (list, tuple)) or not all(isinstance(who, str) for who in players):
        raise NotationError("players is a list of names")
    return Plan(**{**keys, "players": tuple(players)})


def shipped(name: str) -> Path | None:
    """Return the file of a plan that comes along, None if there is none of this name."""
    path = Path(__file__).parent / "plans" / f"{name}.toml"
    return path if name.isidentifier() and path.is_file() else None


def read_keys(path: Path) -> dict[str, Any]:
    """Return the keys of a TOML file, or raise ``RecordError`` or ``StoreError``.

    A rule file, or a file of openings, that it names is looked for beside it.
    """
    import tomllib

    try:
        keys = tomllib.loads(read_text(path))
    except ValueError as error:
        raise RecordError(f"{path} is not TOML: {error}") from None
    for key in ("game", "openings"):
        beside = path.parent / str(keys.get(key, ""))
        if isinstance(keys.get(key), str) and not Path(keys[key]).exists() and beside.is_file():
            keys[key] = str(beside)
    return keys
