"""One figure per theorem of paper `rsvrb`: slopes beside those of wrong methods, the number of tasks, the stages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure

from workbench.claims.readings import Level, Reading, Readings
from workbench.claims.records import Simulation
from workbench.report.drawing import facts, readings
from workbench.report.drawing._style import TEXT_WIDTH
from workbench.report.drawing.figure import Figure, Results
from workbench.report.drawing.panels import band, legend_below

from ..experiments import claims_many_tasks as many
from ..experiments import claims_one_task as one
from ..experiments import claims_stages, many_tasks, stages
from ..theory.paper import PAPER

MEAN = r"mean of $|\nabla F|^2$ over $(T/2, T]$"
SHORT = {
    "constant-beta": r"constant $\beta$",
    "beta-eta": r"$\beta \sim \eta$",
    "misread-v": "line 5 misread",
    "fresh": "fresh samples",
    "uncorrected": "no correction",
}


def together(sims: Sequence[Simulation], results: Results) -> str:
    return facts.drawn_together({s.key: results[s.key] for s in sims})


def level_line(ax: Axes, results: Results, level: Level, label: str, scale: float = 1.0) -> None:
    """The predicted level, in the view of its reading; x is divided by ``scale``."""
    _, marks = level.reading.curve(results)
    ax.loglog(marks / scale, level_at(results, level, marks), color="black", linewidth=0.8, label=label)


def level_at(results: Results, level: Level, marks: np.ndarray) -> np.ndarray:
    predicted = level.reading.view.predict(level.predictor(results), marks)
    return np.broadcast_to(np.atleast_2d(predicted)[0], marks.shape)


def ratio(results: Results, level: Level) -> str:
    """Mean at the last mark over the predicted level."""
    values, marks = level.reading.curve(results)
    kept = values[np.isfinite(values).all(axis=1)]
    if not len(kept):
        return "none"
    return f"{float(kept[:, -1].mean() / level_at(results, level, marks)[-1]):.2f}"


# ------------------------------------------------------------------------------------------------ Theorem 1

(LEVEL_1,) = one.RATE.level(one.level, "level")
WRONG_1 = Readings(r for name in SHORT for r in one.WRONG[name]) + one.SLOW
NAMES_1 = [*SHORT.values(), r"$\eta_t \sim t^{-1/4}$"]
SIMS_1 = (*(r.sim for r in one.RATE + WRONG_1), one.BOUND.sim)


def draw_1(results: Results) -> MplFigure:
    figure, axes = plt.subplots(1, 3, figsize=(TEXT_WIDTH, 3.6))
    readings.panel(axes[0], results, one.RATE, ["SVRB"], middle="mean")
    level_line(axes[0], results, LEVEL_1, "level")
    readings.panel(axes[1], results, WRONG_1, NAMES_1, middle="mean")
    readings.bound_panel(axes[2], results, [one.BOUND], {"SVRB": {}})
    axes[0].set(title="attained", ylabel=MEAN)
    axes[1].set(title="wrong methods", ylabel=MEAN)
    axes[2].set(title="under the bound", ylabel=r"mean of $|\nabla F|^2$ over $t \leq T$")
    for ax in axes:
        legend_below(ax, ncols=1)
    return figure


def seen_1(results: Results) -> str:
    slopes = readings.said_slopes(results, one.RATE + WRONG_1, ["SVRB", *NAMES_1])
    slack = readings.said_slack(results, [one.BOUND], {"SVRB": {}})
    at = f"Mean over level at T: {ratio(results, LEVEL_1)}."
    return " ".join([together(SIMS_1, results), f"Slopes: {slopes}.", at, *slack])


# ------------------------------------------------------------------------------------------------ Theorem 2

SIZES = many_tasks.SIZES
SAME = {m: many.SIMS[f"tasks-{m}"] for m in SIZES}
BY_SIZE: dict[int, Reading] = {m: many.mean(SAME[m])[0] for m in SIZES}
LEVELS_2 = {m: BY_SIZE[m].level(many.level_of(m), "level") for m in SIZES}
WRONG_2 = Readings(r for found in many.WRONG.values() for r in found)
NAMES_2 = ["wrong weights", "no correction", r"$\beta \sim \eta$"]
MIX_NAMES = ["uniform $p$", "half and half", "$p_i \\sim 1/i$"]
SIMS_2 = (*SAME.values(), many.UNEVEN[0].sim, *(r.sim for r in WRONG_2))
COLOURS = readings.COLOURS


def draw_2(results: Results) -> MplFigure:
    figure, axes = plt.subplots(1, 3, figsize=(TEXT_WIDTH, 3.6))
    for colour, (m, r) in zip(COLOURS, BY_SIZE.items(), strict=False):
        values, marks = r.curve(results)
        kept = marks >= m / 2  # before, not every task was sampled
        band(axes[0], marks[kept] / m, values[:, kept], label=f"$m = {m}$", middle="mean", color=colour)
    level_line(axes[0], results, LEVELS_2[SIZES[1]], f"level, $m = {SIZES[1]}$", SIZES[1])
    axes[0].set(title="m tasks, over $T/m$", xlabel="$T/m$", ylabel=MEAN)
    readings.panel(axes[1], results, many.UNEVEN, MIX_NAMES, middle="mean")
    axes[1].set(title="tasks of sizes $1/i$", ylabel=MEAN)
    readings.panel(axes[2], results, WRONG_2, NAMES_2, middle="mean")
    axes[2].set(title="wrong methods", ylabel=MEAN)
    for ax in axes:
        legend_below(ax, ncols=1)
    return figure


def seen_2(results: Results) -> str:
    slopes = readings.said_slopes(results, list(BY_SIZE.values()), [f"m = {m}" for m in SIZES])
    wrong = readings.said_slopes(results, WRONG_2, NAMES_2)
    levels = ", ".join(f"{ratio(results, level)} for m = {m}" for m, level in LEVELS_2.items())
    return f"{together(SIMS_2, results)} Slopes: {slopes}; of wrong methods: {wrong}. Mean over level at T: {levels}."


# ------------------------------------------------------------------------------------------------ Theorem 3

(LEVEL_3,) = claims_stages.GAP.level(claims_stages.level, "level")
WRONG_3 = Readings(r for found in claims_stages.WRONG.values() for r in found)
ALL_3 = claims_stages.GAP + WRONG_3
NAMES_3 = ["RE-RSVRB", "steps not reduced", "steps reduced by $2^{1/4}$"]
SIMS_3 = tuple(r.sim for r in ALL_3)


def draw_3(results: Results) -> MplFigure:
    figure, axes = plt.subplots(1, 2, figsize=(TEXT_WIDTH, 3.6))
    readings.panel(axes[0], results, ALL_3, NAMES_3, middle="mean")
    level_line(axes[0], results, LEVEL_3, "level")
    axes[0].set(title="outputs of the stages", xlabel="samples", ylabel="$F - F_*$")
    for colour, r, name in zip(COLOURS, ALL_3, NAMES_3, strict=False):
        values, samples = r.curve(results)
        k = np.log2(samples / stages.T_1 + 1.0)
        band(axes[1], 2.0**k, values * 2.0 ** (k - 1), label=name, middle="mean", color=colour)
    axes[1].set(title="halved by each stage", xlabel="$2^k$, $k$ the stage", ylabel="$2^{k-1} (F - F_*)$")
    for ax in axes:
        legend_below(ax, ncols=1)
    return figure


def seen_3(results: Results) -> str:
    slopes = readings.said_slopes(results, ALL_3, NAMES_3)
    at = f"Mean over level after the last stage: {ratio(results, LEVEL_3)}."
    return f"{together(SIMS_3, results)} Slopes of F - F_* in the samples: {slopes}. {at}"


def figure(
    key: str,
    title: str,
    caption: str,
    sims: Sequence[Simulation],
    draw: Callable[[Results], MplFigure],
    seen: Callable[[Results], str],
) -> Figure:
    return Figure(
        key=PAPER.entry(f"{key}"),
        title=title,
        source="workbench",
        needs=tuple(dict.fromkeys(s.key for s in sims)),
        draw=draw,
        caption=f"{caption} Mean and 10-90 % of the runs; dotted: claimed slope.",
        summary=seen,
    )


FIGURES = (
    figure(
        "fig-thm-1",
        "Theorem 1: SVRB",
        "Left: one quadratic task, all five oracles noisy, with tuned factors of the steps, and the level that "
        "additive noise predicts. Middle: one line or one schedule of the method changed. Right: all parameters from "
        "the theorem, little noise.",
        SIMS_1,
        draw_1,
        seen_1,
    ),
    figure(
        "fig-thm-2",
        "Theorem 2: RSVRB with m tasks",
        "Left: heterogeneous quadratic tasks over T/m, where eta_t = m^(-2/3) (10 m + t)^(-1/3) makes them alike: "
        "m/eps^3 iterations. Middle: eight tasks of sizes 1/i, three choices of p. Right: one line, schedule or "
        "weight changed.",
        SIMS_2,
        draw_2,
        seen_2,
    ),
    figure(
        "fig-thm-3",
        "Theorem 3: RE-RSVRB in stages",
        f"Eight tasks, gradient dominance with equality. Each stage doubles the iterations from {stages.T_1}, reduces "
        "the steps by the root of 2 and hands on the state at a random time.",
        SIMS_3,
        draw_3,
        seen_3,
    ),
)
