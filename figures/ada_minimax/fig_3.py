"""Figure 3 of the paper: how the practical Ada-Minimax reacts to each of its parameters."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.figure import Figure as MplFigure

from figures._style import TEXT_WIDTH
from figures.ada_minimax._curves import learning_curve
from figures.figure import Figure
from workbench.experiments.ada_minimax.auc import PER_EPOCH
from workbench.experiments.ada_minimax.robustness import BASE, SIMULATIONS, SWEEPS, curve
from workbench.records import Result

KEY = SIMULATIONS[0].key
SYMBOLS = {"alpha": r"\alpha", "eta_y": r"\eta_y", "eta_x": r"\eta_x", "gamma": r"\gamma"}
DASHES = ("-", "--", "-.", ":")


def draw(results: Mapping[str, Result]) -> MplFigure:
    """Training AUC against epochs; a panel varies one parameter, darker is smaller."""
    result = results[KEY]
    figure, axes = plt.subplots(1, 4, figsize=(TEXT_WIDTH, 2.3), sharey=True)
    for ax, letter, (name, values) in zip(axes, "abcd", SWEEPS.items(), strict=True):
        colors = mpl.colormaps["viridis"]([0.0, 0.3, 0.6, 0.85])
        for value, color, dash in zip(values, colors, DASHES, strict=True):
            chosen = "*" if value == BASE[name] else ""
            data, look = curve(result, "train_auc", name, value), {"color": color, "linestyle": dash}
            learning_curve(ax, result.marks / PER_EPOCH, data, label=f"{value:g}{chosen}", **look)
        ax.set(ylim=(0.4, 1.01), xlabel="epochs")
        ax.set_xlim(left=0.0)
        ax.set_title(f"({letter}) varying ${SYMBOLS[name]}$")
        ax.legend(loc="lower right", fontsize=6.5)
    axes[0].set_ylabel("training AUC")
    return figure


FIGURE = Figure(
    key="ada_minimax/fig-3",
    title="Robustness of Ada-Minimax to its parameters",
    source="Figure 3 (a)-(d), section 6.3, L274-290",
    needs=(KEY,),
    draw=draw,
    caption=(
        "Training AUC on the problem of Figure 2 (digits; the paper: Sentiment140), one parameter varied, the "
        "others at the paper's (eta_x, eta_y, alpha, gamma) = (0.01, 0.01, 0.5, 0.1), marked *. The ends of the "
        "ranges are those of section 6.3, the values between are of App. J's grids. Median and 10-90 % of the "
        "runs (5 in the default profile). Panels follow the text: (b) is eta_y and (c) is eta_x; the paper's own "
        "captions exchange the two. Seen in the default profile: eta_y and gamma hardly matter, as the paper "
        "says; alpha = 0.1 and eta_x = 0.001 are slow, and eta_x = 0.05, which the paper finds worse, is the "
        "fastest here."
    ),
)
