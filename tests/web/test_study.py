"""Questions about positions: answered as more is known, and ended when whoever asked has gone."""

from __future__ import annotations

import asyncio
import re
import threading
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import pytest

from gridlock import engine
from gridlock.model import Player
from gridlock.record import Record
from gridlock.rulebooks import catalogue
from gridlock.search.analysis import Action, Analysis, Value
from gridlock.search.backends.base import Backend
from gridlock.search.report import report_review
from gridlock.web import exchange, study
from gridlock.web import rooms as rooms_module
from gridlock.web.config import SearchLimits
from gridlock.web.event import Act, Command
from gridlock.web.room import Room
from gridlock.web.searches import Searches
from gridlock.web.settings import Opponent
from tests.web.inside import calling, serving
from tests.web.rooms import settings
from tests.web.services import (
    PATIENCE,
    Server,
    asking,
    bearer,
    check_problem,
    configured,
    finished_room,
    make_room,
    until,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from gridlock.model import Position
    from gridlock.search.review import Review
    from tests.web.services import Json

HARD = {"game": "occupation", "size": "8x8"}
STREAM = "/api/analysis/stream"

LARGEST = "100x100"
LARGEST_ANSWER = 1_200_000  # bytes: some 100 for each cell
LARGEST_EVENT = 200_000  # bytes
_ROUNDS = 6


def lines_of(text: str) -> list[Json]:
    assert text.endswith("\n")
    return [msgspec.json.decode(line) for line in text.splitlines()]


def test_an_analysis_is_streamed_until_it_is_complete(server: Server) -> None:
    asked = {"game": "occupation", "moves": "3,3"}
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        streamed = client.get(STREAM, params=asked)
        whole = client.get("/api/analysis", params=asked).json()
    assert streamed.headers["content-type"] == "application/x-ndjson"
    assert streamed.headers["cache-control"] == "no-store"
    assert streamed.headers["x-accel-buffering"] == "no"
    assert "content-encoding" not in streamed.headers
    first, *_, last = lines_of(streamed.text)
    assert not first["complete"]
    assert first["board"] == whole["board"]
    assert {action["cell"] for action in first["actions"]} == set(first["board"]["legal"])
    assert first["sentence"] == "Who wins is not known yet."
    assert last == whole
    assert whole["complete"]


def test_the_first_line_comes_before_anything_is_known(server: Server) -> None:
    async def scenario() -> None:
        async with asking(server) as client, client.stream("GET", STREAM, params=HARD) as answer:
            async for line in answer.aiter_lines():
                first = msgspec.json.decode(line)
                break
        assert (first["value"], first["complete"]) == ("unknown", False)
        assert all(action["line"] == [] for action in first["actions"])

    asyncio.run(scenario())


def test_a_game_that_is_over_needs_one_line(server: Server) -> None:
    over = {"game": "trail", "size": "1x1", "moves": "1,1"}
    (only,) = lines_of(httpx.get(server.url + STREAM, params=over).text)
    assert (only["winner"], only["complete"]) == (1, True)


@pytest.mark.parametrize(("phase", "begun"), [("move", 0), ("block", 1)])
def test_an_analysis_tells_how_far_the_first_turn_was(
    server: Server, phase: str, begun: int
) -> None:
    asked = {"game": "race", "size": "2x2", "position": f"1./.2 1 {phase}"}
    assert httpx.get(f"{server.url}/api/analysis", params=asked).json()["begun"] == begun


def test_what_cannot_be_streamed_is_refused_before_the_first_line(server: Server) -> None:
    check_problem(httpx.get(server.url + STREAM, params={"game": "chess"}), 400, "unknown-game")
    unplayable = {"game": "duel", "moves": "3,3 3,3"}
    check_problem(httpx.get(server.url + STREAM, params=unplayable), 400, "record")


def test_a_review_is_streamed_until_it_is_complete(server: Server) -> None:
    path = f"/api/rooms/{finished_room(server)}/review"
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        streamed = client.get(f"{path}/stream")
        whole = client.get(path).json()
        check_problem(client.get(f"{path}/stream?number=2"), 409, "unfinished")
        check_problem(client.get("/api/rooms/none/review/stream"), 404, "room")
        going_on = client.post("/api/rooms", json={"game": "duel", "opponent": "self"}).json()
        playing = f"/api/rooms/{going_on['state']['room']}/review/stream"
        check_problem(client.get(playing), 409, "unfinished")
    assert streamed.headers["content-type"] == "application/x-ndjson"
    assert "content-encoding" not in streamed.headers
    first, *_, last = lines_of(streamed.text)
    assert not first["complete"]
    assert first["summary"] == ["", ""]
    assert {action["before"] for action in first["actions"]} == {"unknown"}
    assert [action["cell"] for action in first["actions"]] == [
        action["cell"] for action in last["actions"]
    ]
    assert last == whole
    assert (whole["complete"], whole["limit"]) == (True, None)


@pytest.mark.parametrize("asked", ["analysis", "review"])
def test_what_a_search_has_found_is_sent_while_it_goes_on(
    monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    """The search does not end before its news have arrived."""
    has_arrived = threading.Event()
    name = "analyse" if asked == "analysis" else "review"
    search = getattr(engine.Engine, name)

    def told(asked: engine.Engine, *arguments: Any, on_progress: Any) -> Any:
        found = search(asked, *arguments)
        on_progress(replace(asked.progress, found=found))
        assert has_arrived.wait(PATIENCE)
        return found

    monkeypatch.setattr(engine.Engine, name, told)
    game = catalogue.game("trail", "1x2")
    read = partial(study.read_question, "trail", "1x2", 1, None, None)
    record = Record(game, Player.ONE, (0, 1), result=Player.TWO)

    async def scenario() -> list[Json]:
        searches = Searches(SearchLimits(1))
        lines = (
            study.stream_analysis(searches, "a", read)
            if asked == "analysis"
            else study.stream_review(searches, "a", record)
        )
        try:
            first, news = await anext(lines), await anext(lines)
            has_arrived.set()
            return [msgspec.json.decode(line) for line in (first, news, await anext(lines))]
        finally:
            searches.close()

    first, news, last = asyncio.run(scenario())
    assert [line["complete"] for line in (first, news, last)] == [False, False, True]
    assert first["actions"] != news["actions"] == last["actions"]


def estimated(position: Position, chance: float, limit: str | None = None) -> Analysis:
    """Return an analysis in which nothing is known but that the first cell is so likely to win."""
    actions = (
        Action(cell, Value.UNKNOWN, None, (cell,), chance / (1 + place))
        for place, cell in enumerate(position.legal_cells())
    )
    return Analysis(position, Value.UNKNOWN, None, tuple(actions), limit)


def test_what_is_not_solved_is_estimated_apart_from_what_is(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path, 0.1) as (app, _), calling(app) as client:
            asked = {"game": "duel", "size": "11x11"}
            answer = (await client.get("/api/analysis", params=asked)).json()
            best, *others = answer["actions"]
            assert (best["cell"], best["value"], best["estimate"]) == ("6,6", "win", None)
            assert answer["estimate"] is None
            for action in others:
                assert action["value"] == "unknown"
                assert 0 <= action["estimate"] <= 1
                assert re.fullmatch(r"~\d\d?", action["label"])
            chances = [action["estimate"] for action in others]
            assert chances == sorted(chances, reverse=True)
            *_, last = lines_of((await client.get(STREAM, params={**asked, "moves": "1,1"})).text)
            assert (last["value"], last["estimate"]) == ("unknown", last["actions"][0]["estimate"])

    asyncio.run(scenario())


def test_better_estimates_are_told_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Semaphore(0)

    def analyse(asked: engine.Engine, position: Position, *, on_progress: Any) -> Analysis:
        for chance in (0.4, 0.5004):
            on_progress(replace(asked.progress, found=estimated(position, chance)))
            assert may_go_on.acquire(timeout=PATIENCE)
        return estimated(position, 0.6, "not solved within 5 s")

    monkeypatch.setattr(engine.Engine, "analyse", analyse)
    read = partial(study.read_question, "duel", "2x1", 1, None, None)

    async def scenario() -> list[Json]:
        searches = Searches(SearchLimits(1))
        lines = study.stream_analysis(searches, "a", read)
        told = []
        try:
            async for line in lines:
                told.append(msgspec.json.decode(line))
                if len(told) > 1:
                    may_go_on.release()
        finally:
            may_go_on.release(9)
            searches.close()
        return told

    told = asyncio.run(scenario())
    assert [line["estimate"] for line in told] == [None, 0.4, 0.5, 0.6]
    assert [line["actions"][0]["label"] for line in told] == ["?", "~40", "~50", "~60"]
    assert [line["actions"][1]["estimate"] for line in told] == [None, 0.2, 0.25, 0.3]
    assert [line["complete"] for line in told] == [False, False, False, True]


@pytest.mark.parametrize(("value", "told"), [(Value.UNKNOWN, 0.123), (Value.WIN, None)])
def test_a_hint_tells_how_likely_it_wins_unless_that_is_known(
    monkeypatch: pytest.MonkeyPatch, value: Value, told: float | None
) -> None:
    start = catalogue.game("duel", "1x2").start()
    chance = 0.12345 if value is Value.UNKNOWN else None
    action = Action(1, value, None, (1,), chance)
    hint = engine.Hint(1, "looks best", Analysis(start, value, None, (action,)))
    monkeypatch.setattr(engine.Engine, "hint", lambda *_: hint)

    async def scenario() -> exchange.Hint:
        searches = Searches(SearchLimits(1))
        try:
            return await study.answer_hint(searches, "a", start)
        finally:
            searches.close()

    assert asyncio.run(scenario()) == exchange.Hint("1,2", "1,2 looks best", told)


def review_with(monkeypatch: pytest.MonkeyPatch, *estimates: Json) -> list[Json]:
    """Return the actions of a short game's review, of which a search has found out some more."""

    def report(reviewed: Review) -> Json:
        found = report_review(reviewed)
        for action, more in zip(found["actions"], estimates, strict=False):
            action.update(more)
        return found

    monkeypatch.setattr(study, "report_review", report)
    record = Record(catalogue.game("race", "2x3"), Player.ONE, (1, 2, 4), result=Player.TWO)

    async def scenario() -> list[Json]:
        searches = Searches(SearchLimits(1))
        try:
            answer = await study.answer_review(searches, "a", record)
        finally:
            searches.close()
        return list(msgspec.json.decode(answer)["actions"])

    return asyncio.run(scenario())


def test_a_review_tells_what_was_probably_a_mistake_apart_from_mistakes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = review_with(monkeypatch)
    assert all(
        (action["estimate_before"], action["estimate_after"], action["doubtful"])
        == (None, None, False)
        for action in plain
    )
    assert any(action["mistake"] for action in plain)
    guess: Json = {"before": "unknown", "after": "unknown", "mistake": False, "doubtful": True}
    guess |= {"estimate_before": 0.714, "estimate_after": 0.38}
    step, _, last = review_with(monkeypatch, guess, {}, {**guess, "estimate_after": None})
    assert (step["estimate_before"], step["estimate_after"]) == (0.714, 0.38)
    assert (step["doubtful"], step["mistake"]) == (True, False)
    assert (
        step["fault"]
        == step["text"]
        == (
            "Move 1: P1 probably made a mistake by moving to 0,1: "
            "the chance of winning, as estimated, fell from about 71 to 38 per cent."
        )
    )
    assert last["fault"] == "Move 2: P2 probably made a mistake by moving to 1,1."


def test_a_mistake_is_a_fact_though_it_was_probable_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = review_with(monkeypatch)
    again = review_with(monkeypatch, *({"doubtful": True} for _ in plain))
    for before, after in zip(plain, again, strict=True):
        if before["mistake"]:
            assert (after["fault"], after["text"]) == (before["fault"], before["text"])


def test_a_review_that_runs_out_of_time_is_complete_and_says_so(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path, 0.1) as (app, _), calling(app) as client:
            _, finished = await find_hard_game(app)
            path = f"/api/rooms/{finished['state']['room']}/review/stream"
            *_, last = lines_of((await client.get(path)).text)
            assert last["complete"]
            assert last["limit"]
            assert "1 move could" in last["summary"][0]

    asyncio.run(scenario())


class Visit:
    """A request to an app in this process, whose client can go at any time."""

    def __init__(self, app: Any, method: str, path: str, query: str, token: str | None) -> None:
        self.sent: list[Json] = []
        self._messages: asyncio.Queue[Json] = asyncio.Queue()
        self._messages.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        headers += [(k.lower().encode(), v.encode()) for k, v in bearer(token).items()]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http",
            "server": ("localhost", 80),
            "client": ("127.0.0.1", 1),
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": headers,
        }
        self._task = asyncio.create_task(app(scope, self._messages.get, self._send))

    async def _send(self, message: Json) -> None:
        self.sent.append(message)

    async def leave(self) -> None:
        """Close the connection, and wait until the app has noticed."""
        self._messages.put_nowait({"type": "http.disconnect"})
        async with asyncio.timeout(PATIENCE):
            await self._task


async def find_hard_game(app: Any) -> tuple[Json, Json]:
    """Return a room whose hint, and one whose review, takes for ever."""
    async with calling(app) as client:
        playing = await make_room(client, **HARD, opponent="self")
        finished = await make_room(client, **HARD, opponent="self")
        path = f"/api/rooms/{finished['state']['room']}/actions"
        for ply, command in enumerate(({"do": "play", "cell": "1,1"}, {"do": "resign"})):
            act = {"id": f"{ply}", "ply": ply, **command}
            answer = await client.post(path, json=act, headers=bearer(finished["token"]))
            answer.raise_for_status()
    return playing, finished


@pytest.mark.parametrize("asked", ["analysis", "stream", "hint", "review", "review stream"])
def test_a_search_ends_when_whoever_asked_has_gone(tmp_path: Path, asked: str) -> None:
    """Nothing else ends these searches, whether they run or wait for a thread."""

    async def scenario() -> None:
        async with serving(tmp_path, 1e6) as (app, searches):
            playing, finished = await find_hard_game(app)
            query = "game=occupation&size=8x8"
            method, path, query, token = {
                "analysis": ("GET", "/api/analysis", query, None),
                "stream": ("GET", STREAM, query, None),
                "hint": (
                    "POST",
                    f"/api/rooms/{playing['state']['room']}/hint",
                    "",
                    playing["token"],
                ),
                "review": ("GET", f"/api/rooms/{finished['state']['room']}/review", "", None),
                "review stream": (
                    "GET",
                    f"/api/rooms/{finished['state']['room']}/review/stream",
                    "",
                    None,
                ),
            }[asked]
            runs, waits = (Visit(app, method, path, query, token) for _ in range(2))
            await until(lambda: searches._running and searches._waiting)
            if "stream" in asked:
                await until(lambda: len(runs.sent) > 1)
            await waits.leave()
            await until(lambda: not searches._waiting)
            assert searches._running
            await runs.leave()
            await until(lambda: not searches._running)

    asyncio.run(scenario())


@pytest.mark.parametrize(("game", "moves"), [("occupation", "1,1"), ("duel", "1,1"), ("race", "")])
def test_estimates_of_the_largest_board_keep_within_limits_and_end_when_nobody_waits(
    monkeypatch: pytest.MonkeyPatch, game: str, moves: str
) -> None:
    """One thread for everybody: what is not ended would keep the next one waiting for ever."""
    made: list[int] = []
    backends: list[Any] = [Backend, *Backend.__subclasses__()]
    for backend in backends:

        def watched(self: Backend, *asked: Any, make: Any = backend.new_estimator) -> Any:
            _, _, memory, _ = asked
            made.append(memory)
            return make(self, *asked)

        monkeypatch.setattr(backend, "new_estimator", watched)
    read = partial(study.read_question, game, LARGEST, 1, moves, None)
    easy = partial(study.read_question, "trail", "2x2", 1, None, None)

    async def scenario() -> None:
        limits = SearchLimits(1, analysis_seconds=3600)
        searches = Searches(limits)
        try:
            lines = study.stream_analysis(searches, "a", read)
            assert not msgspec.json.decode(await anext(lines))["complete"]
            await until(lambda: made)
            other = asyncio.create_task(study.answer_analysis(searches, "b", easy))
            await lines.aclose()
            async with asyncio.timeout(PATIENCE):
                assert msgspec.json.decode(await other)["complete"]
            assert max(made) <= limits.memory
        finally:
            searches.close()

    asyncio.run(scenario())


@dataclass
class Reading:
    """Questions about occupation, whose reading takes as long as the test wants."""

    begun: int = 0
    may_end: threading.Event = field(default_factory=threading.Event)

    def read(self, game: str, *arguments: Any) -> study.Question:
        """Stand in for the reading of a question."""
        if game == "occupation":
            self.begun += 1
            assert self.may_end.wait(PATIENCE)
        return _read_question(game, *arguments)


_read_question = study.read_question


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reading]:
    slow = Reading()
    monkeypatch.setattr(study, "read_question", slow.read)
    yield slow
    slow.may_end.set()


