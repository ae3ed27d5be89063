"""The rule of `study` that chooses the start of a window: statistics of a reading on pooled pilot runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from workbench.evidence import rates
from workbench.evidence.stats import Floats, jackknife
from workbench.experiments.claims import Results
from workbench.experiments.readings import Level, Reading

SEEDS = (900, 901, 902)  # of pilots; no verdict uses them
STARTS = tuple(2.0**-j for j in range(8, 1, -1))  # shares of the horizon, the earliest first


ERRORS = 7.6  # 3.9 for the error probability of one claim of many, 3.7 so that 9999 of 10000 verdict seeds decide it


@dataclass(frozen=True)
class Trial:
    """One start on pooled runs.

    off: the largest distance from the claim, in tolerances. needs: the largest distance plus `ERRORS` standard errors
    of the runs of one verdict, in tolerances. more: factor on these runs with which it would be 1.
    """

    start: float
    off: float
    needs: float
    more: float

    @property
    def admissible(self) -> bool:
        return self.off <= 0.5

    @property
    def sharp(self) -> bool:
        return self.needs <= 1.0


def trial(start: float, offs: Sequence[float], errors: Sequence[float], seeds: int) -> Trial:
    """offs: distances in tolerances. errors: pooled standard errors of the statistics that decide, the last of offs."""
    each = [ERRORS * e * float(np.sqrt(seeds)) for e in errors]
    last = offs[-len(errors) :]
    more = max((e / max(1.0 - off, 1e-9)) ** 2 for off, e in zip(last, each, strict=True))
    return Trial(start, max(offs), max(off + e for off, e in zip(last, each, strict=True)), more)


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
            offs, errors = (
                [(s.ahead.value - claimed) / tol, (s.tail.value - claimed) / tol],
                [s.tail.se / tol],
            )
        else:
            offs = [abs(e.value - claimed) / tol for e in (s.before, s.tail)]
            offs, errors = [*offs, abs(s.drift.value) / drift_tol], [s.tail.se / tol, s.drift.se / drift_tol]
        found.append(trial(start, offs, errors, seeds))
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
        offs, errors = zip(
            *((abs(e.value - 1) / claim.rtol, e.se / claim.rtol) for e in (now, ahead)), strict=True
        )
        found.append(trial(start, offs, errors, seeds))
    return found


def _weighted(weights: Floats, means: Floats) -> Floats:
    return means @ weights


def earliest(trials: Sequence[Trial]) -> Trial | None:
    """The earliest admissible start from which on every later one is admissible too, or None."""
    chosen = None
    for trial in reversed(trials):
        if not trial.admissible:
            break
        chosen = trial
    return chosen
