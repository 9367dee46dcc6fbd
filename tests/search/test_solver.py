from __future__ import annotations

import json
import threading
from array import array
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gridlock
from gridlock import Game, Grid, Player
from gridlock.errors import LimitError, RulebookError, SizeError
from gridlock.rulebooks.placement import PlacementPosition
from gridlock.search import theorems
from gridlock.search.analysis import analyse
from gridlock.search.backends import backend_of
from gridlock.search.backends.sums import simplest_between
from gridlock.search.batching import batching_of
from gridlock.search.kernel.bits import UNIT
from gridlock.search.settings import Settings
from gridlock.search.solver import Progress, Solver
from gridlock.search.theorems import ALL, Theorem
from tests.conftest import DATA, examples
from tests.oracle import solver as oracle
from tests.strategies import lines_of_play, players, reaches
from tests.toy import DOMINO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gridlock import Position
    from gridlock.rulebooks.placement import Reach
    from gridlock.search.kernel.placement import Placement
    from gridlock.search.kernel.race import Race

WAYS = [ALL, *(ALL & ~theorem for theorem in Theorem), Theorem(0)]
"""All theorems, all but one, and none."""

BOARDS = [
    ("occupation", "3x3"), ("occupation", "2x4"),
    ("duel", "3x3"), ("duel", "2x5"),
    ("claim", "3x3"), ("claim", "2x4"),
    ("trail", "3x3"), ("trail", "2x4"),
    ("race", "2x3"), ("race", "3x3"),
]  # fmt: skip

small_boards = st.sampled_from([Grid(1, 7), Grid(2, 3), Grid(3, 3), Grid(4, 2), Grid(3, 4)])


@st.composite
def small_games(draw: st.DrawFn) -> Game:
    """A rulebook, or any three reaches, on a board that the oracle can solve."""
    grid = draw(small_boards)
    kind = draw(st.sampled_from([*gridlock.RULEBOOKS, "custom", "impartial", "own"]))
    if kind in gridlock.RULEBOOKS:
        return gridlock.game(kind, grid)
    own = draw(reaches)
    opponent = {"custom": draw(reaches), "impartial": own, "own": "cell"}[kind]
    follow = draw(st.none() | reaches) if kind == "custom" else None
    return gridlock.placement(own=own, opponent=opponent, follow=follow, size=str(grid))


@st.composite
def set_up_positions(draw: st.DrawFn) -> Position:
    """A position set up by hand, which no game may lead to: several regions, holes, any marks."""
    game = draw(small_games().filter(lambda game: game.grid.cell_count > 1))
    cells = game.grid.cell_count
    squares = draw(st.lists(st.sampled_from("....##12"), min_size=cells, max_size=cells))
    mover = draw(players)
    detail = "-"
    if game.rulebook.id == "race":
        squares = ["#" if square in "12" else square for square in squares]
        one, two = draw(st.lists(st.integers(0, cells - 1), min_size=2, max_size=2, unique=True))
        assume(one != cells - 1)
        assume(two != 0)
        squares[one], squares[two] = "1", "2"
        detail = draw(st.sampled_from(["move", "block"]))
    rows = ["".join(squares[cell] for cell in row) for row in _rows(game.grid)]
    return game.position(f"{'/'.join(rows)} {mover} {detail}")


small_positions = lines_of_play(small_games()).map(lambda line: line[-1]) | set_up_positions()


def positions_of(game: Game) -> Iterator[Position]:
    """Every position that can be reached."""
    seen: set[Position] = set()
    waiting: list[Position] = [game.start(player) for player in Player]
    while waiting:
        position = waiting.pop()
        if position not in seen:
            seen.add(position)
            yield position
            waiting += [position.play(cell) for cell in position.legal_cells()]


@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_every_position_of_a_small_board_is_solved_as_the_oracle_does(name: str, size: str) -> None:
    game = gridlock.game(name, size)
    solver = Solver(game)
    misere = None if name == "race" else Solver(game, is_misere=True)
    for position in positions_of(game):
        won, distance = oracle.solve(position)
        assert (solver.wins(position), solver.distance(position)) == (won, distance)
        if misere:
            assert misere.wins(position) == oracle.misere_wins(position)
        if name == "duel":
            assert solver.nimber(position) == oracle.grundy(position)


