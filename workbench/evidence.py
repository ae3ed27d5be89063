"""Evidence: measured curves in, findings out. No simulation here, and no theorem: formulas come as numbers.

`values` (runs, M) holds one row per run (the statistical unit) and one column per checkpoint in `marks` (M,).
A row with a non-finite entry is a failed run: counted, noted, and evidence against the claim when there are
many. Exponents are signed: a metric that falls like T^-1/4 has -0.25, a regret that grows like T^1/2 has 0.5.

What a finite horizon can and cannot show. Upper bounds are sums of powers, so the curve of a *correct* method
can flatten (a slower term takes over) but steepens only while it burns in. The checks read two adjacent
windows, [T/1000, T/31.6] and the tail [T/31.6, T] by default, and use the change between them (`drift`):
* T^-a + T^-b passes from slope -a to -b with local drift (a - |s|)(|s| - b) per unit of log T, no free
  parameter: a curve seen at slope s on its way to a claimed exponent must drift at least that much. Over the
  two windows (log T apart by 3.45) a quarter-power crossing drifts by 0.05, which `tight` tells from 0.
* A burn-in (1 + T/T0)^-r, r = |claimed|, bends with local drift |s|(1 - |s|/r) per unit of log T.
A decisive verdict against a claim has to reject that drift, not merely fail to see it. What remains invisible
is a change that has not begun in view: a slower term with less than a tenth of the value at the horizon, a
burn-in with T0 beyond the horizon. No statistics cures that; `window` should start where theory ends burn-in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from workbench import rates, stats
from workbench.stats import Estimate, Floats
from workbench.verdicts import Finding, more_runs, more_runs_binomial

__all__ = [
    "Finding",
    "assumptions",
    "bound",
    "crossover",
    "exponent",
    "falsifier",
    "level",
    "rate",
    "scaling",
    "tight",
]

SIDE = 0.01  # error probability on each side of the interval that a finding carries by itself
TOL = 0.03  # two exponents nearer than this are not told apart
MAX_FAILED = 0.05  # share of failed runs that a true claim may show (overflow, a step limit)
Window = tuple[float, float]


# ---------------------------------------------------------------------------------------------- bounds


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
    """
    marks = np.asarray(marks, float)
    values = _table(values, marks.size)
    ratio = values / np.asarray(bound_values, float)
    if kind == "probability":
        if delta is None or not 0 < delta < 1:
            raise ValueError("kind='probability' needs delta in (0, 1)")
        return _bound_probability(ratio, float(marks[-1]), delta, rtol)
    clean, failed = _finite(ratio)
    if not len(clean) or failed > max_failed * len(ratio):
        return _diverged("bound", 1.0, failed, len(ratio), float(marks[-1]), max_failed)
    found = stats.mean_estimates(clean)
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
        runs=len(clean),
        horizon=float(marks[-1]),
        slack=1 / worst.value if worst.value > 0 else np.inf,
        exact=stats.identical(clean) and len(clean) > 1,
        note=_note(clean, failed, f"mean over runs of measured/bound, largest of {marks.size} checkpoints"),
        limits=partial(_largest, found),
        advice=partial(more_runs, [(worst, edge - worst.value)]),
    )


def _bound_probability(ratio: Floats, horizon: float, delta: float, rtol: float) -> Finding:
    runs, finite = len(ratio), np.isfinite(ratio).all(axis=1)
    bad = int(runs - finite.sum() + (ratio[finite] > 1 + rtol).any(axis=1).sum())
    largest = float(ratio[finite].max()) if finite.any() else np.nan
    low, high = stats.clopper_pearson(bad, runs, SIDE)
    return Finding(
        "bound",
        claimed=delta,
        value=bad / runs,
        low=low,
        high=high,
        p_holds=stats.p_fewer(bad, runs, delta),
        p_violated=stats.p_more(bad, runs, delta),
        runs=runs,
        horizon=horizon,
        slack=1 / largest if largest > 0 else np.nan,
        note=_note(
            ratio[finite], runs - int(finite.sum()), f"{bad} of {runs} runs exceed the bound somewhere"
        ),
        limits=partial(stats.clopper_pearson, bad, runs),
        advice=partial(more_runs_binomial, bad / runs, delta),
    )


def _largest(found: Sequence[Estimate], side: float) -> tuple[float, float]:
    """Limits for the largest of several means, consistent with the two p-values of `bound`."""
    low = max(e.interval(side / len(found))[0] for e in found)
    return low, max(e.interval(side)[1] for e in found)


