"""Helpers shared by several kinds of evidence: finite runs, p-values of an interval, findings from one estimate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from workbench.evidence import stats
from workbench.evidence.stats import Estimate, Floats
from workbench.evidence.verdicts import Finding, NotEnough, more_runs, more_runs_binomial

SIDE = 0.01  # error probability on each side of the interval that a finding carries by itself
MAX_FAILED = 0.05  # share of failed runs that a true claim may show (overflow, a step limit)
# Errors of a claimed exponent among which a sensitivity is looked for, 8 % apart. Up to 4: the printed bound on a count
# may have an exponent larger by 1 than the count's own, and an error of 2 is still an error that would be noticed.
ERRORS = tuple(float(e) for e in np.geomspace(0.01, 4.0, 79))
Window = tuple[float, float]


def checked_formula(values: ArrayLike, what: str) -> Floats:
    """A bound or a predicted level as numbers.

    Raises ValueError unless all are finite and positive: outside its domain a formula is meaningless and must produce
    neither a pass nor a refutation.
    """
    numbers = np.asarray(values, float)
    if not (np.isfinite(numbers) & (numbers > 0)).all():
        raise ValueError(f"{what} must be finite and positive wherever it is compared with a measurement")
    return numbers


def check_claim(claimed: float, **tolerances: float) -> None:
    """Raises ValueError unless the claimed number is finite and each tolerance positive and finite."""
    if not np.isfinite(claimed):
        raise ValueError(f"the claimed exponent must be a finite number, got {claimed}")
    for name, value in tolerances.items():
        if not 0 < value < np.inf:
            raise ValueError(f"{name} must be a positive finite number, got {value}")


def checked_marks(marks: ArrayLike) -> Floats:
    """The marks as floats. Raises ValueError unless they are (M,), positive and increasing."""
    array = np.asarray(marks, float)
    if array.shape == (0,):
        raise NotEnough("there is no mark to read")
    if array.ndim != 1 or not array.size or not (array[0] > 0 and (np.diff(array) > 0).all()):
        raise ValueError(f"marks must be positive and increasing, of shape (M,), got {array.tolist()}")
    return array


def checked_table(values: ArrayLike, columns: int) -> Floats:
    """The values as floats. Raises ValueError unless their shape is (runs, columns) with at least one run."""
    table = np.asarray(values, float)
    if table.ndim != 2 or table.shape[1] != columns or not len(table):
        raise ValueError(f"expected values of shape (runs, {columns}), got {table.shape}")
    return table


@dataclass(frozen=True)
class Sample:
    """The finite runs, and the number of failed ones (with a non-finite entry)."""

    clean: Floats
    failed: int

    @property
    def total(self) -> int:
        return len(self.clean) + self.failed

    def too_few(self, max_failed: float) -> bool:
        """Whether too few runs are left to judge by: there are none, or more than a share `max_failed` failed."""
        return not len(self.clean) or self.failed > max_failed * self.total

    @property
    def identical(self) -> bool:
        """Whether there are several runs, and all of them agree bit for bit."""
        return len(self.clean) > 1 and stats.identical(self.clean)

    def note(self, text: str, failed: str = "are left out") -> str:
        """The text, extended by caveats about the runs behind it. failed: how failed runs are treated."""
        if self.failed:
            text += f"; {self.failed} of {self.total} runs failed and {failed}"
        if self.identical:
            return text + "; all runs are identical: exact for this start, no evidence about others"
        return text + (rare_runs_note(self.total) if len(self.clean) > 1 else "")


def rare_runs_note(runs: int) -> str:
    """Says in words how many of all runs could misbehave without being among these; nothing for a single run."""
    return (
        f"; a share of runs up to {stats.unseen_share(runs, SIDE):.2g} could misbehave unseen"
        if runs > 1
        else ""
    )


def sample(table: Floats) -> Sample:
    """The runs (axis 0) of a table that are finite everywhere; further axes are arbitrary."""
    ok = np.isfinite(table).reshape(len(table), -1).all(1)
    return Sample(table[ok], int((~ok).sum()))


def divergence(evidence: str, claimed: float, runs: Sample, horizon: float, max_failed: float) -> Finding:
    """The finding where too many runs failed: it never holds, and is violated if their share exceeds `max_failed`.

    The surviving runs are a selected sample, so their values play no part in the decision.
    """
    failed, total = runs.failed, runs.total
    low, high = stats.clopper_pearson(failed, total, SIDE)
    return Finding(
        evidence,
        claimed=claimed,
        value=np.nan,
        low=np.nan,
        high=np.nan,
        p_if_wrong=1.0,
        p_if_right=stats.p_more(failed, total, max_failed),
        runs=total,
        horizon=horizon,
        diverged=True,
        note=f"{failed} of {total} runs failed (share {low:.2g}..{high:.2g}, allowed {max_failed:g})",
        advice=partial(more_runs_binomial, failed, total, max_failed),
    )


def unless_failed(finding: Finding, runs: Sample) -> Finding:
    """The finding on an expectation; it cannot hold where a run has failed, which counts as infinite.

    Otherwise one diverging run in a hundred would be removed from the sample, and with it the expectation.
    """
    finding = replace(finding, of_mean=True)
    if not runs.failed:
        return finding
    low, high = stats.clopper_pearson(runs.failed, runs.total, SIDE)
    why = f"runs that do not fail: a share of {low:.2g} to {high:.2g} of them does, and the expectation with them"
    return replace(finding, p_if_wrong=1.0, decides=finding.decides or why)


def smallest_rejected(p: Sequence[Floats], side: float) -> float:
    """The smallest of `ERRORS` that is rejected together with all larger ones; infinite if none is.

    p: for each of the conditions of a rejection, its p-value at each of `ERRORS`.
    """
    compatible = np.flatnonzero(np.maximum.reduce(p) > side)
    first = compatible[-1] + 1 if compatible.size else 0
    return ERRORS[first] if first < len(ERRORS) else np.inf


def admitted_error(estimate: Estimate, claimed: float, tol: float, side: float) -> float:
    """The error of a claimed exponent, in either direction, up to which the claim would still hold."""
    low, high = estimate.interval(side)
    return max(claimed + tol - high, low - (claimed - tol), 0.0)


def p_inside(estimate: Estimate, low: float, high: float) -> float:
    """p-value for "the truth lies between low and high": two one-sided tests, both of which must pass."""
    return max(estimate.p_above(low), estimate.p_below(high))


def p_either(slow: float, fast: float) -> float:
    """p-value for "outside on one of the two sides" from the two one-sided p-values (Bonferroni)."""
    return min(1.0, 2 * min(slow, fast))


def estimate_finding(
    evidence: str,
    claimed: float,
    estimate: Estimate,
    p_if_wrong: float,
    p_if_right: float,
    *,
    runs: Sample,
    margins: Sequence[tuple[Estimate, float]],
    **fields: Any,
) -> Finding:
    """The finding whose value and interval are those of one estimate. margins: see `more_runs`.

    It is exact only if all of its runs are identical. An estimate may be without spread although they differ, as the
    slope in the tail of curves that differ before; then the p-values are those of the other estimates.
    """
    low, high = estimate.interval(SIDE)
    return Finding(
        evidence,
        claimed=float(claimed),
        value=estimate.value,
        low=low,
        high=high,
        p_if_wrong=p_if_wrong,
        p_if_right=p_if_right,
        runs=estimate.runs,
        exact=runs.identical,
        limits=estimate.interval,
        advice=partial(more_runs, list(margins)),
        **fields,
    )
