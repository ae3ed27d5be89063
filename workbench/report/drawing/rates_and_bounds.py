"""What a theorem claims of one curve, in four panels: the curves, their local slopes, the bound, and its slack."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.lines import Line2D

from workbench.claims.claims import Bound
from workbench.claims.readings import Point, Reading, Readings
from workbench.claims.views import View
from workbench.report.drawing import facts, readings
from workbench.report.drawing._style import BLACK, BLUE, GREEN, ORANGE, PURPLE, RED, TEXT_WIDTH
from workbench.report.drawing.figure import Results
from workbench.report.drawing.panels import band, finite_runs, legend_outside, local_slopes

COLOURS = (BLACK, GREEN, ORANGE, BLUE, PURPLE)


@dataclass(frozen=True)
class RatesAndBounds:
    """What the four panels show.

    curves: running means, at grid points of one simulation. bounds: forms of the bound on them. metric: its symbol.
    verdict_view: the view in which verdicts read slopes. label: of a grid point. rival: readings of another method at
    some of these points, which is tuned for each horizon; rival_name: its name in the legend.
    """

    curves: Readings
    bounds: Sequence[Bound]
    metric: str
    verdict_view: View
    label: Callable[[Point], str] = readings.point_label
    rival: Sequence[Reading] = ()
    rival_name: str = ""

    @property
    def labels(self) -> list[str]:
        return [self.label(r.where) for r in self.curves]

    @property
    def needs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(c.sim.key for c in (*self.curves, *self.bounds, *self.rival)))

    def draw(self, results: Results) -> MplFigure:
        """Top: curves with the claimed slopes, local slopes. Bottom: curves below the bound, and the slack between."""
        size = (TEXT_WIDTH, 5.2)
        figure, ((curves, slopes), (below, slack)) = plt.subplots(2, 2, figsize=size, sharex=True)
        verdict_curves = self.curves.but(view=self.verdict_view)
        readings.panel(curves, results, self.curves, self.labels, COLOURS, verdict_curves=verdict_curves)
        self._rival(curves, results)
        for colour, r in zip(COLOURS, self.curves, strict=False):
            values, marks = r.curve(results)
            slopes.semilogx(*local_slopes(marks, values), color=colour)
            band(below, marks, values, color=colour)
        for claimed in sorted({r.claimed.value for r in self.curves}):
            slopes.axhline(claimed, color=RED, linewidth=0.8, linestyle=":")
            place = {"xycoords": ("axes fraction", "data"), "color": RED, "va": "center"}
            slopes.annotate(f"${readings.power(claimed)}$", (1.01, claimed), **place)
        forms = list(self._forms(results, below, slack))
        curves.set(xlabel="", ylabel=f"mean of {self.metric}", title="running mean (dotted: claimed slope)")
        slopes.set(ylabel="local slope over $[T/2, 2T]$", ylim=(-0.75, 0.05), title="local slope")
        below.set(xlabel="horizon $T$", ylabel=f"mean of {self.metric}", title="running mean and bound")
        slack.set(xlabel="horizon $T$", ylabel="bound / measured", title="bound over the median of the runs")
        handles = [*curves.get_legend_handles_labels()[0], *forms]
        legend_outside(figure, handles, "lower")
        return figure

    def _forms(self, results: Results, below: Axes, slack: Axes) -> Iterator[Line2D]:
        """Each form of the bound at each point, and how far it lies above; yields its entry in the legend."""
        for bound in self.bounds:
            look = readings.bound_look(bound)
            for colour, r in zip(COLOURS, self.curves, strict=False):
                marks, measured, right = readings.under(results, bound, r.where)
                if np.isfinite(right).all() and len(runs := finite_runs(measured)):
                    below.loglog(marks, right, color=colour, **look)
                    slack.loglog(marks, right / np.median(runs, axis=0), color=colour, **look)
            yield Line2D([], [], color=BLACK, label=f"bound, {bound.form}", **look)

    def _rival(self, ax: Axes, results: Results) -> None:
        """Markers: the median at the end of each horizon, in the colour of the same grid point."""
        colours = dict(zip(self.labels, COLOURS, strict=False))
        for r, marker in zip(self.rival, "x+", strict=False):
            values, horizons = r.curve(results)
            label, median = self.label(r.where), np.median(values, axis=0)
            ax.loglog(
                horizons, median, marker, color=colours[label], label=self.rival_name.format(point=label)
            )

    def outcome(self, results: Results) -> str:
        """Whether curves fall as claimed, and bounds are exceeded."""
        points = {label: r.where for label, r in zip(self.labels, self.curves, strict=True)}
        rates = readings.outcomes(results, self.curves.but(view=self.verdict_view))
        return f"{rates}; {readings.said_exceeded(results, self.bounds, points)}"

    def summary(self, results: Results) -> str:
        """Runs and horizon, the slopes that verdicts judge, and between which factors each bound lies above."""
        slopes = readings.said_slopes(results, self.curves.but(view=self.verdict_view), self.labels)
        points = dict(zip(self.labels, (r.where for r in self.curves), strict=True))
        extent = facts.drawn_together({r.sim.key: results[r.sim.key] for r in self.curves})
        return " ".join([extent, f"Slopes: {slopes}.", *readings.said_slack(results, self.bounds, points)])
