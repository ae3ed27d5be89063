"""Figure 3 of the paper: how the practical Ada-Minimax reacts to each of its parameters."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure as MplFigure

from workbench.drawing import Curve, Figure, Results, curve_grid, facts, legend_below, symbol

from ..experiments.auc import BASE, PER_EPOCH, SWEEPS
from ..theory.paper import PAPER
from .style import missing

KEY = PAPER.entry("sim-fig-3")
DARK = 0.55  # of the colour map: what follows is too pale on white
DASHES = ("-", "--", "-.", ":")


def curves(results: Results, name: str) -> Iterator[Curve]:
    """Training AUC for each value of one parameter. Darker curves: smaller values; *: the paper's value."""
    result, values = results[KEY], SWEEPS[name]
    colors = colormaps["viridis"](np.linspace(0, DARK, len(values))[:, None])[:, 0, :3].tolist()
    for value, color, dash in zip(values, colors, DASHES, strict=True):
        label = f"{value:g}{'*' if value == BASE[name] else ''}"
        data, look = result.curve("train_auc", **{**BASE, name: value}), {"color": color, "linestyle": dash}
        yield Curve(label, result.marks / PER_EPOCH, data, look, f"{value:g}")


def draw(results: Results) -> MplFigure:
    """What the training AUC lacks of 1, against epochs; each panel varies one parameter."""
    figure, axes = curve_grid(
        [("1 $-$ training AUC", None)],
        [(f"varying ${symbol(name)}$", name) for name in SWEEPS],
        ["epochs"] * len(SWEEPS),
        lambda _, name: map(missing, curves(results, name)),
        height=2.5,
        scale="linear",
        sharey=True,
    )
    for ax in axes[0]:
        ax.set_yscale("log")
        legend_below(ax)
    return figure


def spread(results: Results, name: str) -> str:
    """Lowest and highest median AUC at the end in one panel."""
    ends = facts.ends(curves(results, name))
    low, high = min(ends, key=lambda v: ends[v]), max(ends, key=lambda v: ends[v])
    return f"{name} {ends[low]:.3f} (at {low}) to {ends[high]:.3f} (at {high})"


def observation(results: Results) -> str:
    return (
        f"{facts.extent(results[KEY], PER_EPOCH)} Median training AUC at the end over the values of a panel: "
        f"{'; '.join(spread(results, name) for name in SWEEPS)}. The paper reports robustness to all four parameters, "
        "except for a decline at eta_x = 0.05."
    )


FIGURE = Figure(
    key=PAPER.entry("fig-3"),
    title="Robustness of Ada-Minimax to its parameters",
    source="Figure 3 (a)-(d), section 6.3, L274-290",
    needs=(KEY,),
    draw=draw,
    caption=(
        "Training AUC on the problem of Figure 2 (an analogue, not a reproduction). One parameter varies, the others "
        "have the paper's values (eta_x, eta_y, alpha, gamma) = (0.01, 0.01, 0.5, 0.1), marked *. The ends of the "
        "ranges are those of section 6.3, the values between them are from App. J's grids. Median and 10-90 % of the "
        "runs. Panels follow the text: (b) is eta_y and (c) is eta_x; the paper's own captions exchange the two."
    ),
    summary=observation,
)
