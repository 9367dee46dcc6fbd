from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

import gridlock
from gridlock import RulebookError, StoreError
from gridlock.rulebooks.custom import find_rule_files

if TYPE_CHECKING:
    from pathlib import Path

KNIGHTS = """\
title = "Knights"
about = "Keep out of reach of the other player's knights"
size = "6x6"
counting = 0
symbols = ["N", "M"]
own = "cell"
opponent = "knight"
"""


def test_the_rulebooks_can_be_made_from_their_reaches() -> None:
    made = gridlock.placement(own="king", opponent="cell", counting=0)
    claim = gridlock.game("claim")
    ours, theirs = made.start(), claim.start()
    for name in ("2,2", "0,0", "4,4", "0,2"):
        ours, theirs = ours.play(made.cell(name)), theirs.play(claim.cell(name))
        assert ours.legal_cells() == theirs.legal_cells()


def test_a_file_makes_a_game(tmp_path: Path) -> None:
    file = tmp_path / "knights.toml"
    file.write_text(KNIGHTS)
    game = gridlock.load(file)
    assert game == gridlock.placement(
        opponent="knight", id="knights", size="6x6", counting=0, symbols=("N", "M")
    )
    assert game.rulebook.title == "Knights"
    assert not game.start().play(game.cell("0,0")).is_legal(game.cell("1,2"))


def test_offsets_may_reach_to_one_side_only() -> None:
    game = gridlock.placement(opponent=[(0, 1)], size="1x3")
    assert game.start().play(1).legal_cells() == (0,)


def test_follow_anywhere_is_no_restriction() -> None:
    assert gridlock.placement(follow="anywhere") == gridlock.placement()


def test_the_rules_in_words_name_the_reaches() -> None:
    rules = gridlock.placement(own="king", opponent="knight", follow="line").rulebook.rules
    assert (
        rules
        == """\
The players take turns to take one cell, which nobody may take again.

To its own player a mark closes, for good, the eight cells around it.

To the other player a mark closes, for good, the cells a knight's jump
away, as in chess.

The first cell may be anywhere. Each later one must be among these, seen
from the cell just taken: the other cells of its row and of its column.

Whoever has no cell left on their turn loses.
"""
    )
    plain = gridlock.placement(own="orthogonal 2,0 -3,1 0,-2").rulebook.rules.replace("\n", " ")
    assert (
        "the cells above, below, left and right of it; the cell 3 rows above and 1 column to the"
        " right; the cell 2 columns to the left; the cell 2 rows below."
    ) in plain
    assert "A mark closes no other cell to the other player." in plain
    assert "Any cell that is not closed to the player may be taken." in plain
    assert "no cell at all" in gridlock.placement(follow="cell").rulebook.rules


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"own": "quen"}, "own: 'quen' is not a reach: use cell, line, king"),
        ({"opponent": 3}, "opponent: '3' is neither a reach nor an offset"),
        ({"opponent": [[1, 2, 3]]}, "opponent: '.1, 2, 3.' is neither a reach nor"),
        ({"follow": ["king", "far"]}, "follow: 'far' is not a reach"),
        ({"own": [[100, 0]]}, "own: the offset 100,0 leaves every board"),
        ({"size": "0x5"}, "size: the size '0x5' is not possible"),
        ({"size": 5}, "size: '5' is not rows x columns"),
        ({"counting": 2}, "counting: '2' is not the number of the first row"),
        ({"counting": True}, "counting: 'True' is not"),
        ({"symbols": ["X", "X"]}, "symbols: .* is not two different characters"),
        ({"symbols": ["X", "."]}, "symbols: "),
        ({"symbols": ["X", "OO"]}, "symbols: "),
        ({"symbols": "XO"}, "symbols: "),
        ({"symbols": ["X", "\x1b"]}, "symbols: "),
        ({"title": ""}, "title: this is not a line of text"),
        ({"title": "a\nb"}, "title: this is not a line of text"),
        ({"about": "a" * 73}, "about: .* is longer than 72 characters"),
        ({"id": "Two words"}, "id: 'Two words' is not a short name"),
        ({"id": "duel"}, "id: 'duel' is the name of a rulebook already"),
        ({"opponents": "king"}, "opponents: there is no such key, only id, title, about, size"),
    ],
)
def test_an_error_names_the_key(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(RulebookError, match=f"^{message}"):
        gridlock.placement(**keys)


def test_a_bad_file_is_named_with_its_key(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('opponent = "kin"')
    with pytest.raises(RulebookError, match=r"bad\.toml: opponent: 'kin' is not a reach"):
        gridlock.load(file)
    file.write_text("opponent = ")
    with pytest.raises(RulebookError, match=r"bad\.toml is not TOML: "):
        gridlock.load(file)
    with pytest.raises(StoreError, match="cannot read .*: No such file"):
        gridlock.load(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("My Game.v2", "my-game-v2"),
        ("größe", "gr-e"),
        ("2nights", "my-2nights"),
        ("duel", "my-duel"),
    ],
)
def test_a_file_name_becomes_the_id(tmp_path: Path, name: str, id_: str) -> None:
    file = tmp_path / f"{name}.toml"
    file.write_text("")
    assert gridlock.load(str(file)).rulebook.id == id_


def test_a_file_that_no_parser_can_hold_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "deep.toml"
    for text in ("own = " + "[" * 100_000, "counting = " + "1" * 5000):
        file.write_text(text)
        with pytest.raises(RulebookError, match="deep.toml is not TOML: "):
            gridlock.load(file)


@pytest.mark.parametrize("symbol", [*".#[]", "王", "\u0301", "\u0488", "\u0e31", " ", "\u200b"])
def test_symbols_that_would_spoil_the_picture_are_refused(symbol: str) -> None:
    with pytest.raises(RulebookError, match="^symbols: .* other than . # . ., for example"):
        gridlock.placement(symbols=["X", symbol])


def test_ones_own_rule_files_are_found_and_other_files_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, here = tmp_path / "rules", tmp_path / "here"
    rules.mkdir()
    here.mkdir()
    (rules / "knights.toml").write_text(KNIGHTS)
    (rules / "wrong.toml").write_text('own = "queen"')
    (here / "pyproject.toml").write_text('[project]\nname = "x"\n')
    (here / "own.toml").write_text('opponent = "knight"')
    (here / "broken.toml").write_text("=")
    (here / "empty.toml").write_text("")
    os.mkfifo(here / "pipe.toml")
    monkeypatch.chdir(here)
    files, errors = find_rule_files(rules)
    assert {path.name: rulebook.id for path, rulebook in files.items()} == {
        "knights.toml": "knights",
        "own.toml": "own",
    }
    assert ["wrong.toml: own: " in str(error) for error in errors] == [True]


def test_a_folder_that_is_gone_has_no_rule_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert find_rule_files(tmp_path / "rules") == ({}, [])
