"""A bound beside the certified worst case over a class and a measured curve: which share of the slack is whose."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure as MplFigure

from workbench.report.drawing import log_ticks
from workbench.report.drawing._style import BLACK, BLUE, ORANGE, STYLE

LINES = (  # of a panel: key, label, colour, style
    ("at_most", "worst case, certified", ORANGE, "o-"),
    ("claimed", "claimed bound", BLACK, "--"),  # last: it hides nothing that it lies on
    ("measured", "measured, largest run", BLUE, "s-"),
)
SIDE = 3.4  # inches


def draw(panels: Sequence[dict[str, Any]]) -> MplFigure:
    """One panel a theorem. panels: T, for each of `LINES` its values (NaN: there is none), a title and a metric."""
    with mpl.rc_context(STYLE):
        figure = MplFigure(figsize=(SIDE * len(panels), SIDE * 0.85))
        for axes, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
            for key, label, colour, style in LINES:
                values = np.array(panel[key], float)
                if np.isfinite(values).any():
                    axes.plot(panel["T"], values, style, color=colour, label=label, markersize=4)
            axes.set(xscale="log", yscale="log", xlabel="$T$", ylabel=panel["metric"], title=panel["title"])
            log_ticks.set_ticks(axes)
            axes.set_xticks(panel["T"], [f"{T}" for T in panel["T"]])
            axes.minorticks_off()
            axes.legend(frameon=False)
    return figure


def save(panels: Sequence[dict[str, Any]], path: Path) -> None:
    """Draws into a PNG, PDF or SVG file. Raises ValueError for another ending, OSError where it cannot be written."""
    with mpl.rc_context(STYLE):
        draw(panels).savefig(path)
