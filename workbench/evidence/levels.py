"""Levels: the curve itself, including its constant, is predicted by a formula (`level`) or another method (`same`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from workbench.evidence import misfit as misfits
from workbench.evidence import rates, stats
from workbench.evidence._common import (
    MAX_FAILED,
    SIDE,
    Sample,
    Window,
    check_claim,
    checked_formula,
    checked_marks,
    checked_table,
    divergence,
    estimate_finding,
    p_either,
    p_inside,
    sample,
    unless_failed,
)
from workbench.evidence.horizons import times, times_as_long
from workbench.evidence.protections import RESIDUALS, SLOWER, START_UP, WAVES, names_of
from workbench.evidence.stats import Estimate, Floats
from workbench.evidence.verdicts import Finding, NotEnough


def level(
    values: ArrayLike,
    marks: ArrayLike,
    predicted: ArrayLike,
    rtol: float = 0.03,
    *,
    window: Window | None = None,
    max_failed: float = MAX_FAILED,
    without: Sequence[str] = (),
) -> Finding:
    """Is measured/predicted equal to 1 within rtol over the tail? Far sharper than a slope.

    predicted broadcasts against (runs, M) and is treated as exact; see `same` for a measured prediction.
    holds: the mean ratio over the tail lies significantly inside 1 +- rtol, and so does its linear extrapolation (in
    log T) by one more window. So the right level with an exponent wrong by more than rtol/log(T/T_mid), 0.009 by
    default, is not accepted.
    violated: the ratio lies significantly outside in the tail *and*, on the same side, after extrapolating the change
    from the window before. (Each extrapolation is the conservative one: while a transient decays, the ratio changes
    less within the tail than it did before.)
    Residuals between neighbouring marks that the noise of the runs does not explain narrow both (`misfit`). without:
    names of `protections` that the claim does without.

    Raises ValueError for values that are not (runs, M), marks that do not increase, a tolerance that is not positive,
    and a level that is not finite and positive; `NotEnough` for a window that is empty or has no mark in its earlier
    half or fewer than three in its tail.
    """
    marks = checked_marks(marks)
    check_claim(1.0, rtol=rtol)
    without = names_of(without)
    runs = sample(checked_table(values, marks.size) / checked_formula(predicted, "the level"))
    if runs.too_few(max_failed):
        return divergence("level", 1.0, runs, float(marks[-1]), max_failed)
    tail = _Tail.of(marks, window)
    estimates = stats.jackknife(runs.clean, lambda means: means @ tail.weights + (0, 0, 0, tail.keeps))
    ratio = _Ratio.of(estimates, tail, misfits.misfit(runs.clean, marks, tail.window), rtol, without)
    return ratio.finding(runs, float(marks[-1]), "mean of measured/predicted")


def same(
    values_a: ArrayLike,
    values_b: ArrayLike,
    marks: ArrayLike,
    rtol: float = 0.03,
    *,
    window: Window | None = None,
    max_failed: float = MAX_FAILED,
    without: Sequence[str] = (),
) -> Finding:
    """Do two methods follow the same curve: is mean(a)/mean(b) equal to 1 within rtol over the tail?

    Both are measured, (runs, M) each at the same marks. Rows i of both form a pair, as rows that share their noise
    identity do. (Rows of independent samples may be paired arbitrarily.) The error comes from the jackknife over pairs.
    The mean over the tail and its extrapolations are those of the logarithm of the ratio. Verdicts as in `level`. A
    pair with a failed run is left out, and then the claim cannot hold.

    Raises ValueError for values that are not (runs, M) or differ in their number of runs, and errors as in `level`.
    """
    marks = checked_marks(marks)
    check_claim(1.0, rtol=rtol)
    a, b = (checked_table(v, marks.size) for v in (values_a, values_b))
    if len(a) != len(b):
        raise ValueError(f"rows are compared in pairs, got {len(a)} and {len(b)} of them")
    runs = sample(np.stack([a, b], axis=1))
    if runs.too_few(max_failed):
        return divergence("level", 1.0, runs, float(marks[-1]), max_failed)
    tail = _Tail.of(marks, window)
    inside = tail.weights.any(axis=1)

    def log_ratio(means: Floats) -> Floats:
        logs = rates.log_mean(means)
        return np.asarray(logs[:, 0] - logs[:, 1])

    def ratios(means: Floats) -> Floats:
        return np.exp(log_ratio(means[..., inside]) @ tail.weights[inside])

    uneven = misfits.misfit(runs.clean, marks, tail.window, log_ratio)
    ratio = _Ratio.of(stats.jackknife(runs.clean, ratios), tail, uneven, rtol, names_of(without))
    return ratio.finding(runs, float(marks[-1]), "ratio of two measured means")


@dataclass(frozen=True)
class _Tail:
    """How a level is read: weights (M, 4) on the ratio at the marks, for the estimates of `_Ratio`.

    start: of the tail. keeps: the share of its distance that a slow approach keeps from half to half of the window
    (`rates.slowest_decay`).
    """

    window: Window
    start: float
    weights: Floats
    keeps: float

    @classmethod
    def of(cls, marks: Floats, window: Window | None) -> _Tail:
        lo, hi = rates.window_of(marks, window)
        middle = float(np.sqrt(lo * hi))
        tail = (marks >= middle) & (marks <= hi * (1 + 1e-9))
        before = (marks >= lo * (1 - 1e-9)) & ~tail & (marks < hi)
        if tail.sum() < 3 or not before.any():
            raise NotEnough("a level needs three marks in the tail of its window and one before it", times(4))
        last, first, line = tail / tail.sum(), before / before.sum(), np.zeros(marks.size)
        line[tail] = rates.slope_weights(np.log(marks[tail])) * np.log(hi / middle)
        keeps = rates.slowest_decay((lo, hi))
        weights = np.stack([last, last + line, 2 * last - first, last - keeps * first], axis=1)
        return cls((lo, hi), middle, weights, keeps)


@dataclass(frozen=True)
class _Ratio:
    """A ratio that should be 1, estimated four times.

    now: its mean in the tail. ahead, beyond: extrapolated by one window, with the least-squares line (in log T) through
    the tail, and with the change from the window before it. lasting: the mean in the tail less the share of the mean
    before that a slow approach keeps, plus that share: 1 where the prediction is right. doubts: by how much residuals
    between the marks may change each of the four.
    """

    now: Estimate
    ahead: Estimate
    beyond: Estimate
    lasting: Estimate
    tail: _Tail
    misfit: float
    doubts: tuple[float, ...]
    rtol: float
    without: tuple[str, ...]

    @classmethod
    def of(
        cls, estimates: Sequence[Estimate], tail: _Tail, misfit: float, rtol: float, without: tuple[str, ...]
    ) -> _Ratio:
        size = 0.0 if RESIDUALS in without else misfit
        doubts = tuple(misfits.doubt(size, tail.weights).tolist())
        now, ahead, beyond, lasting = estimates
        return cls(now, ahead, beyond, lasting, tail, size, doubts, rtol, without)

    @property
    def outside(self) -> list[tuple[Estimate, float, float]]:
        """(estimate, lower edge, upper edge), all of which must lie beyond for a violation."""
        now, _, beyond, lasting = self.doubts
        rows = [(self.now, self.rtol + now), (self.beyond, self.rtol + beyond), (self.lasting, lasting)]
        return [(e, 1 - room, 1 + room) for e, room in rows[: 1 if START_UP in self.without else None]]

    @property
    def inside(self) -> list[tuple[Estimate, float]]:
        """(estimate, distance from 1) within which all must lie to hold."""
        rows = [(self.now, self.rtol - self.doubts[0]), (self.ahead, self.rtol - self.doubts[1])]
        return rows[: 1 if SLOWER in self.without else None]

    def finding(self, runs: Sample, horizon: float, what: str) -> Finding:
        above = max(e.p_above(high) for e, _, high in self.outside)
        below = max(e.p_below(low) for e, low, _ in self.outside)
        off = abs(self.now.value - 1)
        finding = estimate_finding(
            "level",
            1.0,
            self.now,
            p_if_wrong=max(p_inside(e, 1 - room, 1 + room) for e, room in self.inside),
            p_if_right=p_either(above, below),
            runs=runs,
            horizon=horizon,
            note=runs.note(self._note(what)),
            decides=self._decides(),
            margins=[(self.now, self.rtol - off), *self._other_margins()],
            rejects=self.rejects,
            admits=self.admits,
            without=tuple(name for name in self.without if name != WAVES),
        )
        return unless_failed(finding, runs)

    def _note(self, what: str) -> str:
        note = f"{what} from {self.tail.start:.3g}, tolerance {self.rtol:g}"
        if (share := max(self.doubts[:2])) > self.rtol / 2:
            note += f", of which {share:.2g} is left to residuals between marks"
        return f"{note}, one window ahead {self.ahead.value:.4g}"

    def _other_margins(self) -> list[tuple[Estimate, float]]:
        """The extrapolations that a decision needs besides the ratio in the tail, and their margins."""
        off = self.now.value - 1
        if abs(off) <= self.rtol:
            return [(self.ahead, self.rtol - abs(self.ahead.value - 1))] * (SLOWER not in self.without)
        if START_UP in self.without:
            return []
        sign = float(np.sign(off))
        return [
            (self.beyond, sign * (self.beyond.value - 1) - self.rtol),
            (self.lasting, sign * (self.lasting.value - 1)),
        ]

    def _decides(self) -> str:
        """What decides besides more runs."""
        off = self.now.value - 1
        if not np.isfinite(off):
            return "a metric that stays positive, or another window"
        if self.doubts[1] > self.rtol / 2:
            return misfits.advice(self.misfit)
        if abs(off) <= self.rtol:
            moving = min(self.ahead.p_above(1 + self.rtol), self.ahead.p_below(1 - self.rtol))
            may_move = SLOWER not in self.without
        else:
            above = (self.beyond.p_below(1 + self.rtol), self.lasting.p_below(1))
            below = (self.beyond.p_above(1 - self.rtol), self.lasting.p_above(1))
            moving, may_move = min(above if off > 0 else below), START_UP not in self.without
        if not may_move or moving > SIDE:
            return ""
        first = 2 * self.now.value - self.beyond.value  # in the window before
        shares = [abs(r - 1) / (1 + abs(r - 1)) for r in (first, self.now.value)]
        horizon = times_as_long(shares, self.rtol / 2, float(np.log(self.tail.window[1] / self.tail.start)))
        return f"{horizon}: the ratio is still moving"

    def admits(self, side: float) -> float:
        """The relative error of a prediction, in either direction, up to which the ratio would lie within 1 +- rtol."""
        rows = [(e.interval(side), room) for e, room in self.inside]
        up = min(low / (1 - room) - 1 if room < 1 else np.inf for (low, _), room in rows)
        return max(up, min(1 - high / (1 + room) for (_, high), room in rows), 0.0)

    def rejects(self, side: float) -> float:
        """The relative error, in either direction, at which these data would violate a prediction."""
        now, _, beyond, lasting = self.doubts
        rows = [(self.now, self.rtol + now), (self.beyond, self.rtol + beyond)]
        rows = rows[: 1 if START_UP in self.without else None]
        if not all(e.decides and room < 1 for e, room in rows):
            return np.inf
        limits = [(e.interval(side / 2), room) for e, room in rows]
        errors = [max(high / (1 - room) - 1, 1 - low / (1 + room)) for (low, high), room in limits]
        if START_UP in self.without:
            return max(errors)
        rest = 1 - self.tail.keeps
        if not (self.lasting.decides and lasting < rest):
            return np.inf
        # A prediction that is wrong by e has a lasting distance of e (1 - keeps); exactly so in `level`, and `same`
        # reads logarithms. The larger of both is valid for both.
        bottom, top = self.lasting.interval(side / 2)
        up = (
            max((max(top, 0.0) / (1 - lasting)) ** (1 / rest), 1 + (top + lasting - 1) / (rest - lasting)) - 1
        )
        return max(*errors, up, (1 + lasting - bottom) / rest)
