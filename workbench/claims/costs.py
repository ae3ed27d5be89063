"""Costs: the exponent of eps in the calls that bring a curve below eps, read off the curve's slope over its calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from workbench.claims.claims import OfClaim, Results
from workbench.claims.plan import UNPLANNED, Plan
from workbench.claims.readings import Rate
from workbench.claims.views import View
from workbench.engine.records import Result
from workbench.evidence import Finding


@dataclass(frozen=True)
class Complexity(OfClaim):
    """Is a metric below eps after so many calls, as far as the horizon shows? claim: of its curve over the calls."""

    claim: Rate
    name: str

    evidence: ClassVar[str] = "complexity"

    @property
    def experiment(self) -> str:
        return self.name

    @property
    def parts(self) -> tuple[str, ...]:
        return (*self.claim.parts, self.claim.tag)

    def finding(self, results: Results, plan: Plan = UNPLANNED) -> Finding:
        return as_complexity(self.claim.finding(results, plan))


def as_complexity(finding: Finding) -> Finding:
    """The finding that the curve is O(N^s), s < 0, as the finding that the calls are O(eps^(1/s))."""

    def inverse(low: float, high: float) -> tuple[float, float]:
        return (1.0 / high if high < 0.0 else -np.inf), (1.0 / low if low < 0.0 else -np.inf)

    def wrong_by(error: float) -> float:
        """The error of the exponent of eps where the slope is claimed this much steeper: fewer calls than it takes."""
        return abs(1.0 / finding.claimed - 1.0 / (finding.claimed - error)) if np.isfinite(error) else error

    low, high = inverse(finding.low, finding.high)
    limits, rejects, admits = finding.limits, finding.rejects, finding.admits
    return replace(
        finding,
        evidence="complexity",
        claimed=1.0 / finding.claimed,
        value=1.0 / finding.value if finding.value < 0.0 else -np.inf if finding.value >= 0.0 else np.nan,
        low=low,
        high=high,
        note=f"exponent of eps in the oracle calls, from the slope {finding.value:.4f} over them; {finding.note}",
        limits=None if limits is None else lambda side: inverse(*limits(side)),
        rejects=None if rejects is None else lambda side: wrong_by(rejects(side)),
        admits=None if admits is None else lambda side: wrong_by(admits(side)),
    )


def over_calls(view: View, calls: Callable[[Result], np.ndarray], shift: int = 0) -> View:
    """A view over t as one over calls. calls: result -> (M,), calls of one run up to each mark; t = mark - shift."""

    def read(result: Result, table: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        values, t = view.read(result, table, mask)
        return values, calls(result)[np.searchsorted(result.marks, t + shift)]

    return View(read)
