"""The (sigma, T) regime map: measured local slope of Ada-NSGDM on I1, with the predicted crossover horizon over it."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure

from workbench.drawing import BLACK, TEXT_WIDTH, Figure, Results, facts, legend_outside, local_slopes

from ..experiments.claims_5_6 import BETWEEN, LEVELS, NOISY, QUIET, crossover_at
from ..theory.paper import PAPER

KEY = LEVELS[0].sim.key
ENDS = (QUIET[0].claimed.value, NOISY[0].claimed.value)


def slope_map(results: Results) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(T, sigma > 0, local slope): (M,), (S,), (S, M)."""
    curves = [r.curve(results) for r in LEVELS]
    marks, slopes = zip(*(local_slopes(marks, values) for values, marks in curves), strict=True)
    return marks[0], np.array([r.where["sigma"] for r in LEVELS]), np.array(slopes)


def draw(results: Results) -> MplFigure:
    """Colour: local slope against horizon and noise level. Dashed: the predicted crossover."""
    t, sigmas, slopes = slope_map(results)
    figure, ax = plt.subplots(figsize=(0.75 * TEXT_WIDTH, 3.2))
    mesh = ax.pcolormesh(t, sigmas, slopes, cmap="cividis", vmin=ENDS[0], vmax=ENDS[1], shading="nearest")
    fine = np.geomspace(sigmas[0], sigmas[-1], 200)
    label = rf"predicted crossover ${crossover_at(1.0):.3g}\,(\eta L/\sigma)^2$"
    ax.plot(crossover_at(fine), fine, color="white", linewidth=3)
    ax.plot(crossover_at(fine), fine, color=BLACK, linestyle="--", label=label)
    ax.set(xscale="log", yscale="log", xlabel="horizon $T$", ylabel=r"noise level $\sigma$")
    ax.set_xlim(t[0], t[-1])
    bar = figure.colorbar(mesh, ax=ax, extend="both", label="local slope of the running mean")
    bar.set_ticks([ENDS[0], BETWEEN, ENDS[1]])
    legend_outside(figure, ax)
    ax.grid(False)
    return figure


def observation(results: Results) -> str:
    t, sigmas, slopes = slope_map(results)
    ends = ", ".join(f"{slopes[i, -1]:.2f} at sigma = {sigmas[i]:g}" for i in (0, -1))
    return f"{facts.extent(results[KEY])} Local slope at T = {facts.scientific(t[-1])}: {ends}."


FIGURE = Figure(
    key=PAPER.entry("fig-regimes"),
    kind="map",
    title="Regimes of Ada-NSGDM in noise level and horizon",
    source="workbench",
    needs=(KEY,),
    draw=draw,
    caption=(
        "Local slope of the running mean of |f'(x_t)| on f = x^2/2 (over [T/2, 2T], mean over runs). By the theorem it "
        "is -1/2 where the noise is negligible and -1/4 where it dominates. Dashed: crossover horizon in closed form."
    ),
    summary=observation,
)
