"""A written game: PGN-style tags, a blank line, then the written moves.

A file may hold several records, as for a series.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from gridlock.errors import GridlockError, NotationError, RecordError, quote
from gridlock.model import Game, Player
from gridlock.notation import read_size
from gridlock.rulebooks import custom
from gridlock.rulebooks.catalogue import RULEBOOKS, find_rulebook
from gridlock.rulebooks.placement import PlacementRulebook, write_reach

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gridlock.model import Position

UNFINISHED = "*"
RESIGNATION = "resignation"
CLOCK = "clock"
ABANDONMENT = "abandonment"
ABORTED = "aborted"
CRASH = "crash"
HANG = "hang"
ILLEGAL = "illegal move"
UNKNOWN_DATE = "????.??.??"

_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9]*)\s+"((?:[^"\\]|\\.)*)"\]')
_TURNS_PER_LINE = 10
_CUSTOM_TAGS = ("Title", "Counting", "Symbols", "Own", "Opponent", "Follow")
_TAGS = ("Game", "Size", "First", "Position", "Player1", "Player2", "Date", "Result", "Termination")


@dataclass(frozen=True, slots=True)
class Record:
    """One game: who played what, and how it ended.

    ``result`` is the winner, or None for an unfinished or aborted game; ``termination`` says how it
    ended if not by the rules; ``tags`` are all further tags, kept as they are.  ``setup`` is the
    position where it began, with ``first`` to move, None for the start of the game.  The
    constructor does not check the moves; ``positions`` does.
    """

    game: Game
    first: Player = Player.ONE
    moves: tuple[int, ...] = ()
    players: tuple[str, str] = ("human", "human")
    date: str = UNKNOWN_DATE
    result: Player | None = None
    termination: str | None = None
    tags: tuple[tuple[str, str], ...] = ()
    setup: Position | None = None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, with a winner or aborted."""
        return self.result is not None or self.termination == ABORTED

    @property
    def turn_count(self) -> int:
        """The number of turns, the last perhaps unfinished."""
        return self.start().turn_number(len(self.moves))

    def start(self) -> Position:
        """Return the position before the first action."""
        return self.setup or self.game.start(self.first)

    def positions(self) -> list[Position]:
        """Return every position of the game, the start first.

        Raises ``RecordError`` as ``Game.replay`` does.
        """
        return self.start().replay(self.moves)

    def __str__(self) -> str:
        """Return the record as it is written to a file."""
        tags = {
            "Game": self.game.rulebook.id,
            "Size": str(self.game.grid),
            **custom_tags(self.game),
            "First": str(self.first),
            **({"Position": str(self.setup)} if self.setup else {}),
            "Player1": self.players[0],
            "Player2": self.players[1],
            "Date": self.date,
            "Result": str(self.result or UNFINISHED),
        }
        if self.termination:
            tags["Termination"] = self.termination
        lines = [f"[{name} {_quoted(value)}]" for name, value in (*tags.items(), *self.tags)]
        turns = write_line(self.start(), self.moves).split()
        moves = [
            " ".join(turns[at : at + _TURNS_PER_LINE])
            for at in range(0, len(turns), _TURNS_PER_LINE)
        ]
        return "\n".join([*lines, "", *moves, ""])


def record_of(start: Position, moves: Sequence[int], end: Position) -> Record:
    """Return the record of moves that nobody has played: they were only looked at."""
    is_set_up = start != start.game.start(start.mover)
    return Record(
        start.game, start.mover, tuple(moves), players=("?", "?"), result=end.winner,
        setup=start if is_set_up else None,
    )  # fmt: skip


def write_moves(game: Game, moves: Sequence[int]) -> str:
    """Return the written moves, one word per turn."""
    names = [game.name(cell) for cell in moves]
    step = game.rulebook.actions_per_turn
    return " ".join("/".join(names[at : at + step]) for at in range(0, len(names), step))


