"""The plan of a trial: what is asked of which model.  It is the first line of the journal."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

import gridlock
from gridlock.errors import NotationError, StoreError, quote
from gridlock.lab.eval.model import ChatModel, CommandModel, Model, Secret, split_command
from gridlock.lab.eval.prompt import LISTED, Template
from gridlock.lab.eval.suite import choose_items, find_item
from gridlock.model import Player
from gridlock.players import check_name, is_program

if TYPE_CHECKING:
    from gridlock.model import Game, Position

MODEL_KIND, COMMAND_KIND = "model", "command"
"""Kinds of opponents besides those of the registry: ``model:NAME`` and ``command:COMMAND``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that is needed to go on with a trial; the key is not in it, only where it is."""

    base_url: str | None = None
    model: str | None = None
    command: str | None = None
    key_variable: str | None = None
    games: tuple[str, ...]
    """Rulebooks, with a size where it is not their own: ``duel``, ``race:5x5``."""
    opponents: tuple[str, ...] = ("random",)
    count: int = 10
    """Games on each board against each opponent."""
    suite: int = 0
    """Positions of the suite of each rulebook."""
    prompt: str = LISTED
    template: str = ""
    seed: int = 1
    attempts: int = 3
    retries: int = 5
    wait: float = 1.0
    """Seconds before the first retry; each later one waits twice as long."""
    timeout: float = 120.0
    temperature: float | None = None
    most_tokens: int | None = None
    """Tokens of one answer, at most."""

    def __post_init__(self) -> None:
        if (self.command is None) == (self.model is None):
            raise NotationError("name a model by --model and --base-url, or by --command")
        if self.model is not None:
            check_url(self.base_url or "")
        for who in self.opponents:
            check_opponent(who, self.base_url)
        if self.command is not None:
            split_command(self.command)
        self.tasks()

    @property
    def name(self) -> str:
        """What the model is called."""
        return self.model or self.command or ""

    def tasks(self) -> list[Task]:
        """Return everything that is asked, game by game and position by position."""
        tasks = []
        for name in self.games:
            game = read_game(name)
            for opponent in self.opponents:
                for number in range(1, self.count + 1):
                    seat = Player.ONE if number % 2 else Player.TWO
                    task_id = f"{game.rulebook.id} {game.grid} {opponent} {number}"
                    tasks.append(Task(task_id, game.start(), seat, opponent))
        for game_id in dict.fromkeys(name.partition(":")[0] for name in self.games):
            items = choose_items(game_id, self.suite) if self.suite else []
            tasks += [Task(one.id, one.position, one.position.mover, None) for one in items]
        return tasks

    def make_model(self, secret: Secret, opponent: str | None = None) -> Model:
        """Return the model on trial, or one that plays against it."""
        name, command = self.model, self.command
        if opponent is not None:
            kind, _, argument = opponent.partition(":")
            name, command = (argument, None) if kind == MODEL_KIND else (None, argument)
        if command is not None:
            return CommandModel(command, secret, seconds=self.timeout)
        return ChatModel(
            self.base_url or "", name or "", secret,
            seconds=self.timeout, temperature=self.temperature, most_tokens=self.most_tokens,
        )  # fmt: skip

    def make_template(self) -> Template:
        """Return the prompt."""
        return Template(self.prompt, self.template)

    def chance(self, *what: object) -> str:
        """Return a seed that depends on nothing but the seed of the plan and what it is for."""
        return " ".join(map(str, (self.seed, *what)))

    def write(self) -> dict[str, Any]:
        """Return the plan as an object of JSON."""
        return asdict(self)


def read_plan(event: dict[str, Any]) -> Plan:
    """Return the plan in the first line of a journal, or raise ``StoreError``."""
    names = {field.name for field in fields(Plan)}
    found: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in event.items()
        if name in names
    }
    try:
        return Plan(**found)
    except (TypeError, ValueError) as error:
        raise StoreError(f"the plan in the journal makes no sense: {error}") from None


@dataclass(frozen=True, slots=True)
class Task:
    """A game to be played, or, without an opponent, a position of the suite to be answered."""

    id: str
    start: Position
    seat: Player
    """Which player the model is."""
    opponent: str | None

    @property
    def game(self) -> Game:
        """The game of the position."""
        return self.start.game

    @property
    def difficulty(self) -> str | None:
        """How difficult a position of the suite is."""
        return None if self.opponent else find_item(self.id).difficulty


def read_game(name: str) -> Game:
    """Return the game of ``duel`` or ``duel:6x6``, or raise a ``GridlockError``."""
    rulebook, _, size = name.partition(":")
    return gridlock.game(rulebook, size or None)


def check_opponent(who: str, base_url: str | None = None) -> str:
    """Return an opponent's name, or raise ``NotationError``."""
    kind, _, argument = who.partition(":")
    if kind == MODEL_KIND:
        if not argument or base_url is None:
            raise NotationError("another model is model:NAME, at the endpoint of --base-url")
        return who
    if kind == COMMAND_KIND:
        split_command(argument)
        return who
    if not is_program(who):
        raise NotationError(
            f"{quote(who)} cannot be the opponent: choose random, computer:1 to computer:8, "
            f"{MODEL_KIND}:NAME or {COMMAND_KIND}:COMMAND"
        )
    return check_name(who)


def is_model(who: str) -> bool:
    """Tell whether an opponent is a model, not a player of the registry."""
    return who.partition(":")[0] in (MODEL_KIND, COMMAND_KIND)


def check_url(url: str) -> str:
    """Return the address of an endpoint, or raise ``NotationError``.

    One that may hold a key is refused, as it would be kept in the journal.
    """
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        is_complete = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_complete = False
    if not is_complete:
        raise NotationError(
            f"{quote(url)} is not the address of an endpoint: write http://127.0.0.1:8080/v1"
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise NotationError(
            "the address of an endpoint has no key in it: name the variable that has it by --key"
        )
    return url
