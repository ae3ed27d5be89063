"""Bounds: measured <= bound at every checkpoint, in expectation or for all but a share of the runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from workbench import stats
from workbench.evidence._common import MAX_FAILED, SIDE, checked_formula, checked_table, diverged, sample
from workbench.stats import Estimate, Floats
from workbench.verdicts import Finding, more_runs, more_runs_binomial


def bound(
    values: ArrayLike,
    bound_values: ArrayLike,
    marks: ArrayLike,
    kind: Literal["expectation", "probability"] = "expectation",
    delta: float | None = None,
    *,
    max_failed: float = MAX_FAILED,
    rtol: float = 1e-9,
) -> Finding:
    """Is measured <= bound at every checkpoint?

    bound_values broadcasts against (runs, M). `expectation`: the mean over runs; holding is an
    intersection-union test (every checkpoint must pass at full level), violating pays Bonferroni over the
    checkpoints. `probability`: at most a share `delta` of the runs may exceed it anywhere (Clopper-Pearson);
    failed runs exceed it. value is the largest mean of measured/bound, or the share of exceeding runs.
    rtol covers rounding where the bound is attained.

    Raises ValueError for values that are not (runs, M), a bound that is not finite and positive, an unknown kind, and
    for `probability` without delta in (0, 1).
    """
    marks = np.asarray(marks, float)
    values = checked_table(values, marks.size)
    ratio = values / checked_formula(bound_values, "the bound")
    if kind not in ("expectation", "probability"):
        raise ValueError(f"a bound holds in expectation or with a probability, not {kind!r}")
    if kind == "expectation":
        return _in_expectation(ratio, marks, max_failed, rtol)
    if delta is None or not 0 < delta < 1:
        raise ValueError("kind='probability' needs delta in (0, 1)")
    return _in_probability(ratio, float(marks[-1]), delta, rtol)


def _in_expectation(ratio: Floats, marks: Floats, max_failed: float, rtol: float) -> Finding:
    runs, horizon = sample(ratio), float(marks[-1])
    if runs.too_few(max_failed):
        return diverged("bound", 1.0, runs, horizon, max_failed)
    found = stats.mean_estimates(runs.clean)
    edge, worst = 1 + rtol, max(found, key=lambda e: e.value)
    low, high = _largest(found, SIDE)
    return Finding(
        "bound",
        claimed=1.0,
        value=worst.value,
        low=low,
        high=high,
        p_holds=max(e.p_below(edge) for e in found),
        p_violated=min(1.0, len(found) * min(e.p_above(edge) for e in found)),
        runs=len(runs.clean),
        horizon=horizon,
        slack=1 / worst.value if worst.value > 0 else np.inf,
        exact=stats.identical(runs.clean) and len(runs.clean) > 1,
        note=runs.note(f"mean over runs of measured/bound, largest of {marks.size} checkpoints"),
        limits=partial(_largest, found),
        advice=partial(more_runs, [(worst, edge - worst.value)]),
    )


def _in_probability(ratio: Floats, horizon: float, delta: float, rtol: float) -> Finding:
    runs = sample(ratio)
    bad = runs.failed + int((runs.clean > 1 + rtol).any(axis=1).sum())
    largest = float(runs.clean.max()) if len(runs.clean) else np.nan
    low, high = stats.clopper_pearson(bad, runs.total, SIDE)
    return Finding(
        "bound",
        claimed=delta,
        value=bad / runs.total,
        low=low,
        high=high,
        p_holds=stats.p_fewer(bad, runs.total, delta),
        p_violated=stats.p_more(bad, runs.total, delta),
        runs=runs.total,
        horizon=horizon,
        slack=1 / largest if largest > 0 else np.nan,
        note=runs.note(f"{bad} of {runs.total} runs exceed the bound somewhere"),
        limits=partial(stats.clopper_pearson, bad, runs.total),
        advice=partial(more_runs_binomial, bad / runs.total, delta),
    )


def _largest(found: Sequence[Estimate], side: float) -> tuple[float, float]:
    """Limits for the largest of several means, consistent with the two p-values of `bound`."""
    low = max(e.interval(side / len(found))[0] for e in found)
    return low, max(e.interval(side)[1] for e in found)
