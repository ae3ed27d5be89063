"""Noise laws of gradient oracles, with their almost-sure bounds.

``law(sample, d, part, xp)`` gives a zero-mean (runs, d) disturbance. Parameters are floats or (runs, 1) columns, so a
grid of noise levels is one batch. ``low <= |noise| <= high`` almost surely; ``bounded`` is False where no such
``high`` exists. ``deviation(d)`` is the root of E|noise|^2; ``second_moment`` is E|noise|^2 where d does not matter.

Draws of different kinds are independent (`workbench.arrays.random`), so a law may draw a direction and a radius from
the same part.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

Array = Any


def _check(law: Any, low: Array, high: Array) -> None:
    """Raises ValueError unless 0 <= low <= high in every row (NaN compares false).

    Only numbers and NumPy columns are checked: a law on another library is a copy of a checked one
    (`workbench.arrays.backends.place`).
    """
    if {type(low).__module__, type(high).__module__} <= {"builtins", "numpy"}:
        good = (low >= 0) & (low <= high)
        if not (good if isinstance(good, bool) else good.all()):
            name = type(law).__name__
            raise ValueError(
                f"{name}: noise bounds must satisfy 0 <= low <= high; got low = {low}, high = {high}"
            )


class _Bounded:
    low: Any
    high: Any
    bounded = True
    second_moment: Any

    def __post_init__(self) -> None:
        _check(self, self.low, self.high)

    def deviation(self, d: int) -> Array:
        return self.second_moment**0.5


@dataclass(frozen=True)
class Sphere(_Bounded):
    """Noise that is uniform on the sphere of radius sigma; plus or minus sigma for d = 1. kappa_sigma = 1.

    sigma: a number or (rows, 1). Raises ValueError for a negative one.
    """

    sigma: Array = 0.0

    def __call__(self, xi: Any, d: int, part: int, xp: Any, k: int = 0) -> Array:
        return self.sigma * xi.sphere(d, part, k)

    @property
    def low(self) -> Array:
        return self.sigma

    high = low

    @property
    def second_moment(self) -> Array:
        return self.sigma**2


@dataclass(frozen=True)
class TwoRadius(_Bounded):
    """Noise with a uniform direction and the radius ``low`` or ``high``, each with probability 1/2.

    low, high: numbers or (rows, 1); kappa_sigma = high / low. Raises ValueError unless 0 <= low <= high.
    """

    low: Array
    high: Array

    def __call__(self, xi: Any, d: int, part: int, xp: Any, k: int = 0) -> Array:
        radius = xp.where(xi.uniform(1, part, k) < 0.5, self.low, self.high)
        return radius * xi.sphere(d, part, k)

    @property
    def second_moment(self) -> Array:
        return (self.low**2 + self.high**2) / 2


@dataclass(frozen=True)
class Skewed(_Bounded):
    """Noise for d = 1: +high with probability low / (low + high), else -low. Zero mean, variance low * high.

    low, high: numbers or (rows, 1). Raises ValueError unless 0 <= low <= high, and, when it is drawn, for d > 1.
    """

    low: Array
    high: Array

    def __call__(self, xi: Any, d: int, part: int, xp: Any, k: int = 0) -> Array:
        if d != 1:
            raise ValueError(f"the skewed two-point law is defined for d = 1 only, not for d = {d}")
        p = self.low / (self.low + self.high)
        return xp.where(xi.uniform(1, part, k) < p, self.high, -self.low)

    @property
    def second_moment(self) -> Array:
        return self.low * self.high


@dataclass(frozen=True)
class Gaussian:
    """Noise with the law N(0, sigma^2) on each coordinate: not bounded almost surely, on either side.

    sigma: a number or (rows, 1). Raises ValueError for a negative one.
    """

    sigma: Array = 0.0
    bounded = False
    low = 0.0
    high = float("inf")

    def __post_init__(self) -> None:
        _check(self, self.sigma, self.sigma)

    def __call__(self, xi: Any, d: int, part: int, xp: Any, k: int = 0) -> Array:
        return self.sigma * xi.normal(d, part, k)

    def deviation(self, d: int) -> Array:
        return self.sigma * math.sqrt(d)


@dataclass(frozen=True)
class Pareto:
    """Noise with a uniform direction and a Pareto radius: P(|noise| > r) = (scale/r)^index for r >= scale.

    E|noise|^p = scale^p index/(index - p) for p < index, and infinite from there on (`moment`). index: a number.
    scale: a number or (rows, 1). Raises ValueError unless index > 1 (else there is no mean) and scale >= 0.
    """

    index: float
    scale: Array = 1.0
    bounded = False
    high = float("inf")

    def __post_init__(self) -> None:
        _check(self, self.scale, self.scale)
        if not self.index > 1:
            raise ValueError(f"Pareto: index must be above 1; got {self.index}")

    @property
    def low(self) -> Array:
        return self.scale

    def __call__(self, xi: Any, d: int, part: int, xp: Any, k: int = 0) -> Array:
        radius = xp.pow(xi.uniform(1, part, k), -1.0 / self.index)
        return self.scale * radius * xi.sphere(d, part, k)

    def moment(self, p: float) -> Array:
        """E|noise|^p; infinite from p = index on."""
        if p >= self.index:
            return self.scale * float("inf")
        return self.scale**p * self.index / (self.index - p)

    def deviation(self, d: int) -> Array:
        return self.moment(2.0) ** 0.5


@dataclass(frozen=True)
class Student:
    """Noise with the multivariate Student law: a Gaussian vector over the root of an independent chi-squared mean.

    degrees: an even number, for which the chi-squared variable is a product of uniforms. E|noise|^p is finite for p <
    degrees (`moment`). sigma: a number or (rows, 1), the scale of each coordinate. Raises ValueError for other
    degrees, and for a negative sigma.
    """

    degrees: int
    sigma: Array = 1.0
    bounded = False
    low = 0.0
    high = float("inf")

    def __post_init__(self) -> None:
        _check(self, self.sigma, self.sigma)
        if self.degrees not in range(2, 1001, 2):
            raise ValueError(f"Student: degrees must be an even number from 2 to 1000, got {self.degrees}")

    def __call__(self, xi: Any, d: int, part: int, xp: Any, k: int = 0) -> Array:
        uniform = xi.uniform(self.degrees // 2, part, k)
        logs = xp.log(uniform)
        total = logs[..., 0:1]
        for j in range(1, self.degrees // 2):
            total = total + logs[..., j : j + 1]
        mean_square = -2.0 * total / float(self.degrees)
        return self.sigma * xi.normal(d, part, k) / xp.sqrt(mean_square)

    def moment(self, p: float, d: int = 1) -> Array:
        """E|noise|^p in d dimensions; infinite from p = degrees on."""
        if p >= self.degrees:
            return self.sigma * float("inf")
        half, nu = p / 2, self.degrees / 2
        logs = math.lgamma(d / 2 + half) - math.lgamma(d / 2) + math.lgamma(nu - half) - math.lgamma(nu)
        return self.sigma**p * (2 * nu) ** half * math.exp(logs)

    def deviation(self, d: int) -> Array:
        return self.moment(2.0, d) ** 0.5
