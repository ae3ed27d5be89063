"""Readings and bounds, drawn as they are claimed: curve, band, claimed slope, bound, and what a caption says of them.

Simulation, grid point, view, exponent and window all come from the `Reading` or `Bound` that the verdict comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from figures import facts
from figures.figure import Results
from figures.panels import band, finite_runs, mean_curve, reference_slope
from workbench.experiments.claims import Bound
from workbench.experiments.readings import Reading
from workbench.experiments.views import table_of

COLOURS = ("C0", "C1", "C2", "C3", "C4", "C5", "C9", "black")
GREEK = frozenset(
    ("alpha", "beta", "gamma", "delta", "epsilon", "eta", "kappa", "lambda", "mu", "omega", "sigma", "tau")
)
# Two forms may lie on top of each other: the printed one is broad and pale, the others thin and dashed.
FIRST_BOUND: dict[str, Any] = {"linewidth": 2.5, "alpha": 0.3}
OTHER_BOUND: dict[str, Any] = {"linestyle": "--", "linewidth": 1.0}
Points = Mapping[str, Mapping[str, float]]  # label -> grid point


def symbol(name: str) -> str:
    r""" "sigma_x" as \sigma_{x}."""
    head, _, index = name.partition("_")
    return (f"\\{head}" if head in GREEK else head) + (f"_{{{index}}}" if index else "")


def point_label(where: Mapping[str, float]) -> str:
    r""" "$\tau = 0.5$, $b = 0.3$"; ``until`` only says where rows end."""
    return ", ".join(f"${symbol(n)} = {v:.3g}$" for n, v in where.items() if n != "until")


def plain(label: str) -> str:
    """A label without the marks of mathematics, for captions."""
    return label.replace("$", "").replace("\\", "").replace("{", "").replace("}", "")


def labels_of(readings: Sequence[Reading], labels: Sequence[str] | str | None) -> list[str]:
    """One label per reading: those given, or the grid points, after a common beginning if that is a string."""
    if labels is None or isinstance(labels, str):
        begin = f"{labels}, " if labels else ""
        return [f"{begin}{point_label(r.where)}".removesuffix(", ") for r in readings]
    return list(labels)


def panel(
    ax: Axes,
    results: Results,
    readings: Sequence[Reading],
    labels: Sequence[str] | str | None = None,
    colours: Sequence[str] = COLOURS,
    first: float = 0.0,
    **look: Any,
) -> None:
    """Median and 10-90 % band of each reading, its claimed slope dotted beside the end of the curve.

    first: where to begin, if the first iterates are of another order.
    """
    for colour, label, r in zip(colours, labels_of(readings, labels), readings, strict=False):
        values, marks = r.curve(results)
        values, marks = values[:, marks >= first], marks[marks >= first]
        band(ax, marks, positive(values), label=label, color=colour, **look)
        if np.isfinite(values).all() and mean_curve(values)[-1] > 0:
            reference_slope(ax, marks, values, r.claimed.value, "", color=colour)
    ax.set(xlabel="horizon $T$")


def positive(values: np.ndarray) -> np.ndarray:
    """What a logarithmic axis can show: gaps where nothing is positive, the bottom where single values are not."""
    if not np.isfinite(values).all():
        return values
    return np.where(values > 0, values, np.nan) if np.all(values <= 0) else np.maximum(values, 1e-30)


def bound_panel(
    ax: Axes, results: Results, bounds: Sequence[Bound], points: Points, colours: Sequence[str] = COLOURS
) -> None:
    """Measured curves at some grid points under every form of their bound, each T taken as the horizon."""
    for colour, (label, where) in zip(colours, points.items(), strict=False):
        marks, measured, _ = under(results, bounds[-1], where)
        band(ax, marks, measured, label=label, color=colour)
        for n, b in enumerate(bounds):
            at, _, right = under(results, b, where)
            if np.isfinite(right).all():
                ax.loglog(
                    at, right, color=colour, label=f"{b.form}, {label}", **(OTHER_BOUND if n else FIRST_BOUND)
                )
    ax.set(xlabel="horizon $T$")


def under(
    results: Results, bound: Bound, where: Mapping[str, float]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Marks (M,), measured (runs, M) and the median over the runs of the bound (M,), at one grid point."""
    result = results[bound.sim.key]
    mask = result.rows(**where)
    return result.marks, table_of(result, bound.metric)[mask], np.median(bound.curves(result)[mask], axis=0)


def said_slopes(
    results: Results, readings: Sequence[Reading], labels: Sequence[str] | str | None = None
) -> str:
    """ "-0.50 at tau = 0.75 (claimed -0.5); ...": the slopes that the verdicts judge."""
    parts = []
    for label, r in zip(labels_of(readings, labels), readings, strict=True):
        parts.append(
            f"{slope_text(results, r)} at {plain(label) or 'the one point'} (claimed {r.claimed.value:.3g})"
        )
    return "; ".join(parts)


def slope_text(results: Results, reading: Reading) -> str:
    """Two digits, or "none" where there is no slope to read."""
    try:
        slope = reading.slope(results).value
    except (ValueError, IndexError):  # no finite run, or too few marks: a short horizon of the user's
        return "none"
    return f"{slope:.2f}" if np.isfinite(slope) else "none"


def said_slack(results: Results, bounds: Iterable[Bound], points: Points) -> list[str]:
    """ "At T, printed bound: 2 to 30 times the regret." for each form that says something."""
    said = []
    for b in bounds:
        slack = []
        for where in points.values():
            _, measured, right = under(results, b, where)
            slack.append(float(right[-1]) / facts.end(finite_runs(measured)))
        if kept := [x for x in slack if np.isfinite(x)]:
            low, high = facts.scientific(min(kept)), facts.scientific(max(kept))
            said.append(f"At T, {b.form} bound: {low} to {high} times the measured median.")
    return said