def write_line(position: Position, cells: Sequence[int]) -> str:
    """Return the written moves from a position on, one word per turn.

    If the position is in the middle of a turn, the first word is the rest of that turn.
    """
    game = position.game
    left = -position.actions_made % game.rulebook.actions_per_turn
    words = write_moves(game, cells[:left]), write_moves(game, cells[left:])
    return " ".join(filter(None, words))


def read_moves(game: Game, text: str) -> tuple[int, ...]:
    """Return the cells of written moves, not yet checked against the rules.

    Raises ``NotationError``, which names the bad one by its turn.
    """
    moves: list[int] = []
    for word in text.split():
        names = word.split("/") if game.rulebook.actions_per_turn > 1 else [word]
        for name in names:
            try:
                moves.append(game.cell(name))
            except NotationError as error:
                where = f"move {game.start().turn_number(len(moves) + 1)}"
                raise type(error)(f"{where}: {error}") from None
    return tuple(moves)


def read_record(text: str) -> Record:
    """Return the only record in a text, its moves checked, or raise ``RecordError``."""
    records = read_records(text)
    if len(records) != 1:
        raise RecordError(f"there are {len(records)} records where one was expected")
    return records[0]


def read_records(text: str) -> list[Record]:
    """Return all records in a text, their moves checked, or raise ``RecordError``."""
    sections = _split(text)
    if not sections:
        raise RecordError("there is no record in it")
    records = []
    for number, (tags, moves) in enumerate(sections, start=1):
        try:
            records.append(_read_section(tags, moves))
        except GridlockError as error:
            where = f"game {number}: " if len(sections) > 1 else ""
            raise RecordError(f"{where}{error}") from None
    return records


@dataclass(frozen=True, slots=True)
class Outline:
    """A record as its tags tell it: no move is checked, so that thousands are read in a moment."""

    rulebook: str
    size: str
    players: tuple[str, str]
    date: str
    result: Player | None
    termination: str | None
    turn_count: int
    tags: frozenset[str]
    """The names of all tags."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, with a winner or aborted."""
        return self.result is not None or self.termination == ABORTED

    @property
    def is_in_series(self) -> bool:
        """Whether other games belong to it."""
        return bool(self.tags & {"Rounds", "Target"})


def outline(text: str) -> list[Outline]:
    """Return what the tags of all records in a text say, or raise ``RecordError``."""
    sections = _split(text)
    if not sections:
        raise RecordError("there is no record in it")
    return [_outline_section(tags, moves) for tags, moves in sections]


def _outline_section(tags: dict[str, str], moves: str) -> Outline:
    if "Game" not in tags:
        raise RecordError("the tag Game is missing")
    rulebook = RULEBOOKS.get(tags["Game"])
    return Outline(
        rulebook=tags["Game"],
        size=tags.get("Size") or (str(rulebook.size) if rulebook else "?"),
        players=(tags.get("Player1", "?"), tags.get("Player2", "?")),
        date=tags.get("Date", UNKNOWN_DATE),
        result={"1": Player.ONE, "2": Player.TWO}.get(tags.get("Result", UNFINISHED)),
        termination=tags.get("Termination") or None,
        turn_count=len(moves.split()),
        tags=frozenset(tags),
    )


def write_records(records: Iterable[Record]) -> str:
    """Return the text of several records, for ``read_records``."""
    return "\n".join(_text_of_finished(r) if r.result else str(r) for r in records)


@lru_cache(maxsize=1024)
def _text_of_finished(record: Record) -> str:
    """Return ``str(record)``; a series is written with every action, and is mostly unchanged."""
    return str(record)


