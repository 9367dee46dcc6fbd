"""Placement games of one's own, from Python or from a TOML file."""

from __future__ import annotations

import contextlib
import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from gridlock.errors import GridlockError, NotationError, RulebookError, quote
from gridlock.files import read_text
from gridlock.model import Game
from gridlock.notation import read_size, write_count
from gridlock.rulebooks.catalogue import RULEBOOKS
from gridlock.rulebooks.placement import PlacementRulebook, Reach, read_reach, write_reach

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gridlock.grid import Offsets

RULE_SUFFIX = ".toml"
"""How the names of rule files end."""

_LONGEST_ID = 30
_ID = re.compile(r"[a-z][a-z0-9_-]*")
_LONGEST_LINE = 72
_RESERVED_SYMBOLS = ".#[]"


def placement(
    own: Reach | Iterable[Reach] = "cell",
    opponent: Reach | Iterable[Reach] = "cell",
    follow: Reach | Iterable[Reach] | None = None,
    **details: Any,
) -> Game:
    """Return a placement game of three reaches.

    A reach is a name (cell, orthogonal, diagonal, king, knight, line), an offset such as
    ``(1, 2)``, or a list of such.  ``details`` may name ``size`` (``"5x5"``), ``counting`` (0 or
    1), ``symbols``, ``id``, ``title`` and ``about``.

    Raises ``RulebookError``, whose text begins with the name that is wrong.
    """
    reaches = {"own": own, "opponent": opponent, "follow": follow}
    return build({**reaches, **details})


def load(path: str | Path) -> Game:
    """Return the placement game that a TOML file describes, on the board that it names.

    Raises ``RulebookError``, whose text names the file and the key, or ``StoreError``.
    """
    import tomllib

    path = Path(path)
    try:
        keys = tomllib.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise RulebookError(f"{path} is not TOML: {error}") from None
    try:
        return build({"id": _id_of_file(path.stem), **keys})
    except RulebookError as error:
        raise RulebookError(f"{path}: {error}") from None


def find_rule_files(folder: Path) -> tuple[dict[Path, PlacementRulebook], list[GridlockError]]:
    """Return the rule files in a folder for them, and what is wrong with others there.

    Those in the present folder count too, if they are rule files at all.
    """
    found: dict[Path, PlacementRulebook] = {}
    errors: list[GridlockError] = []
    for path in _toml_files(folder):
        try:
            found[path] = _load_rulebook(path)
        except GridlockError as error:
            errors.append(error)
    for path in _toml_files(Path()):
        with contextlib.suppress(GridlockError):  # another kind of file
            rulebook = _load_rulebook(path)
            # A file without any rule would do for the rest: it is something else.
            if rulebook.own or rulebook.opponent or rulebook.follow:
                found[path] = rulebook
    return found, errors


def find_rule_file(name: str, folder: Path) -> Path | None:
    """Return the file that is named like a game, in the present folder or in one for rule files.

    It may be broken, or another kind of file.
    """
    files = (*_toml_files(folder), *_toml_files(Path()))
    return next((path for path in files if _id_of_file(path.stem) == name), None)


def _toml_files(folder: Path) -> list[Path]:
    with contextlib.suppress(OSError):  # the folder is gone
        paths = sorted(folder.absolute().glob(f"*{RULE_SUFFIX}"))
        return [path for path in paths if path.is_file()]
    return []


def _load_rulebook(path: Path) -> PlacementRulebook:
    return cast("PlacementRulebook", load(path).rulebook)


def _id_of_file(stem: str) -> str:
    """Return the name of a file in the form that an id has."""
    name = re.sub(r"[^a-z0-9_-]+", "-", stem.lower()).strip("-")[:_LONGEST_ID]
    return name if _ID.fullmatch(name) and name not in RULEBOOKS else f"my-{name}"


def build(keys: Mapping[str, Any]) -> Game:
    """Return the placement game that these keys describe; what is missing has a default."""
    for key in keys:
        if key not in _READERS:
            raise RulebookError(f"{key}: there is no such key, only {', '.join(_READERS)}")
    read: dict[str, Any] = {}
    for key, (reader, default) in _READERS.items():
        try:
            read[key] = reader(keys.get(key, default))
        except (RulebookError, NotationError) as error:
            raise RulebookError(f"{key}: {error}") from None
    rules = _rules_in_words(read["own"], read["opponent"], read["follow"])
    counting, follow = read["counting"], read["follow"]
    last = "-" if follow is None else f"{2 + counting},{counting}"
    sample = f"...../...../1..../..... 2 {last}"
    rulebook = PlacementRulebook(rules=rules, sample=sample, **read)
    return Game(rulebook, rulebook.size)


