"""Loads the core compiled as a whole, or leaves the whole of it to be interpreted.

Half of a core would be worse than none: classes of one half cannot be based on the other's, and a
module that was compiled from older source may agree with the others on nothing.
"""

from __future__ import annotations

import importlib
import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, FileFinder, SourceFileLoader
from typing import TYPE_CHECKING

from gridlock.search.kernel.manifest import COMPILED, FAILURE, INTERPRETED_VARIABLE, fingerprint

if TYPE_CHECKING:
    from pathlib import Path


def load(package: str, folder: Path) -> str | None:
    """Import all modules compiled, or none of them; return why none, in one line."""
    if os.environ.get(INTERPRETED_VARIABLE):
        reason: str | None = f"{INTERPRETED_VARIABLE} is set"
    else:
        reason = find_missing(folder) or _import_all(package, folder)
    if reason:
        for name in COMPILED:
            sys.modules.pop(f"{package}.{name}", None)
        sys.path_importer_cache[str(folder)] = FileFinder(
            str(folder), (SourceFileLoader, SOURCE_SUFFIXES)
        )
    return reason


def find_missing(folder: Path) -> str | None:
    """Return what is missing of a compiled core, in one line; None if nothing is."""
    missing = [
        name
        for name in COMPILED
        if not any(_path(folder, name, suffix).exists() for suffix in EXTENSION_SUFFIXES)
    ]
    if not missing:
        return None
    if len(missing) < len(COMPILED):
        return f"not compiled: {', '.join(missing)}"
    if (folder / FAILURE).exists():
        return (folder / FAILURE).read_text("utf-8").strip()
    if any(path.suffix in {".so", ".pyd"} for path in folder.iterdir()):
        return "compiled for another Python"
    return "not compiled when it was installed"


def _path(folder: Path, name: str, suffix: str) -> Path:
    return folder.joinpath(*name.split(".")).with_suffix(suffix)


def _import_all(package: str, folder: Path) -> str | None:
    """Import all compiled modules; return what is wrong with the first bad one, in one line."""
    source = fingerprint(folder)
    for name in COMPILED:
        try:
            module = importlib.import_module(f"{package}.{name}")
        except Exception as error:
            return f"{name} cannot be imported: {' '.join(str(error).split())}"
        if getattr(module, "built_from", None) != source:
            return f"{name} was compiled from other source"
    return None