# ----------------------------------------------------------------------------------------------- rates


def rate(
    values: ArrayLike,
    marks: ArrayLike,
    claimed: float,
    terms: Sequence[float] | None = None,
    log_power: float = 0,
    tol: float = TOL,
    *,
    window: Window | None = None,
    max_failed: float = MAX_FAILED,
    deterministic: bool = False,
) -> Finding:
    """Is the curve O(T^claimed (log T)^log_power), as far as the horizon shows?

    holds: the tail slope lies significantly below claimed + tol, so that T^-claimed times the metric has
    stopped growing, and its drift, continued for one more window, does not carry it beyond.
    violated: the tail slope lies significantly above, *and* a burn-in is rejected: the drift is significantly
    weaker than half of what a burn-in at that slope must show (half: bends up to twice as soft are allowed
    for), but never asked to be finer than tol. `terms` (exponents of the theorem's own bound) adds the
    non-negative form fit to the note. deterministic: the curves carry no randomness, one run is exact.
    """
    extra = partial(_ways_back, claimed=claimed, tol=tol, gap=0.25)
    start = _slopes("rate", values, marks, claimed, log_power, window, max_failed, deterministic, extra)
    if isinstance(start, Finding):
        return start
    clean, marks, failed, s = start
    edge = claimed + tol
    settled = s.extra[0]  # positive: too little drift for a burn-in
    flattening = s.ahead.value > edge >= s.tail.value
    p_above = s.tail.p_above(edge)
    p_violated = max(p_above, settled.p_above(0))
    decides = ""
    if flattening:
        decides = "longer horizon: the slope is flattening towards the edge of the claim"
    elif p_above <= SIDE < p_violated and settled.value < 0:
        decides = "longer horizon: the curve is still steepening (burn-in)"
    growth = rates.normalised(clean, marks, claimed, log_power)
    note = (
        f"tail {s.window[0]:.3g}..{s.window[1]:.3g}, drift {s.drift.value:+.3f}, "
        f"metric T^{-claimed:g} at the end {growth[-1] / growth.max():.3f} of its maximum"
    )
    if s.tail.p_below(claimed - tol) <= SIDE:
        note += "; faster than claimed"
    return _slope_finding(
        "rate",
        claimed,
        s.tail,
        p_holds=1.0 if flattening else s.tail.p_below(edge),
        p_violated=p_violated,
        horizon=float(marks[-1]),
        note=_note(clean, failed, note + _form_note(clean, marks, terms, window, log_power)),
        decides=decides,
        margins=[(s.tail, s.tail.value - edge), *([(settled, settled.value)] if s.tail.value > edge else [])],
    )


def tight(
    values: ArrayLike,
    marks: ArrayLike,
    claimed: float,
    tol: float = TOL,
    *,
    terms: Sequence[float] | None = None,
    log_power: float = 0,
    drift_tol: float = TOL,
    window: Window | None = None,
    max_failed: float = MAX_FAILED,
    deterministic: bool = False,
) -> Finding:
    """Is the exponent attained on this instance, neither slower nor faster?

    holds (two one-sided tests): the interval of the tail slope lies inside claimed +- tol, and that of the
    drift inside +-drift_tol: a curve merely passing through the claimed slope drifts by gap^2/4 * 3.45
    between the two windows, i.e. more than 0.03 for exponents at least 0.19 apart.
    violated: significantly outside, and the way back is rejected: on the slow side a burn-in, as in `rate`;
    on the fast side a crossover towards the claimed term. With `terms` that is done by the form fit: the
    claimed term must carry significantly less than a tenth of the value at the horizon.
    """
    gap = claimed - min(terms) if terms and min(terms) < claimed else 0.25
    extra = partial(_ways_back, claimed=claimed, tol=tol, gap=gap)
    start = _slopes("tight", values, marks, claimed, log_power, window, max_failed, deterministic, extra)
    if isinstance(start, Finding):
        return start
    clean, marks, failed, s = start
    no_burn_in, no_crossover = s.extra
    slow = max(s.tail.p_above(claimed + tol), no_burn_in.p_above(0))
    fast = max(s.tail.p_below(claimed - tol), no_crossover.p_above(0))
    if terms and s.tail.value < claimed - tol:
        fast = max(fast, _p_absent(clean, marks, claimed, terms, window, log_power))
    p_holds = max(
        s.tail.p_above(claimed - tol),
        s.tail.p_below(claimed + tol),
        s.drift.p_above(-drift_tol),
        s.drift.p_below(drift_tol),
    )
    outside = abs(s.tail.value - claimed) > tol
    # the statistic that must be positive for a decision, besides the slope's distance to its edge
    binding = no_burn_in if s.tail.value > claimed else no_crossover
    room = binding.value if outside else drift_tol - abs(s.drift.value)
    note = f"tail {s.window[0]:.3g}..{s.window[1]:.3g}, drift {s.drift.value:+.3f}"
    if fast <= SIDE:
        note += "; faster than claimed on this instance"
    return _slope_finding(
        "tight",
        claimed,
        s.tail,
        p_holds=p_holds,
        p_violated=min(1.0, 2 * min(slow, fast)),
        horizon=float(marks[-1]),
        note=_note(clean, failed, note + _form_note(clean, marks, terms, window, log_power)),
        decides="longer horizon: the local slope is still moving" if room < 0 else "",
        margins=[(s.tail, tol - abs(s.tail.value - claimed)), (binding if outside else s.drift, room)],
    )


