"""The names that people give themselves: what is seen of them is all that there is."""

from __future__ import annotations

import re
import unicodedata

from gridlock.errors import NotationError, quote
from gridlock.players import COMPUTER, kinds

_JOINERS = "\u200c\u200d"
_EMOJI_STYLE = "\ufe0f"  # after a sign that is a letter otherwise
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0"
    "\U00013441\U00013442\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
"""Characters that Unicode counts as marks, letters or signs, and that nobody can see."""

_VIRAMA = 9  # the combining class of the marks that join letters in the scripts of India
_MOST_MARKS = 2  # on one letter: some languages need them
_LOOK_ALIKES = {
    ord(other): letter
    for letter, others in {
        "c": "сϲᴄᏟ¢ƈ",
        "o": "оοօᴏøð0",
        "m": "мμᴍᎷ",
        "p": "рρᴘᏢþ",
        "u": "уυսᴜ",
        "t": "тτᴛᎢ",
        "e": "еεᴇᎬҽ€",
        "r": "гʀᎡᴦ",
    }.items()
    for other in others
}
"""Letters and signs that look like those of the one word that matters here."""


def read_name(text: str) -> str:
    """Return a person's name in one line of visible characters; it may be empty.

    Raises ``NotationError`` for a name that is a computer's, or looks like one.
    """
    visible = "".join(c if c.isprintable() or c in _JOINERS else " " for c in text)
    signs = _drop_lone_joiners(_BLANK.sub("", visible))
    name = " ".join(_drop_piled_marks(unicodedata.normalize("NFC", signs)).split())
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


def _drop_piled_marks(text: str) -> str:
    """Keep the first few marks on a letter: more of them cover the lines around a name."""
    kept = ""
    for character in text:
        before = kept[-_MOST_MARKS:]
        if not (_is_mark(character) and len(before) == _MOST_MARKS and all(map(_is_mark, before))):
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


def _is_mark(character: str) -> bool:
    """Tell whether a character stands above, below or around another one."""
    return unicodedata.category(character) in ("Mn", "Me")


def _is_a_programs(name: str) -> bool:
    """Tell whether a name is what programs are called, begins like it, or has it as a word."""
    folded = unicodedata.normalize("NFKD", name).casefold().translate(_LOOK_ALIKES)
    words = re.findall(r"[^\W_]+", "".join(c for c in folded if not _is_mark(c)))
    if COMPUTER in words or "".join(words).startswith(COMPUTER):
        return True
    return name.casefold().partition(":")[0].strip() in kinds()
