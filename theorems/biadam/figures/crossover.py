"""Both methods on one problem over their oracle calls: two slopes, and where variance reduction starts to pay."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure

from workbench.claims import Readings
from workbench.drawing import (
    BLUE,
    RED,
    TEXT_WIDTH,
    Figure,
    Results,
    facts,
    legend_below,
    mean_curve,
    readings,
)

from ..experiments import claims_cost
from ..theory.paper import PAPER

PANELS = (  # title, vertical axis, readings of BiAdam and VR-BiAdam
    (r"(a) stationarity measure", r"$\mathcal{G}_t$, mean over $(T/2, T]$", claims_cost.METRICS),
    (r"(b) gradient", r"$\|\nabla F(x_t)\|$, mean over $(T/2, T]$", claims_cost.GRADIENTS_OF_F),
)
LABELS = ("BiAdam", "VR-BiAdam")
FIRST = 30.0  # calls: before, the starts decide


def crossing(results: Results, curves: Readings) -> float:
    """Calls from which on the mean curve of the second reading is the lower one; NaN if there is no such number."""
    (one, at), (two, then) = (r.curve(results) for r in curves)
    calls = np.geomspace(max(at[0], then[0], FIRST), min(at[-1], then[-1]), 400)
    logs = [np.interp(np.log(calls), np.log(x), np.log(mean_curve(y))) for y, x in ((one, at), (two, then))]
    above = np.flatnonzero(logs[0] <= logs[1])
    if above.size == 0:
        return float(calls[0])
    return float(calls[above[-1] + 1]) if above[-1] + 1 < calls.size else float("nan")


def draw(results: Results) -> MplFigure:
    figure, axes = plt.subplots(1, 2, figsize=(TEXT_WIDTH, 3.2))
    for ax, (title, ylabel, curves) in zip(axes, PANELS, strict=True):
        readings.panel(ax, results, curves, LABELS, colours=(BLUE, RED), first=FIRST, middle="mean")
        at = crossing(results, curves)
        if np.isfinite(at):
            ax.axvline(at, color="black", linewidth=0.6, linestyle="--", label="crossover")
        ax.set(title=title, ylabel=ylabel, xlabel="oracle calls of a run")
        legend_below(ax, ncols=1)
    return figure


def seen(results: Results) -> str:
    sentences: list[Any] = [facts.extent(results[PANELS[0][2][0].sim.key])]
    for title, _, curves in PANELS:
        at = crossing(results, curves)
        text = f"from {facts.scientific(at)} calls on" if np.isfinite(at) else "not within these horizons"
        slopes = readings.said_slopes(results, curves, LABELS)
        sentences.append(f"{title}: VR-BiAdam is the lower one {text}; slopes {slopes}.")
    return " ".join(sentences)


FIGURE = Figure(
    key=PAPER.entry("fig-crossover"),
    title="BiAdam and VR-BiAdam over their oracle calls",
    source="workbench; Theorems 1-4 (L49-53, L93)",
    needs=tuple(r.sim.key for r in PANELS[0][2]),
    draw=draw,
    caption="TRIG with multiplicative noise, sums (6) with K = 6; both methods with the same m, k, c_1, c_2, gamma, "
    "lambda. Calls are gradients and products by sampled second derivatives; an iteration of VR-BiAdam makes twice as "
    "many. Means and 10-90 % of the runs, dotted: claimed slopes, dashed: where the means cross for the last time.",
    summary=seen,
    ratios=True,
)
