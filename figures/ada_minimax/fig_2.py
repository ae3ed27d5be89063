"""Figure 2 of the paper: deep AUC maximization with its four methods, against epochs and against time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure

from figures import facts
from figures._style import METHODS as LOOKS
from figures._style import TEXT_WIDTH
from figures.figure import Figure
from figures.panels import band
from workbench.engine.records import Result
from workbench.experiments.ada_minimax.auc import (
    ALPHA,
    GAMMA,
    METHODS,
    PER_EPOCH,
    SELECTION_RUNS,
    Method,
    tuned,
)

METRICS = {"train_auc": "training AUC", "test_auc": "test AUC"}
AXES = {"epoch": "epochs", "time": "time of one run (ms)"}
PLACES: tuple[Literal["outside upper center", "outside lower center"], ...] = (
    "outside upper center",
    "outside lower center",
)
RULES = {"paper": "steps of the paper", "tuned": "steps tuned here"}


def point_of(rule: str, method: Method, result: Result) -> dict[str, float]:
    return dict(method.paper) if rule == "paper" else tuned(result)


def curves(result: Result, metric: str, point: dict[str, float]) -> np.ndarray:
    """(runs, M) of a grid point, without the runs that chose the steps."""
    return result.curve(metric, **point)[result.run_ids[result.rows(**point)] >= SELECTION_RUNS]


def draw(results: Mapping[str, Result]) -> MplFigure:
    """Rows: steps of the paper, steps tuned here. Columns: training and test AUC against epochs, then against time."""
    figure, axes = plt.subplots(2, 4, figsize=(TEXT_WIDTH, 4.6), sharey="row")
    panels = [(metric, axis) for axis in AXES for metric in METRICS]
    for row, rule in enumerate(RULES):
        for column, (metric, axis) in enumerate(panels):
            ax = axes[row, column]
            for method in METHODS:
                result = results[method.key]
                point = point_of(rule, method, result)
                t = result.marks / PER_EPOCH if axis == "epoch" else 1e3 * result.elapsed / result.size
                label = f"{method.title} ({point['eta_x']:g}, {point['eta_y']:g})"
                values = curves(result, metric, point)
                band(ax, t, values, label=label, scale="linear", **LOOKS[method.title])
            ax.set_ylim((0.5, 0.85)[row], 1.005)
            ax.set_xlim(left=0.0)
            if row == 0:
                ax.set_title(f"({'abcd'[column]}) {METRICS[metric]}")
            else:
                ax.set_xlabel(AXES[axis])
        axes[row, 0].set_ylabel(f"{RULES[rule]}\nAUC")
        handles, labels = axes[row, 0].get_legend_handles_labels()
        look: dict[str, Any] = {"title_fontsize": 7, "fontsize": 7, "ncols": 3, "frameon": False}
        title = rf"{RULES[rule]}, $(\eta_x, \eta_y)$"
        figure.legend(handles, labels, title=title, loc=PLACES[row], **look)
    return figure


def seen(results: Mapping[str, Result]) -> str:
    said = [facts.drawn(next(iter(results.values())), PER_EPOCH, left_out=SELECTION_RUNS)]
    for rule, name in RULES.items():
        for metric, title in METRICS.items():
            ends = {
                m.title: facts.end(curves(results[m.key], metric, point_of(rule, m, results[m.key])))
                for m in METHODS
            }
            said.append(f"Median {title} at the end, {name}: {facts.listed(ends)}.")
    said.append("The paper: Ada-Minimax 20 % (training) and 2 % (test) above the next, PDSM, and fastest.")
    return " ".join(said)


FIGURE = Figure(
    key="ada_minimax/fig-2",
    title="Deep AUC maximization",
    source="Figure 2 (a)-(d), section 6.2, L248-272; settings L1430",
    needs=tuple(method.key for method in METHODS),
    draw=draw,
    caption=(
        "Objective (8) on scikit-learn's digits, odd against even, positives thinned to 10 % of the 679 training "
        "images, test part balanced; score: one hidden layer of 32 tanh units. The paper trains a two-layer "
        "transformer on Sentiment140 (p = 0.9, the same problem with labels exchanged): a counterpart, no "
        "reproduction. Top: (eta_x, eta_y) of App. J. Bottom: the point of the paper's 5 x 5 grid with the "
        f"highest training AUC averaged over epochs and {SELECTION_RUNS} runs, which are not drawn. Median and 10-90 "
        "% of the other runs. Not given in the paper and chosen here: minibatch of 32 drawn with replacement, weights "
        "N(0, 1/fan-in), alpha_1 = a = b = 0, PDSM's weight 0.1 and plain ascent in alpha. Ada-Minimax is the "
        f"practical variant (alpha = {ALPHA:g}, gamma = {GAMMA:g}). TiAda: the authors' coordinate-wise code, and "
        "with norms as printed, exponents (0.6, 0.4). Baselines: "
        f"{facts.competitors('tiada_coordinate', 'tiada', 'pdsm', 'sgda')} {facts.LABELS}. Each method draws one "
        "minibatch per iteration. Time: wall clock of a batch of equal shape, recording included, divided by its "
        "number of runs; it depends on the machine."
    ),
    seen=seen,
)
