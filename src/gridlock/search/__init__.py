"""Looking ahead: who wins, how soon, and why."""

LOWEST_LEVEL, HIGHEST_LEVEL = 1, 8
"""How strong the computer can play; the highest level never errs where it can solve a position."""

ANALYSIS_SECONDS, REVIEW_SECONDS = 10.0, 60.0
"""How long an analysis, and the review of a game, may take where nothing else is asked for."""
