"""Compact convex sets: linear minimization oracle, projection, diameter. Shared by instances of all papers.

A point is (runs, d), or (..., d): every operation works on the last axis. ``lmo(c, xp)`` is a minimizer of <c, v> over
the set and ``project(x, xp)`` the nearest point. The oracle breaks ties in a fixed way: the first of equal coordinates,
the lower end of an interval, the first basis vector for c = 0. ``diameter(d)`` is the largest distance between two
points with d coordinates.

The oracles of `Box`, `L1Ball`, `L2Ball` and `Simplex` use row-wise primitives only. Projections sort, so they run on
the eager engine.

Projections on the simplex and the l1 ball: Duchi, Shalev-Shwartz, Singer, Chandra (ICML 2008). The threshold is the
maximum over k of (sum of the k largest entries - radius) / k.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.arrays.ops import argmax, clip, column, dot, entry, maximum, norm, unit

Array = Any
BISECTIONS = 60  # in `cut_lmo`


def _array(value: Array, xp: Any) -> Array:
    """A number as a 0-dimensional array: the standard's ``where`` does not take two numbers."""
    return value if hasattr(value, "shape") else xp.asarray(value)


@dataclass(frozen=True)
class Box:
    """The set low <= x <= high, coordinate by coordinate.

    low, high: numbers, or arrays that broadcast against a point (..., d). Raises ValueError for a set that is empty or
    unbounded.
    """

    low: Array
    high: Array

    def __post_init__(self) -> None:
        if {type(self.low).__module__, type(self.high).__module__} <= {"builtins", "numpy"}:
            sides = np.asarray(self.high) - np.asarray(self.low)
            if not np.all((sides >= 0) & np.isfinite(sides)):
                raise ValueError(f"Box: the set is empty or unbounded: low = {self.low}, high = {self.high}")

    def lmo(self, c: Array, xp: Any) -> Array:
        return xp.where(c >= 0.0, _array(self.low, xp), _array(self.high, xp))

    def project(self, x: Array, xp: Any) -> Array:
        return clip(x, self.low, self.high, xp)

    def diameter(self, d: int) -> float:
        return float(np.linalg.norm(np.broadcast_to(np.subtract(self.high, self.low), (d,))))


class _Ball:
    """A set with a radius that is positive and finite; ValueError otherwise."""

    radius: Array

    def __post_init__(self) -> None:
        if type(self.radius).__module__ not in ("builtins", "numpy"):
            return  # copies placed on a GPU were checked before
        if not np.all((self.radius > 0) & np.isfinite(self.radius)):
            name = type(self).__name__
            raise ValueError(f"{name}: the radius must be positive and finite, got {self.radius}")

    def diameter(self, d: int) -> float:
        return 2 * float(np.max(self.radius))


@dataclass(frozen=True)
class L1Ball(_Ball):
    """The set sum |x_j| <= radius. radius: a number or (rows, 1); ValueError unless it is positive and finite."""

    radius: Array = 1.0

    def lmo(self, c: Array, xp: Any) -> Array:
        radius = _array(self.radius, xp)
        best = argmax(xp.abs(c), xp)
        vertex = xp.where(entry(c, best, xp) >= 0.0, -radius, radius)
        return xp.where(xp.arange(c.shape[-1]) == best, vertex, xp.asarray(0.0))

    def project(self, x: Array, xp: Any) -> Array:
        size = xp.abs(x)
        threshold = maximum(_threshold(size, self.radius, xp), 0.0, xp)
        shrunk_size = maximum(size - threshold, 0.0, xp)
        return xp.where(x < 0.0, -shrunk_size, shrunk_size)


@dataclass(frozen=True)
class L2Ball(_Ball):
    """The set |x| <= radius. radius: a number or (rows, 1); ValueError unless it is positive and finite."""

    radius: Array = 1.0

    def lmo(self, c: Array, xp: Any) -> Array:
        return -self.radius * unit(c, xp)

    def project(self, x: Array, xp: Any) -> Array:
        size = norm(x, xp)
        outside = size > self.radius
        return xp.where(outside, x * (self.radius / xp.where(outside, size, xp.asarray(1.0))), x)


@dataclass(frozen=True)
class Simplex(_Ball):
    """The set x >= 0, sum x_j = radius. radius: a number or (rows, 1); ValueError unless positive and finite."""

    radius: Array = 1.0

    def lmo(self, c: Array, xp: Any) -> Array:
        return xp.where(xp.arange(c.shape[-1]) == argmax(-c, xp), _array(self.radius, xp), xp.asarray(0.0))

    def project(self, x: Array, xp: Any) -> Array:
        return maximum(x - _threshold(x, self.radius, xp), 0.0, xp)

    def diameter(self, d: int) -> float:
        return 0.0 if d == 1 else float(np.sqrt(2.0) * np.max(self.radius))


