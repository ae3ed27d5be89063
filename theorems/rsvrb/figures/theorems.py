"""One figure per theorem of paper `rsvrb`: slopes beside those of wrong methods, the number of tasks, the stages."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from workbench.claims import Reading, Readings
from workbench.drawing import (
    Bounds,
    Drawn,
    Results,
    Slopes,
    band,
    draw_level,
    over_level,
    panel_row,
    readings,
)

from ..experiments import claims_many_tasks as many
from ..experiments import claims_one_task as one
from ..experiments import claims_stages, many_tasks, stages
from ..theory.paper import PAPER

MEAN = r"mean of $|\nabla F|^2$ over $(T/2, T]$"
DRAWN = "Mean and 10-90 % of the runs; dotted: claimed slope."
MIDDLE = {"middle": "mean"}
SHORT = {
    "constant-beta": r"constant $\beta$",
    "beta-eta": r"$\beta \sim \eta$",
    "misread-v": "line 5 misread",
    "fresh": "fresh samples",
    "uncorrected": "no correction",
}

# Theorem 1
(LEVEL_1,) = one.RATE.level(one.level, "level")
WRONG_1 = Readings(r for name in SHORT for r in one.WRONG[name]) + one.SLOW
NAMES_1 = [*SHORT.values(), r"$\eta_t \sim t^{-1/4}$"]

# Theorem 2
SIZES = many_tasks.SIZES
BY_SIZE: dict[int, Reading] = {m: many.mean(many.SIMS[f"tasks-{m}"])[0] for m in SIZES}
LEVELS_2 = {m: BY_SIZE[m].level(many.level_of(m), "level") for m in SIZES}
SHOWN = {
    "weights": "other weights",
    "unweighted": "no weights $1/p_i$",
    "tasks-slow": r"$\eta_t \sim t^{-1/4}$",
    "tasks-uncorrected": "no correction",
    "tasks-unshrunk": "others do not shrink",
    "tasks-slow-64": r"$\eta_t \sim t^{-1/6}$, $m = 64$",
    "tasks-beta-eta-64": r"$\beta \sim \eta$, $m = 64$",
}
WRONG_2 = Readings(r for name in SHOWN for r in many.WRONG[f"wrong-{name}"])
NAMES_2 = list(SHOWN.values())
MIX_NAMES = ["uniform $p$", "half and half", "$p_i \\sim 1/i$"]


def draw_sizes(ax: Axes, results: Results) -> None:
    for colour, (m, r) in zip(readings.COLOURS, BY_SIZE.items(), strict=False):
        values, marks = r.curve(results)
        late = marks >= m / 2  # before, not every task was sampled
        band(ax, marks[late] / m, values[:, late], label=f"$m = {m}$", middle="mean", color=colour)
    draw_level(ax, results, LEVELS_2[SIZES[1]], f"level, $m = {SIZES[1]}$", SIZES[1])
    ax.set(xlabel="$T/m$", ylabel=MEAN)


def seen_sizes(results: Results) -> str:
    slopes = readings.said_slopes(results, list(BY_SIZE.values()), [f"m = {m}" for m in SIZES])
    levels = ", ".join(f"{over_level(results, level)} for m = {m}" for m, level in LEVELS_2.items())
    return f"slopes {slopes}; mean at the end over the level {levels}"


# Theorem 3
(LEVEL_3,) = claims_stages.OF_LEVEL.level(claims_stages.level, "level", 0.2)
ALL_3 = claims_stages.GAP + Readings(r for some in claims_stages.WRONG.values() for r in some)
NAMES_3 = ["RE-RSVRB", "steps not reduced", "steps reduced by $2^{1/4}$"]


def draw_stages(ax: Axes, results: Results) -> None:
    for colour, r, name in zip(readings.COLOURS, ALL_3, NAMES_3, strict=False):
        values, samples = r.curve(results)
        k = np.log2(samples / stages.T_1)
        band(ax, 2.0**k, values * 2.0 ** (k - 1), label=name, middle="mean", color=colour)
    ax.set(xlabel="$2^k$, $k$ the stage", ylabel="$2^{k-1} (F - F_*)$")


FIGURES = (
    panel_row(
        PAPER.entry("fig-thm-1"),
        "Theorem 1: SVRB",
        "Left: one quadratic task, all five oracles noisy, with tuned factors of the steps, and the level that "
        "additive noise predicts. Middle: one line or one schedule of the method changed. Right: all parameters from "
        f"the theorem, little noise. {DRAWN}",
        Slopes("attained", one.RATE, ["SVRB"], MEAN, levels={"level": LEVEL_1}, look=MIDDLE),
        Slopes("wrong methods", WRONG_1, NAMES_1, MEAN, look=MIDDLE),
        Bounds("under the bound", [one.BOUND], {"SVRB": {}}, r"mean of $|\nabla F|^2$ over $t \leq T$"),
    ),
    panel_row(
        PAPER.entry("fig-thm-2"),
        "Theorem 2: RSVRB with m tasks",
        "Left: heterogeneous tasks, with an F that is not convex, over T/m, where eta_t = m^(-2/3) (10 m + t)^(-1/3) "
        "makes them alike: m/eps^3 iterations. Middle: eight tasks of sizes 1/i, three choices of p. Right: one line, "
        f"schedule or weight changed. {DRAWN}",
        Drawn("m tasks, over $T/m$", [r.sim.key for r in BY_SIZE.values()], draw_sizes, seen_sizes),
        Slopes("tasks of sizes $1/i$", many.UNEVEN, MIX_NAMES, MEAN, look=MIDDLE),
        Slopes("wrong methods", WRONG_2, NAMES_2, MEAN, look=MIDDLE),
    ),
    panel_row(
        PAPER.entry("fig-thm-3"),
        "Theorem 3: RE-RSVRB in stages",
        f"{stages.M} tasks, on a region on which F is gradient-dominant. Each stage doubles the iterations from "
        f"{stages.T_1}, reduces "
        f"the steps by the root of 2 and hands on the state at a random time. {DRAWN}",
        Slopes(
            "outputs of the stages",
            ALL_3,
            NAMES_3,
            "$F - F_*$",
            levels={"level": LEVEL_3},
            xlabel="twice the iterations of the stage",
            look=MIDDLE,
        ),
        Drawn("halved by each stage", [r.sim.key for r in ALL_3], draw_stages),
    ),
)
