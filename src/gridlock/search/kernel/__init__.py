"""The core: whole searches in plain integers, one idea a module.

    bits      what is asked of a machine word
    table     the transposition table          symmetry  images of sets of cells
    ordering  the children of a node, sorted   search    what all searches share
    board → nimbers → sums → placement         race

The C types of attributes stand in the ``.pxd`` beside each module.  Methods that run without the
GIL return several results by leaving them in attributes, named in their first line.

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
