"""Panels that several figures share: a curve with its band over runs, local slopes, reference slopes."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

QUANTILES = (0.1, 0.9)
FAILED = "runs failed"  # ends the label of a curve some of whose runs are left out


def band(ax: Axes, marks: np.ndarray, values: np.ndarray, label: str = "", **look: Any) -> None:
    """Median of (runs, M) with a 10-90 % band over runs; failed (non-finite) runs are left out and counted."""
    finite = np.isfinite(values).all(axis=1)
    if label and not finite.all():
        label = f"{label} ({len(values) - int(finite.sum())} of {len(values)} {FAILED})"
    if not finite.any():
        ax.plot([], [], label=label, **look)
        return
    kept = values[finite]
    low, high = np.quantile(kept, QUANTILES, axis=0)
    ax.loglog(marks, np.median(kept, axis=0), label=label, **look)
    ax.fill_between(marks, low, high, color=look.get("color"), alpha=0.2, linewidth=0)


def reference_slope(
    ax: Axes, marks: np.ndarray, values: np.ndarray, slope: float, label: str, **look: Any
) -> None:
    """A dashed power law through the end of the mean curve, over the last two decades, shifted up a little."""
    end, mean = marks[-1], float(np.nanmean(values[:, -1]))
    t = marks[marks >= end / 100]
    ax.loglog(t, 1.6 * mean * (t / end) ** slope, label=label, **{"color": "black", "linestyle": ":", **look})


def local_slopes(marks: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(T, slope of log mean between T/2 and 2T) at every mark that has both."""
    mean = np.log(np.nanmean(values, axis=0))
    x = np.log2(marks)
    inner = (x >= x[0] + 1) & (x <= x[-1] - 1)
    at = x[inner]
    rise = np.interp(at + 1, x, mean) - np.interp(at - 1, x, mean)
    return marks[inner], rise / (2 * np.log(2))
