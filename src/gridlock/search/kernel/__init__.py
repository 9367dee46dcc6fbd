"""The core of all searches; see ``table`` for what it is.

It is compiled where that was possible.  The variable ``GRIDLOCK_INTERPRETED`` makes Python run the
same source as it stands.
"""

import os
import sys
from importlib import util
from pathlib import Path

INTERPRETED_VARIABLE = "GRIDLOCK_INTERPRETED"

if os.environ.get(INTERPRETED_VARIABLE):
    for _name in ("table", "placement", "race"):
        _spec = util.spec_from_file_location(
            f"{__name__}.{_name}", Path(__file__).with_name(f"{_name}.py")
        )
        if _spec is not None and _spec.loader is not None:
            sys.modules[_spec.name] = util.module_from_spec(_spec)
            _spec.loader.exec_module(sys.modules[_spec.name])
