"""One figure per theorem: measured curves with bands, claimed slope, printed and repaired bound, local slopes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from figures._style import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, TEXT_WIDTH
from figures.figure import Figure
from figures.panels import band, local_slopes, reference_slope
from workbench import catalog
from workbench.experiments.ada_minimax.choices import DELTA, FREE, THEOREM_4_1, THEOREM_4_2, THEOREM_5_6
from workbench.experiments.build import bound_curves
from workbench.records import Result

METRIC = "grad_norm_mean"
BOUND_STYLES = ("--", ":")
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
    """Top: curves with the claimed slopes, local slopes. Bottom: curves below the bound, and the slack between."""
    (key, result), *others = results.items()
    sim = catalog.simulations()[key]
    figure, ((curves, slopes), (below, slack)) = plt.subplots(2, 2, figsize=(TEXT_WIDTH, 5.2), sharex=True)
    for colour, (label, where, claimed) in zip(COLOURS, lines, strict=False):
        values = result.curve(METRIC, **where)
        band(curves, result.marks, values, label=label, color=colour)
        band(below, result.marks, values, color=colour)
        reference_slope(curves, result.marks, values, claimed, "", color=colour)
        t, slope = local_slopes(result.marks, values)
        slopes.semilogx(t, slope, color=colour)
        for (form, _), style in zip(forms, BOUND_STYLES, strict=False):
            bounds = bound_curves(theorem, form, sim, result, **FREE, delta=DELTA, **extra(result))
            bound = np.median(bounds[result.rows(**where)], axis=0)
            if np.isfinite(bound).all():
                thin = {"color": colour, "linestyle": style, "linewidth": 1}
                below.loglog(result.marks, bound, **thin)
                slack.loglog(result.marks, bound / np.median(values, axis=0), **thin)
    for _, yardstick in others:
        known_noise(curves, yardstick)
    for (_, name), style in zip(forms, BOUND_STYLES, strict=False):
        below.plot([], [], color=BLACK, linestyle=style, linewidth=1, label=name)
    for claimed in sorted({c for _, _, c in lines}):
        slopes.axhline(claimed, color=RED, linewidth=0.8, linestyle=":")
        slopes.annotate(
            f"{claimed:g}", (1.01, claimed), xycoords=("axes fraction", "data"), color=RED, va="center"
        )
    curves.set(ylabel=metric_label, title="running mean (dotted: claimed slope)")
    slopes.set(ylabel="local slope over $[T/2, 2T]$", ylim=(-0.75, 0.05), title="local slope")
    below.set(xlabel="horizon $T$", ylabel=metric_label, title="running mean and bound")
    slack.set(xlabel="horizon $T$", ylabel="bound / measured", title="slack of the bound")
    handles = [pair for ax in (curves, below) for pair in zip(*ax.get_legend_handles_labels(), strict=True)]
    figure.legend(*zip(*handles, strict=True), loc="outside lower center", ncols=4, frameon=False)
    return figure


def known_noise(ax: Axes, result: Result) -> None:
    """Markers: NSGDM tuned with the true noise level for each horizon (the yardstick of L120)."""
    for sigma, marker in ((0.1, "x"), (1.0, "+")):
        horizons = sorted({float(t) for t in result.params["until"] if t <= result.horizon})
        values = [
            np.median(result.curve(METRIC, sigma=sigma, until=t)[:, result.at(int(t))]) for t in horizons
        ]
        label = rf"NSGDM, $\sigma = {sigma:g}$ known"
        ax.loglog(horizons, values, linestyle="none", marker=marker, color=PURPLE, label=label)


def neumann_length(form: str, result: Result) -> dict[str, float]:
    """The Neumann length of the schedule at this horizon, which the repaired bound of Theorem 4.2 depends on."""
    return {"N": THEOREM_4_2.steps(form, T=result.horizon, mu_g=1.0, l_g1=2.0, **FREE)["N"]}


def nothing(result: Result) -> dict[str, float]:
    return {}


CAPTION = (
    "Median and 10-90 % band over the runs; bounds: right side of the theorem with delta = 0.1, each T taken as the "
    "horizon; eta = alpha = gamma = 1."
)


def _sigma_lines(name: str, sigmas: tuple[float, ...], **more: float) -> Lines:
    names = name.split()
    return [
        (rf"$\sigma = {s:g}$", {**dict.fromkeys(names, s), **more}, -0.5 if s == 0 else -0.25) for s in sigmas
    ]


PRINTED_REPAIRED = (("printed", "bound as printed"), ("repaired", "bound repaired"))

FIGURES = (
    Figure(
        "ada_minimax/fig-thm-5.6",
        "Theorem 5.6: Ada-NSGDM on I1",
        "workbench",
        ("ada_minimax/sim-i1", "ada_minimax/sim-i1-known-noise"),
        partial(
            draw,
            theorem=THEOREM_5_6,
            forms=PRINTED_REPAIRED,
            lines=_sigma_lines("sigma", (0.0, 0.01, 0.1, 1.0)),
            metric_label=r"mean of $\|\nabla f(x_t)\|$",
            extra=nothing,
        ),
        f"Ada-NSGDM on f = x^2/2 with plus-minus sigma noise; markers: NSGDM tuned with the true sigma. {CAPTION}",
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
