"""The one door to all thinking, for every kind of search."""

from __future__ import annotations

import gc
import random
import threading
import weakref
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock import (
    RULEBOOKS,
    Analysis,
    Engine,
    Game,
    Limit,
    LimitError,
    Player,
    Progress,
    Record,
    RulebookError,
    Settings,
    Solver,
    Value,
)
from gridlock.clock import Clock
from gridlock.puzzles.collection import puzzles_of
from gridlock.search.backends import BACKENDS
from tests.oracle import solver as oracle
from tests.toy import DOMINO

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridlock.model import Position

HARD = {
    "placement": gridlock.game("claim", "7x9"),
    "race": gridlock.game("race", "6x7"),
    "plain": Game(DOMINO, gridlock.Grid(5, 6)),
}
"""A game of each kind of search that is not solved in a moment."""

SMALL = [gridlock.game("occupation", "3x3"), gridlock.game("race", "3x3"), HARD["plain"]]


def stopping(engine: Engine) -> Callable[[Progress], None]:
    """Return what stops an engine from another thread when it has begun to search."""

    def watch(progress: Progress) -> None:
        if progress.nodes:
            stopper = threading.Thread(target=engine.stop)
            stopper.start()
            stopper.join()

    return watch


@pytest.mark.parametrize("game", HARD.values(), ids=HARD)
def test_a_question_that_is_stopped_is_answered_with_what_is_known(game: Game) -> None:
    engine = Engine(game, Settings(seconds=600))
    start = game.start()
    analysis = engine.analyse(start, on_progress=stopping(engine))
    assert analysis.limit == "stopped"
    assert {action.cell for action in analysis.actions} == set(start.legal_cells())
    record = Record(game, Player.ONE, start.legal_cells()[:1])
    review = engine.review(record, on_progress=stopping(engine))
    assert (review.limit, review.is_complete) == ("stopped", False)
    hint = engine.hint(start, on_progress=stopping(engine))
    assert start.is_legal(hint.cell)
    assert "an estimate gives it about" in str(hint) or "the search was stopped" in str(hint)
    assert start.is_legal(engine.choose(start, 8, on_progress=stopping(engine)))
    assert engine.solve(start, on_progress=stopping(engine)).limit == "stopped"


def test_an_engine_that_was_stopped_answers_the_next_question() -> None:
    engine = Engine(gridlock.game("duel", "4x4"))
    engine.stop()  # nothing is under way
    assert engine.analyse(engine.game.start()).value is Value.LOSS


def test_an_engine_that_is_closed_answers_nothing_any_more() -> None:
    engine = Engine(HARD["placement"], Settings(seconds=600))
    closing = threading.Event()

    def close(progress: Progress) -> None:
        if progress.nodes and not closing.is_set():
            closing.set()
            engine.close()

    assert engine.analyse(engine.game.start(), on_progress=close).limit == "stopped"
    with pytest.raises(LimitError, match="^stopped$"):
        engine.analyse(engine.game.start())


def test_time_runs_out_for_each_question_by_itself() -> None:
    engine = Engine(HARD["placement"], Settings(seconds=0.02))
    for _ in range(2):
        analysis = engine.analyse(engine.game.start())
        assert analysis.limit == "not solved within 0.02 s"


def test_what_is_known_so_far_is_told_on_the_way() -> None:
    engine = Engine(gridlock.game("occupation", "4x4"))
    told: list[Progress] = []
    engine.on_progress = told.append
    analysis = engine.analyse(engine.game.start())
    found = [progress.found for progress in told if progress.found]
    assert found
    assert all(isinstance(each, Analysis) for each in found)
    assert told[-1].nodes <= engine.progress.nodes
    assert analysis.limit is None
    heard: list[Progress] = []
    told.clear()
    engine.analyse(engine.game.start(), on_progress=heard.append)
    assert heard
    assert not told  # a listener of the question's own hears instead


