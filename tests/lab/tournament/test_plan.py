from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import gridlock
from gridlock.errors import GridlockError, NotationError, StoreError
from gridlock.lab.tournament.plan import Plan, build, read_entrant, read_keys, shipped

if TYPE_CHECKING:
    from pathlib import Path


def plan(**keys: Any) -> Plan:
    return build({"players": ["a=random", "b=random"], **keys})


def test_a_player_may_have_a_label() -> None:
    assert (read_entrant("random").label, read_entrant("random").who) == ("random", "random")
    entrant = read_entrant("my bot=engine:python3 bot.py --depth=3")
    assert (entrant.label, entrant.who) == ("my bot", "engine:python3 bot.py --depth=3")
    entrant = read_entrant("engine:python3 bot.py --depth=3")
    assert entrant.label == "engine:python3 bot.py --depth=3"


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ({"players": ["random"]}, "a tournament needs two players at least"),
        ({"players": []}, "a tournament needs two players at least"),
        ({"players": "random"}, "players is a list of names"),
        ({"players": ["random", "random"]}, "two players are called 'random': write LABEL=PLAYER"),
        ({"players": ["random", "robot"]}, "there is no player 'robot'"),
        ({"players": ["random", "human"]}, "'human' cannot play in a tournament: name a program"),
        ({"players": ["random", "a=human:Ann"]}, "'human:Ann' cannot play in a tournament"),
        ({"players": ["random", "computer:auto"]}, "'computer:auto' cannot play"),
        ({"players": ["a=random", "b=random", "c=random"], "format": "match"}, "between two"),
        ({"players": ["a=random", "b=random", "c=random"], "sprt": "0,5"}, "sprt is for two"),
        ({"format": "knock-out"}, "format is round-robin, gauntlet, swiss, match, not 'knock-out'"),
        ({"rounds": 0}, "rounds is from 1 to 100,000, not 0"),
        ({"rounds": "many"}, "rounds cannot be 'many'"),
        ({"rounds": True}, "rounds cannot be 'True'"),
        ({"concurrency": 1000}, "concurrency is from 1 to 256, not 1000"),
        ({"seconds": -1}, "seconds cannot be -1"),
        ({"quality": float("inf")}, "quality cannot be inf"),
        ({"clock": "soon"}, "clock is seconds for a game and for each turn, such as 10\\+0.1"),
        ({"clock": "0+1"}, "clock is seconds for a game"),
        ({"clock": "10", "nodes": 5}, "name a clock, seconds per turn or nodes: one of them"),
        ({"sprt": "5,0"}, "5 is not less than 0"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"size": "0x0"}, "the size '0x0' is not possible"),
        ({"colour": "red"}, "there is no key 'colour', only players, game, size,"),
    ],
)
def test_nonsense_is_refused(keys: dict[str, Any], text: str) -> None:
    with pytest.raises(GridlockError, match=text):
        plan(**keys)


def test_limits_are_for_every_action() -> None:
    assert plan().limit() is None
    assert plan(seconds=0.5).limit() == gridlock.Limit(seconds=0.5)
    assert plan(nodes=100).limit() == gridlock.Limit(nodes=100)
    clock = plan(clock="10+0.5").new_clock()
    assert clock
    assert (clock.left, clock.increment) == ([10_000, 10_000], 500)


def test_a_plan_survives_being_written() -> None:
    made = plan(rounds=3, clock="10", sprt="0,5")
    assert build(made.as_keys()) == made


def test_a_file_finds_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('own = "king"\nsize = "3x3"\n')
    (tmp_path / "openings.txt").write_text("1,1\n")
    file = tmp_path / "cup.toml"
    file.write_text(
        'players = ["random", "a=random"]\ngame = "own.toml"\nopenings="openings.txt"\n'
    )
    made = build(read_keys(file))
    assert str(made.board()) == "<Game own 3x3>"
    assert made.openings == str(tmp_path / "openings.txt")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    with pytest.raises(StoreError, match="cup.toml"):
        read_keys(file)
    file.write_text("players = [")
    with pytest.raises(GridlockError, match="cup.toml is not TOML"):
        read_keys(file)


def test_the_ladder_of_the_levels_comes_along() -> None:
    file = shipped("ladder")
    assert file
    ladder = build(read_keys(file))
    assert [entrant.who for entrant in ladder.entrants()] == [
        "random", *(f"computer:{level}" for level in range(1, 9)),
    ]  # fmt: skip
    assert shipped("../plans/ladder") is None
    assert shipped("nothing") is None


def test_an_engine_that_is_not_there_is_refused() -> None:
    with pytest.raises(NotationError, match="there is no program 'nowhere'"):
        plan(players=["random", "engine:nowhere"])
