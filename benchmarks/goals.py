"""Goals of measurements: each is printed with what was reached, and whether that is enough."""

from __future__ import annotations


class Goals:
    """What was to be reached, in all measurements of a run."""

    def __init__(self) -> None:
        self._missed: list[str] = []

    def check(self, goal: str, reached: str, *, is_met: bool) -> None:
        """Print a goal, what was reached, and whether it was met."""
        print(f"  {'met   ' if is_met else 'MISSED'}  {goal}: {reached}", flush=True)
        if not is_met:
            self._missed.append(f"{goal}: {reached}")

    def none(self, **counts: int) -> None:
        """Check that nothing of some kinds has happened."""
        for what, count in counts.items():
            self.check(f"none {what.replace('_', ' ')}", f"{count:,}", is_met=count == 0)

    def conclude(self) -> None:
        """Print which goals were missed."""
        if self._missed:
            print("missed:", *self._missed, sep="\n  ", flush=True)
        else:
            print("every goal was met", flush=True)
