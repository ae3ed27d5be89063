"""Figure 3 of the paper: how the practical Ada-Minimax reacts to each of its parameters."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as MplFigure

from figures import facts
from figures._style import TEXT_WIDTH
from figures.figure import Figure
from figures.panels import band, legend_below
from workbench.engine.records import Result
from workbench.experiments.ada_minimax.auc import PER_EPOCH
from workbench.experiments.ada_minimax.robustness import BASE, SIMULATIONS, SWEEPS, curve

KEY = SIMULATIONS[0].key
SYMBOLS = {"alpha": r"\alpha", "eta_y": r"\eta_y", "eta_x": r"\eta_x", "gamma": r"\gamma"}
DASHES = ("-", "--", "-.", ":")


def draw(results: Mapping[str, Result]) -> MplFigure:
    """Training AUC against epochs; a panel varies one parameter, darker is smaller."""
    import seaborn as sns  # here: it takes a second to load

    result = results[KEY]
    figure, axes = plt.subplots(1, 4, figsize=(TEXT_WIDTH, 2.5), sharey=True)
    for ax, letter, (name, values) in zip(axes, "abcd", SWEEPS.items(), strict=True):
        colors = sns.color_palette("viridis", len(values))
        for value, color, dash in zip(values, colors, DASHES, strict=True):
            chosen = "*" if value == BASE[name] else ""
            data, look = curve(result, "train_auc", name, value), {"color": color, "linestyle": dash}
            band(ax, result.marks / PER_EPOCH, data, label=f"{value:g}{chosen}", scale="linear", **look)
        ax.set(ylim=(0.4, 1.01), xlabel="epochs")
        ax.set_xlim(left=0.0)
        ax.set_title(f"({letter}) varying ${SYMBOLS[name]}$")
        legend_below(ax)
    axes[0].set_ylabel("training AUC")
    return figure


def spread(result: Result, name: str) -> str:
    """Lowest and highest median AUC at the end over the values of one panel."""
    ends = {v: facts.end(curve(result, "train_auc", name, v)) for v in SWEEPS[name]}
    low, high = min(ends, key=lambda v: ends[v]), max(ends, key=lambda v: ends[v])
    return f"{name} {ends[low]:.3f} (at {low:g}) to {ends[high]:.3f} (at {high:g})"


def seen(results: Mapping[str, Result]) -> str:
    result = results[KEY]
    return (
        f"{facts.drawn(result, PER_EPOCH)} Median training AUC at the end over the values of a panel: "
        f"{'; '.join(spread(result, name) for name in SWEEPS)}. The paper finds all four harmless, but for a decline "
        "at eta_x = 0.05."
    )


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
        "runs. Panels follow the text: (b) is eta_y and (c) is eta_x; the paper's own captions exchange the two. A "
        "counterpart, no reproduction."
    ),
    seen=seen,
)