@pytest.mark.parametrize("path", ["/api/analysis", STREAM])
def test_what_is_too_much_is_refused_before_it_is_read(
    tmp_path: Path, reading: Reading, path: str
) -> None:
    async def scenario() -> None:
        async with serving(tmp_path, asked=1) as (app, _), calling(app) as client:
            asked = {"game": "occupation", "size": "2x2"}
            allowed = asyncio.create_task(client.get(path, params=asked))
            await until(lambda: reading.begun)
            check_problem(await client.get(path, params=asked), 429, "too-many-requests")
            assert reading.begun == 1
            reading.may_end.set()
            (await allowed).raise_for_status()

    asyncio.run(scenario())


def test_questions_that_take_long_to_read_keep_nobody_else_waiting(
    tmp_path: Path, reading: Reading
) -> None:
    """A stranger's question is answered meanwhile, and a room read from disk."""

    async def scenario() -> None:
        async with serving(tmp_path) as (app, _):
            playing, _ = await find_hard_game(app)
        async with (
            serving(tmp_path, threads=4, asked=100) as (app, _),
            calling(app) as many,
            calling(app, "127.0.0.2") as stranger,
        ):
            asked = [many.get(STREAM, params={"game": "occupation"}) for _ in range(100)]
            answers = asyncio.gather(*asked)
            await until(lambda: reading.begun)
            streamed = await stranger.get(STREAM, params={"game": "trail", "size": "2x2"})
            assert lines_of(streamed.text)[-1]["complete"]
            room = await stranger.get(f"/api/rooms/{playing['state']['room']}")
            room.raise_for_status()
            answers.cancel()
            reading.may_end.set()

    asyncio.run(scenario())


