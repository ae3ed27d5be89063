"""The checks as `workbench verify` makes them of a long simulation: look by look
(`workbench.evidence.interim_analyses`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from workbench import evidence
from workbench.evidence.budget import FAMILIES, LEVEL
from workbench.evidence.interim_analyses import at_first, sizes
from workbench.evidence.stats import Floats
from workbench.evidence.verdicts import Finding

FAMILY = 200  # claims decided together: no paper has a larger family (a test counts them)

Check = Callable[..., Finding]


@dataclass(frozen=True)
class Checks:
    """The checks of a paper with so many claims. looks: False for all runs at once."""

    family: int = FAMILY
    looks: bool = True

    @property
    def side(self) -> float:
        """The level, for each direction, at which looks end."""
        return LEVEL / len(FAMILIES) / self.family

    def by_looks(self, at: Callable[[int], Finding], runs: int) -> Finding:
        """The finding at the first look that settles it, of so many runs; or at the last. at(n): of the first n."""
        return at_first(at, sizes(runs), self.side) if self.looks else at(runs)

    def __getattr__(self, name: str) -> Check:
        """The check of this name in `workbench.evidence`, whose first argument is (runs, ...)."""
        if name.startswith("_") or not hasattr(evidence, name):
            raise AttributeError(name)
        return partial(self._finding, getattr(evidence, name))

    def _finding(self, check: Check, values: Floats, *rest: object, **options: object) -> Finding:
        return self.by_looks(lambda n: check(values[:n], *rest, **options), len(values))

    def falsifier(self, values: Floats, marks: Floats, claimed: float, diverges: bool = False) -> Finding:
        """A negative control of `rate`."""

        def control(n: int) -> Finding:
            return evidence.falsifier(evidence.rate(values[:n], marks, claimed), diverges)

        return self.by_looks(control, len(values))

    def same(self, a: Floats, b: Floats, marks: Floats, rtol: float) -> Finding:
        """Both methods' runs are read together."""
        return self.by_looks(lambda n: evidence.same(a[:n], b[:n], marks, rtol=rtol), len(a))

    def crossover(
        self, values: Floats, marks: Floats, parameters: Floats, claimed: float, at: float
    ) -> Finding:
        """Of the finding and the crossings, the finding."""
        return self.by_looks(
            lambda n: evidence.crossover(values[:n], marks, parameters, claimed, at=at)[0], len(values)
        )