def level(
    values: ArrayLike,
    marks: ArrayLike,
    predicted: ArrayLike,
    rtol: float = 0.03,
    *,
    window: Window | None = None,
    max_failed: float = MAX_FAILED,
    deterministic: bool = False,
) -> Finding:
    """Is measured/predicted equal to 1 within rtol over the tail? Far sharper than a slope.

    predicted broadcasts against (runs, M) and counts as known: for a measured curve pass its mean over runs,
    with a tolerance that covers its own error. violated needs the ratio outside 1 +- rtol in the tail *and* still
    outside, on the same side, when its drift is continued for another window.
    """
    marks = np.asarray(marks, float)
    table = _table(values, marks.size) / np.asarray(predicted, float)
    clean, failed = _finite(table)
    if not len(clean) or failed > max_failed * len(table):
        return _diverged("level", 1.0, failed, len(table), float(marks[-1]), max_failed, deterministic)
    lo, hi = rates.window_of(marks, window)
    tail = (marks >= np.sqrt(lo * hi)) & (marks <= hi * (1 + 1e-9))
    before = (marks >= lo * (1 - 1e-9)) & ~tail & (marks < hi)
    if not tail.any() or not before.any():
        raise ValueError("`level` needs marks in both halves of its window")
    last, first = tail / tail.sum(), before / before.sum()
    found = stats.jackknife(clean, lambda means: means @ np.stack([last, 2 * last - first], axis=1))
    now, ahead = [stats.deterministic(e) for e in found] if deterministic else found
    above = max(now.p_above(1 + rtol), ahead.p_above(1 + rtol))
    below = max(now.p_below(1 - rtol), ahead.p_below(1 - rtol))
    return _slope_finding(
        "level",
        1.0,
        now,
        p_holds=max(now.p_above(1 - rtol), now.p_below(1 + rtol)),
        p_violated=min(1.0, 2 * min(above, below)),
        horizon=float(marks[-1]),
        note=_note(
            clean, failed, f"mean of measured/predicted from {np.sqrt(lo * hi):.3g}, tolerance {rtol:g}"
        ),
        margins=[(now, rtol - abs(now.value - 1))],
    )


# ------------------------------------------------------------------------------------ other parameters


def scaling(
    values: ArrayLike,
    params: ArrayLike,
    claimed: float,
    tol: float = 0.05,
    *,
    drift_tol: float | None = None,
    max_failed: float = MAX_FAILED,
    deterministic: bool = False,
) -> Finding:
    """Exponent of the mean in a parameter: values (runs, G) at params (G,), paired over runs, horizon fixed.

    Two-sided. holds: the slope over the whole grid lies inside claimed +- tol and, from three values on, the
    change of slope between the two halves (of a fitted parabola) inside +-drift_tol (default 2 tol), so that
    1 + x is not taken for x^1/2. violated: the slopes of the whole and of both halves are outside on one
    side; a curved relation with one end near the claim stays inconclusive: another parameter range decides.
    """
    x = np.log(np.asarray(params, float))
    clean, failed = _finite(_table(values, x.size))
    total, drift_tol = len(clean) + failed, 2 * tol if drift_tol is None else drift_tol
    if not len(clean) or failed > max_failed * total:
        return _diverged("scaling", claimed, failed, total, np.nan, max_failed, deterministic)
    found = stats.jackknife(clean, lambda means: rates.log_mean(means) @ _parabola_weights(x))
    whole, lower, upper, drift = [stats.deterministic(e) for e in found] if deterministic else found
    slow = max(e.p_above(claimed + tol) for e in (whole, lower, upper))
    fast = max(e.p_below(claimed - tol) for e in (whole, lower, upper))
    return _slope_finding(
        "scaling",
        claimed,
        whole,
        p_holds=max(
            whole.p_above(claimed - tol),
            whole.p_below(claimed + tol),
            drift.p_above(-drift_tol),
            drift.p_below(drift_tol),
        ),
        p_violated=min(1.0, 2 * min(slow, fast)),
        note=_note(
            clean,
            failed,
            f"{x.size} values, half slopes {lower.value:.3f} and {upper.value:.3f}",
        ),
        decides="another parameter range: the relation is curved" if abs(drift.value) > drift_tol else "",
        margins=[(whole, tol - abs(whole.value - claimed)), (drift, drift_tol - abs(drift.value))],
    )


