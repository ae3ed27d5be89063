"""One figure per theorem: measured curves with bands, claimed slope, printed and repaired bound, local slopes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure

from figures._style import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, TEXT_WIDTH
from figures.figure import Figure
from figures.panels import band, local_slopes, reference_slope
from workbench import catalog
from workbench.experiments.ada_minimax.choices import DELTA, FREE, THEOREM_4_1, THEOREM_4_2, THEOREM_5_6
from workbench.experiments.build import bound_curves
from workbench.records import Result

METRIC = "grad_norm_mean"
COLOURS = (BLACK, GREEN, ORANGE, BLUE, PURPLE)
Lines = list[tuple[str, dict[str, float], float]]  # label, grid point, claimed exponent


def draw(
    results: Mapping[str, Result],
    theorem: object,
    forms: tuple[tuple[str, str], ...],
    lines: Lines,
    metric_label: str,
    extra: Callable[[Result], dict[str, float]],
) -> MplFigure:
    """Left: curves and bounds; right: local slope of each curve with the claimed exponents."""
    (key, result), *_ = results.items()
    figure, (left, right) = plt.subplots(1, 2, figsize=(TEXT_WIDTH, 3.1), width_ratios=(1.25, 1))
    for colour, (label, where, claimed) in zip(COLOURS, lines, strict=False):
        values = result.curve(METRIC, **where)
        band(left, result.marks, values, label=label, color=colour)
        t, slope = local_slopes(result.marks, values)
        right.semilogx(t, slope, color=colour, label=label)
        reference_slope(left, result.marks, values, claimed, "", color=colour)
    noisy = lines[-1][1]
    for (form, name), style in zip(forms, ("--", "-."), strict=False):
        sim = catalog.simulations()[key]
        bound = bound_curves(theorem, form, sim, result, **FREE, delta=DELTA, **extra(result))
        left.loglog(result.marks, bound[result.rows(**noisy)][0], RED, linestyle=style, label=name)
    for claimed in sorted({c for _, _, c in lines}):
        right.axhline(claimed, color=RED, linewidth=0.8, linestyle=":")
        right.annotate(f"{claimed:g}", (1.01, claimed), xycoords=("axes fraction", "data"), color=RED, va="center")
    left.set(xlabel="horizon $T$", ylabel=metric_label, title="running mean, 10-90 % of the runs")
    right.set(xlabel="horizon $T$", ylabel="local slope over $[T/2, 2T]$", ylim=(-1.05, 0.1), title="local slope")
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    return figure


def neumann_length(form: str, result: Result) -> dict[str, float]:
    """The Neumann length of the schedule at this horizon, which the repaired bound of Theorem 4.2 depends on."""
    return {"N": THEOREM_4_2.steps(form, T=result.horizon, mu_g=1.0, l_g1=2.0, **FREE)["N"]}


def nothing(result: Result) -> dict[str, float]:
    return {}


CAPTION = (
    "Runs: median and 10-90 % band; dotted: claimed slope; bounds (right side of the theorem, each T taken as horizon, "
    "delta = 0.1) for the largest noise level; eta = alpha = gamma = 1. The gap between bound and curve is the slack."
)


def _sigma_lines(name: str, sigmas: tuple[float, ...], **more: float) -> Lines:
    names = name.split()
    return [
        (rf"$\sigma = {s:g}$", {**{n: s for n in names}, **more}, -0.5 if s == 0 else -0.25) for s in sigmas
    ]


PRINTED_REPAIRED = (("printed", "bound as printed"), ("repaired", "bound repaired"))

FIGURES = (
    Figure(
        "ada_minimax/fig-thm-5.6",
        "Theorem 5.6: Ada-NSGDM on I1",
        "workbench",
        ("ada_minimax/sim-i1",),
        partial(
            draw,
            theorem=THEOREM_5_6,
            forms=PRINTED_REPAIRED,
            lines=_sigma_lines("sigma", (0.0, 0.01, 0.1, 1.0)),
            metric_label=r"mean of $\|\nabla f(x_t)\|$",
            extra=nothing,
        ),
        f"Ada-NSGDM on f = x^2/2 with plus-minus sigma noise. {CAPTION}",
    ),
    Figure(
        "ada_minimax/fig-thm-4.1",
        "Theorem 4.1: Ada-Minimax on I2",
        "workbench",
        ("ada_minimax/sim-i2",),
        partial(
            draw,
            theorem=THEOREM_4_1,
            forms=PRINTED_REPAIRED,
            lines=[
                *_sigma_lines("sigma_x sigma_y", (0.0, 0.01, 0.1), until=0.0),
                (r"$\sigma_x = 0, \sigma_y = 1$", {"sigma_x": 0.0, "sigma_y": 1.0}, -0.25),
                *_sigma_lines("sigma_x sigma_y", (1.0,), until=0.0),
            ],
            metric_label=r"mean of $\|\nabla\Phi(x_t)\|$",
            extra=nothing,
        ),
        f"Ada-Minimax on f = -x^2/4 + x y - y^2/2 with plus-minus sigma noise. {CAPTION}",
    ),
    Figure(
        "ada_minimax/fig-thm-4.2",
        "Theorem 4.2: Ada-BiO on B1",
        "workbench",
        ("ada_minimax/sim-b1",),
        partial(
            draw,
            theorem=THEOREM_4_2,
            forms=(("given noise", "bound as printed, true noise"), ("repaired", "bound repaired")),
            lines=_sigma_lines("sigma_f", (0.0, 0.1, 0.3, 1.0)),
            metric_label=r"mean of $|\Phi'(x_t)|$",
            extra=partial(neumann_length, "printed"),
        ),
        f"Ada-BiO on the scalar bilevel problem B1, Neumann length as printed. {CAPTION}",
    ),
)
