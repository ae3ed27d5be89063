"""Curves that are known up to a factor: the worst member of a family at each T, times that are known between marks.

The curve lies between what is read and (1 + excess) times it, mark by mark. An exponent of it differs from that of what
is read by at most what such a factor does to a least-squares slope (`shift`); so a claim holds with its tolerance
narrowed by this shift, and is violated with its tolerance widened by it.

The supremum of a finite family (`worst`): a quarter of the runs choose the member with the largest mean at each mark;
the others are read, of which the choice is independent. How much larger the mean of another member may be is bounded
from paired differences, at all marks and for all members together, with the error probability `SHARE_OF_ERROR`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from workbench.evidence.rates import slope_weights, window_of
from workbench.evidence.stats import Floats, identical, mean_estimates
from workbench.evidence.verdicts import Finding

CHOOSE = 4  # every fourth run chooses the worst member
SHARE_OF_ERROR = 1e-6  # of the bound on the excess; it is added to every p-value
SMALL = 0.01  # an excess that kinds of claims without a tolerance admit


@dataclass(frozen=True)
class Enclosed:
    """values (runs, M) at marks (M,), of a curve that is at most 1 + excess (M,) times as large.

    p: the probability with which the excess is larger. why: in words, what would make it smaller.
    """

    values: Floats
    marks: Floats
    excess: Floats
    p: float = 0.0
    why: str = "more runs"


def worst(values: Floats, marks: Floats) -> Enclosed:
    """The largest mean of a family's members at each mark. values: (members, runs, M), each run the same in all."""
    members, runs, columns = values.shape
    failed: Any = ~np.isfinite(values).all(axis=(0, 2))
    if all(identical(v[~failed]) for v in values) or runs < 2:
        curve = values.max(axis=0)
        return Enclosed(curve, marks, np.zeros(columns))
    chooses = np.arange(runs) % CHOOSE == 0
    largest = values[:, chooses & ~failed].mean(axis=1).argmax(axis=0) if (chooses & ~failed).any() else 0
    rest = values[:, ~chooses]
    curve = np.take_along_axis(rest, np.broadcast_to(largest, (columns,))[None, None], axis=0)[0]
    curve[failed[~chooses]] = np.nan
    good = ~failed[~chooses]
    if good.sum() < 2:
        return Enclosed(curve, marks, np.full(columns, np.inf), SHARE_OF_ERROR)
    side = SHARE_OF_ERROR / (members * columns)
    low = np.array([e.interval(side)[0] for e in mean_estimates(curve[good])])
    above = np.zeros(columns)
    for member in rest[:, good]:
        estimates = mean_estimates(member - curve[good])
        above = np.maximum(
            above, [e.interval(side)[1] if e.value + 30 * e.se > 0 else 0.0 for e in estimates]
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = np.where(above > 0, np.where(low > 0, above / low, np.inf), 0.0)
    return Enclosed(curve, marks, excess, SHARE_OF_ERROR)


def shift(curve: Enclosed, window: tuple[float, float] | None) -> float:
    """By how much slopes in the two halves of the window, their difference and the slope ahead may be off."""
    lo, hi = window_of(curve.marks, window)
    x, logs = np.log(curve.marks), np.log1p(curve.excess)
    middle = np.log(lo * hi) / 2
    off = []
    for half in (
        (x >= middle - 1e-9) & (x <= np.log(hi) + 1e-9),
        (x >= np.log(lo) - 1e-9) & (x <= middle + 1e-9),
    ):
        if half.sum() < 2:
            return float("inf") if logs.any() else 0.0
        weights = slope_weights(x[half])
        off.append(max((np.maximum(weights, 0) @ logs[half], np.maximum(-weights, 0) @ logs[half])))
    return float(2 * off[0] + off[1])


def finding_of(
    curve: Enclosed, test: Callable[[Floats, Floats, float], Finding], tol: float, off: float
) -> Finding:
    """The finding on an enclosed curve of a claim with a tolerance. off: how far the number that is read may be off."""
    if off >= tol:
        finding = test(curve.values, curve.marks, tol)
        right = test(curve.values, curve.marks, tol + off) if np.isfinite(off) else None
        return replace(
            finding,
            exact=False,
            p_if_wrong=1.0,
            p_if_right=min(1.0, right.p_if_right + curve.p) if right else 1.0,
            decides=f"{curve.why}: what is read may be {off:.2g} off, as far as the tolerance {tol:g}",
        )
    narrow, wide = (test(curve.values, curve.marks, tol + sign * off) for sign in (-1, 1))
    if not off and not curve.p:
        return narrow
    return replace(
        narrow,
        exact=narrow.exact and wide.exact and not curve.p,
        p_if_wrong=min(1.0, narrow.p_if_wrong + curve.p),
        p_if_right=min(1.0, wide.p_if_right + curve.p),
        rejects=wide.rejects,
        note="; ".join(filter(None, (narrow.note, f"what is read may be {off:.2g} off" if off else ""))),
    )


def undecided(finding: Finding, curve: Enclosed) -> Finding:
    """The finding of a claim without a tolerance: it decides nothing where the excess is more than 1 %."""
    if (most := float(curve.excess.max(initial=0.0))) > SMALL:
        why = f"{curve.why}: the curve may be {most:.2g} of its value larger, which is more than {SMALL:g}"
        return replace(finding, exact=False, p_if_wrong=1.0, p_if_right=1.0, decides=why)
    if not curve.p:
        return finding
    p_wrong, p_right = (min(1.0, p + curve.p) for p in (finding.p_if_wrong, finding.p_if_right))
    return replace(finding, exact=False, p_if_wrong=p_wrong, p_if_right=p_right)
