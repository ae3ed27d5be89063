"""Parameters other than the horizon: how a value (`scaling`) or a crossover (`crossover`) depends on one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from workbench.evidence import rates, stats
from workbench.evidence._common import (
    MAX_FAILED,
    SIDE,
    Sample,
    admitted_error,
    check_claim,
    checked_formula,
    checked_marks,
    checked_table,
    divergence,
    estimate_finding,
    p_either,
    p_inside,
    sample,
    unless_failed,
)
from workbench.evidence.stats import Estimate, Floats
from workbench.evidence.verdicts import Finding, NotEnough, more_runs

SCALING_TOL = 0.05  # a few values of a parameter tell two exponents apart less well than a curve does
VALUES = "values of the parameter over a wider range"


def scaling(
    values: ArrayLike,
    params: ArrayLike,
    claimed: float,
    tol: float = SCALING_TOL,
    *,
    drift_tol: float | None = None,
    max_failed: float = MAX_FAILED,
) -> Finding:
    """Exponent of the mean in a parameter: values (runs, G) at params (G,), paired over runs, horizon fixed.

    Two-sided. holds: the slope over the whole grid lies inside claimed +- tol, and the change of slope between the two
    halves (of a fitted parabola) inside +-drift_tol (default 2 tol), so that 1 + x is not mistaken for x^1/2. violated:
    the slopes over the whole grid and both halves are outside on the same side. A curved relation with one end near the
    claim stays inconclusive: another parameter range would decide. Only the range of these values is judged: other
    powers that are small there are not looked for.

    Raises ValueError for values that are not (runs, G), parameters that are not positive, a claimed exponent that is
    not finite and tolerances that are not positive; `NotEnough` for fewer than three values of the parameter, of which
    two show no bend.
    """
    drift_tol = 2 * tol if drift_tol is None else drift_tol
    check_claim(claimed, tol=tol, drift_tol=drift_tol)
    x = np.log(checked_formula(params, "the parameter"))
    if (count := len(np.unique(x))) < 3:
        raise NotEnough(f"a scaling needs three values of the parameter, got {count}", VALUES)
    runs = sample(checked_table(values, x.size))
    if runs.too_few(max_failed):
        return divergence("scaling", claimed, runs, np.nan, max_failed)
    weights = _parabola_weights(x)
    whole, lower, upper, drift = stats.jackknife(runs.clean, lambda means: rates.log_mean(means) @ weights)
    slow = max(e.p_above(claimed + tol) for e in (whole, lower, upper))
    fast = max(e.p_below(claimed - tol) for e in (whole, lower, upper))
    bend = min(drift.p_above(drift_tol), drift.p_below(-drift_tol))  # what is so by chance needs more runs
    low, high = float(np.exp(x.min())), float(np.exp(x.max()))
    margins = [(whole, tol - abs(whole.value - claimed)), (drift, drift_tol - abs(drift.value))]
    finding = estimate_finding(
        "scaling",
        claimed,
        whole,
        p_if_wrong=max(p_inside(whole, claimed - tol, claimed + tol), p_inside(drift, -drift_tol, drift_tol)),
        p_if_right=p_either(slow, fast),
        runs=runs,
        note=runs.note(
            f"{count} values from {low:.3g} to {high:.3g}, and nothing is said of others; tolerance {tol:g}; half "
            f"slopes {lower.value:.3f} and {upper.value:.3f}"
        ),
        decides="another parameter range: the relation is curved" if bend <= SIDE else "",
        margins=margins,
        rejects=partial(_rejected_error, (whole, lower, upper), claimed, tol),
        admits=partial(admitted_error, whole, claimed, tol),
    )
    return unless_failed(replace(finding, span=(low, high), tolerance=tol), runs)


def _rejected_error(slopes: Sequence[Estimate], claimed: float, tol: float, side: float) -> float:
    """The error of the claimed exponent, in either direction, at which all these estimates lie outside."""
    if not all(e.decides for e in slopes):
        return np.inf
    limits = [e.interval(side / 2) for e in slopes]
    return max(max(h for _, h in limits) - claimed, claimed - min(a for a, _ in limits)) + tol


def _parabola_weights(x: Floats) -> Floats:
    """(G, 4) weights on log means: slope, parabola's slope at 1/4 and 3/4 of the range, their difference."""
    line = rates.slope_weights(x)
    centre, length = (x.max() + x.min()) / 2, x.max() - x.min()
    _, linear, square = np.linalg.pinv(np.vander(x - centre, 3, increasing=True))
    lower, upper = linear - square * length / 2, linear + square * length / 2
    return np.stack([line, lower, upper, upper - lower], axis=1)


