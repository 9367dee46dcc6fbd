"""What the server logs: lines of JSON, without secrets, and no floods."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from gridlock.web.database import reason
from gridlock.web.logs import REQUEST, JsonFormatter, SummingHandler, log_to, read_request_id
from gridlock.web.outage import Outage
from tests.web.databases import opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.services import Json

HOURS = 3600.0  # between two sums: in these tests only they themselves sum up


class Log:
    """A logger of its own, and what it has written."""

    def __init__(self) -> None:
        self.stream = io.StringIO()
        self.handler = SummingHandler(self.stream, HOURS)
        self.handler.setFormatter(JsonFormatter())
        self.logger = logging.Logger("test")
        self.logger.addHandler(self.handler)

    def lines(self) -> list[Json]:
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]

    def said(self) -> list[str]:
        return [line["message"] for line in self.lines()]


@pytest.fixture
def log() -> Iterator[Log]:
    made = Log()
    yield made
    made.handler.close()


def test_a_line_has_milliseconds_and_whatever_a_caller_adds(log: Log) -> None:
    log.logger.info("it is %s", "well", extra={"room": "abc"})
    [line] = log.lines()
    assert line["time"][-5] == "."
    assert line["time"].endswith("Z")
    del line["time"]
    assert line == {"level": "info", "logger": "test", "message": "it is well", "room": "abc"}


def test_a_line_names_the_request_that_is_being_answered(log: Log) -> None:
    token = REQUEST.set("abc")
    try:
        log.logger.info("asked")
    finally:
        REQUEST.reset(token)
    log.logger.info("later")
    assert [line.get("request") for line in log.lines()] == ["abc", None]


@pytest.mark.parametrize("good", ["a", "0f8b-4.d:e_f", "x" * 64])
def test_a_short_and_plain_id_is_taken_over(good: str) -> None:
    assert read_request_id(good.encode()) == good


@pytest.mark.parametrize("bad", [None, b"", b"x" * 65, b"a b", b"a\nb", b"<b>", "é".encode()])
def test_any_other_id_is_made_anew(bad: bytes | None) -> None:
    made = {read_request_id(bad), read_request_id(bad)}
    assert len(made) == 2
    assert all(id_.isalnum() for id_ in made)


def test_a_warning_that_comes_again_is_counted_and_summed_up(log: Log) -> None:
    for number in range(1235):
        log.logger.warning("it fails: %s", number)
    log.logger.warning("something else fails")
    assert log.said() == ["it fails: 0", "something else fails"]
    log.handler.sum_up()
    assert log.said()[2:] == ["it fails: 0 - again 1,234 times"]
    assert log.lines()[2]["times"] == 1235
    log.logger.warning("it fails: %s", 0)
    log.handler.sum_up()
    assert log.said()[3:] == ["it fails: 0 - again once"]
    log.handler.sum_up()
    assert log.said()[4:] == ["it fails: 0 - no more, after 1,236 times"]
    log.logger.warning("it fails: %s", 0)
    assert log.said()[5:] == ["it fails: 0"]
    assert {line["level"] for line in log.lines()} == {"warning"}


def test_what_happens_again_and_does_not_fail_is_all_written(log: Log) -> None:
    for _ in range(3):
        log.logger.info("request")
    assert log.said() == ["request"] * 3


def test_at_the_end_what_was_counted_is_written(log: Log) -> None:
    for _ in range(3):
        log.logger.error("it fails")
    log.handler.close()
    assert log.said() == ["it fails", "it fails - again 2 times"]
    log.handler.close()
    assert len(log.said()) == 2


def test_errors_of_different_kinds_are_not_summed_up_as_one(log: Log) -> None:
    for error in (ValueError("one"), KeyError("two"), ValueError("three")):
        log.logger.error("it fails", exc_info=error)
    assert ["ValueError" in line["traceback"] for line in log.lines()] == [True, False]


async def fail_to_write(database: str, name: str) -> Exception:
    """Break a rule of the database with a name in it, and return the error."""
    async with opened(database) as engine, engine.begin() as connection:
        statement = text("INSERT INTO seen (room, player, at) VALUES (:room, 1, 1)")
        try:
            await connection.execute(statement, {"room": name})
        except IntegrityError as error:
            return error
    raise AssertionError("nothing was refused")


def test_neither_statements_nor_values_of_the_database_are_logged(log: Log, database: str) -> None:
    error = asyncio.run(fail_to_write(database, "Marker Ann"))
    wrapped = RuntimeError("it failed")
    wrapped.__cause__ = error
    log.logger.error("first: %s", reason(error), exc_info=error)
    log.logger.error("second", exc_info=wrapped)
    log.logger.error("third", exc_info=ExceptionGroup("several", [error]))
    written = log.stream.getvalue()
    for secret in ("Marker", "INSERT", "seen (", "VALUES", "[SQL", "[parameters"):
        assert secret not in written
    first, second, third = log.lines()
    assert "foreign key" in first["message"].lower()
    assert "fail_to_write" in second["traceback"]
    assert "RuntimeError: it failed" in second["traceback"]
    assert "IntegrityError" in third["traceback"]


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (TimeoutError(), "it did not answer in time"),
        (OSError("gone\nand more"), "gone"),
        (
            ValueError("invalid input for query argument $1: 'Ann'"),
            "invalid input for query argument",
        ),
    ],
)
def test_the_reason_of_a_failure_is_one_line_without_values(error: Exception, shown: str) -> None:
    assert reason(error) == shown


def test_an_outage_is_said_when_it_begins_and_when_it_is_over(
    caplog: pytest.LogCaptureFixture,
) -> None:
    outage = Outage("it is away", "it is back")
    outage.end()
    assert not outage.is_on
    outage.fail("cut")
    outage.fail("cut again")
    assert outage.is_on
    outage.end()
    outage.end()
    assert caplog.messages == ["it is away: cut", "it is away: cut again", "it is back"]
    assert caplog.records[-1].__dict__["failures"] == 2
    assert {record.levelname for record in caplog.records} == {"WARNING"}


def test_when_an_outage_is_over_its_failures_are_summed_up_first_and_then_no_more(log: Log) -> None:
    outage = Outage("it is away", "it is back")
    outage_log = logging.getLogger("gridlock.web.outage")
    outage_log.addHandler(log.handler)
    try:
        for _ in range(15):
            outage.fail("cut")
        outage.end()
        told = ["it is away: cut", "it is away: cut - again 14 times", "it is back"]
        assert log.said() == told
        log.handler.sum_up()
        assert log.said() == told
        for _ in range(3):  # one that comes and goes all the time is no flood
            outage.fail("cut")
            outage.end()
        assert log.said() == [*told, "it is away: cut", "it is back"]
        log.handler.sum_up()
        again = ["it is away: cut - again 2 times", "it is back - again 2 times"]
        assert log.said()[5:] == again
    finally:
        outage_log.removeHandler(log.handler)


def test_logs_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        log_to(logging.INFO)
        logging.getLogger("anything").info("said")
        logging.getLogger("uvicorn.error").info("not said")
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    [line] = capsys.readouterr().err.splitlines()
    assert json.loads(line)["message"] == "said"