def test_one_table_serves_every_question() -> None:
    """What an analysis has found out, the computer, a hint and a review need not find again."""
    game = gridlock.game("occupation", "6x6")
    engine = Engine(game)
    engine.analyse(game.start())
    nodes = engine.progress.nodes
    fresh = Engine(game)
    fresh.choose(game.start(), 8, rng=random.Random(1))
    assert fresh.progress.nodes > 100
    engine.choose(game.start(), 8, rng=random.Random(1))
    engine.hint(game.start())
    engine.review(Record(game))
    assert engine.progress.nodes - nodes < fresh.progress.nodes / 10


def test_a_level_looks_for_no_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("nobody wants to see a line")

    monkeypatch.setattr("gridlock.search.analysis.best_line", refuse)
    engine = Engine(gridlock.game("duel"))
    start = engine.game.start()
    assert start.is_legal(engine.choose(start, 8))
    assert start.is_legal(engine.choose(start, 3))
    assert start.is_legal(engine.hint(start).cell)


@pytest.mark.parametrize("level", [0, 9])
def test_there_are_levels_one_to_eight(level: int) -> None:
    engine = Engine(gridlock.game("duel"))
    with pytest.raises(RulebookError, match=f"there is no level {level}: 1 to 8"):
        engine.choose(engine.game.start(), level)


def test_an_engine_knows_one_game() -> None:
    engine = Engine(gridlock.game("duel"))
    with pytest.raises(RulebookError, match="<Game duel 5x5> cannot answer for <Game claim 5x5>"):
        engine.analyse(gridlock.game("claim").start())


def test_the_clock_bounds_how_long_a_level_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def choose(*arguments: object) -> int:
        asked.append(arguments[4])
        return 0

    monkeypatch.setattr("gridlock.search.levels.choose", choose)
    engine = Engine(gridlock.game("duel"))
    start = engine.game.start()
    for clock in (None, Clock(3600), Clock(24), Clock(0.001), Clock(2, 60)):
        engine.choose(start, 8, clock=clock)
    assert asked == [None, 1.0, 24 / 30, pytest.approx(0.001 / 30, abs=1e-4), 1.0]


def test_settings_say_how_long_a_level_looks_and_a_clock_bounds_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[object] = []
    monkeypatch.setattr("gridlock.search.levels.choose", lambda *given: asked.append(given[4]))
    engine = Engine(gridlock.game("duel"), Settings(seconds=5))
    for clock in (None, Clock(3600), Clock(24)):
        engine.choose(engine.game.start(), 8, clock=clock)
    assert asked == [5, 5, 24 / 30]


def test_engines_are_freed_without_the_collector() -> None:
    gc.disable()
    try:
        for game in SMALL:
            engine = Engine(game, Settings(seconds=0.1))
            engine.on_progress = lambda _: None
            engine.analyse(game.start())
            engine.hint(game.start())
            engine.choose(game.start(), 8)
            engine.review(Record(game, Player.ONE, game.start().legal_cells()[:1]))
            gone = weakref.ref(engine._solver)
            del engine
            assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("kind", ["occupation", "duel", "claim", "trail", "race"])