@pytest.mark.parametrize(("name", "size"), BOARDS)
def test_every_position_is_evaluated_among_many_as_alone(name: str, size: str) -> None:
    game = gridlock.game(name, size)
    found = list(positions_of(game))
    batching = batching_of(game)
    words = array("Q", [word for position in found for word in (*batching.words(position), 1)])
    values, distances = Solver(game).evaluate(memoryview(words), distances=True)
    answers = [(value > 0, distance) for value, distance in zip(values, distances, strict=True)]
    assert answers == [oracle.solve(position) for position in found]
    values, distances = Solver(game).evaluate(memoryview(words))
    assert [value > 0 for value in values] == [won for won, _ in answers]
    assert not any(distances)


def test_a_search_of_many_that_is_stopped_answers_nothing() -> None:
    solver = Solver(gridlock.game("occupation", "8x8"), Settings(seconds=0.05))
    words = array("Q", [*batching_of(solver.game).words(solver.game.start().play(0)), 1] * 3)
    for distances in (False, True):
        with pytest.raises(LimitError, match="not solved within 0.05 s"):
            solver.evaluate(memoryview(words), distances=distances)
    with pytest.raises(RulebookError, match="misere"):
        Solver(solver.game, is_misere=True).evaluate(memoryview(words))
    with pytest.raises(SizeError, match="more than 64 cells"):
        Solver(gridlock.game("duel", "9x9")).evaluate(memoryview(words))
    with pytest.raises(RulebookError, match="^games of domino cannot be evaluated many at once$"):
        Solver(Game(DOMINO, Grid(2, 2))).evaluate(memoryview(words))


@pytest.mark.parametrize("use", WAYS, ids=str)
@examples(25)
@given(positions=st.lists(small_positions, min_size=1, max_size=3), threads=st.integers(1, 3))
def test_no_theorem_changes_an_answer(
    use: Theorem, positions: list[Position], threads: int
) -> None:
    for position in positions:
        solver = _eager(Solver(position.game, Settings(memory=1 << 16, threads=threads), use=use))
        won, distance = oracle.solve(position)
        assert solver.wins(position) == won
        cell = solver.winning_cell(position)
        assert (cell is not None) == won
        assert cell is None or oracle.solve_action(position, cell)[0]
        assert solver.distance(position) == distance
        for within in range(distance + 3):
            assert solver.forced(position, within) == (won if within >= distance else None)
        for cell in position.legal_cells():
            assert solver.wins_by(position, cell) == oracle.solve_action(position, cell)[0]
        if isinstance(position, PlacementPosition):
            solver = _eager(
                Solver(position.game, Settings(threads=threads), use=use, is_misere=True)
            )
            assert solver.wins(position) == oracle.misere_wins(position)


TREACHEROUS: list[tuple[Reach | Sequence[Reach], Reach, str]] = [
    # (own reach, opponent reach, position)
    ((0, 1), (0, -1), ".... 1 -"),  # cells that close each other one way only are no clique
    ((0, 2), (0, 1), "..... 1 -"),  # nor is one sure of both, in whatever order they are taken
    ([(-1, 1), (0, 1)], (1, 1), "../.. 1 -"),
    ([(-1, -1), (-1, 1)], "cell", ".1./..1 1 -"),  # a cell that spoils its image
    ("cell", "diagonal", "2./.2/.#/../.#/2. 1 -"),  # and a star beside it
]
"""Positions that a bound gets wrong if it is a little too bold."""


@pytest.mark.parametrize("use", WAYS, ids=str)
@pytest.mark.parametrize(("own", "opponent", "text"), TREACHEROUS)
def test_no_bound_is_too_bold(
    own: Reach | Sequence[Reach], opponent: Reach, text: str, use: Theorem
) -> None:
    rows = text.split(maxsplit=1)[0].split("/")
    game = gridlock.placement(own=own, opponent=opponent, size=f"{len(rows)}x{len(rows[0])}")
    position = game.position(text)
    solver = Solver(game, use=use)
    assert (solver.wins(position), solver.distance(position)) == oracle.solve(position)


def _eager(solver: Solver) -> Solver:
    """Let more threads join after the first node, which they would otherwise find to be over."""
    start = solver.game.start()
    if solver.can_search(start):
        for search in solver._prepare(range(start.game.grid.cell_count)).searches:
            cast("Placement | Race", search).pace = 1
    return solver


@given(small_positions.filter(lambda position: backend_of(position.game).is_impartial))
def test_grundy_values_are_those_of_the_mex(position: Position) -> None:
    assert Solver(position.game).nimber(position) == oracle.grundy(position)


