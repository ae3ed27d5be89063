"""Ways back: can a slope still return to the claimed one, or is it seen on its way to it?

A start-up leads to the claim from above, a crossover from a faster term from below. Both are told by two adjacent
windows, and by both halves of the later one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from workbench.evidence import rates
from workbench.evidence._common import ERRORS, SIDE, Window
from workbench.evidence.stats import Estimate, Floats, lies_below

SOFTNESS = 0.4  # of the softest start-up that is allowed for: (1 + (T/T0)^SOFTNESS) in place of 1 + T/T0
ONSET = 0.12  # share of its distance to the claim that a growing curve's slope must shed for a start-up to be in view


class FromAbove(NamedTuple):
    """Statistics (k, claims) that say whether a slope above the claimed one can still return to it.

    no_burn_in: positive where the slope keeps more of its distance above the claim than the softest start-up leaves.
    growth: positive where T^-claimed times the curve grows faster than log T; of a claim that the curve is bounded
        (an exponent of 0) also where it grows like log T.
    lasting: positive where the slope keeps its distance.
    """

    no_burn_in: Any
    growth: Any
    lasting: Any


class FromBelow(NamedTuple):
    """The same of a slope below the claimed one.

    no_crossover: positive where the drift is too small for a crossover to the claimed term from a faster one.
    lasting: negative where the slope keeps its distance.
    steadiness: negative where the curve still steepens.
    """

    no_crossover: Any
    lasting: Any
    steadiness: Any


def start_up_length(claimed: float) -> float:
    """The distance from the first slope of a start-up to the claim: from 0, or where the claim grows from 1 or more."""
    return -claimed if claimed < 0 else max(1.0, claimed + 0.5) - claimed


def _from_above(before: Floats, after: Floats, window: Window, claimed: Floats, tol: float) -> FromAbove:
    """The statistics of the slopes (k, 1) in the two halves of a window, for each claim (claims,).

    A start-up leads from a constant, or where the claim grows from T (or more), to the claimed power: the share p of
    the distance that the slope still has to go falls so that p/(1 - p) shrinks like T^-SOFTNESS at least. Changes
    within tol are not resolved.
    """
    step = float(np.log(window[1] / window[0]) / 2)
    off, earlier = after - claimed, before - claimed
    longest = np.array([start_up_length(c) for c in claimed])
    earlier_above = np.clip(earlier, 0.0, longest)  # a slope beyond the first one belongs to no start-up
    remainder = (
        earlier_above / (earlier_above + (longest - earlier_above) * np.exp(SOFTNESS * step)) * longest
    )
    onset = np.where(claimed < 0, tol, np.maximum(tol, ONSET * earlier_above))
    return FromAbove(
        no_burn_in=off - np.minimum(remainder, earlier_above - onset),
        # By how much T^-claimed times the curve rises in each half, over its size.
        growth=off * np.exp(np.clip(step * (earlier + off) / 2, -50, 50))
        - np.where(claimed == 0, rates.slowest_decay(window, 2), 1.0) * np.minimum(earlier, longest),
        lasting=_lasting(earlier, off, window, longest),
    )


def _from_below(
    before: Floats, after: Floats, window: Window, claimed: Floats, tol: float, gap: Floats
) -> FromBelow:
    """A crossover from T^(claimed - gap) drifts by the product of the distances to both powers; half is required."""
    step = float(np.log(window[1] / window[0]) / 2)
    drift, off, earlier = after - before, after - claimed, before - claimed
    longest = np.array([start_up_length(c) for c in claimed])
    below = (earlier + off) / 2
    return FromBelow(
        no_crossover=np.maximum(tol, -0.5 * step * below * (gap + below)) - drift,
        lasting=_lasting(earlier, off, window, longest),
        steadiness=drift + tol + 0 * off,
    )


def _lasting(earlier: Floats, off: Floats, window: Window, longest: Floats) -> Floats:
    return off - rates.slowest_decay(window) * np.minimum(earlier, longest)


def statistics(
    slopes: Floats,
    step: float,
    *,
    claimed: float,
    gap: float,
    terms_known: bool,
    tol: float,
    window: Window,
    exact: bool,
) -> Floats:
    """(k, q): the statistics of `CurveReading.from_above`, of the claim and of those steeper by each of `ERRORS`.

    Then, of an exact exponent, those of `CurveReading.from_below`, of the claim and of less steep ones: no slope is too
    fast for an upper bound. slopes (k, 4): before the tail, in it, and in its two halves.
    """
    errors = np.array([0.0, *ERRORS])
    tail = (window[1] / np.exp(step), window[1])
    halves = [(slopes[:, [0]], slopes[:, [1]], window), (slopes[:, [2]], slopes[:, [3]], tail)]
    columns = [array for half in halves for array in _from_above(*half, claimed - errors, tol)]
    if exact:
        gaps = gap + errors * terms_known  # a less steep claim lies farther from a term that is known
        columns += [array for half in halves for array in _from_below(*half, claimed + errors, tol, gaps)]
    return np.concatenate(columns, axis=1)


def veto(statistics: Sequence[Estimate]) -> Floats:
    """1 where the statistic is significantly negative, else 0: a return to the claim, or an unsettled slope."""
    return lies_below(statistics, 0.0, SIDE).astype(float)


def slows_down(ways: Sequence[FromAbove]) -> Floats:
    """1 where the distance above the claim is seen to decay as a slow approach does."""
    return np.minimum(veto([w.lasting for w in ways]), veto([w.growth for w in ways]))
