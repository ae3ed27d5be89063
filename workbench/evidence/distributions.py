"""Distribution functions and quantiles of the normal, t, chi-squared, beta and binomial laws, for single numbers.

SciPy has them all; to load it takes a fifth of a second, which every command would pay. The incomplete beta function is
a continued fraction behind a factor in which nothing cancels (Didonato and Morris, ACM Trans. Math. Softw. 18, 1992,
algorithm 708), the incomplete gamma function a series or a continued fraction, and quantiles are found by Newton's
method on the logarithm. Relative errors are below 1e-12 where the result is no tail of 1 (tested against SciPy).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

TINY = 1e-300
PRECISION = 1e-16
MOST = 20_000  # terms of a series or a continued fraction; it takes about the root of a parameter
QUANTILES = 1024  # in memory: each is a search, and all checkpoints of a claim ask for the same one


def normal(x: float) -> float:
    """P(Z <= x)."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


@lru_cache(maxsize=QUANTILES)
def normal_quantile(p: float) -> float:
    """x with P(Z <= x) = p."""
    if p == 0.5:
        return 0.0
    if not 0.0 < p < 1.0:
        return -math.inf if p == 0.0 else math.inf if p == 1.0 else math.nan
    if p > 0.5:
        return -normal_quantile(1.0 - p)
    t = math.sqrt(-2.0 * math.log(p))
    start = (2.515517 + t * (0.802853 + 0.010328 * t)) / (
        1.0 + t * (1.432788 + t * (0.189269 + 0.001308 * t))
    ) - t  # Abramowitz and Stegun 26.2.23, to 4.5e-4

    def slope(x: float) -> float:
        return math.exp(-x * x / 2.0) / math.sqrt(2.0 * math.pi)

    return _root(normal, slope, p, start, -40.0, 0.0)


def student(runs: float, t: float) -> float:
    """P(T <= t) of Student's law with so many degrees of freedom; with none there is no law, and NaN."""
    if math.isnan(t) or runs <= 0:
        return math.nan
    if math.isinf(t):
        return 0.0 if t < 0 else 1.0
    half = _student_tail(runs, t * t / runs)
    return half if t < 0 else 1.0 - half


def _student_tail(runs: float, ratio: float) -> float:
    """P(T > t), where ratio = t^2/runs."""
    a, logs = runs / 2.0, math.log1p(ratio)
    if a >= 15.0 and ratio < 0.4:
        return _half_by_series(a, logs) / 2.0
    factor = (
        math.exp(-a * logs) * math.sqrt(ratio / (1.0 + ratio)) / _half_beta(a) if ratio < math.inf else 0.0
    )
    x, y = 1.0 / (1.0 + ratio), ratio / (1.0 + ratio)
    if ratio * (a + 1.0) > 1.5:  # the continued fraction of the tail converges
        return factor * _fraction(a, 0.5, x, y) / 2.0 if factor else 0.0
    return 0.5 - factor * _fraction(0.5, a, y, x) / 2.0


def _half_by_series(a: float, logs: float) -> float:
    """I_x(a, 1/2) for a large and x near 1, where logs = -log x (algorithm 708, BGRAT)."""
    whole = a - 0.25
    u, square = whole * logs, 4.0 * whole * whole
    density = math.sqrt(u / math.pi) * math.exp(-u)
    if density == 0.0:
        return 1.0 if u < 1.0 else 0.0
    term = math.erfc(math.sqrt(u))  # J_0, times the density
    total, power = term, density
    for n, coefficient in enumerate(_SERIES):
        even = 0.5 + 2 * n
        term = (even * (even + 1.0) * term + (u + even + 1.0) * power) / square
        power *= logs * logs / 4.0
        total += coefficient * term
        if abs(coefficient * term) < PRECISION * total:
            break
    return math.sqrt(math.pi / whole) / _half_beta(a) * total


def _series(most: int) -> tuple[float, ...]:
    """The coefficients p_1, p_2, ... of the series for b = 1/2."""
    b, coefficients = Fraction(1, 2), [Fraction(1)]
    for n in range(1, most):
        terms = ((m * b - n) * coefficients[n - m] / math.factorial(2 * m + 1) for m in range(1, n))
        coefficients.append((b - 1) / math.factorial(2 * n + 1) + sum(terms, Fraction(0)) / n)
    return tuple(map(float, coefficients[1:]))