@examples(40)
@given(
    line=lines_of_play(
        st.builds(
            lambda own, size: gridlock.placement(own=own, size=size),
            st.sampled_from(["king", "orthogonal", "diagonal", [(0, 1), (0, -1)]]),
            st.sampled_from(["2x3", "1x6", "3x3", "2x4"]),
        )
    )
)
def test_numbers_are_those_of_an_honest_comparison(line: list[Position]) -> None:
    assert Solver(line[-1].game).number(line[-1]) == oracle.value_of(line[-1])


@given(lines_of_play(), st.data())
def test_symmetry_and_exchange_of_players_change_nothing(
    line: list[Position], data: st.DataObject
) -> None:
    position = line[-1]
    game = position.game
    if not isinstance(position, PlacementPosition) or game.grid.cell_count > 30:
        return
    symmetry = data.draw(st.sampled_from(theorems.symmetries(game)))
    one, two = (theorems.image_of(symmetry, marks) for marks in position.both_marks)
    last = "-" if position.last is None else game.name(symmetry[position.last])
    rows = [
        "".join("1" if two >> cell & 1 else "2" if one >> cell & 1 else "." for cell in row)
        for row in _rows(game.grid)
    ]
    exchanged = game.position(f"{'/'.join(rows)} {position.mover.opponent} {last}")
    solver = Solver(game, use=ALL & ~Theorem.SYMMETRY)
    assert solver.wins(position) == solver.wins(exchanged)
    assert solver.forced(position, 5) == solver.forced(exchanged, 5)


def _rows(grid: Grid) -> list[range]:
    return [range(row * grid.columns, (row + 1) * grid.columns) for row in range(grid.rows)]


PUBLISHED = json.loads((DATA / "published.json").read_text())


@pytest.mark.parametrize(
    ("rows", "values"),
    [
        (1, PUBLISHED["duel 1xn from n=1 (OEIS A002187)"]),
        (2, [n % 2 for n in range(1, 15)]),
        (3, PUBLISHED["duel 3xn from n=1 (OEIS A316632)"]),
        (4, [0] * 10),
    ],
)
def test_published_grundy_values(rows: int, values: list[int]) -> None:
    for columns, value in enumerate(values, start=1):
        for size in (f"{rows}x{columns}", f"{columns}x{rows}"):
            start = gridlock.game("duel", size).start()
            assert Solver(start.game).nimber(start) == value, size
            assert Solver(start.game).wins(start) == (value != 0), size


@pytest.mark.parametrize(
    ("name", "won", "distance", "winning"),
    [
        ("occupation", True, 15, ["3,3"]),
        ("duel", True, 13, ["1,1", "1,5", "3,3", "5,1", "5,5"]),
        ("claim", False, 14, []),
        ("trail", False, 12, []),
        ("race", True, 22, ["0,1", "1,0"]),
    ],
)
def test_known_results_of_the_rulebooks_boards(
    name: str, won: bool, distance: int, winning: list[str]
) -> None:
    game = gridlock.game(name)
    start = game.start()
    solver = Solver(game)
    assert (solver.wins(start), solver.distance(start)) == (won, distance)
    cells = [cell for cell in start.legal_cells() if solver.wins_by(start, cell)]
    assert [game.name(cell) for cell in cells] == winning


@pytest.mark.parametrize(
    ("name", "size", "won"),
    [
        ("claim", "5x6", False),
        ("duel", "6x7", True),
        ("occupation", "6x6", True),
        ("race", "4x5", False),
    ],
)
def test_threads_agree_on_a_search_that_takes_them_all(name: str, size: str, won: bool) -> None:
    start = gridlock.game(name, size).start()
    for threads in (1, 2, 4):
        settings = Settings(threads=threads)
        solver = _eager(Solver(start.game, settings, use=ALL & ~Theorem.MIRROR))
        assert solver.wins(start) is won
        assert len(solver._desks[0].searches) == threads


@pytest.mark.parametrize("size", ["1x64", "64x1", "1x63"])
def test_a_single_line_of_as_many_cells_as_a_search_can_take_is_solved(size: str) -> None:
    start = gridlock.game("duel", size).start()
    values = [0]  # of lines of 0, 1, 2 ... cells: a cell that is taken closes those beside it
    for length in range(1, start.game.grid.cell_count + 1):
        options = {
            values[max(0, cell - 1)] ^ values[max(0, length - cell - 2)] for cell in range(length)
        }
        values.append(min(set(range(length + 1)) - options))
    assert Solver(start.game, use=ALL & ~Theorem.MIRROR).nimber(start) == values[-1]


