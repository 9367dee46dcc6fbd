"""The compiled core.

Without a C compiler, or Cython, the same source runs interpreted.  The environment variable
GRIDLOCK_CORE makes that a decision: ``interpreted`` compiles nothing, ``compiled`` fails where
compiling does.
"""

import os
import platform

from setuptools import Extension, setup

CORE = os.environ.get("GRIDLOCK_CORE")
JOBS = os.cpu_count() or 1
KERNEL = "src/gridlock/search/kernel"
MODULES = ("table", "symmetry", "ordering", "search",
           "board", "nimbers", "sums", "placement", "race")  # fmt: skip

ARGUMENTS = [
    "-O3",
    "-g0",  # what a debugger would want takes a quarter of the time to compile
    # Counting bits is one instruction on every x86-64 of the last fifteen years, if one may use it.
    *(["-mpopcnt"] if platform.machine() in {"x86_64", "AMD64"} else []),
]


def extensions() -> list[Extension]:
    """Return what is to be compiled."""
    if CORE == "interpreted":
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        if CORE == "compiled":
            raise
        return []
    modules = [
        Extension(
            f"gridlock.search.kernel.{name}",
            [f"{KERNEL}/{name}.py"],
            extra_compile_args=ARGUMENTS,
            optional=CORE != "compiled",
        )
        for name in MODULES
    ]
    return cythonize(modules, build_dir="build", nthreads=JOBS, quiet=True)


if __name__ == "__main__":  # the processes that translate in parallel import this file as well
    setup(ext_modules=extensions(), options={"build_ext": {"parallel": JOBS}})
