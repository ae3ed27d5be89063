"""One figure per theorem: measured curves with bands, claimed slope, printed and repaired bound, local slopes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from figures import facts
from figures._style import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, TEXT_WIDTH
from figures.figure import Figure
from figures.panels import band, finite_runs, local_slopes, reference_slope
from workbench.engine.records import Result
from workbench.experiments.ada_minimax.choices import (
    DELTA,
    FREE,
    METRIC,
    NOISY,
    QUIET,
    THEOREM_4_1,
    THEOREM_4_2,
    THEOREM_5_6,
)
from workbench.experiments.ada_minimax.claims_4_2 import neumann_length
from workbench.experiments.build import bound_curves

# The two forms may lie on top of each other: the printed one is broad and pale, the repaired one thin and dashed.
BOUND_STYLES: tuple[dict[str, Any], ...] = (
    {"linestyle": "-", "linewidth": 2.5, "alpha": 0.3},
    {"linestyle": "--", "linewidth": 1.0},
)
COLOURS = (BLACK, GREEN, ORANGE, BLUE, PURPLE)
Lines = list[tuple[str, dict[str, float], float]]  # label, grid point, claimed exponent


Forms = tuple[tuple[str, str], ...]  # name in the theorem, name in the legend
Free = Callable[[Result], Mapping[str, float]]  # what the bound needs beside the instance's constants


def bound_of(
    results: Mapping[str, Result], theorem: Any, form: str, where: Mapping[str, float], free: Free
) -> np.ndarray:
    """(M,): the bound at a grid point, median over its starts; infinite where the form says nothing."""
    result = next(iter(results.values()))
    curves = bound_curves(theorem, form, result, **free(result))
    return np.median(curves[result.rows(**where)], axis=0)


def draw(
    results: Mapping[str, Result], theorem: Any, forms: Forms, lines: Lines, metric_label: str, free: Free
) -> MplFigure:
    """Top: curves with the claimed slopes, local slopes. Bottom: curves below the bound, and the slack between."""
    result, *others = results.values()
    figure, ((curves, slopes), (below, slack)) = plt.subplots(2, 2, figsize=(TEXT_WIDTH, 5.2), sharex=True)
    for colour, (label, where, claimed) in zip(COLOURS, lines, strict=False):
        values = result.curve(METRIC, **where)
        band(curves, result.marks, values, label=label, color=colour)
        band(below, result.marks, values, color=colour)
        reference_slope(curves, result.marks, values, claimed, "", color=colour)
        t, slope = local_slopes(result.marks, values)
        slopes.semilogx(t, slope, color=colour)
        kept = finite_runs(values)
        for (form, _), look in zip(forms, BOUND_STYLES, strict=True):
            bound = bound_of(results, theorem, form, where, free)
            if np.isfinite(bound).all() and len(kept):
                below.loglog(result.marks, bound, color=colour, **look)
                slack.loglog(result.marks, bound / np.median(kept, axis=0), color=colour, **look)
    for yardstick in others:
        known_noise(curves, yardstick, {label: c for c, (label, *_) in zip(COLOURS, lines, strict=False)})
    for (_, name), look in zip(forms, BOUND_STYLES, strict=True):
        below.plot([], [], color=BLACK, label=name, **look)
    for claimed in sorted({c for _, _, c in lines}):
        slopes.axhline(claimed, color=RED, linewidth=0.8, linestyle=":")
        slopes.annotate(
            f"${claimed:g}$", (1.01, claimed), xycoords=("axes fraction", "data"), color=RED, va="center"
        )
    curves.set(ylabel=metric_label, title="running mean (dotted: claimed slope)")
    slopes.set(ylabel="local slope over $[T/2, 2T]$", ylim=(-0.75, 0.05), title="local slope")
    below.set(xlabel="horizon $T$", ylabel=metric_label, title="running mean and bound")
    slack.set(xlabel="horizon $T$", ylabel="bound / measured", title="slack of the bound")
    handles = [pair for ax in (curves, below) for pair in zip(*ax.get_legend_handles_labels(), strict=True)]
    figure.legend(*zip(*handles, strict=True), loc="outside lower center", ncols=4, frameon=False)
    return figure


def known_noise(ax: Axes, result: Result, colours: Mapping[str, str]) -> None:
    """Markers: NSGDM tuned with the true noise level for each horizon (the yardstick of L120)."""
    for sigma, marker in ((0.1, "x"), (1.0, "+")):
        horizons = sorted({float(t) for t in result.params["until"] if t <= result.horizon})
        values = [
            np.median(result.curve(METRIC, sigma=sigma, until=t)[:, result.at(int(t))]) for t in horizons
        ]
        name = noise_label(sigma)
        ax.loglog(horizons, values, marker, color=colours[name], label=f"NSGDM, {name} known")


def free(result: Result) -> dict[str, float]:
    return {**FREE, "delta": DELTA}


def free_4_2(result: Result) -> dict[str, float]:
    return {**free(result), "N": neumann_length("printed", result)}


def seen(results: Mapping[str, Result], theorem: Any, forms: Forms, lines: Lines, free: Free) -> str:
    """Runs and horizon, last local slope of every curve, and between which factors each bound lies above the curves."""
    result = next(iter(results.values()))
    slopes, ends = [], []
    for label, where, _ in lines:
        values = finite_runs(result.curve(METRIC, **where))
        ends.append(facts.end(values))
        last = f"{local_slopes(result.marks, values)[1][-1]:.2f}" if len(values) else "none"
        slopes.append(f"{last} at {label.replace('$', '').replace(chr(92), '')}")
    said = [f"{facts.drawn(result)} Local slope at its last mark: {'; '.join(slopes)}."]
    for form, name in forms:
        bounds = [bound_of(results, theorem, form, where, free)[-1] for _, where, _ in lines]
        slack = [b / m for b, m in zip(bounds, ends, strict=True) if np.isfinite(b / m)]
        if slack:
            low, high = facts.scientific(min(slack)), facts.scientific(max(slack))
            said.append(f"At T, {name}: {low} to {high} times the median.")
    return " ".join(said)


CAPTION = (
    "Median and 10-90 % band over the runs; bounds: right side of the theorem with delta = "
    f"{DELTA:g}, each T taken as the horizon; eta = alpha = gamma = 1."
)


def noise_label(sigma: float) -> str:
    return rf"$\sigma = {sigma:g}$"


def _sigma_lines(name: str, sigmas: tuple[float, ...], **more: float) -> Lines:
    names = name.split()
    return [(noise_label(s), {**dict.fromkeys(names, s), **more}, QUIET if s == 0 else NOISY) for s in sigmas]


def _figure(
    key: str,
    title: str,
    needs: tuple[str, ...],
    metric_label: str,
    caption: str,
    **shown: Any,
) -> Figure:
    """shown: theorem, forms, lines and free, as `draw` and `seen` take them."""
    return Figure(
        key=f"ada_minimax/{key}",
        title=title,
        source="workbench",
        needs=needs,
        draw=partial(draw, metric_label=metric_label, **shown),
        caption=f"{caption} {CAPTION}",
        seen=partial(seen, **shown),
    )


PRINTED_REPAIRED = (("printed", "bound as printed"), ("repaired", "bound repaired"))

FIGURES = (
    _figure(
        "fig-thm-5.6",
        "Theorem 5.6: Ada-NSGDM on I1",
        ("ada_minimax/sim-i1", "ada_minimax/sim-i1-known-noise"),
        r"mean of $\|\nabla f(x_t)\|$",
        "Ada-NSGDM on f = x^2/2 with plus-minus sigma noise; markers: NSGDM tuned with the true sigma for each T, "
        f"{facts.competitors('nsgdm')} {facts.LABELS}.",
        theorem=THEOREM_5_6,
        forms=PRINTED_REPAIRED,
        lines=_sigma_lines("sigma", (0.0, 0.01, 0.1, 1.0)),
        free=free,
    ),
    _figure(
        "fig-thm-4.1",
        "Theorem 4.1: Ada-Minimax on I2",
        ("ada_minimax/sim-i2",),
        r"mean of $\|\nabla\Phi(x_t)\|$",
        "Ada-Minimax on f = -x^2/4 + x y - y^2/2 with plus-minus sigma noise.",
        theorem=THEOREM_4_1,
        forms=PRINTED_REPAIRED,
        lines=[
            *_sigma_lines("sigma_x sigma_y", (0.0, 0.01, 0.1), until=0.0),
            (r"$\sigma_x = 0, \sigma_y = 1$", {"sigma_x": 0.0, "sigma_y": 1.0}, NOISY),
            *_sigma_lines("sigma_x sigma_y", (1.0,), until=0.0),
        ],
        free=free,
    ),
    _figure(
        "fig-thm-4.2",
        "Theorem 4.2: Ada-BiO on B1",
        ("ada_minimax/sim-b1",),
        r"mean of $|\Phi'(x_t)|$",
        "Ada-BiO on the scalar bilevel problem B1, Neumann length as printed.",
        theorem=THEOREM_4_2,
        forms=(("given noise", "bound as printed, true noise"), ("repaired", "bound repaired")),
        lines=_sigma_lines("sigma_f", (0.0, 0.1, 0.3, 1.0)),
        free=free_4_2,
    ),
)
