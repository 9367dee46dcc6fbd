"""Modules of the folder above, compiled for sets of cells that are two words: see ``manifest``."""
