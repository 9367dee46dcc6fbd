"""Where options come from, and what is said of those that are wrong there."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest

from gridlock.cli import settings
from gridlock.cli.db import db
from gridlock.cli.serve import serve
from gridlock.cli.settings import PREFIX, all_settings, settings_of, variable_of
from gridlock.cli.tuning import Tuning, tuned
from gridlock.web.config import GateLimits, Pool, Rate, SearchLimits, Timeouts

if TYPE_CHECKING:
    from tests.conftest import Result, Run

ROOT = Path(__file__).parent.parent.parent
SECRET = "swordfish"
POSTGRESQL = f"postgresql+asyncpg://me:{SECRET}@127.0.0.1:1/games"
MASKED = "postgresql+asyncpg://me:***@127.0.0.1:1/games"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of settings, which all commands read."""
    file = tmp_path / "gridlock.toml"
    monkeypatch.setenv("GRIDLOCK_CONFIG", str(file))
    return file


def in_force(result: Result) -> dict[str, Any]:
    assert result.code == 0, result.err
    return tomllib.loads(result.out)


def line_of(result: Result, key: str) -> str:
    (line,) = (
        line for line in result.out.splitlines() if line.startswith((f"{key} ", f"# {key} "))
    )
    return line


def test_the_command_line_goes_before_the_environment_before_the_file_before_the_default(
    run: Run, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.write_text('port = 1\nlog = "info"\n[limits]\nconnections = 5\n')
    monkeypatch.setenv("GRIDLOCK_PORT", "2")
    monkeypatch.setenv("GRIDLOCK_LIMITS_CONNECTIONS", "6")
    shown = run("serve", "--port", "3", "--show-config")
    assert line_of(shown, "port") == "port = 3  # --port"
    assert line_of(shown, "connections") == "connections = 6  # GRIDLOCK_LIMITS_CONNECTIONS"
    assert line_of(shown, "log") == f'log = "info"  # {config}'
    assert line_of(shown, "keep-days") == "keep-days = 365  # default"
    assert line_of(run("serve", "--show-config"), "port") == "port = 2  # GRIDLOCK_PORT"


def test_what_is_shown_can_be_used_as_a_file(run: Run, config: Path) -> None:
    config.write_text(
        'origin = ["https://Play.example.org:443/"]\nno-limits = true\n'
        '[limits.requests]\nburst = 7\n[searches]\nmemory = "64M"\nanalysis-seconds = 0.5\n'
    )
    first = in_force(run("serve", "--show-config"))
    assert first["origin"] == ["https://play.example.org"]
    assert first["limits"]["requests"] == {"burst": 7, "per-second": 20}
    assert first["searches"]["memory"] == "64M"
    assert first["searches"]["analysis-seconds"] == 0.5
    config.write_text(run("serve", "--show-config").out)
    assert in_force(run("serve", "--show-config")) == first


def test_every_option_of_every_command_has_a_variable_and_a_key() -> None:
    for command in (serve, *db.commands.values()):
        named = {option.name for option in settings_of(command)}
        options = {one.name for one in command.params if isinstance(one, click.Option)}
        assert options - named <= {"config", "show_config"}
        assert "config" in options
        for option in settings_of(command):
            assert option.envvar == variable_of(option)
            if not isinstance(option, Tuning):
                name = str(option.envvar).removeprefix(PREFIX).lower().replace("_", "-")
                assert f"--{name}" in option.opts


def test_one_name_stands_for_one_thing_for_all_commands(
    run: Run, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.write_text(f"database = '{tmp_path / 'web.db'}'\nport = 1\n[limits]\nconnections = 5\n")
    assert run("db", "upgrade").out == "The database is up to date.\n"
    assert (tmp_path / "web.db").exists()
    monkeypatch.setenv("GRIDLOCK_JSON", "1")
    assert run("db", "current").out.startswith("{")
    monkeypatch.setenv("GRIDLOCK_KEEP_DAYS", "7")
    assert "in the last 7 days" in run("db", "prune").out
    monkeypatch.setenv("GRIDLOCK_DATABASE", str(tmp_path / "other.db"))
    assert f"there is no database '{tmp_path / 'other.db'}'" in run("db", "prune").err


@pytest.mark.parametrize(
    "written", ["a.example, b.example", "a.example b.example", "a.example\nb.example,"]
)
def test_a_list_in_the_environment_has_commas_or_spaces(
    run: Run, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    monkeypatch.setenv("GRIDLOCK_ALLOW_HOST", written)
    assert in_force(run("serve", "--show-config"))["allow-host"] == ["a.example", "b.example"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prot = 1", "there is no setting 'prot': did you mean port?"),
        ("keep_days = 1", "there is no setting 'keep_days': did you mean keep-days?"),
        ("[limits]\nmesages.burst = 1", "did you mean limits.messages.burst?"),
        ("[limits.requests]\nbursts = 1", "did you mean limits.requests.burst?"),
        ("xyz = 1", "there is no setting 'xyz' (see"),
        ("show-config = true", "there is no setting 'show-config'"),
        ('port = "8000"', 'port is "8000": it must be a whole number'),
        ("port = 8.5", "port is 8.5: it must be a whole number"),
        ("port = true", "port is true: it must be a whole number"),
        ("open = 1", "open is 1: it must be true or false"),
        ("redis = 5", "redis is 5: it must be a text in quotes"),
        ("database = 2026-01-01", 'database is "2026-01-01": it must be a text in quotes'),
        ('origin = "https://a.example"', 'origin is "https://a.example": it must be a list of'),
        ("origin = [1]", 'origin is [1]: it must be a list of texts, such as ["one", "two"]'),
        ('[timeouts]\nping = "5"', 'timeouts.ping is "5": it must be a number'),
        ("port = ]", "is not TOML: Invalid value (at line 1, column 8)"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_name(
    run: Run, config: Path, text: str, message: str
) -> None:
    config.write_text(text)
    refused = run("serve", "--show-config")
    assert refused.code == 2
    assert len(refused.error_lines) == 1
    assert f"gridlock: '{config}'" in refused.err
    assert message in refused.err


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("port", "70000", "'70000' is not a whole number from 0 to 65535"),
        ("workers", "0", "'0' is not a whole number from 1 to 64"),
        ("limits.connections", "0", "'0' is not a whole number from 1 to 1000000000"),
        ("timeouts.ping", "0", "'0' is not a number from 0.1 to 3600"),
        ("timeouts.request", "nan", "'nan' is not a number from 0.1 to 3600"),
        ("searches.memory", "5", "'5' is not an amount from 1M to 1T, for example 512M or 2G"),
    ],
)
def test_what_is_out_of_range_is_said_with_its_place_and_what_would_be_right(
    run: Run, config: Path, monkeypatch: pytest.MonkeyPatch, key: str, value: str, message: str
) -> None:
    config.write_text(f"{key} = {value}")
    refused = run("serve", "--show-config")
    assert refused.code == 2
    where = (
        f"gridlock: Invalid value for {key} in '{config}': {message} (see gridlock serve --help)"
    )
    assert refused.error_lines == [where]
    config.write_text("")
    variable = PREFIX + key.replace(".", "_").upper()
    monkeypatch.setenv(variable, value)
    refused = run("serve", "--show-config")
    where = f"gridlock: Invalid value for {variable}: {message} (see gridlock serve --help)"
    assert refused.error_lines == [where]


def test_a_flag_in_the_environment_is_yes_or_no(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDLOCK_NO_LIMITS", "yes")
    assert in_force(run("serve", "--show-config"))["no-limits"] is True
    monkeypatch.setenv("GRIDLOCK_NO_LIMITS", "false")
    assert in_force(run("serve", "--show-config"))["no-limits"] is False
    monkeypatch.setenv("GRIDLOCK_NO_LIMITS", "perhaps")
    assert "Invalid value for GRIDLOCK_NO_LIMITS: 'perhaps'" in run("serve", "--show-config").err


def test_an_empty_variable_is_none(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDLOCK_PORT", "")
    assert line_of(run("serve", "--show-config"), "port") == "port = 8000  # default"


def test_a_variable_that_looks_like_a_setting_and_is_none_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GRIDLOCK_DATABSE", "GRIDLOCK_QQQ", "GRIDLOCK_DEBUG", "GRIDLOCK_INTERPRETED"):
        monkeypatch.setenv(name, "")
    assert run("serve", "--show-config").error_lines == [
        "gridlock: the variable GRIDLOCK_DATABSE is no setting: did you mean GRIDLOCK_DATABASE?",
        "gridlock: the variable GRIDLOCK_QQQ is no setting, and is ignored",
    ]


def test_a_file_of_settings_that_is_not_there_is_one_line(run: Run, tmp_path: Path) -> None:
    missing = tmp_path / "missing.toml"
    refused = run("serve", "--config", str(missing))
    assert refused.error_lines == [f"gridlock: cannot read '{missing}': No such file or directory"]


def test_secrets_come_from_files(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "secret"
    file.write_text(f"{POSTGRESQL}\n")
    shown = run("serve", "--database-file", str(file), "--show-config")
    assert line_of(shown, "database-file") == f'database-file = "{file}"  # --database-file'
    assert line_of(shown, "database") == "# database is not set"
    refused = run("db", "current", "--database-file", str(file))
    assert "cannot read the database: " in refused.err
    monkeypatch.setenv("GRIDLOCK_DATABASE_FILE", str(file))
    refused = run("serve", "--port", "0")
    assert "cannot open the database: " in refused.err
    redis = tmp_path / "redis"
    redis.write_text(f"redis://:{SECRET}@127.0.0.1:1/?db=one")
    refused = run("serve", "--database", str(tmp_path / "web.db"), "--redis-file", str(redis))
    assert "cannot use this address of Redis: " in refused.err
    assert SECRET not in shown.out + refused.err


def test_of_two_ways_to_give_a_secret_the_one_that_is_found_first_counts(
    run: Run, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "secret"
    file.write_text(str(tmp_path / "mine.db"))
    config.write_text(f"database-file = '{file}'")
    shown = run("serve", "--database", "here.db", "--show-config")
    assert line_of(shown, "database") == 'database = "here.db"  # --database'
    assert line_of(shown, "database-file") == "# database-file is not set"
    refused = run("serve", "--database", "here.db", "--database-file", str(file))
    assert "gridlock: --database and --database-file say the same: one is enough" in refused.err
    config.write_text(f"database = 'x'\ndatabase-file = '{file}'")
    refused = run("db", "upgrade")
    assert (
        f"database in '{config}' and database-file in '{config}' say the same: one is enough"
        in refused.err
    )
    monkeypatch.setenv("GRIDLOCK_DATABASE_FILE", str(file))
    assert run("db", "upgrade").code == 0
    assert (tmp_path / "mine.db").exists()


def test_a_secret_that_cannot_be_read_is_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "secret"
    refused = run("serve", "--database-file", str(file))
    assert refused.code == 2
    (line,) = refused.error_lines
    assert f"for '--database-file': cannot read '{file}': No such file or directory" in line
    file.write_text(" \n")
    monkeypatch.setenv("GRIDLOCK_REDIS_FILE", str(file))
    (line,) = run("serve").error_lines
    assert line.startswith(f"gridlock: Invalid value for GRIDLOCK_REDIS_FILE: '{file}' is empty")
    file.write_text(f"mysql://me:{SECRET}@db/games")
    (line,) = run("db", "current", "--database-file", str(file)).error_lines
    assert "a database is a file, or postgresql+asyncpg://" in line
    assert SECRET not in line


def test_a_secret_that_only_a_file_can_hold_is_read_as_well(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("")
    (line,) = run("serve", "--metrics-token-file", str(file)).error_lines
    assert f"Invalid value for '--metrics-token-file': '{file}' is empty" in line
    file.write_text(SECRET)
    shown = run("serve", "--metrics-token-file", str(file), "--show-config")
    assert in_force(shown)["metrics-token-file"] == str(file)
    assert SECRET not in shown.out


def test_passwords_are_never_shown(run: Run, config: Path) -> None:
    redis = f"redis://:{SECRET}@127.0.0.1:1/0?password={SECRET}"
    config.write_text(f"database = '{POSTGRESQL}'\nredis = '{redis}'")
    shown = run("serve", "--show-config")
    assert in_force(shown)["database"] == MASKED
    assert in_force(shown)["redis"] == "redis://:***@127.0.0.1:1/0?password=***"
    for bad in (f"postgresql+asyncpg://me:{SECRET}@h:x/y", f"nonsense://me:{SECRET}@h"):
        for option in ("--database", "--redis"):
            refused = run("serve", option, bad)
            assert refused.code in (1, 2)
            assert SECRET not in refused.err
    assert SECRET not in run("serve", "--origin", f"https://me:{SECRET}@a.example").err


def test_settings_become_the_configuration() -> None:
    options = {option.name: option for option in settings_of(serve) if isinstance(option, Tuning)}
    values = {name: option.default for name, option in options.items()}
    usual = {"limits": GateLimits(), "searches": SearchLimits()}
    assert tuned(values) == {**usual, "pool": Pool(), "timeouts": Timeouts()}
    other = tuned({**values, "limits_costly_burst": 3.0, "timeouts_grace": 9})
    assert other["limits"] == GateLimits(costly=Rate(3, 1))
    assert other["timeouts"] == Timeouts(grace=9)


def test_shells_complete_options_whatever_the_file_says(
    run: Run, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.write_text("nonsense = 1")
    monkeypatch.setenv("_GRIDLOCK_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "gridlock serve --po")
    monkeypatch.setenv("COMP_CWORD", "2")
    completed = run()
    assert (completed.out, completed.err) == ("plain,--port\n", "")


def test_the_docs_list_every_setting_with_its_default(run: Run) -> None:
    page = (ROOT / "docs" / "settings.md").read_text()
    rows = [
        [cell.strip().strip("`") for cell in line.split("|")[1:-1]]
        for line in page.splitlines()
        if line.startswith("| `--")
    ]
    usual = dict(settings._flatten(in_force(run("serve", "--show-config"))))
    usual["database"] = "web.db in the data folder"
    expected = {}
    for key, option in all_settings().items():
        default = usual.get(key, False if option.is_flag else "not set")
        shown = default if isinstance(default, str) else settings._as_toml(default)
        expected[option.opts[0]] = [key, variable_of(option), shown]
    assert {option: rest for option, *rest, meaning in rows if meaning} == expected
    assert len(rows) == len(expected)
