"""Our engine as a UGI program: by itself, and between a referee and another one."""

from __future__ import annotations

import random
import sys
import threading
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

import gridlock
from gridlock import RULEBOOKS
from gridlock.bridges.ugi import UgiEngine
from gridlock.bridges.ugi_search import scored
from gridlock.engine import Engine
from tests.bridges import referee

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run

COMMAND = [sys.executable, "-m", "gridlock", "ugi"]


class Talk:
    """An engine in this process, and what it has said since somebody asked."""

    def __init__(self, game: str = "duel", size: str | None = "3x3") -> None:
        grid = gridlock.game(game, size).grid if size else None
        self._said: list[str] = []
        self._news = threading.Condition()
        self.engine = UgiEngine(self._hear, RULEBOOKS[game], grid)

    def _hear(self, line: str) -> None:
        with self._news:
            self._said.append(line)
            self._news.notify_all()

    def say(self, *lines: str) -> list[str]:
        """Return what is answered at once."""
        for line in lines:
            self.engine.handle(line)
        with self._news:
            said, self._said = self._said, []
        return said

    def go(self, *lines: str) -> list[str]:
        """Return what is answered up to the best move."""
        for line in lines:
            self.engine.handle(line)
        return self.wait()

    def wait(self) -> list[str]:
        with self._news:
            done = self._news.wait_for(
                lambda: any(line.startswith("bestmove") for line in self._said), 60
            )
            assert done
            said, self._said = self._said, []
        return said


def numbers(line: str) -> dict[str, str]:
    words = line.split()[1:]
    return dict(pairwise(words))


def test_the_handshake_names_the_engine_and_its_options() -> None:
    said = Talk().say("ugi", "isready")
    assert said[0] == f"id name GridLock {gridlock.__version__}"
    assert said[1].startswith("id author ")
    assert said[-2:] == ["ugiok", "readyok"]
    names = [line.split()[2] for line in said[2:-2]]
    assert names == ["Game", "Size", "Rules", "Level", "Threads", "Hash"]


def test_queries_are_answered_for_the_position() -> None:
    talk = Talk("duel", "2x2")
    asked = ("query p1turn", "query gameover", "query result")
    assert talk.say("position startpos", *asked) == [
        "response true", "response false", "response none",
    ]  # fmt: skip
    assert talk.say("moves 1,1", *asked) == ["response false", "response false", "response none"]
    assert talk.say("moves 2,2", *asked) == ["response true", "response true", "response p2win"]
    assert talk.say("position fen 1../.../... 2 - moves 3,3", *asked)[0] == "response true"


def test_a_turn_of_race_is_two_moves_of_the_same_player() -> None:
    talk = Talk("race", None)
    assert talk.say("position startpos moves 0,1", "query p1turn") == ["response true"]
    assert talk.say("moves 1,0", "query p1turn") == ["response false"]
    assert talk.say("position startpos moves 0,1/1,0", "query p1turn") == ["response false"]


def test_the_best_move_is_said_after_how_it_was_found() -> None:
    *_, info, best = Talk("duel", "3x3").go("go movetime 500")
    told = numbers(info)
    assert int(told["nodes"]) >= 0
    assert {"nps", "time"} <= set(told)
    assert (told["score"], told["mate"], told["pv"]) == ("mate", "5", best.split()[1])
    assert best.split()[1] in ("1,1", "1,3", "2,2", "3,1", "3,3")  # by the rules: an odd number


def test_a_lost_position_has_a_negative_distance() -> None:
    *_, info, _ = Talk("duel", "2x2").go("go movetime 500")
    assert numbers(info)["mate"] == "-2"


def test_an_estimate_is_told_in_centipoints() -> None:
    *_, info, best = Talk("occupation", "10x10").go("go nodes 200")
    told = numbers(info)
    assert int(told["nodes"]) == 200
    assert told["score"] == "cp"
    assert -700 < int(told["cp"]) < 700
    assert best.split()[1] == told["pv"]


def test_a_depth_finds_what_is_near_and_says_how_near() -> None:
    talk = Talk("trail", "1x4")
    *_, info, best = talk.go("position startpos moves 1,2", "go depth 1")
    assert (best, numbers(info)["mate"]) == ("bestmove 1,1", "1")
    *_, info, _ = Talk("occupation", "10x10").go("go depth 1")
    assert numbers(info)["score"] == "cp"


