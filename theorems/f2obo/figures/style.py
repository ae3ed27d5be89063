"""Colour and dash of each method in the figures of this paper, and panels of many methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
from matplotlib.axes import Axes

from workbench import Result
from workbench.drawing import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, SKY, band

METHODS: dict[str, dict] = {
    "F2OBO": {"color": BLUE, "linestyle": "-"},
    "F2OBO-SL": {"color": SKY, "linestyle": "--"},
    "AF2OBO": {"color": RED, "linestyle": "-."},
    "SF2OBO": {"color": BLUE, "linestyle": "-"},
    "SOBOW": {"color": GREEN, "linestyle": ":"},
    "OBBO": {"color": ORANGE, "linestyle": (0, (5, 1))},
    "FSOBO": {"color": PURPLE, "linestyle": (0, (1, 1))},
    "AOBO": {"color": "C5", "linestyle": (0, (3, 1, 1, 1))},
    "OGD": {"color": BLACK, "linestyle": (0, (1, 3))},
    "SOBBO": {"color": ORANGE, "linestyle": "--"},
    "SOGD": {"color": GREEN, "linestyle": "-."},
}


def by_method(
    ax: Axes,
    results: Mapping[str, Result],
    curve: Callable[[Result], tuple[np.ndarray, np.ndarray]],
    scale: Literal["log", "linear"] = "log",
    phases: int = 1,
) -> None:
    """Median and band over the runs of each method, by its name; thin lines separate the phases of a run.

    curve: result -> (runs, M) and (M,).
    """
    for name, result in results.items():
        values, marks = curve(result)
        band(ax, marks, values, label=name, scale=scale, **METHODS[name])
    for phase in range(1, phases):
        ax.axvline(phase * result.horizon / phases, color="black", linewidth=0.4, alpha=0.5)
