"""Waves: does the slope of a curve go up and down, so that over few of them it is not the exponent?

Sums of powers bend one way and a burn-in the other, so that the local slope of what claims are about turns once, from
falling to rising. One that turns more often belongs to a wave (a log-periodic modulation) or to stages. A line through
few of them depends on where the window begins, and no number of runs changes that. A verdict is not changed by it: how
the wave goes on is not known. It gets a warning.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from workbench.evidence import rates
from workbench.evidence._common import SIDE
from workbench.evidence.distributions import student_quantile
from workbench.evidence.stats import Floats, jackknife
from workbench.evidence.verdicts import NotEnough

HALF = 0.25 * float(np.log(10))  # of the width of the windows of local slopes: half a decade
# Swings of the local slope that count, over the tolerance. A wave of 5 % of 1.5 decades swings by 6 times 0.03, and
# can move the slope over 1.5 decades by that.
SWING = 4.0
# A line over n waves is moved by up to this share of the swing over n^2: of sines, the slope over the later half.
MOVED = 0.6


def warning(
    values: Floats, marks: Floats, window: tuple[float, float], tol: float, log_power: float = 0.0
) -> str:
    """In words, that the window holds few waves or stages; "" where none are seen. values (runs, M): finite."""
    inside = (marks >= window[0] * (1 - 1e-9)) & (marks <= window[1] * (1 + 1e-9))
    table, x = rates.without_logs(values[:, inside], marks[inside], log_power), np.log(marks[inside])
    try:
        _, weights = rates.sliding_slopes(x, HALF)
    except NotEnough:
        return ""
    slopes = rates.log_mean(table.mean(0)) @ weights
    turns = _turns(slopes, SWING * tol) if np.isfinite(slopes).all() else []
    if len(turns) < 4:  # both ends, and two between
        return ""
    pairs = weights[:, turns[1:]] - weights[:, turns[:-1]]
    swings = jackknife(table, lambda means: rates.log_mean(means) @ pairs)
    far = -student_quantile(max(len(table) - 1, 1), SIDE / len(slopes))
    signs = [np.sign(s.value) for s in swings if s.decides and abs(s.value) > far * s.se]
    between = sum(a != b for a, b in pairwise(signs))
    low, high, waves = slopes[turns].min(), slopes[turns].max(), between / 2
    off = MOVED * (high - low) / max(waves, 1) ** 2
    if between < 2 or off < tol / 2:
        return ""
    what = "wave or stage" if waves == 1 else "waves or stages"
    return (
        f"the local slope goes up and down between {low:.2g} and {high:.2g}: about {waves:g} {what} in the window, over"
        f" which a slope can be off by {off:.1g}"
    )


def _turns(slopes: Floats, swing: float) -> list[int]:
    """Numbers of the extreme slopes, both ends included, between which the slope moves by more than a swing."""
    turns, best, direction = [0], 0, 0
    for n in range(1, len(slopes)):
        if direction == 0:
            if abs(slopes[n] - slopes[0]) > swing:
                best, direction = n, int(np.sign(slopes[n] - slopes[0]))
        elif direction * (slopes[n] - slopes[best]) > 0:
            best = n
        elif direction * (slopes[best] - slopes[n]) > swing:
            turns.append(best)
            best, direction = n, -direction
    return [*turns, best]
