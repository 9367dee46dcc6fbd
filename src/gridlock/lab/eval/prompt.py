"""Prompts: templates with named fields, and what is read from the answers to them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from typing import TYPE_CHECKING

from gridlock.errors import NotationError, quote, suggest
from gridlock.files import read_text, typed_path
from gridlock.lab.eval.view import Disguise, View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.model import Game, Position

LISTED, UNLISTED, DISGUISED = SHIPPED = ("listed", "unlisted", "disguised")
"""The prompts that come along."""

FIELDS = (
    "rules", "size", "legend", "board", "coordinates", "mover", "task", "legal", "history",
)  # fmt: skip

_BENCH = {
    "GameDescription": "rules",
    "BoardState": "board",
    "LegalMoves": "legal",
    "MoveDescription": "coordinates",
}
"""The fields in gg-bench's spelling."""

_FIELD = re.compile(rf"\$(?:(\$)|\{{(\w+)\}}|([a-z]\w*))|<({'|'.join(_BENCH)})>")

AGAIN = "{said} Answer again, and end with a line that has nothing but {what}."
"""What a model is told after an answer that cannot be played."""

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_LEADING = (
    r"(?:(?:so|my|the|i|final|best|move|answer|choice|cell|step|block|is|to|play|choose)\b\W*)*"
)


class Outcome(StrEnum):
    """What an answer turned out to be."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    """It names a cell, but one that may not be chosen."""
    UNREADABLE = "unreadable"
    """It names no cell, or several."""
    REFUSED = "refused"
    """The model, or its provider, would not answer."""


@dataclass(frozen=True, slots=True)
class Template:
    """The text of a prompt with fields; ``name`` is how it was asked for."""

    name: str
    text: str

    def __post_init__(self) -> None:
        found = {field for field in map(_field_of, _FIELD.finditer(self.text)) if field != "$"}
        for field in sorted(found.difference(FIELDS)):
            meant = suggest(field, FIELDS)
            way_out = f"did you mean ${meant}?" if meant else f"choose {', '.join(FIELDS)}"
            raise NotationError(f"the prompt has no field {quote('$' + field)}: {way_out}")
        if "board" not in found and "history" not in found:
            raise NotationError("the prompt shows no position: it needs $board or $history")

    def view(self, game: Game, seed: int) -> View:
        """Return how a game is shown by this prompt."""
        return Disguise(game, seed) if self.name == DISGUISED else View(game)

    def fill(self, view: View, position: Position, moves: Sequence[int]) -> str:
        """Return the prompt for a position that some moves have led to."""
        values = {
            "rules": view.rules(position),
            "size": view.size,
            "legend": view.legend(position),
            "board": view.board(position),
            "coordinates": view.coordinates,
            "mover": view.mover(position),
            "task": view.task(position),
            "legal": view.labels(sorted(position.legal_cells(), key=view.place)),
            "history": view.labels(moves),
            "$": "$",
        }
        return _FIELD.sub(lambda match: values[_field_of(match)], self.text)


def _field_of(match: re.Match[str]) -> str:
    """Return the name of a field, in our spelling."""
    escaped, braced, plain, bench = match.groups()
    return escaped or braced or plain or _BENCH[bench]


def read_template(name: str) -> Template:
    """Return a prompt that comes along, or the one in a file.

    Raises ``NotationError`` or ``StoreError``.
    """
    if name in SHIPPED:
        file = files(__package__) / "prompts" / f"{name}.txt"
        return Template(name, file.read_text("utf-8"))
    path = typed_path(name)
    if not path.exists() and (meant := suggest(name, SHIPPED)):
        raise NotationError(f"there is no prompt {quote(name)}: did you mean {meant}?")
    return Template(name, read_text(path))


def again(view: View, outcome: Outcome, cell: int | None) -> str:
    """Return what a model is told after an answer that cannot be played."""
    noun = view.words.noun
    if outcome is Outcome.UNREADABLE:
        said = f"No single {noun} can be read from this."
    elif outcome is Outcome.REFUSED:
        said = f"A {noun} is needed."
    elif cell is None:
        said = f"There is no such {noun}."
    else:
        said = f"{view.label(cell)} is not allowed now."
    return AGAIN.format(said=said, what=f"a {noun}")


def read_answer(view: View, position: Position, text: str) -> tuple[Outcome, int | None]:
    """Return what an answer is, and the cell that it names.

    It is the cell on the last line that has nothing but a cell.  Without such a line it is the only
    cell that is mentioned, in the whole answer or at least on its last line.
    """
    text = _THOUGHT.sub("", text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    alone = re.compile(rf"[^\w(\[-]*{_LEADING}{view.loose.pattern}\W*", re.IGNORECASE)
    for line in reversed(lines):
        if match := alone.fullmatch(line):
            return _judge(view, position, match)
    for part in (text, lines[-1] if lines else ""):
        found = {match.group("row", "column"): match for match in view.strict.finditer(part)}
        if len(found) == 1:
            return _judge(view, position, next(iter(found.values())))
    return Outcome.UNREADABLE, None


def _judge(view: View, position: Position, match: re.Match[str]) -> tuple[Outcome, int | None]:
    cell = view.cell(match["row"], match["column"])
    is_legal = cell is not None and position.is_legal(cell)
    return (Outcome.LEGAL if is_legal else Outcome.ILLEGAL), cell
