"""Small-sample statistics whose unit is the run: jackknife, t with unfavourable skewness, Clopper-Pearson, Holm.

The checkpoints of one curve share their noise (a running mean at 2T contains the one at T), so they never count as
separate observations. All functions take arrays whose leading axis is the run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.evidence import distributions

Floats = NDArray[np.float64]


# Below this number of runs no verdict is decisive: the skewness that the test corrects for cannot be estimated, and
# more than a third of the runs could behave differently without being seen.
MIN_RUNS = 24
BETS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)  # shares of a gambler's capital (`p_betting`)


def p_value(t: ArrayLike, skew: ArrayLike, runs: int) -> Floats:
    """p-value against "truth >= bound" from t = (value - bound)/se and the sample's skewness, elementwise.

    Student's t after Hall's (1992) cubic transformation, which removes the first-order effect of skewness. At the
    levels of a family, 1e-5, neither is safe: for 24 lognormal runs (log standard deviation 0.5) a plain t errs 44
    times too often and Hall's correction with the sample's skewness 17 times, for 4 Gaussian runs 10 times: a sample
    that misses its tail has a mean and a skewness that are both too small. So the skewness enters with its unfavourable
    limit, 1.5 times its value plus its standard error sqrt(6/runs), and it never helps: the p-value is
    never smaller than that of the plain t. `workbench.verdicts.calibration.sizes` measures what remains.
    """
    transform = _like_student(t, skew, runs)
    p = [distributions.student(runs - 1, x) for x in transform.ravel().tolist()]
    return np.array(p).reshape(transform.shape)


def _like_student(t: ArrayLike, skew: ArrayLike, runs: int) -> Floats:
    """t as a quantile of Student's law (see `p_value`)."""
    unfavourable = _unfavourable(np.asarray(skew, float), runs)
    return np.asarray(_hall(np.asarray(t, float), unfavourable / np.sqrt(runs)))


def _unfavourable(skew: Floats, runs: int) -> Floats:
    return np.maximum(0.0, 1.5 * skew + np.sqrt(6 / runs))


def _hall(t: Floats, a: Floats) -> Floats:
    """Hall's cubic ((1 + a t/3)^3 - 1)/a + a/6 for a >= 0; never smaller than t.

    The cubic is flat at t = -3/a, far outside its range of validity. Below a t = -3/2 it is therefore continued
    linearly with its slope there, 1/4; otherwise an estimate 15 standard errors away would stay undecided.
    """
    cubic = t + a * t**2 / 3 + a**2 * t**3 / 27 + a / 6
    linear = np.divide(-0.5, a, out=np.zeros_like(cubic), where=a > 0) + a / 6 + t / 4
    return np.where(a * t >= -1.5, cubic, linear)


def _p_of_one(t: float, skew: float, runs: int) -> float:
    """`p_value` of single numbers, with the same bits: arrays of one take ten times as long."""
    return distributions.student(
        runs - 1, _hall_of_one(t, _unfavourable_of_one(skew, runs) / math.sqrt(runs))
    )


def _unfavourable_of_one(skew: float, runs: int) -> float:
    limit = 1.5 * skew + math.sqrt(6 / runs)
    return 0.0 if limit < 0 else limit


def _hall_of_one(t: float, a: float) -> float:
    if a * t >= -1.5:  # NumPy's power: the one of the mathematical library may differ in the last bit
        return t + a * (t * t) / 3 + a**2 * float(np.power(t, 3.0)) / 27 + a / 6
    return (-0.5 / a if a > 0 else 0.0) + a / 6 + t / 4


def _hall_inverse(y: float, a: float) -> float:
    if a < 1e-6:  # the cubic is the identity up to a; avoids 0/0
        return y
    if a * (y - a / 6) >= -7 / 8:
        return float(3 / a * (np.cbrt(1 + a * (y - a / 6)) - 1))
    return float(4 * (y - a / 6 + 0.5 / a))


@dataclass(frozen=True)
class Estimate:
    """An estimate from `runs` independent units, with a one-sided error probability for each direction (`p_value`).

    se = 0 (identical runs) makes every comparison exact. se = inf (one run) leaves every comparison undecided, and so
    do fewer than `MIN_RUNS` runs that differ; their limits are still those of the test.
    """

    value: float
    se: float
    runs: int
    skew: float = 0.0

    @property
    def decides(self) -> bool:
        """Whether comparisons can be decisive."""
        return self.se == 0 or (self.runs >= MIN_RUNS and math.isfinite(self.se))

    def p_above(self, bound: float) -> float:
        """p-value against "truth <= bound": small means that the truth lies above `bound`."""
        if self.se == 0:
            return float(not self.value > bound)  # NaN is not above anything
        return self._p((bound - self.value) / self.se, -self.skew) if self.decides else 1.0

    def p_below(self, bound: float) -> float:
        """p-value against "truth >= bound": small means that the truth lies below `bound`."""
        if self.se == 0:
            return float(not self.value < bound)
        return self._p((self.value - bound) / self.se, self.skew) if self.decides else 1.0

    def _p(self, t: float, skew: float) -> float:
        p = _p_of_one(t, skew, self.runs)
        return p if math.isfinite(p) else 1.0

    def interval(self, level: float) -> tuple[float, float]:
        """Limits with error probability `level` on *each* side (0 < level < 1/2)."""
        if not self.se > 0:
            return self.value, self.value
        if not np.isfinite(self.se):
            return -np.inf, np.inf
        t = distributions.student_quantile(self.runs - 1, level)
        down, up = (
            _hall_inverse(t, _unfavourable_of_one(s, self.runs) / math.sqrt(self.runs))
            for s in (-self.skew, self.skew)
        )
        return self.value + self.se * down, self.value - self.se * up