def test_the_plain_search_agrees_with_the_others(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = gridlock.game(kind, "2x4" if kind == "race" else "3x3")
    exact = Engine(game).analyse(game.start())
    monkeypatch.setattr("gridlock.search.backends.BACKENDS", {})
    plain = Solver(game)
    assert type(plain.backend).__name__ == "PlainBackend"
    position: Position = game.start()
    assert (plain.wins(position), plain.distance(position)) == oracle.solve(position)
    found = {action.cell: action.label for action in Engine(game).analyse(position).actions}
    assert found == {action.cell: action.label for action in exact.actions}


def test_every_kind_of_rulebook_has_a_search() -> None:
    assert {type(gridlock.game(name).rulebook) for name in gridlock.RULEBOOKS} == set(BACKENDS)


def test_a_plain_search_that_is_out_of_memory_still_answers() -> None:
    game = Game(DOMINO, gridlock.Grid(2, 4))
    small = Solver(game, Settings(memory=1 << 16))
    (search,) = small._prepare(range(game.grid.cell_count)).searches
    search._most = 3  # type: ignore[attr-defined]
    assert (small.wins(game.start()), small.distance(game.start())) == oracle.solve(game.start())
    assert search.entries == 3


def test_a_plain_search_refuses_what_is_too_large() -> None:
    engine = Engine(Game(DOMINO, gridlock.Grid(9, 9)), Settings(seconds=0.3))
    analysis = engine.analyse(engine.game.start())
    assert (analysis.value, analysis.limit) == (
        Value.UNKNOWN, "not solved: more than 64 cells are open",
    )  # fmt: skip
    assert engine.game.start().is_legal(engine.choose(engine.game.start(), 8))


@pytest.mark.parametrize("game_id", RULEBOOKS)
def test_a_refutation_is_the_whole_game_that_an_analysis_expects(game_id: str) -> None:
    position = puzzles_of(game_id)[0].position
    engine = Engine(position.game)
    wrong = engine.analyse(position).actions[-1]
    assert engine.refute(position, wrong.cell) == wrong.line
    assert position.replay(wrong.line)[-1].winner is position.mover.opponent


@pytest.mark.parametrize("game_id", ["duel", "race"])
def test_without_time_for_a_line_a_refutation_is_the_answer_that_wins(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gridlock.search.analysis._REFUTATION_SECONDS", -1)
    puzzle = next(puzzle for puzzle in puzzles_of(game_id) if puzzle.position.actions_made == 0)
    position = puzzle.position
    wrong = next(cell for cell in position.legal_cells() if cell != puzzle.line[0])
    line = Engine(position.game).refute(position, wrong)
    *_, before, last = position.replay(line)
    assert (line[0], before.mover) == (wrong, puzzle.solver.opponent)
    assert oracle.solve(last)[0] is (last.mover is puzzle.solver.opponent)


@pytest.mark.parametrize("game", HARD.values(), ids=HARD)
def test_a_refutation_that_takes_too_long_is_nothing_but_the_cell(game: Game) -> None:
    cell = game.start().legal_cells()[0]
    assert Engine(game, Settings(seconds=0.01)).refute(game.start(), cell) == (cell,)


def test_what_the_highest_level_chooses_by_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    game = gridlock.game("duel", "3x3")
    found: list[Analysis] = []
    cell = Engine(game).choose(game.start(), 8, on_found=found.append)
    assert [analysis.value for analysis in found] == [Value.WIN]
    assert cell in found[0].winning_cells()
    Engine(game).choose(game.start(), 3, on_found=found.append)
    assert len(found) == 1


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_so_many_nodes_are_searched_and_find_the_same_every_time(game: Game) -> None:
    engine = Engine(game)
    chosen = []
    for _ in range(2):
        before = engine.progress.nodes
        limit = Limit(nodes=40)
        chosen.append(engine.choose(game.start(), limit=limit, rng=random.Random(5)))
        assert engine.progress.nodes - before <= 40
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize("game", SMALL[:2], ids=str)
def test_a_depth_sees_every_win_and_loss_within_it(game: Game) -> None:
    found: list[Analysis] = []
    rng = random.Random(1)
    for _ in range(20):
        position: Position = game.start()
        while position.winner is None:
            limit = Limit(depth=3, nodes=1)
            cell = Engine(game).choose(position, limit=limit, rng=rng, on_found=found.append)
            for action in found.pop().actions:
                is_won, distance = oracle.solve_action(position, action.cell)
                if distance <= 3:
                    assert (action.value, action.distance) == (
                        Value.WIN if is_won else Value.LOSS, distance,
                    )  # fmt: skip
            is_won, distance = oracle.solve(position)
            if distance <= 3:
                assert oracle.solve_action(position, cell) == (is_won, distance)
            position = position.play(rng.choice(position.legal_cells()))


def test_an_engine_tells_who_wins_or_that_it_takes_too_long() -> None:
    game = gridlock.game("duel", "3x3")
    assert Engine(game).wins(game.start()) is True
    hard = Engine(HARD["race"], Settings(seconds=0.01))
    assert hard.wins(hard.game.start()) is None