def test_large_work_is_done_beside_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To read a question, to write its answer, and to bring a room back from disk."""
    threads: dict[str, set[int]] = {}

    def watch(module: Any, name: str) -> None:
        function = getattr(module, name)

        def watched(*arguments: Any, **options: Any) -> Any:
            threads.setdefault(name, set()).add(threading.get_ident())
            return function(*arguments, **options)

        monkeypatch.setattr(module, name, watched)

    watch(study, "read_question")
    watch(study, "_know_nothing")
    watch(study, "_report")
    watch(study, "unreviewed")
    watch(study, "_report_review")
    watch(engine, "Hint")
    watch(rooms_module, "Room")

    async def scenario() -> None:
        async with serving(tmp_path) as (app, _):
            playing, finished = await find_hard_game(app)
        async with serving(tmp_path, 0.1) as (app, _), calling(app) as client:
            asked = {"game": "duel", "size": LARGEST}
            whole = await client.get("/api/analysis", params=asked)
            streamed = await client.get(STREAM, params=asked)
            assert lines_of(streamed.text)[-1]["complete"]
            assert len(whole.content) <= LARGEST_ANSWER
            path = f"/api/rooms/{playing['state']['room']}/hint"
            hint = await client.post(path, headers=bearer(playing["token"]))
            hint.raise_for_status()
            path = f"/api/rooms/{finished['state']['room']}/review"
            (await client.get(path)).raise_for_status()
            assert lines_of((await client.get(f"{path}/stream")).text)[-1]["complete"]

    asyncio.run(scenario())
    made_here = threads.pop("Room")
    names = {"read_question", "_know_nothing", "_report", "unreviewed", "_report_review", "Hint"}
    assert set(threads) == names
    for used in threads.values():
        assert threading.get_ident() not in used
    assert made_here - {threading.get_ident()}  # a new room is empty, and made at once


@pytest.mark.parametrize("game", catalogue.RULEBOOKS)
def test_what_everybody_is_told_of_an_event_is_bounded(game: str) -> None:
    room = Room("large", settings(Opponent.SELF, game, LARGEST))
    for event in room.opening(0):
        room.apply(event)
    (played,) = room.answer(
        (Player.ONE, Player.TWO),
        Act("1", 0, Command.PLAY, room.game.names(room.position.legal)[0]),
        0,
    )
    room.apply(played)
    assert len(rooms_module._message(room, played)) <= LARGEST_EVENT


@pytest.mark.long
def test_searches_give_their_memory_back(tmp_path: Path) -> None:
    """Whether they end by themselves or are cut short; each has a table of 32 MB."""
    quick = configured("searches=SearchLimits(analysis_seconds=0.3, review_seconds=0.3)")
    database = ("--database", str(tmp_path / "web.db"))

    async def search(server: Server, client: httpx.AsyncClient) -> None:
        (await client.get("/api/analysis", params=HARD)).raise_for_status()
        async with client.stream("GET", STREAM, params=HARD) as answer:
            async for _ in answer.aiter_lines():
                break
        made = await make_room(client, **HARD, level=8, first=2)
        path = f"/api/rooms/{made['state']['room']}"

        async def has_played() -> bool:
            return bool((await client.get(path)).json()["view"]["ply"])

        await until(has_played)
        resigned = {"id": "1", "ply": 1, "do": "resign"}
        token = bearer(made["token"])
        (await client.post(f"{path}/actions", json=resigned, headers=token)).raise_for_status()
        (await client.get(f"{path}/review")).raise_for_status()

    async def scenario() -> None:
        with Server(
            tmp_path / "log", *database, "--no-limits", before=quick, is_measured=False
        ) as server:
            async with asking(server) as client:
                for _ in range(3):
                    await search(server, client)
                before = server.memory
                for _ in range(_ROUNDS):
                    await search(server, client)
                assert server.memory - before < _ROUNDS * SearchLimits.memory

    asyncio.run(scenario())


def test_whoever_waits_when_the_server_is_told_to_stop_is_told_so(tmp_path: Path) -> None:
    async def scenario() -> None:
        log = tmp_path / "log"
        with Server(log, "--database", str(tmp_path / "web.db"), "--no-limits") as server:
            async with asking(server) as client, client.stream("GET", STREAM, params=HARD) as cut:
                first = await anext(cut.aiter_lines())
                asked = [client.get("/api/analysis", params=HARD) for _ in range(12)]
                answers = asyncio.gather(*asked)
                await asyncio.sleep(0.5)
                server.process.terminate()
                for answer in await answers:
                    check_problem(answer, 503, "busy")
                assert not msgspec.json.decode(first)["complete"]
            server.process.wait(PATIENCE)
        assert "Traceback" not in log.read_text()

    asyncio.run(scenario())
