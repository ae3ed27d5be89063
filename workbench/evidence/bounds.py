"""Bounds: measured <= bound at every checkpoint, in expectation or for all but a share of the runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from workbench.evidence import stats
from workbench.evidence._common import (
    MAX_FAILED,
    SIDE,
    check_claim,
    checked_formula,
    checked_table,
    divergence,
    p_either,
    sample,
    unless_failed,
)
from workbench.evidence.distributions import normal_quantile
from workbench.evidence.stats import Estimate, Floats, runs_needed
from workbench.evidence.trends import with_trend
from workbench.evidence.verdicts import Finding, NotEnough, more_runs, more_runs_binomial


def bound(
    values: ArrayLike,
    bound_values: ArrayLike,
    marks: ArrayLike,
    kind: Literal["expectation", "probability"] = "expectation",
    delta: float | None = None,
    *,
    max_failed: float = MAX_FAILED,
    rtol: float = 1e-9,
    tol: float = 0.0,
    trend: bool = True,
) -> Finding:
    """Is measured <= bound at every checkpoint?

    bound_values broadcasts against (runs, M). `expectation` tests the mean over runs. Holding is an intersection-union
    test (every checkpoint must pass at full level). It asks besides that the mean be one of many runs: nothing holds
    where the largest run has more than `CARRIED` of the sum at a checkpoint, and all runs are awaited where the mean is
    more than `FEW` of the bound, or the largest run of the sum. Violation is found by a t-test (Bonferroni over the
    checkpoints) or, where measured/bound is nowhere negative, by betting (`stats.p_betting`), each at half the level:
    the former is sharp where runs differ little, the latter where their tails are heavy. value is the largest mean of
    measured/bound.

    `probability`: a theorem claims "with probability at least 1 - delta" for one horizon and one parameter point, that
    is for each column (cell) separately. So it is violated only if significantly more than a share `delta` of the runs
    exceeds the bound in a single cell (Bonferroni over the columns). It holds if at most that share exceeds it in any
    cell at all, which is sufficient and stronger than the theorem. value is the share of runs that exceed it anywhere;
    the note gives the largest share in a single cell. A failed run exceeds the bound from its failure on.

    trend: the note also gives measured/bound at the horizon and its slope in the tail (`trends`), which means nothing
    where the ratio is not one of positive quantities.

    rtol absorbs rounding where the bound is attained. tol: the share of the bound by which it may be exceeded: a bound
    that holds with equality is never decided without, since no number of runs tells the mean from the bound.

    Raises ValueError for values that are not (runs, M), a bound that is not finite and positive, a tolerance that is
    not positive, an unknown kind, and for `probability` without delta in (0, 1).
    """
    check_claim(1.0, rtol=rtol)
    if not 0 <= tol < np.inf:
        raise ValueError(f"tol is a share of the bound, 0 or more, not {tol:g}")
    marks = np.asarray(marks, float)
    if not marks.size:
        raise NotEnough("there is no mark to read")
    values = checked_table(values, marks.size)
    ratio = values / checked_formula(bound_values, "the bound")
    if kind not in ("expectation", "probability"):
        raise ValueError(f"a bound holds in expectation or with a probability, not {kind!r}")
    if kind == "expectation":
        finding = _in_expectation(ratio, marks, max_failed, (1 + rtol) * (1 + tol))
    elif delta is None or not 0 < delta < 1:
        raise ValueError("kind='probability' needs delta in (0, 1)")
    else:
        finding = _in_probability(ratio, float(marks[-1]), delta, max_failed, (1 + rtol) * (1 + tol))
    finding = replace(finding, tolerance=tol)
    return with_trend(finding, sample(ratio).clean, marks) if trend else finding


CARRIED = 0.25  # share of the sum over runs; a mean that one run carries to that extent is no estimate
MANY = 64  # times as many runs as those of which few carry the mean decide, of lognormal ones up to s = 2
FEW = 0.1  # of the bound, or of the sum over runs: less leaves room for rare runs that a first look does not see

UNSURE = 0.1  # chance that advice does not decide
ATTAINED = 0.03  # the tolerance that is advised where a bound is attained, as levels have


def _in_expectation(ratio: Floats, marks: Floats, max_failed: float, edge: float) -> Finding:
    runs, horizon = sample(ratio), float(marks[-1])
    if runs.too_few(max_failed):
        return divergence("bound", 1.0, runs, horizon, max_failed)
    means = stats.mean_estimates(runs.clean)
    worst = max(means, key=lambda e: e.value)
    betting = 1.0
    if len(runs.clean) >= stats.MIN_RUNS and not runs.identical and (runs.clean >= 0).all():
        betting = stats.p_betting(runs.clean, edge)
    share = 0.0 if runs.identical else _largest_share(runs.clean)
    limits = partial(_largest, means, edge, betting)
    low, high = limits(SIDE)
    by_mean = len(means) * min(e.p_above(edge) for e in means)
    note = f"mean over runs of measured/bound, largest of {marks.size} checkpoints"
    if share:
        note += f"; the largest run has up to {share:.2g} of the sum"
    finding = Finding(
        "bound",
        claimed=1.0,
        value=worst.value,
        low=low,
        high=high,
        p_if_wrong=1.0 if share > CARRIED else max(e.p_below(edge) for e in means),
        p_if_right=p_either(by_mean, betting),
        runs=len(runs.clean),
        horizon=horizon,
        slack=1 / worst.value if worst.value > 0 else np.inf,
        exact=runs.identical,
        provisional=not runs.identical and worst.value < edge and max(worst.value, share) > FEW,
        void="" if (runs.clean > 0).any() else "the bounded quantity is never positive",
        note=runs.note(note),
        decides=f"about {MANY * len(runs.clean)} runs: the mean is carried by few of these"
        if share > CARRIED
        else "",
        limits=limits,
        advice=partial(_runs_for_expectation, means, edge),
        rejects=partial(_rejected_factor, means, edge),
    )
    return unless_failed(finding, runs)


def _largest_share(ratio: Floats) -> float:
    """The share that the largest run has of the sum over runs, at the checkpoint (column) where it is largest."""
    total = ratio.sum(axis=0)
    return float(np.divide(ratio.max(axis=0), total, out=np.zeros_like(total), where=total > 0).max())


def _rejected_factor(means: Sequence[Estimate], edge: float, side: float) -> float:
    """The factor by which the bound may be divided before these data violate it."""
    if not all(e.decides for e in means):
        return np.inf
    low = max(e.interval(side / 2 / len(means))[0] for e in means)
    return max(1.0, edge / low) if low > 0 else np.inf


def _runs_for_expectation(means: Sequence[Estimate], edge: float, side: float) -> str:
    """What would decide at the same means: runs with which all checkpoints are inside, or one outside; a tolerance."""
    worst = max(means, key=lambda e: e.value)
    near = min(2 * worst.se, ATTAINED)
    # Where every checkpoint has noise of its own; with more noise than about the tolerance, runs tell first.
    by_chance = normal_quantile(1 - UNSURE / len(means)) * worst.se if worst.se <= 1.5 * ATTAINED else 0.0
    if edge < 1 + ATTAINED / 2 and -near <= worst.value - edge <= max(near, by_chance):
        runs = runs_needed(worst, ATTAINED, side, 1 - UNSURE / len(means))  # all checkpoints must be inside
        with_runs = f" and about {np.ceil(runs):.0f} runs" if worst.runs < runs < np.inf else ""
        return f"a tolerance (tol={ATTAINED:g}){with_runs}: the bound is attained as far as these show"
    if all(e.value < edge for e in means):
        return more_runs([(e, edge - e.value) for e in means], side)
    clearest = min(means, key=lambda e: e.p_above(edge))
    return more_runs([(clearest, clearest.value - edge)], side / 2 / len(means))


def _in_probability(ratio: Floats, horizon: float, delta: float, max_failed: float, edge: float) -> Finding:
    runs, cells = sample(ratio), ratio.shape[1]
    exceeds = ~(np.isfinite(ratio) & (ratio <= edge))
    bad, worst = int(exceeds.any(axis=1).sum()), int(exceeds.sum(axis=0).max())
    largest = float(runs.clean.max()) if len(runs.clean) else np.nan
    low, high = stats.clopper_pearson(bad, runs.total, SIDE)
    share = worst / runs.total
    somewhere = f"{bad} of {runs.total} runs exceed the bound somewhere"
    note = f"{somewhere}, {worst} (share {share:.3g}) in the worst of {cells} cells"
    return Finding(
        "bound",
        claimed=delta,
        value=bad / runs.total,
        low=low,
        high=high,
        p_if_wrong=stats.p_fewer(bad, runs.total, delta),
        p_if_right=min(1.0, cells * stats.p_more(worst, runs.total, delta)),
        runs=runs.total,
        horizon=horizon,
        slack=1 / largest if largest > 0 else np.nan,
        diverged=runs.too_few(max_failed),
        note=runs.note(note, failed="count as exceeding it"),
        limits=partial(stats.clopper_pearson, bad, runs.total),
        advice=partial(_runs_for_probability, bad, worst, runs.total, delta, cells),
        rejects=partial(_rejected_share, _largest_first(ratio, delta), runs.total, delta, edge),
    )


def _largest_first(ratio: Floats, delta: float) -> Floats:
    """(some, cells): the largest ratios of each cell in decreasing order, more than a test of delta can need.

    A failed run has an infinite ratio.
    """
    runs = len(ratio)
    count = min(runs, int(2 * delta * runs) + 64)
    return -np.sort(-np.where(np.isnan(ratio), np.inf, ratio), axis=0)[:count]


def _rejected_share(largest: Floats, runs: int, delta: float, edge: float, side: float) -> float:
    """The factor by which the bound may be divided before too many runs exceed it in one cell."""
    rows, cells = largest.shape
    enough = next((k for k in range(1, rows + 1) if cells * stats.p_more(k, runs, delta) <= side), 0)
    if not enough:
        return np.inf
    ratio = float(largest[enough - 1].max())  # so many runs lie at or above it
    return max(1.0, edge / ratio) if ratio > 0 else np.inf


def _runs_for_probability(anywhere: int, worst: int, runs: int, delta: float, cells: int, side: float) -> str:
    """The number of runs that would decide at the same shares: the worst cell's if beyond delta, else that of all."""
    if worst > delta * runs:
        return more_runs_binomial(worst, runs, delta, side / cells)
    if anywhere > delta * runs:
        return "fewer cells: too many runs exceed the bound somewhere, though not in any single cell"
    return more_runs_binomial(anywhere, runs, delta, side)


def _largest(means: Sequence[Estimate], edge: float, betting: float, side: float) -> tuple[float, float]:
    """Limits for the largest of several means, consistent with the two p-values of `bound`. betting: its p-value."""
    low = max(e.interval(side / 2 / len(means))[0] for e in means)
    return max(low, edge) if 2 * betting <= side else low, max(e.interval(side)[1] for e in means)