def crossover(
    values: ArrayLike,
    marks: ArrayLike,
    sigmas: ArrayLike,
    claimed: float,
    at: float,
    inside: tuple[float, float] | None = None,
    tol: float = 0.1,
) -> list[Finding]:
    """How the horizon T_x at which the local slope crosses `at` scales with sigma: T_x ~ sigma^claimed.

    values (runs, S, M) for S >= 2 values of sigma. Returns the finding on the exponent (two-sided, +-tol)
    and, if `inside` is given, one on T_x * sigma^-claimed lying inside that interval for every sigma.

    Raises ValueError for values that are not (runs, S, M), and for too few or too narrow marks for local slopes.
    """
    check_claim(claimed, tol=tol)
    marks, log_s = checked_marks(marks), np.log(np.asarray(sigmas, float))
    table, horizon = np.asarray(values, float), float(marks[-1])
    if table.ndim != 3 or table.shape[1:] != (log_s.size, marks.size):
        raise ValueError(f"expected values of shape (runs, {log_s.size}, {marks.size}), got {table.shape}")
    runs = sample(table)
    if runs.too_few(MAX_FAILED):
        return [divergence("scaling", claimed, runs, horizon, MAX_FAILED)]
    functional = partial(_exponent_and_products, marks=marks, log_s=log_s, claimed=claimed, at=at)
    exponent, *products = stats.jackknife(runs.clean, functional)
    note = runs.note(f"horizon at which the local slope crosses {at:g}")
    decides = "" if np.isfinite(exponent.value) else "longer horizon or other sigma: no crossing in view"
    p_if_wrong, p_if_right = _p_all_inside([exponent], claimed - tol, claimed + tol)
    margins = [(exponent, tol - abs(exponent.value - claimed))]
    finding = estimate_finding(
        "scaling",
        claimed,
        exponent,
        p_if_wrong,
        p_if_right,
        runs=runs,
        horizon=horizon,
        note=note,
        decides=decides,
        margins=margins,
        rejects=partial(_rejected_error, (exponent,), claimed, tol),
        admits=partial(admitted_error, exponent, claimed, tol),
    )
    if inside is None:
        return [unless_failed(finding, runs)]
    product = _product_finding(products, inside, runs, horizon, note, decides)
    return [unless_failed(finding, runs), unless_failed(product, runs)]


def _exponent_and_products(
    means: Floats, *, marks: Floats, log_s: Floats, claimed: float, at: float
) -> Floats:
    """(k, 1 + S) from mean curves (k, S, M): exponent of T_x in sigma, and log(T_x sigma^-claimed) by sigma."""
    logs = np.moveaxis(rates.log_mean(means), 1, 0)  # one family of curves per sigma
    log_t = np.stack([rates.crossing(c, np.log(marks), at) for c in logs], axis=1)
    return np.column_stack([log_t @ rates.slope_weights(log_s), log_t - claimed * log_s])


def _product_finding(
    products: Sequence[Estimate],
    inside: tuple[float, float],
    runs: Sample,
    horizon: float,
    note: str,
    decides: str,
) -> Finding:
    bottom, top = float(np.log(inside[0])), float(np.log(inside[1]))
    p_if_wrong, p_if_right = _p_all_inside(products, bottom, top)
    low, high = _exp_limits(products, SIDE)
    margins = [(e, min(e.value - bottom, top - e.value)) for e in products]
    return Finding(
        "scaling",
        claimed=float(np.sqrt(inside[0] * inside[1])),
        value=float(np.exp(np.mean([e.value for e in products]))),
        low=low,
        high=high,
        p_if_wrong=p_if_wrong,
        p_if_right=p_if_right,
        runs=products[0].runs,
        horizon=horizon,
        between=inside,
        exact=runs.identical,
        note=f"T_x sigma^-exponent inside [{inside[0]:g}, {inside[1]:g}] for every sigma; {note}",
        decides=decides,
        limits=partial(_exp_limits, products),
        advice=partial(more_runs, margins),
    )


def _p_all_inside(estimates: Sequence[Estimate], low: float, high: float) -> tuple[float, float]:
    """p-values for "all inside" (intersection-union) and "one outside" (Bonferroni over both sides)."""
    out = 2 * len(estimates) * min(min(e.p_below(low), e.p_above(high)) for e in estimates)
    return max(p_inside(e, low, high) for e in estimates), min(1.0, out)


def _exp_limits(estimates: Sequence[Estimate], side: float) -> tuple[float, float]:
    limits = [e.interval(side) for e in estimates]
    return float(np.exp(min(a for a, _ in limits))), float(np.exp(max(b for _, b in limits)))
