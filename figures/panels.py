"""Elements shared by figures: a curve with its band over runs, local slopes, reference slopes, legends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes

from workbench.evidence import rates

QUANTILES = (0.1, 0.9)
FAILED = "runs failed"  # ends the label of a curve with excluded runs


def finite_runs(values: np.ndarray) -> np.ndarray:
    """The runs of (runs, M) without a non-finite entry."""
    return values[np.isfinite(values).all(axis=1)]


def mean_curve(values: np.ndarray) -> np.ndarray:
    """(M,): mean over the finite runs; NaN if there are none."""
    kept = finite_runs(values)
    return kept.mean(axis=0) if len(kept) else np.full(values.shape[1], np.nan)


def band(
    ax: Axes,
    x: np.ndarray,
    values: np.ndarray,
    label: str = "",
    scale: Literal["log", "linear"] = "log",
    middle: str = "median",
    **look: Any,
) -> None:
    """Median or mean of (runs, M) with a 10-90 % band over runs; failed (non-finite) runs are left out and counted."""
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
    ax.plot(x, np.median(kept, axis=0) if middle == "median" else kept.mean(axis=0), label=label, **look)
    ax.fill_between(x, low, high, color=look.get("color"), alpha=0.2, linewidth=0)


def legend_below(ax: Axes, ncols: int = 2, **options: Any) -> None:
    """Places the panel's legend below its x label, where it never covers data."""
    options = {"fontsize": 6.5, "frameon": False, "handlelength": 2.4, "columnspacing": 1.0, **options}
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), borderaxespad=5.0, ncols=ncols, **options)


def reference_slope(
    ax: Axes, marks: np.ndarray, values: np.ndarray, slope: float, label: str, **look: Any
) -> None:
    """A dotted power law over the last decade, slightly above the end of the mean curve."""
    end, mean = marks[-1], mean_curve(values)[-1]
    t = marks[marks >= end / 10]
    ax.loglog(t, 1.4 * mean * (t / end) ** slope, label=label, **{"color": "black", "linestyle": ":", **look})


def local_slopes(marks: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(T, slope of the log of the mean curve between T/2 and 2T) at every mark that has both."""
    t, slopes = rates.local_slopes(mean_curve(values)[None], marks)
    return t, np.array([slope.value for slope in slopes])


def text_table(
    ax: Axes, header: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[float]
) -> None:
    """A table in an axes without frame or ticks; the label below explains the columns."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.set_xlabel("claimed or printed numbers next to measured ones", fontsize=6.5)
    widths = [width / sum(widths) for width in widths]
    table = ax.table(
        [list(r) for r in rows], colLabels=list(header), loc="center", cellLoc="left", colWidths=widths
    )
    table.auto_set_font_size(False)
    table.set_fontsize(5.8)
    table.scale(1.0, 1.15)
    for (row, _), cell in table.get_celld().items():
        cell.set_linewidth(0.3)
        cell.set_text_props(weight="bold" if row == 0 else "normal")
