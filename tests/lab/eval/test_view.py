from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock import RulebookError
from gridlock.lab.eval.prompt import AGAIN, Outcome, again, read_template
from gridlock.lab.eval.view import Disguise, View, letters
from tests.conftest import variants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gridlock import Position

GAMES = list(gridlock.RULEBOOKS)
BOARDS = [
    ("occupation", "3x3"),
    ("duel", "3x3"),
    ("claim", "2x4"),
    ("trail", "2x3"),
    ("race", "2x3"),
]
ORTHOGONAL = ((-1, 0), (0, -1), (0, 1), (1, 0))
KING = tuple((down, right) for down, right in product((-1, 0, 1), repeat=2) if down or right)

Picture = dict[tuple[int, int], str]


def read_picture(text: str) -> Picture:
    """Return the symbols of a picture by row and column, counted from 0."""
    rows = [line.split()[1:] for line in text.splitlines()[1:]]
    return {(r, c): symbol for r, row in enumerate(rows) for c, symbol in enumerate(row)}


def around(place: tuple[int, int], steps: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    return [(place[0] + down, place[1] + right) for down, right in steps]


def legal_by_the_picture(
    rulebook: str, picture: Picture, mover: str, other: str, homes: list[str], task: str
) -> set[str]:
    """Return the places that the rules in disguise allow: by what is shown, and nothing else."""

    def has(place: tuple[int, int], steps: tuple[tuple[int, int], ...], *symbols: str) -> bool:
        return any(picture.get(one) in symbols for one in around(place, steps))

    last = re.search(r"just before is (\w+)\.", task)
    bare = [place for place, symbol in picture.items() if symbol == "-"]
    if rulebook == "occupation":
        found = [place for place in bare if not has(place, KING, other)]
    elif rulebook == "duel":
        found = [place for place in bare if not has(place, ORTHOGONAL, mover, other)]
    elif rulebook == "claim":
        found = [place for place in bare if not has(place, KING, mover)]
    elif rulebook == "trail":
        near = around(place_of(last[1]), ORTHOGONAL) if last else bare
        found = [place for place in bare if place in near]
    else:
        mine = next(place for place, symbol in picture.items() if symbol == mover)
        theirs = next(place for place, symbol in picture.items() if symbol == other)
        steps = KING if task.startswith("Drop") else ORTHOGONAL
        is_over = name_of(theirs) == homes[0]
        found = [] if is_over else [place for place in bare if place in around(mine, steps)]
    return set(map(name_of, found))


def name_of(place: tuple[int, int]) -> str:
    return f"{'abcdefgh'[place[1]]}{place[0] + 1}"


def place_of(name: str) -> tuple[int, int]:
    return int(name[1:]) - 1, "abcdefgh".index(name[0])


def all_positions(start: Position) -> Iterator[Position]:
    seen, waiting = {start}, [start]
    while waiting:
        position = waiting.pop()
        yield position
        for cell in position.legal_cells():
            after = position.play(cell)
            if after not in seen:
                seen.add(after)
                waiting.append(after)


@pytest.mark.parametrize("seed", variants(*range(8), quick=2))
@pytest.mark.parametrize(("rulebook", "size"), BOARDS)
def test_a_disguised_game_is_the_same_game_position_by_position(
    rulebook: str, size: str, seed: int
) -> None:
    game = gridlock.game(rulebook, size)
    view = Disguise(game, seed)
    names = [view.label(cell) for cell in range(game.grid.cell_count)]
    assert len(set(names)) == len(names)
    count = 0
    for position in all_positions(game.start()):
        count += 1
        mover = view.mover(position)
        (other,) = {*view.words.symbols} - {mover}
        rules = view.rules(position)
        homes = [match[1] for match in re.finditer(rf"{mover} (?:set out )?from (\w+)", rules)]
        shown = read_picture(view.board(position))
        legal = legal_by_the_picture(rulebook, shown, mover, other, homes, view.task(position))
        assert legal == {names[cell] for cell in position.legal_cells()}
        for cell in position.legal_cells():
            after = read_picture(view.board(position.play(cell)))
            changed = {name_of(place) for place in shown if shown[place] != after[place]}
            stepped = {name_of(place) for place in shown if after[place] == "-" != shown[place]}
            assert changed == {names[cell]} | stepped
            assert len(stepped) == (rulebook == "race" and position.phase == "move")
    assert count > 50


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


PLAIN = words_of("""
    a again along all also an and any are as at be both but by can does each end every example
    for from has have here how if in into is it its made may more nor no not nothing now of on
    one only or other
    out over so such than that the their them then there therefore they things this to two up was
    where which who with you your line then named least most left first last
    just either neither never goes go good long think time times
""")
"""Words that belong to no game."""


@pytest.mark.parametrize("rulebook", GAMES)
def test_nothing_of_the_original_words_is_left_in_a_disguise(rulebook: str) -> None:
    game = gridlock.game(rulebook)
    book = game.rulebook
    tasks = " ".join(f"{phase.task} {phase.noun} {phase.name}" for phase in book.phases)
    theirs = words_of(f"{book.id} {book.title} {book.about} {book.rules} {tasks}") - PLAIN
    theirs |= {"board", "cell", "game", "grid", "lock", "move", "player", "row", "turn"}
    template = read_template("disguised")
    for seed in range(8):
        view = Disguise(game, seed)
        position = game.start().play(game.start().legal_cells()[1])
        text = template.fill(view, position, [1])
        for outcome in Outcome:
            text += again(view, outcome, 1) + again(view, outcome, None)
        assert {word for word in words_of(text) & theirs if len(word) > 1} == set()
        shown = set(read_picture(view.board(position)).values())
        assert not shown & {*book.symbols, *"ABXOL.#"}


def test_a_disguise_is_never_the_board_as_it_was() -> None:
    game = gridlock.game("duel")
    boards = {tuple(map(Disguise(game, seed).place, range(25))) for seed in range(40)}
    assert len(boards) == 7
    assert tuple(range(25)) not in boards


def test_symbols_are_swapped_by_some_seeds() -> None:
    game = gridlock.game("claim")
    assert {Disguise(game, seed).words.symbols for seed in range(20)} == {("F", "K"), ("K", "F")}


def test_a_game_of_ones_own_has_no_disguise() -> None:
    with pytest.raises(RulebookError, match="there is no disguise for knights"):
        Disguise(gridlock.placement(own="knight", id="knights"), 1)


def test_a_picture_has_the_names_of_rows_and_columns() -> None:
    game = gridlock.game("race", "2x3")
    position = game.start().play(game.cell("0,1")).play(game.cell("1,0"))
    assert View(game).board(position) == "    0  1  2\n 0  . P1  .\n 1  X  . P2"
    assert View(game).legend(position) == "P1 and P2 are the players', . is empty, X is blocked"


def test_columns_have_names_however_many_there_are() -> None:
    assert [letters(n) for n in (0, 25, 26, 27, 99)] == ["a", "z", "aa", "ab", "cv"]


def test_cells_are_read_as_they_are_written() -> None:
    for game in (gridlock.game("claim", "3x30"), gridlock.game("duel", "12x12")):
        for view in (View(game), Disguise(game, 3)):
            for cell in range(game.grid.cell_count):
                match = view.strict.fullmatch(view.label(cell))
                assert match
                assert view.cell(match["row"], match["column"]) == cell


def test_the_words_for_another_try_name_no_game() -> None:
    assert AGAIN.format(said="No.", what="a bed").startswith("No. Answer again")
