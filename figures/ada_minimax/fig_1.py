"""Figure 1 of the paper: Ada-Minimax against TiAda on the synthetic function, four noise levels."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure

from figures._style import METHODS, TEXT_WIDTH
from figures.figure import Figure
from figures.panels import band
from workbench.records import Result

METHOD_OF = {"ada_minimax/sim-fig-1-ada": "Ada-Minimax", "ada_minimax/sim-fig-1-tiada": "TiAda"}
STARTS = ((10.0, 10.0), (1.0, 1.0), (3.0, 0.0))


def draw(results: Mapping[str, Result]) -> MplFigure:
    """Rows: start points; columns: sigma. Thin line: |Phi'(x_t)|; thick line and band: its running mean."""
    sigmas = sorted({float(s) for r in results.values() for s in r.params["sigma"]})
    size = (TEXT_WIDTH, 1.55 * len(STARTS) + 0.6)
    figure, axes = plt.subplots(len(STARTS), len(sigmas), figsize=size, sharex=True)
    for row, (x, y) in enumerate(STARTS):
        for column, sigma in enumerate(sigmas):
            ax = axes[row, column]
            for key, result in results.items():
                where = {"sigma": sigma, "x_1": x, "y_1": y}
                look = METHODS[METHOD_OF[key]]
                last = np.median(result.curve("grad_norm", **where), axis=0)
                ax.loglog(result.marks, last, color=look["color"], linewidth=0.5, alpha=0.6)
                band(ax, result.marks, result.curve("grad_norm_mean", **where), label=METHOD_OF[key], **look)
            if row == 0:
                ax.set_title(rf"({'abcd'[column]}) $\sigma = {sigma:g}$")
            if row == len(STARTS) - 1:
                ax.set_xlabel("iteration $t$")
        axes[row, 0].set_ylabel(rf"$|\Phi'(x)|$, start $({x:g}, {y:g})$")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    return figure


FIGURE = Figure(
    key="ada_minimax/fig-1",
    title="Synthetic minimax problem, Gaussian noise",
    source="Figure 1 (a)-(d), section 6.1, L232-246; settings L1424-1426",
    needs=tuple(METHOD_OF),
    draw=draw,
    caption=(
        "f = cos x + x y - y^2/2, N(0, sigma^2) noise on each partial derivative (outside Assumption 3.2), tuned "
        "parameters as printed. Thin: median of |Phi'(x_t)|; thick with band: running mean, median and 10-90 % of 20 "
        "runs. The paper does not give gamma, start, horizon or TiAda's v_0: gamma = 1, v_0 = 1e-12 and three starts "
        "are drawn. The ordering at sigma = 0 and 20 depends on the start."
    ),
)
