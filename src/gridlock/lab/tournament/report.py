"""The table of a tournament: ratings, results and quality, as data, CSV and a picture."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from gridlock.files import write_atomically
from gridlock.lab.tournament.quality import Quality, summarise
from gridlock.lab.tournament.rating import Ratings, rate
from gridlock.lab.tournament.runner import game_counts, pair_counts

if TYPE_CHECKING:
    from gridlock.lab.tournament.ledger import Ledger, Result

_WIDTH, _LEFT, _ROW, _TOP = 720, 220, 28, 40  # pixels of the picture


@dataclass(frozen=True, slots=True)
class Row:
    """A player in the table."""

    place: int
    label: str
    who: str
    games: int
    wins: int
    elo: float
    error: float
    superiority: float | None
    """How likely the player is stronger than the next one in the table."""
    faults: dict[str, int]
    seconds: float
    """How long the player has thought in a game, on average."""
    quality: Quality


def wins_of(count: int, results: list[Result]) -> list[list[float]]:
    """Return how often each player has beaten each other one."""
    wins = [[0.0] * count for _ in range(count)]
    for result in results:
        wins[result.winning][result.losing] += 1
    return wins


def ratings_of(ledger: Ledger) -> Ratings:
    """Return the ratings of all players."""
    return rate(wins_of(len(ledger.plan.players), list(ledger.results.values())))


def rows_of(ledger: Ledger) -> list[Row]:
    """Return the table, the best player first."""
    results = list(ledger.results.values())
    entrants = ledger.plan.entrants()
    ratings = ratings_of(ledger)
    order = sorted(range(len(entrants)), key=lambda player: (-ratings.elo[player], player))
    quality = summarise(len(entrants), results, ledger.quality)
    rows = []
    for place, player in enumerate(order, start=1):
        own = [result for result in results if player in result.players]
        below = order[place] if place < len(order) else None
        faults: dict[str, int] = {}
        for result in own:
            if result.termination and result.losing == player:
                faults[result.termination] = faults.get(result.termination, 0) + 1
        thought = sum(result.milliseconds[result.players.index(player)] for result in own)
        rows.append(
            Row(
                place, entrants[player].label, entrants[player].who, len(own),
                sum(result.winning == player for result in own),
                ratings.elo[player], ratings.error(player),
                None if below is None else ratings.superiority(player, below),
                faults, thought / 1000 / max(1, len(own)), quality[player],
            )
        )  # fmt: skip
    return rows


def test_of(ledger: Ledger) -> dict[str, Any] | None:
    """Return how far the test of a match is, None where there is none."""
    test = ledger.plan.test()
    if test is None:
        return None
    pairs, games = pair_counts(ledger), game_counts(ledger)
    return {
        "elo0": test.elo0, "elo1": test.elo1, "alpha": test.alpha, "beta": test.beta,
        "lower": test.lower, "upper": test.upper,
        "pentanomial": {"counts": pairs, "ratio": test.ratio(pairs)},
        "trinomial": {"counts": games, "ratio": test.ratio(games)},
        "accepted": test.decision(pairs),
    }  # fmt: skip


def as_data(ledger: Ledger) -> dict[str, Any]:
    """Return everything about a tournament but its games."""
    results = list(ledger.results.values())
    ratings = ratings_of(ledger)
    labels = [entrant.label for entrant in ledger.plan.entrants()]
    everybody = range(len(labels))
    return {
        "plan": ledger.plan.as_keys(),
        "games": len(results),
        "regularised": ratings.is_regularised,
        "players": [_row_data(row) for row in rows_of(ledger)],
        "wins": {
            one: dict(zip(labels, map(int, row), strict=True))
            for one, row in zip(labels, wins_of(len(labels), results), strict=True)
        },
        "superiority": {
            labels[one]: {
                labels[two]: round(ratings.superiority(one, two), 4)
                for two in everybody
                if two != one
            }
            for one in everybody
        },
        "sprt": test_of(ledger),
    }


def _row_data(row: Row) -> dict[str, Any]:
    quality = row.quality
    return {
        "place": row.place, "player": row.label, "who": row.who, "games": row.games,
        "wins": row.wins, "losses": row.games - row.wins,
        "elo": round(row.elo, 1), "error": round(row.error, 1), "superiority": row.superiority,
        "faults": row.faults, "seconds_per_game": round(row.seconds, 4),
        "actions": quality.actions, "judged": quality.judged, "won_positions": quality.won,
        "mistakes": len(quality.mistakes), "mistakes_per_100": quality.mistakes_per_100,
        "mistake_turns": {str(t): quality.mistakes.count(t) for t in sorted(set(quality.mistakes))},
        "mean_turn_of_mistakes": quality.mean_turn, "resistance": quality.resistance,
    }  # fmt: skip


def as_csv(ledger: Ledger) -> str:
    """Return the table as comma-separated values."""
    out = io.StringIO()
    rows = [_row_data(row) for row in rows_of(ledger)]
    flat = [key for key in rows[0] if key not in ("faults", "mistake_turns")]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*flat, "faults"])
    for row in rows:
        faults = sum(row["faults"].values())
        writer.writerow(["" if row[key] is None else row[key] for key in flat] + [faults])
    return out.getvalue()


def as_picture(ledger: Ledger) -> str:
    """Return an SVG picture: the ratings, the best on top, with their intervals."""
    rows = rows_of(ledger)
    low = min(row.elo - row.error for row in rows)
    high = max(row.elo + row.error for row in rows)
    span = max(high - low, 1.0)

    def x(elo: float) -> float:
        return round(_LEFT + (elo - low) / span * (_WIDTH - _LEFT - 90), 1)

    height = _TOP + _ROW * len(rows) + 12
    title = f"{ledger.plan.game} {ledger.plan.board().grid}: {len(ledger.results)} games"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="14">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="12" y="24" font-weight="bold">{escape(title)}</text>',
    ]
    for number, row in enumerate(rows):
        y = _TOP + _ROW * number + _ROW // 2
        left, middle, right = x(row.elo - row.error), x(row.elo), x(row.elo + row.error)
        label = row.label if len(row.label) <= 28 else f"{row.label[:27]}…"
        parts += [
            f'<text x="12" y="{y + 5}">{row.place}. {escape(label)}</text>',
            f'<line x1="{left}" y1="{y}" x2="{right}" y2="{y}" stroke="#5b7db1" stroke-width="4"/>',
            f'<circle cx="{middle}" cy="{y}" r="5" fill="#1d3a6b"/>',
            f'<text x="{_WIDTH - 82}" y="{y + 5}">{row.elo:+.0f} ± {row.error:.0f}</text>',
        ]
    return "\n".join([*parts, "</svg>\n"])


def write_reports(ledger: Ledger) -> None:
    """Write the table in all its forms, and the records of all games, into the folder."""
    results = sorted(ledger.results.values(), key=lambda result: result.number)
    folder = ledger.folder
    write_atomically(folder / "table.json", json.dumps(as_data(ledger), indent=1) + "\n")
    write_atomically(folder / "table.csv", as_csv(ledger))
    write_atomically(folder / "table.svg", as_picture(ledger))
    write_atomically(folder / "games.txt", "\n".join(result.record for result in results))
