"""Table 1 with measured columns: what an iteration costs in Figure 1, and the power of 1/epsilon in the calls."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure as MplFigure

from workbench.claims import Reading
from workbench.drawing import (
    BLUE,
    RED,
    Figure,
    Results,
    Table,
    facts,
    mean_curve,
    panel_over_table,
    readings,
)

from ..experiments import claims, claims_cost
from ..experiments.cleaning_runs import COMPETITION
from ..theory.paper import PAPER
from ..theory.table_1 import TABLE_1

LATE = 16.0  # share of the calls, from the last ones on, over which a slope is measured
# The methods of the table that Figure 1 draws, and the curves from which powers are read.
DRAWN = {m.title: m for m in COMPETITION.methods if m.title in {row.method for row in TABLE_1}}
CURVES: dict[str, Reading] = dict(zip(("BiAdam", "VR-BiAdam"), claims_cost.METRICS, strict=True))
HEADS = ("method", "loops", "batch", "samples, printed", "power measured", "calls an iteration")
WIDTHS = (0.14, 0.1, 0.12, 0.2, 0.2, 0.2)
NONE = "not run here"


def power(results: Results, curve: Reading) -> float:
    """p of O(eps^-p) calls: the inverse of the slope of the mean curve over its last octaves."""
    values, calls = curve.curve(results)
    late = calls >= calls[-1] / LATE
    slope = np.polyfit(np.log(calls[late]), np.log(mean_curve(values)[late]), 1)[0]
    return float(-1.0 / slope)


def calls_each(results: Results, method: str) -> float:
    """Oracle calls of an iteration, on average."""
    result = results[COMPETITION.key(DRAWN[method])]
    return float(sum(table.mean(axis=0)[-1] for table in result.calls.values()) / result.horizon)


def table(results: Results) -> Table:
    rows = []
    for row in TABLE_1:
        order = f"epsilon^-{row.samples}" + (" log" if row.logarithm else "")
        measured = f"{power(results, CURVES[row.method]):.2f}" if row.method in CURVES else NONE
        each = f"{calls_each(results, row.method):.1f}" if row.method in DRAWN else NONE
        rows.append((row.method, row.loops, row.batch or "not stated", order, measured, each))
    return Table(HEADS, tuple(rows))


def draw(results: Results) -> MplFigure:
    cells = table(results)
    figure, ax = panel_over_table(cells.head, cells.rows, WIDTHS)
    curves = claims_cost.METRICS
    readings.panel(ax, results, curves, list(CURVES), colours=(BLUE, RED), first=30.0, middle="mean")
    ax.set(xlabel="oracle calls of a run", ylabel=r"$\mathcal{G}_t$, mean over $(T/2, T]$")
    ax.legend(frameon=False, fontsize=7)
    return figure


def drawn_runs(results: Results) -> str:
    return facts.drawn_together(results)


FIGURE = Figure(
    key=PAPER.entry("table-1"),
    title="Samples for a mean gradient of epsilon",
    source="Table 1, L9; powers L49, L53, L119",
    needs=(
        *(curve.sim.key for curve in CURVES.values()),
        *(COMPETITION.key(method) for method in DRAWN.values()),
    ),
    draw=draw,
    caption=(
        "Of the table the text has the caption only; loops, batch and samples are those that the paper states "
        "elsewhere. Powers are measured on TRIG with multiplicative noise and sums (6) of K = 6 terms, the "
        "inverse of the slope of calG_t in metered calls over the last four octaves: the power of VR-BiAdam lies "
        f"below 3 where |x~ - x|, which falls faster, is still a part of it ({claims.SIMS['settled-vr'].title} has"
        " little of it). Calls are gradients, Hessian- and Jacobian-vector products on a minibatch of Figure 1, "
        "with K = 3. The others of the table are not run on a problem whose constants are known."
    ),
    summary=drawn_runs,
    table=table,
    ratios=True,
)