_SERIES = _series(20)


@lru_cache(maxsize=QUANTILES)
def student_quantile(runs: float, p: float) -> float:
    """t with P(T <= t) = p."""
    if p > 0.5:
        return -student_quantile(runs, 1.0 - p)
    if p == 0.5 or not p > 0.0:
        return 0.0 if p == 0.5 else -math.inf if p == 0.0 else math.nan
    z = normal_quantile(p)
    start = z + (z**3 + z) / (4.0 * runs)  # Cornish and Fisher
    if runs < 5:  # the tail is a power
        start = min(start, -math.sqrt(runs) * (p * runs * _half_beta(runs / 2.0)) ** (-1.0 / runs))
    scale = 1.0 / (math.sqrt(runs) * _half_beta(runs / 2.0))

    def slope(t: float) -> float:
        return scale * math.exp(-(runs + 1.0) / 2.0 * math.log1p(t * t / runs))

    return _root(lambda t: student(runs, t), slope, p, start, -math.inf, 0.0)


def beta(a: float, b: float, x: float) -> float:
    """I_x(a, b): P(X <= x) of the beta law."""
    return _beta(a, b, x, 1.0 - x)


def _beta(a: float, b: float, x: float, y: float) -> float:
    """The same with y = 1 - x, which may be small."""
    if x <= 0.0 or y <= 0.0:
        return 0.0 if x <= 0.0 else 1.0
    factor = _beta_factor(a, b, x, y)
    if x < (a + 1.0) / (a + b + 2.0):
        return factor * _fraction(a, b, x, y)
    return 1.0 - factor * _fraction(b, a, y, x)


@lru_cache(maxsize=QUANTILES)
def beta_quantile(a: float, b: float, p: float) -> float:
    """x with I_x(a, b) = p."""
    if not 0.0 < p < 1.0:
        return 0.0 if p == 0.0 else 1.0 if p == 1.0 else math.nan
    if p > 0.5:  # the small side of 1 - x would be rounded; the caller's p near 1 is as exact as it is
        low, high = 0.0, 1.0
        mirror_image = beta_quantile(b, a, 1.0 - p)
        if mirror_image > 1e-3:
            return 1.0 - mirror_image
        start = 1.0 - mirror_image
    else:
        low, high, start = 0.0, 1.0, a / (a + b)

    def slope(x: float) -> float:
        return _beta_factor(a, b, x, 1.0 - x) / (x * (1.0 - x))

    return _root(lambda x: beta(a, b, x), slope, p, start, low, high)


def binomial(k: float, n: float, p: float) -> float:
    """P(Bin(n, p) <= k)."""
    return 1.0 if k >= n else 0.0 if k < 0 else _beta(n - k, k + 1.0, 1.0 - p, p)


def binomial_tail(k: float, n: float, p: float) -> float:
    """P(Bin(n, p) > k)."""
    return 0.0 if k >= n else 1.0 if k < 0 else _beta(k + 1.0, n - k, p, 1.0 - p)


@lru_cache(maxsize=QUANTILES)
def chi_squared_quantile(freedom: float, p: float) -> float:
    """x with P(X > x) = p of the chi-squared law."""
    a = freedom / 2.0
    near = 1.0 - 1.0 / (9.0 * a) + normal_quantile(1.0 - p) / (3.0 * math.sqrt(a))
    start = a * max(near, 0.1) ** 3  # Wilson and Hilferty

    def slope(x: float) -> float:
        return -_gamma_factor(a, x) / x

    return 2.0 * _root(lambda x: _gamma_tail(a, x), slope, p, start, 0.0, math.inf, rises=False)


# ------------------------------------------------------------------------------------------------ the parts


def _fraction(a: float, b: float, x: float, y: float) -> float:
    """I_x(a, b) over the factor x^a y^b / B(a, b): the continued fraction, by Lentz's method."""
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if d > TINY or d < -TINY else TINY)
    value = d
    for m in range(1, MOST):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        d = 1.0 + even * d
        c = 1.0 + even / c
        d = 1.0 / (d if d > TINY or d < -TINY else TINY)
        value *= d * (c if c > TINY or c < -TINY else TINY)
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        d = 1.0 + odd * d
        c = 1.0 + odd / c
        d = 1.0 / (d if d > TINY or d < -TINY else TINY)
        change = d * (c if c > TINY or c < -TINY else TINY)
        value *= change
        if abs(change - 1.0) < PRECISION * 2:
            break
    return value / a


