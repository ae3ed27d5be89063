"""Panels that several figures share: a curve with its band over runs, local slopes, reference slopes, legends."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes

QUANTILES = (0.1, 0.9)
FAILED = "runs failed"  # ends the label of a curve some of whose runs are left out


def finite_runs(values: np.ndarray) -> np.ndarray:
    """The runs of (runs, M) without a non-finite entry."""
    return values[np.isfinite(values).all(axis=1)]


def band(
    ax: Axes,
    x: np.ndarray,
    values: np.ndarray,
    label: str = "",
    scale: Literal["log", "linear"] = "log",
    **look: Any,
) -> None:
    """Median of (runs, M) with a 10-90 % band over runs; failed (non-finite) runs are left out and counted."""
    kept = finite_runs(values)
    if label and len(kept) < len(values):
        label = f"{label} ({len(values) - len(kept)} of {len(values)} {FAILED})"
    ax.set(xscale=scale, yscale=scale)
    if scale == "linear":
        ax.margins(x=0.0)
    if len(kept) == 0:
        ax.plot([], [], label=label, **look)
        return
    low, high = np.quantile(kept, QUANTILES, axis=0)
    ax.plot(x, np.median(kept, axis=0), label=label, **look)
    ax.fill_between(x, low, high, color=look.get("color"), alpha=0.2, linewidth=0)


def legend_below(ax: Axes, ncols: int = 2, **options: Any) -> None:
    """The panel's legend under its x label: never on the data, whatever they turn out to be."""
    options = {"fontsize": 6.5, "frameon": False, "handlelength": 2.4, "columnspacing": 1.0, **options}
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), borderaxespad=5.0, ncols=ncols, **options)


def reference_slope(
    ax: Axes, marks: np.ndarray, values: np.ndarray, slope: float, label: str, **look: Any
) -> None:
    """A dotted power law over the last decade, shifted up a little from the end of the mean curve."""
    end, mean = marks[-1], float(np.nanmean(values[:, -1]))
    t = marks[marks >= end / 10]
    ax.loglog(t, 1.4 * mean * (t / end) ** slope, label=label, **{"color": "black", "linestyle": ":", **look})


def local_slopes(marks: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(T, slope of log mean between T/2 and 2T) at every mark that has both."""
    mean = np.log(np.nanmean(values, axis=0))
    x = np.log2(marks)
    inner = (x >= x[0] + 1) & (x <= x[-1] - 1)
    at = x[inner]
    rise = np.interp(at + 1, x, mean) - np.interp(at - 1, x, mean)
    return marks[inner], rise / (2 * np.log(2))
