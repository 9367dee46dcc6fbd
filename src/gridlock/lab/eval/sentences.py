"""What a report says, in words and tables, on a terminal and on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gridlock.lab.eval.report import ALL

if TYPE_CHECKING:
    from collections.abc import Iterator

Table = tuple[str, list[str], list[list[str]]]
"""A title, the headings and the rows."""

_GRADES = {
    "kept_wins": "kept wins",
    "telling_wins": "… that could be lost",
    "resisted": "longest resistance",
}
_NONE = "–"


def share(written: dict[str, Any]) -> str:
    """Return a share with its interval: ``83 % (61 to 94), 15 of 18``."""
    if not written["total"]:
        return _NONE
    percent, low, high = (f"{100 * written[end]:.0f}" for end in ("share", "low", "high"))
    return f"{percent} % ({low} to {high}), {written['hits']:g} of {written['total']}"


def _short(written: dict[str, Any]) -> str:
    if not written["total"]:
        return _NONE
    percent, low, high = (f"{100 * written[end]:.0f}" for end in ("share", "low", "high"))
    is_exact = written["low"] == written["high"]
    return f"{percent} %" if is_exact else f"{percent} % ({low}–{high})"


def headline(made: dict[str, Any]) -> list[str]:
    """Return what the report is about, and the grade in one sentence."""
    lines = [f"{made['model']}, prompt {made['plan']['prompt']}"]
    if made["own_player"]:
        lines.append(
            f"The answers came from {made['own_player']}, one of GridLock's own players, "
            "not from a language model."
        )
    likeness = made["groups"][ALL]["plays_like"]
    if likeness:
        lines.append(f"It {likeness['text']}, judged by the won positions that could be lost.")
    if made["unknown"]:
        lines.append(
            f"{made['unknown']} positions could not be solved in time, and are not graded."
        )
    return lines


def counts(made: dict[str, Any]) -> list[list[str]]:
    """Return what was asked and what came, as rows of a table."""
    rows = [["requests", made["requests"]]]
    rows += [[f"{outcome} answers", number] for outcome, number in made["answers"].items()]
    rows += [[f"no answer: {kind}", number] for kind, number in sorted(made["failures"].items())]
    rows += [["no answer: stopped meanwhile", made["interrupted"]]] if made["interrupted"] else []
    rows += [["answers cut off", made["cut_off"]]] if made["cut_off"] else []
    rows += [["tokens", made["tokens"]]] if made["tokens"] else []
    games = made["groups"][ALL]["games"]
    rows += [[f"games {how}", number] for how, number in games.items() if number]
    return [[name, f"{number:,}"] for name, number in rows]


def tables(made: dict[str, Any]) -> Iterator[Table]:
    """Yield the tables of the report."""
    groups = made["groups"]
    yield (
        "Games",
        ["", "wins", *_GRADES.values(), ""],
        [
            [
                name,
                _short(group["wins"]),
                *(_short(group["grades"]["model"][grade]) for grade in _GRADES),
                (group["plays_like"] or {}).get("text", ""),
            ]
            for name, group in groups.items()
        ],
    )
    everything = groups[ALL]
    if len(everything["wins_against"]) > 1:
        rows = [[who, share(wins)] for who, wins in everything["wins_against"].items()]
        yield "Wins by opponent", ["against", "wins"], rows
    grades = everything["grades"]
    yield (
        "On the same positions",
        ["", *_GRADES.values()],
        [[who, *(_short(found[grade]) for grade in _GRADES)] for who, found in grades.items()],
    )
    for key, title in (
        ("by_distance", "Kept wins that could be lost, by distance to the end"),
        ("suite", "Positions of the suite answered right, by difficulty"),
    ):
        names = list(grades["model"][key])
        if names:
            rows = [[who, *(_short(found[key][n]) for n in names)] for who, found in grades.items()]
            yield title, ["", *names], rows
