"""One figure per theorem of paper `ada_minimax`: the curves that are claimed, their local slopes, bounds and slack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.lines import Line2D

from figures import facts, readings
from figures._style import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, TEXT_WIDTH
from figures.figure import Figure, Results
from figures.panels import band, finite_runs, local_slopes
from workbench.experiments.ada_minimax import claims_4_1, claims_4_2, claims_5_6
from workbench.experiments.ada_minimax.single_level import KNOWN_SIGMAS
from workbench.experiments.ada_minimax.study import DELTA, STUDY
from workbench.experiments.claims import Bound
from workbench.experiments.readings import Readings
from workbench.experiments.records import Simulation
from workbench.experiments.views import as_recorded, at_horizons

COLOURS = (BLACK, GREEN, ORANGE, BLUE, PURPLE)


def label_of(where: Mapping[str, float]) -> str:
    """ "sigma = 0.1" where all noise levels are equal, else each."""
    levels = {v for name, v in where.items() if name.startswith("sigma")}
    return rf"$\sigma = {levels.pop():g}$" if len(levels) == 1 else readings.point_label(where)


@dataclass(frozen=True)
class TheoremFigure:
    """shown: running means, at grid points of one simulation. bounds: forms of the bound on them. metric: its symbol.

    yardstick: a method that is told the noise level, with rows for each horizon.
    """

    shown: Readings
    bounds: Sequence[Bound]
    metric: str
    yardstick: Simulation | None = None

    @property
    def labels(self) -> list[str]:
        return [label_of(r.where) for r in self.shown]

    @property
    def needs(self) -> tuple[str, ...]:
        more = () if self.yardstick is None else (self.yardstick.key,)
        return tuple(dict.fromkeys([*(c.sim.key for c in (*self.shown, *self.bounds)), *more]))

    def draw(self, results: Results) -> MplFigure:
        """Top: curves with the claimed slopes, local slopes. Bottom: curves below the bound, and the slack between."""
        figure, ((curves, slopes), (below, slack)) = plt.subplots(
            2, 2, figsize=(TEXT_WIDTH, 5.2), sharex=True
        )
        readings.panel(curves, results, self.shown, self.labels, COLOURS)
        self._yardstick(curves, results)
        for colour, r in zip(COLOURS, self.shown, strict=False):
            values, marks = r.curve(results)
            slopes.semilogx(*local_slopes(marks, values), color=colour)
            band(below, marks, values, color=colour)
        for claimed in sorted({r.claimed.value for r in self.shown}):
            slopes.axhline(claimed, color=RED, linewidth=0.8, linestyle=":")
            place = {"xycoords": ("axes fraction", "data"), "color": RED, "va": "center"}
            slopes.annotate(f"${claimed:g}$", (1.01, claimed), **place)
        forms = list(self._forms(results, below, slack))
        curves.set(xlabel="", ylabel=f"mean of {self.metric}", title="running mean (dotted: claimed slope)")
        slopes.set(ylabel="local slope over $[T/2, 2T]$", ylim=(-0.75, 0.05), title="local slope")
        below.set(xlabel="horizon $T$", ylabel=f"mean of {self.metric}", title="running mean and bound")
        slack.set(xlabel="horizon $T$", ylabel="bound / measured", title="slack of the bound")
        handles = [*curves.get_legend_handles_labels()[0], *forms]
        figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False)
        return figure

    def _forms(self, results: Results, below: Axes, slack: Axes) -> Iterator[Line2D]:
        """Each form of the bound at each point, and how far it lies above; yields its entry in the legend."""
        for n, bound in enumerate(self.bounds):
            look = readings.OTHER_BOUND if n else readings.FIRST_BOUND
            for colour, r in zip(COLOURS, self.shown, strict=False):
                marks, measured, right = readings.under(results, bound, r.where)
                if np.isfinite(right).all() and len(kept := finite_runs(measured)):
                    below.loglog(marks, right, color=colour, **look)
                    slack.loglog(marks, right / np.median(kept, axis=0), color=colour, **look)
            yield Line2D([], [], color=BLACK, label=f"bound, {bound.form}", **look)

    def _yardstick(self, ax: Axes, results: Results) -> None:
        """Markers: the median at the end of each horizon, for which the method was tuned."""
        if self.yardstick is None:
            return
        result, colours = results[self.yardstick.key], dict(zip(self.labels, COLOURS, strict=False))
        for sigma, marker in zip(KNOWN_SIGMAS, "x+", strict=True):
            values, horizons = at_horizons(result, STUDY.metric, result.rows(sigma=sigma))
            name = label_of({"sigma": sigma})
            median = np.median(values, axis=0)
            ax.loglog(horizons, median, marker, color=colours[name], label=f"NSGDM, {name} known")

    def seen(self, results: Results) -> str:
        """Runs and horizon, the slopes that verdicts judge, and between which factors each bound lies above."""
        slopes = readings.said_slopes(results, self.shown.but(view=STUDY.view), self.labels)
        points = dict(zip(self.labels, (r.where for r in self.shown), strict=True))
        first = facts.drawn(results[self.shown[0].sim.key])
        return " ".join([first, f"Slopes: {slopes}.", *readings.said_slack(results, self.bounds, points)])


def figure(key: str, title: str, caption: str, shown: TheoremFigure) -> Figure:
    return Figure(
        key=f"ada_minimax/{key}",
        title=title,
        source="workbench",
        needs=shown.needs,
        draw=shown.draw,
        caption=f"{caption} Median and 10-90 % band over the runs; bounds: right side of the theorem with delta = "
        f"{DELTA:g}, each T taken as the horizon; {STUDY.chosen.split(' (')[0]}. Slopes below: of means over (T/2, T].",
        seen=shown.seen,
    )


def bounds_on(bounds: Sequence[Bound], *forms: str, on: Sequence[str]) -> list[Bound]:
    """The claimed bounds of these forms on these simulations."""
    return [b for b in bounds if b.form in forms and b.sim.key.split("/sim-")[1] in on]


FIGURES = (
    figure(
        "fig-thm-5.6",
        "Theorem 5.6: Ada-NSGDM on I1",
        "Ada-NSGDM on f = x^2/2 with plus-minus sigma noise; markers: NSGDM tuned with the true sigma for each T, "
        f"{facts.competitors('nsgdm')} {facts.LABELS}.",
        TheoremFigure(
            claims_5_6.QUIET.but(view=as_recorded) + claims_5_6.LEVELS.where(sigma=(0.01, 0.1, 1.0)),
            bounds_on(claims_5_6.BOUNDS, "printed", "repaired", on=("i1",)),
            r"$\|\nabla f(x_t)\|$",
            yardstick=claims_5_6.SIMS["i1-known-noise"],
        ),
    ),
    figure(
        "fig-thm-4.1",
        "Theorem 4.1: Ada-Minimax on I2",
        "Ada-Minimax on f = -x^2/4 + x y - y^2/2 with plus-minus sigma noise.",
        TheoremFigure(
            claims_4_1.QUIET.but(view=as_recorded)
            + claims_4_1.LEVELS.where(sigma_x=(0.01, 0.1, 1.0))
            + claims_4_1.NOISE_IN_Y.but(view=as_recorded),
            bounds_on(claims_4_1.BOUNDS, "printed", "repaired", on=("i2",)),
            r"$\|\nabla\Phi(x_t)\|$",
        ),
    ),
    figure(
        "fig-thm-4.2",
        "Theorem 4.2: Ada-BiO on B1",
        "Ada-BiO on the scalar bilevel problem B1, Neumann length as printed; the repaired bound and its slack are "
        "those of runs with a third of it.",
        TheoremFigure(
            claims_4_2.QUIET.but(view=as_recorded) + claims_4_2.LEVELS,
            bounds_on(claims_4_2.BOUNDS, "given noise", "repaired", on=("b1", "b1-short")),
            r"$|\Phi'(x_t)|$",
        ),
    ),
)
