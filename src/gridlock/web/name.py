"""The names that people give themselves: what is seen of them is all that there is."""

from __future__ import annotations

import re
import unicodedata

from gridlock.errors import NotationError, quote
from gridlock.players import COMPUTER, kinds

_JOINERS = "\u200c\u200d"
_EMOJI_STYLE = "\ufe0f"  # after a sign that is a letter otherwise
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that Unicode counts as marks, letters or signs, and that nobody can see."""

_VIRAMA = 9  # the combining class of the marks that join letters in the scripts of India
_LOOK_ALIKES = str.maketrans("сϲоοοрρτтеεмуυμ0", "ccoooppttee" + "muumo")
"""Letters of other alphabets that look like those of the one word that matters here."""


def read_name(text: str) -> str:
    """Return a person's name in one line of visible characters; it may be empty.

    Raises ``NotationError`` for a name that is a computer's, or looks like one.
    """
    visible = "".join(c if c.isprintable() or c in _JOINERS else " " for c in text)
    name = " ".join(_drop_lone_joiners(_BLANK.sub("", visible)).split())
    if _is_a_programs(name):
        raise NotationError(f"{quote(name)} is no person's name: choose another")
    return name


def _drop_lone_joiners(text: str) -> str:
    """Keep what makes one sign of several where scripts and emoji do so, and nowhere else."""
    kept = ""
    for at, character in enumerate(text):
        after = text[at + 1 : at + 2]
        if character == _EMOJI_STYLE and not _is_sign(kept[-1:]):
            continue
        if character in _JOINERS and not _joins(kept[-1:], after):
            continue
        kept += character
    return kept


def _joins(before: str, after: str) -> bool:
    if not before or not after:
        return False
    is_emoji = _is_sign(after) and (_is_sign(before) or before == _EMOJI_STYLE)
    is_arabic = unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL"
    return is_emoji or is_arabic or unicodedata.combining(before) == _VIRAMA


def _is_sign(character: str) -> bool:
    """Tell whether a character is one of those of which emoji are made."""
    return bool(character) and unicodedata.category(character) in ("So", "Sk")


def _is_a_programs(name: str) -> bool:
    """Tell whether a name is, or begins with, what programs are called."""
    folded = unicodedata.normalize("NFKD", name).casefold().translate(_LOOK_ALIKES)
    if "".join(c for c in folded if c.isalnum()).startswith(COMPUTER):
        return True
    return name.casefold().partition(":")[0].strip() in kinds()
