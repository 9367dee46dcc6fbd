"""A report as one page that needs nothing else: figures, pictures, and every game step by step.

Everything is escaped: what models wrote, and their names, are only ever text.
"""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gridlock.lab.eval.report import ALL
from gridlock.lab.eval.sentences import counts, headline, share, tables
from gridlock.model import Player
from gridlock.search.analysis import Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.lab.eval.grade import Examiner
    from gridlock.lab.eval.report import Course, Results
    from gridlock.model import Position
    from gridlock.search.analysis import Analysis

_LEFT, _RIGHT, _LINE = 130, 560, 24  # pixels of a picture
_JSON_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def make_page(results: Results, examiner: Examiner, made: dict[str, Any]) -> str:
    """Return the page of a report."""
    css, script = _file("page.css"), _file("page.js")
    courses = [course for course in results.courses.values() if course.moves or course.answers]
    games = json.dumps([_game(course, examiner) for course in courses]).translate(_JSON_ESCAPES)
    title, *lines = headline(made)
    policy = (
        f"default-src 'none'; style-src '{_hash(css)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    body = [
        f"<h1>{escape(title)}</h1>",
        *(
            f'<p class="{"notice" if made["own_player"] and not number else "grade"}">'
            f"{escape(line)}</p>"
            for number, line in enumerate(lines)
        ),
        f"<p>Legal answers: {escape(share(made['legal']))}. Ranges are intervals of 95 %.</p>",
        "<h2>Kept wins that could be lost</h2>",
        _picture(made["groups"][ALL]["grades"]),
        *(_table(title, headings, rows) for title, headings, rows in tables(made)),
        _table("What was asked", ["", "number"], counts(made)),
        _PLAYER if courses else "",
    ]
    return _PAGE.format(
        policy=escape(policy), title=escape(title), css=css, body="\n".join(body), games=games,
        script=script if courses else "",
    )  # fmt: skip


def _file(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in headings)
    lines = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(text)}</td>" for text in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        f'<h2>{escape(title)}</h2>\n<div class="wide"><table class="figures">'
        f"<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _picture(grades: dict[str, Any]) -> str:
    """Return the shares of kept wins, each with its interval, as an SVG."""
    found = {name: one["telling_wins"] for name, one in grades.items()}
    found = {name: one for name, one in found.items() if one["total"]}
    height = _LINE * (len(found) + 1)
    parts = []
    for percent in range(0, 101, 25):
        at = _at(percent / 100)
        parts.append(f'<line class="rule" x1="{at}" x2="{at}" y1="0" y2="{height - _LINE}"/>')
        parts.append(f'<text x="{at}" y="{height - 6}" text-anchor="middle">{percent} %</text>')
    for number, (name, one) in enumerate(found.items()):
        y = _LINE * number + _LINE // 2
        low, middle, high = (_at(one[end]) for end in ("low", "share", "high"))
        parts.append(
            f'<g class="{"model" if name == "model" else "other"}">'
            f'<text x="0" y="{y + 4}">{escape(name)}</text>'
            f'<line class="range" x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>'
            f'<circle class="point" cx="{middle}" cy="{y}" r="5"/></g>'
        )
    label = "Kept wins of the model, of random play and of the levels on the same positions"
    return (
        f'<svg viewBox="0 0 {_RIGHT + 30} {height}" width="{_RIGHT + 30}" role="img" '
        f'aria-label="{label}">{"".join(parts)}</svg>'
    )


def _at(share: float) -> float:
    return round(_LEFT + share * (_RIGHT - _LEFT), 1)


def _game(course: Course, examiner: Examiner) -> dict[str, Any]:
    """Return a game as the page's script takes it."""
    task = course.task
    first = task.game.rulebook.counting
    ending = f"{course.result}, {course.how}" if course.result else course.how
    title = f"{task.id}: {ending}" if task.opponent else f"{task.id} ({task.difficulty})"
    positions = course.positions()
    return {
        "title": title,
        "rows": [str(first + n) for n in range(task.game.grid.rows)],
        "columns": [str(first + n) for n in range(task.game.grid.columns)],
        "steps": [
            _step(course, number, position, examiner) for number, position in enumerate(positions)
        ],
    }


def _step(course: Course, number: int, position: Position, examiner: Examiner) -> dict[str, Any]:
    """Return a position with the values of its actions, and what was said there."""
    is_over = position.winner is not None
    analysis = None if is_over else examiner.analyse(position)
    chosen = course.moves[number] if number < len(course.moves) else None
    return {
        "cells": _cells(position, analysis),
        "chosen": chosen,
        "status": _status(course, position, analysis, chosen),
        "answers": [
            {"text": answer["text"], "outcome": answer["outcome"]}
            for answer in course.answers.get(number, ())
        ],
    }


def _cells(position: Position, analysis: Analysis | None) -> list[tuple[str, str]]:
    """Return the text on each cell, and what kind of text it is."""
    cells = [("", "")] * position.game.grid.cell_count
    for cell in range(len(cells)):
        for player, kind in ((Player.ONE, "one"), (Player.TWO, "two")):
            if position.marks(player) >> cell & 1:
                cells[cell] = (position.game.rulebook.symbol(player), kind)
        if position.blocked >> cell & 1:
            cells[cell] = ("", "blocked")
    for action in analysis.actions if analysis else ():
        cells[action.cell] = (
            action.label,
            "" if action.value is Value.UNKNOWN else action.value.value,
        )
    return cells


def _status(
    course: Course, position: Position, analysis: Analysis | None, chosen: int | None
) -> str:
    """Return whose turn it is, what the position is worth, and what the choice does to it."""
    game = position.game
    if analysis is None:
        return f"{game.rulebook.symbol(position.mover)} cannot move: the game is over."
    who = "the model" if position.mover is course.task.seat else "the opponent"
    worth = {Value.WIN: "won", Value.LOSS: "lost", Value.UNKNOWN: "not solved"}[analysis.value]
    text = f"{game.rulebook.symbol(position.mover)}, {who}, is to move; the position is {worth}."
    if chosen is None:
        return text
    action = analysis.action(chosen)
    is_mistake = analysis.value is Value.WIN and action.value is Value.LOSS
    return f"{text} Chosen: {game.name(chosen)}{', which gives the win away' * is_mistake}."


_PLAYER = """\
<h2 id="games">The games</h2>
<p class="faint">W5 wins in five actions, L6 loses in six, for whoever is to move.
The arrow keys step.</p>
<div class="steps"><select id="choice" aria-labelledby="games"></select>
<button id="back" type="button">Back</button><button id="forth" type="button">On</button></div>
<p id="status" role="status"></p>
<div class="player"><table class="board" id="board"></table><div id="words"></div></div>"""

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{css}</style>
</head>
<body>
{body}
<script type="application/json" id="data">{games}</script>
<script>{script}</script>
</body>
</html>
"""