def _beta_factor(a: float, b: float, x: float, y: float) -> float:
    """x^a y^b / B(a, b)."""
    if min(a, b) >= 8.0:  # the powers are formed relative to their largest value, at x = a/(a + b)
        away = a * y - b * x
        whole = a + b
        exponent = -(a * _excess(-away / a, x * whole / a) + b * _excess(away / b, y * whole / b))
        spread = math.sqrt(a * b / (2.0 * math.pi * (a + b)))
        return spread * math.exp(exponent + _stirling(a + b) - _stirling(a) - _stirling(b))
    logs = a * math.log(x) + b * math.log(y) if min(x, y) < 0.1 else a * math.log1p(-y) + b * math.log1p(-x)
    return math.exp(logs - _log_beta(a, b))


@lru_cache(maxsize=256)
def _log_beta(a: float, b: float) -> float:
    small, large = min(a, b), max(a, b)
    if large < 8.0:
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    ratio = small / large  # log of Gamma(large)/Gamma(large + small), in which nothing cancels
    logs = -(large + small - 0.5) * math.log1p(ratio) - small * math.log(large) + small
    return math.lgamma(small) + logs + _stirling(large) - _stirling(large + small)


@lru_cache(maxsize=256)
def _half_beta(a: float) -> float:
    """B(a, 1/2)."""
    return math.exp(_log_beta(a, 0.5))


def _excess(e: float, ratio: float) -> float:
    """e - log(1 + e). ratio: 1 + e, which is more exact than the sum where it is small."""
    if abs(e) > 0.1:
        return e - math.log(ratio)
    term, total = e * e, 0.0
    for n in range(2, 30):
        total += term / n if n % 2 == 0 else -term / n
        term *= e
        if abs(term) < 1e-18 * total:
            break
    return total


def _stirling(a: float) -> float:
    """log Gamma(a) - (a - 1/2) log a + a - log(2 pi)/2, for a of 8 and more, by its asymptotic series."""
    s = 1.0 / (a * a)
    series = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)
    total = 0.0
    for coefficient in reversed(series):
        total = total * s + coefficient
    return total / a


def _gamma_factor(a: float, x: float) -> float:
    """x^a e^-x / Gamma(a)."""
    if a < 8.0:
        return math.exp(a * math.log(x) - x - math.lgamma(a))
    return math.sqrt(a / (2.0 * math.pi)) * math.exp(-a * _excess((x - a) / a, x / a) - _stirling(a))


def _gamma_tail(a: float, x: float) -> float:
    """Q(a, x): the integral of t^(a-1) e^-t from x on, over Gamma(a)."""
    if x <= 0.0:
        return 1.0
    factor = _gamma_factor(a, x)
    if x < a + 1.0:
        term = total = 1.0 / a
        for n in range(1, MOST):
            term *= x / (a + n)
            total += term
            if term < PRECISION * total:
                break
        return 1.0 - factor * total
    b, c = x + 1.0 - a, 1.0 / TINY
    d = value = 1.0 / b
    for n in range(1, MOST):
        step = -n * (n - a)
        b += 2.0
        d = 1.0 / (step * d + b or TINY)
        c = b + step / c or TINY
        value *= d * c
        if abs(d * c - 1.0) < 2 * PRECISION:
            break
    return factor * value


def _root(
    function: Callable[[float], float],
    slope: Callable[[float], float],
    p: float,
    start: float,
    low: float,
    high: float,
    rises: bool = True,
) -> float:
    """x with function(x) = p between two bounds, by Newton's method on log p, kept inside by bisection."""
    x = start if low < start < high else (low + high) / 2.0
    for _ in range(200):
        value = function(x)
        rate = slope(x)
        if (value < p) == rises:
            low = max(low, x)
        else:
            high = min(high, x)
        step = -value / rate * math.log(value / p) if value > 0.0 and rate else math.nan
        nearer = x + step
        if not low < nearer < high:
            nearer = (low + high) / 2.0 if math.isfinite(low + high) else 2.0 * x
        if abs(nearer - x) <= 4e-16 * abs(x):
            return nearer
        x = nearer
    return x
