"""Functions of the array standard that every engine builds from comparisons and `where`.

Libraries differ in the bits of these: which zero a maximum returns, how a hyperbolic cosine is rounded. Written once,
from operations that are exact everywhere, they give the same bits on NumPy, on CuPy and in a compiled kernel. The
eager namespaces and the tracer install them under the standard's names (`xp.maximum(a, b)`); arguments are arrays or
numbers, and NaN propagates as the standard says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Array = Any


def maximum(a: Array, b: Array, /, *, xp: Any) -> Array:
    """Elementwise; NaN where either is NaN, a where they are equal."""
    a, b = xp.asarray(a), xp.asarray(b)
    return xp.where((a >= b) | (a != a), a, b)


def minimum(a: Array, b: Array, /, *, xp: Any) -> Array:
    """Elementwise; NaN where either is NaN, a where they are equal."""
    a, b = xp.asarray(a), xp.asarray(b)
    return xp.where((a <= b) | (a != a), a, b)


def clip(x: Array, /, min: Array = None, max: Array = None, *, xp: Any) -> Array:
    """The nearest number in [min, max], a missing end being infinite; NaN where x is NaN."""
    x = xp.asarray(x)
    if min is not None:
        low = xp.asarray(min)
        x = xp.where(x < low, low, x)
    if max is not None:
        high = xp.asarray(max)
        x = xp.where(x > high, high, x)
    return x


def sign(x: Array, /, *, xp: Any) -> Array:
    """+1, -1, or 0 where x is 0 (of either sign); NaN stays NaN."""
    x = xp.asarray(x)
    one = xp.asarray(1.0)
    return xp.where(x > 0.0, one, xp.where(x < 0.0, -one, x + 0.0))


def cosh(x: Array, /, *, xp: Any) -> Array:
    """(e^|x| + e^-|x|) / 2, from the shared exponential; infinite from |x| = 709.79 on."""
    power = xp.exp(xp.abs(xp.asarray(x)))
    return 0.5 * power + 0.5 / power


FUNCTIONS: dict[str, Callable[..., Array]] = {
    "maximum": maximum,
    "minimum": minimum,
    "clip": clip,
    "sign": sign,
    "cosh": cosh,
}
