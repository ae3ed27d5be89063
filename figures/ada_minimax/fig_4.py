"""Figure 4 of the paper: Ada-BiO and TFBO on hyper-parameter optimization."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure

from figures import facts
from figures._style import ORANGE, SKY, TEXT_WIDTH
from figures.ada_minimax.style import METHODS
from figures.figure import Figure
from figures.panels import band
from workbench.engine.records import Result
from workbench.experiments.ada_minimax.ridge import (
    ALPHA,
    ETA_X,
    ETA_Y,
    GAMMA,
    NEUMANN,
    PER_EPOCH,
    SIMULATIONS,
    STARTS,
    TFBO_FIRST,
    reach,
)

ADA, TFBO = (s.key for s in SIMULATIONS)
PANELS = {
    "train_accuracy": "training accuracy",
    "test_accuracy": "test accuracy",
    "validation_loss": "validation loss",
    "log_lambda": r"$\log_{10}\lambda$",
}


def curves() -> list[tuple[str, str, dict[str, float], dict]]:
    """(legend, simulation, point of its grid, look)."""
    a, b, c = TFBO_FIRST[0]
    return [
        (r"Ada-BiO, $\eta_x = 10^{-5}$ (paper)", ADA, {"eta_x": ETA_X[0]}, METHODS["Ada-BiO"]),
        (rf"Ada-BiO, $\eta_x = {ETA_X[1]:g}$", ADA, {"eta_x": ETA_X[1]}, {"color": SKY, "linestyle": "-."}),
        (f"TFBO, accumulators ({a:g}, {b:g}, {c:g})", TFBO, {"a_0": TFBO_FIRST[0][0]}, METHODS["TFBO"]),
        ("TFBO, reciprocals", TFBO, {"a_0": TFBO_FIRST[1][0]}, {"color": ORANGE, "linestyle": ":"}),
    ]


def draw(results: Mapping[str, Result]) -> MplFigure:
    """Rows: first lambda. Columns: accuracies, validation loss, and where lambda went."""
    figure, axes = plt.subplots(len(STARTS), 4, figsize=(TEXT_WIDTH, 3.9), sharex=True)
    for row, start in enumerate(STARTS):
        for column, (metric, title) in enumerate(PANELS.items()):
            ax = axes[row, column]
            for label, key, point, look in curves():
                result = results[key]
                values = result.curve(metric, lambda_1=start, **point)
                values = values / np.log(10.0) if metric == "log_lambda" else values
                band(ax, result.marks / PER_EPOCH, values, label=label, scale="linear", **look)
            ax.set_xlim(left=0.0)
            if metric.endswith("accuracy"):
                ax.set_ylim(0.0, 1.02)
            if row == 0:
                ax.set_title(f"({'abcd'[column]}) {title}")
            else:
                ax.set_xlabel("epochs")
        axes[row, 0].set_ylabel(rf"start $\lambda_1 = {start:g}$")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2, frameon=False)
    return figure


def seen(results: Mapping[str, Result]) -> str:
    said = [facts.drawn(results[ADA], PER_EPOCH)]
    names = ("Ada-BiO", f"Ada-BiO with eta_x = {ETA_X[1]:g}", "TFBO", "TFBO with reciprocals")
    for start in STARTS:
        for metric in ("train_accuracy", "test_accuracy"):
            ends = {
                name: facts.end(results[key].curve(metric, lambda_1=start, **point))
                for name, (_, key, point, _) in zip(names, curves(), strict=True)
            }
            said.append(f"Median {PANELS[metric]} at the end, lambda_1 = {start:g}: {facts.listed(ends)}.")
    moved = facts.scientific(reach(results[ADA].horizon))
    said.append(f"With the paper's eta_x log lambda can move by {moved} over this horizon.")
    return f"{' '.join(said)} The paper reports that TFBO fails to converge and that Ada-BiO is better."


FIGURE = Figure(
    key="ada_minimax/fig-4",
    title="Hyper-parameter optimization, Ada-BiO and TFBO",
    source="Figure 4 (a)-(b), App. K, L1432-1446",
    needs=(ADA, TFBO),
    draw=draw,
    caption=(
        "Softmax regression on scikit-learn's digits (300 training, 300 validation, 1197 test images), upper "
        "variable log lambda; the paper trains a BERT on TREC-6: a counterpart, no reproduction. Ada-BiO: eta_y = "
        f"{ETA_Y:g}, alpha = {ALPHA:g}, gamma = {GAMMA:g} as in App. K, {NEUMANN} Neumann terms (not given), each "
        "factor on its own minibatch. With the paper's eta_x = 1e-5 log lambda can move by 2e-5 sqrt(T) at most, so "
        "what is seen is AdaGrad-Norm on the classifier; eta_x = 1, the upper end of the paper's range, moves it. "
        f"Baseline: {facts.competitors('tfbo')} {facts.LABELS}, single loop, stochastic derivatives as in the paper; "
        "App. K's (0.01, 0.1, 0.1) are read as first accumulators and as reciprocals of them. Minibatch of 32 drawn "
        "with replacement, start w_1 = 0 and two lambda_1 (none is given). Median and 10-90 % of the runs."
    ),
    seen=seen,
)
