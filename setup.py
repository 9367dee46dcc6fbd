"""The compiled core: all of it, or nothing.

Where it cannot be compiled the same source runs interpreted, and ``gridlock doctor`` says why.
GRIDLOCK_REQUIRE_COMPILED=1 fails instead; GRIDLOCK_INTERPRETED=1 leaves the core out.

It uses nothing but the stable ABI, so that one wheel serves every Python from 3.11 on.
"""

import os
import re
import runpy
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

KERNEL = Path("src/gridlock/search/kernel")
COPIES = Path("build/wide")
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
        for path in (
            *folder.glob("*"),
            *folder.glob("wide/*"),
        ):  # of an earlier build, perhaps for another Python
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
            include_path=[str(COPIES), "src"],
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


def copy_wide() -> Path:
    """Copy the modules that are compiled a second time, as modules of the package ``wide``."""
    names = "|".join(MANIFEST["WIDE"])
    folder = COPIES / KERNEL.relative_to("src") / "wide"
    folder.mkdir(parents=True, exist_ok=True)
    for package in (folder, *list(folder.parents)[: len(KERNEL.parts) - 1]):
        (package / "__init__.py").touch()
    for name in MANIFEST["WIDE"]:
        for suffix in (".py", ".pxd"):
            text = (KERNEL / f"{name}{suffix}").read_text("utf-8")
            moved = re.sub(rf"\b(gridlock\.search\.kernel)\.({names})\b", r"\1.wide.\2", text)
            (folder / f"{name}{suffix}").write_text(moved, "utf-8")
    return folder


def extensions() -> list[Extension]:
    """Return what is to be compiled."""
    if os.environ.get(MANIFEST["INTERPRETED_VARIABLE"]):
        return []
    macros = [("GRIDLOCK_FINGERPRINT", f"{MANIFEST['fingerprint'](KERNEL)}U"), *STABLE_MACROS]
    wide = copy_wide()

    def extension(name: str) -> Extension:
        package, _, module = name.rpartition(".")
        return Extension(
            f"gridlock.search.kernel.{name}",
            [str((wide if package else KERNEL) / f"{module}.py")],
            define_macros=[*macros, ("GRIDLOCK_WIDE", None)] if package else macros,
            py_limited_api=IS_STABLE,
        )

    return [extension(name) for name in MANIFEST["COMPILED"]]


if __name__ == "__main__":  # the processes that translate in parallel import this file as well
    modules = extensions()
    wheel = {"py_limited_api": "cp311"} if modules and IS_STABLE else {}
    setup(
        cmdclass={"build_ext": BuildCore},
        ext_modules=modules,
        options={"build_ext": {"parallel": JOBS, "force": True}, "bdist_wheel": wheel},
    )
