"""Appendix L of the paper: measured bounds of the gradient noise, and the burn-in t_0 that they imply."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter
from sympy import lambdify

from workbench import Result
from workbench.drawing import BLACK, BLUE, ORANGE, RED, TEXT_WIDTH, Figure, Results, band, facts, legend_below
from workbench.vocabulary import T, delta

from ..experiments.auc import PER_EPOCH
from ..theory.common import kappa_sigma, t_0_closed_form
from ..theory.paper import PAPER

KEY = PAPER.entry("sim-appendix-l")
HORIZON, DELTA = 1e6, 0.1
IN_PAPER = (0.21, 210.71)  # smallest and largest noise, L1450
BURN_IN = lambdify(kappa_sigma, t_0_closed_form().subs({T: HORIZON, delta: DELTA}), "numpy")  # Eq. (16)


def measured(result: Result) -> tuple[float, float]:
    """Smallest and largest noise over marks, runs and minibatches."""
    return float(np.nanmin(result.data["noise_min"])), float(np.nanmax(result.data["noise_max"]))


def implied_bounds(low: float, high: float) -> tuple[float, float]:
    """kappa_sigma and t_0."""
    return high / low, float(BURN_IN(high / low))


def draw(results: Results) -> MplFigure:
    """Left: largest and smallest noise along training. Right: t_0 against kappa_sigma, with both measurements."""
    result = results[KEY]
    figure, (left, right) = plt.subplots(1, 2, figsize=(TEXT_WIDTH, 2.9))
    for metric, label, color, dash in (
        ("noise_max", "largest of 64 minibatches", RED, "-"),
        ("noise_min", "smallest", BLUE, "--"),
    ):
        look = {"color": color, "linestyle": dash}
        band(left, result.marks / PER_EPOCH, result.data[metric], label=label, scale="linear", **look)
    left.set(yscale="log", xlabel="epochs", ylabel=r"$|\nabla_x F - \nabla_x f|$")
    left.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))  # the range is near one decade
    left.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    left.yaxis.set_minor_formatter(NullFormatter())
    left.set_xlim(left=0.0)
    left.set_title("(a) gradient noise along training")
    legend_below(left, fontsize=7)
    kappas = np.geomspace(1.0, 1e4, 200)
    right.loglog(kappas, BURN_IN(kappas), color=BLACK)
    right.axhline(HORIZON, color=BLACK, linestyle=":", linewidth=1.0)
    right.text(kappas[-1], HORIZON, r"$T = 10^6$", ha="right", va="bottom")
    for name, noise, marker, color in (
        ("here", measured(result), "o", BLUE),
        ("paper", IN_PAPER, "s", ORANGE),
    ):
        kappa, t_0 = implied_bounds(*noise)
        digits, power = f"{t_0:.1e}".split("e")
        text = rf"{name}: [{noise[0]:.2g}, {noise[1]:.4g}], $\kappa_\sigma = {kappa:.0f}$, "
        text += rf"$t_0 = {digits}\cdot10^{{{int(power)}}}$"
        right.loglog([kappa], [t_0], marker, color=color, label=text)
    right.set(xlabel=r"$\kappa_\sigma$", ylabel=r"$t_0$ of Eq. (16)")
    right.set_title(rf"(b) implied burn-in, $T = 10^6$, $\delta = {DELTA:g}$")
    legend_below(right, ncols=1, fontsize=7)
    return figure


def observation(results: Results) -> str:
    (low, high), scientific = measured(results[KEY]), facts.scientific
    (kappa, t_0), (paper_kappa, paper_t_0) = implied_bounds(low, high), implied_bounds(*IN_PAPER)
    return (
        f"{facts.extent(results[KEY], PER_EPOCH)} Measured [{low:.2g}, {high:.2g}], kappa_sigma = {kappa:.0f} and "
        f"t_0 = {scientific(t_0)}, {'beyond' if t_0 > HORIZON else 'within'} T = {scientific(HORIZON)}; the paper's "
        f"{[*IN_PAPER]} gives {paper_kappa:.0f}, {scientific(paper_t_0)}."
    )


FIGURE = Figure(
    key=PAPER.entry("appendix-l"),
    title="Measured bounds of the gradient noise",
    source="App. L, L1448-1450; Eq. (16), L519",
    needs=(KEY,),
    draw=draw,
    caption=(
        "(a) Largest and smallest |grad_x F(x, y; xi) - grad_x f(x, y)| over 64 fixed minibatches of 32 along "
        "training with Ada-Minimax and the paper's steps, on the problem of Figure 2 (median and 10-90 % of the "
        "runs). An analogue, not a reproduction: measured on the training set, whose gradients the method uses; the "
        "paper uses the validation set of Sentiment140. (b) The burn-in t_0 of Lemma 5.5, T = 1e6, delta = "
        f"{DELTA:g}, at the measured ranges. The smallest value in a sample is not an almost-sure lower bound; it "
        "decreases with the sample size."
    ),
    summary=observation,
)
