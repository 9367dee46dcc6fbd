"""How a database gets the present shape, what is refused, and two versions side by side."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from filelock import FileLock
from sqlalchemy import inspect, text
from sqlalchemy.exc import SQLAlchemyError

from gridlock import __version__
from gridlock.errors import StoreError
from gridlock.web import migration
from gridlock.web.database import metadata
from tests.web.databases import KINDS, contents, keep_room, new_url, opened
from tests.web.forked import gridlock
from tests.web.services import Server, bearer, join_room, live, make_room, new_database

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncEngine

    from tests.conftest import Run

STEP = '''"""Something more."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{head}"


def upgrade() -> None:
    op.create_table("more", sa.Column("id", sa.Integer, primary_key=True))
    op.add_column("rooms", sa.Column("note", sa.Text, nullable=False, server_default=""))
    {further}


def downgrade() -> None:
    {back}
'''
BACK = 'op.drop_table("more"), op.drop_column("rooms", "note")'


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind in turn."""
    return new_url(request.param, tmp_path, request)


def next_version(folder: Path, *, further: str = "pass", back: str = BACK) -> Path:
    """Return the steps of a version of GridLock that takes one more."""
    steps = folder / "migrations"
    shutil.copytree(Path(migration.__file__).parent / "migrations", steps)
    step = STEP.format(head=migration.head(), further=further, back=back)
    (steps / "versions" / "9999_more.py").write_text(step)
    return steps


async def tables(engine: AsyncEngine) -> set[str]:
    async with engine.connect() as connection:
        return set(await connection.run_sync(lambda one: inspect(one).get_table_names()))


def test_the_steps_make_the_tables_that_the_code_uses(url: str) -> None:
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection)
        return list(compare_metadata(context, metadata))

    async def scenario() -> None:
        async with opened(url) as engine:
            assert await migration.current(engine) is None
            assert await migration.upgrade(engine) is None
            assert await migration.current(engine) == migration.head()
            async with engine.connect() as connection:
                assert await connection.run_sync(differences) == []
            assert await migration.upgrade(engine) is None

    asyncio.run(scenario())


def test_a_database_is_upgraded_and_taken_back(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened(url) as engine:
            await migration.upgrade(engine)
            earlier = migration.head()
            await keep_room(engine)
            before = await contents(engine)
            monkeypatch.setattr(migration, "_FOLDER", next_version(tmp_path))
            with pytest.raises(StoreError, match=f"is at revision {earlier}, and .* needs 9999"):
                await migration.check(engine)
            await migration.upgrade(engine)
            await migration.check(engine)
            assert "more" in await tables(engine)
            await migration.downgrade(engine, earlier)
            assert "more" not in await tables(engine)
            assert await migration.current(engine) == earlier
            assert await contents(engine) == before

    asyncio.run(scenario())


def test_a_file_is_copied_before_its_shape_changes_and_no_copy_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "web.db"

    async def scenario() -> None:
        async with opened(str(file)) as engine:
            await migration.upgrade(engine)
            earlier = migration.head()
            await keep_room(engine)
            before = await contents(engine)
            monkeypatch.setattr(migration, "_FOLDER", next_version(tmp_path))
            assert await migration.upgrade(engine) == tmp_path / "web.db.before-9999"
            kept = await migration.downgrade(engine, earlier)
            assert kept == tmp_path / f"web.db.before-{earlier}"
            await keep_room(engine)
            assert await migration.upgrade(engine) == tmp_path / "web.db.before-9999.2"
        async with opened(str(tmp_path / "web.db.before-9999")) as engine:
            assert await contents(engine) == before
            assert await migration.current(engine) == earlier
        async with opened(str(tmp_path / "web.db.before-9999.2")) as engine:
            assert len((await contents(engine))["rooms"]) == 2

    asyncio.run(scenario())


def test_a_step_that_fails_changes_nothing(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened(url) as engine:
            await migration.upgrade(engine)
            await keep_room(engine)
            before = await contents(engine), await tables(engine)
            steps = next_version(tmp_path, further='op.execute("nonsense")')
            monkeypatch.setattr(migration, "_FOLDER", steps)
            with pytest.raises(SQLAlchemyError):
                await migration.upgrade(engine)
            assert (await contents(engine), await tables(engine)) == before
            assert await migration.current(engine) != "9999"

    asyncio.run(scenario())


def test_a_newer_database_is_refused_and_the_reader_told_what_to_do(
    run: Run, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with opened(url) as engine:
            await migration.upgrade(engine)

    head = migration.head()
    with monkeypatch.context() as patch:
        patch.setattr(migration, "_FOLDER", next_version(tmp_path))
        asyncio.run(scenario())
    told = (
        f"the database is at revision 9999, which is newer than GridLock {__version__}: install "
        f"the version that upgraded it, or with that version run gridlock db downgrade {head}"
    )
    copy, source = str(tmp_path / "copy.db"), str(tmp_path / "other.db")
    run("db", "upgrade", "--database", source)
    for command in (
        ("serve", "--port", "0"),
        ("db", "upgrade"),
        ("db", "downgrade", head),
        ("db", "backup", copy),
        ("db", "prune"),
        ("db", "forget", "room"),
    ):
        refused = run(*command, "--database", url)
        assert refused.code == 1
        assert refused.error_lines == [f"gridlock: {told}"], command
    shown = run("db", "current", "--database", url)
    assert shown.code == 0
    assert shown.out.splitlines()[0] == "The database: revision 9999"
    assert shown.out.splitlines()[-1].lower() == f"{told.lower()}."


@pytest.mark.parametrize(
    ("to", "told"),
    [
        ("base", "'base' is no earlier one: choose from "),
        ("9999", "'9999' is no earlier one: choose from "),
        ("7", "'7' is no earlier one: choose from "),
    ],
)
def test_a_revision_that_is_not_an_earlier_one_is_refused(
    run: Run, tmp_path: Path, to: str, told: str
) -> None:
    database = ("--database", str(tmp_path / "web.db"))
    run("db", "upgrade", *database)
    refused = run("db", "downgrade", to, *database)
    assert refused.code == 1
    assert f"the database is at revision {migration.head()}, and {told}" in refused.err
    assert [path.name for path in tmp_path.glob("*before*")] == []


def test_from_the_first_revision_there_is_no_way_back(run: Run, tmp_path: Path) -> None:
    database = ("--database", str(tmp_path / "web.db"))
    run("db", "upgrade", *database)
    first = next(iter(migration.revisions()))
    assert run("db", "downgrade", first, *database).out.splitlines()[-1] == (
        f"The database is at revision {first}."
    )
    refused = run("db", "downgrade", "base", *database)
    assert "'base' is no earlier one: there is none" in refused.err


def test_a_step_that_cannot_be_taken_back_says_so(
    run: Run, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = migration.head()
    steps = next_version(tmp_path, back='raise NotImplementedError("9999 cannot be taken back")')
    monkeypatch.setattr(migration, "_FOLDER", steps)
    run("db", "upgrade", "--database", url)
    refused = run("db", "downgrade", earlier, "--database", url)
    assert refused.error_lines == [
        "gridlock: 9999 cannot be taken back: restore a back-up from before it instead"
    ]
    assert "The database is up to date." in run("db", "current", "--database", url).out


@pytest.mark.parametrize("command", [("upgrade",), ("downgrade", "0001")])
def test_a_file_that_a_server_has_open_keeps_its_shape(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    file = tmp_path / "web.db"
    run("db", "upgrade", "--database", str(file))
    with FileLock(f"{file}.lock"):
        refused = run("db", *command, "--database", str(file))
    assert refused.code == 1
    assert refused.error_lines == [f"gridlock: another gridlock has opened '{file}': stop it first"]


def test_no_step_is_taken_back_while_a_server_uses_the_database(
    run: Run, postgresql: str, tmp_path: Path
) -> None:
    database = asyncio.run(new_database(postgresql))
    run("db", "upgrade", "--database", database)
    with Server(tmp_path / "log", "--database", database):
        refused = run("db", "downgrade", "0001", "--database", database)
        assert refused.code == 1
        [line] = refused.error_lines
        assert line.startswith("gridlock: a server uses '")
        assert line.endswith("': stop all of them first")
    assert run("db", "downgrade", "0001", "--database", database).code == 0


def test_several_upgrades_at_once_are_one(postgresql: str) -> None:
    async def scenario() -> None:
        url = await new_database(postgresql)
        async with opened(url) as one, opened(url) as two, opened(url) as three:
            await asyncio.gather(*(migration.upgrade(engine) for engine in (one, two, three)))
            await migration.check(one)

    asyncio.run(scenario())


def test_what_the_first_version_writes_fits_the_present_shape(url: str) -> None:
    """Statements as the first version sends them: it runs until each process is replaced."""

    async def scenario() -> None:
        async with opened(url) as engine:
            await migration.upgrade(engine)
            async with engine.begin() as connection:
                await connection.execute(
                    text(
                        "INSERT INTO rooms (id, made, settings, changed, deadline, awaits_computer)"
                        " VALUES ('old', 1, '{}', 1, NULL, false)"
                    )
                )
                await connection.execute(
                    text("INSERT INTO events (room, version, event) VALUES ('old', 1, '{}')")
                )
                await connection.execute(
                    text(
                        "UPDATE rooms SET changed = 2, deadline = 3, awaits_computer = true"
                        " WHERE rooms.id = 'old'"
                    )
                )
                found = await connection.execute(
                    text("SELECT rooms.id FROM rooms WHERE rooms.deadline <= 3")
                )
                assert found.all() == [("old",)]

    asyncio.run(scenario())


@pytest.mark.long
def test_old_and_new_processes_serve_the_same_games_on_the_new_shape(
    postgresql: str, redis: str, tmp_path: Path
) -> None:
    database = asyncio.run(new_database(postgresql))
    assert gridlock("db", "upgrade", "--database", database).returncode == 0
    steps = next_version(tmp_path)
    newer = (
        "from pathlib import Path; from gridlock.web import migration; "
        f"migration._FOLDER = Path({str(steps)!r})"
    )
    shared = ("--database", database, "--redis", redis, "--no-limits")

    async def upgrade() -> None:
        async with opened(database) as engine:
            await migration.upgrade(engine)

    async def play(one: Server, two: Server) -> None:
        async with (
            httpx.AsyncClient(base_url=one.url, timeout=30) as near,
            httpx.AsyncClient(base_url=two.url, timeout=30) as far,
        ):
            made = await make_room(near, opponent="friend", size="4x4")
            joined = await join_room(far, made)
            room = made["state"]["room"]
            async with (
                live(one, room, made["token"]) as ann,
                live(two, room, joined["token"]) as bob,
            ):
                players = [ann, bob]
                view = joined["state"]["view"]
                while view["status"] == "playing":
                    mover, other = players if view["board"]["mover"] == 1 else players[::-1]
                    view = (await mover.play(view["ply"], view["board"]["legal"][0]))["view"]
                    while (await other.hear("event"))["view"]["version"] < view["version"]:
                        pass
            act = {"id": "again", "ply": view["ply"], "do": "rematch"}
            path = f"/api/rooms/{room}/actions"
            answer = await far.post(path, json=act, headers=bearer(joined["token"]))
            assert answer.status_code == 200, answer.text

    with Server(tmp_path / "old", *shared) as old:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(migration, "_FOLDER", steps)
            asyncio.run(upgrade())
        with Server(tmp_path / "new", *shared, before=newer) as new:
            asyncio.run(play(old, new))
            asyncio.run(play(new, old))
    assert (tmp_path / "old").read_text() == ""
    assert (tmp_path / "new").read_text() == ""