def test_a_full_table_replaces_and_never_fails() -> None:
    start = gridlock.game("claim", "5x7").start()
    small = Solver(start.game, Settings(memory=1 << 16), use=ALL & ~Theorem.MIRROR)
    assert not small.wins(start)
    assert small.progress.fill > 0.9
    start = gridlock.game("claim", "5x6").start()
    small = Solver(start.game, Settings(memory=1 << 16))
    assert small.distance(start.play(0)) == Solver(start.game).distance(start.play(0))


@pytest.mark.parametrize("rows", [1, 2, 7])
@pytest.mark.parametrize("columns", [1, 2, 7])
def test_values_of_claim_at_the_start_are_zero_or_star(rows: int, columns: int) -> None:
    if rows * columns < 49:
        start = gridlock.game("claim", f"{rows}x{columns}").start()
        number = Solver(start.game).number(start)
        assert number == (Fraction(0), (rows, columns) == (1, 1))


def test_positions_on_large_boards_are_solved_when_few_cells_are_open() -> None:
    blocked = "/".join(["." * 5 + "#" * 15] * 5 + ["#" * 20] * 15)
    large = gridlock.game("occupation", "20x20").position(f"{blocked} 1 -")
    small = gridlock.game("occupation").start()
    solver = Solver(large.game)
    for cell in (large.game.cell("3,3"), large.game.cell("1,1")):
        name = large.game.name(cell)
        expected = Solver(small.game).wins_by(small, small.game.cell(name))
        assert solver.wins_by(large, cell) == expected
    trail = gridlock.game("trail", "20x20").position(f"{blocked} 1 -")
    assert Solver(trail.game, use=ALL & ~Theorem.MATCHING).wins(trail)
    after = trail.play(trail.game.cell("2,2"))
    plain = Solver(trail.game, use=ALL & ~Theorem.MATCHING)
    assert plain.wins(after) == Solver(trail.game).wins(after)


def test_too_many_open_cells_are_refused_unless_a_theorem_answers() -> None:
    for name in ("claim", "race"):
        start = gridlock.game(name, "9x9").start()
        with pytest.raises(SizeError, match="not solved: more than 64 cells are open"):
            Solver(start.game).wins(start)
    even = gridlock.game("duel", "10x10").start()
    assert not Solver(even.game).wins(even)
    with pytest.raises(SizeError):
        Solver(even.game, use=ALL & ~Theorem.MIRROR).wins(even)
    trail = gridlock.game("trail", "9x9").start()
    assert Solver(trail.game).wins(trail)


def test_time_is_a_limit_and_what_was_found_stays() -> None:
    start = gridlock.game("claim", "7x9").start()
    solver = Solver(start.game, Settings(seconds=0.05))
    with pytest.raises(LimitError, match=r"^not solved within 0\.05 s$"):
        solver.wins(start.play(10))
    with pytest.raises(LimitError):
        solver.wins(start.play(11))
    assert solver.progress.nodes > 0


def test_time_is_a_limit_where_only_theorems_can_answer_too() -> None:
    position = gridlock.game("occupation", "30x30").start()
    solver = Solver(position.game)
    with solver.within(0), pytest.raises(LimitError, match="within 0 s"):
        solver.wins(position)
    assert solver.wins(position)


def test_a_time_within_which_to_answer_ends_with_its_block() -> None:
    start = gridlock.game("claim", "7x9").start()
    solver = Solver(start.game)
    message = r"^not solved within 0\.01 s$"
    with pytest.raises(LimitError, match=message), solver.within(0.01), solver.within(100):
        solver.wins(start)
    assert solver.forced(start, 1) is None


def test_whatever_a_watcher_raises_ends_the_search() -> None:
    seen: list[Progress] = []

    def watch(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) == 3:
            raise KeyboardInterrupt

    start = gridlock.game("claim", "7x9").start()
    solver = Solver(start.game, Settings(threads=2), watch=watch)
    with pytest.raises(KeyboardInterrupt):
        solver.wins(start.play(10))
    assert seen[0].nodes < seen[-1].nodes
    assert 0 < seen[-1].fill < 1


def analyse_with(solver: Solver) -> Callable[[Position], object]:
    return lambda position: analyse(position, solver=solver)


