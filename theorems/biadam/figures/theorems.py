"""One figure per theorem of paper `biadam`: where its rate is attained, what loses it, and the bound above its runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as MplFigure

from workbench.claims.readings import Reading, Readings
from workbench.report.drawing import facts, readings
from workbench.report.drawing._style import TEXT_WIDTH
from workbench.report.drawing.figure import Figure, Results
from workbench.report.drawing.panels import legend_below
from workbench.theory.record import Theorem

from ..experiments import claims, claims_wrong
from ..experiments.study import CASES
from ..theory.paper import PAPER

NAMES = {  # simulation -> what distinguishes it, for legends
    "trig": "TRIG",
    "noisy": "multiplicative noise",
    "bent": "BENT",
    "coupled": "COUPLED",
    "adaptive": "$A_t$, $b_t$ of (4), (5)",
    "boxed": "active box",
    "heavy": "constant momentum",
    "power": "$\\eta_t \\sim t^{-q}$",
    "short": "$K = 1$, $L_g = 3h$",
    "beta": "$\\beta_t \\sim \\eta_t$",
    "schedule": "BiAdam's schedule",
    "uncorrected": "no correction",
    "fresh": "fresh samples",
    "fresh-k": "fresh $k$",
}
METRICS = {
    "metric_mean": r"$\mathcal{G}_t$",
    "grad_norm_mean": r"$\|\nabla F(x_t)\|$",
    "error_w_mean": r"$\|w_t - \bar\nabla f\|$",
    "dist_y_mean": r"$\|y_t - y^*\|$",
}
POINTS = {name: {"theta": case["theta"]} for name, case in CASES.items()}


def label(r: Reading, slope: bool = False) -> str:
    """The simulation and the metric, for wrong methods with their own exponent."""
    name = NAMES[r.sim.key.split("/sim-")[1].removesuffix("-vr")]
    if "exponent" in r.where:
        q = r.where["exponent"]
        name = name.replace("q", f"{q:.2g}") if q else r"$\eta_t$ constant"
    text = f"{name}, {METRICS[str(r.metric)]}"
    return f"{text}: {r.claimed.value:.2g}" if slope else text


def draw(results: Results, attained: Readings, wrong: Readings, bounds: Sequence[Any]) -> MplFigure:
    figure, axes = plt.subplots(1, 3, figsize=(TEXT_WIDTH, 3.9))
    readings.panel(axes[0], results, attained, [label(r) for r in attained])
    axes[0].set(title=f"attained, $T^{{{attained[0].claimed.value:.2f}}}$", ylabel="mean over $(T/2, T]$")
    readings.panel(axes[1], results, wrong, [label(r, slope=True) for r in wrong])
    axes[1].set(title="wrong methods, their exponents")
    readings.bound_panel(axes[2], results, bounds, POINTS)
    axes[2].set(title="under the bounds", ylabel="mean over $(0, T]$")
    for ax in axes:
        legend_below(ax, ncols=1)
    return figure


def seen(results: Results, attained: Readings, wrong: Readings, bounds: Sequence[Any]) -> str:
    return " ".join(
        [
            facts.extent(results[attained[0].sim.key]),
            f"Slopes, with a verdict or drawn alone: {readings.said_slopes(results, attained, plain(attained))}.",
            f"Of wrong methods: {readings.said_slopes(results, wrong, plain(wrong), of='predicted')}.",
            *readings.said_slack(results, bounds, POINTS),
        ]
    )


SAID = {
    "metric_mean": "calG",
    "grad_norm_mean": "grad F",
    "error_w_mean": "error of w",
    "dist_y_mean": "|y - y*|",
}
IN_WORDS = {
    "adaptive": "A_t of (4) and b_t of (5)",
    "power": "eta_t ~ t^-q",
    "short": "K = 1 and L_g = 3 h",
    "beta": "beta_t ~ eta_t",
    "fresh-k": "fresh k",
}


def plain(shown: Readings) -> list[str]:
    """Labels for captions."""
    made = []
    for r in shown:
        short = r.sim.key.split("/sim-")[1].removesuffix("-vr")
        name = IN_WORDS.get(short, NAMES[short])
        if "exponent" in r.where:
            q = r.where["exponent"]
            name = name.replace("q", f"{q:.2g}") if q else "eta_t constant"
        made.append(f"{name} ({SAID[str(r.metric)]})")
    return made


def figure(theorem: Theorem, title: str, attained: Readings, wrong: Readings, caption: str) -> Figure:
    # b_1 = b_u in these runs: the restated form coincides with the printed one.
    bounds = [b for b in claims.BOUNDS[theorem.key] if "adaptive" not in b.sim.key and b.form != "restated"]
    sims = [r.sim for r in (*attained, *wrong)] + [b.sim for b in bounds]
    shown: dict[str, Any] = {"attained": attained, "wrong": wrong, "bounds": bounds}
    number = theorem.key.split("thm-")[1]
    return Figure(
        key=PAPER.entry(f"fig-thm-{number}"),
        title=f"Theorem {number}: {title}",
        source="workbench",
        needs=tuple(dict.fromkeys(sim.key for sim in sims)),
        draw=partial(draw, **shown),
        caption=f"{caption} Median and 10-90 % of the runs, dotted: claimed slopes. Left: the theorem's schedule with "
        "chosen constants; middle: nearby wrong methods on TRIG, with the exponents that theory gives for them; right: "
        "all parameters at the limits of the conditions, convex and nonconvex upper problem, each T taken as the "
        "horizon.",
        summary=partial(seen, **shown),
    )


def of(theorem: Theorem, shown: Readings) -> Readings:
    return Readings(r for r in shown if r.key == theorem.key)


def wrong_of(theorem: Theorem) -> Readings:
    return of(theorem, claims_wrong.OWN)


FIGURES = (
    figure(
        claims.THEOREM_1, "BiAdam, calG_t", of(claims.THEOREM_1, claims.FIRST + claims.FIRST_WIDE),
        wrong_of(claims.THEOREM_1), "The stationarity measure calG_t of BiAdam.",
    ),
    figure(
        claims.THEOREM_2, "VR-BiAdam, calG_t and the error of w",
        of(claims.THEOREM_2, claims.SECOND + claims.SECOND_WIDE),
        wrong_of(claims.THEOREM_2),
        "VR-BiAdam: calG_t, which comes from steeper slopes, and its largest part, the error of w.",
    ),
    figure(
        claims.THEOREM_3, "BiAdam, grad F", of(claims.THEOREM_3, claims.THIRD + claims.THIRD_WIDE),
        wrong_of(claims.THEOREM_3), "The gradient norm of BiAdam, X = R^d.",
    ),
    figure(
        claims.THEOREM_4, "VR-BiAdam, grad F", of(claims.THEOREM_4, claims.FOURTH + claims.FOURTH_WIDE),
        wrong_of(claims.THEOREM_4), "The gradient norm of VR-BiAdam, X = R^d.",
    ),
)  # fmt: skip
