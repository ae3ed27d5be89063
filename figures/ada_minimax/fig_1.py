"""Figure 1 of the paper: Ada-Minimax against TiAda on the synthetic function, four noise levels."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure

from figures import facts
from figures._style import METHODS, TEXT_WIDTH
from figures.figure import Figure
from figures.panels import band, finite_runs
from workbench.engine.records import Result
from workbench.experiments.ada_minimax.fig_1 import GAMMA, SIMULATIONS, STARTS, V_0

METHOD_OF = dict(zip((s.key for s in SIMULATIONS), ("Ada-Minimax", "TiAda"), strict=True))


def noise_levels(results: Mapping[str, Result]) -> list[float]:
    return sorted({float(s) for r in results.values() for s in r.params["sigma"]})


def draw(results: Mapping[str, Result]) -> MplFigure:
    """Rows: start points; columns: sigma. Thin line: |Phi'(x_t)|; thick line and band: its running mean."""
    sigmas = noise_levels(results)
    size = (TEXT_WIDTH, 1.55 * len(STARTS) + 0.6)
    figure, axes = plt.subplots(len(STARTS), len(sigmas), figsize=size, sharex=True)
    for row, (x, y) in enumerate(STARTS):
        for column, sigma in enumerate(sigmas):
            ax = axes[row, column]
            for key, result in results.items():
                where = {"sigma": sigma, "x_1": x, "y_1": y}
                look = METHODS[METHOD_OF[key]]
                last = finite_runs(result.curve("grad_norm", **where))
                if len(last):
                    thin = {"color": look["color"], "linewidth": 0.5, "alpha": 0.6}
                    ax.loglog(result.marks, np.median(last, axis=0), **thin)
                band(ax, result.marks, result.curve("grad_norm_mean", **where), label=METHOD_OF[key], **look)
            if row == 0:
                ax.set_title(rf"({'abcd'[column]}) $\sigma = {sigma:g}$")
            if row == len(STARTS) - 1:
                ax.set_xlabel("iteration $t$")
        axes[row, 0].set_ylabel(rf"$|\Phi'(x)|$, start $({x:g}, {y:g})$")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    return figure


def ahead(results: Mapping[str, Result], sigma: float, start: tuple[float, float]) -> str:
    """Whose median running mean is lower at the end, and how many times: "TiAda (x4.2)"."""
    where = {"sigma": sigma, "x_1": start[0], "y_1": start[1]}
    ends = {name: facts.end(results[k].curve("grad_norm_mean", **where)) for k, name in METHOD_OF.items()}
    (best, low), (_, high) = sorted(ends.items(), key=lambda item: item[1])
    return f"{best} (x{facts.scientific(high / low)})" if np.isfinite(high / low) else "open"


def seen(results: Mapping[str, Result]) -> str:
    starts = ", ".join(f"({x:g}, {y:g})" for x, y in STARTS)
    rows = [
        f"sigma = {s:g}: {', '.join(ahead(results, s, start) for start in STARTS)}"
        for s in noise_levels(results)
    ]
    return (
        f"{facts.drawn(next(iter(results.values())))} Lower median running mean at the end, and by what factor, from "
        f"{starts}: {'; '.join(rows)}. The paper reports Ada-Minimax ahead of TiAda at every noise level."
    )


FIGURE = Figure(
    key="ada_minimax/fig-1",
    ratios=True,
    title="Synthetic minimax problem, Gaussian noise",
    source="Figure 1 (a)-(d), section 6.1, L232-246; settings L1424-1426",
    needs=tuple(METHOD_OF),
    draw=draw,
    caption=(
        "f = cos x + x y - y^2/2, N(0, sigma^2) noise on each partial derivative (outside Assumption 3.2), tuned "
        f"parameters as printed. Baseline: {facts.competitors('tiada')} {facts.LABELS}. Thin: median of |Phi'(x_t)|; "
        "thick with band: running mean, median and 10-90 % over the runs. The paper does not give gamma, start, "
        f"horizon or TiAda's v_0: gamma = {GAMMA:g}, v_0 = {V_0:g} and three starts are drawn."
    ),
    seen=seen,
)