def _parabola_weights(x: Floats) -> Floats:
    """(G, 4) weights on log means: slope, parabola's slope at 1/4 and 3/4 of the range, their difference."""
    line = rates.slope_weights(x)
    if x.size < 3:
        return np.stack([line, line, line, 0 * line], axis=1)
    centre, length = (x.max() + x.min()) / 2, x.max() - x.min()
    _, linear, square = np.linalg.pinv(np.vander(x - centre, 3, increasing=True))
    lower, upper = linear - square * length / 2, linear + square * length / 2
    return np.stack([line, lower, upper, upper - lower], axis=1)


def crossover(
    values: ArrayLike,
    marks: ArrayLike,
    sigmas: ArrayLike,
    claimed: float = -2.0,
    at: float = -3 / 8,
    inside: tuple[float, float] | None = None,
    tol: float = 0.1,
) -> list[Finding]:
    """How the horizon T_x, at which the local slope passes `at`, moves with sigma: T_x ~ sigma^claimed.

    values (runs, S, M) for S >= 2 values of sigma. Returns the finding on the exponent (two-sided, +-tol)
    and, if `inside` is given, one on T_x * sigma^-claimed lying inside that interval for every sigma.
    """
    marks, log_s = np.asarray(marks, float), np.log(np.asarray(sigmas, float))
    table = np.asarray(values, float)
    if table.ndim != 3 or table.shape[1:] != (log_s.size, marks.size):
        raise ValueError(f"expected values of shape (runs, {log_s.size}, {marks.size}), got {table.shape}")
    clean, failed = _finite(table)
    if not len(clean) or failed > MAX_FAILED * len(table):
        return [_diverged("scaling", claimed, failed, len(table), float(marks[-1]), MAX_FAILED)]

    def functional(means: Floats) -> Floats:
        logs = np.moveaxis(rates.log_mean(means), 1, 0)  # one family of curves per sigma
        log_t = np.stack([rates.crossing(c, np.log(marks), at) for c in logs], axis=1)
        return np.column_stack([log_t @ rates.slope_weights(log_s), log_t - claimed * log_s])

    exponent_of, *products = stats.jackknife(clean, functional)
    note = _note(clean, failed, f"horizon at which the local slope passes {at:g}")
    decides = "" if np.isfinite(exponent_of.value) else "longer horizon or other sigma: no crossing in view"
    common: dict[str, Any] = {"horizon": float(marks[-1]), "note": note, "decides": decides}
    p_in, p_out = _p_inside([exponent_of], claimed - tol, claimed + tol)
    margin = tol - abs(exponent_of.value - claimed)
    findings = [
        _slope_finding(
            "scaling", claimed, exponent_of, p_in, p_out, margins=[(exponent_of, margin)], **common
        )
    ]
    if inside is not None:
        p_in, p_out = _p_inside(products, float(np.log(inside[0])), float(np.log(inside[1])))
        findings.append(_product_finding(products, inside, p_in, p_out, common))
    return findings


def _product_finding(
    products: Sequence[Estimate],
    inside: tuple[float, float],
    p_in: float,
    p_out: float,
    common: dict[str, Any],
) -> Finding:
    low, high = _exp_limits(products, SIDE)
    bottom, top = float(np.log(inside[0])), float(np.log(inside[1]))
    margins = [(e, min(e.value - bottom, top - e.value)) for e in products]
    note = f"T_x sigma^-exponent inside [{inside[0]:g}, {inside[1]:g}] for every sigma; {common['note']}"
    return Finding(
        "scaling",
        claimed=float(np.sqrt(inside[0] * inside[1])),
        value=float(np.exp(np.mean([e.value for e in products]))),
        low=low,
        high=high,
        p_holds=p_in,
        p_violated=p_out,
        runs=products[0].runs,
        exact=all(e.se == 0 for e in products),
        limits=partial(_exp_limits, products),
        advice=partial(more_runs, margins),
        **{**common, "note": note},
    )


