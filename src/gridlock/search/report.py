"""Analyses and reviews as plain data: what ``--json`` prints, and what the web app answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gridlock.model import Player
from gridlock.search.analysis import Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gridlock.model import Game
    from gridlock.search.analysis import Analysis
    from gridlock.search.review import Review


def report_analysis(analysis: Analysis, first: Player, moves: Sequence[int]) -> dict[str, Any]:
    """Return an analysis, and how its position came about, as an object of JSON."""
    position = analysis.position
    game = position.game
    return {
        "game": game.rulebook.id,
        "size": str(game.grid),
        "first": first,
        "moves": _names(game, moves),
        "position": str(position),
        "mover": position.mover,
        "phase": position.phase,
        "winner": position.winner,
        "value": analysis.value,
        "distance": analysis.distance,
        "estimate": _rounded(analysis.estimate),
        "limit": analysis.limit,
        "actions": [
            {
                "cell": game.name(action.cell),
                "value": action.value,
                "distance": action.distance,
                "estimate": _rounded(action.estimate),
                "line": _names(game, action.line),
            }
            for action in analysis.actions
        ],
    }


def report_review(review: Review) -> dict[str, Any]:
    """Return a review as an object of JSON."""
    record = review.record
    game = record.game
    return {
        "game": game.rulebook.id,
        "size": str(game.grid),
        "first": record.first,
        "players": record.players,
        "result": record.result,
        "complete": review.is_complete,
        "limit": review.limit,
        "actions": [
            {
                "number": action.number,
                "turn": action.turn,
                "player": action.player,
                "cell": game.name(action.cell),
                "before": action.before,
                "after": action.after,
                "estimate_before": _rounded(action.estimate_before),
                "estimate_after": _rounded(action.estimate_after),
                "mistake": action.is_mistake,
                "doubtful": action.is_doubtful,
                "better": _names(game, action.better),
                "punishment": None
                if action.punishment is None
                else _names(game, action.punishment),
            }
            for action in review.actions
        ],
        "summary": {
            str(player.value): {
                "actions": review.count(player),
                "won_positions": review.count(player, Value.WIN),
                "mistakes": len(review.mistakes(player)),
                "doubtful": len(review.doubtful(player)),
                "resigned_a_win": review.resigned_a_win is player,
            }
            for player in Player
        },
    }


def _rounded(chance: float | None) -> float | None:
    """Return an estimate with as many digits as anybody can believe."""
    return None if chance is None else round(chance, 3)


def _names(game: Game, cells: Sequence[int]) -> list[str]:
    return [game.name(cell) for cell in cells]
