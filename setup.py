"""The optional extension: without a C compiler, or Cython, the same source runs interpreted."""

import platform

from setuptools import Extension, setup

try:
    from Cython.Build import cythonize
except ImportError:
    extensions = []
else:
    # Counting bits is one instruction on every x86-64 of the last fifteen years, if one may use it.
    arguments = ["-O3"] + ["-mpopcnt"] * (platform.machine() in {"x86_64", "AMD64"})
    modules = [
        Extension(
            f"gridlock.search.kernel.{name}",
            [f"src/gridlock/search/kernel/{name}.py"],
            extra_compile_args=arguments,
            optional=True,
        )
        for name in ("table", "board", "nimbers", "sums", "placement", "race")
    ]
    extensions = cythonize(modules, build_dir="build")

setup(ext_modules=extensions)