def _p_inside(found: Sequence[Estimate], low: float, high: float) -> tuple[float, float]:
    """p-values for "all inside" (intersection-union) and "one outside" (Bonferroni over both sides)."""
    out = 2 * len(found) * min(min(e.p_below(low), e.p_above(high)) for e in found)
    return max(max(e.p_above(low), e.p_below(high)) for e in found), min(1.0, out)


def _exp_limits(found: Sequence[Estimate], side: float) -> tuple[float, float]:
    limits = [e.interval(side) for e in found]
    return float(np.exp(min(a for a, _ in limits))), float(np.exp(max(b for _, b in limits)))


# --------------------------------------------------------------------------- exact evidence, falsifiers


def assumptions(ratios: ArrayLike, near: float = 0.9, rtol: float = 1e-9) -> Finding:
    """Sampled quotient / declared constant: never above 1 (but for rounding), and nearly attained.

    One ratio above 1 + rtol is a counter-example, so the finding is exact. It is inconclusive when the
    largest ratio stays below `near`: then the sampling may have missed the place, or the constant is loose.
    """
    largest = float(np.max(np.asarray(ratios, float)))
    violated = not largest <= 1 + rtol  # NaN counts as violated
    return Finding(
        "assumptions",
        claimed=1.0,
        value=largest,
        low=largest,
        high=largest,
        p_holds=float(violated or largest < near),
        p_violated=float(not violated),
        runs=int(np.size(ratios)),
        slack=1 / largest if largest > 0 else np.inf,
        exact=True,
        note="largest sampled quotient over declared constant",
        decides=f"sampling nearer the extreme point, or a smaller constant: {largest:.3g} of it is attained",
    )


def exponent(derived: Any, claimed: Any, relation: Literal["equal", "at_most"] = "equal") -> Finding:
    """Exact comparison of two exponents (int, Fraction, SymPy number). at_most: derived <= claimed will do.

    Floats are refused: 1/3 is not a float, and an exact finding leaves the family of statistical ones.
    """
    if isinstance(derived, float) or isinstance(claimed, float):
        raise TypeError("exponents are compared exactly: pass Fraction or SymPy rationals, not floats")
    gap = derived - claimed
    holds = bool(gap <= 0) if relation == "at_most" else bool(gap == 0)
    return Finding(
        "exponent",
        claimed=float(claimed),
        value=float(derived),
        low=float(derived),
        high=float(derived),
        p_holds=float(not holds),
        p_violated=float(holds),
        exact=True,
        note=f"derived {derived}, claimed {claimed}" + ("; faster than claimed" if gap < 0 else ""),
    )


def falsifier(finding: Finding) -> Finding:
    """The same finding read as "this wrong method or claim is caught": it holds iff the claim is violated."""
    return replace(
        finding,
        evidence="falsifier",
        p_holds=finding.p_violated,
        p_violated=finding.p_holds,
        note=f"must be caught by `{finding.evidence}`: {finding.note}",
    )


# --------------------------------------------------------------------------------------------- helpers


def _table(values: ArrayLike, columns: int) -> Floats:
    table = np.asarray(values, float)
    if table.ndim != 2 or table.shape[1] != columns or not len(table):
        raise ValueError(f"expected values of shape (runs, {columns}), got {table.shape}")
    return table


def _finite(table: Floats) -> tuple[Floats, int]:
    ok = np.isfinite(table).reshape(len(table), -1).all(1)
    return table[ok], int((~ok).sum())


def _note(clean: Floats, failed: int, text: str) -> str:
    if failed:
        text += f"; {failed} of {failed + len(clean)} runs failed and are left out"
    if len(clean) > 1 and stats.identical(clean):
        text += "; all runs are identical: exact for this start, says nothing about others"
    return text


