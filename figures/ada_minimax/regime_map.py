"""The (sigma, T) regime map: measured local slope of Ada-NSGDM on I1, with the predicted crossover horizon over it."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure

from figures import facts
from figures._style import BLACK, TEXT_WIDTH
from figures.figure import Figure
from figures.panels import local_slopes
from theorems.ada_minimax import witness
from workbench.engine.records import Result
from workbench.experiments.ada_minimax.choices import FREE

KEY = "ada_minimax/sim-i1"


def slope_map(result: Result) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(T, sigma > 0, local slope): (M,), (S,), (S, M)."""
    sigmas = np.array(sorted({float(s) for s in result.params["sigma"]} - {0.0}))
    rows = [local_slopes(result.marks, result.curve("grad_norm_mean", sigma=sigma)) for sigma in sigmas]
    return rows[0][0], sigmas, np.array([slopes for _, slopes in rows])


def draw(results: Mapping[str, Result]) -> MplFigure:
    """Colour: local slope over horizon and noise level. Dashed: where theory puts the crossover."""
    t, sigmas, slopes = slope_map(results[KEY])
    figure, ax = plt.subplots(figsize=(0.75 * TEXT_WIDTH, 3.2))
    mesh = ax.pcolormesh(t, sigmas, slopes, cmap="cividis", vmin=-0.5, vmax=-0.25, shading="nearest")
    fine = np.geomspace(sigmas[0], sigmas[-1], 200)
    crossing = witness.crossover.value(L=1.0, eta=FREE["eta"], sigma=fine)
    ax.plot(crossing, fine, color="white", linewidth=3)
    ax.plot(
        crossing, fine, color=BLACK, linestyle="--", label=r"predicted crossover $2.07\,(\eta L/\sigma)^2$"
    )
    ax.set(xscale="log", yscale="log", xlabel="horizon $T$", ylabel=r"noise level $\sigma$")
    ax.set_xlim(t[0], t[-1])
    bar = figure.colorbar(mesh, ax=ax, extend="both", label="local slope of the running mean")
    bar.set_ticks([-0.5, -0.375, -0.25])
    figure.legend(loc="outside upper center", frameon=False)
    ax.grid(False)
    return figure


def seen(results: Mapping[str, Result]) -> str:
    t, sigmas, slopes = slope_map(results[KEY])
    ends = ", ".join(f"{slopes[i, -1]:.2f} at sigma = {sigmas[i]:g}" for i in (0, -1))
    return f"{facts.drawn(results[KEY])} Local slope at T = {facts.scientific(t[-1])}: {ends}."


FIGURE = Figure(
    key="ada_minimax/fig-regimes",
    kind="map",
    title="Regimes of Ada-NSGDM in noise level and horizon",
    source="workbench",
    needs=(KEY,),
    draw=draw,
    caption=(
        "Local slope of the running mean of |f'(x_t)| on f = x^2/2 (over [T/2, 2T], mean over runs): -1/2 where the "
        "noise does not yet matter and -1/4 where it does, by the theorem; dashed: the closed-form crossover horizon."
    ),
    seen=seen,
)
