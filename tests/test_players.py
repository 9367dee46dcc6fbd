from __future__ import annotations

import random
from collections import Counter
from importlib.metadata import EntryPoint, EntryPoints
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock import Engine, NotationError, players
from gridlock.players import Bot, Seat, bot_of, check_name, check_seat, make, names, register

if TYPE_CHECKING:
    from gridlock.clock import Clock
    from gridlock.model import Position


class First(Bot):
    """Always takes the first legal cell."""

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        return position.legal_cells()[0]


def make_first(argument: str, seat: Seat) -> Bot:
    if argument not in ("", "please"):
        raise NotationError("a first player wants to be asked nicely")
    return First()


def test_a_random_player_chooses_every_legal_cell_alike() -> None:
    game = gridlock.game("duel", "2x3")
    position = game.start().play(0)
    player = make("random", Seat(random.Random(1)))
    chosen = Counter(player.choose(position) for _ in range(300))
    assert set(chosen) == set(position.legal_cells())
    assert min(chosen.values()) > 50


def test_every_other_name_is_a_persons() -> None:
    for who in ("human", "Ann", "computer:9", "random:3", "Computer"):
        assert bot_of(who, Seat()) is None
    assert bot_of("computer", Seat()) is not None


def test_the_computer_thinks_with_the_engine_of_its_seat() -> None:
    game = gridlock.game("race")
    engine = Engine(game)
    player = make("computer:8", Seat(engine=engine))
    player.choose(game.start())
    assert engine.progress.nodes
    player.choose(gridlock.game("duel", "2x2").start())  # of another game: by one of its own


@pytest.mark.parametrize(
    ("who", "text"),
    [
        ("robot", "no player 'robot': choose human, computer, computer:1 to computer:8, random"),
        ("computr", r"did you mean computer\?"),
        ("computer:9", "no player 'computer:9': choose human, computer, computer:1 to"),
        ("random:1", "no player 'random:1': choose human,"),
    ],
)
def test_who_cannot_be_made_is_refused(who: str, text: str) -> None:
    with pytest.raises(NotationError, match=text):
        check_name(who)


def test_names_are_read_in_any_case() -> None:
    assert [check_name(who) for who in ("Human", " RANDOM", "Computer:3")] == [
        "human", "random", "computer:3",
    ]  # fmt: skip
    assert check_seat(" COMPUTER:auto") == "computer:auto"


def test_a_person_may_have_a_name() -> None:
    assert check_name("Human: Anna  Bell") == "Anna Bell"
    for who in ("human:", "human:random", "human:" + 21 * "x"):
        with pytest.raises(NotationError):
            check_name(who)


def test_a_kind_of_players_can_be_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "_MAKERS", dict(players._MAKERS))
    register("first", make_first)
    assert "first" in names()
    assert check_name("first:please") == "first:please"
    assert make("first").choose(gridlock.game("duel").start()) == 0
    with pytest.raises(NotationError, match="asked nicely"):
        check_name("first:now")
    for taken in ("first", "human", "random", "a b"):
        with pytest.raises(NotationError, match="cannot be the name of a kind"):
            register(taken, make_first)


def test_other_distributions_can_plug_players_in(monkeypatch: pytest.MonkeyPatch) -> None:
    group = "gridlock.players"
    points = EntryPoints(
        [
            EntryPoint("first", f"{__name__}:make_first", group),
            EntryPoint("broken", f"{__name__}:make_nothing", group),
        ]
    )
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points.select(group=group))
    players._plugged_in.cache_clear()
    try:
        assert {"first", "broken"} <= set(names())
        assert isinstance(make("first"), First)
        with pytest.raises(NotationError, match="cannot be loaded: module .* has no attribute"):
            make("broken")
    finally:
        players._plugged_in.cache_clear()


def test_programs_are_told_from_people_by_their_names() -> None:
    assert all(map(players.is_program, ("computer", "computer:3", "random")))
    assert not any(map(players.is_program, ("human", "Ann", "Computers", "?")))


def test_the_level_of_a_computer_is_in_its_name() -> None:
    levels = {"computer": 8, "computer:1": 1, "computer:9": None, "random": None, "Ann": None}
    assert {who: players.level_of(who) for who in levels} == levels


def test_the_name_of_a_person_is_tidied_and_no_programs() -> None:
    assert players.check_person("  Anna   Maria ") == "Anna Maria"
    assert players.check_person("") == ""
    for name, reason in (
        ("Computer", "is what a program is called"),
        ("random:1", "is what a program is called"),
        ("A" * 21, "is longer than 20 characters"),
        ("\0", "has characters in it that cannot be shown"),
    ):
        with pytest.raises(NotationError, match=reason):
            players.check_person(name)
