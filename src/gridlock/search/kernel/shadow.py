"""What the kernel needs of the module ``cython`` where it is not installed."""

from __future__ import annotations

from contextlib import nullcontext

compiled = False
nogil = nullcontext()
gil = nullcontext()
