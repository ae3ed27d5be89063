"""Slower terms: do the curves reject every shape in which one would take over beyond the horizon?

The curves that a claim T^c must be told from are sums of powers with non-negative coefficients in which terms slower
than T^c carry a share of the value at the horizon: half of it 0.1 above c, a third 0.15 above, a fifth 0.25 above, and
`SHARE` for much slower ones (`_share`). They form a convex cone. So the test needs no fit with constraints active or
not, whose errors no jackknife gets right, but a separating hyperplane: of all curves of the claim, the one that fits
best is projected onto the cone. With the difference w as weights, w . y is non-negative in expectation for *every*
curve y of the cone, and is significantly negative only if the curves lie on the other side. The cone
also has curves that have become flat shortly before the horizon, after any of these powers.

w is found from other runs than those it is applied to (`FOLDS`), so that it is a constant where it is used: an ordinary
mean over runs is tested, and the size does not depend on how well any of these curves fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from workbench.evidence import stats
from workbench.evidence.rates import nonnegative
from workbench.evidence.stats import Estimate, Floats

SHARE = (
    0.15  # of the value at the horizon: the least that a much slower term must carry in order to be excluded
)
PULL = 0.05  # by which a slower term raises the local slope at the horizon where it is excluded, if its share is larger
FOLDS = 4
GAPS = (0.1, 0.15, 0.25, 0.5, 1.0)  # of slower exponents; closer ones are left to the slope
LEADS = (0.0, 0.05, 0.1, 0.25, 0.5, 1.0)  # of faster exponents
# Those that are added for a curve which falls faster than the claim by `STEEP`. So dense that what falls by a power
# between two of them is nearly a sum of both over three decades; near the claim they would only cost runs.
STEEP, FAST_LEADS = 0.5, tuple(np.arange(0.75, 4.01, 0.25).tolist())
SWITCHES = 10.0 ** -np.array([0.25, 0.5, 1.0])  # fractions of the horizon from which a curve may be flat
STARTS = 10.0 ** -np.array([2.5, 2.0, 1.5, 1.0, 0.5])  # fractions of the horizon where a burn-in may end
RIDGE = 0.1  # share of the diagonal in the covariance between marks
MISFIT = (
    2e-3  # relative error at every mark that curves of either family may have: none is an exact sum of powers
)
NEGLIGIBLE = 1e-6  # relative distance between curves without noise that counts as none


class Shapes(NamedTuple):
    """Two families of curves as columns, 1 at the horizon: of the claim (M, p), and with slower terms (M, q)."""

    claimed: Floats
    slower: Floats


def shapes(
    marks: Floats,
    claimed: float,
    tol: float,
    terms: Sequence[float] | None,
    log_power: float = 0.0,
    steepest: float = 0.0,
) -> Shapes:
    """The two families of curves for T^claimed (log T)^log_power at these marks, whose last one is the horizon.

    steepest: the measured slope, in the window where it is steeper.
    """
    u = marks / marks[-1]
    logs = (
        (np.log(np.where(marks > 1, marks, 2.0)) / np.log(marks[-1])) ** log_power
        if log_power
        else np.ones_like(u)
    )
    leads = (*LEADS, *(FAST_LEADS if steepest < claimed - STEEP else ()))
    fast = sorted({*(claimed - lead for lead in leads), *(t for t in terms or () if t <= claimed)})
    falling = claimed < 0
    slow, pull = _slower_than(claimed, tol)
    mine = [u**f * logs for f in fast] + ([u**f for f in fast] if log_power > 0 else [])
    burn_ins = [((1 + u / s) / (1 + 1 / s)) ** claimed * logs for s in STARTS] if falling else []
    others: list[Floats] = []
    for s in slow:
        column, share = u**s, _share(s - claimed, pull)
        others.append(column)
        others += [share * column + (1 - share) * fast_one for fast_one in mine if share < 1]
        # A slower power that a logarithm disguises; sizes below 1 have none.
        if log_power <= 0 < np.log(marks[-1]):
            others.append(column * np.log(marks[-1]) / np.log(np.maximum(marks, 2.0)))
        elif log_power > 0 and share < 1:  # a power that a logarithm in the claim hides
            others.append(u ** (claimed + pull))
    others += [np.where(u < at, at ** (slow[-1] - f) * u**f, u ** slow[-1]) for at in SWITCHES for f in fast]
    return Shapes(np.stack(mine + burn_ins, axis=1), np.stack(others, axis=1))


def _slower_than(claimed: float, tol: float) -> tuple[list[float], float]:
    """The slower exponents, the last of them a constant or, of a quantity that grows, T; and the pull of each."""
    ceiling, pull = 0.0 if claimed < 0 else max(1.0, claimed + 0.5), max(PULL, 1.25 * tol)
    return sorted({claimed + g for g in GAPS if claimed + g < ceiling} | {max(ceiling, claimed + pull)}), pull


def unseen_terms(claimed: float, tol: float, tail: float) -> str:
    """Says in words which slower terms a claim that holds leaves open. tail: the measured slope."""
    if tail < claimed - FAST_LEADS[-1]:
        return "the curve falls so fast that slower terms of any size could be hidden by it"
    slow, pull = _slower_than(claimed, tol)
    shares = [(s, _share(s - claimed, pull)) for s in dict.fromkeys((slow[-1], slow[0]))]
    limits = " or ".join(f"{share:.0%} (T^{s:.3g})" for s, share in shares)
    return (
        f"slower terms with less than {limits} of the value at the horizon would not be seen, "
        "nor closer ones behind a logarithm"
    )


def _share(gap: float, pull: float) -> float:
    """The share that a term slower by this much must have in order to be seen."""
    return float(np.clip(pull / gap, SHARE, 1.0))


def excess(values: Floats, marks: Floats, family: Shapes, window: tuple[float, float]) -> Estimate:
    """An estimate that is positive in expectation for every curve with slower terms; negative rejects them.

    values (runs, M), finite. In units of the distance between the nearest curves of the two families: -1 where the
    claim is true and fits. NaN with se = inf, that is undecided, where the mean over runs is not positive, and for
    fewer than `stats.MIN_RUNS` runs that differ: too few to be split into folds, and never decisive.
    """
    keep = (marks >= window[0] * (1 - 1e-9)) & (marks <= window[1] * (1 + 1e-9))
    table, runs = values[:, keep], len(values)
    mine, others = (columns[keep] for columns in family)
    level = table.mean(0)
    if not (level > 0).all():
        return Estimate(np.nan, np.inf, runs)
    table = table / level
    mine, others = _over(mine, level), _over(others, level)
    if runs == 1 or stats.identical(values):
        near = _nearest(others, np.ones_like(level))
        far = float(np.abs(near - 1).max())
        return Estimate(-far if far > NEGLIGIBLE else 0.0, np.inf if runs == 1 else 0.0, runs)
    if runs < stats.MIN_RUNS:
        return Estimate(np.nan, np.inf, runs)
    distances = np.empty(runs)
    fold = np.arange(runs) % FOLDS
    for k in range(FOLDS):
        rest = table[fold != k]
        distances[fold == k] = table[fold == k] @ _weights(rest, mine, others)
    return stats.mean_estimates(distances[:, None])[0]


def _over(columns: Floats, level: Floats) -> Floats:
    """Columns (M, q), of any scale, over a curve, by logarithms: a curve can fall by more than the largest float."""
    with np.errstate(divide="ignore"):
        logs = np.log(columns) - np.log(level)[:, None]
    return np.asarray(np.exp(logs - logs.max(0)))


def _weights(rest: Floats, mine: Floats, others: Floats) -> Floats:
    """The normal of a hyperplane between the claim's nearest curve and the cone of the others.

    rest (runs, M): the runs that it is chosen from; their covariance is the metric.
    """
    covariance = np.cov(rest, rowvar=False)
    scale = np.diag(np.diag(covariance))
    covariance = (1 - RIDGE) * covariance + RIDGE * scale + len(rest) * MISFIT**2 * np.eye(len(scale))
    root = np.linalg.cholesky(covariance)

    def white(columns: Floats) -> Floats:
        return np.asarray(np.linalg.solve(root, columns))

    best = _nearest(white(mine), white(rest.mean(0)))
    normal = _nearest(white(others), best) - best
    length = float(normal @ normal)
    return np.asarray(np.linalg.solve(root.T, normal / length)) if length > 0 else np.zeros(len(root))


def _nearest(columns: Floats, target: Floats) -> Floats:
    """The point of the cone spanned by the columns (M, q) that is nearest to the target (M,)."""
    size = np.linalg.norm(columns, axis=0)
    return np.asarray(columns / size @ nonnegative(columns / size, target))
