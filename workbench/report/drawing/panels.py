"""Panels that several figures share: curves with their bands, grids of them, slopes, legends, tables."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.figure import SubFigure
from matplotlib.table import Table

from workbench.evidence import rates
from workbench.report.drawing._style import TEXT_WIDTH
from workbench.report.drawing.formulas import mathtext

QUANTILES = (0.1, 0.9)
FEW = 8  # runs of which no quantile is shown
FAILED = "runs failed"  # ends the label of a curve with excluded runs


def finite_runs(values: np.ndarray) -> np.ndarray:
    """The runs of (runs, M) without a non-finite entry."""
    return values[np.isfinite(values).all(axis=1)]


def mean_curve(values: np.ndarray) -> np.ndarray:
    """(M,): mean over the finite runs; NaN if there are none."""
    finite = finite_runs(values)
    return finite.mean(axis=0) if len(finite) else np.full(values.shape[1], np.nan)


def band(
    ax: Axes,
    x: np.ndarray,
    values: np.ndarray,
    label: str = "",
    scale: Literal["log", "linear"] = "log",
    middle: str = "median",
    **look: Any,
) -> None:
    """Median or mean of (runs, M) with a 10-90 % band over runs; failed (non-finite) runs are left out and counted.

    Fewer than `FEW` runs have no quantiles: each is a thin line. look: of the line; with
    ``shade=False`` runs are not shown at all.
    """
    shade = look.pop("shade", True)
    finite = finite_runs(values)
    if label and len(finite) < len(values):
        label = f"{label} ({len(values) - len(finite)} of {len(values)} {FAILED})"
    ax.set(xscale=scale, yscale=scale)
    if scale == "linear":
        ax.margins(x=0.0)
    if len(finite) == 0:
        ax.plot([], [], label=label, **look)
        return
    centre = np.median(finite, axis=0) if middle == "median" else finite.mean(axis=0)
    (line,) = ax.plot(x, centre, label=label, **look)
    if not shade:
        return
    if 1 < len(finite) < FEW:
        ax.plot(x, finite.T, color=line.get_color(), alpha=0.5, linewidth=0.5, zorder=line.get_zorder() - 0.1)
    elif len(finite) > 1:
        low, high = np.quantile(finite, QUANTILES, axis=0)
        ax.fill_between(x, low, high, color=line.get_color(), alpha=0.2, linewidth=0)


@dataclass(frozen=True)
class Curve:
    """label: in the legend. x: (M,). values: (runs, M). look: colour, dash. name: in captions, if not the label."""

    label: str
    x: np.ndarray
    values: np.ndarray
    look: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""


def curve_grid(
    rows: Sequence[tuple[str, Any]],
    columns: Sequence[tuple[str, Any]],
    xlabels: Sequence[str],
    curves: Callable[[Any, Any], Iterable[Curve]],
    height: float,
    scale: Literal["log", "linear"] = "log",
    **share: Any,
) -> tuple[MplFigure, np.ndarray]:
    """A figure and its axes (rows, columns), a panel of curves in each: ``curves(row, column)``.

    rows: label of the vertical axis, and what is drawn there. columns: title, and what is drawn there. xlabels: of the
    columns, below the last row. share: ``sharex``, ``sharey``.
    """
    size = (TEXT_WIDTH, height)
    import matplotlib.pyplot as plt  # here: the picture of `judge` needs a band alone, and no windows

    figure, axes = plt.subplots(len(rows), len(columns), figsize=size, squeeze=False, **share)
    for line, (ylabel, row) in zip(axes, rows, strict=True):
        for ax, (_, column) in zip(line, columns, strict=True):
            for c in curves(row, column):
                band(ax, c.x, c.values, label=c.label, scale=scale, **c.look)
            if scale == "linear":
                ax.set_xlim(left=0.0)
        line[0].set_ylabel(ylabel)
    for ax, letter, (title, _) in zip(axes[0], string.ascii_lowercase, columns, strict=False):
        ax.set_title(f"({letter}) {title}")
    for ax, xlabel in zip(axes[-1], xlabels, strict=True):
        ax.set_xlabel(xlabel)
    return figure, axes


def legend_outside(
    figure: MplFigure | SubFigure,
    of: Axes | Sequence[Any],
    place: Literal["upper", "lower"] = "upper",
    **options: Any,
) -> None:
    """One legend above or below all panels, of one of them or of handles, in as many columns as there is width for."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    handles = of.get_legend_handles_labels()[0] if isinstance(of, Axes) else of
    look = {"loc": f"outside {place} center", "frameon": False, **options}
    renderer = FigureCanvasAgg(figure.canvas.figure).get_renderer()
    for columns in range(look.pop("ncols", 4), 0, -1):
        legend = figure.legend(handles=handles, ncols=columns, **look)
        if columns == 1 or legend.get_window_extent(renderer).width <= figure.bbox.width:
            return
        legend.remove()


def widths_of_legends(figure: MplFigure) -> np.ndarray:
    """Of the panels that have one, in pixels."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    renderer = FigureCanvasAgg(figure).get_renderer()
    legends = [legend for ax in figure.axes if (legend := ax.get_legend())]
    return np.array([legend.get_window_extent(renderer).width for legend in legends])


def legend_below(ax: Axes, ncols: int = 2, **options: Any) -> None:
    """Places the panel's legend below its x label, where it never covers data."""
    options = {"fontsize": 7, "frameon": False, "handlelength": 2.4, "columnspacing": 1.0, **options}
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


def draw_rules(table: Table, rows: int) -> None:
    """Rules above and below the head and below the last row only, so that none touches a letter."""
    for (row, _), cell in table.get_celld().items():
        cell.visible_edges = "TB" if row == 0 else "B" if row == rows else ""
        cell.set_linewidth(0.5)


def text_table(
    ax: Axes, header: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[float]
) -> None:
    """A table; the label below explains the columns. Formulas are typeset."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.set_xlabel("claimed or printed numbers next to measured ones", fontsize=7)
    widths = [width / sum(widths) for width in widths]
    table = ax.table(
        [[mathtext(cell) for cell in r] for r in rows],
        colLabels=list(header),
        colLoc="left",
        loc="center",
        cellLoc="left",
        colWidths=widths,
    )
    table.auto_set_font_size(False)
    table.set_fontsize(7)
    table.scale(1.0, 1.15)
    draw_rules(table, len(rows))
    for (row, _), cell in table.get_celld().items():
        cell.PAD = 0.02  # of the cell's width
        cell.set_text_props(weight="bold" if row == 0 else "normal")


def panel_over_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[float]
) -> tuple[MplFigure, Axes]:
    """(figure, its empty panel): above a `text_table`, which is drawn already. Heights in inches."""
    import matplotlib.pyplot as plt  # here, as in `curve_grid`

    line, panel = 0.2, 2.5
    table = line * (len(rows) + 1.4)
    height = panel + table + 0.3
    figure = plt.figure(figsize=(TEXT_WIDTH, height))
    figure.set_layout_engine("none")
    ax = figure.add_axes((0.12, (table + 0.75) / height, 0.84, (panel - 0.75) / height))
    text_table(figure.add_axes((0.01, 0.15 / height, 0.98, table / height)), header, rows, widths)
    return figure, ax
