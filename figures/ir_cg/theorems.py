"""The rates of Theorems 1, 2, 5 and 6 on their witnesses, with the claimed slopes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from figures import facts
from figures._style import BLUE, GREEN, RED, TEXT_WIDTH
from figures.figure import Figure, Results
from figures.panels import FAILED, finite_runs, legend_below, mean_curve, reference_slope
from workbench.engine.records import Result
from workbench.evidence import rates
from workbench.experiments.ir_cg.choices import (
    AWAY,
    FINITE_SUM_P,
    INNER_1,
    INNER_2,
    ONE_SAMPLE_P,
    OUTER_1,
    OUTER_2,
    OUTER_5,
    OUTER_6,
    Q,
    exponent,
)
from workbench.experiments.ir_cg.claims_nonconvex import block_calF

COLOURS = (BLUE, RED, GREEN)
Curves = Callable[[Result, Mapping[str, float]], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Panel:
    """points: the grid points drawn, with the exponent claimed there."""

    sim: str
    title: str
    label: str
    curves: Curves
    points: Sequence[tuple[Mapping[str, float], float]]


def recorded(metric: str, residue: bool = False) -> Curves:
    def curves(result: Result, where: Mapping[str, float]) -> tuple[np.ndarray, np.ndarray]:
        keep = result.marks > 10
        if residue:
            keep &= (result.marks - 1) % Q == AWAY
        return result.curve(metric, **where)[:, keep], result.marks[keep] - 1.0

    return curves


def over(theorem: Any, ps: Sequence[float]) -> list[tuple[Mapping[str, float], float]]:
    return [({"p": p}, exponent(theorem, p)) for p in ps]


def fixed(theorem: Any) -> list[tuple[Mapping[str, float], float]]:
    return [({}, float(theorem.case("rate").claimed))]


PANELS = (
    Panel("hc", "(a) Theorem 1, HC", "outer gap", recorded("outer_gap"), over(OUTER_1, ONE_SAMPLE_P)),
    Panel("exp", "(b) Theorem 1, EXP", "inner gap", recorded("inner_gap"), over(INNER_1, ONE_SAMPLE_P)),
    Panel("nc", "(c) Theorem 5, NC", "merit", block_calF, fixed(OUTER_5)),
    Panel(
        "fs-exp",
        "(d) Theorem 2, FS-EXP",
        "outer gap",
        recorded("outer_gap", True),
        over(OUTER_2, FINITE_SUM_P),
    ),
    Panel("fs-inner", "(e) Theorem 2, EXP", "inner gap", recorded("inner_gap"), over(INNER_2, FINITE_SUM_P)),
    Panel("fs-nc", "(f) Theorem 6, NC", "merit", block_calF, fixed(OUTER_6)),
)


def key_of(panel: Panel) -> str:
    return f"ir_cg/sim-{panel.sim}"


def draw_panel(ax: Axes, panel: Panel, result: Result) -> None:
    for (where, claimed), color in zip(panel.points, COLOURS, strict=False):
        values, t = panel.curves(result, where)
        name = ", ".join(f"{n} = {v:g}" for n, v in where.items()) or "mean"
        if lost := len(values) - len(finite_runs(values)):
            name = f"{name} ({lost} of {len(values)} {FAILED})"
        ax.loglog(t, mean_curve(values), color=color, label=name)
        reference_slope(ax, t, values, claimed, f"slope {claimed:.3g}", color=color)
    ax.set(title=panel.title, xlabel="t", ylabel=panel.label)
    legend_below(ax, ncols=len(panel.points), fontsize=6, handlelength=1.8, columnspacing=0.8)


def draw(results: Results) -> MplFigure:
    figure, axes = plt.subplots(2, 3, figsize=(TEXT_WIDTH, 5.6))
    for ax, panel in zip(axes.flat, PANELS, strict=True):
        draw_panel(ax, panel, results[key_of(panel)])
    return figure


def measured(values: np.ndarray, t: np.ndarray) -> str:
    """Slope over the last decade and the mean at the end; "none" where no run is left or the mean is not positive."""
    last = t >= t[-1] / 10.0
    if len(values) == 0 or not (values.mean(axis=0)[last] > 0.0).all():
        return "none"
    slope = rates.slope(values, t, (t[-1] / 10.0, float(t[-1]))).value
    return f"{slope:.3f}, {facts.scientific(float(values[:, -1].mean()))} at the end"


def seen(results: Results) -> str:
    """Slopes over the last decade, and means at the end."""
    said = []
    for panel in PANELS:
        result = results[key_of(panel)]
        for where, claimed in panel.points:
            values, t = panel.curves(result, where)
            name = "".join(f", {n} = {v:g}" for n, v in where.items())
            said.append(
                f"{panel.title[4:]}{name}: {measured(finite_runs(values), t)} (claimed {claimed:.3g})"
            )
    first = results[key_of(PANELS[0])]
    return f"{facts.drawn(first)} T is that of HC. Slope over the last decade: {'; '.join(said)}."


FIGURE = Figure(
    key="ir_cg/fig-rates",
    title="Rates of IR-SCG and IR-FSCG on their witnesses",
    source="workbench; Theorems 1, 2, 5, 6 (L160-170, L1011, L1068)",
    needs=tuple(key_of(panel) for panel in PANELS),
    draw=draw,
    caption=(
        "Means over the runs of the gaps at the output z_t, (a, d) outer, (b, e) inner, and (c, f) of the merit "
        "function averaged over (t/2, t] with weights sigma_t; dotted: the claimed power over the last decade. "
        "varsigma = 1, "
        f"q = S = {Q}. Marks of (d) lie half a period after the refreshes, where the error of SPIDER is not zero."
    ),
    seen=seen,
)
