"""Experiments with the games: each module here is a program of its own."""
