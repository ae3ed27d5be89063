"""Limits: does the mean over runs tend to c?

Nobody sees a limit; what is tested is that the mean is within a distance of c over the last quarter of log T, in both
halves of it, and does not leave it one window ahead. A mean that still moves towards c violates nothing, however far it
is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from workbench.evidence import stats
from workbench.evidence._common import (
    ERRORS,
    MAX_FAILED,
    SIDE,
    check_claim,
    checked_marks,
    checked_table,
    divergence,
    p_inside,
    sample,
    unless_failed,
)
from workbench.evidence.log_windows import Windows, windows
from workbench.evidence.misfit import misfit
from workbench.evidence.stats import Estimate, Floats
from workbench.evidence.verdicts import Finding, more_runs

RTOL = 0.01  # of the limit: how near counts as reached
MOVING = 0.98  # share of its distance that a mean which has come to rest keeps from window to window at least
STRIDE = 6  # every so many-th of `ERRORS` is tried
PARTS = ("before", "tail", "first", "last")


def limit(
    values: ArrayLike,
    marks: ArrayLike,
    to: float,
    within: float | None = None,
    *,
    max_failed: float = MAX_FAILED,
) -> Finding:
    """Does the mean over runs tend to this number?

    values (runs, M), marks (M,). within: how near counts as reached, by default 1 % of the limit. holds: over both
    halves of (T^(3/4), T] the mean is significantly within this distance, so is the line through them one window ahead,
    and neighbouring marks do not swing by more than it. violated: over both halves the mean is farther, on the same
    side, *and* the distance has not fallen since the window before as a slow approach does (T^-1/8, 1/log T), nor is
    it seen to fall at all, by 2 % or more from window to window. The same is asked of the root of the mean square
    distance, in which a mean that goes round c is seen. So a mean that still moves to c is open. value is the mean over
    the last window.

    Raises ValueError for shapes and marks as `rate` does, a limit that is not finite, a limit of 0 without ``within``
    and a distance that is not positive; `NotEnough` for too few marks.
    """
    check_claim(to)
    if within is None and to == 0:
        raise ValueError(
            "a limit of 0 has no size of its own: say how near counts as reached, as within=0.001"
        )
    distance = RTOL * abs(to) if within is None else within
    check_claim(to, within=distance)
    at = checked_marks(marks)
    runs = sample(checked_table(values, at.size))
    if runs.too_few(max_failed):
        return divergence("limit", to, runs, float(at[-1]), max_failed)
    rest = _at(runs.clean, windows(at, "a limit"), distance)
    here = rest(to)
    now = here.means[1]
    low, high = now.interval(SIDE)
    margin = distance - max(abs(e.value - to) for e in here.inside)
    finding = Finding(
        "limit",
        claimed=to,
        value=now.value,
        low=low,
        high=high,
        p_if_wrong=here.p_away(),
        p_if_right=here.p_missed(),
        runs=now.runs,
        horizon=float(at[-1]),
        exact=runs.identical,
        note=runs.note(
            f"mean from {np.exp(here.parts.x[here.parts.tail][0]):.3g} on; one window ahead {here.ahead.value:.6g}; "
            f"within {distance:.3g} counts as reached"
        ),
        decides=here.decides(),
        limits=now.interval,
        advice=partial(more_runs, [(here.ahead, margin)]),
        rejects=partial(_rejects, rest, to, distance),
        admits=partial(_admits, here.inside, to, distance),
    )
    return unless_failed(finding, runs)


class _Distances(NamedTuple):
    """The distance in the tail less what a slow approach leaves of that before, and less 98 % of it.

    moving_within, lasting_within: the latter, and the former, in the halves of the tail.
    """

    lasting: Estimate
    moving: Estimate
    moving_within: Estimate
    lasting_within: Estimate

    @property
    def is_moving(self) -> bool:
        """Whether the mean is seen to come nearer: in both windows and within the last one, or as an approach there.

        The latter is that of a mean which has gone past the limit, or away from it, and is on its way back.
        """
        in_both = self.moving.p_below(0.0) <= SIDE and self.moving_within.value < 0.0
        return in_both or self.lasting_within.p_below(0.0) <= SIDE

    @property
    def p_moves(self) -> float:
        """p-value for "it approaches"."""
        return 1.0 if self.is_moving else self.lasting.p_above(0.0)


@dataclass(frozen=True)
class _Rest:
    """How the mean lies to a number.

    means: in the windows `PARTS`. ahead: the line through the tail one window ahead. swing: by how much neighbouring
    marks of the tail differ, beyond the noise of the runs. one_side, square: of the signed distance, and of the root of
    its mean square. marks: the mean at each mark of the tail.
    """

    to: float
    distance: float
    parts: Windows
    means: tuple[Estimate, ...]
    ahead: Estimate
    swing: float
    one_side: _Distances
    square: _Distances
    marks: tuple[Estimate, ...]

    @property
    def inside(self) -> tuple[Estimate, ...]:
        """What must lie near the number."""
        return (*self.means[1:], self.ahead)

    def p_away(self) -> float:
        """p-value for "does not tend to it"."""
        if self.swing > self.distance:
            return 1.0
        return max(p_inside(e, self.to - self.distance, self.to + self.distance) for e in self.inside)

    def p_missed(self) -> float:
        """p-value for "tends to it": of the mean on one side, or of one that goes round it, whichever is smaller."""
        _, _, first, last = self.means
        sides = (
            max(first.p_above(self.to + self.distance), last.p_above(self.to + self.distance)),
            max(first.p_below(self.to - self.distance), last.p_below(self.to - self.distance)),
        )
        ways = (
            max(2 * min(sides), self.one_side.p_moves),
            max(self._p_far(), self.square.p_moves),
        )
        return min(1.0, 2 * min(ways))

    def _p_far(self) -> float:
        """p-value for "at every mark of one half of the tail it is near"."""
        tail = self.parts.tail
        beyond = [
            min(e.p_above(self.to + self.distance), e.p_below(self.to - self.distance)) for e in self.marks
        ]
        halves = [np.flatnonzero(half[tail]) for half in (self.parts.first, self.parts.last)]
        return max(min(1.0, 2 * half.size * min(beyond[n] for n in half)) for half in halves)

    def decides(self) -> str:
        """What decides besides runs; "" for nothing."""
        now = self.means[1]
        if abs(now.value - self.to) > self.distance:
            moves = self.one_side.is_moving or self.square.is_moving
            earlier, latest = (abs(e.value - self.to) for e in self.means[:2])
            longer = self.parts.until_small(earlier, latest, self.distance / 2)
            if moves:
                return f"{longer}: the mean still moves towards the limit"
            if min(self.one_side.lasting.value, self.square.lasting.value) <= 0.0:
                return f"{self.parts.beyond()}: the mean has come nearer no faster than a slow approach does"
            return ""
        if (
            min(self.ahead.p_above(self.to + self.distance), self.ahead.p_below(self.to - self.distance))
            <= SIDE
        ):
            return f"{self.parts.beyond()}: the mean is at the limit and about to leave it"
        if self.swing > self.distance:
            return f"other marks: neighbouring ones differ by {self.swing:.2g}, beyond the noise of the runs"
        return ""


def _at(values: Floats, parts: Windows, distance: float) -> Callable[[float], _Rest]:
    """How the mean lies to any number."""
    tail = np.exp(parts.x[parts.tail])
    swing = misfit(values[:, parts.tail], tail, (tail[0] ** 2 / tail[-1], tail[-1]), logs=lambda means: means)
    marks = tuple(stats.mean_estimates(values[:, parts.tail]))
    return partial(_rest, values, parts, distance, swing, marks)


def _rest(
    values: Floats, parts: Windows, distance: float, swing: float, marks: tuple[Estimate, ...], to: float
) -> _Rest:
    a, b = parts.centre("before"), parts.centre("tail")
    keeps = _slowest(a, b)
    keeps_within = _slowest(parts.centre("first"), parts.centre("last"))
    masks = np.stack([parts.mean(name) for name in PARTS], axis=1)
    ahead = parts.mean("tail") + parts.length * parts.slope("tail")
    side = np.sign(values.mean(0) @ masks[:, 1] - to) or 1.0

    def distances(means: Floats) -> Floats:
        centres = means @ masks
        one_side = np.maximum(side * (centres - to), 0.0)
        square = np.sqrt(((means - to) ** 2) @ masks)
        rests = [
            part
            for before, tail, first, last in (one_side.T, square.T)
            for part in (
                tail - keeps * before,
                tail - MOVING * before,
                last - MOVING * first,
                last - keeps_within * first,
            )
        ]
        return np.column_stack([centres, means @ ahead, *rests])

    inside = parts.before | parts.tail
    masks, ahead = masks[inside], ahead[inside]
    estimates = stats.jackknife(values[:, inside], distances)
    centres, line, one_side, square = estimates[:4], estimates[4], estimates[5:9], estimates[9:]
    return _Rest(
        to, distance, parts, tuple(centres), line, swing, _Distances(*one_side), _Distances(*square), marks
    )


def _slowest(a: float, b: float) -> float:
    """The share of a distance that the slowest approach allowed for leaves, between two values of log T."""
    return max(float(np.exp(-(b - a) / 8)), a / b)


def _rejects(rest: Callable[[float], _Rest], to: float, distance: float, side: float) -> float:
    """The smallest of `ERRORS`, relative to the limit (of 0: to the distance), by which another limit is violated."""
    size = abs(to) or distance
    for error in ERRORS[::STRIDE]:
        if all(rest(c).p_missed() <= side for c in (to - error * size, to + error * size)):
            return error
    return np.inf


def _admits(inside: tuple[Estimate, ...], to: float, distance: float, side: float) -> float:
    """By how much, relative to the limit (of 0: to the distance), another limit may differ and would have held."""
    limits = [e.interval(side) for e in inside]
    low, high = max(h for _, h in limits) - distance, min(x for x, _ in limits) + distance
    return max(to - low, high - to, 0.0) / (abs(to) or distance) if low <= high else 0.0


def opposite(finding: Finding) -> Finding:
    """The finding on the opposite claim: "diverges", in place of "is bounded"; "misses c", in place of "tends to c".

    Failed runs, which refute the claim itself, show here what is claimed: a mean that overflows has no limit.
    """
    return replace(
        finding,
        p_if_wrong=finding.p_if_right,
        p_if_right=1.0 if finding.diverged else finding.p_if_wrong,
        rejects=None,
        admits=None,
        of_mean=False,
    )
