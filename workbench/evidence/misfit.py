"""Misfit: what neighbouring marks of a mean curve differ by, and the noise of the runs does not explain.

A curve that oscillates between its marks, and marks some of which are ends of epochs, leave residuals that no spread
over runs explains, for all runs may be multiples of one curve. An estimate that is a weighted sum of logarithms at the
marks is then off by more than its standard error says (`doubt`).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from workbench.evidence.rates import log_mean
from workbench.evidence.stats import Floats, jackknife

NOISE = 3.0  # times their variance, the squared residuals between neighbouring marks are taken for noise of the runs
# Standard errors of an estimate that are allowed for what the residuals do to it.
DOUBTS = 4.0


def misfit(
    values: Floats,
    marks: Floats,
    window: tuple[float, float],
    logs: Callable[[Floats], Floats] = log_mean,
) -> float:
    """By how much neighbouring marks of the tail differ from one curve, relatively, beyond the noise of the runs.

    values (runs, ..., M); logs maps mean curves (k, ..., M') to the logarithm (k, M') of the curve that is read. Each
    mark is compared with the line, in logarithms, through both its neighbours, from which a smooth curve differs by
    little. 0 for fewer than three marks.
    """
    x = np.log(marks)
    inside = np.flatnonzero((x >= np.log(window[0] * window[1]) / 2 - 1e-9) & (x <= np.log(window[1]) + 1e-9))
    if inside.size < 3:
        return 0.0
    x = x[inside]
    share = (x[1:-1] - x[:-2]) / (x[2:] - x[:-2])

    def bends(means: Floats) -> Floats:
        curve = logs(means)
        between = curve[:, :-2] * (1 - share) + curve[:, 2:] * share
        return (curve[:, 1:-1] - between) / np.sqrt(1 + share**2 + (1 - share) ** 2)

    estimates = jackknife(values[..., inside], bends)
    remainder = float(np.mean([e.value**2 - NOISE * e.se**2 for e in estimates]))
    return float(np.sqrt(remainder)) if remainder > 0 else 0.0


def doubt(size: float, weights: Floats) -> Floats:
    """By how much weighted sums of logarithms, with weights (M,) or (M, q), may be off for a misfit of this size."""
    return DOUBTS * size * np.linalg.norm(weights, axis=0)


def advice(size: float) -> str:
    """What decides where residuals between marks leave a claim open."""
    return (
        f"other marks: neighbouring ones differ by {size:.1%} from a smooth curve, which the noise of the runs does not"
        " explain. The curve oscillates, or some marks are ends of epochs and others are not: record at one place of"
        " every epoch, or the largest value since the previous mark"
    )