def test_questions_that_make_no_sense_are_refused() -> None:
    occupation = gridlock.game("occupation").start().play(0)
    solver = Solver(occupation.game)
    with pytest.raises(RulebookError, match="positions of occupation have no Grundy value"):
        solver.nimber(occupation)
    with pytest.raises(RulebookError, match="positions of occupation are not all numbers"):
        solver.number(occupation)
    race = gridlock.game("race").start()
    with pytest.raises(RulebookError, match="positions of race have no Grundy value"):
        Solver(race.game).nimber(race)
    other = gridlock.game("occupation", "4x4").start()
    for ask in (solver.wins, solver.distance, solver.nimber, solver.number):
        with pytest.raises(RulebookError, match="a solver of <Game occupation 5x5> cannot answer"):
            ask(other)
    with pytest.raises(RulebookError):
        solver.forced(other, 3)
    misere = Solver(occupation.game, is_misere=True)
    questions: list[Callable[[Position], object]] = [
        misere.distance, misere.nimber, misere.number, analyse_with(misere)
    ]  # fmt: skip
    for question in questions:
        with pytest.raises(RulebookError, match="a misere solver tells who wins, and nothing else"):
            question(occupation)


@given(players)
def test_a_board_without_any_cell_left_is_lost(player: Player) -> None:
    over = gridlock.game("duel", "1x1").start(player).play(0)
    assert not Solver(over.game).wins(over)
    assert Solver(over.game, is_misere=True).wins(over)
    assert Solver(over.game).distance(over) == 0


@pytest.mark.parametrize(
    "limits",
    [{"seconds": -1}, {"seconds": float("nan")}, {"memory": 10}, {"threads": 0}],
    ids=str,
)
def test_limits_that_make_no_sense_are_refused(limits: dict[str, float]) -> None:
    with pytest.raises(LimitError):
        Settings(**limits)  # type: ignore[arg-type]


def test_mirroring_answers_for_boards_that_are_too_large_to_search() -> None:
    for size, won in (("9x9", True), ("9x10", True), ("10x10", True)):
        start = gridlock.game("occupation", size).start()
        assert Solver(start.game).wins(start) is won
    assert Solver(even := gridlock.game("claim", "10x10")).number(even.start()) == (
        Fraction(0),
        False,
    )
    assert Solver(even := gridlock.game("duel", "10x10")).nimber(even.start()) == 0
    odd = gridlock.game("duel", "9x9").start()
    assert Solver(odd.game).wins(odd)
    after = odd.play(odd.game.cell("5,5"))
    assert not Solver(odd.game).wins(after)


def test_more_actions_than_any_game_lasts_are_as_good_as_all() -> None:
    start = gridlock.game("claim", "3x3").start()
    solver = Solver(start.game)
    for within in (256, 10**12, 5, 6, -3):
        assert solver.forced(start, within) is (False if within >= 6 else None)


def test_one_solver_answers_several_threads() -> None:
    start = gridlock.game("occupation", "5x6").start()
    solver = Solver(start.game, Settings(memory=1 << 16), use=ALL & ~Theorem.MIRROR)
    expected = {cell: Solver(start.game).wins_by(start, cell) for cell in start.legal_cells()}
    with ThreadPoolExecutor(3) as threads:
        cells = [*expected] * 5
        answers = threads.map(lambda cell: solver.wins_by(start, cell), cells)
        assert list(answers) == [expected[cell] for cell in cells]


def test_a_value_that_is_too_fine_is_said_to_be() -> None:
    with pytest.raises(LimitError, match="not solved: the value is finer than 1/256"):
        simplest_between(0, 1)
    assert simplest_between(0, 2) == 1
    assert simplest_between(-3 * UNIT, -UNIT) == -2 * UNIT


def test_memory_that_cannot_be_had_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr("gridlock.search.memory.mmap.mmap", refuse)
    start = gridlock.game("duel", "6x6").start()
    with pytest.raises(
        LimitError, match=r"not solved: [\d,]+ bytes of memory could not be had \(Cannot"
    ):
        Solver(start.game).wins(start)


def test_the_board_is_packed_anew_when_other_cells_are_open() -> None:
    game = gridlock.game("occupation", "20x20")
    solver = Solver(game)
    for left in (0, 13):
        rows = ["#" * left + "." * 5 + "#" * (15 - left)] * 5 + ["#" * 20] * 15
        position = game.position(f"{'/'.join(rows)} 1 -")
        assert solver.distance(position) == 15