@pytest.mark.parametrize("level", [1, 3, 8])
@pytest.mark.parametrize(
    "how", ["go", "go movetime 20", "go p1time 300 p2time 300 p1inc 0 p2inc 0", "go nodes 20"]
)
def test_every_level_answers_within_every_limit(level: int, how: str) -> None:
    talk = Talk("claim", "4x4")
    *_, best = talk.go(f"setoption name level value {level}", "position startpos moves 0,0", how)
    cell = gridlock.game("claim", "4x4").cell(best.removeprefix("bestmove "))
    assert gridlock.game("claim", "4x4").start().play(0).is_legal(cell)


def test_an_endless_search_ends_when_it_is_told_to() -> None:
    talk = Talk("claim", "9x9")
    talk.say("go infinite")
    assert talk.say("isready") == ["readyok"]
    assert talk.say("position startpos", "go", "query result", "setoption name Hash value 1") == [
        f"info string {name} is not for a search under way: send stop first"
        for name in ("position", "go", "query", "setoption")
    ]
    assert talk.go("stop")[-1].startswith("bestmove ")
    assert talk.say("query result") == ["response none"]


def test_an_endless_search_ends_by_itself_when_all_is_known() -> None:
    *_, info, best = Talk("duel", "3x3").go("go infinite")
    assert numbers(info)["mate"] == "5"
    line = info.split(" pv ")[1].split()
    assert best == f"bestmove {line[0]}"
    assert sorted(line) == ["1,1", "1,3", "2,2", "3,1", "3,3"]


def test_a_stop_right_after_the_start_is_heard() -> None:
    talk = Talk("race", "8x8")
    for _ in range(5):
        assert talk.go("go infinite", "stop")[-1].startswith("bestmove ")
    assert talk.say("stop") == []  # nothing is under way


def test_quitting_ends_a_search_with_its_answer() -> None:
    said: list[str] = []
    UgiEngine(said.append, RULEBOOKS["claim"]).run(["go infinite", "quit", "ugi"])
    assert said[-1].startswith("bestmove ")
    said.clear()
    UgiEngine(said.append, RULEBOOKS["claim"]).run(["go infinite"])  # the end of the input
    assert said[-1].startswith("bestmove ")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("positon", "there is no command 'positon': did you mean position?"),
        ("\x07", "there is no command '\\x07'"),
        ("position", "write position startpos or position fen TEXT, then moves CELLS"),
        ("position fen nonsense", "the position 'nonsense' is not rows, mover and a last field,"),
        ("position startpos moves 9,9", "move 1: '9,9' is outside the board:"),
        ("position startpos moves 1,1 1,2", "move 2 is illegal:"),
        ("go sideways 3", "'sideways 3' is no limit: write go with movetime, depth, nodes,"),
        ("go movetime", "'movetime ' is no limit"),
        ("go depth -1", "'depth -1' is no limit"),
        ("query weather", "query one of p1turn, gameover, result, not 'weather'"),
        ("setoption name Size", "write setoption name NAME value VALUE"),
        ("setoption name Colour value red", "there is no option 'Colour', only Game, Size, Rules,"),
        ("setoption name Level value 9", "Level is a number from 1 to 8, not '9'"),
        ("setoption name Game value chess", "there is no game 'chess'"),
        ("setoption name Size value 0x3", "the size '0x3' is not possible"),
        ("setoption name Rules value nowhere.toml", "cannot read 'nowhere.toml'"),
    ],
)
def test_nonsense_is_explained_and_changes_nothing(line: str, text: str) -> None:
    talk = Talk()
    (said,) = talk.say(line)
    assert said.startswith(f"info string {text}"), said
    assert talk.say("query p1turn", "isready") == ["response true", "readyok"]


def test_an_empty_line_is_nothing() -> None:
    assert Talk().say("", "   \n") == []


def test_a_finished_game_cannot_be_searched() -> None:
    talk = Talk("duel", "1x1")
    assert talk.say("moves 1,1", "go") == [
        "info string the game is over: there is nothing to search"
    ]