def _read_id(value: object) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value) or len(value) > 2 * _LONGEST_ID:
        raise RulebookError(
            f"{quote(str(value))} is not a short name of small letters, digits, - and _"
        )
    if value in RULEBOOKS:
        raise RulebookError(f"{quote(value)} is the name of a rulebook already")
    return value


def _read_line(value: object) -> str:
    if not isinstance(value, str) or not value.isprintable() or not value.strip():
        raise RulebookError("this is not a line of text")
    if len(value) > _LONGEST_LINE:
        raise RulebookError(f"{quote(value)} is longer than {_LONGEST_LINE} characters")
    return value


def _read_counting(value: object) -> int:
    if type(value) is not int or value not in (0, 1):
        raise RulebookError(f"{quote(str(value))} is not the number of the first row: 0 or 1")
    return value


def _read_symbols(value: object) -> tuple[str, str]:
    if (
        isinstance(value, (list, tuple))
        and len(value) == len(set(map(str, value))) == 2
        and all(isinstance(symbol, str) and _is_symbol(symbol) for symbol in value)
    ):
        return value[0], value[1]
    raise RulebookError(
        f"{quote(str(value))} is not two different characters of usual width, "
        f'other than {" ".join(_RESERVED_SYMBOLS)}, for example ["X", "O"]'
    )


def _is_symbol(text: str) -> bool:
    import unicodedata

    return (
        len(text) == 1
        and text.isprintable()
        and not text.isspace()
        and text not in _RESERVED_SYMBOLS
        and not unicodedata.category(text).startswith("M")  # marks that stand on another character
        and unicodedata.east_asian_width(text) not in ("W", "F")
    )


def _read_size(value: object) -> object:
    if not isinstance(value, str):
        raise RulebookError(f'{quote(str(value))} is not rows x columns, for example "5x5"')
    return read_size(value)


def _read_follow(value: Any) -> Offsets | None:
    return None if value is None or value == "anywhere" else read_reach(value)


_READERS = {
    "id": (_read_id, "placement"),
    "title": (_read_line, "A placement game"),
    "about": (_read_line, "A game of your own"),
    "size": (_read_size, "5x5"),
    "counting": (_read_counting, 1),
    "symbols": (_read_symbols, ("X", "O")),
    "own": (read_reach, "cell"),
    "opponent": (read_reach, "cell"),
    "follow": (_read_follow, None),
}


_REACHES_IN_WORDS = {
    "cell": "no cell at all",
    "orthogonal": "the cells above, below, left and right of it",
    "diagonal": "the four cells that touch its corners",
    "king": "the eight cells around it",
    "knight": "the cells a knight's jump away, as in chess",
    "line": "the other cells of its row and of its column",
}


def _rules_in_words(own: Offsets, opponent: Offsets, follow: Offsets | None) -> str:
    paragraphs = [
        "The players take turns to take one cell, which nobody may take again.",
        _closing("its own player", own),
        _closing("the other player", opponent),
        "Any cell that is not closed to the player may be taken."
        if follow is None
        else "The first cell may be anywhere. Each later one must be among these, seen from the "
        f"cell just taken: {_describe(follow)}.",
        "Whoever has no cell left on their turn loses.",
    ]
    return "\n\n".join(textwrap.fill(text, _LONGEST_LINE) for text in paragraphs) + "\n"


def _closing(player: str, reach: Offsets) -> str:
    if not reach:
        return f"A mark closes no other cell to {player}."
    return f"To {player} a mark closes, for good, {_describe(reach)}."


def _describe(reach: Offsets) -> str:
    """Return the cells of a reach, as they lie around "it"."""
    return "; ".join(
        _REACHES_IN_WORDS.get(word) or _describe_offset(*next(iter(read_reach(word))))
        for word in write_reach(reach).split()
    )


def _describe_offset(down: int, right: int) -> str:
    """Return ``the cell 2 rows below and 1 column to the left``."""
    steps = []
    if down:
        steps.append(f"{write_count(abs(down), 'row')} {'below' if down > 0 else 'above'}")
    if right:
        side = "right" if right > 0 else "left"
        steps.append(f"{write_count(abs(right), 'column')} to the {side}")
    return f"the cell {' and '.join(steps)}"