def _split(text: str) -> list[tuple[dict[str, str], str]]:
    """Return the tags and the moves of each record."""
    sections: list[tuple[dict[str, str], list[str]]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        if not stripped:
            continue
        if not stripped.startswith("["):
            if not sections:
                raise RecordError(f"line {number} is not a record's: {quote(stripped)}")
            sections[-1][1].append(stripped)
            continue
        if _TAG.sub("", stripped).strip():
            raise RecordError(
                f'line {number} is not a tag such as [Game "duel"]: {quote(stripped)}'
            )
        for name, value in _TAG.findall(stripped):
            if not sections or sections[-1][1] or name in sections[-1][0]:
                sections.append(({}, []))
            sections[-1][0][name] = _printable(re.sub(r"\\(.)", r"\1", value))
    return [(tags, " ".join(moves)) for tags, moves in sections]


def _read_section(tags: dict[str, str], written: str) -> Record:
    """Return the record, or raise an error.

    Only the tag ``Game`` must be there: without the others it is the rulebook's own board, player 1
    begins, and whoever has won by the moves has won.
    """
    if "Game" not in tags:
        raise RecordError("the tag Game is missing")
    game = _read_game(tags)
    known = {*_TAGS, *custom_tags(game)}
    setup = game.position(tags["Position"]) if "Position" in tags else None
    first = tags.get("First", str(setup.mover) if setup else "1")
    if first not in ("1", "2"):
        raise RecordError(f"the tag First is {quote(first)}, not 1 or 2")
    if setup and first != str(setup.mover):
        raise RecordError(f"the tag First is {quote(first)}, but by the tag Position it is not")
    result = tags.get("Result", UNFINISHED)
    if result not in ("1", "2", UNFINISHED):
        raise RecordError(f"the tag Result is {quote(result)}, not 1, 2 or {UNFINISHED}")
    record = Record(
        game=game,
        first=Player(int(first)),
        moves=read_moves(game, written),
        players=(tags.get("Player1", "?"), tags.get("Player2", "?")),
        date=tags.get("Date", UNKNOWN_DATE),
        result=None if result == UNFINISHED else Player(int(result)),
        termination=tags.get("Termination") or None,
        tags=tuple(item for item in tags.items() if item[0] not in known),
        setup=setup,
    )
    winner = record.positions()[-1].winner
    if "Result" not in tags:
        if record.termination and winner is None:
            raise RecordError("the tag Result is missing: by the tag Termination somebody has won")
        return replace(record, result=winner)
    _check_result(record, winner)
    return record


def _check_result(record: Record, winner: Player | None) -> None:
    """Raise ``RecordError`` where the result is not what the moves, or the termination, say."""
    if winner is not None and record.result is not winner:
        raise RecordError(
            f"player {winner} has won by the moves, but the tag Result is "
            f"{quote(str(record.result or UNFINISHED))}"
        )
    if winner is None and record.result is not None and not record.termination:
        raise RecordError(
            f"the tag Result is {quote(str(record.result))}, but by the moves the game goes on "
            "and there is no tag Termination"
        )


def _read_game(tags: dict[str, str]) -> Game:
    if tags["Game"] in RULEBOOKS or "Own" not in tags:
        rulebook = find_rulebook(tags["Game"])
        return Game(rulebook, read_size(tags["Size"]) if "Size" in tags else rulebook.size)
    keys: dict[str, object] = {
        name.lower(): tags[name] for name in ("Size", *_CUSTOM_TAGS) if name in tags
    }
    if "Counting" in tags:
        keys["counting"] = {"0": 0, "1": 1}.get(tags["Counting"], tags["Counting"])
    if "Symbols" in tags:
        keys["symbols"] = tags["Symbols"].split(" ")
    return custom.build({**keys, "id": tags["Game"]})


def custom_tags(game: Game) -> dict[str, str]:
    """Return the tags that make the record of a game of one's own complete in itself."""
    rulebook = game.rulebook
    if rulebook.id in RULEBOOKS or not isinstance(rulebook, PlacementRulebook):
        return {}
    return {
        "Title": rulebook.title,
        "Counting": str(rulebook.counting),
        "Symbols": " ".join(rulebook.symbols),
        "Own": write_reach(rulebook.own),
        "Opponent": write_reach(rulebook.opponent),
        "Follow": "anywhere" if rulebook.follow is None else write_reach(rulebook.follow),
    }


def _quoted(value: str) -> str:
    escaped = _printable(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
