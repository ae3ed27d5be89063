"""One figure per theorem of paper `f2obo`: every term of the bound by itself, and the bound above its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
from matplotlib.figure import Figure as MplFigure

from figures import facts, readings
from figures._style import TEXT_WIDTH
from figures.figure import Figure, Results
from figures.panels import legend_below
from workbench.experiments.claims import Bound
from workbench.experiments.f2obo import claims_3_1, claims_3_2, claims_5_1, sine_runs, stochastic_runs
from workbench.experiments.readings import Readings


@dataclass(frozen=True)
class Panel:
    title: str
    readings: Readings
    labels: Sequence[str]


@dataclass(frozen=True)
class TheoremFigure:
    """panels: terms of the bound. bounds: its forms, on compliant runs; points: where these are drawn."""

    panels: Sequence[Panel]
    bounds: Sequence[Bound]
    points: readings.Points

    def draw(self, results: Results) -> MplFigure:
        figure, axes = plt.subplots(1, len(self.panels) + 1, figsize=(TEXT_WIDTH, 3.6))
        for ax, shown in zip(axes, self.panels, strict=False):
            readings.panel(ax, results, shown.readings, shown.labels)
            ax.set(title=shown.title, ylabel="$R(T) - R(T/2)$")
        readings.bound_panel(axes[-1], results, self.bounds, self.points)
        axes[-1].set(title="under the bounds", ylabel="regret and bound")
        for ax in axes:
            legend_below(ax, ncols=1)
        return figure

    def seen(self, results: Results) -> str:
        slopes = "; ".join(readings.said_slopes(results, p.readings, p.labels) for p in self.panels)
        first = results[self.panels[0].readings[0].sim.key]
        slack = readings.said_slack(results, self.bounds, self.points)
        return " ".join([facts.drawn(first), f"Slopes of the increments: {slopes}.", *slack])

    @property
    def needs(self) -> tuple[str, ...]:
        keys = [r.sim.key for p in self.panels for r in p.readings] + [b.sim.key for b in self.bounds]
        return tuple(dict.fromkeys(keys))


def tau(value: float) -> str:
    return rf"$\tau = {value:.3g}$"


def figure(key: str, title: str, caption: str, shown: TheoremFigure) -> Figure:
    return Figure(
        key=f"f2obo/{key}",
        title=title,
        source="workbench",
        needs=shown.needs,
        draw=shown.draw,
        caption=f"{caption} Median and 10-90 % of the runs, dotted: claimed slopes. Increments R(T) - R(T/2), from "
        "which additive transients drop out. Bounds: each T taken as the horizon, with the drift measured up to it.",
        seen=shown.seen,
    )


def at_taus(title: str, shown: Readings) -> Panel:
    return Panel(title, shown, [tau(r.where["tau"]) for r in shown])


def cases(value: float) -> Mapping[str, Mapping[str, float]]:
    """The grid points of the compliant runs at one tau, by the name of the instance."""
    return {f"{name}, {tau(value)}": {**case, "tau": value} for name, case in sine_runs.BOUND_CASES.items()}


FEWER = tuple(t for t in sine_runs.TAUS if t != 0.4)  # curves that can be told apart
DRIFTS = claims_3_1.RIPPLE + claims_3_1.JUMPS.where(a=0.5) + claims_3_1.CRITICAL.where(b=(0.3, 0.9))
DRIFT_LABELS = [
    *(rf"B, $V_T \sim T^{{{r.where['a']:g}}}$" for r in claims_3_1.RIPPLE),
    r"E, $V_T \sim T^{0.5}$",
    *(rf"C, $H_{{2,T}} \sim T^{{{b:g}}}$" for b in (0.3, 0.9)),
]
SL_DRIFTS = claims_3_2.LAG + claims_3_2.JUMPS
NOISE = claims_5_1.UPPER + claims_5_1.ADDITIVE + claims_5_1.INNER + claims_5_1.AT_COROLLARY

FIGURES = (
    figure(
        "fig-thm-3.1",
        "Theorem 3.1: F2OBO, K of order log t",
        "Left: bias of the penalty on A. Middle: values that move (B, E) and inner solutions that move (C, with K_t as "
        "small as the algebra allows).",
        TheoremFigure(
            (
                at_taus("A: bias", claims_3_1.BIAS.where(tau=FEWER)),
                Panel("B, E, C: drift", DRIFTS, DRIFT_LABELS),
            ),
            claims_3_1.BOUNDS,
            cases(0.5),
        ),
    ),
    figure(
        "fig-thm-3.2",
        "Theorem 3.2: F2OBO with a single loop",
        "Left: bias on A. Middle: inner drift on C (claimed 2 tau + b) and jumps on E (claimed: tau + a, or the bias "
        "where that is larger).",
        TheoremFigure(
            (
                at_taus("A: bias", claims_3_2.BIAS + claims_3_2.STEEP_BIAS),
                Panel(
                    "C, E: drift",
                    SL_DRIFTS,
                    [f"{'C' if 'b' in r.where else 'E'}, {readings.point_label(r.where)}" for r in SL_DRIFTS],
                ),
            ),
            claims_3_2.BOUNDS,
            cases(0.4),
        ),
    ),
    figure(
        "fig-thm-5.1",
        "Theorem 5.1: SF2OBO",
        "Left: no noise, bias on A. Middle: each noise term with the batches that let it dominate; additive noise "
        "cancels in line 10, which costs the upper term its factor lambda_t^2.",
        TheoremFigure(
            (
                at_taus("A: bias", claims_5_1.BIAS),
                Panel("noise", NOISE, ["upper step", "upper step, additive", "inner steps", "Corollary 5.2"]),
            ),
            claims_5_1.BOUNDS,
            {rf"$\sigma = {s:g}$": {"sigma": s, "omega": stochastic_runs.FAR} for s in (0.0, 1.0)},
        ),
    ),
)
