"""The sentences are true: each position here is small enough to be judged by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import gridlock
from gridlock.search import sentences
from gridlock.search.analysis import Action, Analysis, Value, analyse
from gridlock.search.estimating import percent
from gridlock.search.review import review
from tests.search.test_analysis import IgnorantSolver

if TYPE_CHECKING:
    from gridlock.search.review import Review


def hint_of(analysis: Analysis) -> str:
    best = sentences.explicable(analysis)
    return f"{analysis.position.game.name(best.cell)} {sentences.reason(analysis, best)}"


def name(player: gridlock.Player) -> str:
    return f"Player {player}"


@pytest.mark.parametrize(
    ("game", "size", "text", "hint"),
    [
        ("duel", "1x1", ". 1 -", "1,1 wins at once: the opponent cannot move"),
        ("race", "2x2", "#1/2. 1 move", "1,1 wins at once by reaching the goal"),
        ("duel", "1x4", ".... 1 -", "1,1 loses in 2; no cell wins"),
        ("trail", "1x3", "1.. 2 1,1", "1,2 loses in 2, but is the only cell left"),
        (
            "duel", "1x5", "..... 1 -",
            "1,3 wins: after 1,3 every answer can be mirrored through the centre",
        ),
        (
            "duel", "3x2", "../../.. 1 -",
            "2,1 wins: after 2,1 every answer can be mirrored from top to bottom",
        ),
        (
            "duel", "2x2", "../.. 1 -",
            "1,1 loses in 2, as every cell can be answered by its mirror image",
        ),
        (
            "trail", "1x5", "..... 1 -",
            "1,3 wins in 3: the cells left can be paired so that every answer has its partner",
        ),
        ("race", "2x3", "1../..2 1 move", "0,1 wins in 6, and is the only cell that wins"),
        ("race", "1x3", "1.2 1 move", "0,1 wins in 2"),
        (
            "occupation", "1x7", ".1.#... 2 -",
            "1,6 wins: after 1,6 every answer can be mirrored through the centre",
        ),
        ("duel", "1x6", "...... 1 -", "1,1 wins in 3, whatever the answer"),
    ],
)  # fmt: skip
def test_a_hint_names_the_best_cell_and_why(game: str, size: str, text: str, hint: str) -> None:
    assert hint_of(analyse(gridlock.game(game, size).position(text))) == hint


@pytest.mark.parametrize(
    ("text", "hint"),
    [  # three cells that do not touch: the one named is taken, the others are images of each other
        (".#./###/#.# 1 -", "3,2 wins: after 3,2 every answer can be mirrored from left to right"),
        (".##/##./.## 1 -", "2,3 wins: after 2,3 every answer can be mirrored from top to bottom"),
        ("#.#/.##/##. 1 -", "3,3 wins: after 3,3 every answer can be mirrored across a diagonal"),
        ("#.#/##./.## 1 -", "3,1 wins: after 3,1 every answer can be mirrored across a diagonal"),
        (
            "#.##/###./##.# 1 -",
            "2,4 wins: after 2,4 every answer can be mirrored through the centre",
        ),
    ],
)
def test_a_mirror_is_named_by_where_it_stands(text: str, hint: str) -> None:
    size = f"3x{text.index('/')}"
    assert hint_of(analyse(gridlock.game("duel", size).position(text))) == hint


def test_a_mirror_across_a_diagonal_is_called_so() -> None:
    game = gridlock.placement(own=[(1, 1), (-1, -1)], opponent=[(1, 1), (-1, -1)], size="2x2")
    position = game.position("#./.# 1 -")
    assert sentences.sentence(analyse(position), name) == (
        "Player 1 loses in 2: every cell can be answered by its mirror image."
    )
    three = gridlock.placement(own="diagonal", opponent="diagonal", size="3x3")
    after = three.position("##./#1#/.## 2 -")
    assert after.winner is gridlock.Player.ONE
    corner = three.position("##./###/.## 1 -")
    assert "mirror" in hint_of(analyse(corner))
    found = sentences._mirror(three, next(s for s in three.grid.symmetries() if s[:3] == (0, 3, 6)))
    assert found == "across a diagonal"


TOO_LARGE = "could not be worked out: more than 64 cells are open"


def estimated(game: gridlock.Game, chances: dict[str, float | None], limit: str | None) -> Analysis:
    """Return an analysis of the start in which nothing is solved; the best cell comes first."""
    actions = [
        Action(game.cell(cell), Value.UNKNOWN, None, (game.cell(cell),), chance)
        for cell, chance in chances.items()
    ]
    return Analysis(game.start(), Value.UNKNOWN, None, tuple(actions), limit)


def test_what_is_proved_beside_what_is_not_is_said() -> None:
    start = gridlock.game("occupation", "9x9").start()
    analysis = analyse(start, 0.1)
    assert "mirrored through the centre" in hint_of(analysis)
    assert sentences.unsolved(analysis) == f"The other cells {TOO_LARGE}."
    assert sentences.unsolved(analyse(start.play(40), 0.1)) == f"Some distances {TOO_LARGE}."


def test_a_large_board_is_estimated_and_the_likeliest_cell_is_named() -> None:
    start = gridlock.placement(own="king", opponent=(1, 0), size="9x9").start()
    analysis = analyse(start, 0.2)
    best = max(analysis.actions, key=lambda action: action.estimate or 0)
    cell, share = start.game.name(best.cell), percent(best.estimate or 0)
    assert hint_of(analysis) == f"{cell} looks best: an estimate gives it about {share}%"
    assert sentences.sentence(analysis, name) == (
        f"Who wins {TOO_LARGE}; an estimate gives Player 1 about {share}%, best with {cell}."
    )
    assert sentences.unsolved(analysis) == ""


@pytest.mark.parametrize(
    ("limit", "why"),
    [
        (None, "is not known yet"),
        ("not solved within 0.5 s", "could not be worked out within 0.5 s"),
        ("stopped", "could not be worked out before the search was stopped"),
    ],
)
def test_what_is_not_known_is_said_with_its_reason(limit: str | None, why: str) -> None:
    game = gridlock.game("claim", "1x4")
    analysis = estimated(game, {"0,1": 0.618, "0,2": 0.3, "0,0": None, "0,3": None}, limit)
    said = f"Who wins {why}; an estimate gives Player 1 about 62%"
    assert sentences.uncertain(analysis, name) == said
    assert sentences.sentence(analysis, name) == f"{said}, best with 0,1."
    assert hint_of(analysis) == "0,1 looks best: an estimate gives it about 62%"
    guess = estimated(game, dict.fromkeys(["0,0", "0,1", "0,2", "0,3"]), limit)
    assert sentences.sentence(guess, name) == f"Who wins {why}."
    assert hint_of(guess) == f"0,0 is a guess, as who wins {why}"


@pytest.mark.parametrize(("chance", "words"), [(0.999, "about 99%"), (0.0, "about 1%")])
def test_an_estimate_is_never_said_to_be_certain(chance: float, words: str) -> None:
    assert sentences.about(chance) == words


def test_an_outcome_without_its_distance() -> None:
    assert sentences.outcome(Value.WIN, None) == "wins"
    assert sentences.outcome(Value.LOSS, 4) == "loses in 4"
    assert sentences.outcome(Value.UNKNOWN, None) == "unknown"
    analysis = analyse(gridlock.game("trail", "9x9").start())
    assert hint_of(analysis) == (
        "1,1 wins: the cells left can be paired so that every answer has its partner"
    )
    lost = analyse(gridlock.game("trail", "10x9").start())
    assert hint_of(lost) == "1,1 loses; no cell wins"
    assert sentences.sentence(lost, name) == "Player 1 loses: no cell wins."


def test_reasons_of_other_actions_than_the_best() -> None:
    analysis = analyse(gridlock.game("duel", "1x5").start())
    worst = analysis.actions[-1]
    assert sentences.reason(analysis, worst) == "loses in 2"


def unaware_of(analysis: Analysis, *cells: str) -> Analysis:
    """Return an analysis that has not found out what some cells are worth."""
    unknown = [analysis.position.game.cell(cell) for cell in cells]
    actions = tuple(
        Action(a.cell, Value.UNKNOWN, None, (a.cell,), 0.6) if a.cell in unknown else a
        for a in analysis.actions
    )
    return replace(analysis, actions=actions, distance=None)


def test_a_sentence_says_only_when_every_other_cell_is_known_to_lose() -> None:
    start = gridlock.game("duel", "1x5").start()
    assert sentences.sentence(analyse(start), name).startswith("Player 1 wins in 3: only 1,3 wins;")
    found = unaware_of(analyse(start), "1,2", "1,4")
    assert sentences.sentence(found, name).startswith("Player 1 wins: 1,3 is known to win;")
    start = gridlock.game("duel", "1x6").start()
    found = unaware_of(analyse(start), "1,2", "1,5")
    assert sentences.sentence(found, name).startswith(
        "Player 1 wins: 1,1, 1,3, 1,4 and 1,6 are known"
    )


def test_a_hint_names_no_only_winner_while_another_cell_is_unknown() -> None:
    position = gridlock.game("race", "2x3").position("1../..2 1 move")
    assert hint_of(unaware_of(analyse(position), "1,0")) == "0,1 wins in 6"


# Two rows of three, not each other's images on the board. Whoever takes a middle ends its row, and
# the answer is the other middle. An end leaves a cell of its row: the answer is an end of the other
# row, and two lone cells are left.
TWO_ROWS = "...#...# 1 -"


def test_the_longest_loss_is_said_to_hold_out_longest() -> None:
    analysis = analyse(gridlock.game("duel", "1x8").position(TWO_ROWS))
    end = "holds out longest, but loses in 4; no cell wins"
    assert hint_of(analysis) == f"1,1 {end}"
    assert {sentences.reason(analysis, analysis.action(cell)) for cell in (0, 2, 4, 6)} == {end}


def test_a_shorter_loss_is_not_said_to_hold_out_longest() -> None:
    analysis = analyse(gridlock.game("duel", "1x8").position(TWO_ROWS))
    for middle in (1, 5):
        reason = sentences.reason(analysis, analysis.action(middle))
        assert reason == "loses in 2; no cell wins"


def test_where_all_losses_are_as_long_none_is_said_to_hold_out_longest() -> None:
    analysis = analyse(gridlock.game("duel", "1x4").start())
    reasons = {sentences.reason(analysis, action) for action in analysis.actions}
    assert reasons == {"loses in 2; no cell wins"}


def test_no_loss_holds_out_longest_while_another_ones_length_is_unknown() -> None:
    position = gridlock.game("duel", "1x8").position(TWO_ROWS)
    analysis = analyse(position, solver=IgnorantSolver(position, distances=["1,2"]))
    assert hint_of(analysis) == "1,1 loses in 4; no cell wins"


def _reviewed(game: str, moves: str, **options: Any) -> Review:
    size, _, written = moves.partition(" ")
    tags = f'[Game "{game}"] [Size "{size}"] [First "1"] [Result "*"]'
    return review(gridlock.read_record(f"{tags}\n\n{written}"), **options)


@pytest.mark.parametrize(
    ("game", "moves", "fault", "better"),
    [
        ("duel", "1x5 1,2", "Move 1: Player 1 gave the win away with 1,2", "1,3"),
        ("duel", "1x6 1,2", "Move 1: Player 1 gave the win away with 1,2", "1,1, 1,3, 1,4 or 1,6"),
        ("race", "2x3 1,0", "Move 1: Player 1 gave the win away by moving to 1,0", "0,1"),
        ("race", "2x3 0,1/1,0", "Move 1: Player 1 gave the win away by blocking 1,0", "1,1"),
    ],
)
def test_a_mistake_is_told_with_and_without_what_would_have_won(
    game: str, moves: str, fault: str, better: str
) -> None:
    (mistake,) = _reviewed(game, moves).mistakes()
    assert sentences.fault(mistake, name) == f"{fault}."
    assert sentences.mistake(mistake, name) == f"{fault}: {better} would have won."
    unexplained = replace(mistake, better=(), punishment=None)
    assert sentences.mistake(unexplained, name) == (
        f"{fault}; which cells would have won is not known."
    )


def test_many_cells_that_would_have_won_are_counted() -> None:
    (mistake,) = _reviewed("duel", "1x5 1,2").mistakes()
    many = replace(mistake, better=(0, 1, 2, 3, 4, 0, 1))
    assert sentences.mistake(many, name).endswith(
        ": 1,1, 1,2, 1,3, 1,4, 1,5 or 2 more would have won."
    )


@pytest.mark.parametrize(
    ("game", "moves", "one", "two"),
    [
        (
            "race", "2x3 0,1/1,0 0,2/1,1",
            "1 move, in a won position once, gave it away once",
            "1 move, in a won position once, never gave it away",
        ),
        ("claim", "1x2 0,0", "1 move, never in a won position", "0 moves, never in a won position"),
    ],
)  # fmt: skip
def test_a_summary_counts_turns(game: str, moves: str, one: str, two: str) -> None:
    found = _reviewed(game, moves)
    assert sentences.summary(found, gridlock.Player.ONE, name) == f"Player 1: {one}."
    assert sentences.summary(found, gridlock.Player.TWO, name) == f"Player 2: {two}."


def test_a_summary_says_how_many_moves_could_not_be_judged() -> None:
    found = _reviewed("claim", "7x9 0,0 3,3 6,6", seconds=0)
    assert sentences.summary(found, gridlock.Player.ONE, name) == (
        "Player 1: 2 moves, never in a position known to be won; 2 moves could not be judged."
    )


@pytest.mark.parametrize(
    ("before", "after", "chances", "words"),
    [
        (Value.UNKNOWN, Value.UNKNOWN, (0.71, 0.38), "about 71% before, 38% after"),
        (Value.UNKNOWN, Value.LOSS, (0.71, None), "about 71% before, a sure loss after"),
        (Value.WIN, Value.UNKNOWN, (None, 0.38), "a sure win before, about 38% after"),
    ],
)
def test_a_doubt_is_told_with_its_estimates(
    before: Value, after: Value, chances: tuple[float | None, float | None], words: str
) -> None:
    (action,) = _reviewed("duel", "1x5 1,2").actions
    doubtful = replace(
        action, before=before, after=after, estimate_before=chances[0], estimate_after=chances[1]
    )
    assert sentences.doubt(doubtful, name) == (
        f"Move 1: Player 1 probably went wrong with 1,2 ({words})."
    )


def test_a_summary_counts_what_is_estimated_apart_from_what_is_known() -> None:
    found = _reviewed("duel", "1x12 1,2 1,4 1,6 1,8")
    unknown: dict[str, Any] = {"before": Value.UNKNOWN, "after": Value.UNKNOWN}
    first, second, third, fourth = found.actions
    sound, doubtful = (
        replace(first, **unknown, estimate_before=0.7, estimate_after=chance)
        for chance in (0.7, 0.3)
    )
    later = replace(third, **unknown, estimate_before=0.7, estimate_after=0.2)
    for actions, words in (
        ((sound, second, third, fourth), "; 1 move could only be estimated: no probable mistake."),
        ((doubtful, second, later, fourth), "; 2 moves could only be estimated: 2 probable mist"),
        ((sound, second, later, fourth), "; 2 moves could only be estimated: 1 probable mistake."),
    ):
        said = sentences.summary(replace(found, actions=actions), gridlock.Player.ONE, name)
        assert words in said
        assert "could not be judged" not in said


def test_nobody_is_praised_for_keeping_a_win_of_which_that_is_not_known() -> None:
    found = _reviewed("duel", "1x5 1,3")
    (action,) = found.actions
    one = gridlock.Player.ONE
    assert "in a won position once, never gave it away." in sentences.summary(found, one, name)
    unknown = replace(found, actions=(replace(action, after=Value.UNKNOWN, estimate_after=0.9),))
    assert sentences.summary(unknown, one, name) == (
        "Player 1: 1 move, in a won position once, not known to have given it away; "
        "1 move could only be estimated: no probable mistake."
    )
