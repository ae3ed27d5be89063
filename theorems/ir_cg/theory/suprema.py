"""The suprema over t of (15) and (23) for sigma_t = varsigma (t + 1)^-p, enclosed.

The ratios behind C and V obey one-step recursions, and the ratio behind C_bar has a single maximum. So each supremum is
a maximum over finitely many t, with a bound for all later t:

* drift: the ratio behind C is R_t = 2 sum i^(1-p)/(t (t+1)^(1-p)) - 1, i <= t. It decreases: i/(t+1) is the mean of
  i/(t+2) and (i+1)/(t+2) with weights 1 - i/(t+1) and i/(t+1), and x^(1-p) is concave. The supremum is R_1 = 2^p - 1.
  (Limit p/(2 - p), Lemma 16.)
* spread: the ratio behind V obeys V_t = a_t + r_t V_(t-1), a_t = (1+1/t)^p - 1, r_t = (1-1/t) (1+1/t)^(2p-1). If
  a_t/(1 - r_t) <= U for t > N, then V_t <= max(V_N, U) there. For s = 1/t <= 1/(N+1) that quotient is at most
  p/(2 - 2p) if p >= 1/2, and p/(2 - 2p - (1 - 2p) (2 - p) s) if p < 1/2. (Limit p/(2 - 2p), Lemma 16.)
* log: (t+1)^-b log(A t^2) rises as long as 2 (t+1)/t > b log(A t^2), and falls afterwards.
"""

from dataclasses import dataclass
from math import exp, log, sqrt

from sympy import Expr, Sum, Symbol

from . import constants as k

SCAN = 20_000  # iterations of the finite maximum
i, t = Symbol("i", positive=True, integer=True), Symbol("t", positive=True, integer=True)


def sigma(n: Expr) -> Expr:
    """sigma_n of Theorem 1."""
    return k.varsigma * (n + 1) ** (-k.p)


# The ratios as the paper writes them, L489-492; `Sum` is evaluated only where t is a number.
DRIFT_RATIO = Sum((i + 1) * i * (sigma(i - 1) - sigma(i)), (i, 1, t)) / ((t + 1) * t * sigma(t))
SPREAD_RATIO = Sum((i + 1) * i * (sigma(i - 1) - sigma(i)) * sigma(i), (i, 1, t)) / (
    (t + 1) * t * sigma(t) ** 2
)


@dataclass(frozen=True)
class Supremum:
    """low <= supremum <= high; `at` is the t where `low` is attained, None where it is approached as t grows."""

    low: float
    high: float
    at: int | None


def _decay(p: float, below: float) -> None:
    if not 0 < p < below:
        raise ValueError(f"the decay p must lie in (0, {below:g}), not {p}")


def drift(p: float) -> Supremum:
    """sup over t >= 1 of the ratio in (15a): 2^p - 1, at t = 1."""
    _decay(p, 1)
    return Supremum(2**p - 1, 2**p - 1, 1)


def drift_from(p: float, q: int, scan: int = SCAN) -> Supremum:
    """sup over t >= q >= 1 of the ratio in (23c), whose sum starts behind q (sigma is constant before)."""
    _decay(p, 1)
    numerator, best, at, total = 0.0, 0.0, q, 0.0
    for n in range(1, q + scan + 1):
        total += n ** (1 - p)  # full sum, for the decreasing ratio that bounds the tail
        if n > q:
            numerator += (n + 1) * n * (n**-p - (n + 1) ** -p)
            ratio = numerator / (n * (n + 1) ** (1 - p))
            best, at = (ratio, n) if ratio > best else (best, at)
    n = q + scan
    tail = 2 * total / (n * (n + 1) ** (1 - p)) - 1
    limit = p / (2 - p)
    return Supremum(max(best, limit), max(best, tail), at if best >= limit else None)


def spread(p: float, q: int = 0, scan: int = SCAN) -> Supremum:
    """V of (15d) for q = 0, V_q of (23h) for q >= 1: sup over t > q of the ratio whose sum starts behind q."""
    _decay(p, 1)
    value, best, at = 0.0, 0.0, q + 1
    for n in range(q + 1, q + scan + 1):
        s = 1 / n
        value = (1 + s) ** p - 1 + (1 - s) * (1 + s) ** (2 * p - 1) * value
        best, at = (value, n) if value > best else (best, at)
    limit = p / (2 - 2 * p)
    tail = p / (2 - 2 * p - max(0.0, (1 - 2 * p) * (2 - p)) / (q + scan + 1))
    return Supremum(max(best, limit), max(best, tail), at if best >= limit else None)


def log_ratio(A: float, b: float, start: int = 1) -> Supremum:
    """sup over integers t >= start of (t+1)^-b log(A t^2), for b > 0 and A start^2 > 1."""
    if not (b > 0 and A * start**2 > 1):
        raise ValueError(f"need b > 0 and A start^2 > 1, not b = {b}, A = {A}, start = {start}")

    def value(x: float) -> float:
        return (log(A) + 2 * log(x)) * exp(-b * (log(x) + log(1 + 1 / x)))

    def rises(x: float) -> bool:
        return 2 * (x + 1) / x > b * (log(A) + 2 * log(x))

    if not rises(start):
        return Supremum(value(start), value(start), start)
    low, high = log(start), (4 / b + abs(log(A))) / 2 + log(start) + 1  # at `high` 4 <= b log(A t^2)
    while rises(exp(high)):
        high += 1
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(exp(middle)) else (low, middle)
    near = int(exp(low))
    at = max((n for n in (near, near + 1) if n >= start), key=value)
    return Supremum(value(at), value(exp(low)) * (1 + 1e-12), at)


def one_sample(p: float, varsigma: float, c: float, delta: float, d: int, **x: float) -> dict[str, Supremum]:
    """C, C_bar and V of (15) at L_f, L_g, D, sigma_f, sigma_g, Delta_F. Raises ValueError for p outside (0, 1/2)."""
    _decay(p, 0.5)
    smooth = varsigma * x["L_f"] + x["L_g"]
    noise = varsigma * x["sigma_f"] + x["sigma_g"]
    C = 2**p * (x["Delta_F"] + smooth * x["D"] ** 2 / varsigma)  # both summands are largest at t = 1
    logs = log_ratio(8 * d / delta, 1 - 2 * p)
    size = 8 * c * (4 * smooth * x["D"] ** 2 + 3 * noise * x["D"]) / varsigma
    C_bar = Supremum(size * sqrt(logs.low), size * sqrt(logs.high), logs.at)
    return {"C": Supremum(C, C, 1), "C_bar": C_bar, "V": spread(p)}