def _diverged(
    evidence: str,
    claimed: float,
    failed: int,
    total: int,
    horizon: float,
    allowed: float,
    exact: bool = False,
) -> Finding:
    """Too many failed runs: never holds, and violated if their share is significantly beyond `allowed`.

    The runs that survived are a selected sample, so their values take no part in the decision.
    """
    low, high = stats.clopper_pearson(failed, total, SIDE)
    return Finding(
        evidence,
        claimed=claimed,
        value=np.nan,
        low=np.nan,
        high=np.nan,
        p_holds=1.0,
        p_violated=0.0 if exact else stats.p_more(failed, total, allowed),
        runs=total,
        horizon=horizon,
        exact=exact,
        note=f"{failed} of {total} runs failed (share {low:.2g}..{high:.2g}, allowed {allowed:g})",
        decides="more runs: too few to tell chance failures from divergence",
    )


def _slopes(
    evidence: str,
    values: ArrayLike,
    marks: ArrayLike,
    claimed: float,
    log_power: float,
    window: Window | None,
    max_failed: float,
    exact: bool,
    extra: Callable[[Floats, Floats, float], Floats],
) -> Finding | tuple[Floats, Floats, int, rates.Slopes]:
    """Finite runs, marks, number of failed runs and window slopes; or the finding that there are none."""
    marks = np.asarray(marks, float)
    table = _table(values, marks.size)
    clean, failed = _finite(table)
    if not len(clean) or failed > max_failed * len(table):
        return _diverged(evidence, claimed, failed, len(table), float(marks[-1]), max_failed, exact)
    s = rates.window_slopes(clean, marks, window, log_power, extra)
    if exact:
        tail, before, drift, ahead, *more = map(
            stats.deterministic, (s.tail, s.before, s.drift, s.ahead, *s.extra)
        )
        s = rates.Slopes(tail, before, drift, ahead, s.step, s.window, tuple(more))
    if not np.isfinite(s.tail.value + s.before.value):
        return Finding(
            evidence,
            claimed=claimed,
            value=np.nan,
            low=-np.inf,
            high=np.inf,
            p_holds=1.0,
            p_violated=1.0,
            runs=len(clean),
            horizon=float(marks[-1]),
            note=_note(clean, failed, "the mean over runs is not positive all over the window: no exponent"),
            decides="a metric that stays positive, more runs, or another window",
        )
    return clean, marks, failed, s


def _ways_back(
    tail: Floats, before: Floats, step: float, *, claimed: float, tol: float, gap: float
) -> Floats:
    """(k, 2): by how much the drift falls short of a burn-in, and of a crossover towards the claimed term.

    Positive means: too steady to be on the way. The drift to expect is that of (1 + T/T0)^claimed, and that
    of T^(claimed - gap) + T^claimed, at the slope seen; half of it is asked for, and never less than tol.
    """
    drift, off = tail - before, (tail + before) / 2 - claimed
    burn_in = off * (1 + off / claimed) if claimed < 0 else np.zeros_like(off)
    crossing = -off * (gap + off)
    down, up = (np.maximum(tol, 0.5 * step * local) for local in (burn_in, crossing))
    return np.column_stack([drift + down, up - drift])


def _slope_finding(
    evidence: str,
    claimed: float,
    estimate: Estimate,
    p_holds: float,
    p_violated: float,
    *,
    margins: Sequence[tuple[Estimate, float]],
    **fields: Any,
) -> Finding:
    low, high = estimate.interval(SIDE)
    return Finding(
        evidence,
        claimed=float(claimed),
        value=estimate.value,
        low=low,
        high=high,
        p_holds=p_holds,
        p_violated=p_violated,
        runs=estimate.runs,
        exact=estimate.se == 0,
        limits=estimate.interval,
        advice=partial(more_runs, list(margins)),
        **fields,
    )


def _p_absent(
    clean: Floats,
    marks: Floats,
    claimed: float,
    terms: Sequence[float],
    window: Window | None,
    log_power: float,
) -> float:
    """p-value against "the claimed term carries a tenth of the value at the horizon or more" (form fit)."""
    known = sorted({*terms, claimed})
    shares, _ = rates.form_shares(rates.without_logs(clean, marks, log_power), marks, known, window)
    return shares[known.index(claimed)].p_below(0.1)


def _form_note(
    clean: Floats, marks: Floats, terms: Sequence[float] | None, window: Window | None, log_power: float
) -> str:
    if not terms:
        return ""
    shares, misfit = rates.form_shares(rates.without_logs(clean, marks, log_power), marks, terms, window)
    text = ", ".join(f"T^{t:.3g}: {e.value:.2f}" for t, e in zip(terms, shares, strict=True))
    return f"; form fit at the horizon {text} (misfit {misfit:.1e})"
