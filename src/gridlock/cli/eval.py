"""``gridlock eval``: language models on trial, graded by the exact solver."""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from gridlock.cli.console import note
from gridlock.cli.options import JSON, read_seconds, reading
from gridlock.cli.table import print_table
from gridlock.errors import NotationError, quote
from gridlock.files import typed_path, write_atomically
from gridlock.match import MOST_GAMES, read_count
from gridlock.notation import read_number, write_count
from gridlock.rulebooks.catalogue import RULEBOOKS

if TYPE_CHECKING:
    from pathlib import Path

    from gridlock.lab.eval.plan import Plan

_DEFAULT_KEY = "OPENAI_API_KEY"
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_MOST_AT_ONCE = 64
_WIDTH = 24  # characters of the bar of a run under way


def _number(least: int, most: int) -> Any:
    """Return a callback that reads a whole number."""

    def read(text: str) -> int:
        number = read_number(text)
        if number is None or not least <= number <= most:
            raise NotationError(f"{quote(text)} is not a number from {least:,} to {most:,}")
        return number

    return reading(read)


def _read_temperature(text: str) -> float:
    try:
        temperature = float(text)
    except ValueError:
        temperature = -1.0
    if not 0 <= temperature <= 2:
        raise NotationError(f"{quote(text)} is not a temperature from 0 to 2")
    return temperature


def _read_key_variable(name: str) -> str:
    """Check where the key is; what is wrong may be the key itself, and so is not repeated."""
    if not _VARIABLE.fullmatch(name) or name not in os.environ:
        raise NotationError(
            "there is no environment variable of this name: put the key into one, "
            f"and name it, for example --key {_DEFAULT_KEY}"
        )
    return name


def _read_level(text: str) -> str:
    from gridlock.players import check_name

    return check_name("random" if text == "random" else f"computer:{text}")


_NUMBER = _number(1, 10**9)


@click.group(
    "eval",
    short_help="Put a language model on trial.",
    invoke_without_command=True,
    epilog="Example: gridlock eval --base-url http://127.0.0.1:8000/v1 --model NAME "
    "--game duel --opponent computer:3",
)
@click.option("--base-url", metavar="URL", help="An OpenAI-compatible endpoint, up to /v1.")
@click.option("--model", metavar="NAME", help="The model at the endpoint.")
@click.option(
    "--key", metavar="VARIABLE", callback=reading(_read_key_variable),
    help=f"The environment variable that has the key.  [default: {_DEFAULT_KEY}, if there is one]",
)  # fmt: skip
@click.option(
    "--command", metavar="COMMAND",
    help="In place of an endpoint: a command that reads a prompt and prints an answer.",
)  # fmt: skip
@click.option(
    "--game", "games", multiple=True, metavar="GAME[:RxC]",
    help="A game, and a board such as duel:6x6; can be repeated.  [default: all five]",
)  # fmt: skip
@click.option(
    "--opponent", "opponents", multiple=True, metavar="WHO",
    help="random, computer:1 to computer:8, model:NAME at the same endpoint, or command:COMMAND; "
    "can be repeated.  [default: random]",
)  # fmt: skip
@click.option(
    "--games", "count", default="10", metavar="N", callback=reading(read_count),
    help="Games on each board against each opponent, the first mover alternating.  [default: 10]",
)  # fmt: skip
@click.option(
    "--suite", default="0", metavar="N", callback=_number(0, MOST_GAMES),
    help="Also N positions of each game that have one right answer.  [default: none]",
)  # fmt: skip
@click.option("--suite-only", is_flag=True, help="Only the positions, no games.")
@click.option(
    "--prompt", default="listed", metavar="NAME-OR-FILE",
    help="listed (with the legal cells), unlisted (without), disguised (the same game in other "
    "words), or a file.  [default: listed]",
)  # fmt: skip
@click.option("--temperature", callback=reading(_read_temperature), metavar="T", help="0 to 2.")
@click.option(
    "--answer-tokens", callback=_NUMBER, metavar="N", help="Tokens of one answer, at most."
)
@click.option("--seed", default="1", callback=_number(0, 2**31 - 1), metavar="N", help="Chance.")
@click.option(
    "--attempts", default="3", callback=_number(1, 100), metavar="N",
    help="Answers to one question before the game is forfeited.  [default: 3]",
)  # fmt: skip
@click.option(
    "--retries", default="5", callback=_number(0, 100), metavar="N",
    help="Further requests where no answer comes, before the game is broken off.  [default: 5]",
)  # fmt: skip
@click.option(
    "--retry-wait", default="1", callback=reading(read_seconds), metavar="SECONDS",
    help="Before the first retry; twice as long before each later one.  [default: 1]",
)  # fmt: skip
@click.option(
    "--timeout", default="120", callback=reading(read_seconds), metavar="SECONDS",
    help="For one answer.  [default: 120]",
)  # fmt: skip
@click.option(
    "--at-once", default="1", callback=_number(1, _MOST_AT_ONCE), metavar="N",
    help="Requests at the same time.  [default: 1]",
)  # fmt: skip
@click.option("--max-requests", callback=_NUMBER, metavar="N", help="The budget in requests.")
@click.option("--max-tokens", callback=_NUMBER, metavar="N", help="The budget in tokens.")
@click.option(
    "--journal", default="eval.jsonl", metavar="FILE",
    help="Where every request and answer is kept.  [default: eval.jsonl]",
)  # fmt: skip
@click.option(
    "--resume", metavar="FILE",
    help="Go on with a journal; only --at-once and the budget may be other ones.",
)  # fmt: skip
@click.option(
    "--serve-level", metavar="LEVEL", callback=reading(_read_level),
    help="For trying this out: serve level 1 to 8, or random, as an endpoint on this machine.",
)  # fmt: skip
@click.option(
    "--port", default="8080", callback=_number(0, 65535), metavar="N",
    help="Of --serve-level.  [default: 8080]",
)  # fmt: skip
@click.pass_context
def eval_(context: click.Context, /, **options: Any) -> None:
    """Let a language model play, and grade every answer exactly.

    Every request and answer is kept in a journal as it comes; gridlock eval report makes tables and
    a page of it. After Ctrl-C, or whatever else ended it, --resume goes on where it stopped.
    """
    if context.invoked_subcommand is not None:
        return
    if options["serve_level"]:
        _serve(options["serve_level"], options["port"])
    elif options["resume"]:
        _check_alone(context)
        _resume(typed_path(options["resume"]), options)
    elif options["model"] or options["command"] or options["base_url"]:
        _begin(options)
    else:
        click.echo(context.get_help())