def test_options_hold_in_any_order_and_case() -> None:
    for lines in (
        ("setoption name size value 2x5", "setoption name GAME value trail"),
        ("setoption name GAME value trail", "setoption name size value 2x5"),
    ):
        talk = Talk("duel", None)
        assert talk.say(*lines, "position startpos moves 2,5 1,5", "query p1turn") == [
            "response true"
        ]
    talk.say("setoption name Size value own", "position startpos moves 4,4")
    assert talk.say("moves 5,4")[0].startswith("info string move 1: '5,4' is outside the board")


def test_a_board_that_the_game_cannot_have_is_refused_and_the_old_one_stays() -> None:
    talk = Talk("race", None)
    (said,) = talk.say("setoption name Size value 1x1")
    assert said == "info string race needs a board of at least 2 cells, not 1x1"
    assert talk.say("position startpos moves 3,2", "query p1turn")[-1] == "response true"


def test_a_rule_file_is_a_game_too(tmp_path: Path) -> None:
    file = tmp_path / "wide apart.toml"
    file.write_text('own = "king"\nopponent = "king"\nsize = "3x3"\ncounting = 1\n')
    talk = Talk()
    talk.say(f"setoption name Rules value {file}", "position startpos moves 2,2")
    assert talk.say("query result") == ["response p1win"]


def test_a_new_game_forgets_the_position_before() -> None:
    talk = Talk("duel", "1x1")
    assert talk.say("moves 1,1", "uginewgame", "query gameover") == ["response false"]


def test_a_bug_does_not_end_the_engine(monkeypatch: pytest.MonkeyPatch, games_folder: Path) -> None:
    def fail(*_: object, **__: object) -> int:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(Engine, "choose", fail)
    talk = Talk()
    said = talk.go("go")
    assert said[0].startswith("info string a bug in gridlock: ZeroDivisionError: oh")
    assert said[-1] == "bestmove 1,1"
    assert talk.say("isready") == ["readyok"]


def test_the_command_reads_its_input(run: Run) -> None:
    result = run("ugi", "race", typed="position startpos moves 0,1\nquery p1turn\n")
    assert (result.code, result.out, result.err) == (0, "response true\n", "")
    assert run("ugi", "--json").code == 2


def play_all(boards: list[tuple[str, int, int]], how: str) -> None:
    with referee.Engine(COMMAND) as one, referee.Engine(COMMAND) as two:
        for game, rows, columns in boards:
            referee.play((one, two), game, rows, columns, how)


def test_two_engines_play_whole_games_under_a_strangers_eyes() -> None:
    rng = random.Random(7)
    boards = [(game, rng.randint(1, 6), rng.randint(2, 6)) for game in RULEBOOKS for _ in range(2)]
    play_all(boards, "nodes 10")


@pytest.mark.long
def test_two_engines_play_every_game_on_every_board_up_to_ten_by_ten() -> None:
    play_all(
        [
            (game, rows, columns)
            for game in RULEBOOKS
            for rows in range(1, 11)
            for columns in range(1, 11)
            if (game, rows, columns) != ("race", 1, 1)
        ],
        "nodes 10",
    )


def test_an_endless_search_looks_again_and_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridlock.bridges.ugi_search._FIRST_LOOK", 0.01)
    looks: list[float | None] = []
    talk = Talk("claim", "9x9")
    analyse = Engine.analyse

    def look(*arguments: object, limit: gridlock.Limit, **options: object) -> gridlock.Analysis:
        looks.append(limit.seconds)
        if len(looks) == 3:
            talk.say("stop")
        return analyse(*arguments, limit=limit, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Engine, "analyse", look)
    assert talk.go("go infinite")[-1].startswith("bestmove ")
    assert looks == [0.01, 0.02, 0.04]


def test_a_win_of_unknown_length_has_a_score_of_its_own() -> None:
    won = gridlock.Action(0, gridlock.Value.WIN, None, (0,))
    assert list(scored(won)) == ["score cp 10000"]
    lost = gridlock.Action(0, gridlock.Value.LOSS, None, (0,))
    assert list(scored(lost)) == ["score cp -10000"]
    assert list(scored(gridlock.Action(0, gridlock.Value.UNKNOWN, None, (0,)))) == []


def test_nobody_who_listens_is_no_failure() -> None:
    def fail(_: str) -> None:
        raise BrokenPipeError

    UgiEngine(fail, RULEBOOKS["duel"]).run(["ugi", "go infinite", "xyzzy", "quit now"])
