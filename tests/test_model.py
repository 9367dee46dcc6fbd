"""What holds in every position of every game, the rulebooks' and one's own."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridlock
from gridlock import (
    Grid,
    IllegalMoveError,
    NotationError,
    Player,
    Position,
    Reason,
)
from gridlock.grid import cells_of, mask_of
from gridlock.model import read_position
from gridlock.rulebooks.placement import PlacementPosition, PlacementRulebook
from tests.oracle.rules import GAMES
from tests.strategies import custom_games, lines_of_play, positions, rulebook_games


@given(positions)
def test_a_position_is_read_on_the_board_that_its_text_has(position: Position) -> None:
    assert read_position(position.game.rulebook, f" {position}\n") == position


@given(positions)
def test_the_legal_list_and_is_legal_agree(position: Position) -> None:
    cells = range(-3, position.game.grid.cell_count + 3)
    assert tuple(cell for cell in cells if position.is_legal(cell)) == position.legal_cells()


@given(positions)
def test_a_cell_is_either_legal_or_refused_and_played_so(position: Position) -> None:
    for cell in range(-1, position.game.grid.cell_count + 1):
        refusal = position.refusal(cell)
        assert (refusal is None) == position.is_legal(cell)
        if refusal is None:
            assert position.play(cell) != position
        else:
            with pytest.raises(IllegalMoveError) as error:
                position.play(cell)
            assert error.value.code == refusal.reason


@given(lines_of_play())
def test_a_position_after_another_differs_from_it_by_one_action(line: list[Position]) -> None:
    for before, after in pairwise(line):
        assert before.winner is None
        added = [
            cells_of(mask & ~old)
            for mask, old in (
                (after.marks(Player.ONE), before.marks(Player.ONE)),
                (after.marks(Player.TWO), before.marks(Player.TWO)),
                (after.blocked, before.blocked),
            )
        ]
        assert sum(map(len, added)) == 1
        (played,) = (cell for cells in added for cell in cells)
        assert before.play(played) == after


@given(positions)
def test_whoever_cannot_move_loses(position: Position) -> None:
    assert (position.winner is None) == bool(position.legal_cells())
    assert position.winner in (None, position.mover.opponent)


@given(positions)
def test_a_copy_of_a_position_is_the_position(position: Position) -> None:
    assert copy.copy(position) is copy.deepcopy(position) is position


@given(positions)
def test_text_and_pickle_bring_a_position_back(position: Position) -> None:
    for twin in (position.game.position(str(position)), pickle.loads(pickle.dumps(position))):
        assert twin == position
        assert hash(twin) == hash(position)
        assert twin.legal == position.legal
        assert twin.winner == position.winner


@given(positions)
def test_positions_cannot_be_changed(position: Position) -> None:
    with pytest.raises(AttributeError):
        position.mover = position.mover.opponent  # type: ignore[misc]


@given(lines_of_play(custom_games()))
def test_open_cells_kept_step_by_step_are_those_worked_out_anew(line: list[Position]) -> None:
    for position in line:
        assert isinstance(position, PlacementPosition)
        assert isinstance(position.game.rulebook, PlacementRulebook)
        assert position.still_open == position.game.rulebook.open_cells(
            position.game, position.both_marks, position.board
        )


@given(lines_of_play(custom_games()))
def test_reaches_close_stone_by_stone(line: list[Position]) -> None:
    """Work out every cell from the marks and the offsets alone, without a mask."""
    for position in line:
        rulebook, grid = position.game.rulebook, position.game.grid
        assert isinstance(rulebook, PlacementRulebook)
        assert isinstance(position, PlacementPosition)
        marks = {
            grid.place(cell): player
            for player in Player
            for cell in cells_of(position.marks(player))
        }
        expected = []
        for cell in range(grid.cell_count):
            row, column = grid.place(cell)
            is_open = (row, column) not in marks and all(
                (row - down, column - right)
                not in (rulebook.own if owner is position.mover else rulebook.opponent)
                for (down, right), owner in marks.items()
            )
            if is_open and rulebook.follow is not None and position.last is not None:
                down, right = grid.place(position.last)
                is_open = (row - down, column - right) in rulebook.follow
            if is_open:
                expected.append(cell)
        assert list(position.legal_cells()) == expected


@given(lines_of_play(rulebook_games()))
def test_no_played_position_breaks_a_rule_of_its_rulebook(line: list[Position]) -> None:
    """What each rulebook forbids is nowhere on the board, whoever moved last and before."""
    position = line[-1]
    grid, name = position.game.grid, position.game.rulebook.id
    one, two = ([grid.place(c) for c in cells_of(position.marks(p))] for p in Player)

    def touching(some: list[tuple[int, int]], others: list[tuple[int, int]], reach: int) -> bool:
        return any(
            a != b
            and max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1
            and abs(a[0] - b[0]) + abs(a[1] - b[1]) <= reach
            for a in some
            for b in others
        )

    if name == "occupation":
        assert not touching(one, two, 2)
    if name == "duel":
        assert not touching(one + two, one + two, 1)
    if name == "claim":
        assert not touching(one, one, 2)
        assert not touching(two, two, 2)
    if name == "race":
        assert not (position.marks(Player.ONE) | position.marks(Player.TWO)) & position.blocked
    else:
        assert abs(len(one) - len(two)) <= 1
        assert not set(one) & set(two)


@given(rulebook_games(), st.sampled_from(Player), st.data())
def test_masks_agree_with_stones(game: gridlock.Game, first: Player, data: st.DataObject) -> None:
    stones = GAMES[game.rulebook.id](game.grid.rows, game.grid.columns, first)
    position = game.start(first)
    while True:
        assert [game.grid.place(cell) for cell in position.legal_cells()] == stones.legal()
        assert (position.mover, position.winner) == (stones.mover, stones.winner)
        assert position.phase == stones.phase
        for player in Player:
            marks = [game.grid.place(cell) for cell in cells_of(position.marks(player))]
            assert marks == stones.marks(player)
        if position.winner is not None:
            break
        cell = data.draw(st.sampled_from(position.legal_cells()))
        position = position.play(cell)
        stones.play(game.grid.place(cell))


def test_masks_agree_with_stones_on_a_board_that_no_machine_word_holds() -> None:
    for name in GAMES:
        game = gridlock.game(name, "9x11")
        position, stones = game.start(), GAMES[name](9, 11, 1)
        while position.winner is None:
            assert [game.grid.place(cell) for cell in position.legal_cells()] == stones.legal()
            cell = position.legal_cells()[len(position.legal_cells()) // 2]
            position = position.play(cell)
            stones.play(game.grid.place(cell))
        assert position.winner == stones.winner


@given(lines_of_play(rulebook_games()), st.data())
def test_symmetries_map_legal_cells_to_legal_cells(
    line: list[Position], data: st.DataObject
) -> None:
    game = line[0].game
    symmetries = game.grid.symmetries()
    if game.rulebook.id == "race":  # only these keep the two corners in place, or exchange them
        last = game.grid.cell_count - 1
        symmetries = tuple(s for s in symmetries if {s[0], s[last]} == {0, last})
    symmetry = data.draw(st.sampled_from(symmetries))
    exchanged = game.rulebook.id == "race" and symmetry[0] != 0
    image = game.start(line[0].mover.opponent if exchanged else line[0].mover)
    for before, after in zip(line, [*line[1:], None], strict=True):
        assert image.legal == mask_of(symmetry[cell] for cell in before.legal_cells())
        if after is not None:
            (played,) = (cell for cell in before.legal_cells() if before.play(cell) == after)
            image = image.play(symmetry[played])


@given(lines_of_play(rulebook_games().filter(lambda game: game.rulebook.id == "race")))
def test_a_block_never_needs_skipping(line: list[Position]) -> None:
    for before, after in pairwise(line):
        if before.phase == "move" and after.winner is None:
            assert after.phase == "block"
            assert after.mover is before.mover


def test_another_order_of_the_same_moves_is_the_same_position() -> None:
    game = gridlock.game("duel")
    one, other = game.start(), game.start()
    for name in ("1,1", "5,5", "3,3"):
        one = one.play(game.cell(name))
    for name in ("3,3", "5,5", "1,1"):
        other = other.play(game.cell(name))
    assert one == other
    assert len({one, other}) == 1


def test_positions_of_other_games_and_sizes_differ() -> None:
    starts = [
        gridlock.game(name, size).start(first)
        for name in ("duel", "claim", "trail", "occupation", "race")
        for size in ("4x4", "2x8")
        for first in (1, 2)
    ]
    assert len(set(starts)) == len(starts)


@pytest.mark.parametrize(
    ("name", "moves", "bad", "reason", "text"),
    [
        (
            "occupation",
            "3,3 1,1",
            "1,2",
            Reason.CLOSED_BY_OPPONENT,
            "1,2 is closed by the opponent's 1,1",
        ),
        ("occupation", "3,3", "3,3", Reason.TAKEN, "3,3 is already taken"),
        ("duel", "3,3", "3,2", Reason.CLOSED_BY_OPPONENT, "3,2 is closed by the opponent's 3,3"),
        ("claim", "2,2 0,0", "1,1", Reason.CLOSED_BY_OWN, "1,1 is closed by the mover's own 2,2"),
        ("trail", "2,2", "1,1", Reason.APART, "1,1 is not next to 2,2"),
        ("race", "0,1 1,0 3,2", "0,1", Reason.TAKEN, "0,1 is already taken"),
        ("race", "0,1 1,0", "1,0", Reason.BLOCKED, "1,0 is blocked"),
        ("race", "0,1 1,0", "3,1", Reason.APART, "3,1 is not next to 3,3"),
    ],
)
def test_an_illegal_move_says_why(
    name: str, moves: str, bad: str, reason: Reason, text: str
) -> None:
    game = gridlock.game(name)
    position = game.start()
    for move in moves.split():
        position = position.play(game.cell(move))
    with pytest.raises(IllegalMoveError) as error:
        position.play(game.cell(bad))
    assert error.value.code == reason
    assert str(error.value) == text
    assert isinstance(error.value, ValueError)
    assert pickle.loads(pickle.dumps(error.value)).code == reason


def test_nothing_can_be_played_outside_or_after_the_end() -> None:
    position = gridlock.game("duel", "1x2").start()
    with pytest.raises(IllegalMoveError, match="cell 2 is outside the 1x2 board"):
        position.play(2)
    with pytest.raises(IllegalMoveError, match="1,2 cannot be chosen: the game is over"):
        position.play(0).play(1)


def test_the_largest_board_plays() -> None:
    position = gridlock.game("occupation", "100x100").start()
    position = position.play(position.game.cell("100,100")).play(0)
    assert len(position.legal_cells()) == 10_000 - 2 - 3
    assert position.game.position(str(position)) == position


def test_a_race_needs_two_cells() -> None:
    with pytest.raises(NotationError, match="race needs a board of at least 2 cells, not 1x1"):
        gridlock.game("race", Grid(1, 1))
    assert gridlock.game("race", "1x2").start().winner is Player.TWO


@pytest.mark.parametrize("name", ["occupation", "duel", "claim", "trail"])
def test_a_board_of_one_cell_is_won_by_taking_it(name: str) -> None:
    assert gridlock.game(name, "1x1").start(2).play(0).winner is Player.TWO


def test_a_game_says_what_it_is() -> None:
    assert repr(gridlock.game("duel", "2x3")) == "<Game duel 2x3>"


def test_positions_that_go_on_differently_are_not_equal() -> None:
    trail = gridlock.game("trail", "2x3")
    assert trail.position("1.1/2.. 2 1,1") != trail.position("1.1/2.. 2 1,3")
    duel = gridlock.game("duel", "2x3")
    assert duel.position("1.#/... 2 -") != duel.position("1../... 2 -")


def test_a_cell_outside_is_outside_even_after_the_end() -> None:
    end = gridlock.game("duel", "1x1").start().play(0)
    refusal = end.refusal(5)
    assert refusal is not None
    assert refusal.reason is Reason.OUTSIDE


def test_an_opponents_mark_is_blamed_before_ones_own() -> None:
    game = gridlock.placement(own="king", opponent="king", size="1x5")
    position = game.position("1.2.. 1 -")
    refusal = position.refusal(1)
    assert refusal is not None
    assert (refusal.reason, refusal.blame) == (Reason.CLOSED_BY_OPPONENT, 2)


def test_a_follow_that_leaves_nothing_ends_the_game_with_the_first_move() -> None:
    assert gridlock.placement(follow="cell").start().play(12).winner is Player.ONE


def test_an_illegal_move_carries_its_position_and_cell() -> None:
    position = gridlock.game("duel").start().play(12)
    with pytest.raises(IllegalMoveError) as error:
        position.play(12)
    assert (error.value.position, error.value.cell) == (position, 12)


def test_wrong_arguments_are_named() -> None:
    game = gridlock.game("duel")
    with pytest.raises(NotationError, match="player 1 or 2 begins, not 3"):
        game.start(3)
    with pytest.raises(NotationError, match="cell 99 is outside the 5x5 board"):
        game.name(99)
    with pytest.raises(NotationError, match="the size '0x5' is not possible"):
        Grid(0, 5)


@given(positions)
def test_the_closed_cells_are_those_that_a_mark_has_closed(position: Position) -> None:
    if position.winner is not None:
        return
    by_marks = {Reason.CLOSED_BY_OPPONENT, Reason.CLOSED_BY_OWN}
    for cell in range(position.game.grid.cell_count):
        refusal = position.refusal(cell)
        is_closed = refusal is not None and refusal.reason in by_marks
        assert bool(position.closed >> cell & 1) == is_closed


def test_only_a_race_has_goals() -> None:
    race = gridlock.game("race", "3x5").start()
    assert (race.goal(Player.ONE), race.goal(Player.TWO)) == (14, 0)
    assert gridlock.game("duel").start().goal(Player.ONE) is None
