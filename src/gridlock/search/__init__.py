"""Looking ahead: who wins, how soon, and why."""

LOWEST_LEVEL, HIGHEST_LEVEL = 1, 8
"""How strong the computer can play; the highest level never errs where it can solve a position."""
