"""People's names: one line of what can be seen, and never a computer's."""

from __future__ import annotations

import pytest

from gridlock.errors import NotationError
from gridlock.web.name import read_name

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
PIRATES = "\U0001f3f4\u200d\u2620\ufe0f"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann \n\t Lee\x00 ", "Ann Lee"),
        ("Zoë Müller-Lüdenscheidt", "Zoë Müller-Lüdenscheidt"),
        ("\u202eAnn", "Ann"),
        ("A\u200bn\u2060n\ufeff", "A n n"),
        ("An\u200dn", "Ann"),
        ("\u200dAnn\u200c", "Ann"),
        ("Ann\u200d\u200d", "Ann"),
        ("Ann\U000e0041\U000e0042", "Ann"),
        ("Ann\u3164\u2800\u115f", "Ann"),
        ("Ann\ufe0f\ufe01\u034f", "Ann"),
        ("\u00adAnn", "Ann"),
        ("\u3164", ""),
        ("\u200d", ""),
        (" \x07 ", ""),
        ("", ""),
        (FAMILY, FAMILY),
        (PIRATES, PIRATES),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",) * 2,  # Persian
        ("\u0915\u094d\u200d\u0937",) * 2,  # Hindi
        ("Ann\U00016fe4\U0001d159", "Ann"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("Z\u0335" + "\u0336" * 20 + "oe", "Z\u0335\u0336oe"),
        ("Vi\u1ec7t", "Vi\u1ec7t"),
        ("Microcomputer", "Microcomputer"),
    ],
    ids=ascii,
)
def test_a_name_is_one_line_of_visible_characters(text: str, name: str) -> None:
    assert read_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "computer", "Computer", "COMPUTER:3", "computer, level 8", "Computer (level 8)",
        "\uff23omputer", "\u0441\u043emputer", "c0mputer", "C\u00f6mputer", "c\u200bomputer",
        "C o m p u t e r", "human", "Random", "c\u200domputer", "The Computer", "Kim Computer",
        "\u1d04omputer", "\u13dfomputer", "\xa2omputer",
        "\u1d04\u1d0f\u1d0d\u1d18\u1d1c\u1d1b\u1d07\u0280", "the_computer",
        "Computer\u0301s", "\u24d2omputer",
    ],
    ids=ascii,
)  # fmt: skip
def test_nobody_is_called_as_a_computer_is(text: str) -> None:
    with pytest.raises(NotationError, match="no person's name"):
        read_name(text)
