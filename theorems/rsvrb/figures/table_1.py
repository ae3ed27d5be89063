"""Table 1 with measured columns: the power of 1/epsilon in the samples of RSVRB, and what an iteration takes."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure as MplFigure
from sympy import Expr

from workbench.drawing import (
    RED,
    Figure,
    Results,
    Table,
    facts,
    mean_curve,
    panel_over_table,
    readings,
)

from ..experiments import claims_many_tasks as many
from ..experiments.compared import RIVALS
from ..experiments.reweighting_runs import COMPETITIONS
from ..theory.paper import PAPER
from ..theory.table_1 import TABLE_1

LATE = 16.0  # share of the samples, from the last ones on, over which a slope is measured
PANEL = "a1a-200"  # of Figure 2, in which an iteration of each method is metered
COMPETITION = COMPETITIONS["fig-2"][PANEL]
NAMES = {"RSVRB": "re-rsvrb", "STABLE": "stable", "TTSA": "ttsa", "stocBiO": "stocbio", "BSA": "bsa"}
METHODS = {m.name: m for m in COMPETITION.methods}
CURVE = many.RATES[many.EIGHT]
HEADS = ("method", "batch", "loops", "samples, printed", "tasks", "power measured", "tasks in an iteration")
WIDTHS = (0.12, 0.12, 0.08, 0.2, 0.1, 0.16, 0.2)


def power(results: Results) -> float:
    """q of O(eps^-q) samples: E|grad F|^2 of order N^(-2/q), by the slope of its mean over the last octaves."""
    (reading,) = CURVE
    values, T = reading.curve(results)
    late = T[-1] / LATE <= T
    slope = np.polyfit(np.log(T[late]), np.log(mean_curve(values)[late]), 1)[0]
    return float(-2.0 / slope)


def tasks_each(results: Results, name: str) -> float:
    """Tasks that an iteration draws rows of, the mean over the iterations: rows over those of a minibatch.

    Methods with memory take every row at the old and at the new point.
    """
    result = results[COMPETITION.key(METHODS[name])]
    points = 2 if RIVALS[name].weighs else 1
    rows = float(result.calls["sample"].mean(axis=0)[-1]) / result.horizon / points
    tasks = float(PANEL.split("-")[1])
    return min(tasks, rows / float(np.max(result.constants["round"])) * tasks)


def in_words(order: Expr) -> str:
    text = str(order).replace("**", "^").replace("*", " ")
    return text.replace("accuracy", "epsilon").replace("C_p", "C(p)")


def table(results: Results) -> Table:
    rows = []
    for row in TABLE_1:
        measured = f"{power(results):.2f} (m = {many.EIGHT})" if row.method == "RSVRB" else "not run here"
        each = f"{tasks_each(results, NAMES[row.method]):.0f} of 200"
        loops = "single" if row.loops == 1 else "double"
        printed, batch, tasks = (in_words(e) for e in (row.samples, row.batch, row.tasks))
        rows.append((row.method, f"O({batch})", loops, f"O({printed})", f"O({tasks})", measured, each))
    return Table(HEADS, tuple(rows))


def draw(results: Results) -> MplFigure:
    cells = table(results)
    figure, ax = panel_over_table(cells.head, cells.rows, WIDTHS)
    readings.panel(ax, results, CURVE, [f"RSVRB, m = {many.EIGHT}"], colours=(RED,), middle="mean")
    ax.set(xlabel="iterations $T$", ylabel=r"mean of $|\nabla F|^2$ over $(T/2, T]$")
    ax.legend(frameon=False, fontsize=7)
    return figure


FIGURE = Figure(
    key=PAPER.entry("table-1"),
    title="Samples for a gradient of epsilon, m lower problems",
    source="Table 1, L29-35",
    needs=(CURVE[0].sim.key, *(COMPETITION.key(METHODS[name]) for name in NAMES.values())),
    draw=draw,
    caption=(
        "Printed: batch, loops, samples, tasks processed in an iteration; C(p) is that of L248 (E15). The power "
        "of RSVRB is measured on eight tasks with an F that is not convex, E|grad F|^2 over the last four octaves of T;"
        " an iteration takes two evaluations of f and of g. Tasks of an iteration are counted in Figure 2 on a1a "
        "with 200 tasks, where the paper draws ten at a time (RE-RSVRB), and others draw rows of all tasks, some "
        "of them several times. The others of the table are not run on a problem whose constants are known: their"
        " powers are not judged."
    ),
    summary=facts.drawn_together,
    table=table,
    ratios=True,
)
