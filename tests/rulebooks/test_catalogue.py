"""What every rulebook must have, and what the five are."""

from __future__ import annotations

import pytest

import gridlock
from gridlock import RULEBOOKS, Game, Rulebook, UnknownGameError
from gridlock.grid import KING, ORTHOGONAL
from gridlock.rulebooks.catalogue import CLAIM, DUEL, OCCUPATION, TRAIL
from tests.conftest import DATA

books = pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=list(RULEBOOKS))


def test_the_reaches_are_those_of_the_rulebooks() -> None:
    nothing: frozenset[tuple[int, int]] = frozenset()
    assert (OCCUPATION.own, OCCUPATION.opponent, OCCUPATION.follow) == (nothing, KING, None)
    assert (DUEL.own, DUEL.opponent, DUEL.follow) == (ORTHOGONAL, ORTHOGONAL, None)
    assert (CLAIM.own, CLAIM.opponent, CLAIM.follow) == (KING, nothing, None)
    assert (TRAIL.own, TRAIL.opponent, TRAIL.follow) == (nothing, nothing, ORTHOGONAL)


def test_boards_symbols_and_counting_are_those_of_the_rulebooks() -> None:
    facts = {id_: (str(b.size), b.symbols, b.counting) for id_, b in RULEBOOKS.items()}
    assert facts == {
        "occupation": ("5x5", ("A", "B"), 1),
        "duel": ("5x5", ("A", "B"), 1),
        "claim": ("5x5", ("X", "O"), 0),
        "trail": ("4x4", ("X", "O"), 1),
        "race": ("4x4", ("P1", "P2"), 0),
    }


@books
def test_every_rulebook_has_a_transcript(rulebook: Rulebook) -> None:
    assert (DATA / "transcripts" / f"{rulebook.id}.txt").exists()


@books
def test_every_rulebook_says_its_rules_with_a_picture(rulebook: Rulebook) -> None:
    lines = rulebook.rules.splitlines()
    assert len([line for line in lines if line.startswith("    ")]) >= rulebook.size.rows
    assert max(map(len, lines)) < 80
    assert "lose" in rulebook.rules
    assert 20 < len(rulebook.about) < 70


def test_a_game_is_found_by_its_id_and_size() -> None:
    assert gridlock.game("duel") == Game(DUEL, DUEL.size)
    assert str(gridlock.game("duel", size="6x7").grid) == "6x7"
    assert gridlock.game(DUEL, DUEL.size) == gridlock.game("duel", "5x5")
    assert gridlock.game(gridlock.game("duel"), "6x7") == gridlock.game("duel", "6x7")


def test_an_unknown_game_is_named_with_the_known_ones() -> None:
    with pytest.raises(UnknownGameError, match="no game 'chess': choose occupation, duel, claim"):
        gridlock.game("chess")