def test_a_watcher_is_asked_even_where_a_theorem_answers() -> None:
    seen: list[Progress] = []
    start = gridlock.game("duel", "10x10").start()
    assert not Solver(start.game, watch=seen.append).wins(start)
    assert seen


class Stopping:
    """A watcher that has its solver stopped, from another thread, as soon as a search goes on."""

    def __init__(self) -> None:
        self.solver: Solver | None = None
        self.nodes = 0
        self._is_searching = threading.Event()
        self._thread = threading.Thread(target=self._stop)
        self._thread.start()

    def __call__(self, progress: Progress) -> None:
        if progress.nodes:
            self._is_searching.set()

    def _stop(self) -> None:
        self._is_searching.wait()
        assert self.solver is not None
        self.solver.stop()
        self.nodes = self.solver.progress.nodes

    def join(self) -> None:
        self._thread.join()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("name", "size", "use", "is_misere", "ask"),
    [
        ("claim", "7x9", ALL & ~Theorem.MIRROR, False, Solver.wins),
        ("claim", "7x9", ALL & ~Theorem.MIRROR, False, Solver.number),
        ("claim", "7x9", ALL & ~Theorem.MIRROR, False, Solver.distance),
        ("duel", "8x8", ALL & ~Theorem.MIRROR & ~Theorem.SYMMETRY, False, Solver.nimber),
        ("race", "7x7", ALL, False, Solver.wins),
        ("race", "7x7", ALL, False, Solver.distance),
        ("trail", "8x8", Theorem.SYMMETRY, False, Solver.wins),
        ("occupation", "8x8", ALL, True, Solver.wins),
    ],
)
def test_a_search_ends_when_it_is_stopped_and_answers_nothing_any_more(
    name: str,
    size: str,
    use: Theorem,
    is_misere: bool,
    ask: Callable[[Solver, Position], object],
    threads: int,
) -> None:
    start = gridlock.game(name, size).start()
    watch = Stopping()
    settings = Settings(memory=1 << 24, threads=threads)
    solver = watch.solver = Solver(start.game, settings, use=use, is_misere=is_misere, watch=watch)
    with pytest.raises(LimitError, match="^stopped$"):
        ask(solver, start)
    watch.join()
    nodes = solver.progress.nodes
    assert nodes - watch.nodes < 10_000  # each level of the search is left at once
    for question in (solver.wins, ask.__get__(solver)):
        with pytest.raises(LimitError, match="^stopped$"):
            question(start)
    assert solver.progress.nodes == nodes
    assert solver.limit == "stopped"


def test_a_stopped_solver_refuses_even_what_a_theorem_answers() -> None:
    for name, size in (("trail", "9x9"), ("occupation", "9x9"), ("duel", "1x1")):
        start = gridlock.game(name, size).start()
        solver = Solver(start.game)
        assert solver.limit is None
        solver.stop()
        solver.stop()
        for ask in (solver.wins, solver.distance, analyse_with(solver)):
            with pytest.raises(LimitError, match="^stopped$"):
                ask(start)


def test_further_watchers_see_only_what_is_asked_for_meanwhile() -> None:
    start = gridlock.game("claim").start()
    first: list[Progress] = []
    second: list[Progress] = []
    solver = Solver(start.game, watch=first.append)
    with solver.watched_by(second.append):
        solver.wins(start)
    assert second == first != []
    seen = len(second)
    solver.wins(start.play(0))
    assert len(second) == seen < len(first)


@pytest.mark.parametrize(
    ("name", "size", "use", "theorem"),
    [
        ("occupation", "5x5", ALL, Theorem.MIRROR),
        ("duel", "10x10", ALL, Theorem.MIRROR),
        ("duel", "9x9", ALL & ~Theorem.MIRROR, None),
        ("claim", "9x9", ALL, None),
        ("trail", "4x4", ALL, Theorem.MATCHING),
        ("trail", "4x4", ALL & ~Theorem.MATCHING, None),
        ("race", "4x4", ALL, None),
    ],
)
def test_the_theorem_that_proves_who_wins_is_named(
    name: str, size: str, use: Theorem, theorem: Theorem | None
) -> None:
    start = gridlock.game(name, size).start()
    assert Solver(start.game, use=use).theorem(start) is theorem
    if name != "race":
        assert Solver(start.game, use=use, is_misere=True).theorem(start) is None
