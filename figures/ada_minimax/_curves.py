"""Learning curves on linear axes, shared by Figures 2 to 4 (`figures.panels.band` is for logarithmic ones)."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from figures.panels import QUANTILES


def learning_curve(ax: Axes, x: np.ndarray, values: np.ndarray, label: str, **look: Any) -> None:
    """Median of (runs, M) with a 10-90 % band over runs; failed (non-finite) runs are left out and counted."""
    kept = values[np.isfinite(values).all(axis=1)]
    if len(kept) < len(values):
        label = f"{label} ({len(values) - len(kept)} of {len(values)} runs failed)"
    if len(kept) == 0:
        ax.plot([], [], label=label, **look)
        return
    low, high = np.quantile(kept, QUANTILES, axis=0)
    ax.plot(x, np.median(kept, axis=0), label=label, **look)
    ax.fill_between(x, low, high, color=look.get("color"), alpha=0.2, linewidth=0)
    ax.margins(x=0.0)