def p_above(estimates: Sequence[Estimate], bounds: ArrayLike) -> Floats:
    """`Estimate.p_above` of estimates from the same runs, each against its bound."""
    value, se, skew = np.array([(e.value, e.se, e.skew) for e in estimates]).T
    bounds, runs = np.broadcast_to(np.asarray(bounds, float), value.shape), estimates[0].runs
    decides = np.array([e.decides for e in estimates]) & (se > 0)
    t = np.divide(bounds - value, se, out=np.zeros_like(value), where=decides)
    p = np.where(decides, p_value(t, -skew, runs), 1.0)
    p[~np.isfinite(p)] = 1.0
    return np.where(se == 0, ~(value > bounds), p)


def p_below(estimates: Sequence[Estimate], bounds: ArrayLike) -> Floats:
    """`Estimate.p_below` in the same way."""
    mirror_images = [Estimate(-e.value, e.se, e.runs, -e.skew) for e in estimates]
    return p_above(mirror_images, -np.asarray(bounds, float))


def lies_below(estimates: Sequence[Estimate], bound: float, level: float) -> NDArray[np.bool_]:
    """Whether `p_below` of each is at most ``level``: the quantile is compared, and no p-value computed."""
    value, se, skew = np.array([(e.value, e.se, e.skew) for e in estimates]).T
    runs, decides = estimates[0].runs, np.array([e.decides for e in estimates]) & (se > 0)
    t = np.divide(value - bound, se, out=np.zeros_like(value), where=decides)
    least = distributions.student_quantile(max(runs - 1, 1), level)
    return np.where(se == 0, value < bound, decides & (_like_student(t, skew, runs) <= least))


def skewness(x: Floats) -> Floats:
    """Skewness over axis 0; zero for constant columns."""
    d = x - x.mean(0)
    square = d * d
    m2, m3 = square.mean(0), (square * d).mean(0)
    return np.divide(m3, m2**1.5, out=np.zeros_like(m2), where=m2 > 0)


def identical(values: Floats) -> bool:
    """True if all runs (axis 0) agree bit for bit, in which case round-off must not be mistaken for variance."""
    return bool((values == values[:1]).all())


_OUTLIER_FACTOR = ContextVar("_OUTLIER_FACTOR", default=1.0)


@contextmanager
def with_outlier(factor: float) -> Iterator[None]:
    """Within: every estimate is made as if its farthest run lay so many times as far from the mean.

    A negative factor moves it to the other side of the mean, which may be the one that matters. Asks what a verdict
    would have been with a run that is rarer than those that were drawn. Of a jackknife the pseudo-value moves; what is
    no estimate (a count, a bound that no run may violate) stays.
    """
    token = _OUTLIER_FACTOR.set(factor)
    try:
        yield
    finally:
        _OUTLIER_FACTOR.reset(token)


def _moved_outliers(values: Floats) -> Floats:
    """values (runs, M), with the farthest run of each column moved away from the column's mean (`with_outlier`)."""
    if (factor := _OUTLIER_FACTOR.get()) == 1.0:
        return values
    away = values - values.mean(0)
    farthest, columns = np.abs(away).argmax(0), np.arange(values.shape[1])
    copy = values.copy()
    copy[farthest, columns] += (factor - 1.0) * away[farthest, columns]
    return copy


def mean_estimates(values: Floats) -> list[Estimate]:
    """Mean over runs of each column of `values` (runs, M)."""
    n = len(values)
    if n == 1 or identical(values):  # the first row, not the mean: no rounding
        return [Estimate(float(v), np.inf if n == 1 else 0.0, n) for v in values[0]]
    values = _moved_outliers(values)
    mean, se, skew = values.mean(0), values.std(0, ddof=1) / np.sqrt(n), skewness(values)
    return [Estimate(float(m), float(s), n, float(k)) for m, s, k in zip(mean, se, skew, strict=True)]


