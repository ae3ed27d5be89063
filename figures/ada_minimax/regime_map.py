"""The (sigma, T) regime map: measured local slope of Ada-NSGDM on I1, with the predicted crossover horizon over it."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure

from figures._style import BLACK, TEXT_WIDTH
from figures.figure import Figure
from figures.panels import local_slopes
from theorems.ada_minimax import witness
from workbench.experiments.ada_minimax.choices import FREE
from workbench.records import Result

KEY = "ada_minimax/sim-i1"


def draw(results: Mapping[str, Result]) -> MplFigure:
    result = results[KEY]
    sigmas = np.array(sorted({float(s) for s in result.params["sigma"]} - {0.0}))
    slopes = []
    for sigma in sigmas:
        t, slope = local_slopes(result.marks, result.curve("grad_norm_mean", sigma=sigma))
        slopes.append(slope)
    figure, ax = plt.subplots(figsize=(0.75 * TEXT_WIDTH, 3.2))
    mesh = ax.pcolormesh(
        t, sigmas, np.array(slopes), cmap="cividis", vmin=-0.5, vmax=-0.25, shading="nearest"
    )
    fine = np.geomspace(sigmas[0], sigmas[-1], 200)
    crossing = witness.crossover.value(L=1.0, eta=FREE["eta"], sigma=fine)
    ax.plot(crossing, fine, color="white", linewidth=3)
    ax.plot(
        crossing, fine, color=BLACK, linestyle="--", label=r"predicted crossover $2.07\,(\eta L/\sigma)^2$"
    )
    ax.set(xscale="log", yscale="log", xlabel="horizon $T$", ylabel=r"noise level $\sigma$")
    ax.set(xlim=(t[0], t[-1]), ylim=(sigmas[0], sigmas[-1]))
    bar = figure.colorbar(mesh, ax=ax, extend="both", label="local slope of the running mean")
    bar.set_ticks([-0.5, -0.375, -0.25])
    figure.legend(loc="outside upper center", frameon=False)
    ax.grid(False)
    return figure


FIGURE = Figure(
    key="ada_minimax/fig-regimes",
    title="Regimes of Ada-NSGDM in noise level and horizon",
    source="workbench",
    needs=(KEY,),
    draw=draw,
    caption=(
        "Local slope of the running mean of |f'(x_t)| on f = x^2/2 (over [T/2, 2T], mean over runs): -1/2 where the "
        "noise does not yet matter, -1/4 where it does; dashed: the closed-form crossover horizon."
    ),
)
