"""Puzzles: positions with one winning cell again and again, and a person's way through them."""
