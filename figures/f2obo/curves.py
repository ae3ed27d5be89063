"""Regret as these figures show it: increments R(T) - R(T/2) with bands and slopes, and a text table beside curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from figures.panels import band, finite_runs, mean_curve, reference_slope
from workbench.engine.records import Result
from workbench.evidence import rates

REGRET = "regret_sum"
Line = tuple[str, str, Mapping[str, float], float]  # simulation key, label, grid point, claimed exponent
COLOURS = ("C0", "C1", "C2", "C3", "C4", "C5", "C9", "black")
OCTAVES = 3  # over which a stated slope is read


def increments(result: Result, where: Mapping[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """(marks, (runs, M)): R(T) - R(T/2)."""
    values, marks = rates.dyadic_increments(result.curve(REGRET, **where), result.marks)
    return marks, values


def last_slope(marks: np.ndarray, values: np.ndarray) -> float:
    """Slope of the mean curve over the last octaves; NaN where it is not positive."""
    mean = mean_curve(values)
    start = int(np.argmin(np.abs(np.log2(marks[-1] / marks) - OCTAVES)))
    with np.errstate(all="ignore"):
        return float(np.log(mean[-1] / mean[start]) / np.log(marks[-1] / marks[start]))


def increment_lines(ax: Axes, results: Mapping[str, Result], lines: Sequence[Line]) -> None:
    """One band per line, with its claimed slope dotted beside the end of the curve."""
    for colour, (key, label, where, claimed) in zip(COLOURS, lines, strict=False):
        marks, values = increments(results[key], where)
        shown = np.where(values > 0, values, np.nan) if np.all(values <= 0) else np.maximum(values, 1e-30)
        band(ax, marks, shown if np.isfinite(values).all() else values, label=label, color=colour)
        if np.isfinite(values).all() and mean_curve(values)[-1] > 0:
            reference_slope(ax, marks, values, claimed, "", color=colour)
    ax.set(xlabel="horizon $T$", ylabel="$R(T) - R(T/2)$")


def said_slopes(results: Mapping[str, Result], lines: Sequence[Line]) -> str:
    """ "-0.50 at tau = 0.75 (claimed -0.5); ..." from the last octaves of the increments."""
    parts = []
    for key, label, where, claimed in lines:
        slope = last_slope(*increments(results[key], where))
        number = f"{slope:.2f}" if np.isfinite(slope) else "none"
        parts.append(f"{number} at {plain(label)} (claimed {claimed:.3g})")
    return "; ".join(parts)


def plain(label: str) -> str:
    """A label without the marks of mathematics."""
    return label.replace("$", "").replace("\\", "").replace("{", "").replace("}", "")


def below(
    ax: Axes, marks: np.ndarray, values: np.ndarray, bounds: Mapping[str, np.ndarray], **look: Any
) -> None:
    """A band under its bounds: the first pale and broad, the others dashed."""
    label = look.pop("label", "")
    band(ax, marks, values, label=label, **look)
    for number, (name, bound) in enumerate(bounds.items()):
        style = {"linewidth": 2.5, "alpha": 0.3} if number == 0 else {"linestyle": "--", "linewidth": 1.0}
        if np.isfinite(bound).all():
            ax.loglog(marks, bound, **look, **style, label=name)


def end_of(values: np.ndarray) -> float:
    """Median over the finite runs at the last mark."""
    kept = finite_runs(values)
    return float(np.median(kept[:, -1])) if len(kept) else float("nan")


def text_table(
    ax: Axes, header: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[float]
) -> None:
    """A table in an axes without frame or ticks; the label below says what is beside what."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.set_xlabel("claimed or printed numbers beside measured ones", fontsize=6.5)
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