eval = eval_  # noqa: A001 - as the command is called


def _check_alone(context: click.Context) -> None:
    """Refuse options that would change a trial under way."""
    allowed = {"resume", "at_once", "max_requests", "max_tokens"}
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        is_given = source is click.core.ParameterSource.COMMANDLINE
        if is_given and parameter.name not in allowed:
            raise click.UsageError(
                f"{parameter.opts[0]} cannot be changed when a trial is resumed: "
                "the journal has all but --at-once, --max-requests and --max-tokens"
            )


def _begin(options: dict[str, Any]) -> None:
    """Write the plan and carry it out."""
    from gridlock.errors import GridlockError
    from gridlock.lab.eval.journal import open_journal
    from gridlock.lab.eval.plan import Plan, check_opponent
    from gridlock.lab.eval.prompt import read_template

    if options["suite_only"] and not options["suite"]:
        raise click.UsageError("--suite-only needs --suite N")
    key = options["key"] or (_DEFAULT_KEY if _DEFAULT_KEY in os.environ else None)
    try:
        template = read_template(options["prompt"])
        opponents = options["opponents"] or ("random",)
        plan = Plan(
            base_url=options["base_url"],
            model=options["model"],
            command=options["command"],
            key_variable=key,
            games=options["games"] or tuple(RULEBOOKS),
            opponents=tuple(check_opponent(who, options["base_url"]) for who in opponents),
            count=0 if options["suite_only"] else options["count"],
            suite=options["suite"],
            prompt=options["prompt"],
            template=template.text,
            seed=options["seed"],
            attempts=options["attempts"],
            retries=options["retries"],
            wait=options["retry_wait"],
            timeout=options["timeout"],
            temperature=options["temperature"],
            most_tokens=options["answer_tokens"],
        )
    except (NotationError, GridlockError) as error:
        raise click.UsageError(str(error)) from None
    path = typed_path(options["journal"])
    with open_journal(path, is_new=True) as journal:
        event = journal.write("plan", **plan.write())
        _run(plan, journal, [event], path, options)


def _resume(path: Path, options: dict[str, Any]) -> None:
    """Carry out what is left of a plan."""
    from gridlock.lab.eval.journal import open_journal, read_journal
    from gridlock.lab.eval.plan import read_plan

    with open_journal(path, is_new=False) as journal:
        events = read_journal(path)
        _run(read_plan(events[0]), journal, events, path, options)


