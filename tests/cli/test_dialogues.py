"""The dialogues, line by line: as the rulebooks show them, and against a second writing of them."""

from __future__ import annotations

import random
import re
import tempfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridlock import RULEBOOKS
from gridlock.store import FOLDER_VARIABLE
from tests.conftest import DATA, Run, examples, run_in_process
from tests.oracle.dialogue import tidy, transcript
from tests.oracle.rules import GAMES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

COMMANDS = {"help", "hint", "moves", "undo", "save", "rules", "resign", "quit"}


@pytest.mark.parametrize(
    "file", sorted((DATA / "transcripts").iterdir()), ids=lambda file: str(file.stem)
)
def test_a_transcript_replays(file: Path, run: Run) -> None:
    """A transcript's first line is the command; what a person typed stands between « and »."""
    command, text = file.read_text().split("\n", 1)
    typed = re.findall("«(.*)»", text)
    result = run(*command.split()[2:], typed="".join(f"{line}\n" for line in typed))
    assert tidy(result.out.split("\n")) == tidy(re.sub("[«»]", "", text).split("\n"))
    assert (result.code, result.err) == (0, "")


numbers = st.integers(-1, 8).map(str) | st.sampled_from(
    ["00", "03", "-0", "+1", "٣", "３", "1.0", "1e0", "x", "", "99999999999", "9" * 5000]
)
separators = st.sampled_from([",", " ", ", ", " , ", "\t", "", ";", "/", "\u00a0", ",,"])
shells = st.sampled_from(
    ["{}", "{}", "{}", "({})", " {} ", "( {} )", "({}", "{})", "move {}", "MOVE {}", "block {}",
     "Block({})", "move  ({})", "moveblock {}", "[{}]"]
)  # fmt: skip
cells = st.builds(
    lambda shell, one, separator, two: shell.format(f"{one}{separator}{two}"),
    shells,
    numbers,
    separators,
    numbers,
)
texts = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=12)


def is_no_command(line: str) -> bool:
    words = line.lower().split()
    return not words or words[0] not in COMMANDS


def board_cells(rows: int, columns: int, counting: int) -> st.SearchStrategy[str]:
    """Cells that are on the board, as most typed lines are."""
    return st.builds(
        lambda shell, row, column: shell.format(f"{row + counting} {column + counting}"),
        st.sampled_from(["{}", "({})"]),
        st.integers(0, rows - 1),
        st.integers(0, columns - 1),
    )


@examples(400)
@given(
    st.sampled_from(list(RULEBOOKS)),
    st.sampled_from([(5, 5), (4, 4), (1, 2), (2, 2), (3, 3), (2, 5), (3, 11), (12, 1)]),
    st.integers(1, 2),
    st.data(),
)
def test_any_typed_lines_get_the_right_answers(
    name: str, size: tuple[int, int], first: int, data: st.DataObject
) -> None:
    """Compare with the second writing of the dialogues, which shares no code with the first."""
    good = board_cells(*size, RULEBOOKS[name].counting)
    lines = data.draw(st.lists(good | good | good | cells | numbers | texts.filter(is_no_command)))
    check(name, size, first, lines)


def check(name: str, size: tuple[int, int], first: int, lines: Sequence[str]) -> None:
    rows, columns = size
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER_VARIABLE, folder)
        result = run_in_process(
            "play", name, "--size", f"{rows}x{columns}", "--first", str(first),
            typed="".join(f"{line}\n" for line in lines),
        )  # fmt: skip
    assert tidy(result.out.split("\n")) == transcript(name, rows, columns, first, lines)
    assert result.code == 0


NOISE = [
    "",
    "help me",
    "9,9",
    "-1,0",
    "x",
    "(1,1)",
    "move 1 1",
    "block 0,0",
    "1",
    "2 2",
    "３,３",
    "1,1 1",
]


@pytest.mark.parametrize("size", [(5, 5), (4, 4), (3, 6), (10, 3)])
@pytest.mark.parametrize("name", RULEBOOKS)
def test_whole_games_with_slips_get_the_right_answers(name: str, size: tuple[int, int]) -> None:
    """Most lines are legal here, so that the games reach their end; the rest are slips."""
    for seed in range(8):
        rng = random.Random(seed)
        game = GAMES[name](*size, 1 + seed % 2)
        lines = []
        while game.winner is None:
            while rng.random() < 0.3:
                row, column = rng.choice(game.cells())
                slip = f"{row + RULEBOOKS[name].counting},{column + RULEBOOKS[name].counting}"
                if (row, column) not in game.legal():
                    lines.append(
                        rng.choice([slip, *(NOISE if name != "duel" else ["", "x,", "0", "1,99"])])
                    )
            row, column = rng.choice(game.legal())
            lines.append(f"{row + RULEBOOKS[name].counting},{column + RULEBOOKS[name].counting}")
            game.play((row, column))
        check(name, size, 1 + seed % 2, lines)


@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_random_game_reads_as_if_it_had_been_typed(name: str, run: Run) -> None:
    played = run("play", name, "--p1", "random", "--p2", "random", "--seed", "5")
    typed = re.findall(r": ((?:move |block )?\d[\d, ]*)$", played.out, re.MULTILINE)
    assert typed
    check(name, (RULEBOOKS[name].size.rows, RULEBOOKS[name].size.columns), 1, typed)
    again = run("play", name, typed="".join(f"{line}\n" for line in typed))
    assert again.out == played.out


def test_a_game_of_ones_own_speaks_plainly(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "knights.toml"
    file.write_text(
        'title = "Knights"\nsize = "2x3"\nopponent = "knight"\nown = "orthogonal"\n'
        'follow = "line"\nsymbols = ["N", "M"]\n'
    )
    result = run("play", str(file), typed="1,1\n2,3\nx\n2,2\n9,9\n1,1\n2,1\n1,2\n1,3\n")
    assert (
        result.out
        == f"""\
Knights
You may choose the cells with a dot.

   1   2   3
1 [.] [.] [.]
2 [.] [.] [.]

Player 1 (N), take a cell (row,column): 1,1

   1   2   3
1 [N] [.] [.]
2 [.] [ ] [ ]

Player 2 (M), take a cell (row,column): 2,3
Invalid move. The cell is closed by an opponent's cell.
Player 2 (M), take a cell (row,column): x
Invalid move. Enter a row and a column, for example 1,1.
Player 2 (M), take a cell (row,column): 2,2
Invalid move. The cell is out of reach of 1,1.
Player 2 (M), take a cell (row,column): 9,9
Invalid move. The cell is outside the grid.
Player 2 (M), take a cell (row,column): 1,1
Invalid move. The cell is already taken.
Player 2 (M), take a cell (row,column): 2,1

   1   2   3
1 [N] [ ] [ ]
2 [M] [.] [.]

Player 1 (N), take a cell (row,column): 1,2
Invalid move. The cell is closed by one of your own cells.
Player 1 (N), take a cell (row,column): 1,3
Invalid move. The cell is closed by an opponent's cell.
Player 1 (N), take a cell (row,column): {""}
"""
    )
    result = run("play", str(file), "--size", "1x1", typed="1,1\n")
    assert result.out.endswith("[N]\n\nPlayer 2 (M) has no cell left.\nPlayer 1 (N) wins!\n")
