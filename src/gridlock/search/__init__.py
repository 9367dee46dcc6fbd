"""Looking ahead: who wins, how soon, and why."""

LOWEST_LEVEL, HIGHEST_LEVEL = 1, 8
"""How strong the computer can play; the highest level never errs where it can solve a position."""

ANALYSIS_SECONDS, REVIEW_SECONDS, HINT_SECONDS = 10.0, 60.0, 3.0
"""How long an analysis, the review of a game and a hint may take, unless somebody says more."""