def jackknife(values: Floats, functional: Callable[[Floats], Floats]) -> list[Estimate]:
    """Delete-one jackknife over runs of smooth functionals of the mean over runs.

    values (runs, ...); functional maps a stack of mean curves (k, ...) to (k, q), so that all deletions are evaluated
    in one call. Returns q estimates, corrected for the O(1/runs) bias, with the skewness of the pseudo-values. A
    deletion for which the functional is not finite gives se = inf: undecided.
    """
    n = len(values)
    total = values.sum(0)
    if n == 1 or identical(values):
        full = functional(values[:1])[0]
        return [Estimate(float(v), np.inf if n == 1 else 0.0, n) for v in full]
    theta = functional(np.concatenate([total[None] / n, (total - values) / (n - 1)]))
    pseudo = n * theta[0] - (n - 1) * theta[1:]
    with np.errstate(invalid="ignore"):
        pseudo = _moved_outliers(pseudo)
        value, se, skew = pseudo.mean(0), pseudo.std(0, ddof=1) / np.sqrt(n), skewness(pseudo)
        infinite = ~np.isfinite(value + se + skew)
    value[infinite], se[infinite], skew[infinite] = theta[0][infinite], np.inf, 0.0
    each = zip(value.tolist(), se.tolist(), skew.tolist(), strict=True)
    return [Estimate(v, s, n, k) for v, s, k in each]


def p_betting(values: Floats, mean: float) -> float:
    """p-value against "the mean of every column of values (runs, M), which are non-negative, is at most ``mean``".

    A gambler who starts with 1 and stakes a share of the capital on each run's excess over the mean gains nothing in
    expectation if that is true, whatever the law of the runs: the capital, averaged over `BETS` and columns, exceeds
    1/p at any time with probability at most p (Ville 1939; Waudby-Smith and Ramdas, J. R. Stat. Soc. B 86, 2024). So
    tails may be heavy, and the p-value is valid at every number of runs together.
    """
    gains = np.maximum(_moved_outliers(values), 0.0) / mean - 1.0
    logs = [np.cumsum(np.log1p(bet * gains), axis=0) for bet in BETS]
    capitals = np.stack(logs)
    top = capitals.max((0, 2), keepdims=True)
    sums = np.log(np.exp(capitals - top).sum((0, 2))) + top.ravel()
    most = float(sums.max()) - np.log(len(BETS) * values.shape[1])
    return float(np.exp(-max(most, 0.0)))


def clopper_pearson(successes: int, trials: int, level: float) -> tuple[float, float]:
    """Exact limits of a binomial proportion, error probability at most `level` on each side."""
    k, n = successes, trials
    low = distributions.beta_quantile(k, n - k + 1, level) if k > 0 else 0.0
    high = distributions.beta_quantile(k + 1, n - k, 1 - level) if k < n else 1.0
    return low, high


def unseen_share(runs: int, level: float) -> float:
    """The largest share of the runs that can behave differently without any of them being among these, at this level.

    An expectation has no limits without an assumption on such runs: one of them may be as large as it likes.
    """
    return float(1 - level ** (1 / runs))


def p_more(successes: int, trials: int, proportion: float) -> float:
    """P(Bin(trials, proportion) >= successes): small means that the true proportion is larger."""
    return 1.0 if successes == 0 else distributions.binomial_tail(successes - 1, trials, proportion)


def p_fewer(successes: int, trials: int, proportion: float) -> float:
    """P(Bin(trials, proportion) <= successes): small means that the true proportion is smaller."""
    return distributions.binomial(successes, trials, proportion)


def holm(p: ArrayLike, at_most: int | None = None) -> Floats:
    """Holm's step-down adjusted p-values, valid under any dependence.

    at_most: the number of hypotheses that can be true simultaneously, if logically restricted (Shaffer 1986). The j-th
    smallest p is multiplied by min(n - j + 1, at_most).
    """
    p = np.asarray(p, float)
    n = p.size
    order = np.argsort(p, kind="stable")
    factor = np.minimum(np.arange(n, 0, -1), n if at_most is None else at_most)
    p_values = np.empty(n)
    p_values[order] = np.minimum(1.0, np.maximum.accumulate(factor * p[order]))
    return p_values


MOST_RUNS = 10**9  # more are never advised


def runs_needed(estimate: Estimate, margin: float, level: float, power: float = 0.9) -> float:
    """The number of runs at which an unchanged estimate would clear `margin` with the given power; infinite for none.

    Found by bisection, with the test that will be made (`p_value`). The skewness is the largest that these runs leave
    possible, to the unfavourable side.
    """
    if not np.isfinite(estimate.se) or margin == 0:
        return np.inf
    each = estimate.se * math.sqrt(estimate.runs)
    skew = _unfavourable_of_one(abs(estimate.skew), estimate.runs)
    reserve = distributions.normal_quantile(power)

    def clears(runs: int) -> bool:
        return _p_of_one(reserve - abs(margin) * math.sqrt(runs) / each, skew, runs) <= level

    if each == 0 or clears(2):
        return 2.0
    low, high = 2, 4
    while not clears(high):
        if high > MOST_RUNS:
            return np.inf
        low, high = high, 2 * high
    while high - low > max(1, high // 100):
        middle = (low + high) // 2
        low, high = (low, middle) if clears(middle) else (middle, high)
    return float(high)