@dataclass(frozen=True)
class Copies:
    """``count`` points of the same set, one after the other: (..., count * size)."""

    part: Any
    count: int

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError(f"Copies: there must be at least one point, got {self.count}")

    def _each(self, operation: Callable[[Array, Any], Array], x: Array, xp: Any) -> Array:
        size, rest = divmod(x.shape[-1], self.count)
        if rest:
            raise ValueError(
                f"Copies: {x.shape[-1]} coordinates do not make {self.count} points of equal size"
            )
        blocks = xp.reshape(x, (*x.shape[:-1], self.count, size))
        return xp.reshape(operation(blocks, xp), x.shape)

    def lmo(self, c: Array, xp: Any) -> Array:
        return self._each(self.part.lmo, c, xp)

    def project(self, x: Array, xp: Any) -> Array:
        return self._each(self.part.project, x, xp)

    def diameter(self, d: int) -> float:
        return float(np.sqrt(self.count) * self.part.diameter(d // self.count))


@dataclass(frozen=True)
class Product:
    """Sets side by side: ``parts`` holds (set, number of coordinates)."""

    parts: tuple[tuple[Any, int], ...]

    def __post_init__(self) -> None:
        if not self.parts or min(size for _, size in self.parts) < 1:
            raise ValueError("Product: every part needs at least one coordinate, and there must be one part")

    def _each(self, name: str, x: Array, xp: Any) -> Array:
        if x.shape[-1] != sum(size for _, size in self.parts):
            raise ValueError(f"Product: {x.shape[-1]} coordinates for parts of {[s for _, s in self.parts]}")
        results, first = [], 0
        for part, size in self.parts:
            results.append(getattr(part, name)(x[..., first : first + size], xp))
            first += size
        return xp.concat(results, axis=-1)

    def lmo(self, c: Array, xp: Any) -> Array:
        return self._each("lmo", c, xp)

    def project(self, x: Array, xp: Any) -> Array:
        return self._each("project", x, xp)

    def diameter(self, d: int) -> float:
        return float(np.linalg.norm([part.diameter(size) for part, size in self.parts]))


def _threshold(v: Array, radius: Array, xp: Any) -> Array:
    """The number theta for which the entries max(v - theta, 0) add up to ``radius``: (..., d) -> (..., 1)."""
    falling = -xp.sort(-v, axis=-1)
    add_up = xp.cumulative_sum if hasattr(xp, "cumulative_sum") else xp.cumsum
    k = xp.astype(xp.arange(1, v.shape[-1] + 1), xp.float64)
    return xp.max((add_up(falling, axis=-1) - radius) / k, axis=-1, keepdims=True)


def cut_lmo(lmo: Callable[[Array, Any], Array], c: Array, a: Array, r: Array, xp: Any) -> tuple[Array, Array]:
    """Minimizer of <c, v> over {v in X: <a, v> <= r}, from the oracle of X: (v (runs, d), empty (runs, 1) of bool).

    By duality v minimizes <c + lambda a, v> over X for some lambda >= 0. The direction (1-s) c/|c| + s a/|a| is
    bisected over s in [0, 1]; the two oracle points on either side of the cut, tied at the multiplier, are then mixed
    so that <a, v> = r. Rows where the cut set is empty (``empty``) get the point of X that minimizes <a, v>.
    """
    one = xp.asarray(1.0)
    scale_c, scale_a = norm(c, xp), norm(a, xp)
    c_1 = c / xp.where(scale_c > 0.0, scale_c, one)
    a_1 = a / xp.where(scale_a > 0.0, scale_a, one)
    outside, inside = lmo(c_1, xp), lmo(a_1, xp)
    free, empty = dot(a, outside, xp) <= r, dot(a, inside, xp) > r
    low, high = column(0.0, c, xp), column(1.0, c, xp)
    for _ in range(BISECTIONS):
        s = (low + high) / 2
        v = lmo((1.0 - s) * c_1 + s * a_1, xp)
        fits = dot(a, v, xp) <= r
        low, high = xp.where(fits, low, s), xp.where(fits, s, high)
        outside, inside = xp.where(fits, outside, v), xp.where(fits, v, inside)
    over, under = dot(a, outside, xp) - r, r - dot(a, inside, xp)
    share = xp.where(over + under > 0.0, under / xp.where(over + under > 0.0, over + under, one), one)
    on_the_cut = share * outside + (1.0 - share) * inside
    v = xp.where(empty, lmo(a_1, xp), xp.where(free, lmo(c_1, xp), on_the_cut))
    return v, empty
