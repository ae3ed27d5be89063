"""The probability 1 - delta of Theorems 1, 2, 5 and 6 is that of both levels together, at all t."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench import evidence
from workbench.claims import UNPLANNED, Bound, Claim, Plan, Results, identifiers
from workbench.evidence import Finding


@dataclass(frozen=True)
class Both(Claim):
    """measured <= bound on both levels at once, in all but a share delta of the runs.

    outer, inner: the bounds of the two levels on one simulation.
    """

    outer: Bound
    inner: Bound

    @property
    def key(self) -> str:
        return self.outer.key

    @property
    def evidence(self) -> str:
        return "bound"

    @property
    def experiment(self) -> str:
        return f"{self.outer.experiment}; with {self.inner.shown or self.inner.metric} at once"

    @property
    def parts(self) -> tuple[str, ...]:
        return (*self.outer.parts, "with", identifiers.metric(self.inner.metric))

    @property
    def needs(self) -> tuple[str, ...]:
        return self.outer.needs

    @property
    def metrics(self) -> tuple[str, ...]:
        return (*self.outer.metrics, *self.inner.metrics)

    @property
    def bound(self) -> Bound:
        return self.outer

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        """Raises ValueError if the levels are not read at the same marks, or have not the same delta."""
        result = results[self.outer.sim.key]
        ratios, failures, horizons = [], set(), []
        for level in (self.outer, self.inner):
            values, marks = level.read(result, level.metric)
            bound, _ = level.read(result, level.curves)
            ratios.append(values / bound)
            failures.add(level.failure(level.known(result)))
            horizons.append(marks)
        if len(failures) > 1 or not np.array_equal(horizons[0], horizons[1]):
            raise ValueError(f"{self.experiment}: both levels need the same marks and the same probability")
        worse = np.maximum(ratios[0], ratios[1])
        return evidence.bound(worse, np.ones_like(worse), horizons[0], "probability", failures.pop())


def jointly(outer: tuple[Bound, ...], inner: tuple[Bound, ...], form: str) -> tuple[Bound | Both, ...]:
    """The bounds of the outer level, that of one form together with the inner level's."""
    (with_it,) = (bound for bound in inner if bound.form == form)
    return tuple(Both(bound, with_it) if bound.form == form else bound for bound in outer)
