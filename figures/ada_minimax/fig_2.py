"""Figure 2 of the paper: deep AUC maximization with four methods, against epochs and against time."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as MplFigure

from figures._style import METHODS as LOOKS
from figures._style import TEXT_WIDTH
from figures.ada_minimax._curves import learning_curve
from figures.figure import Figure
from workbench.experiments.ada_minimax.auc import METHODS, PER_EPOCH, SELECTION_RUNS, tuned
from workbench.records import Result

METRICS = {"train_auc": "training AUC", "test_auc": "test AUC"}
AXES = {"epoch": "epochs", "time": "time of one run (ms)"}


def draw(results: Mapping[str, Result]) -> MplFigure:
    """Rows: steps of the paper, steps tuned here. Columns: training and test AUC against epochs, then against time."""
    figure, axes = plt.subplots(2, 4, figsize=(TEXT_WIDTH, 3.9), sharey="row")
    panels = [(metric, axis) for axis in AXES for metric in METRICS]
    for row, rule in enumerate(("steps of the paper", "steps tuned here")):
        for column, (metric, axis) in enumerate(panels):
            ax = axes[row, column]
            for method in METHODS:
                result = results[method.key]
                point = method.paper if row == 0 else tuned(result)
                drawn = result.run_ids[result.rows(**point)] >= SELECTION_RUNS
                t = result.marks / PER_EPOCH if axis == "epoch" else 1e3 * result.elapsed / result.runs
                label = f"{method.title} ({point['eta_x']:g}, {point['eta_y']:g})"
                learning_curve(
                    ax, t, result.curve(metric, **point)[drawn], label=label, **LOOKS[method.title]
                )
            ax.set_ylim((0.5, 0.85)[row], 1.005)
            ax.set_xlim(left=0.0)
            if row == 0:
                ax.set_title(f"({'abcd'[column]}) {METRICS[metric]}")
            else:
                ax.set_xlabel(AXES[axis])
        axes[row, 0].set_ylabel(f"{rule}\nAUC")
        axes[row, 0].legend(loc="lower right", fontsize=5.5, handlelength=2.4, framealpha=0.9)
    return figure


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
        "highest training AUC averaged over epochs and two runs, which are not drawn. Median and 10-90 % of the "
        "other runs (5 in the default profile). Not given in the paper and chosen here: minibatch of 32 drawn "
        "with replacement, weights N(0, 1/fan-in), alpha_1 = a = b = 0, PDSM's weight 0.1 and plain ascent in "
        "alpha. Ada-Minimax is the practical variant (alpha = 0.5, gamma = 0.1). TiAda [C], exponents (0.6, 0.4): "
        "the authors' coordinate-wise code, and with norms as printed; PDSM [P]; SGDA [GK]. Each method draws one "
        "minibatch per iteration. Time: wall clock of a batch of equal shape, recording included, divided by its "
        "number of runs; it depends on the machine. Seen in the default profile: with the paper's steps SGDA and "
        "coordinate-wise TiAda are ahead of Ada-Minimax, which overtakes PDSM and TiAda with norms; tuned, all "
        "but TiAda with norms are alike."
    ),
)
