"""The core of all searches; see ``table`` for what it is.

It is compiled where that was possible.  The variable ``GRIDLOCK_INTERPRETED`` makes Python run the
same source as it stands.
"""

import os
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader

INTERPRETED_VARIABLE = "GRIDLOCK_INTERPRETED"

if os.environ.get(INTERPRETED_VARIABLE):
    for _directory in __path__:
        sys.path_importer_cache[_directory] = FileFinder(
            _directory, (SourceFileLoader, SOURCE_SUFFIXES)
        )
