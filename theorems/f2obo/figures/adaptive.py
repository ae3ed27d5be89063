"""Theorem 4.1: regret and gradients of AF2OBO against the horizon, and the example of section 4.2."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure as MplFigure

from workbench.claims import Reading, by_law
from workbench.drawing import (
    BLUE,
    TEXT_WIDTH,
    Figure,
    Results,
    band,
    facts,
    finite_runs,
    legend_below,
    readings,
)

from ..experiments import claims_4_1 as claims
from ..theory.paper import PAPER
from .style import METHODS

LOOK: dict[str, Any] = {"marker": "o", "markersize": 3}
LOOSE, CONSTANT = claims.WRONG
REGRET = (  # reading, label, colour and dash
    (claims.OSCILLATION[0], r"D, $\tau = 1$", {"color": "C0", **LOOK}),
    (claims.OSCILLATION_HALF[0], r"D, $\tau = 1/2$", {"color": "C2", **LOOK}),
    (claims.STILL[0], r"C, $\tau = 1/2$", {"color": "C1", **LOOK}),
    (LOOSE, r"D, $\delta_z = T^{-1/2}$ (wrong)", {"color": "C3", "linestyle": "--", **LOOK}),
    (CONSTANT, "D, constant tolerances (wrong)", {"color": "C4", "linestyle": ":", **LOOK}),
)
# Gradient counts of the first three. The last reading is that of T log T, which exists at every tau; the printed power
# has a reading only where it says something (`claims.counted`), so that the picture takes it from the law itself.
COUNTS = tuple(
    (claims.count_readings(r.sim, (r.where["tau"],))[-1], label, look) for r, label, look in REGRET[:3]
)
EXAMPLE = (
    (claims.GUARANTEE[0], "guarantee of F2OBO", {"color": "black", "linestyle": ":"}),
    (claims.EXAMPLE[0], r"F2OBO, $\gamma = 1/(2L_F)$", {**METHODS["F2OBO"], **LOOK}),
    (
        claims.EXAMPLE_OWN_GAMMA[0],
        r"F2OBO, the theorem's $\gamma$",
        {"color": BLUE, "linestyle": "--", **LOOK},
    ),
    (claims.EXAMPLE_ADAPTIVE[0], "AF2OBO", {**METHODS["AF2OBO"], **LOOK}),
)
PANELS = (
    ("regret at $T$", "regret", REGRET),
    ("gradients", "gradients per round", COUNTS),
    ("example of section 4.2", "regret and guarantee", EXAMPLE),
)


def claimed(reading: Reading) -> float:
    """The theorem's exponent of the count, 1 + 2 tau."""
    return by_law(claims.THEOREM_4_1, claims.THEOREM_4_1.law("iterations"), {**reading.where, "h": 1.0}).value


def draw(results: Results) -> MplFigure:
    """Counts are per round; through the first point dotted the theorem's power and thin the order log T per round."""
    figure, axes = plt.subplots(1, 3, figsize=(TEXT_WIDTH, 3.6))
    for ax, (title, ylabel, lines) in zip(axes, PANELS, strict=True):
        for reading, label, look in lines:
            values, T = reading.curve(results)
            if lines is COUNTS:
                values = values / T
                first, power = np.median(values[:, 0]), claimed(reading) - 1
                ax.loglog(T, first * (T / T[0]) ** power, color=look["color"], linestyle=":", linewidth=0.9)
                reference = first * np.log(T) / np.log(T[0])
                ax.loglog(T, reference, color=look["color"], linestyle="-", linewidth=0.6)
            band(ax, T, values, label=label, **look)
        if lines is COUNTS:
            ax.plot(
                [], [], color="black", linestyle=":", linewidth=0.9, label=r"theorem: $T^{2\tau}$ per round"
            )
            ax.plot([], [], color="black", linewidth=0.6, label=r"attained: $\log T$ per round")
        ax.set(title=title, xlabel="horizon $T$", ylabel=ylabel)
        legend_below(ax, ncols=1)
    return figure


def at_end(results: Results, reading: Reading) -> str:
    """The median over the finite runs at the longest horizon."""
    end = facts.end(finite_runs(reading.curve(results)[0]))
    return facts.scientific(end) if np.isfinite(end) else "none"


def observation(results: Results) -> str:
    sentences = [facts.extent(results[REGRET[0][0].sim.key])]
    for reading, label, _ in REGRET:
        slope = readings.slope_text(results, reading)
        sentences.append(f"{readings.plain(label)}: regret slope {slope}, at T {at_end(results, reading)}.")
    for reading, label, _ in COUNTS:
        slope = readings.slope_text(results, reading)
        sentences.append(
            f"Gradients over log T, {readings.plain(label)}: slope {slope} (T log T would be 1, the theorem's "
            f"{claimed(reading):g})."
        )
    return " ".join(sentences)


def outcome(results: Results) -> str:
    return readings.outcomes(results, [reading for reading, *_ in (*REGRET, *COUNTS)])


FIGURE = Figure(
    key=PAPER.entry("fig-thm-4.1"),
    title="Theorem 4.1: AF2OBO",
    source="workbench; example L246-254",
    needs=tuple(dict.fromkeys(reading.sim.key for *_, lines in PANELS for reading, *_ in lines)),
    draw=draw,
    caption=(
        "Every horizon has its own runs and tolerances. Left: the regret stops growing (V_T = 0); with wrong "
        "tolerances it does not. Middle: gradients per round. The theorem's count, T^(1 + 2 tau), is a loose upper "
        "bound (dotted, through the first point); T log T is attained (thin). Right: on the example the guarantee of "
        "F2OBO grows linearly, as the paper says; its regret, like that of AF2OBO, does not. Median and 10-90 % of "
        "the runs. Slopes: over the later half of the horizons on the log axis."
    ),
    summary=observation,
    outcome=outcome,
)
