"""Appendix L of the paper: measured bounds of the gradient noise, and the burn-in t_0 that they imply."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure
from sympy import lambdify

from figures._style import BLACK, BLUE, ORANGE, RED, TEXT_WIDTH
from figures.figure import Figure
from figures.panels import band
from theorems.ada_minimax.common import kappa_sigma, t_0_closed_form
from theorems.vocabulary import T, delta
from workbench.experiments.ada_minimax.auc import PER_EPOCH
from workbench.records import Result

KEY = "ada_minimax/sim-appendix-l"
PAPER = (0.21, 210.71)  # L1450
HORIZON, DELTA = 1e6, 0.1


def measured(result: Result) -> tuple[float, float]:
    """Smallest and largest noise over marks, runs and minibatches."""
    return float(np.nanmin(result.data["noise_min"])), float(np.nanmax(result.data["noise_max"]))


def burn_in(kappa: np.ndarray | float) -> np.ndarray:
    """t_0 of Eq. (16) for T = 1e6 and delta = 0.1."""
    formula = t_0_closed_form().subs({T: HORIZON, delta: DELTA})
    return np.asarray(lambdify(kappa_sigma, formula, "numpy")(np.asarray(kappa, dtype=float)))


def draw(results: Mapping[str, Result]) -> MplFigure:
    """Left: largest and smallest noise along training. Right: t_0 against kappa_sigma, with both measurements."""
    result = results[KEY]
    figure, (left, right) = plt.subplots(1, 2, figsize=(TEXT_WIDTH, 2.6))
    for metric, label, color, dash in (
        ("noise_max", "largest of 64 minibatches", RED, "-"),
        ("noise_min", "smallest", BLUE, "--"),
    ):
        band(left, result.marks / PER_EPOCH, result.data[metric], label=label, color=color, linestyle=dash)
    left.set(xscale="linear", yscale="log", xlabel="epochs", ylabel=r"$|\nabla_x F - \nabla_x f|$")
    left.set_xlim(left=0.0)
    left.set_title("(a) gradient noise along training")
    left.legend(loc="upper right")
    low, high = measured(result)
    kappas = np.geomspace(1.0, 1e4, 200)
    right.loglog(kappas, burn_in(kappas), color=BLACK)
    right.axhline(HORIZON, color=BLACK, linestyle=":", linewidth=1.0)
    right.text(kappas[-1], HORIZON, r"$T = 10^6$", ha="right", va="bottom")
    for name, (a, b), marker, color in (
        ("here", (low, high), "o", BLUE),
        ("paper", PAPER, "s", ORANGE),
    ):
        kappa = f"{b / a:.0f}"
        digits, power = f"{float(burn_in(b / a)):.1e}".split("e")
        text = rf"{name}: [{a:.2g}, {b:.4g}], $\kappa_\sigma = {kappa}$, $t_0 = {digits}\cdot10^{{{int(power)}}}$"
        right.loglog([b / a], [burn_in(b / a)], marker, color=color, label=text)
    right.set(xlabel=r"$\kappa_\sigma$", ylabel=r"$t_0$ of Eq. (16)")
    right.set_title(rf"(b) implied burn-in, $T = 10^6$, $\delta = {DELTA:g}$")
    right.legend(loc="upper left", fontsize=6)
    return figure


FIGURE = Figure(
    key="ada_minimax/appendix-l",
    title="Measured bounds of the gradient noise",
    source="App. L, L1448-1450; Eq. (16), L519",
    needs=(KEY,),
    draw=draw,
    caption=(
        "(a) Largest and smallest |grad_x F(x, y; xi) - grad_x f(x, y)| over 64 fixed minibatches of 32 along "
        "training with Ada-Minimax and the paper's steps, on the problem of Figure 2 (median and 10-90 % of the "
        "runs). Taken on the training set, whose gradients the method sees; the paper takes the validation set of "
        "Sentiment140 and finds [0.21, 210.71]. (b) The burn-in t_0 of Lemma 5.5 for these ranges, T = 1e6, delta "
        "= 0.1: far beyond T. A smallest value in a sample is no almost-sure lower bound; it falls as more is "
        "sampled."
    ),
)
