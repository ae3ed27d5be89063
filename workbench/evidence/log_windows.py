"""Windows for curves that change by logarithms: the quarters of log T from T^(1/2) to T^(3/4) and from there to T.

A logarithm grows by the same share of itself over (T^(3/4), T] at every horizon; over the last three decades it grows
less and less. So with these windows a longer horizon shows a logarithm no worse than a shorter one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.evidence import horizons
from workbench.evidence.rates import log_mean, slope_weights
from workbench.evidence.stats import Floats
from workbench.evidence.verdicts import NotEnough

LEAST = 3  # marks in each window
MORE = 1.1  # times the share that a term which dies is seen to keep from window to window
KEEPS = 0.95  # of its slope on log-log axes, what a curve keeps that falls like a power of T as a whole
SLOWEST = 1 / 8  # of the powers by which a curve may approach what it tends to


@dataclass(frozen=True)
class Windows:
    """The marks of two adjacent windows, and of the halves of the later one, as masks (M,). x: log T (M,).

    early: the marks from T^(1/4) to T^(1/2), which may be too few to be read (`has_early`).

    The mark nearest to a border belongs to both sides.
    """

    x: Floats
    before: np.ndarray
    tail: np.ndarray
    first: np.ndarray  # half of the tail
    last: np.ndarray
    early: np.ndarray

    @property
    def has_early(self) -> bool:
        return int(self.early.sum()) >= LEAST

    @property
    def length(self) -> float:
        """Of the tail, on the scale of log T."""
        return float(self.x[self.tail][-1] - self.x[self.tail][0])

    def centre(self, name: str) -> float:
        """The middle of a window on the scale of log T."""
        x = self.x[getattr(self, name)]
        return float(x[0] + x[-1]) / 2

    def slope(self, name: str) -> Floats:
        """Weights (M,) of the least-squares slope against log T over a window."""
        weights, mask = np.zeros(self.x.size), getattr(self, name)
        weights[mask] = slope_weights(self.x[mask])
        return weights

    def mean(self, name: str) -> Floats:
        """Weights (M,) of the mean over a window."""
        mask = getattr(self, name)
        return mask / mask.sum()

    def after_the_fall(self, means: Floats) -> Floats:
        """The growth (k,) that is left, of means (k, M), when a term which makes the curve fall has died.

        What dies like T^-p shrinks by one share from window to window, so three of them tell what does not
        (Aitken's rule, with a share that is a tenth larger, as windows differ in their marks); by that of T^-`SLOWEST`
        at most, where they are not three. A curve that falls like a power of T as a whole leaves nothing.
        """
        names = (*(("early",) if self.has_early else ()), "before", "tail")
        slopes = np.stack([self.slope(name) for name in names], axis=1)
        growths, powers = means @ slopes, log_mean(means) @ slopes
        slowest = np.exp(-SLOWEST * (self.centre("tail") - self.centre("before")))
        change = np.maximum(growths[:, -1] - growths[:, -2], 0.0)
        share = np.full_like(change, slowest)
        if len(names) > 2:
            earlier = growths[:, -2] - growths[:, -3]
            share = MORE * change / np.where(earlier > 0, earlier, np.inf)
            share = np.where(earlier > 0, np.minimum(share, slowest), slowest)
        dies_out = powers[:, -1] <= np.minimum(KEEPS * powers[:, -2], 0.0)
        return np.asarray(growths[:, -1] + np.where(dies_out, 0.0, change * share / (1 - share)))

    def until_small(self, earlier: float, now: float, small: float) -> str:
        """A horizon on whose last window a quantity is small that goes on to fall as between these two, in words.

        earlier, now: its values in the windows; like a power of T between them.
        """
        a, b, end = self.centre("before"), self.centre("tail"), float(self.x[-1])
        if not 0 < small < now < earlier:
            return self.beyond()
        goal = b + float(np.log(now / small) * (b - a) / np.log(earlier / now))
        return horizons.times(
            float(np.exp(min(max(goal * end / self.centre("first"), end + np.log(2)) - end, 50.0)))
        )

    def beyond(self, share: float = 1 / 3) -> str:
        """A horizon T^(1 + share), in words: by default that whose last window begins where this one ends."""
        return horizons.times(float(np.exp(min(share * self.x[-1], 50.0))))


def windows(marks: Floats, of: str) -> Windows:
    """The windows of marks above 1. of: what needs them, for the message.

    Raises `NotEnough` for fewer than three marks in one of the windows.
    """
    if not marks[-1] > 1:
        raise NotEnough(f"{of} needs marks above 1")
    with np.errstate(divide="ignore"):
        x = np.log(marks)
    end = float(x[-1])
    start = max(end / 2, float(x[x > 0][0]), 0.0)
    middle = (start + end) / 2
    inside = x >= start - 1e-9
    before, tail = _split(x, inside, middle)
    first, last = _split(x, tail, (middle + end) / 2)
    if min(before.sum(), tail.sum()) < LEAST or min(first.sum(), last.sum()) < 2:
        raise NotEnough(
            f"{of} needs three marks from T^(1/2) to T^(3/4), and from there to T: record more checkpoints",
            horizons.times(4),
        )
    early = (x >= end / 4 - 1e-9) & (x <= end / 2 + 1e-9)
    return Windows(x, before, tail, first, last, early)


def _split(x: Floats, inside: np.ndarray, middle: float) -> tuple[np.ndarray, np.ndarray]:
    distance = np.where(inside, np.abs(x - middle), np.inf)
    near = distance <= distance.min() + 1e-9
    return inside & ((x <= middle) | near), inside & ((x >= middle) | near)
