"""The compiled core: all of it, or nothing.

Where it cannot be compiled the same source runs interpreted, and ``gridlock doctor`` says why.
GRIDLOCK_REQUIRE_COMPILED=1 fails instead; GRIDLOCK_INTERPRETED=1 leaves the core out.

It uses nothing but the stable ABI, so that one wheel serves every Python from 3.11 on.
"""

import os
import runpy
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

KERNEL = Path("src/gridlock/search/kernel")
MANIFEST = runpy.run_path(str(KERNEL / "manifest.py"))
JOBS = os.cpu_count() or 1

FLAGS = [
    "-O3",
    "-g0",  # what a debugger would want takes a quarter of the time to compile
    # Counting bits is one instruction on every x86-64 of the last fifteen years, if one may use it.
    *(["-mpopcnt"] if sysconfig.get_platform().endswith("x86_64") else []),
]
MSVC_FLAGS = ["/O2"]

# Without the global lock, and in other Pythons than CPython, there is no stable ABI yet.
IS_STABLE = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
STABLE_MACROS = [("Py_LIMITED_API", "0x030B0000")] if IS_STABLE else []


class BuildCore(build_ext):
    """Builds all extensions, or, unless they are required, none."""

    def run(self) -> None:
        """Build; if that fails leave nothing but a note that says why."""
        folder = KERNEL if self.inplace else Path(self.build_lib, *KERNEL.parts[1:])
        for path in folder.glob("*"):  # of an earlier build, perhaps for another Python
            if path.suffix in {".so", ".pyd"} or path.name == MANIFEST["FAILURE"]:
                path.unlink()
        try:
            super().run()
        except Exception as error:
            for path in map(Path, self.get_outputs()):
                path.unlink(missing_ok=True)
            self.extensions = []
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            folder.mkdir(parents=True, exist_ok=True)
            (folder / MANIFEST["FAILURE"]).write_text(f"not compiled: {reason}\n", "utf-8")
            if os.environ.get("GRIDLOCK_REQUIRE_COMPILED"):
                raise
            self.warn(f"the core is not compiled, and will be slow: {reason}")

    def build_extensions(self) -> None:
        """Translate all modules, and compile them with the flags of this compiler."""
        from Cython.Build import cythonize

        # Each one has the fingerprint of all: none is left as it is when another has changed.
        translated = cythonize(
            [Extension(module.name, module.sources) for module in self.extensions],
            build_dir="build",
            force=True,
            nthreads=JOBS,
            quiet=True,
        )
        sources = {module.name: module.sources for module in translated}
        for module in self.extensions:
            module.sources = sources[module.name]
            is_msvc = self.compiler.compiler_type == "msvc"
            module.extra_compile_args = MSVC_FLAGS if is_msvc else FLAGS
        super().build_extensions()


def extensions() -> list[Extension]:
    """Return what is to be compiled."""
    if os.environ.get(MANIFEST["INTERPRETED_VARIABLE"]):
        return []
    fingerprint = MANIFEST["fingerprint"](KERNEL)
    return [
        Extension(
            f"gridlock.search.kernel.{name}",
            [str(KERNEL / f"{name}.py")],
            define_macros=[("GRIDLOCK_FINGERPRINT", f"{fingerprint}U"), *STABLE_MACROS],
            py_limited_api=IS_STABLE,
        )
        for name in MANIFEST["MODULES"]
    ]


if __name__ == "__main__":  # the processes that translate in parallel import this file as well
    modules = extensions()
    wheel = {"py_limited_api": "cp311"} if modules and IS_STABLE else {}
    setup(
        cmdclass={"build_ext": BuildCore},
        ext_modules=modules,
        options={"build_ext": {"parallel": JOBS, "force": True}, "bdist_wheel": wheel},
    )
