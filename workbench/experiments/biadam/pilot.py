"""The rule of `study` that chooses the start of a window: statistics of a reading on pooled pilot runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from workbench.evidence import rates
from workbench.evidence._common import SIDE
from workbench.evidence.stats import Estimate, Floats, jackknife
from workbench.experiments.claims import Results
from workbench.experiments.readings import Level, Reading

SEEDS = (900, 901, 902)  # of pilots; no verdict uses them
STARTS = tuple(2.0**-j for j in range(8, 1, -1))  # shares of the horizon, the earliest first


@dataclass(frozen=True)
class Trial:
    """One start on pooled runs. off: the largest distance from the claim, in tolerances (drift: in drift tolerances).

    half_width: of the interval of a single verdict, in tolerances.
    """

    start: float
    off: float
    half_width: float

    @property
    def admissible(self) -> bool:
        return self.off <= 0.5

    @property
    def sharp(self) -> bool:
        return self.half_width <= 0.5


def of_slope(reading: Reading, pooled: Results, seeds: int, one_sided: bool = False) -> list[Trial]:
    """The trials of a reading, tight or (one_sided) a rate, for every start that leaves enough marks."""
    values, marks = reading.curve(pooled)
    claimed, tol = reading.claimed.value, reading.tol
    drift_tol = tol if reading.drift_tol is None else reading.drift_tol
    found = []
    for start in STARTS:
        try:
            s = rates.window_slopes(values, marks, (start * marks[-1], marks[-1]), reading.log_power)
        except ValueError:
            continue
        if one_sided:
            off = max((e.value - claimed) / tol for e in (s.tail, s.ahead))
        else:
            off = max(
                *(abs(e.value - claimed) / tol for e in (s.tail, s.before)), abs(s.drift.value) / drift_tol
            )
        found.append(Trial(start, off, half_width(s.tail, seeds) / tol))
    return found


def of_level(claim: Level, pooled: Results, seeds: int) -> list[Trial]:
    """The trials of a level."""
    values, marks = claim.reading.curve(pooled)
    ratios = values / claim.reading.view.predict(claim.predictor(pooled), marks)
    found = []
    for start in STARTS:
        middle = np.sqrt(start) * marks[-1]
        tail, before = marks >= middle, (marks >= start * marks[-1]) & (marks < middle)
        if tail.sum() < 3 or not before.any():
            continue
        weights = tail / tail.sum()
        line = np.zeros(marks.size)
        line[tail] = rates.slope_weights(np.log(marks[tail])) * np.log(marks[-1] / middle)
        now, ahead = jackknife(ratios, partial(_weighted, np.stack([weights, weights + line], axis=1)))
        off = max(abs(e.value - 1) / claim.rtol for e in (now, ahead))
        found.append(Trial(start, off, half_width(now, seeds) / claim.rtol))
    return found


def _weighted(weights: Floats, means: Floats) -> Floats:
    return means @ weights


def half_width(estimate: Estimate, seeds: int) -> float:
    """Of the interval that the runs of one seed give."""
    low, high = estimate.interval(SIDE)
    return (high - low) / 2 * float(np.sqrt(seeds))


def earliest(trials: Sequence[Trial]) -> Trial | None:
    """The earliest admissible start from which on every later one is admissible too, or None."""
    chosen = None
    for trial in reversed(trials):
        if not trial.admissible:
            break
        chosen = trial
    return chosen