def _run(plan: Plan, journal: Any, events: Any, path: Path, options: dict[str, Any]) -> None:
    """Carry out what is left of a plan, and say how it went."""
    from gridlock.lab.eval.model import Secret
    from gridlock.lab.eval.plan import is_model
    from gridlock.lab.eval.trial import UNFINISHED, Budget, Trial

    secret = Secret(plan.key_variable)
    budget = Budget(options["max_requests"], options["max_tokens"])
    others = {who: plan.make_model(secret, who) for who in plan.opponents if is_model(who)}
    trial = Trial(plan, journal, events, budget, plan.make_model(secret))
    total, done = len(trial.left), 0
    is_seen = sys.stderr.isatty()

    def show(_: str) -> None:
        nonlocal done
        done += 1
        if is_seen:
            bar = "=" * (_WIDTH * done // total)
            counts = f"{done} of {total}, {write_count(budget.requests, 'request')}"
            click.echo(f"\r\x1b[K[{bar:<{_WIDTH}}] {counts}", nl=False, err=True)

    try:
        with ExitStack() as ending:
            if is_seen:
                ending.callback(click.echo, "\r\x1b[K", nl=False, err=True)
            ends = trial.run(others, options["at_once"], show)
    except KeyboardInterrupt:
        note(f"gridlock: stopped; gridlock eval --resume {path} goes on")
        raise
    told = ", ".join(f"{count} {how}" for how, count in sorted(ends.items())) or "nothing was left"
    click.echo(f"{told}; {write_count(budget.requests, 'request')} in {path}")
    if ends[UNFINISHED]:
        click.echo(f"The budget is used up. To go on: gridlock eval --resume {path}")
    click.echo(f"The grades: gridlock eval report {path}")


def _serve(who: str, port: int) -> None:
    """Serve one of our own players until Ctrl-C."""
    from gridlock.lab.eval.endpoint import LevelServer

    with LevelServer(who, port) as server:
        click.echo(f"{who} answers at {server.url} (Ctrl-C ends this). To try it:")
        click.echo(f"gridlock eval --base-url {server.url} --model {who} --game duel")
        sys.stdout.flush()
        server.serve_forever()


@eval_.command(
    short_help="Show the grades of a trial.",
    epilog="Example: gridlock eval report eval.jsonl --html report.html",
)
@click.argument("journal", metavar="JOURNAL")
@click.option("--html", metavar="FILE", help="Write one page with everything, to be looked at.")
@click.option("--no-levels", is_flag=True, help="Do not compare with levels 1 to 8: it is faster.")
@click.option(
    "--time", "seconds", default="3", callback=reading(read_seconds), metavar="SECONDS",
    help="For the truth about one position of a board too large to solve.  [default: 3]",
)  # fmt: skip
@JSON
def report(journal: str, html: str | None, no_levels: bool, seconds: float, is_json: bool) -> None:
    """Show the grades of a trial, also of one that still runs.

    Grades are exact; each share has the interval in which the true one lies with 95 % confidence.
    """
    from gridlock.lab.eval.grade import Examiner
    from gridlock.lab.eval.journal import read_journal
    from gridlock.lab.eval.report import Results, make_report

    is_seen = sys.stderr.isatty()

    def show(what: str) -> None:
        if is_seen:
            click.echo(f"\r\x1b[K{what}" if what else "\r\x1b[K", nl=False, err=True)

    results = Results(read_journal(typed_path(journal)))
    examiner = Examiner(seconds)
    made = make_report(results, examiner, with_levels=not no_levels, on_progress=show)
    show("")
    if html is not None:
        from gridlock.lab.eval.page import make_page

        write_atomically(typed_path(html), make_page(results, examiner, made))
    if is_json:
        click.echo(json.dumps(made, indent=1))
    else:
        _show_report(made)
        if html is not None:
            click.echo(f"\nThe page: {html}")


def _show_report(made: dict[str, Any]) -> None:
    """Print the report as tables."""
    from gridlock.lab.eval.sentences import counts, headline, share, tables

    for line in headline(made):
        click.echo(line)
    click.echo()
    print_table(["", "number"], counts(made))
    click.echo(f"\nLegal answers: {share(made['legal'])}")
    for title, headings, rows in tables(made):
        click.echo(f"\n{title}")
        print_table(headings, rows)
